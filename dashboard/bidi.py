"""Names among other words: a name that turns the direction of writing turns nothing beyond itself.

Adds invisible marks and takes nothing away, so that the name stays letter for letter. Source: Unicode Annex 9.
"""

from unicodedata import bidirectional

FIRST_STRONG, POP_ISOLATE, POP_EMBEDDING = "\u2068", "\u2069", "\u202c"
_CLOSED_BY = dict.fromkeys(("LRE", "RLE", "LRO", "RLO"), POP_EMBEDDING) | dict.fromkeys(
    ("LRI", "RLI", "FSI"), POP_ISOLATE
)
_TURNING = {*_CLOSED_BY, "PDF", "PDI", "R", "AL"}


def isolated(name: str) -> str:
    """A name with all that it opens closed behind it; the same where nothing in it turns."""
    if name.isascii() or not any(bidirectional(letter) in _TURNING for letter in name):
        return name
    whole = FIRST_STRONG + name
    return whole + "".join(reversed(_left_open(whole)))


def _left_open(text: str) -> list[str]:
    """What closes the embeddings and isolates that a text leaves open, outermost first."""
    open_: list[str] = []
    for letter in text:
        kind = bidirectional(letter)
        if kind in _CLOSED_BY:
            open_.append(_CLOSED_BY[kind])
        elif kind == "PDF" and open_[-1:] == [POP_EMBEDDING]:
            open_.pop()
        elif kind == "PDI" and POP_ISOLATE in open_:
            while open_.pop() != POP_ISOLATE:
                pass
    return open_
