"""Combinations a second time: what cards can be, by trying every body and looking at what is left.

Knows the tables of combinations of the rulebook (A-T, B-T, E-T, G-T, BZ-R3) and how they compare. Takes the numbers and
switches of a ruleset as data; refuses to know ``ingest.rules.combinations``, ``kickers`` and ``answers``.
"""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from ingest.rules.ruleset import Ruleset

RANKS = "3456789TJQKA2BR"
PLAIN = RANKS[:13]
JOKERS = {"B", "R"}
FOUR_WITH_TWO = {"quad_solos", "quad_solo_pair", "quad_pairs"}


class Shape(NamedTuple):
    """One reading of cards."""

    name: str
    length: int
    key: tuple[int, ...]
    """What compares."""
    size: int
    carried: int
    """How many cards are kickers."""


@lru_cache(maxsize=50_000)
def shapes(cards: str, law: Ruleset) -> tuple[Shape, ...]:
    """Every reading of the ranks of some cards, the canonical one first (U-R12)."""
    counts = Counter(cards)
    found = {*_groups(counts, law), *_built(counts, law)} if cards else set()
    return tuple(sorted(found, key=lambda shape: (shape.carried, [-part for part in shape.key])))


def beats(one: Shape, other: Shape, law: Ruleset) -> bool:
    """U-R4, U-R5, U-R7; B-R9, OS-R4, E-Q8."""
    if "rocket" in (one.name, other.name):
        return one.name == "rocket" != other.name or (one.name == "bomb" and law.bomb.beats_rocket)
    if "bomb" in (one.name, other.name):
        if one.name != other.name:
            return one.name == "bomb"
        return (one.size, one.key) > (other.size, other.key)
    if law.combinations.cross_size and {one.name, other.name} <= FOUR_WITH_TWO and one.length == other.length == 1:
        return one.key > other.key
    return one[:2] == other[:2] and one.size == other.size and one.key > other.key


def _groups(counts: Counter[str], law: Ruleset) -> Iterator[Shape]:
    """Cards of one rank, and the rocket."""
    if sum(counts.values()) == len(law.bomb.rocket) and counts == Counter(law.bomb.rocket):
        yield Shape("rocket", 1, (len(RANKS),), len(law.bomb.rocket), 0)
    if len(counts) != 1:
        return
    ((rank, size),) = counts.items()
    most = 2 if law.order.joker_pair == "same_only" else 1
    if rank in JOKERS and size > most:
        return
    if size >= law.bomb.min_size:
        yield Shape("bomb", 1, (RANKS.index(rank),), size, 0)
    elif size < 4 or law.combinations.quad:
        yield Shape(("solo", "pair", "trio", "quad")[size - 1], 1, (RANKS.index(rank),), size, 0)


def line(law: Ruleset) -> str:
    """The ranks that chains run along."""
    return "A2" + PLAIN[:-1] if law.order.wrap == "ace_both_ends" else PLAIN[:-1]


