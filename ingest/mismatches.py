"""Claims that differ from what the rules give, by kind, with the one switch that would make them right.

Knows hands of ``audit`` and asks ``rules.variants`` what they would be worth under other laws. Refuses to know other
hands: what is wrong with a log as a whole is asked of the store. Source: statistics.md 4.2.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from ingest.audit import Hand
from ingest.audit_tricks import TrickHand
from ingest.hand import Story, balances_after, is_zero_sum, winners
from ingest.record import Claim
from ingest.rules.settlement import Settlement
from ingest.rules.variants import Variant, trick_variants, variants


class Mismatch(Struct, frozen=True, gc=False):
    """One thing that is claimed otherwise, or one explanation of it."""

    kind: str | None
    """S01 … S24; None where nothing known explains the scores."""
    switch: str | None = None
    value: str | None = None
    claimed: str | None = None
    recomputed: str | None = None
    difference: int | None = None
    """Points by which the claimed scores are wrong, all seats together; None where they are not the matter."""


Numbers = Sequence[int]

_DOUBLES = (1, 2, 4, 8, 16)
"""What a farmer's own 加倍 and 超级加倍 come to, the landlord's included."""
_CURRENCIES = (100, 1_000, 10_000)
"""How many of a small unit make a large one: 分 and 元, points and silver."""


def mismatches(story: Story) -> list[Mismatch]:
    """What a hand's claim has otherwise than the rules; nothing where it agrees or claims nothing."""
    claim, settled = story.record.claim, story.settled
    if claim is None:
        return []
    if settled is None or settled.scores is None:
        return [Mismatch("S24")] if claim.scores is not None or claim.multiplier is not None else []
    found = list(_plain(story, claim, settled.scores))
    if claim.scores is not None and claim.scores != settled.scores:
        found += _of_scores(story, claim, claim.scores, settled)
    elif claim.multiplier is not None and claim.multiplier != settled.multiplier:
        found += _of_multiplier(story, claim.multiplier, settled)
    return found


def _plain(story: Story, claim: Claim, scores: Numbers) -> Iterator[Mismatch]:
    """What is wrong as it stands, whatever explains it."""
    won = winners(story)
    if claim.winners is not None and sorted(claim.winners) != won:
        yield Mismatch("S11", claimed=_text(claim.winners), recomputed=_text(won))
    if claim.bid is not None and claim.bid != (story.bid or 0):
        yield Mismatch("S02", claimed=str(claim.bid), recomputed=str(story.bid or 0))
    if claim.landlord is not None and story.landlord is not None and claim.landlord != story.landlord:
        yield Mismatch("S10", claimed=str(claim.landlord), recomputed=str(story.landlord))
    if claim.scores is not None and sum(claim.scores) != 0 and is_zero_sum(story.rules):
        yield Mismatch("S12", claimed=str(sum(claim.scores)), recomputed="0")
    expected = balances_after(story.record, scores if claim.scores is None else claim.scores)
    if claim.balances is not None and expected is not None and _disagree(claim.balances, expected):
        yield Mismatch("S19", claimed=_text(claim.balances), recomputed=_text(expected))


def _disagree(claimed: Sequence[int | None], expected: Sequence[int | None]) -> bool:
    return any(None not in (one, other) and one != other for one, other in zip(claimed, expected, strict=False))


def _text(values: Sequence[int | None]) -> str:
    return " ".join("-" if value is None else str(value) for value in values)


def _variants(story: Story, settled: Settlement) -> Iterator[Variant]:
    if isinstance(story, Hand) and story.facts is not None:
        yield from variants(story.facts, story.rules, settled)
    elif isinstance(story, TrickHand) and story.facts is not None:
        details = story.details or {}
        bottom = details.get("bottom_points", 0) * details.get("bottom_factor", 0)
        yield from trick_variants(story.facts, story.rules, settled, bottom)


def _of_scores(story: Story, claim: Claim, scores: Numbers, settled: Settlement) -> Iterator[Mismatch]:
    """Every explanation of claimed scores that the record allows."""
    actual = settled.scores or []
    difference = sum(abs(one - other) for one, other in zip(scores, actual, strict=False))
    told = (_text(scores), _text(actual), difference)
    if story.outcome == "void":
        yield Mismatch("S22", None, None, *told)
        return
    explained = (
        Mismatch(each.kind, each.switch, each.value, *told)
        for each in _variants(story, settled)
        if each.scores == scores and _side_fits(each, story, claim)
    )
    found = list(dict.fromkeys(explained))  # of two sizes of bombs one less comes to the same
    found += [Mismatch(*shape, *told) for shape in _shapes(story, scores, actual, settled, found)]
    yield from found or [Mismatch(None, None, None, *told)]


