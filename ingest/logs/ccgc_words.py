"""The words of the students' tournament (CCGC, ICGA): its protocol, line by line, and its record, node by node.

Knows what a line or a node says, and gives either as the same ``Saying``. Refuses to know games and records.
Source: the protocol as the tournament's rules print it (nineteen commands, an example of a session, the numbers of the
cards), engines that speak it, and the script that makes the record of a platform's session.
"""

import re
from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

What = Literal["version", "name", "info", "deal", "ask", "bid", "bottom", "play", "over", "error", "other", "bad"]


class Saying(Struct, frozen=True):
    """One thing said: by the platform, or by an engine in answer."""

    what: What
    seat: int | None = None
    text: str = ""
    """What it says, as it stands: cards, a number, a name; of ``ask`` what is asked for, ``bid`` or ``play``."""
    line: str = ""
    """The whole of it."""


SEATS = "ABC"
"""West, south, east: the order of turn."""
NOBODY = "D"
"""What some platforms write for the winner where nobody bid."""

_COMMAND = re.compile(
    r"(?<![A-Za-z])(?:"
    r"(?P<ok>OK[ ]+(?:INFO|DEAL|BID|LEFTOVER|PLAY|GAMEOVER|ERROR)(?![A-Za-z]))"
    r"|DOUDIZHUVER[ ]*(?P<version>.*)|(?:NAME|Name)[ ]+(?P<name>.*)|INFO[ ]+(?P<info>\d.*)"
    r"|ERROR[ ]+(?P<error>[A-Z])$"
    r"|(?P<word>DEAL|BID|LEFTOVER|PLAY|GAMEOVER)(?![A-Za-z])(?P<rest>.*))"
)
_REST = re.compile(r"[ ]+(?P<seat>[A-D])[ ]*(?P<text>(?:-?\d+(?:[ ]*[,，][ ]*-?\d+)*)?)")
_SAYS: dict[str, What] = {"DEAL": "deal", "BID": "bid", "LEFTOVER": "bottom", "PLAY": "play", "GAMEOVER": "over"}
_PREFIX = 80
"""Characters that may stand before a command: a time, an arrow, who speaks."""

_BETWEEN = re.compile(r"[() \t]*")
_NODE = re.compile(r";(?P<properties>(?:[ \t]*[A-Z]+\[[^\]]*\])+)")
_PROPERTY = re.compile(r"[ \t]*(?P<key>[A-Z]+)\[(?P<value>[^\]]*)\]")
_KEYS: dict[str, tuple[What, int | None]] = {
    "VER": ("version", None),
    "OVER": ("over", None),
    **{f"P{seat}": ("name", place) for place, seat in enumerate(SEATS)},
    **{f"D{seat}": ("deal", place) for place, seat in enumerate(SEATS)},
    **{f"B{seat}": ("bid", place) for place, seat in enumerate(SEATS)},
    **{f"L{seat}": ("bottom", place) for place, seat in enumerate(SEATS)},
    **{seat: ("play", place) for place, seat in enumerate(SEATS)},
}
INFO = ("TI", "TC", "RI", "RC", "UC", "MS")
"""The numbers of INFO as the record names them: round and rounds, game and games, who go on, the most points."""


def spoken(line: str) -> list[Saying]:
    """What a line of a session says. What stands before a command is no part of it; a line without one is ``other``."""
    said = _COMMAND.search(line)
    if said is None or said.start() > _PREFIX:
        return [Saying("other", text=line.strip(), line=line)] if line.strip() else []
    if said["ok"]:
        return []
    for what in ("version", "name", "info", "error"):
        if said[what] is not None:
            text = said[what].strip()
            return [Saying(what, seat_of(text) if what == "error" else None, text, line)]
    return [_command(said["word"], said["rest"].rstrip(), line)]


def _command(word: str, rest: str, line: str) -> Saying:
    if word in ("BID", "PLAY") and rest.strip() == "WHAT":
        return Saying("ask", None, _SAYS[word], line)
    found = _REST.fullmatch(rest)
    if found is None or (found["text"] == "") != (word == "GAMEOVER"):
        return Saying("bad", text=line.strip(), line=line)
    if word == "GAMEOVER":
        return Saying("over", seat_of(found["seat"]), found["seat"], line)
    seat = seat_of(found["seat"])
    return Saying("bad" if seat is None else _SAYS[word], seat, found["text"] if seat is not None else line, line)


def noted(line: str) -> Iterator[Saying]:
    """What a line of a record says: nothing, brackets, or nodes. What is neither is ``bad``."""
    text, at = line.strip(), 0
    while between := _BETWEEN.match(text, at):
        at = between.end()
        if at == len(text):
            return
        node = _NODE.match(text, at)
        if node is None:
            yield Saying("bad", text=text[at:], line=line)
            return
        yield from _properties(node["properties"], line)
        at = node.end()


def _properties(text: str, line: str) -> Iterator[Saying]:
    numbers = []
    for key, value in _PROPERTY.findall(text):
        if key in INFO:
            numbers.append((key, value))
            continue
        what, seat = _KEYS.get(key, ("bad", None))
        if what == "over":
            seat = seat_of(value.strip())
        yield Saying(what, seat, f"{key}[{value}]" if what == "bad" else value.strip(), line)
    if numbers:
        yield Saying("info", None, ",".join(dict(numbers).get(key, "") for key in INFO), line)


def seat_of(letter: str) -> int | None:
    """The seat of a letter."""
    return SEATS.index(letter) if len(letter) == 1 and letter in SEATS else None


def card_numbers(text: str) -> list[int] | None:
    """The numbers of a list of cards, or None for what is no such list."""
    parts = re.split("[,，]", text)
    return [int(part) for part in parts] if all(re.fullmatch(r"[ ]*-?\d{1,3}[ ]*", part) for part in parts) else None
