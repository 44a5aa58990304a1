"""Situations of the play and bombs by the cards in hand, over a hand that was counted by eye.

The landlord leads JJJJ QQQQ KKKK AAAA, the rocket and 22, and everybody else passes: he has 20, 16, 12, 8, 4 and 2
cards before these leads.
"""

import re

import pytest

from analysis.catalogue import run
from analysis.spots import Spot, actions, combinations, examples
from analysis.warehouse import Warehouse
from ingest.load import load
from tests.test_dashboard import log as lines
from tests.test_dashboard import record, shown
from tests.test_frame import screen, words


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    folder = tmp_path_factory.mktemp("spots")
    (folder / "log.jsonl").write_bytes(lines(record(), record("h2", players=("u1", "u2", "u4"))))
    load([str(folder / "log.jsonl")], folder / "store")
    return folder / "store"


def asked(store, spot: Spot, latest: int = 100, *, exactly: bool = False, **filters: str) -> list[tuple]:
    with Warehouse(store) as warehouse:
        frame = actions(warehouse, spot, filters, latest, exactly=exactly)
    return [(row.action, row.turns, row.wins, row.decided) for row in frame.itertuples()]


def test_what_was_led(store):
    assert asked(store, Spot(turn="lead")) == [("bomb", 8, 8, 8), ("pair", 2, 2, 2), ("rocket", 2, 2, 2)]
    assert asked(store, Spot(turn="lead"), 1)[0] == ("bomb", 4, 4, 4), "only the latest hand"


def test_what_was_led_exactly(store):
    found = asked(store, Spot(turn="lead", own="17+"), exactly=True)
    assert found == [("bomb 1 J", 2, 2, 2)]


@pytest.mark.parametrize(
    ("spot", "turns"),
    [
        (Spot(turn="follow"), 20),
        (Spot(turn="follow", whose="foe"), 20),
        (Spot(turn="follow", whose="mate"), 0),
        (Spot(foe="2", turn="follow"), 4),
        (Spot(foe="6-10", turn="follow"), 4),
        (Spot(own="17+", turn="follow"), 20),
        (Spot(standing="bomb"), 16),
        (Spot(standing="bomb", rank="Q"), 4),
        (Spot(standing="rocket"), 4),
        (Spot(could="no"), 20),
        (Spot(could="bombs"), 0),
        (Spot(could="softly"), 0),
        (Spot(mate="17+", turn="follow"), 20),
        (Spot(mate="1"), 0),
    ],
)
def test_what_farmers_did_in_a_situation(spot, turns, store):
    assert asked(store, spot, role="farmer") == ([("pass", turns, 0, turns)] if turns else [])


def test_filters_narrow_a_situation(store):
    assert asked(store, Spot(turn="follow"), player="u4") == [("pass", 5, 0, 5)]
    assert asked(store, Spot(turn="follow"), position="up") == [("pass", 10, 0, 10)]
    with pytest.raises(ValueError, match="own is one of"):
        asked(store, Spot(own="many"))


def test_examples_show_the_first_turn_of_each_hand(store):
    with Warehouse(store) as warehouse:
        spot = Spot(turn="lead")
        found = examples(warehouse, spot, {}, 100, exactly=False, action="bomb", rows=9)
        assert [(row.id, row.index, row.cards, row.own) for row in found.itertuples()] == [
            ("h2", 0, "SJHJCJDJ", 20),
            ("h1", 0, "SJHJCJDJ", 20),
        ]
        assert len(examples(warehouse, spot, {}, 100, exactly=False, action="", rows=1)) == 1
        assert combinations(warehouse, 100) == ["bomb", "pair", "rocket"]


def test_bombs_by_the_cards_in_hand(store):
    with Warehouse(store) as warehouse:
        frame = run(warehouse, "bombs_by_cards_left")
        landlords = run(warehouse, "landlord_rate", by="strength")
    columns = ["role", "cards", "bombs", "stood", "decided", "wins"]
    assert frame[columns].to_numpy().tolist() == [
        ["landlord", "01-05", 2, 2, 2, 2],
        ["landlord", "06-10", 2, 2, 2, 2],
        ["landlord", "11-15", 2, 2, 2, 2],
        ["landlord", "16+", 4, 4, 4, 4],
    ]
    assert landlords["whole"].sum() == 6


def test_a_situation_has_an_address(store, monkeypatch):
    monkeypatch.setenv("FUPAN_STORE", str(store))
    page = screen("spots", turn="follow", standing="bomb", rank="Q", could="maybe", own="x")
    text = shown(page)
    assert "要压的是 炸弹 Q" in text
    assert "4 次出牌" in text
    assert set(re.findall(r'href="hand\?[^"]*move=(\d+)', text)) == {"5"}, "an example leads to its turn"
    page.selectbox(key="at-spots-rank").set_value("K").run()
    assert words(page)["rank"] == "K"
    page.selectbox(key="at-spots-mate").set_value("1").run()
    assert "没有出现过这种局面" in shown(page)
    page.button(key="wider-mate").click().run()
    assert "4 次出牌" in shown(page)
