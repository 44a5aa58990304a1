"""The rulebook, clause by clause: what a finding rests on, in the words that were agreed.

Reads ``docs/rulebook/rules.md``, which an installed package has beside this file's assets. Knows where a clause stands
and which part of the book is about which ruleset. Interprets nothing.
"""

import re
from functools import cache
from pathlib import Path

from msgspec import Struct

PLACES = (
    Path(__file__).with_name("assets") / "rulebook.md",
    Path(__file__).parents[1] / "docs" / "rulebook" / "rules.md",
)
_ID = r"(?:[A-G]|U|BZ|BV|OS|RL|DZ)-[RTQ]\d+[ab]?"
_LINE = re.compile(rf"^\* ({_ID})\.\s")
_ROW = re.compile(rf"^\| ({_ID}(?:, {_ID})*) \|")
_GAME = re.compile(r"^## \d+\. Game ([A-G])\b.*?: (.*)$")
_FOREIGN = {"botzone": "BZ", "botzone-v1": "BV", "openspiel": "OS", "rlcard": "RL", "douzero": "DZ"}
"""The part of the book for rulesets that share one chapter; of longer names the beginning counts."""


class Clause(Struct, frozen=True):
    """One clause."""

    name: str
    text: str
    """Its words, in Markdown."""
    chapter: int
    """The place of the chapter in which it stands."""


class Chapter(Struct, frozen=True):
    """A heading of the book and what stands under it."""

    heading: str
    text: str


@cache
def _lines() -> tuple[str, ...]:
    found = next((path for path in PLACES if path.is_file()), None)
    return () if found is None else tuple(found.read_text("utf-8").splitlines())


@cache
def chapters() -> tuple[Chapter, ...]:
    """The book, heading by heading; nothing where the book is not there."""
    found: list[tuple[str, list[str]]] = []
    for line in _lines():
        if line.startswith("#"):
            found.append((line.lstrip("# "), []))
        elif found:
            found[-1][1].append(line)
    return tuple(Chapter(heading, "\n".join(lines).strip()) for heading, lines in found)


@cache
def clauses() -> dict[str, Clause]:
    """Every clause by its name, in the order of the book."""
    found: dict[str, Clause] = {}
    for number, chapter in enumerate(chapters()):
        for name, text in _clauses_in(chapter.text):
            found.setdefault(name, Clause(name, text, number))
    return found


def _clauses_in(text: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    going_on = False
    for line in text.splitlines():
        head, row = _LINE.match(line), _ROW.match(line)
        if head:
            found.append((head[1], line[head.end() :]))
        elif row:
            cells = [cell.strip() for cell in line[row.end() :].strip().strip("|").split(" | ")]
            found += [(name, " · ".join(cell for cell in cells if cell != "-")) for name in row[1].split(", ")]
        elif going_on and line.startswith("  ") and line.strip():
            found[-1] = (found[-1][0], f"{found[-1][1]} {line.strip()}")
        going_on = bool(head) or (going_on and line.startswith("  "))
    return found


@cache
def _parts() -> dict[str, str]:
    """The part of the book for each ruleset that has a chapter of its own."""
    games = (_GAME.match(line) for line in _lines())
    return {name: game[1] for game in games if game for name in re.findall(r"`([^`]+)`", game[2])}


def part_of(rules: str | None) -> str:
    """The letters that clauses of a ruleset begin with; nothing for one that the book does not know."""
    if rules is None:
        return ""
    return _parts().get(rules) or next((_FOREIGN[n] for n in (rules, rules.partition("-")[0]) if n in _FOREIGN), "")


def about(names: tuple[str, ...], rules: str | None) -> list[Clause]:
    """Those of some clauses that are about a ruleset and those common to all; all of them where none is."""
    found = [clauses()[name] for name in names if name in clauses()]
    part = part_of(rules)
    own = [clause for clause in found if clause.name.partition("-")[0] in (part, "U")]
    return own if part and own else found
