"""The tables of deals, words and plays a second time: slowly, in plain Python, from the definitions.

Knows for every such statistic what stands in its rows. Refuses to know the store and SQL.
"""

from collections.abc import Iterator, Sequence

from ingest.record import PASS
from ingest.rules.ruleset import Ruleset
from tests.second_cards import TWO, read, stays, steps_of
from tests.second_told import Key, Rows, Seat, Told, average, grouped, quantile, seats_of, share


def deal_modes(hands: Sequence[Told]) -> Rows:
    rows = {}
    for key, found in grouped(hands, lambda h: (h.rules, (h.hand.record.tags or {}).get("deal_mode"))).items():
        landlords = [s.won for s in seats_of(found) if s.role == "landlord" and s.won is not None]
        rows[key] = {
            "hands": len(found), "bombs_dealt": average(map(bombs_dealt, found)),
            **share(sum(landlords), len(landlords)),
        }  # fmt: skip
    return rows


def bombs_dealt(told: Told) -> int | None:
    """Ranks of all seats that are enough for a bomb."""
    rules = told.hand.rules
    held = [read(cards) for cards in told.hand.record.hands or ()]
    if not isinstance(rules, Ruleset) or not any(held):
        return None
    return sum(count >= rules.bomb.min_size for own in held if own is not None for count in own[: TWO + 1])


def lead_types(hands: Sequence[Told]) -> Rows:
    leads = [play for hand in hands for play in hand.plays if play.lead]
    all_of = {key: len(found) for key, found in grouped(leads, lambda p: (p.hand.rules, p.seat.role)).items()}
    rows = {}
    for key, found in grouped(leads, lambda p: (p.hand.rules, p.seat.role, p.reading)).items():
        whole = all_of[key[:2]]
        openings = sum(play.index == 0 for play in found)
        rows[key] = {"leads": len(found), "hands": whole, **share(len(found), whole), "openings": openings}
    return rows


def bombs_by_size(hands: Sequence[Told]) -> Rows:
    played = {key: len(h) for key, h in grouped((h for h in hands if was_played(h)), lambda h: (h.rules,)).items()}
    bombs = [play for hand in hands for play in hand.plays if play.tier > 0]
    return {
        key: {"bombs": len(found), "hands": played[key[:1]], "per_hand": len(found) / played[key[:1]]}
        for key, found in grouped(bombs, lambda p: (p.hand.rules, p.size, p.reading)).items()
    }


def was_played(told: Told) -> bool:
    """Whether there was a landlord and a play of cards began."""
    return told.hand.landlord is not None and told.hand.verdict.outcome not in ("void", "surrender")


def landlord_plays(told: Told) -> tuple[int, int]:
    """How often the landlord played, and the others."""
    own = sum(play.seat.role == "landlord" for play in told.plays)
    return own, len(told.plays) - own


def bombs_by_cards_left(hands: Sequence[Told]) -> Rows:
    rows = {}
    for key, found in grouped((each for told in hands for each in thrown(told)), lambda each: each[0]).items():
        decided = [bool(seat.won) for _, seat, _ in found if seat.won is not None]
        rows[key] = {
            "bombs": len(found), "stood": sum(stood for _, _, stood in found), "decided": len(decided),
            "wins": sum(decided), **share(sum(decided), len(decided)),
        }  # fmt: skip
    return rows


def thrown(told: Told) -> Iterator[tuple[Key, Seat, bool]]:
    """Every bomb: where it belongs, who played it, and whether nobody beat it."""
    rules, landlord = told.hand.rules, told.hand.landlord
    if landlord is None or not isinstance(rules, Ruleset):
        return
    steps = steps_of(told.hand.record, rules, landlord)[0]
    for place, step in enumerate(steps):
        if step.stands is None or step.stands.tier == 0:
            continue
        left, seat = step.left[step.seat], told.seats[step.seat]
        cards = "01-05" if left <= 5 else "06-10" if left <= 10 else "11-15" if left <= 15 else "16+"
        yield (told.rules, seat.role, cards), seat, stays(steps, place, landlord, rules.trick.close_passes)


def words_by_standing(hands: Sequence[Told]) -> Rows:
    said = [s for s in seats_of(hands) if s.first is not None]
    whole = {key: len(found) for key, found in grouped(said, lambda s: (s.hand.rules, s.before)).items()}
    rows = {}
    for key, found in grouped(said, lambda s: (s.hand.rules, s.before, s.first)).items():
        every = whole[key[:2]]
        rows[key] = {"part": len(found), "whole": every, **share(len(found), every)}
    return rows


# Strength


def bidding_discipline(hands: Sequence[Told]) -> Rows:
    asked = [s for s in seats_of(hands) if s.before == PASS and s.points is not None]
    called = grouped((s for s in asked if s.first != PASS), lambda s: (s.hand.rules,))
    rows = {}
    for (player, rules), seats in grouped(asked, lambda s: (s.player, s.hand.rules)).items():
        callers = called.get((rules,), [])
        if not callers:
            continue
        successful = [s.points for s in callers if s.role == "landlord" and s.won]
        high, low = quantile(successful, 0.8), quantile((s.points for s in callers), 0.2)
        strong = [s for s in seats if high is not None and s.points >= high]
        missed, calls = sum(s.first == PASS for s in strong), [s for s in seats if s.first != PASS]
        weak = sum(s.points <= low for s in calls)
        rows[player, rules] = {
            "strong": len(strong), "missed": missed, **share(missed, len(strong), "missed_"), "calls": len(calls),
            "weak": weak, **share(weak, len(calls), "weak_"), "hands": len(seats),
        }  # fmt: skip
    return rows


def strength_and_outcome(hands: Sequence[Told]) -> Rows:
    known = (s for s in seats_of(hands) if s.points is not None and s.role is not None)
    rows = {}
    for key, seats in grouped(known, lambda s: (s.hand.rules, s.points)).items():
        landlords = [s for s in seats if s.role == "landlord" and s.won is not None]
        said = [s.first != PASS for s in seats if s.first is not None]
        wins = sum(bool(s.won) for s in landlords)
        rows[key] = {
            "hands": len(seats), "words": len(said), "calls": sum(said), **share(sum(said), len(said), "call_"),
            "landlords": len(landlords), "wins": wins, **share(wins, len(landlords)),
        }  # fmt: skip
    return rows
