"""An uploaded log and its audit: the bytes on disk, the verdicts in memory.

Knows files and verdicts. Refuses to know how they are shown.
"""

import hashlib
import io
import os
import sys
import tempfile
import threading
import weakref
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import msgspec

from analysis.lookups import RawRecord
from ingest.batch import Audited, Batch, Judged, builtin_names, judge
from ingest.logs import FORMATS, Entry, Logbook, Own, read, read_file
from ingest.logs.entry import tells_of_damage
from ingest.verdict import Verdict

EVERY = 500
"""Hands between two reports of progress."""
MOST = 1_000_000
"""Hands and findings, and kilobytes of both, that an audit keeps: of a longer log it has the first."""


class Forgotten(Exception):
    """A log is read that has been forgotten."""


class TooLarge(Exception):
    """A log unpacks to more than may be uploaded."""


class Upload:
    """A log as it was uploaded.

    Its bytes lie in a file without a name, which the system takes away with the process, however that ends.
    """

    def __init__(self, name: str, content: bytes, most: int | None = None) -> None:
        """``most``: bytes that it may unpack to."""
        self._most = most
        self.name = name.encode(errors="replace").decode()
        self.digest = hashlib.sha256(self.name.encode() + b"\n" + content).hexdigest()
        self.size = len(content)
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the upload
        self._turn = threading.Lock()
        self.forget = weakref.finalize(self, self._file.close)
        self._file.write(content)

    def entries(self, format: str | Own | None = None, logbook: Logbook | None = None) -> Iterator[Entry]:
        """What the log holds, under the name that it was uploaded with. ``format``: instead of telling it.

        Raises ``Forgotten`` and ``TooLarge``.
        """
        told = logbook or Logbook()
        for entry in read_file(io.BufferedReader(_Copy(self)), self.name, format=format, logbook=told):
            if self._most is not None and told.unpacked > self._most:
                raise TooLarge
            yield entry

    def audited(
        self,
        rules: str | None,
        format: str | Own | None = None,
        logbook: Logbook | None = None,
        name: str | None = None,
    ) -> Iterator[Audited]:
        """Every hand with its verdict, streamed. ``name``: instead of its own. Raises as ``entries`` does."""
        entries = self.entries(format, logbook)
        with Batch(rules) as batch:
            yield from batch.audit(entries if name is None else self._under(name, entries))

    def _under(self, name: str, entries: Iterator[Entry]) -> Iterator[Entry]:
        for entry in entries:
            yield msgspec.structs.replace(entry, source=name + entry.source.removeprefix(self.name))

    def part(self, start: int, into: Any) -> int:
        """Fill a buffer with the bytes from a place on; how many there are. Raises ``Forgotten``."""
        with self._turn:
            if self._file.closed:
                raise Forgotten
            self._file.seek(start)
            return self._file.readinto(into)  # type: ignore[attr-defined, no-any-return]


class _Copy(io.RawIOBase):
    """The bytes of an upload as a file that one reader has for himself."""

    def __init__(self, upload: Upload) -> None:
        self._upload, self._at = upload, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        start = {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self._upload.size}[whence]
        self._at = max(start + offset, 0)
        return self._at

    def readinto(self, buffer: Any) -> int:
        size = self._upload.part(self._at, buffer)
        self._at += size
        return size


class Audit:
    """The verdicts on an uploaded log under one choice of rules."""

    def __init__(
        self,
        upload: Upload,
        rules: str | None = None,
        format: str | Own | None = None,
        progress: Callable[["Audit"], None] | None = None,
    ) -> None:
        self.upload, self.rules, self.format = upload, rules, format
        self.verdicts: list[Verdict] = []
        self.players: list[str] = []
        """For every hand the ids and names of its players, to be searched."""
        self.weight, self.cut = 0, False
        """How much it keeps, and whether there was more."""
        self.damage: Verdict | None = None
        """The first that says that the log is broken."""
        self.is_too_large = False
        self.logbook = Logbook()
        self.logbook.size = upload.size
        try:
            self._read(progress)
        except TooLarge:
            self.is_too_large = True
            self.verdicts, self.players, self.damage = [], [], None
        self.counts = Counter(verdict.verdict for verdict in self.verdicts)
        self.codes = Counter(code for verdict in self.verdicts for code in {f.code for f in verdict.findings})

    def _read(self, progress: Callable[["Audit"], None] | None) -> None:
        for audited in self.upload.audited(self.rules, self.format, self.logbook):
            self.cut = self.weight >= MOST
            if self.cut:
                break
            self.weight += 1 + len(audited.verdict.findings) + (len(audited.entry.raw) >> 10)
            self.verdicts.append(audited.verdict)
            self.players.append(sys.intern(_players(audited.entry)))
            if self.damage is None and any(map(tells_of_damage, audited.entry.findings)):
                self.damage = audited.verdict
            if progress is not None and len(self.verdicts) % EVERY == 0:
                progress(self)

    @property
    def has_hands(self) -> bool:
        """Whether anything of the log could be read."""
        return self.counts["unreadable"] < len(self.verdicts)

    def hands(self) -> Iterator[Entry]:
        """The entries of the log that are hands, each once. Raises ``Forgotten``."""
        for entry, verdict in zip(self.upload.entries(self.format), self.verdicts, strict=False):
            if verdict.verdict != "unreadable" and all(finding.code != "R108" for finding in verdict.findings):
                yield entry

    @property
    def share(self) -> float:
        """How much of the log has been read, from 0 to 1."""
        return min(self.logbook.read / self.logbook.size, 1.0) if self.logbook.size else 0.0

    @property
    def formats(self) -> list[str]:
        """The formats that its files were read as, each once."""
        return list(dict.fromkeys(log.format for log in self.logbook.logs.values() if log.format is not None))

    def hand(self, place: int) -> Judged:
        """One hand of the log again, with everything that its audit came to."""
        entry = next(islice(self.upload.entries(self.format), place, None))
        return msgspec.structs.replace(judge(entry, self.rules), verdict=self.verdicts[place])

    def matching(self, verdict: str = "", code: str = "", player: str = "", text: str = "") -> list[int]:
        """The places of the hands with this verdict, code, part of a player's id or name, and part of id or file."""
        who, what = player.strip().lower(), text.strip().lower()
        return [
            place
            for place, one in enumerate(self.verdicts)
            if (not verdict or one.verdict == verdict)
            and (not code or any(finding.code == code for finding in one.findings))
            and (not who or who in self.players[place])
            and (not what or what in (one.id or "").lower() or what in one.source.lower())
        ]


def _players(entry: Entry) -> str:
    record = entry.record
    return "" if record is None else "\n".join(f"{one.id}\n{one.name or ''}" for one in record.players).lower()


def again(kept: RawRecord) -> Judged:
    """An entry of a log that was kept, read and audited once more, by built-in rules or else as it says."""
    known = kept.format if kept.record is None and kept.format in FORMATS else "native"
    entry = next(read(["-"], format=known, stdin=io.BytesIO(kept.record or kept.raw)))
    entry = msgspec.structs.replace(entry, source=kept.source, line=kept.line, raw=kept.raw)
    return judge(entry, kept.rules if kept.rules in builtin_names() else None)
