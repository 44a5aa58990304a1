"""What screens have in common: they look for what is odd, and never give a verdict on a person.

A screen gives a score, its reasons, hands as evidence and how many hands it rests on.
"""

SHUFFLED = ("", "random")
"""The tags ``deal_mode`` (empty: none) of deals that are said to be shuffled; only these are scored."""


def numbers(hands: tuple[int, ...]) -> str | None:
    """Hands as text, by their running numbers."""
    return " ".join(map(str, hands)) or None
