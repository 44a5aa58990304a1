"""What is wrong in a TOML file that somebody wrote for us: every mistake with its line and its key.

Knows TOML's text and how structs say what a value may be. Refuses to know what any key means.
"""

import re
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

_QUOTED = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'[^']*'")


class Mistake(Struct, frozen=True):
    """Something wrong in a file; ``line`` counts from 1, 0 where no line is to blame."""

    line: int
    key: str
    problem: str


class BadFile(ValueError):
    """A file that cannot be used; ``mistakes`` says why, all of it."""

    def __init__(self, source: str, mistakes: list[Mistake]) -> None:
        super().__init__(f"{source}: " + "; ".join(f"line {m.line}: {m.key}: {m.problem}" for m in mistakes))
        self.source = source
        self.mistakes = mistakes


def syntax_mistake(problem: str) -> Mistake:
    """The mistake of a text that is no TOML, from what ``tomllib`` says of it."""
    what, _, place = problem.partition(" (at line ")
    number = place.partition(",")[0]
    return Mistake(int(number) if number.isdigit() else 0, "", what)


def wrong_value(value: Any, kind: Any) -> str:
    """Why a value is not of a type, or nothing."""
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        return str(error).replace("`", "'")
    return ""


def lines_of_keys(text: str) -> dict[str, int]:
    """The line of each key and table header of a TOML text, as far as simple TOML goes."""
    places: dict[str, int] = {}
    table, depth = "", 0
    for number, line in enumerate(text.splitlines(), start=1):
        word = line.strip()
        if depth == 0 and word.startswith("[") and "]" in word:
            table = _plain_key(word.strip("[").partition("]")[0])
            places.setdefault(table, number)
            continue
        if depth == 0 and "=" in word and not word.startswith("#"):
            parts = [part for part in (table, _plain_key(word.partition("=")[0])) if part]
            path = ".".join(parts).split(".")
            for length in range(len(path), 0, -1):
                places.setdefault(".".join(path[:length]), number)
        depth = max(depth + _opened(word), 0)
    return places


def _opened(line: str) -> int:
    """How many brackets a line opens and does not close: a list may run over several lines."""
    bare = _QUOTED.sub("", line).partition("#")[0]
    return sum(bare.count(bracket) for bracket in "[{") - sum(bare.count(bracket) for bracket in "]}")


def line_of(key: str, lines: Mapping[str, int]) -> int:
    """The line of a key, or of the innermost table around it that has one; 0 where none has."""
    while key and key not in lines:
        key = key.rpartition(".")[0]
    return lines.get(key, 0)


def _plain_key(text: str) -> str:
    """A key as TOML writes it, dotted and quoted or not, as a path."""
    return ".".join(part.strip().strip("\"'") for part in text.split("."))
