"""三打哈 with cards that the source did not reveal: nobody is accused of what nobody knows (P2), and only of that."""

from functools import cache
from itertools import chain, combinations
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from ingest.audit_tricks import TrickHand, examine_tricks
from ingest.cards import pack_of, split_cards
from ingest.record import Record, read_plays
from ingest.rules.ruleset import TrickRuleset, load_any
from ingest.simulate import lawful

SEATS = range(4)


@cache
def rules() -> TrickRuleset:
    found = load_any("sandaha")
    assert isinstance(found, TrickRuleset)
    return found


@cache
def played() -> tuple[Record, ...]:
    """Lawful hands that were played out."""
    rng = Random(20261129)
    records = [lawful(rules(), rng) for _ in range(12)]
    return tuple(record for record in records if record.end is None and record.buried)


def hide(record: Record, seats: Any = SEATS, **fields: Any) -> Record:
    hands = [None if seat in seats else hand for seat, hand in enumerate(record.hands or [])]
    return replace(record, hands=hands, claim=None, **fields)


def codes(record: Record) -> list[str]:
    return [finding.code for finding in audited(record).findings if finding.code != "D207"]


def audited(record: Record) -> TrickHand:
    return examine_tricks(record, rules())


@pytest.mark.parametrize("bottom", [True, False])
def test_whatever_is_hidden_a_lawful_hand_is_clean(bottom: bool):
    for record in played():
        whole = audited(record)
        assert whole.settled is not None
        for seats in chain.from_iterable(combinations(SEATS, number) for number in range(1, 5)):
            hand = audited(hide(record, seats, bottom=record.bottom if bottom else None))
            assert [finding.code for finding in hand.findings] == ["D207"]
            assert hand.settled is not None
            assert hand.settled.scores == whole.settled.scores


def test_a_third_card_of_a_face_cannot_be_played_out_of_a_hidden_hand():
    """U-R8: one of the two was buried, by the record."""
    for record in played():
        last = read_plays(record.plays)[-1].text[-2:]
        if len(split_cards(last)) != 1 or last in split_cards(record.buried or ""):
            continue
        buried = [last, *split_cards(record.buried or "")[1:]]
        found = audited(hide(record, bottom=None, buried="".join(buried)))
        assert [finding.code for finding in found.findings] == ["D207", "P402"]
        assert found.settled is None


def test_four_jokers_out_of_two_packs():
    for record in played():
        assert codes(hide(record, plays=f"{audited(record).landlord}:RRRR")) == ["P402"]


@pytest.mark.parametrize(
    ("buried", "code"), [("S5S5S5S5S5", "D202"), ("S5S5S5S5H5H5H5H5", "T509"), ("RRRRRRRR", "T509"), ("S5S5", "D202")]
)
def test_buried_cards_that_the_pack_does_not_have(buried: str, code: str):
    assert codes(hide(played()[0], bottom=None, buried=buried)) == [code]


def test_buried_cards_that_somebody_else_shows():
    """F-R15: another seat's hand is known, and the card is there twice."""
    record = next(record for record in played() if twice(record))
    seat, face = twice(record)[0]
    buried = [face, *split_cards(record.buried or "")[1:]]
    hidden = [other for other in SEATS if other != seat]
    assert codes(hide(record, hidden, bottom=None, buried="".join(buried))) == ["T509"]


def twice(record: Record) -> list[tuple[int, str]]:
    """Seats other than the landlord's, with a face that they hold twice."""
    landlord = audited(record).landlord
    hands = [split_cards(hand or "") for hand in record.hands or []]
    faces = set(pack_of(2, ("3", "4")))
    return [(s, f) for s, hand in enumerate(hands) if s != landlord for f in sorted(faces) if hand.count(f) == 2]


def test_who_may_have_been_forced_after_a_poke_has_no_score():
    """F-R20: whether the one who gave up at 50 held seven fixed trumps decides who is paid."""
    record = replace(hide(played()[0]), first=0, auction="0:55 1:50 2:- 3:- 0:-", end="surrender", plays="")
    found = audited(replace(record, trump=None, buried=None, landlord=None))
    assert [finding.code for finding in found.findings] == ["D207", "S607"]
    assert (found.settled, found.landlord) == (None, 1)
