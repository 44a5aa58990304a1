"""An uploaded log and its audit: the bytes on disk, the verdicts in memory.

Knows files and verdicts. Refuses to know how they are shown.
"""

import hashlib
import io
import re
import shutil
import tempfile
import weakref
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

import msgspec

from analysis.lookups import RawRecord
from ingest.batch import Audited, Batch, Judged, builtin_names, judge
from ingest.logs import FORMATS, Entry, read
from ingest.verdict import Verdict

NAME_LIMIT = 60
"""Characters kept of a file's name on disk; its own name is what people read."""
EVERY = 500
"""Hands between two reports of progress."""


class Upload:
    """A log as it was uploaded. Its copy on disk goes with the object."""

    def __init__(self, name: str, content: bytes) -> None:
        self.name = name
        self.digest = hashlib.sha256(name.encode(errors="replace") + b"\n" + content).hexdigest()
        self.empty = not content
        folder = tempfile.mkdtemp(prefix="fupan-upload-")
        self.forget = weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        safe = re.sub(r"[^\w.-]", "_", name, flags=re.ASCII)[-NAME_LIMIT:]
        self._path = Path(folder) / f"log-{safe}"
        self._path.write_bytes(content)

    def entries(self) -> Iterator[Entry]:
        """What the log holds, under the name that it was uploaded with."""
        path = str(self._path)
        for entry in read([path]):
            yield msgspec.structs.replace(entry, source=self.name + entry.source.removeprefix(path))

    def audited(self, rules: str | None) -> Iterator[Audited]:
        """Every hand with its verdict, streamed."""
        with Batch(rules) as batch:
            yield from batch.audit(self.entries())


class Audit:
    """The verdicts on an uploaded log under one choice of rules."""

    def __init__(self, upload: Upload, rules: str | None, progress: Callable[[int], None] | None = None) -> None:
        self.upload, self.rules = upload, rules
        self.verdicts: list[Verdict] = []
        for audited in upload.audited(rules):
            self.verdicts.append(audited.verdict)
            if progress is not None and len(self.verdicts) % EVERY == 0:
                progress(len(self.verdicts))
        self.counts = Counter(verdict.verdict for verdict in self.verdicts)
        self.codes = Counter(code for verdict in self.verdicts for code in {f.code for f in verdict.findings})

    def hand(self, place: int) -> Judged:
        """One hand of the log again, with everything that its audit came to."""
        entry = next(islice(self.upload.entries(), place, None))
        return msgspec.structs.replace(judge(entry, self.rules), verdict=self.verdicts[place])

    def matching(self, verdicts: list[str], codes: list[str], wanted: str) -> list[int]:
        """The places of the hands with one of these verdicts, one of these codes and this text in their id."""
        return [
            place
            for place, verdict in enumerate(self.verdicts)
            if (not verdicts or verdict.verdict in verdicts)
            and (not codes or any(finding.code in codes for finding in verdict.findings))
            and wanted in (verdict.id or "")
        ]


def again(kept: RawRecord) -> Judged:
    """An entry of a log that was kept, read and audited once more, by built-in rules or else as it says."""
    known = kept.format if kept.record is None and kept.format in FORMATS else "native"
    entry = next(read(["-"], format=known, stdin=io.BytesIO(kept.record or kept.raw)))
    entry = msgspec.structs.replace(entry, source=kept.source, line=kept.line, raw=kept.raw)
    return judge(entry, kept.rules if kept.rules in builtin_names() else None)
