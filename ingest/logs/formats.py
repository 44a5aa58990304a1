"""The formats of logs that can be read, what each of them can say (support.toml), and how one is told from another.

Knows the outside of a log. What stands inside is known to the module of its format.
"""

import re
import tomllib
from importlib import resources
from typing import Literal

import msgspec

from ingest.logs.entry import BOM, NOT_JSON

MARKS = frozenset(("id", "players", "hands", "plays"))
"""Fields of which a JSON object that is a Fupan record has at least one."""
LOOKED_AT = 20
"""Lines that are looked at before a file of JSON lines is given up."""

_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"?|[\[\]{}:]', re.DOTALL)
_JUDGE = frozenset((b"initdata", b"log", b"logs"))
_DEAL = frozenset((b"allocation", b"publiccard"))


class Support(msgspec.Struct, frozen=True):
    """Whether a format says what a field of the record holds."""

    says: Literal["yes", "no", "derived"]
    """``derived``: not said in so many words, but it follows from what is said."""
    zh: str = ""
    en: str = ""


class Format(msgspec.Struct, frozen=True, kw_only=True):
    """One format of logs."""

    name: str
    title_zh: str
    title_en: str
    needs: tuple[str, ...] = ()
    """Fields of the record that somebody else must say, as ``--rules`` does."""
    accepts: tuple[str, ...] = ()
    """The formats for which this one is another name."""
    fields: dict[str, Support] = {}
    """What it says, by field of the record."""


def _load() -> dict[str, Format]:
    table = tomllib.loads(resources.files("ingest.logs").joinpath("support.toml").read_text("utf-8"))
    return {name: msgspec.convert(table[name] | {"name": name}, Format) for name in table}


FORMATS = _load()
"""Every format, by the name that ``--format`` takes."""


def detect(head: bytes, title: str = "") -> str | None:
    """The format of a log that begins with these bytes (64 KiB are enough), or None.

    ``title``: its file name. ``.jsonl`` and ``-`` (standard input) hold Fupan records unless they clearly don't.
    """
    head = head.removeprefix(BOM)
    botzone = _botzone(head)
    if botzone:
        return botzone
    lines = [line for line in head.split(b"\n", LOOKED_AT)[:LOOKED_AT] if line.strip()]
    if any(map(_is_marked, lines)) or title == "-":
        return "native"
    if title.endswith(".jsonl") and b"\0" not in head and not any(map(_is_object, lines)):
        return "native"
    return None


def _botzone(head: bytes) -> str | None:
    """Which of Botzone's logs of 斗地主 this is; the public cards are what its other games lack."""
    if b"publiccard" not in head:
        return None
    opening, keys = outline(head)
    if opening in (b"{", b"[{") and keys & _JUDGE:
        return "botzone-judge"
    if opening in (b"[{", b"[[{") and (keys >= _DEAL or b"output" in keys):
        return "botzone-display" if keys >= _DEAL else "botzone-judge"
    return None


def outline(text: bytes) -> tuple[bytes, frozenset[bytes]]:
    """The brackets with which JSON opens, up to the first ``{``, and that object's keys; it may have no end."""
    opening, keys, depth, last = b"", set(), 0, b""
    if text.lstrip()[:1] not in (b"{", b"["):
        return b"", frozenset()
    for token in map(re.Match.group, _TOKEN.finditer(text)):
        if depth == 0:
            opening += token
            if token not in b"[{":
                break
            depth = token == b"{"
        elif token == b":" and depth == 1:
            keys.add(last.strip(b'"'))
        else:
            depth += (token in b"[{") - (token in b"]}")
            last = token
            if depth == 0:
                break
    return opening, frozenset(keys)


def _is_marked(line: bytes) -> bool:
    opening, keys = outline(line)
    return opening == b"{" and any(key.decode(errors="replace") in MARKS for key in keys)


def _is_object(line: bytes) -> bool:
    try:
        return isinstance(msgspec.json.decode(line), dict)
    except NOT_JSON:
        return False
