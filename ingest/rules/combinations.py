"""Combinations of the climbing games: a table of shapes, all readings of a set of cards, and what beats what.

Knows rows of shapes and the switches that choose among them (rules.md 0.5, 9.1). A set of cards is its packed counts:
suits never matter here. Whatever is found is remembered for each distinct count.
"""

from collections.abc import Callable, Iterator
from functools import cache

import msgspec
from msgspec import Struct

from ingest.cards import FACES, RANKS, rank_counts, read_cards
from ingest.rules.parameters import Chain, Order
from ingest.rules.ruleset import Ruleset

Counts = list[int]
"""How many cards of each rank, in the order of ``cards.RANKS``."""

JOKER_PLACES = (13, 14)
STEP = 100
"""How much a rank of the body counts before a second key (B-T14), and a card of a bomb before its rank."""


class Shape(Struct, frozen=True):
    """A row of the table: k groups of ``body`` equal cards, on the chain line if ``chain``, and what they carry."""

    name: str
    body: int
    chain: bool = False
    kickers: str = ""
    """The named way to carry: a key of ``CARRIES``."""
    carried: int = 0
    """Cards carried per group."""


SHAPES = (
    Shape("solo", 1),
    Shape("pair", 2),
    Shape("trio", 3),
    Shape("quad", 4),
    Shape("solo_chain", 1, chain=True),
    Shape("pair_chain", 2, chain=True),
    Shape("trio_chain", 3, chain=True),
    Shape("quad_chain", 4, chain=True),
    Shape("trio1", 3, kickers="solos", carried=1),
    Shape("plane1", 3, chain=True, kickers="solos", carried=1),
    Shape("trio2", 3, kickers="pairs", carried=2),
    Shape("plane2", 3, chain=True, kickers="pairs", carried=2),
    Shape("quad_solos", 4, kickers="quad_solos", carried=2),
    Shape("quad_solo_pair", 4, kickers="solo_pair", carried=3),
    Shape("quad_pairs", 4, kickers="pairs", carried=4),
    Shape("quad_trio", 4, kickers="trios", carried=3),
    Shape("carrier", 4, chain=True, kickers="trios", carried=3),
    Shape("quad_trio_pair", 4, kickers="trios_pairs", carried=5),
    Shape("ship", 4, chain=True, kickers="running_trios_pairs", carried=5),
)
"""Every shape that any climbing game has; bombs and the rocket, which have no row, are read apart."""
_BODY = {shape.name: shape.body for shape in SHAPES}

PLAIN, BOMB, ROCKET = 0, 1, 2
"""The tiers of U-R5."""


class Reading(Struct, frozen=True, gc=False):
    """One way to read a set of cards (U-R9)."""

    name: str
    length: int
    rank: str
    size: int
    """Cards in all."""
    tier: int
    power: int
    """What compares within one kind."""

    def __str__(self) -> str:
        return f"{self.name}×{self.length} {self.rank}" if self.length > 1 else f"{self.name} {self.rank}"


class ReadingName(Struct, frozen=True):
    """What is said of a reading outside: the three keys of record.md 7."""

    name: str
    length: int
    rank: str


def public(reading: Reading) -> ReadingName:
    """A reading as the command line prints it."""
    return ReadingName(reading.name, reading.length, reading.rank)


class Group(Struct, frozen=True, gc=False):
    """One choice of a body: its places among the ranks, how many groups, its rank, its strength."""

    places: tuple[int, ...]
    length: int
    rank: str
    power: int
    ends: tuple[int, ...]
    """The places next to it on the chain line."""


class Law(Struct, frozen=True):
    """The part of a ruleset that combinations need, worked out once."""

    rules: Ruleset
    line: tuple[int, ...]
    """Places among the ranks, along the chain line."""
    straight_line: tuple[int, ...]
    strength: tuple[int, ...]
    """How strong each rank is as a single group."""
    shapes: tuple[tuple[Shape, int, int], ...]
    """The rows in play, with the fewest and the most groups."""
    rows: tuple[tuple[tuple[Shape, int], ...], ...]
    """By number of cards the rows in play that so many can be, with their groups."""
    rocket: int
    """Packed counts of the rocket, 0 where there is none."""


