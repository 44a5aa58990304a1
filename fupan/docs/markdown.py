"""What pages are written with: headings, tables, code.

Knows Markdown. Refuses to know what is documented.
"""

from collections.abc import Iterable, Sequence

NOTICE = "<!-- Made by `python -m fupan.docs`. Change what it is made from, then run it again. -->"


def page(*parts: str) -> str:
    """A page of parts with an empty line between them."""
    return "\n\n".join([NOTICE, *(part.strip("\n") for part in parts if part.strip())]) + "\n"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; cells are Markdown already."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(map(_cell, line))} |" for line in lines)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def text(said: str) -> str:
    """A sentence as Markdown that shows it letter for letter."""
    return said.replace("\\", "\\\\").replace("*", "\\*").replace("<", "&lt;").replace("`", "\\`")


def code(said: str) -> str:
    """A word as code."""
    return f"`{said}`" if said else ""


def codes(words: Iterable[str], between: str = ", ") -> str:
    """Several words as code."""
    return between.join(map(code, words))


def block(said: str, language: str = "") -> str:
    """Lines as code."""
    return f"```{language}\n{said.strip(chr(10))}\n```"


def anchor(heading: str) -> str:
    """The link to a heading of the same page that is made of plain words."""
    return f"[`{heading}`](#{heading.replace(' ', '-')})"
