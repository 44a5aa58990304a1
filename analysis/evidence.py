"""Hands that are named as evidence: the first of some, or those with the most of something, in SQL.

Knows how the best of several groups are found again among the best of each. Refuses to know what they are evidence of.
"""

from collections.abc import Sequence

EVIDENCE = 5
"""Hands that are named as evidence."""
_HAND = (1 << 40) - 1


def best(measure: str) -> str:
    """The hands with the most of something; the first of those that have as much."""
    return f"max_by(hand, {_ranked(measure)}, {EVIDENCE})"


def most(measure: str) -> str:
    """The same, each with how much it has: numbers of which the greatest are the best of several groups."""
    return f"max({_ranked(measure)}, {EVIDENCE})"


def _ranked(measure: str) -> str:
    return f"(({measure})::BIGINT << 40) - hand"


def hands_of(numbers: Sequence[int] | None) -> tuple[int, ...]:
    """The hands of what ``most`` found."""
    return tuple(-int(number) & _HAND for number in ([] if numbers is None else numbers))


def lowest_of(name: str) -> str:
    """Of what several groups have in a column of hands, the first."""
    return _firsts(name, "list_sort")


def most_of(name: str) -> str:
    """Of what several groups have in a column that ``most`` made, the greatest."""
    return _firsts(name, "list_reverse_sort")


def _firsts(name: str, order: str) -> str:
    every = f"flatten(list({name}) FILTER ({name} IS NOT NULL))"
    return f"list_slice({order}({every}), 1, {EVIDENCE}) AS {name}"
