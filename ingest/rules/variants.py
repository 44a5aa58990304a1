"""What a hand would be worth under another law, one switch at a time: the laws that a log's claim may have followed.

Knows the switches that change a settlement, and mistakes that settlements are known for. Refuses to know any claim:
which of these it agrees with is found in ``ingest.mismatches``. Kinds S01 to S24 are those of statistics.md 4.2; void
hands, the marker and the levels of 三打哈 have none of their own there and stand with the other multipliers (S09).
"""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ingest.rules.levels import TrickFacts, settle_level
from ingest.rules.ruleset import Ruleset, TrickRuleset
from ingest.rules.settlement import Facts, Settlement, settle


class Variant(Struct, frozen=True):
    """One switch set otherwise, and what the hand would then be worth."""

    kind: str
    switch: str
    """A parameter of the ruleset, or after ``facts.`` what was taken for a fact of the hand."""
    value: str
    scores: list[int]
    multiplier: int


_FACTORS = (1, 2, 3, 4)
_SIZES = "45678"
_CAPS = tuple(sorted({3 << n for n in range(2, 12)} | {1 << n for n in range(3, 13)}))
"""Ceilings that platforms write: 8, 12, 16, 24, 32 … doubled as multipliers are."""

SWITCHES: tuple[tuple[str, str, tuple[Any, ...]], ...] = (
    ("S01", "score.base", (1, "record")),
    ("S02", "score.bid_factor", (1, "bid")),
    ("S03", "rob.factor", (1, 2, 3)),
    ("S03", "rob.mode", ("power", "linear", "once")),
    ("S04", "score.bomb_factor", tuple(dict.fromkeys(_SIZES, factor) for factor in _FACTORS)),
    ("S04", "score.combine", ("product", "sum", "by_kind")),
    ("S05", "score.rocket_factor", _FACTORS),
    ("S06", "score.spring_factor", _FACTORS),
    ("S07", "score.anti_spring_factor", _FACTORS),
    ("S09", "void.factor", _FACTORS),
    ("S09", "void.mode", ("flag", "compound")),
    ("S09", "score.marker_factor", _FACTORS),
    ("S09", "open.factor", _FACTORS),
    ("S14", "score.cap", ("none", *_CAPS)),
    ("S15", "balance.enforce", ("never", "if_logged")),
    ("S16", "escape.farmer_multipliers", ("as_written", "same_as_normal")),
    ("S16", "escape.split", ("1:0", "1:1", "2:0", "2:1", "0:1", "3:1")),
)
"""Kind, parameter of a climbing ruleset, and the values that are tried."""
TRICK_SWITCHES: tuple[tuple[str, str, tuple[Any, ...]], ...] = (
    ("S02", "direct50.factor", _FACTORS),
    ("S02", "direct50.applies", ("opening_le_50", "opening_eq_50")),
    ("S02", "direct50.survives_overbid", (False, True)),
    ("S09", "levels.lost", ((1, 1, 1), (1, 2, 3), (1, 2, 4))),
    ("S09", "levels.kept", ((1, 1, 1), (1, 2, 3), (1, 2, 4))),
    ("S09", "thresholds.inclusive", (False, True)),
    ("S09", "xiaoguang_below.inclusive", (False, True)),
    ("S16", "surrender.level_high", (1, 2, 3)),
    ("S16", "surrender.level_low", (1, 2, 3)),
)
"""The same of a ruleset of 三打哈."""
_WITH: dict[str, tuple[str, Any, Any]] = {
    "open.factor": ("enabled", False, True),
    "void.factor": ("mode", "none", "flag"),
    "void.mode": ("factor", 1, 2),
}
"""A key of the same table that keeps the switch from doing anything: its value that does, and the one it then gets."""


def variants(facts: Facts, rules: Ruleset, settled: Settlement) -> Iterator[Variant]:
    """Every single change of switch or fact that gives a hand of a climbing game other scores than it has."""
    for kind, switch, values in SWITCHES:
        for value in values:
            law = _switched(rules, switch, value)
            if law is not None:
                yield from _other(kind, switch, _text(value), settle(facts, law), settled)
    for kind, switch, value, other in _facts(facts, rules):
        yield from _other(kind, f"facts.{switch}", value, settle(other, rules), settled)
    yield from _payments(facts, rules, settled)


def trick_variants(facts: TrickFacts, rules: TrickRuleset, settled: Settlement, bottom: int) -> Iterator[Variant]:
    """The same of a hand of 三打哈; ``bottom``: the points of ``facts`` that lay in the bottom."""
    for kind, switch, values in TRICK_SWITCHES:
        for value in values:
            law = _switched(rules, switch, value)
            if law is not None:
                yield from _other(kind, switch, _text(value), settle_level(facts, law), settled)
    others = [("S01", "base", "1", replace(facts, base=1))]
    seats = [seat for seat in _others(facts.landlord, rules) if seat != facts.poked_by]
    others += [("S10", "landlord", str(seat), replace(facts, landlord=seat)) for seat in seats]
    if bottom:
        others.append(("S09", "bottom", "0", replace(facts, points=facts.points - bottom)))
    for kind, switch, value, other in others:
        yield from _other(kind, f"facts.{switch}", value, settle_level(other, rules), settled)
    yield from _turned("S10", "facts.sign", "-1", settled)
    yield from _turned("S11", "facts.winner", "other", settled)


