"""Every statistic of one number beside a second computation, and the subtle ones on hands worked out by hand."""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path
from random import Random
from typing import Any

import pytest
from pandas import DataFrame
from test_store_hands import kept

from analysis import catalogue
from analysis.warehouse import Warehouse
from ingest.batch import Audited, Batch
from ingest.bulk import fewest_plays
from ingest.cards import RANK_BITS
from ingest.load import load
from ingest.logs import read
from ingest.rules.answers import Answers
from ingest.rules.ruleset import Ruleset, builtin_names, load_any
from ingest.simulate import hands
from tests import second, second_entries, second_people, second_play, second_rated
from tests.second_told import Rows, Told, told_of

FILES = Path(catalogue.__file__).with_name("statistics")
KIND = re.compile(r"^-- kind: (rate|ratio|mean|shares)$", re.MULTILINE)
ONCE_A_HAND = {"pass_out_rate", "multiplier_shares", "farmer_win_rate", "spring_conceded", "anti_spring_made"}
KINDS = {file.stem: found[1] for file in sorted(FILES.glob("*.sql")) if (found := KIND.search(file.read_text("utf-8")))}
OF_PLAYS = {"plays_needed", "dealt_strength", "tempo", "bottom_luck", "mates_strength"}
"""What needs the fewest plays of a hand: a naive search takes seconds for some, so they have hands of their own."""
TWO_PACKS = ("emperor", "four-player", "sandaha")
ONE_PACK = [name for name in builtin_names() if name not in TWO_PACKS]
Sums = dict[tuple[Any, ...], tuple[float, int]]
OF_HANDS = {
    "pairs": "player other rules role other_role", "table_mates": "player other rules",
    "role_neutral_win_rate": "player rules", "sessions": "player rules", "streaks": "player rules",
    "trend": "player rules day", "hours": "rules hour", "volatility": "player rules", "lengths": "rules",
    "rolling": "player rules hands", "tilt": "player rules", "serial": "player rules",
    "decision_times": "player rules turn", "robots_at_table": "rules robots seat",
}  # fmt: skip
"""Tables of people and of time, and by what their rows are told apart."""
OF_CARDS = {
    "deal_modes": "rules mode", "lead_types": "rules role reading", "bombs_by_size": "rules size reading",
    "words_by_standing": "rules standing word", "bidding_discipline": "player rules",
    "strength_and_outcome": "rules points", "bombs_by_cards_left": "rules role cards",
}  # fmt: skip
"""The same of words and cards."""
OF_ENTRIES = {
    "verdicts": "rules verdict outcome", "faults_by_code": "rules code severity", "hands_per_day": "day rules",
    "bombs_and_springs": "rules", "win_rate_by_role": "player rules role position", "landlord_win_rate": "rules bid",
    "score_per_player": "player rules", "contracts": "rules bid", "bottoms_taken": "rules",
    "sandaha_margins": "rules bid", "sandaha_results": "rules outcome level", "unaudited": "rules",
    "mismatched_hands": "hand kind switch value claimed", "settlement_mismatches": "rules kind",
}  # fmt: skip
"""The same of all entries, the faulty among them."""
DEALT_AGAIN = {"deal_share", "duplicate_datum", "same_deal", "side_swaps"}
"""Tables of deals played at several tables, of which there are none here: ``test_same_deals`` computes them again."""
FITS = {"bid_threshold", "deal_tests", "repeated_deals"}
"""Like screens, tests and fits of their own: hand-worked cases, trials and exact chances are in their test modules."""
OF_STRENGTH = {"bidding_discipline", "strength_and_outcome"}


def write(path: Path, lines: Iterable[bytes]) -> str:
    path.write_bytes(b"\n".join(lines) + b"\n")
    return str(path)


def hidden(lines: Iterable[bytes]) -> Iterable[bytes]:
    """The same hands as a source tells them that does not see all cards, and in which some sit at two seats."""
    rng = Random(1)
    for line in lines:
        told = json.loads(line)
        told["id"] += "?"
        seat = rng.randrange(len(told["players"]))
        if rng.random() < 0.3:
            told["players"][-1]["id"] = told["players"][rng.randrange(len(told["players"]) - 1)]["id"]
        match rng.randrange(4):
            case 0:
                told.pop("hands")
            case 1:
                told["hands"][seat] = None
            case 2:
                told["hands"] = [cards if place == seat else None for place, cards in enumerate(told["hands"])]
            case _:
                told.pop("bottom")
        yield json.dumps(told).encode()