@cache
def law_of(rules: Ruleset) -> Law:
    """Work out what a ruleset says about combinations."""
    order = rules.order
    strength = [order.ranks.index(rank) for rank in RANKS]
    if order.jokers == "equal":
        strength[RANKS.index("R")] = strength[RANKS.index("B")]
    straight_line = line = _chain_line(order)
    if order.wrap != "none" and order.wrap_applies_to == "straight_only":
        line = _chain_line(msgspec.structs.replace(order, wrap="none", chain_low="3"))
    shapes = (
        *((shape, *span) for shape in SHAPES if (span := _span(shape, rules)) is not None),
        *((shape, 2, len(line)) for shape in _winged_shuttles(rules.combinations.shuttle_wings)),
    )
    return Law(
        rules=rules,
        line=line,
        straight_line=straight_line,
        strength=tuple(strength),
        shapes=shapes,
        rows=tuple(tuple(_rows(size, shapes)) for size in range(rules.deal.packs * len(FACES) + 1)),
        rocket=0 if rules.bomb.rocket == "off" else read_cards(rules.bomb.rocket).counts,
    )


def _rows(size: int, shapes: tuple[tuple[Shape, int, int], ...]) -> Iterator[tuple[Shape, int]]:
    """The rows that so many cards can be, with their groups."""
    for shape, fewest, most in shapes:
        groups, odd = divmod(size, shape.body + shape.carried)
        if not odd and fewest <= groups <= most:
            yield shape, groups


def _chain_line(order: Order) -> tuple[int, ...]:
    if order.wrap == "none":
        low, high = order.ranks.index(order.chain_low), order.ranks.index(order.chain_high)
        ranks = order.ranks[low : high + 1]
    else:
        ranks = "A23456789TJQK" + ("A" if order.wrap == "ace_both_ends" else "")
    return tuple(RANKS.index(rank) for rank in ranks)


def _span(shape: Shape, rules: Ruleset) -> tuple[int, int] | None:
    """The fewest and most groups of a row under these rules, or None where it is not played."""
    played = rules.combinations
    chains: dict[int, Chain | str] = {
        1: played.solo_chain, 2: played.pair_chain, 3: played.trio_chain, 4: played.quad_chain
    }  # fmt: skip
    if not shape.chain:
        return (1, 1) if getattr(played, shape.name, True) else None
    chain = chains[shape.body]
    if not isinstance(chain, Chain) or not getattr(played, shape.name):
        return None
    return chain.min_len, chain.max_len


def _winged_shuttles(wings: int) -> tuple[Shape, ...]:
    """Space shuttles with wings: k quads with k or 2k single cards, or as many pairs (BZ-R3, BV-R2)."""
    if not wings:
        return ()
    return (
        Shape("quad_solos", 4, chain=True, kickers="quad_solos", carried=wings),
        Shape("quad_pairs", 4, chain=True, kickers="pairs", carried=2 * wings),
    )


_STRICT: tuple[tuple[str, str, object], ...] = (
    ("kickers", "singles_distinct", True),
    ("kickers", "quad_singles_distinct", True),
    ("kickers", "pairs_distinct", True),
    ("kickers", "both_jokers", "forbid"),
    ("kickers", "bomb_inside", "forbid"),
    ("kickers", "adjacent_trio", "forbid"),
    ("combinations", "quad_solo_pair", False),
    ("combinations", "cross_size", False),
)


@cache
def strict_profile(rules: Ruleset) -> Ruleset:
    """The same rules with every open point about kickers decided against the player (U-R14)."""
    for table, key, value in _STRICT:
        rules = _with(rules, table, key, value)
    return rules


@cache
def strict_switches(rules: Ruleset) -> tuple[tuple[str, Ruleset], ...]:
    """The same rules with one open point at a time decided against the player, by the name of its switch."""
    return tuple((f"{table}.{key}", _with(rules, table, key, value)) for table, key, value in _STRICT)


def _with(rules: Ruleset, table: str, key: str, value: object) -> Ruleset:
    changed = msgspec.structs.replace(getattr(rules, table), **{key: value})
    return msgspec.structs.replace(rules, **{table: changed})