def _side_fits(variant: Variant, story: Story, claim: Claim) -> bool:
    """Whose scores are turned round has a wrong sign if he names the right winners, else the wrong winners."""
    if claim.winners is None or variant.switch not in ("facts.sign", "facts.winner"):
        return True
    return (sorted(claim.winners) == winners(story)) == (variant.switch == "facts.sign")


def _of_multiplier(story: Story, multiplier: int, settled: Settlement) -> Iterator[Mismatch]:
    """Every explanation of a claimed multiplier whose scores are not the matter."""
    told = (str(multiplier), str(settled.multiplier))
    found = {
        (each.kind, each.switch, each.value): Mismatch(each.kind, each.switch, each.value, *told)
        for each in _variants(story, settled)
        if each.multiplier == multiplier
    }
    yield from found.values() or [Mismatch(None, None, None, *told)]


Shape = tuple[str, str, str]


def _shapes(
    story: Story, scores: Numbers, actual: Numbers, settled: Settlement, found: Sequence[Mismatch]
) -> Iterator[Shape]:
    """What the shape of the difference shows: doubles of one's own, a fee, rounding; else one common ratio."""
    if len(scores) != len(actual):
        return
    yield from _own_doubles(story, scores, settled)
    yield from _fee(scores, actual)
    yield from _rounding(story, scores, actual)
    if not found:
        yield from _ratio(story, scores, actual)


def _own_doubles(story: Story, scores: Numbers, settled: Settlement) -> Iterator[Shape]:
    """(S08) The landlord settles with each farmer at that farmer's own multiple."""
    landlord = story.landlord
    if landlord is None or not isinstance(story, Hand) or sum(scores) != 0 or settled.unit <= 0:
        return
    sign = -1 if story.outcome == "landlord" else 1
    farmers = [seat for seat in range(len(scores)) if seat != landlord]
    parts = [divmod(sign * scores[seat], settled.unit) for seat in farmers]
    times = [whole for whole, rest in parts if not rest and whole in _DOUBLES]
    if len(times) == len(farmers) and len(set(times)) > 1:
        yield "S08", "double", ":".join(map(str, times))


def _fee(scores: Numbers, actual: Numbers) -> Iterator[Shape]:
    """(S13) The same from every seat, or from the winners only, or the same share of what each won."""
    less = [one - other for one, other in zip(actual, scores, strict=True)]
    won = [seat for seat, score in enumerate(actual) if score > 0]
    if less[0] > 0 and len(set(less)) == 1:
        yield "S13", "fee.each", str(less[0])
        return
    if not won or any(less[seat] for seat in range(len(less)) if seat not in won) or min(less[s] for s in won) <= 0:
        return
    if len({less[seat] for seat in won}) == 1 and less[won[0]] < actual[won[0]]:
        yield "S13", "fee.winner", str(less[won[0]])
    for percent in range(1, 21):
        if all(less[seat] in (actual[seat] * percent // 100, -(-actual[seat] * percent // 100)) for seat in won):
            yield "S13", "fee.percent", str(percent)
            return


def _rounding(story: Story, scores: Numbers, actual: Numbers) -> Iterator[Shape]:
    """(S17) A short balance that does not divide: what is left over went to others than under the rules."""
    balances = [player.balance for player in story.record.players]
    losers = [seat for seat, score in enumerate(actual) if score < 0]
    if len(losers) != 1 or balances[losers[0]] is None or sum(scores) != 0:
        return
    rest = (balances[losers[0]] or 0) + actual[losers[0]]
    if 0 < rest < len(actual) and max(abs(a - b) for a, b in zip(scores, actual, strict=True)) <= rest:
        yield "S17", "rounding", str(rest)


def _ratio(story: Story, scores: Numbers, actual: Numbers) -> Iterator[Shape]:
    """(S18, S01) All scores are a multiple of what they should be: another unit of money, or another base."""
    pairs = [(one, other) for one, other in zip(scores, actual, strict=True) if one or other]
    if not pairs or any(not one or not other or one * other < 0 for one, other in pairs):
        return
    (one, other), *rest = pairs
    if any(one * second != first * other for first, second in rest):
        return
    for unit in _CURRENCIES:
        if one == other * unit or other == one * unit:
            yield "S18", "currency", str(unit) if one == other * unit else f"1/{unit}"
            return
    base, left = divmod(abs(one) * story.record.base, abs(other))
    if not left:
        yield "S01", "facts.base", str(base)