def expected(values: Iterable[second.Value], by: str | None) -> Sums:
    """What the second computation says, by statistic, ruleset and group; of shares by class as well."""
    sums: defaultdict[tuple[Any, ...], list[float]] = defaultdict(lambda: [0, 0])
    counted = set()
    for value in values:
        group = None if by is None else getattr(value, by)
        if value.name in ONCE_A_HAND:
            if (value.name, group, value.hand, value.part) in counted:
                continue
            counted.add((value.name, group, value.hand, value.part))
        if KINDS[value.name] == "shares":
            sums[value.name, value.rules, group, value.part][0] += 1
        else:
            sums[value.name, value.rules, group][0] += value.part
            sums[value.name, value.rules, group][1] += value.whole
    return {key: (part, int(whole)) for key, (part, whole) in sums.items() if whole or len(key) == 4}


def answered(warehouse: Warehouse, names: Iterable[str], by: str | None) -> Sums:
    """What the store says, in the same way."""
    sums: Sums = {}
    for name in names:
        frame = catalogue.run(warehouse, name, **({} if by is None else {"by": by}))
        check_shares(name, frame)
        for row in frame.astype(object).where(frame.notna(), None).to_dict("records"):
            sums |= [_one(name, row)]
    return sums


def check_shares(name: str, frame: DataFrame) -> None:
    """0 <= part <= whole, and shares make one whole."""
    if KINDS[name] in ("rate", "shares"):
        assert ((frame["part"] >= 0) & (frame["part"] <= frame["whole"])).all(), name
        assert ((frame["low"] <= frame["rate"] + 1e-9) & (frame["rate"] <= frame["high"] + 1e-9)).all(), name
    if KINDS[name] == "shares":
        sums = frame.groupby(["rules", "group"], dropna=False)[["part", "whole"]].agg({"part": "sum", "whole": "max"})
        assert (sums["part"] == sums["whole"]).all(), name


def _one(name: str, row: Mapping[Any, Any]) -> tuple[tuple[Any, ...], tuple[float, int]]:
    key = (name, row["rules"], row["group"])
    if KINDS[name] == "shares":
        return (*key, row["class"]), (row["part"], 0)
    return key, (row["total"] if KINDS[name] == "mean" else row["part"], row["whole"])


def compare(lines: Mapping[str, Iterable[bytes]], folder: Path, *by: str, plays: bool = False) -> None:
    """Hold the statistics of a store with these logs, split by these, against the second computation.

    ``plays``: those that need the fewest plays of a hand, and no others.
    """
    files = [write(folder / f"{name}.jsonl", log) for name, log in lines.items()]
    load(files, folder / "store")
    names = sorted(OF_PLAYS if plays else KINDS.keys() - OF_PLAYS)
    with Batch(None) as batch:
        audited = list(batch.audit(read(files)))
    values = [value for value in second.values(audited, plays=plays) if value.name in names]
    with Warehouse(folder / "store") as warehouse:
        for split in by:
            wanted, found = expected(values, split), answered(warehouse, names, split)
            assert found.keys() == wanted.keys()
            wrong = {key: (wanted[key], found[key]) for key in found if found[key] != pytest.approx(wanted[key])}
            assert wrong == {}, "(second computation, store)"
        check_tables(warehouse, audited, strengths=plays)


def check_tables(warehouse: Warehouse, audited: Iterable[Audited], *, strengths: bool) -> None:
    """Hold every table, row by row and column by column, against the second computation."""
    entries = second_entries.kept(audited)
    clean = [
        told_of(place, each, strengths=strengths)
        for place, each in enumerate(entries)
        if each.counted and each.verdict.verdict == "clean"
    ]
    wrong = {
        name: differ
        for name, (keys, rows) in (strong(clean) if strengths else tables(entries, clean)).items()
        if (differ := different(warehouse, name, keys, rows))
    }
    assert wrong == {}, "(second computation, store)"