def readings(counts: int, law: Law) -> tuple[Reading, ...]:
    """All readings of a set of cards, in canonical order (U-R9, U-R12); empty when it is no combination."""
    ranks = rank_counts(counts)
    size, packs = sum(ranks), law.rules.deal.packs
    if not size or max(ranks) > 4 * packs or max(ranks[13:]) > packs:
        return ()
    if counts == law.rocket:
        return (Reading("rocket", 1, "R", size, ROCKET, 0),)
    found = [*_bombs(ranks, size, law)]
    for shape, groups in law.rows[size]:
        found += _of_shape(shape, groups, ranks, size, law)
    found.sort(key=_canonical_key)
    return tuple(dict.fromkeys(found))


def _canonical_key(reading: Reading) -> tuple[int, int]:
    """U-R12: pure chain before kickers, then fewest kicker cards, then highest body."""
    body = _BODY.get(reading.name, reading.size)
    return reading.size - body * reading.length, -reading.power


def _bombs(ranks: Counts, size: int, law: Law) -> Iterator[Reading]:
    """`min_size` or more of one rank (A-T11, B-T15, D-R6)."""
    bomb = law.rules.bomb
    place = ranks.index(max(ranks))
    if ranks[place] == size >= bomb.min_size:
        yield Reading("bomb", 1, RANKS[place], size, BOMB, bomb_power(place, size, law))


def bomb_power(place: int, size: int, law: Law) -> int:
    """What compares among bombs of a rank and a size (B-R9, D-R6)."""
    rank = law.strength[place]
    return rank + STEP * size if law.rules.bomb.compare == "size_then_rank" else rank


def _of_shape(shape: Shape, groups: int, ranks: Counts, size: int, law: Law) -> Iterator[Reading]:
    """The readings of a set of cards as so many groups of one row of the table."""
    for body in _bodies(shape, groups, ranks, law):
        rest = list(ranks)
        for place in body.places:
            rest[place] -= shape.body
        yield from _carrying(shape.name, shape.kickers, rest, body, size, law)


def _carrying(name: str, kickers: str, rest: Counts, body: Group, size: int, law: Law) -> Iterator[Reading]:
    """The reading of a body with what is left of the cards, if the kickers are lawful."""
    if not kickers:
        yield Reading(name, body.length, body.rank, size, PLAIN, body.power)
    elif not _banned(rest, body, law):
        second = CARRIES[kickers](rest, body, law)
        if second is not None:
            yield Reading(name, body.length, body.rank, size, PLAIN, STEP * body.power + second)


def _bodies(shape: Shape, groups: int, ranks: Counts, law: Law) -> Iterator[Group]:
    """Every choice of the body among the cards; jokers are no body of three or more, nor a pair in one pack."""
    if not shape.chain:
        for place, count in enumerate(ranks):
            if count >= shape.body and may_group(place, shape.body, law):
                yield Group((place,), 1, RANKS[place], law.strength[place], ())
        return
    line = law.straight_line if shape.body == 1 else law.line
    if sum(ranks[place] >= shape.body for place in line) < groups:  # as it is for most cards
        return
    for start in range(len(line) - groups + 1):
        places = line[start : start + groups]
        if all(ranks[place] >= shape.body * places.count(place) for place in places):
            ends = line[max(start - 1, 0) : start] + line[start + groups : start + groups + 1]
            yield Group(places, groups, RANKS[places[-1]], start + groups, ends)


def may_group(place: int, cards: int, law: Law) -> bool:
    """Whether so many cards of a rank make a group (A-T2, B-Q4, D-R8)."""
    if place not in JOKER_PLACES or cards == 1:
        return True
    return cards == 2 and law.rules.order.joker_pair == "same_only"


def _banned(rest: Counts, body: Group, law: Law) -> bool:
    """The bans that hold for kickers of every kind (rules.md 9.2, the `kickers` switches)."""
    kickers = law.rules.kickers
    if kickers.body_rank == "forbid" and any(rest[place] for place in body.places):
        return True
    return kickers.bomb_inside == "forbid" and max(rest) >= law.rules.bomb.min_size


