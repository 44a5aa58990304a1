"""三打哈, part by part: the cases of ``cases/tricks.toml``, whose kinds are run and told here.

``leads``: for each of ``cards`` what it ``reads`` as, name, length and rank. ``follows``: seat 1 holds ``hand`` and
answers what was ``led``. ``winners``: which of the ``plays`` wins. ``throws``: seat 0 leads, seat 1 holds ``others``,
seat 2 what is ``more``, seat 3 nothing, or its hand is ``hidden``. ``bids``: a whole auction. ``levels``: facts and
what they are worth. ``bottoms``: a last trick.
"""

import re
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ingest.cards import read_cards
from ingest.record import read_calls
from ingest.rules.combinations import public
from ingest.rules.falling import run_falling
from ingest.rules.levels import TrickFacts, settle_level
from ingest.rules.ruleset import TrickRuleset, load_any
from ingest.rules.sets import parts_of
from ingest.rules.suits import Faces, cards_text, faces_in, number_of_cards, points_in
from ingest.rules.tricks import (
    Table,
    Trick,
    TrickMove,
    TrickPlay,
    close,
    fault_of,
    leads,
    points_of,
    put,
    table_of,
)

SHARED = Path(__file__).parents[2] / "shared"
CASES = tomllib.loads((Path(__file__).parent / "cases" / "tricks.toml").read_text("utf-8"))
FIXED = ["R", "B", *(suit + rank for rank in "72" for suit in "SHCD")] * 2

Named = Callable[[dict[str, Any]], str]


def of_kind(kind: str) -> Any:
    return pytest.mark.parametrize("case", CASES[kind], ids=lambda case: case["id"])


def faces(text: str) -> Faces:
    return faces_in(read_cards(text))


def play(seat: int, text: str) -> TrickMove:
    thrown, failed, led = text.rpartition("!")
    return TrickMove(seat, seat, faces(led), number_of_cards(faces(led)), faces(thrown) if failed else None)


@pytest.fixture
def law(named: Named) -> Callable[[dict[str, Any]], TrickRuleset]:
    def of(case: dict[str, Any]) -> TrickRuleset:
        rules = load_any(named({"rules": "sandaha", **case}))
        assert isinstance(rules, TrickRuleset)
        return rules

    return of


@pytest.fixture
def at_table(law: Any) -> Callable[[dict[str, Any]], Table]:
    return lambda case: table_of(law(case), case.get("trump", "C"), 0)


def tricked(table: Table, plays: list[str], leader: int = 0) -> Trick:
    """A trick of these plays, whatever everybody held."""
    trick, state = None, TrickPlay([21] * 4)
    for place, text in enumerate(plays):
        trick = put(trick, play((leader + place) % 4, text), [None] * 4, state, table)
    assert trick is not None
    return trick


@of_kind("leads")
def test_leads(case: dict[str, Any], at_table: Any):
    read = [[public(reading) for reading in leads(read_cards(cards), at_table(case))] for cards in case["cards"]]
    told = [" ".join(f"{one.name} {one.length} {one.rank}" for one in readings) for readings in read]
    assert told == case["reads"]


@of_kind("follows")
def test_follows(case: dict[str, Any], at_table: Any):
    table, hands = at_table(case), [None, faces(case["hand"]), None, None]
    found = {}
    for text in case["plays"]:
        fault = fault_of(play(1, text), tricked(table, [case["led"]]), hands, table)
        found[text] = "" if fault is None else fault.code
    assert found == case["plays"]


@of_kind("winners")
def test_winners(case: dict[str, Any], at_table: Any):
    table = at_table(case)
    for leader in range(4):
        assert close(tricked(table, case["plays"], leader), table) == (leader + case["winner"]) % 4


@of_kind("throws")
def test_throws(case: dict[str, Any], at_table: Any):
    table = at_table(case)
    last = None if case.get("hidden") else 0
    hands = [faces(case["cards"]), faces(case["others"]), faces(case.get("more", "")), last]
    found = {}
    for text in case["moves"]:
        fault = fault_of(play(0, text), None, list(hands), table)
        found[text] = "" if fault is None else fault.code
    assert found == case["moves"]


