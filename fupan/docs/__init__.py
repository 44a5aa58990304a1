"""The pages of ``docs/`` that are made from the code, so that none of them can say anything else.

Knows which pages there are and whether they are current. What stands on a page is in the module of its name.
"""

from collections.abc import Callable
from pathlib import Path

from fupan.docs import commands, dependencies, faults, formats, own_formats, rulesets, statistics, store
from fupan.docs.markdown import NOTICE

ROOT = Path(__file__).parents[2] / "docs"
"""The folder of the pages in a checkout."""

Pages = dict[str, str]
"""Texts by their path below ``docs/``."""

MAKERS: tuple[Callable[[], Pages], ...] = (
    faults.pages,
    rulesets.pages,
    statistics.pages,
    store.pages,
    formats.pages,
    own_formats.pages,
    commands.pages,
    dependencies.pages,
)


def pages() -> Pages:
    """Every generated page as it should be now."""
    return {path: text for make in MAKERS for path, text in make().items()}


def stale(root: Path = ROOT) -> list[str]:
    """The pages that are missing, not current, or made for something that is no more."""
    wanted = pages()
    there = {path: (root / path).read_bytes() for path in wanted if (root / path).is_file()}
    return sorted(
        {path for path, text in wanted.items() if there.get(path) != text.encode()} | set(_left(root, wanted))
    )


def write(root: Path = ROOT) -> list[str]:
    """Bring every page up to date; the paths of those that were not."""
    changed, wanted = stale(root), pages()
    for path in changed:
        page = root / path
        if path in wanted:
            page.parent.mkdir(parents=True, exist_ok=True)
            page.write_bytes(wanted[path].encode())
        else:
            page.unlink()
    return changed


def _left(root: Path, wanted: Pages) -> list[str]:
    """Pages that were once made and are not any more."""
    found = (page for page in root.rglob("*.md") if page.read_bytes().startswith(NOTICE.encode()))
    return [name for page in found if (name := page.relative_to(root).as_posix()) not in wanted]