def _solos(rest: Counts, body: Group, law: Law, *, distinct: bool) -> int | None:
    """Single cards: any cards at all, but for the bans (A-T9, A-Q4, G-T11a, G-Q12)."""
    kickers = law.rules.kickers
    if distinct and max(rest) > 1:
        return None
    if kickers.both_jokers == "forbid" and all(rest[place] for place in JOKER_PLACES):
        return None
    if kickers.adjacent_trio == "forbid" and any(rest[place] >= 3 for place in body.ends):
        return None
    return 0


def _plane_solos(rest: Counts, body: Group, law: Law) -> int | None:
    return _solos(rest, body, law, distinct=law.rules.kickers.singles_distinct)


def _quad_solos(rest: Counts, body: Group, law: Law) -> int | None:
    return _solos(rest, body, law, distinct=law.rules.kickers.quad_singles_distinct)


def _pairs(rest: Counts, body: Group, law: Law) -> int | None:
    """Pairs; four of a rank are two equal pairs (A-T10, A-Q4, B-Q6, D-Q5)."""
    return 0 if _all_pairs(rest, law) else None


def _all_pairs(rest: Counts, law: Law) -> bool:
    equal = not law.rules.kickers.pairs_distinct
    return all(
        not count % 2 and (equal or count == 2) and may_group(place, 2, law)
        for place, count in enumerate(rest)
        if count
    )


def _solo_pair(rest: Counts, body: Group, law: Law) -> int | None:
    """One single card and one pair, of one rank or two (E-T11, E-Q9, E-E7)."""
    pair = next((place for place, count in enumerate(rest) if count >= 2 and may_group(place, 2, law)), None)
    return None if pair is None else 0


def _trios(rest: Counts, body: Group, law: Law) -> int | None:
    """Trios, consecutive or not (B-T11, B-T12); equal ones are allowed (B-Q6)."""
    equal = not law.rules.kickers.pairs_distinct
    return 0 if all(not count % 3 and (equal or count == 3) for count in rest if count) else None


def _trios_pairs(rest: Counts, body: Group, law: Law) -> int | None:
    """A trio and a pair of different ranks (B-T13, B-Q6)."""
    trio = next((place for place, count in enumerate(rest) if count == 3), None)
    if trio is None:
        return None
    return 0 if _all_pairs([*rest[:trio], 0, *rest[trio + 1 :]], law) else None


def _running_trios_pairs(rest: Counts, body: Group, law: Law) -> int | None:
    """k consecutive trios, whose top is the second key, and k pairs of other ranks (B-T14)."""
    for start in range(len(law.line) - body.length, -1, -1):
        trios = law.line[start : start + body.length]
        if all(rest[place] == 3 for place in trios):
            pairs = [0 if place in trios else count for place, count in enumerate(rest)]
            return start + body.length if _all_pairs(pairs, law) else None
    return None


CARRIES: dict[str, Callable[[Counts, Group, Law], int | None]] = {
    "solos": _plane_solos,
    "quad_solos": _quad_solos,
    "pairs": _pairs,
    "solo_pair": _solo_pair,
    "trios": _trios,
    "trios_pairs": _trios_pairs,
    "running_trios_pairs": _running_trios_pairs,
}
"""The ways to carry: what is left beside a body gives a second key (0 where there is none), or None if not lawful."""


def beats(answer: Reading, standing: Reading, rules: Ruleset) -> bool:
    """Whether one reading beats another (U-R4, U-R5, B-R9, D-R6, E-Q8, OS-R4)."""
    if answer.tier != standing.tier:
        return answer.tier > standing.tier or (answer.tier == BOMB and rules.bomb.beats_rocket)
    if answer.tier == PLAIN and not same_kind(answer, standing, rules):
        return False
    return answer.power > standing.power


def same_kind(answer: Reading, standing: Reading, rules: Ruleset) -> bool:
    """Same type and same number of cards; 四带二 of all sizes is one type where the ruleset says so (E-Q8)."""
    if rules.combinations.cross_size and answer.name in _FOUR_WITH_TWO and standing.name in _FOUR_WITH_TWO:
        return True
    return (answer.name, answer.length, answer.size) == (standing.name, standing.length, standing.size)


_FOUR_WITH_TWO = ("quad_solos", "quad_solo_pair", "quad_pairs")
