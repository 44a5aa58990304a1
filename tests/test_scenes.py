"""Scenes of hands: what is seen agrees with what the audit says, and a faulty hand is shown to its end."""

from collections.abc import Iterable
from io import BytesIO

import msgspec
import pytest

from ingest.batch import Judged, judge
from ingest.logs import read
from ingest.rules.ruleset import builtin_names, load_any
from ingest.scenes import Scene, scenes, seen_by
from ingest.simulate import hands
from tests.four_bombs import HANDS

RECORD = HANDS | {"id": "a", "rules": "classic", "players": [{"id": "a"}, {"id": "b"}, {"id": "c"}]}


def judged_lines(lines: Iterable[bytes]) -> list[Judged]:
    return [judge(entry) for entry in read(["-"], format="native", stdin=BytesIO(b"\n".join(lines)))]


def played(rules: str, count: int, faults: float = 0.0) -> list[Judged]:
    return judged_lines(hands(load_any(rules), count, seed=7, faults=faults))


def cards(scene: Scene) -> list[str]:
    return sorted(card for hand in scene.hands for card in hand or [])


@pytest.mark.parametrize("rules", builtin_names())
def test_scenes_of_lawful_hands_agree_with_their_verdicts(rules):
    for judged in played(rules, 4):
        assert judged.hand is not None
        told = scenes(judged.hand)
        assert [scene.index for scene in told if scene.phase == "play"] == list(range(len(judged.hand.moves)))
        assert all(scene.judged for scene in told)
        for scene in told:
            assert all(hand is None or len(hand) == left for hand, left in zip(scene.hands, scene.left, strict=True))
        last = told[-1]
        if judged.verdict.outcome in ("landlord", "farmers") and last.phase == "play" and last.trick is None:
            assert (last.multiplier, last.unit or judged.verdict.unit) == (
                judged.verdict.multiplier,
                judged.verdict.unit,
            )
        if judged.verdict.details is not None:
            assert last.points == judged.verdict.details["trick_points"]


@pytest.mark.parametrize("rules", builtin_names())
def test_what_was_played_lawfully_is_among_what_could_have_been(rules):
    asked = 0
    for judged in played(rules, 3):
        for scene in scenes(judged.hand):
            if scene.options is None or scene.more or not scene.cards or scene.thrown or len(scene.readings) > 1:
                continue
            asked += 1
            offered = [sorted(option.cards) for option in scene.options]
            suits = all(len(card) == 2 or card in "BR" for card in scene.cards) and scene.trick is not None
            wanted = sorted(scene.cards) if suits else sorted(card[-1] for card in scene.cards)
            assert wanted in (offered if suits else [sorted(card[-1] for card in cards) for cards in offered])
    assert asked > 20


@pytest.mark.parametrize("rules", builtin_names())
def test_spoilt_hands_are_shown_to_their_end(rules):
    for judged in played(rules, 6, faults=1.0):
        if judged.hand is None or judged.hand.dealt is None:
            continue
        told = scenes(judged.hand)
        assert sum(scene.phase == "play" for scene in told) == len(judged.hand.moves)
        assert all(scene.options is None for scene in told if not scene.judged)
        msgspec.json.encode(told)


def shown(**changes: object) -> list[Scene]:
    [judged] = judged_lines([msgspec.json.encode(RECORD | changes)])
    assert judged.hand is not None
    return scenes(judged.hand)


def test_the_score_grows_with_every_bomb():
    told = shown()
    assert [scene.phase for scene in told[:4]] == ["deal", "auction", "bottom", "play"]
    assert [scene.unit for scene in told] == [None, None, 3] + [6] * 3 + [12] * 3 + [24] * 3 + [48] * 3 + [96] * 4
    assert [(term.name, term.value) for term in told[-1].terms] == [
        ("base", 1),
        ("bid", 3),
        ("bomb", 16),
        ("rocket", 2),
    ]
    assert told[2].cards == ["R", "B", "D2"]
    assert [len(hand or []) for hand in told[2].hands] == [20, 17, 17]


def test_what_could_have_been_played_is_named():
    told = shown()
    second = next(scene for scene in told if scene.phase == "play" and scene.seat == 1)
    assert second.options == []  # his bombs are lower than the jacks
    last = told[-1]
    assert [option.cards for option in last.options or []] == [["D2"], ["S2", "D2"]]
    assert last.readings == [("pair", 1)]


def test_plays_after_a_fault_are_told_as_the_log_has_them():
    moves = str(RECORD["plays"]).split(" ")
    twice = shown(plays=" ".join([moves[0], *moves]))
    assert [scene.judged for scene in twice if scene.phase == "play"][:3] == [True, False, False]
    assert len(twice) == len(shown()) + 1
    assert twice[5].unit is not None


def test_a_seat_that_does_not_exist_is_told_and_changes_nothing():
    told = shown(plays=f"{RECORD['plays']} 7:S3")
    assert (told[-1].seat, told[-1].judged, told[-1].left) == (7, False, [0, 17, 17])


def test_cards_without_suits_are_shown_without_suits():
    told = shown(plays=str(RECORD["plays"]).translate(dict.fromkeys(map(ord, "SHCD"))))
    assert cards(told[-2])[:2] == ["2", "2"]
    assert all(len(hand or []) == left for scene in told for hand, left in zip(scene.hands, scene.left, strict=True))
    assert "S3" in cards(told[-1])  # other seats keep theirs


def test_hidden_hands_stay_hidden_and_are_counted():
    told = shown(hands=[RECORD["hands"][0], None, None])
    assert [hand is None for hand in told[0].hands] == [False, True, True]
    assert told[0].left == [17, 17, 17]
    assert all(scene.options is None for scene in told if scene.phase == "play" and scene.seat in (1, 2))


@pytest.mark.parametrize("rules", ["classic", "emperor", "four-player", "platform", "sandaha"])
def test_from_one_seat_no_card_of_another_is_seen_before_it_is_played(rules):
    """Nor what others could have played, nor a bottom that the landlord alone sees; after 摊打 his cards are open."""
    asked = 0
    for judged in played(rules, 3):
        hand = judged.hand
        for seat in range(len(hand.record.players)):
            for scene in (told := [seen_by(scene, seat, hand) for scene in scenes(hand)]):
                opened = hand.record.open and rules == "platform" and scene.phase == "play"
                shown = {place for place, held in enumerate(scene.hands) if held is not None}
                assert shown == ({seat, hand.landlord} if opened else {seat})
                assert scene.options is None or scene.seat == seat
                assert not (scene.more and scene.seat != seat)
            bottoms = [scene.cards is not None for scene in told if scene.phase == "bottom"]
            private = rules in ("emperor", "four-player", "sandaha")
            assert bottoms == [not private or seat == hand.landlord] * len(bottoms)
            asked += sum(scene.options is not None for scene in told)
    assert asked