def strong(clean: Sequence[Told]) -> dict[str, tuple[str, Rows]]:
    """The tables that need the strength of a dealt hand: by what their rows are told apart, and the rows."""
    return {name: (OF_CARDS[name], getattr(second_play, name)(clean)) for name in OF_STRENGTH}


def tables(entries: list[Audited], clean: list[Told]) -> dict[str, tuple[str, Rows]]:
    """All others."""
    everything = second_entries.Everything(entries, clean)
    told = {name: (keys, getattr(second_people, name)(clean)) for name, keys in OF_HANDS.items()}
    some = OF_CARDS.keys() - OF_STRENGTH
    told |= {name: (OF_CARDS[name], getattr(second_play, name)(clean)) for name in some}
    told |= {name: (keys, getattr(second_entries, name)(everything)) for name, keys in OF_ENTRIES.items()}
    return told | second_rated.tables(entries)


def different(warehouse: Warehouse, name: str, keys: str, wanted: Rows) -> dict[Any, Any]:
    """The rows of a table that are not as they should be."""
    frame = catalogue.run(warehouse, name)
    found = {}
    for row in frame.astype(object).where(frame.notna(), None).to_dict("records"):
        plain = {column: told.date() if hasattr(told, "date") else told for column, told in row.items()}
        found[tuple(plain.pop(key) for key in keys.split())] = plain
    assert len(found) == len(frame), f"{name} has rows with the same {keys}"
    return {
        key: (wanted.get(key), found.get(key))
        for key in wanted.keys() | found.keys()
        if not is_alike(wanted.get(key), found.get(key))
    }


def is_alike(wanted: Mapping[str, Any] | None, found: Mapping[str, Any] | None) -> bool:
    if wanted is None or found is None or wanted.keys() != found.keys():
        return False
    return all(
        wanted[column] == found[column]
        if wanted[column] is None or found[column] is None or isinstance(found[column], str | date)
        else found[column] == pytest.approx(wanted[column], rel=1e-6, abs=1e-6)
        for column in wanted
    )


def test_every_table_has_a_second_computation():
    screens = {name for name in catalogue.statistics() if name.startswith("integrity_")} | FITS
    computed = OF_HANDS.keys() | OF_CARDS.keys() | OF_ENTRIES.keys() | second_rated.NAMES
    assert catalogue.statistics().keys() - KINDS.keys() - computed == DEALT_AGAIN | screens


def simulated(names: Iterable[str], number: int, seed: int, faults: float = 0.1) -> dict[str, Iterable[bytes]]:
    return {name: hands(load_any(name), number, seed=seed, faults=faults) for name in names}


def test_a_second_computation_agrees(tmp_path):
    compare(simulated(ONE_PACK, 15, 3) | simulated(TWO_PACKS, 8, 3), tmp_path, "position", "player")


def test_a_second_computation_agrees_where_cards_are_hidden(tmp_path):
    climbing = [name for name in builtin_names() if name != "sandaha"]
    compare({name: hidden(log) for name, log in simulated(climbing, 8, 4, 0.0).items()}, tmp_path, "role")


def test_a_second_computation_agrees_on_the_fewest_plays(tmp_path):
    compare(simulated(("classic", "botzone"), 2, 2), tmp_path, "role", plays=True)


@pytest.mark.soak
@pytest.mark.parametrize("name", builtin_names())
def test_a_second_computation_agrees_on_many_hands(name, tmp_path):
    compare(simulated([name], 2000, 5), tmp_path, "role", "position", "player")


@pytest.mark.soak
@pytest.mark.parametrize("name", ONE_PACK)
def test_a_second_computation_agrees_on_the_fewest_plays_of_many(name, tmp_path):
    compare(simulated([name], 20, 6), tmp_path, "role", "player", plays=True)


@pytest.mark.soak
@pytest.mark.parametrize("name", [name for name in builtin_names() if isinstance(load_any(name), Ruleset)])
def test_a_second_computation_agrees_on_what_rests_on_the_fewest_plays_of_many(name, tmp_path, monkeypatch):
    """How few plays shed a hand is taken as known here: ``test_shedding`` holds that against trying everything."""

    def as_known(held: Sequence[int], answers: Answers, _: dict[Any, int]) -> int:
        return fewest_plays(sum(count << RANK_BITS * place for place, count in enumerate(held)), answers.rules)

    monkeypatch.setattr(second, "fewest", as_known)
    compare(simulated([name], 2000, 7), tmp_path, "role", "player", plays=True)


