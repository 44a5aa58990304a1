"""Uploaded logs and their audits, kept on the server for a while: a page can be refreshed, a link to a hand be sent.

Knows which log is which by its name and bytes, so that the same log is audited once, whoever uploads it how often. The
mappings of people's own formats lie there too. A log is there as long as anybody wants it who uploaded it; what is
forgotten, by wish, by age or for want of room, leaves nothing behind.
"""

import hashlib
import re
import threading
import time
import uuid
from collections import OrderedDict
from collections.abc import Callable

import msgspec
import streamlit as st
from msgspec import Struct
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.web.server.starlette.starlette_app_utils import decode_xsrf_token_string
from streamlit.web.server.starlette.starlette_server_config import XSRF_COOKIE_NAME

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


def visitor() -> str:
    """Who is looking: a browser, by the cookie that it needs to upload anything; without one the open page."""
    token, _ = decode_xsrf_token_string(st.context.cookies.get(XSRF_COOKIE_NAME, ""))
    if token:
        return hashlib.sha256(token).hexdigest()
    return "" if get_script_run_ctx() is None else st.session_state.setdefault("visitor", uuid.uuid4().hex)


class _Held(Struct):
    """A log on the shelf."""

    upload: Upload
    seen: float
    """When somebody looked at it last."""
    owners: set[str]
    """Who uploaded it, and has not forgotten it."""
    left: set[str] = msgspec.field(default_factory=set)
    """Who forgot it while others have it."""


class Shelf:
    """What was uploaded. Safe to use from several sessions at once."""

    def __init__(self, hours: float = HOURS) -> None:
        self._hours = hours
        self._changing = threading.RLock()
        self._mappings: OrderedDict[str, Own] = OrderedDict()
        self._uploads: OrderedDict[str, _Held] = OrderedDict()
        self._clock: threading.Timer | None = None
        self._audits: OrderedDict[tuple[str, Way], Audit] = OrderedDict()
        self._at_work: dict[tuple[str, Way], threading.Lock] = {}
        self._turns = threading.BoundedSemaphore(AT_ONCE)

    def put(self, name: str, content: bytes, who: str | None = None, most: int | None = None) -> Upload:
        """Keep a log for somebody, a ``visitor``; the same log again is the one that is there.

        ``most``: bytes that it may unpack to.
        """
        upload, who = Upload(name, content, most), visitor() if who is None else who
        with self._changing:
            self._sweep()
            held = self._uploads.setdefault(upload.digest, _Held(upload, 0.0, set()))
            if held.upload is not upload:
                upload.forget()
            held.owners.add(who)
            held.left.discard(who)
            self._see(held)
            while len(self._uploads) > UPLOADS:
                self._drop(next(iter(self._uploads)))
            return held.upload

    def get(self, digest: str, who: str | None = None) -> Upload | None:
        """The log with this digest; None where it is not here, or no more, or forgotten by the ``visitor`` who asks."""
        who = visitor() if who is None else who
        with self._changing:
            self._sweep()
            held = self._uploads.get(digest)
            if held is None or who in held.left:
                return None
            self._see(held)
            return held.upload

    def _see(self, held: _Held) -> None:
        """Somebody looks at a log: it stays for as long again, which is seen to whoever comes or not."""
        held.seen = time.monotonic()
        self._uploads.move_to_end(held.upload.digest)
        if self._clock is None:
            self._wait(self._hours * 3600)

    def _wait(self, seconds: float) -> None:
        self._clock = threading.Timer(seconds, self._rung)
        self._clock.daemon = True
        self._clock.start()

    def _rung(self) -> None:
        with self._changing:
            self._clock = None
            self._sweep()
            if self._uploads:
                oldest = next(iter(self._uploads.values())).seen
                self._wait(max(oldest + self._hours * 3600 - time.monotonic(), 1.0))

    def _sweep(self) -> None:
        """Drop what nobody has looked at for too long."""
        now = time.monotonic()
        for digest, held in list(self._uploads.items()):
            if now - held.seen > self._hours * 3600:
                self._drop(digest)

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
        """The audit of a log, made once; who asks meanwhile waits for it (H-36).

        Raises ``Gone``, and ``Forgotten`` where the log is forgotten meanwhile.
        """
        format, key = self.format(way), (upload.digest, way)
        with self._changing:
            lock = self._at_work.setdefault(key, threading.Lock())
        with lock:
            known = self._audits.get(key)
            if known is not None:
                return known
            try:
                with self._turns:
                    audit = Audit(upload, way.rules, format, progress)
                self._remember(key, audit)
            finally:
                with self._changing:
                    self._at_work.pop(key, None)
            return audit

    def _remember(self, key: tuple[str, Way], audit: Audit) -> None:
        """Keep an audit, unless its log was forgotten meanwhile."""
        with self._changing:
            if key[0] in self._uploads:
                self._audits[key] = audit
            while self._is_full():
                self._audits.popitem(last=False)

    def _is_full(self) -> bool:
        """Whether the oldest audit must go."""
        weight = sum(audit.weight for audit in self._audits.values())
        return len(self._audits) > AUDITS or (weight > ROOM and len(self._audits) > 1)

    def is_owner(self, digest: str, who: str | None = None) -> bool:
        """Whether a ``visitor`` uploaded a log, rather than came by its address."""
        held = self._uploads.get(digest)
        return held is not None and (visitor() if who is None else who) in held.owners

    def forget(self, digest: str, who: str | None = None) -> None:
        """Somebody, a ``visitor``, wants a log gone: it goes when nobody who uploaded it has it any more."""
        who = visitor() if who is None else who
        with self._changing:
            held = self._uploads.get(digest)
            if held is None:
                return
            held.owners.discard(who)
            held.left.add(who)
            if not held.owners:
                self._drop(digest)

    def _drop(self, digest: str) -> None:
        """Take a log away, its copy on disk and what was found in it."""
        held = self._uploads.pop(digest)
        for key in [key for key in self._audits if key[0] == digest]:
            del self._audits[key]
        held.upload.forget()


@st.cache_resource(show_spinner=False)
def shelf() -> Shelf:
    """The shelf of this server."""
    return Shelf()
