"""Spoilt hands: one spoiler for each fault that can be put into a lawful record, and the proof that it is there.

Whether a record has become faulty, and in which way first, is asked of the audit.
"""

from collections.abc import Callable, Sequence
from random import Random

import msgspec

from ingest.audit import Hand, examine
from ingest.batch import counts_voids
from ingest.faults import severity
from ingest.record import Record, Unreadable, read_record, write_record
from ingest.rules.ruleset import Ruleset
from ingest.simulate.spoilers import auction, deal, entry, play, settlement

Spoiler = Callable[[Hand, Random], Record | bytes | None]
"""Makes a faulty record, or the bytes of one, of a lawful hand; None where the hand does not allow it."""

SPOILERS: dict[str, Spoiler] = {
    "R101": entry.not_json,
    "R102": entry.field_missing,
    "R103": entry.value_impossible,
    "R105": entry.unreadable_text,
    "R110": entry.wrong_table_size,
    "D201": deal.hand_of_wrong_size,
    "D202": deal.bottom_of_wrong_size,
    "D203": deal.card_twice,
    "D205": deal.marker_in_bottom,
    "D206": deal.wrong_first_speaker,
    "D208": deal.taken_from_elsewhere,
    "A301": auction.out_of_turn,
    "A302": auction.impossible_word,
    "A303": auction.bid_too_low,
    "A304": auction.after_the_end,
    "A305": auction.not_finished,
    "A306": auction.wrong_landlord,
    "A309": auction.void_or_not,
    "P401": play.out_of_turn,
    "P402": play.not_held,
    "P403": play.no_combination,
    "P404": play.too_low,
    "P405": play.pass_when_leading,
    "P406": play.after_the_end,
    "P407": play.not_finished,
    "P409": play.wrong_reading,
    "P411": play.same_move_twice,
    "S601": settlement.wrong_winners,
    "S602": settlement.wrong_multiplier,
    "S603": settlement.wrong_scores,
    "S604": settlement.scores_that_sum_to_something,
    "S605": settlement.wrong_balances,
}
"""By code."""

TRIES = 6
"""How often a spoiler may try, each time at another place of the hand."""


def spoil(hand: Hand, rng: Random, codes: Sequence[str] = tuple(SPOILERS)) -> bytes | None:
    """A line whose first fault is one of the codes, tried in random order; None where none of them can be had.

    The records before and after it at the same table stay sound.
    """
    for code in rng.sample(codes, len(codes)):
        for _ in range(TRIES):
            spoilt = SPOILERS[code](_tagged(hand, code), rng)
            line = write_record(spoilt) if isinstance(spoilt, Record) else spoilt
            if line is not None and _is_what_it_says(line, code, hand):
                return line
    return None


def _tagged(hand: Hand, code: str) -> Hand:
    tags = {**(hand.record.tags or {}), "spoilt": code}
    return msgspec.structs.replace(hand, record=msgspec.structs.replace(hand.record, tags=tags))


def first_fault(line: bytes, rules: Ruleset) -> str | None:
    """The first fault that an audit finds in a line, None where it is clean."""
    return next(iter(_audited(line, rules)[0]), None)


def _audited(line: bytes, rules: Ruleset) -> tuple[list[str], Hand | None]:
    """The faults of a line, by code, and the audited hand if it is one."""
    try:
        record, _ = read_record(line)
    except Unreadable as problem:
        return [problem.finding.code], None
    hand = examine(record, rules)
    return [finding.code for finding in hand.findings if severity(finding) == "fault"], hand


def _is_what_it_says(line: bytes, code: str, before: Hand) -> bool:
    """Whether a line has this fault first, and does no harm to its neighbours. S603 and S604 go together."""
    codes, after = _audited(line, before.rules)
    named = set(codes) == {"S603", "S604"} if code == "S604" else codes[:1] == [code]
    return named and _spares_neighbours(before, after)


def _spares_neighbours(before: Hand, after: Hand | None) -> bool:
    """Whether the records that follow at the table agree with what this one says; ``after`` None: it says nothing."""
    return _spares_balances(before, after) and (not counts_voids(before.rules) or _spares_voids(before, after))


def _spares_balances(before: Hand, after: Hand | None) -> bool:
    scores = before.settled.scores if before.settled else None
    if all(player.balance is None for player in before.record.players):
        return True
    if after is None:
        return not any(scores or ())
    return after.settled is None or after.settled.scores == scores


def _spares_voids(before: Hand, after: Hand | None) -> bool:
    """A void hand must not vanish, nor one appear; a hand without a landlord says neither (E-R12, G-Q8)."""
    was_void = before.outcome == "void"
    if after is None:
        return not was_void and not before.record.voids
    if len(after.record.players) != len(before.record.players):
        return not was_void
    return after.landlord is None if was_void else after.outcome != "void"