# Hands worked out by hand. Cards of the landlord, of the farmer after him, of the one before him; the bottom.
LANDLORD = "S3H3C3D3S4S5S6S7S8S9STSJSQSKSAS2B"
DOWN = "H5C5D5H6C6D6H7C7H8C8H9C9HTCTHJCJR"
UP = "D7D8D9DTDJHQCQDQHKCKDKHACADAH2C2D2"
BOTTOM = "H4C4D4"
CHAIN = "S3S4S5S6S7S8S9STSJSQSKSA"

BLOCKED = f"""0:S3 1:H7 2:H2 0:B 1:R 2:- 0:S4H4C4D4 1:- 2:- 0:{CHAIN[4:]} 1:- 2:- 0:S2 1:- 2:- 0:H3C3D3"""
"""The landlord breaks a bomb, the farmer before him takes the other's trick with a two, which the landlord beats."""
SILENT = f"""0:{CHAIN} 1:- 2:- 0:H3C3D3H4C4D4 1:H5C5D5H6C6D6 2:- 0:- 1:H7C7H8C8H9C9HTCTHJCJ 2:- 0:- 1:R"""
"""Both bombs are broken; the landlord is left with two cards and one farmer does it all."""
GUARDED = f"""0:{CHAIN} 1:- 2:- 0:H3C3D3H4C4D4 1:- 2:HQCQDQHKCKDK 0:- 1:- 2:D7 0:S2 1:R 2:- 0:- 1:H5C5D5H7 2:- 0:- 1:H6
2:D8 0:B"""
"""The farmers lead against a landlord with two cards, and then with one."""
WASTED = """0:H3C3D3S4 1:- 2:HQCQDQH2 0:- 1:- 2:HKCKDKC2 0:- 1:- 2:HACADAD2 0:- 1:- 2:D7D8D9DTDJ"""
"""A farmer carries three twos while small cards wait, and goes out; the landlord has played once."""
SPRUNG = f"""0:{CHAIN} 1:- 2:- 0:H3C3D3H4C4D4S2B"""
"""Nobody else plays."""
LEFT = f"""0:{CHAIN} 1:-"""
"""Then somebody leaves."""
TO_ROB = "0:- 1:call 2:rob"


def told(landlord: int, auction: str, plays: str, rules: str = "call-score") -> dict[str, Any]:
    """A record in which seats of ``plays`` are counted from the landlord; players are named by what they are."""
    names, dealt = ("landlord", "down", "up"), (LANDLORD, DOWN, UP)
    seats = [(seat - landlord) % 3 for seat in range(3)]
    moves = [f"{(int(move[0]) + landlord) % 3}{move[1:]}" for move in plays.split()]
    return {
        "id": "a", "rules": rules, "players": [{"id": names[seat]} for seat in seats],
        "hands": [dealt[seat] for seat in seats], "bottom": BOTTOM, "first": 0, "auction": auction,
        "plays": " ".join(moves), **({} if plays else {"end": "void"}),
    }  # fmt: skip


