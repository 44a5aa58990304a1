"""Spoilt hands: one spoiler for each fault that can be put into a lawful record, and the proof that it is there.

Whether a record has become faulty, and in which way first, is asked of the audit.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import msgspec

from ingest.audit import examine
from ingest.audit_tricks import examine_tricks
from ingest.batch import counts_voids
from ingest.faults import severity
from ingest.hand import Story
from ingest.record import Record, Unreadable, read_record, write_record
from ingest.rules.falling import next_to_speak
from ingest.rules.ruleset import AnyRuleset, TrickRuleset
from ingest.simulate.claims import AHand
from ingest.simulate.spoilers import auction, deal, entry, falling, play, settlement, tricks

Spoiler = Callable[[Any, Random], Record | bytes | None]
"""Makes a faulty record, or the bytes of one, of a lawful hand of its game; None where the hand does not allow it."""

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
"""By code, in climbing games."""

DUTY_SPOILERS = {**SPOILERS, "P412": play.pass_though_able}
"""By code, in climbing games in which one who can beat must."""

_COMMON = "R101 R102 R103 R105 R110 D201 D202 D203 A301 A302 A305 A306 A309 P401 P407 P411 S601 S602 S603 S604 S605"
TRICK_SPOILERS: dict[str, Spoiler] = {
    **{code: SPOILERS[code] for code in _COMMON.split()},
    "D204": tricks.card_of_a_removed_rank,
    "A303": falling.bid_not_lower,
    "A304": falling.after_the_end,
    "A307": falling.owed_bid_missing,
    "P402": tricks.not_held,
    "P406": tricks.after_the_end,
    "T501": tricks.suit_not_followed,
    "T502": tricks.pair_kept,
    "T503": tricks.tractor_kept,
    "T504": tricks.wrong_number,
    "T505": tricks.no_lead,
    "T506": tricks.side_suit_thrown,
    "T507": tricks.wrong_outcome_of_a_throw,
    "T508": tricks.wrong_rest_of_a_throw,
    "T509": tricks.buried_from_elsewhere,
    "T510": tricks.no_trump_named,
}
"""By code, in 三打哈."""

TRIES = 6
"""How often a spoiler may try, each time at another place of the hand."""


def spoil(hand: AHand, rng: Random, codes: Sequence[str] | None = None) -> bytes | None:
    """A line whose first fault is one of the codes (all that the game has), tried in random order; None without luck.

    The records before and after it at the same table stay sound.
    """
    spoilers = spoilers_of(hand.rules)
    codes = tuple(spoilers) if codes is None else codes
    for code in rng.sample(codes, len(codes)):
        for _ in range(TRIES):
            spoilt = spoilers[code](_tagged(hand, code), rng)
            line = write_record(spoilt) if isinstance(spoilt, Record) else spoilt
            if line is not None and _is_what_it_says(line, code, hand):
                return line
    return None


def spoilers_of(rules: AnyRuleset) -> dict[str, Spoiler]:
    """The spoilers of a ruleset's game."""
    if isinstance(rules, TrickRuleset):
        return TRICK_SPOILERS
    return DUTY_SPOILERS if rules.trick.must_beat else SPOILERS


def _tagged(hand: AHand, code: str) -> AHand:
    tags = {**(hand.record.tags or {}), "spoilt": code}
    return msgspec.structs.replace(hand, record=msgspec.structs.replace(hand.record, tags=tags))


def first_fault(line: bytes, rules: AnyRuleset) -> str | None:
    """The first fault that an audit finds in a line, None where it is clean."""
    return next(iter(_audited(line, rules)[0]), None)


def _audited(line: bytes, rules: AnyRuleset) -> tuple[list[str], Story | None]:
    """The faults of a line, by code, and the audited hand if it is one."""
    try:
        record, _ = read_record(line)
    except Unreadable as problem:
        return [problem.finding.code], None
    hand: Story = examine_tricks(record, rules) if isinstance(rules, TrickRuleset) else examine(record, rules)
    return [finding.code for finding in hand.findings if severity(finding) == "fault"], hand


def _is_what_it_says(line: bytes, code: str, before: Story) -> bool:
    """Whether a line has this fault first, and does no harm to its neighbours. S603 and S604 go together."""
    codes, after = _audited(line, before.rules)
    named = set(codes) == {"S603", "S604"} if code == "S604" else codes[:1] == [code]
    return named and _spares_neighbours(before, after)


def _spares_neighbours(before: Story, after: Story | None) -> bool:
    """Whether the records that follow at the table agree with what this one says; ``after`` None: it says nothing."""
    if not _spares_balances(before, after) or not _spares_bank(before, after):
        return False
    return not counts_voids(before.rules) or _spares_voids(before, after)


def _spares_bank(before: Story, after: Story | None) -> bool:
    """Who speaks first next must follow from the hand before where this line says nothing (F-R12)."""
    if after is not None or not isinstance(before.rules, TrickRuleset):
        return True
    return next_to_speak(before.landlord, before.outcome, before.rules) == before.record.first


def _spares_balances(before: Story, after: Story | None) -> bool:
    scores = before.settled.scores if before.settled else None
    if all(player.balance is None for player in before.record.players):
        return True
    if after is None:
        return not any(scores or ())
    return after.settled is None or after.settled.scores == scores


def _spares_voids(before: Story, after: Story | None) -> bool:
    """A void hand must not vanish, nor one appear; a hand without a landlord says neither (E-R12, G-Q8)."""
    was_void = before.outcome == "void"
    if after is None:
        return not was_void and not before.record.voids
    if len(after.record.players) != len(before.record.players):
        return not was_void
    return after.landlord is None if was_void else after.outcome != "void"