@of_kind("bids")
def test_bids(case: dict[str, Any], law: Any, brief: Any):
    auction = run_falling(read_calls(case["auction"]), 0, dealt_with_many(case.get("many", [])), law(case))
    assert brief(auction.findings) == case.get("findings", [])
    if "landlord" in case:
        assert (auction.landlord, auction.bid, auction.opening) == (case["landlord"], case["bid"], case["opening"])
    else:
        assert auction.stopped


def dealt_with_many(seats: list[int]) -> list[Faces]:
    """Hands in which these seats have seven fixed trumps, the others none."""
    fixed = iter(FIXED)
    return [faces("".join(next(fixed) for _ in range(7))) if seat in seats else faces("S5") for seat in range(4)]


@of_kind("levels")
def test_levels(case: dict[str, Any], law: Any):
    facts = msgspec.convert(case["facts"], TrickFacts)
    settled = settle_level(facts, law(case))
    assert (settled.multiplier, settled.unit) == (case["multiplier"], case["multiplier"] * facts.base)
    assert settled.scores == case["scores"]
    product = 1
    for factor in settled.factors:
        assert factor.factor != 1
        product *= factor.factor
    assert product == settled.multiplier


@of_kind("bottoms")
def test_bottoms(case: dict[str, Any], at_table: Any):
    table = at_table(case)
    last = tricked(table, case["last"], case.get("leader", 0))
    close(last, table)
    before = Trick("S", last.parts, last.moves, winner=1, points=case["taken"])
    counted = points_of(TrickPlay([0] * 4, [before, last]), faces(case["buried"]), table)
    assert counted.total == case["points"]
    assert settle_level(TrickFacts(bid=60, points=counted.total), table.rules).multiplier == case["multiplier"]


@pytest.fixture(scope="session")
def rulebook() -> str:
    return (SHARED / "rules.md").read_text("utf-8") + (SHARED / "cases.md").read_text("utf-8")


def ids() -> Iterator[str]:
    return (case["id"] for cases in CASES.values() for case in cases)


@pytest.mark.shared
def test_every_example_of_the_rulebook_is_a_case(rulebook: str):
    printed = set(re.findall(r"^\| (F-E\d+) \|", rulebook, re.M))
    assert len(printed) > 20
    assert printed - set(ids()) == set()
    assert {f"H-{number}" for number in range(22, 26)} <= set(ids())


@pytest.mark.shared
def test_cases_are_named_after_what_the_rulebook_has(rulebook: str):
    assert {case for case in ids() if not re.search(rf"\b{case}\b", rulebook)} == set()


@pytest.mark.parametrize("trump", ["S", "H", "C", "D", "NT"])
def test_two_hundred_points_and_twenty_fixed_trumps(trump: str, law: Any):
    """F-R1, F-R2, F-R3: every card belongs to one class and has a level there."""
    table = table_of(law({}), trump, 0)
    whole = sum(table.suits.masks.values()) & sum(2 << 2 * number for number in range(54))
    assert number_of_cards(whole) == 92
    assert points_in(whole, table.rules) == 200
    trumps = number_of_cards(whole & table.suits.masks["trump"])
    assert trumps == (20 if trump == "NT" else 20 + 2 * 9)


def test_taken_apart_nothing_is_lost(law: Any):
    """The parts of cards are those cards, whatever they are."""
    table = table_of(law({}), "C", 0)
    for text in ("RRBBC7D7D7CACAC5", "C5C6C6C8C8CTCT", "H5H5H6H6H9H9HTHTHK"):
        assert sum(part.cards for part in parts_of(faces(text), table.suits)) == faces(text)
        assert sum(part.size for part in parts_of(faces(text), table.suits)) == number_of_cards(faces(text))
        assert sorted(cards_text(faces(text))) == sorted(text)