BY_HAND = [
    (BLOCKED, "harmful_block", {"up": (1, 1)}),
    (BLOCKED, "beat_mate", {"up": (1, 1)}),
    (BLOCKED, "gate_rate", {"up": (1, 1)}),
    (BLOCKED, "over_taking", {"landlord": (0, 1), "down": (0, 2), "up": (1, 1)}),
    (BLOCKED, "bomb_broken", {"landlord": (1, 1)}),
    (BLOCKED, "bomb_use", {"landlord": (1, 2)}),
    (BLOCKED, "bomb_timing", {"landlord": (18, 1)}),
    (BLOCKED, "bombs_stood", {"landlord": (1, 1)}),
    (BLOCKED, "trick_control", {"landlord": (4, 4), "down": (0, 4), "up": (0, 4)}),
    (BLOCKED, "tempo", {"landlord": (4, 1)}),  # 6 plays; 2 would shed 4-A and 3333 with 2 and B
    (BLOCKED, "silent_farmer", {"down": (0, 1), "up": (0, 1)}),
    (SILENT, "silent_farmer", {"down": (0, 1), "up": (1, 1)}),
    (SILENT, "first_out", {"down": (1, 1), "up": (0, 1)}),
    (SILENT, "last_card_defence", {"down": (2, 2)}),
    (SILENT, "bomb_broken", {"landlord": (1, 1)}),
    (SILENT, "bomb_use", {"landlord": (0, 2)}),
    (SILENT, "dead_bomb", {"landlord": (0, 1)}),
    (SILENT, "trick_control", {"landlord": (1, 4), "down": (3, 4), "up": (0, 4)}),
    (SILENT, "pass_over_mate", {"up": (1, 1)}),  # QQQKKK over 555666
    (GUARDED, "under_guard", {"up": (0, 1)}),
    (GUARDED, "last_card_defence", {"down": (1, 2), "up": (1, 1)}),
    (GUARDED, "harmful_block", {"up": (1, 1)}),
    (GUARDED, "gate_rate", {}),
    (GUARDED, "over_taking", {"landlord": (0, 2), "down": (0, 1), "up": (0, 2)}),
    (GUARDED, "kicker_waste", {"down": (0, 1)}),
    (WASTED, "kicker_waste", {"landlord": (0, 1), "up": (3, 3)}),
    (WASTED, "anti_spring_made", {"down": (1, 1), "up": (1, 1)}),
    (WASTED, "anti_spring_suffered", {"landlord": (1, 1)}),
    (WASTED, "spring_conceded", {"down": (0, 1), "up": (0, 1)}),
    (WASTED, "silent_farmer", {"down": (1, 1), "up": (0, 1)}),
    (SPRUNG, "spring_made", {"landlord": (1, 1)}),
    (SPRUNG, "spring_conceded", {"down": (1, 1), "up": (1, 1)}),
    (SPRUNG, "silent_farmer", {"down": (0, 1), "up": (0, 1)}),
    (SPRUNG, "call_rate", {"landlord": (1, 1)}),
    (SPRUNG, "forced_landlord_rate", {"landlord": (0, 1)}),
    (SPRUNG, "feed_rate", {}),
]


def parts(warehouse: Warehouse, name: str) -> dict[str, tuple[float, int]]:
    return {key[2]: value for key, value in answered(warehouse, [name], "player").items()}


@pytest.fixture(scope="module")
def stores(tmp_path_factory):
    """A store for each of these hands."""
    opened = {}
    for plays in dict.fromkeys(plays for plays, *_ in BY_HAND):
        opened[plays] = kept(tmp_path_factory.mktemp("hand"), told(0, "0:3", plays))
        assert opened[plays].query("SELECT verdict FROM hands")["verdict"].tolist() == ["clean"]
    yield opened
    for warehouse in opened.values():
        warehouse.close()


@pytest.mark.parametrize(("plays", "name", "wanted"), BY_HAND)
def test_by_hand(plays, name, wanted, stores):
    assert parts(stores[plays], name) == wanted


def test_what_is_said_before_a_call_and_after_it(tmp_path):
    with kept(tmp_path, told(2, TO_ROB, SPRUNG, "call-rob")) as warehouse:
        assert parts(warehouse, "call_rate") == {"down": (0, 1), "up": (1, 1)}
        assert parts(warehouse, "rob_rate") == {"landlord": (1, 1)}
        assert {key[3] for key in answered(warehouse, ["first_words"], None)} == {"-", "call", "rob"}


def test_a_void_hand_counts_for_what_was_said_and_dealt(tmp_path):
    with kept(tmp_path, told(0, "0:- 1:- 2:-", "")) as warehouse:
        assert parts(warehouse, "call_rate") == {"landlord": (0, 1), "down": (0, 1), "up": (0, 1)}
        assert parts(warehouse, "bombs_dealt") == {"landlord": (1, 1), "down": (0, 1), "up": (0, 1)}
        assert parts(warehouse, "plays_needed")["landlord"] == (2, 1)
        assert parts(warehouse, "bomb_use") == parts(warehouse, "landlord_rate") == {}