def _other(kind: str, switch: str, value: str, other: Settlement, settled: Settlement) -> Iterator[Variant]:
    if other.scores is not None and (other.scores, other.multiplier) != (settled.scores, settled.multiplier):
        yield Variant(kind, switch, value, other.scores, other.multiplier)


def _switched(rules: Any, switch: str, value: Any) -> Any:
    """A ruleset with one switch set otherwise, None where it is set so."""
    table, _, key = switch.partition(".")
    before = getattr(rules, table)
    changes = {key: value}
    if switch in _WITH:
        other, idle, awake = _WITH[switch]
        if getattr(before, other) == idle:
            changes[other] = awake
    if all(getattr(before, name) == new for name, new in changes.items()):
        return None
    return replace(rules, **{table: replace(before, **changes)})


def _text(value: Any) -> str:
    """A value as it is told; of the bombs' factors what each size counts for."""
    if isinstance(value, dict):
        return str(next(iter(value.values())))
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value).lower()


def _others(landlord: int, rules: Ruleset | TrickRuleset) -> list[int]:
    return [seat for seat in range(rules.deal.players) if seat != landlord]


def _facts(facts: Facts, rules: Ruleset) -> Iterator[tuple[str, str, str, Facts]]:
    """Facts that a source may have seen otherwise: kind, name, value, and the facts with it."""
    if rules.score.bid_factor == "bid":
        yield from (("S02", "bid", str(bid), replace(facts, bid=bid)) for bid in rules.auction.values)
    if rules.rob.enabled:
        counts = {facts.robs - 1, facts.robs + 1} - {-1}
        yield from (("S03", "robs", str(robs), replace(facts, robs=robs)) for robs in sorted(counts))
    yield from _bomb_facts(facts, rules)
    if facts.winner == "landlord" and not facts.spring:
        yield "S06", "spring", "true", replace(facts, spring=True)
    if facts.winner == "farmers" and not facts.anti_spring:
        yield "S07", "anti_spring", "true", replace(facts, anti_spring=True)
    if rules.open.enabled:
        yield "S09", "open", str(not facts.open).lower(), replace(facts, open=not facts.open)
    yield from (("S10", "landlord", str(s), replace(facts, landlord=s)) for s in _others(facts.landlord, rules))
    if facts.escape is not None:
        winner = "farmers" if facts.escape == facts.landlord else "landlord"
        yield "S16", "escape", "loss", replace(facts, escape=None, winner=winner)


def _bomb_facts(facts: Facts, rules: Ruleset) -> Iterator[tuple[str, str, str, Facts]]:
    """One bomb less or more, one rocket more: what was held and not played, or played twice in the log's eyes."""
    number = len(facts.bombs)
    for size in sorted(set(facts.bombs)):
        fewer = list(facts.bombs)
        fewer.remove(size)
        yield "S04", "bombs", str(number - 1), replace(facts, bombs=fewer)
    yield "S04", "bombs", str(number + 1), replace(facts, bombs=[*facts.bombs, rules.bomb.min_size])
    yield "S05", "rockets", str(facts.rockets + 1), replace(facts, rockets=facts.rockets + 1)


def _payments(facts: Facts, rules: Ruleset, settled: Settlement) -> Iterator[Variant]:
    """The same sum paid otherwise, or by the other side."""
    yield from _turned("S10", "facts.sign", "-1", settled)
    if facts.winner is None or settled.scores is None:
        return
    winner = "farmers" if facts.winner == "landlord" else "landlord"
    yield from _other("S11", "facts.winner", "other", settle(replace(facts, winner=winner), rules), settled)
    balances = [has for has in facts.balances or [] if has is not None]
    if rules.score.payout == "each_opponent" and len(balances) == len(settled.scores):
        scores = _no_more_than_ones_own(settle(replace(facts, balances=None), rules).scores or [], facts, balances)
        yield from _other("S15", "facts.winnings", "balance", replace(settled, scores=scores), settled)


def _turned(kind: str, switch: str, value: str, settled: Settlement) -> Iterator[Variant]:
    """Every seat won what it lost."""
    if settled.scores is not None and any(settled.scores):
        yield Variant(kind, switch, value, [-score for score in settled.scores], settled.multiplier)


def _no_more_than_ones_own(scores: Sequence[int], facts: Facts, balances: Sequence[int]) -> list[int]:
    """Nobody wins or loses more than he brought; what a landlord has is paid to each in no more than equal parts."""
    sides = [min(abs(score), max(has, 0)) for score, has in zip(scores, balances, strict=True)]
    farmers = [seat for seat in range(len(scores)) if seat != facts.landlord]
    has = max(balances[facts.landlord], 0)
    if sum(sides[seat] for seat in farmers) > has:
        sides = [min(side, has // len(farmers)) for side in sides]
    sign = 1 if facts.winner == "landlord" else -1
    paid = [-sign * side for side in sides]
    paid[facts.landlord] = sign * sum(sides[seat] for seat in farmers)
    return paid
