"""``results.md``: one section a benchmark, each replaced by itself.

Knows headings. Refuses to know what was measured.
"""

import platform
from collections.abc import Iterable
from datetime import date
from pathlib import Path

HEAD = "# Results\n\nWritten by `make bench`, a section by `python -m bench NAME`.\n"
_MARK = "\n## "


def section(page: str) -> str:
    """A page under its heading with where and when it was measured."""
    heading, _, rest = page.strip().partition("\n")
    return f"{heading}\n\n{date.today()}, {platform.machine()}, Python {platform.python_version()}.\n{rest}\n"


def merged(text: str, sections: Iterable[str]) -> str:
    """The text of ``results.md`` with these sections in place of those with the same heading, or behind all."""
    _, *kept = text.split(_MARK)
    found = {_heading(each): each for each in ("## " + part for part in kept)}
    found |= {_heading(each): each for each in sections}
    return "\n".join([HEAD, *(each.strip() + "\n" for each in found.values())])


def write(path: Path, sections: Iterable[str]) -> None:
    """Put sections into a file and leave the others as they are."""
    before = path.read_text(encoding="utf-8") if path.exists() else HEAD
    path.write_text(merged(before, sections), encoding="utf-8")


def _heading(section: str) -> str:
    return section.partition("\n")[0].strip()
