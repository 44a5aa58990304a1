"""A hand without what may say who played it: names, ids, files, and what findings quote of the log.

Knows where these stand in a hand. Refuses to know how it is shown; what the address says of a masked hand is
``address``'s.
"""

from copy import copy

import msgspec

from dashboard.text import say
from ingest.batch import Judged
from ingest.cards import UnreadableCards, split_cards
from ingest.faults import CATALOGUE, Finding
from ingest.hand import Story
from ingest.record import Record
from ingest.verdict import Verdict

UNREAD = "R105"
"""Found where the cards, calls or plays of a record have words that nobody can read: they may be anybody's name."""
_CARDS = ("bottom", "dead", "taken", "buried")
OURS = ("encoding",)
"""Details of the phase ``record`` whose words are never the log's."""


def masked(judged: Judged) -> Judged:
    """The hand with its players called by their seats, and neither its id nor its file."""
    is_read = all(each.code != UNREAD for each in judged.verdict.findings)
    hand = None if judged.hand is None else _seated(judged.hand, is_read=is_read)
    return msgspec.structs.replace(judged, verdict=_verdict(judged.verdict, known=hand is not None), hand=hand)


def _seated(hand: Story, *, is_read: bool) -> Story:
    players = [
        msgspec.structs.replace(player, id=say("replay.masked", number=seat + 1), name=None)
        for seat, player in enumerate(hand.record.players)
    ]
    other = copy(hand)
    other.record = msgspec.structs.replace(hand.record, players=players)
    if not is_read:
        other.record, other.calls, other.moves = _told(other.record), [], []
    return other


def _told(record: Record) -> Record:
    """What of a record cannot be read: only the cards that can be are told."""
    hands = None if record.hands is None else [each and _cards(each) for each in record.hands]
    parts = {name: text and _cards(text) for name in _CARDS for text in (getattr(record, name),)}
    return msgspec.structs.replace(record, hands=hands, auction=None, plays="", **parts)


def _cards(text: str) -> str:
    try:
        return "".join(split_cards(text))
    except UnreadableCards:
        return say("replay.not_named")


def _verdict(verdict: Verdict, *, known: bool) -> Verdict:
    """``known``: whether its ruleset is one, and no word of the log."""
    rules = verdict.rules if known else None
    findings = [_finding(each) for each in verdict.findings]
    return msgspec.structs.replace(verdict, source="", id=None, rules=rules, findings=findings)


def _finding(finding: Finding) -> Finding:
    """Before a record is read its words may be anything, names among them; later details are cards, seats, numbers."""
    if CATALOGUE[finding.code].phase != "record":
        return finding
    words = {name: value for name, value in finding.details.items() if isinstance(value, str) and name not in OURS}
    return msgspec.structs.replace(finding, details=finding.details | dict.fromkeys(words, say("replay.not_named")))