def test_a_mate_is_fed_what_he_can_beat(tmp_path):
    """The farmer after the landlord is left with R and leads; the other has nothing above it, and then a pair."""
    plays = (
        "0:S3 1:- 2:- 0:S4 1:- 2:D7 0:- 1:R 2:- 0:- 1:H7C7H8C8H9C9HTCTHJCJ 2:- 0:- 1:H5C5D5H6 2:HQCQDQD8 0:- 1:- "
        "2:D9 0:ST 1:- 2:DJ 0:SQ 1:- 2:HK 0:S2 1:- 2:- 0:S5S6S7S8S9 1:- 2:- 0:B 1:- 2:- 0:H4C4D4 1:- 2:- 0:H3C3D3SJ "
        "1:- 2:- 0:SK 1:- 2:HA 0:- 1:- 2:CADA 0:- 1:- 2:CK 0:SA"
    )
    with kept(tmp_path, told(0, "0:3", plays)) as warehouse:
        assert warehouse.query("SELECT verdict FROM hands")["verdict"].tolist() == ["clean"]
        # DOWN keeps C6 D6 from then on: UP leads 9, A A, K to a mate with two cards, who beats none of them.
        assert parts(warehouse, "feed_rate") == {"up": (0, 3)}


def dealt(*ranks: str) -> list[str]:
    """Cards of these ranks, each rank's suits in order."""
    suits = {rank: iter("SHCD") for rank in "3456789TJQKA2"}
    return ["".join(rank if rank in "BR" else next(suits[rank]) + rank for rank in held) for held in ranks]


OWN, TAKEN, AFTER, BEFORE = dealt("44445566778899TTJ", "JQQ", "AAAA356789TJQK2BR", "33356789TJQKKK222")
FOURS = {
    "id": "a", "players": [{"id": name} for name in ("landlord", "down", "up")], "first": 0,
    "hands": [OWN, AFTER, BEFORE], "bottom": TAKEN,
    "plays": "0:S4H4C4D4S5H5S6H6 1:- 2:- 0:S7H7S8H8S9H9STHTSJHJSQHQ",
}  # fmt: skip
"""The farmer after the landlord can answer four with two pairs by bombs and by four aces with two single cards."""


@pytest.mark.parametrize(
    ("rules", "auction", "softly"), [("platform", "0:3 1:- 2:-", {"down": (1, 1)}), ("classic", "0:3", {})]
)
def test_four_with_two_answers_another_size_where_the_rules_say_so(rules, auction, softly, tmp_path):
    """(E-Q8)"""
    with kept(tmp_path, FOURS | {"rules": rules, "auction": auction}) as warehouse:
        assert warehouse.query("SELECT verdict FROM hands")["verdict"].tolist() == ["clean"]
        assert parts(warehouse, "pass_when_could_softly") == softly
        assert parts(warehouse, "pass_when_could") == {"down": (1, 1)}


def test_who_leaves_before_the_first_play_had_no_bomb_to_use(tmp_path):
    """(E-R23) The landlord was named; nobody held a card when play began, for it did not begin."""
    with kept(
        tmp_path, FOURS | {"rules": "platform", "auction": "0:3 1:-", "plays": "", "end": "escape:2"}
    ) as warehouse:
        assert warehouse.query("SELECT verdict, outcome FROM hands").to_numpy().tolist() == [["clean", "escape"]]
        assert parts(warehouse, "bombs_dealt")["down"] == (1, 1)
        assert parts(warehouse, "bomb_use") == parts(warehouse, "bomb_broken") == {}


def test_who_has_no_mate_has_no_strength_beside_his_own(tmp_path):
    with kept(tmp_path, *map(json.loads, hands(load_any("two-player"), 5, seed=1))) as warehouse:
        asked = "SELECT count(*) FROM seats WHERE role = 'farmer' AND dealt_points IS NOT NULL AND verdict = 'clean'"
        assert warehouse.query(asked).iat[0, 0] > 0
        assert parts(warehouse, "mates_strength") == {}


def test_a_surrender_lacks_no_plays(tmp_path):
    with kept(tmp_path, *map(json.loads, hands(load_any("sandaha"), 40, seed=2, faults=0))) as warehouse:
        assert warehouse.query("SELECT count(*) FROM hands WHERE outcome = 'surrender'").iat[0, 0] > 0
        assert catalogue.run(warehouse, "unaudited")["without_plays"].tolist() == [0]
