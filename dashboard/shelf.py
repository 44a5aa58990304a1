"""Uploaded logs and their audits, kept on the server for a while: a page can be refreshed, a link to a hand be sent.

Knows which log is which by its name and bytes, so that the same log is audited once, whoever uploads it how often. The
mappings of people's own formats lie there too. What is forgotten, by wish, by age or for want of room, leaves nothing
behind.
"""

import hashlib
import re
import threading
import time
from collections import OrderedDict
from collections.abc import Callable

import streamlit as st
from msgspec import Struct

from dashboard.upload import MOST, Audit, Upload
from ingest.batch import builtin_names
from ingest.logs import FORMATS, Own, described

UPLOADS = 24
"""Logs that are kept; the one that nobody has looked at for longest goes first."""
AUDITS = 8
"""Audits that are kept; one that has gone is made again when it is asked for."""
ROOM = 2 * MOST
"""What the audits that are kept may weigh together, the newest aside."""
AT_ONCE = 2
"""Audits that are made side by side; whoever asks for another waits."""
HOURS = 12.0
"""After which a log is forgotten that nobody looks at."""
MAPPINGS = 100
"""Mappings that are kept; the one that was used longest ago goes first."""

_DIGEST = re.compile("[0-9a-f]{64}")


class Way(Struct, frozen=True):
    """How a log is audited."""

    rules: str | None = None
    """A ruleset for every record; else each as it says."""
    format: str | None = None
    """The format, or the digest of the mapping, that it is read as; else as it is recognised."""


def way_of(rules: str, format: str) -> Way:
    """What an address says of it; what is neither built in nor a digest is left out, since it could be any file."""
    known = format in FORMATS or _DIGEST.fullmatch(format)
    return Way(rules if rules in builtin_names() else None, format if known else None)


class Gone(LookupError):
    """A mapping that is not on the shelf, or no more."""


class Shelf:
    """What was uploaded. Safe to use from several sessions at once."""

    def __init__(self, hours: float = HOURS) -> None:
        self._hours = hours
        self._changing = threading.RLock()
        self._mappings: OrderedDict[str, Own] = OrderedDict()
        self._uploads: OrderedDict[str, tuple[Upload, float]] = OrderedDict()
        self._audits: OrderedDict[tuple[str, Way], Audit] = OrderedDict()
        self._at_work: dict[tuple[str, Way], threading.Lock] = {}
        self._turns = threading.BoundedSemaphore(AT_ONCE)

    def put(self, name: str, content: bytes) -> Upload:
        """Keep a log; the same log again is the one that is there."""
        upload = Upload(name, content)
        with self._changing:
            known = self.get(upload.digest)
            if known is not None:
                upload.forget()
                return known
            self._uploads[upload.digest] = (upload, time.monotonic())
            while len(self._uploads) > UPLOADS:
                self.forget(next(iter(self._uploads)))
            return upload

    def get(self, digest: str) -> Upload | None:
        """The log with this digest; None where it is not here, or no more."""
        with self._changing:
            now = time.monotonic()
            for old, (_, seen) in list(self._uploads.items()):
                if now - seen > self._hours * 3600:
                    self.forget(old)
            if digest not in self._uploads:
                return None
            upload = self._uploads[digest][0]
            self._uploads[digest] = (upload, now)
            self._uploads.move_to_end(digest)
            return upload

    def put_mapping(self, name: str, content: bytes) -> str:
        """Keep a mapping, and what it is called by from now on: its digest. Raises ``BadMapping``."""
        own = described(content, name)
        digest = hashlib.sha256(name.encode(errors="replace") + b"\n" + content).hexdigest()
        with self._changing:
            self._mappings[digest] = own
            self._mappings.move_to_end(digest)
            while len(self._mappings) > MAPPINGS:
                self._mappings.popitem(last=False)
        return digest

    def mapping(self, digest: str) -> Own | None:
        """The mapping with this digest; None where it is not here, or no more."""
        with self._changing:
            if digest in self._mappings:
                self._mappings.move_to_end(digest)
            return self._mappings.get(digest)

    def format(self, way: Way) -> str | Own | None:
        """What a log is read as. Raises ``Gone``."""
        if way.format is None or way.format in FORMATS:
            return way.format
        own = self.mapping(way.format)
        if own is None:
            raise Gone(way.format)
        return own

    def audit(self, upload: Upload, way: Way, progress: Callable[[Audit], None] | None = None) -> Audit:
        """The audit of a log, made once; who asks meanwhile waits for it (H-36). Raises ``Gone``."""
        format, key = self.format(way), (upload.digest, way)
        with self._changing:
            lock = self._at_work.setdefault(key, threading.Lock())
        with lock:
            known = self._audits.get(key)
            if known is not None:
                return known
            with self._turns:
                audit = Audit(upload, way.rules, format, progress)
            with self._changing:
                self._audits[key] = audit
                while self._is_full():
                    self._audits.popitem(last=False)
                self._at_work.pop(key, None)
            return audit

    def _is_full(self) -> bool:
        """Whether the oldest audit must go."""
        weight = sum(audit.weight for audit in self._audits.values())
        return len(self._audits) > AUDITS or (weight > ROOM and len(self._audits) > 1)

    def forget(self, digest: str) -> None:
        """Take a log away, its copy on disk and what was found in it."""
        with self._changing:
            gone = self._uploads.pop(digest, None)
            for key in [key for key in self._audits if key[0] == digest]:
                del self._audits[key]
            if gone is not None:
                gone[0].forget()


@st.cache_resource(show_spinner=False)
def shelf() -> Shelf:
    """The shelf of this server."""
    return Shelf()