def _built(counts: Counter[str], law: Ruleset) -> Iterator[Shape]:
    """Chains, and bodies with kickers."""
    along, total = line(law), sum(counts.values())
    for groups in (1, 2, 3, 4):
        for length in range(1, total // groups + 1):
            places = len(PLAIN) if length == 1 else len(along) - length + 1
            for start in range(places):
                body = (PLAIN if length == 1 else along)[start : start + length]
                if any(counts[rank] < groups for rank in body):
                    continue
                need = Counter({rank: groups * body.count(rank) for rank in body})
                rest = counts - need
                if not need - counts and not set(rest) & set(body):
                    top = RANKS.index(body) if length == 1 else start + length
                    for name, key in _named(groups, body, rest, law):
                        yield Shape(name, length, (top, *key), total, sum(rest.values()))


Named = Iterator[tuple[str, tuple[int, ...]]]


def _named(groups: int, body: str, rest: Counter[str], law: Ruleset) -> Named:
    """What a body with these kickers is called."""
    length, said = len(body), law.combinations
    chain = getattr(said, ("solo", "pair", "trio", "quad")[groups - 1] + "_chain")
    is_chain = chain != "off" and chain.min_len <= length <= chain.max_len
    if not rest:
        if length > 1 and is_chain:
            yield f"{('solo', 'pair', 'trio', 'quad')[groups - 1]}_chain", ()
    elif groups == 3 and (length == 1 or is_chain):
        names = ("trio1", "trio2") if length == 1 else ("plane1", "plane2")
        if getattr(said, names[0]) and _singles(rest, length, body, law, distinct=law.kickers.singles_distinct):
            yield names[0], ()
        if getattr(said, names[1]) and _pairs(rest, length, law):
            yield names[1], ()
    elif groups == 4 and (length == 1 or is_chain):
        yield from _on_quads(body, rest, law)


def _on_quads(body: str, rest: Counter[str], law: Ruleset) -> Named:
    length, said = len(body), law.combinations
    each = 2 if length == 1 else said.shuttle_wings
    distinct = law.kickers.quad_singles_distinct
    if said.quad_solos and each and _singles(rest, each * length, "", law, distinct=distinct):
        yield "quad_solos", ()
    if said.quad_pairs and each and _pairs(rest, each * length, law):
        yield "quad_pairs", ()
    if said.quad_solo_pair and length == 1 and sum(rest.values()) == 3 and _solo_and_pair(rest, law):
        yield "quad_solo_pair", ()
    if (said.quad_trio if length == 1 else said.carrier) and _trios(rest, length):
        yield ("quad_trio" if length == 1 else "carrier"), ()
    if (said.quad_trio_pair if length == 1 else said.ship) and sum(rest.values()) == 5 * length:
        for start in range(len(PLAIN) if length == 1 else len(line(law)) - length + 1):
            trios = Counter(dict.fromkeys(PLAIN[start : start + length], 3))
            pairs = rest - trios
            if not trios - rest and not set(pairs) & set(trios) and _pairs(pairs, length, law):
                yield ("quad_trio_pair", ()) if length == 1 else ("ship", (start,))


def _singles(rest: Counter[str], number: int, body: str, law: Ruleset, *, distinct: bool) -> bool:
    """Whether these are single kickers. ``body``: the plane that carries them, where neighbours of it are barred."""
    bans, along = law.kickers, line(law)
    beside = {along[place + step] for place, rank in enumerate(along) if body and rank in body for step in (-1, 1)
              if 0 <= place + step < len(along)}  # fmt: skip
    return not (
        sum(rest.values()) != number
        or (distinct and max(rest.values()) > 1)
        or (bans.both_jokers == "forbid" and set(rest) >= JOKERS)
        or (bans.bomb_inside == "forbid" and max(rest.values()) >= law.bomb.min_size)
        or (bans.adjacent_trio == "forbid" and any(rest[rank] >= 3 for rank in beside))
    )


def _pairs(rest: Counter[str], number: int, law: Ruleset) -> bool:
    bans = law.kickers
    jokers = [rank for rank in rest if rank in JOKERS]
    return not (
        sum(rest.values()) != 2 * number
        or any(count % 2 for count in rest.values())
        or (jokers and law.order.joker_pair != "same_only")
        or (bans.pairs_distinct and max(rest.values()) > 2)
        or (bans.bomb_inside == "forbid" and max(rest.values()) >= law.bomb.min_size)
    )


def _solo_and_pair(rest: Counter[str], law: Ruleset) -> bool:
    """One pair and one single card (E-Q9)."""
    return any(count >= 2 and rank not in JOKERS for rank, count in rest.items()) and (
        law.kickers.adjacent_trio == "allow" or max(rest.values()) < 3
    )


def _trios(rest: Counter[str], number: int) -> bool:
    return (
        sum(rest.values()) == 3 * number and not set(rest) & JOKERS and all(count % 3 == 0 for count in rest.values())
    )
