"""``HumanGameRecord`` lines of the fork GentleKingson/DouZero; the samples in tests/logs are made by hand."""

import hashlib
import io
import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.batch import judge
from ingest.faults import CATALOGUE, message
from ingest.logs import Entry, detect, read
from ingest.logs.readers import READERS
from ingest.record import Record, read_record, write_record
from ingest.verdict import Verdict

LOGS = Path(__file__).parent / "logs"
GAMES = 40
ROLES = ("landlord", "landlord_down", "landlord_up")
GOOD = (LOGS / "human-game-record.jsonl").read_bytes()
PUT_ASIDE = (LOGS / "human-game-record.quarantine.jsonl").read_bytes()
LEGACY, STANDARD = (json.loads(line) for line in GOOD.splitlines())
HANDS = ["334445556789TJQKA", "3677899TJJQKKA22B", "667889TTJQQKAA22R"]
PLAYS = "0:3456789TJQKA 1:- 2:- 0:33444555"


def entries(data: bytes, **options: str) -> list[Entry]:
    return list(read(["-"], stdin=io.BytesIO(data), **options))


def as_json(*things: Any) -> bytes:
    return b"\n".join(json.dumps(thing).encode() for thing in things)


def the_record(thing: Any) -> Record:
    (entry,) = entries(as_json(thing))
    assert entry.record is not None, entry.findings
    return entry.record


def the_finding(thing: Any) -> tuple[str, dict[str, Any]]:
    (entry,) = entries(as_json(thing), format="human-game-record")
    assert entry.record is None
    (finding,) = entry.findings
    return finding.code, dict(finding.details)


def audited(thing: Any, rules: str | None = None) -> Verdict:
    return judge(Entry("", 1, b"", the_record(thing)), rules).verdict


def faults(thing: Any, rules: str | None = None) -> list[str]:
    return [finding.code for finding in audited(thing, rules).findings]


def result(**changes: Any) -> dict[str, Any]:
    return LEGACY | {"final_result": LEGACY["final_result"] | changes}


def dealt(**changes: Any) -> dict[str, Any]:
    return LEGACY | {"initial_hands": LEGACY["initial_hands"] | changes}


# What a line is read as


def test_a_game_without_an_auction():
    record = the_record(LEGACY)
    assert (record.id, record.rules, record.landlord, record.auction) == (LEGACY["game_id"], "douzero", 0, None)
    assert (record.hands, record.bottom, record.plays) == (HANDS, "345", PLAYS)
    assert [player.id for player in record.players] == list(ROLES)
    assert msgspec.to_builtins(record.claim) == {"winners": [0], "multiplier": 1, "scores": [2, -1, -1]}
    extra = json.loads(bytes(record.extra))
    assert extra["final_result"] == {"bomb_count": 0, "rocket_count": 0, "bomb_num": 0, "spring": False}
    assert extra.keys() == {
        "format_version", "schema_version", "kind", "ruleset_id", "ruleset_version", "ruleset_hash",
        "player_skill_weight", "source_metadata", "timestamp", "final_result",
    }  # fmt: skip
    assert (audited(LEGACY).verdict, audited(LEGACY).findings) == ("clean", [])


def test_a_game_with_an_auction():
    record = the_record(STANDARD)
    assert (record.rules, record.landlord, record.auction) == ("douzero-bidding", None, "1:1 2:- 0:2")
    claim = {"landlord": 0, "winners": [0], "multiplier": 2, "bid": 2, "scores": [8, -4, -4]}
    assert msgspec.to_builtins(record.claim) == claim
    assert (audited(STANDARD).verdict, audited(STANDARD).scores) == ("clean", [8, -4, -4])
    roles = STANDARD | {"bidding_history": [["landlord_down", 1], ["landlord_up", 0], ["landlord", 2]]}
    assert the_record(roles).auction == record.auction


def test_what_was_put_aside():
    found = entries(PUT_ASIDE)
    assert [entry.line for entry in found] == [1, 2]
    assert found[0].record is not None
    assert json.loads(bytes(found[0].record.extra))["reason"] == "winner_mismatch"
    assert [finding.code for finding in judge(found[0]).verdict.findings] == ["S601"]
    assert [finding.code for finding in found[1].findings] == ["R112"]


@pytest.mark.parametrize("data", [GOOD, b"[" + GOOD.strip().replace(b"\n", b",\n") + b"]\n", GOOD[:-1]])
def test_lines_and_arrays(data: bytes):
    assert [entry.record and entry.record.id for entry in entries(data)] == [LEGACY["game_id"], STANDARD["game_id"]]


def test_a_line_that_is_cut_off():
    found = entries(GOOD[:-40])
    assert [[finding.code for finding in entry.findings] for entry in found] == [[], ["R107"]]
    pretty = json.dumps(LEGACY, indent=2).encode()
    assert [entry.record and entry.record.plays for entry in entries(pretty)] == [PLAYS]


def test_detection_both_ways():
    for data in (GOOD, PUT_ASIDE, b"[" + GOOD.splitlines()[0] + b"]", json.dumps(LEGACY, indent=1).encode()):
        claimed = {name for name, reader in READERS.items() if reader.recognises and reader.recognises(data)}
        assert claimed == {"human-game-record"}
        assert detect(data[:1500], "x.jsonl") == "human-game-record"
    for path in LOGS.iterdir():
        if not path.name.startswith("human-game-record"):
            assert not READERS["human-game-record"].recognises(path.read_bytes()), path  # type: ignore[misc]
    assert detect(b'{"reason":"x","error":"y"}\n', "x.log") is None


def test_another_order_of_the_seats_is_that_of_the_log():
    record = the_record(LEGACY | {"seats": ["landlord_up", "landlord", "landlord_down"]})
    assert ([player.id for player in record.players], record.landlord) == (["landlord_up", *ROLES[:2]], 1)
    assert record.plays == "1:3456789TJQKA 2:- 0:- 1:33444555"
    assert audited(LEGACY | {"seats": ["landlord_up", "landlord", "landlord_down"]}).verdict == "clean"
    assert "P401" in faults(LEGACY | {"seats": ["landlord", "landlord_up", "landlord_down"]})


# Rulesets


def parameters(**changes: Any) -> dict[str, Any]:
    """The fork's parameters of ``legacy`` (DZ-R1 … DZ-R3)."""
    return {
        "ruleset_id": "legacy", "ruleset_version": "legacy-v1", "bidding_mode": "none", "bid_values": [],
        "allow_rob": False, "all_pass_redeal": False, "max_redeals": 10, "bid_multiplier": False,
        "bomb_multiplier": 2, "rocket_multiplier": 2, "spring_multiplier": 0, "anti_spring_multiplier": 0,
        "allow_double": False, "base_score": 2, "max_multiplier": None,
    } | changes  # fmt: skip


STANDARD_PARAMETERS = parameters(
    ruleset_id="standard", ruleset_version="standard-v1", bidding_mode="score_0_1_2_3", bid_values=[0, 1, 2, 3],
    all_pass_redeal=True, bid_multiplier=True, spring_multiplier=2, anti_spring_multiplier=2, base_score=1,
)  # fmt: skip


def digest(of: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(of, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


@pytest.mark.parametrize(
    ("name", "hashed", "expected"),
    [
        ("legacy", digest(parameters()), "douzero"),
        ("legacy", digest(parameters())[:16], "douzero"),
        ("standard", digest(STANDARD_PARAMETERS), "douzero-bidding"),
        ("standard", digest(parameters()), "standard#" + digest(parameters())[:16]),
        ("legacy", digest(parameters(bomb_multiplier=3)), None),
        ("legacy", digest(parameters())[:3], None),
        ("house", digest(parameters()), None),
    ],
)
def test_rulesets_go_by_their_parameters(name: str, hashed: str, expected: str | None):
    game = LEGACY | {"ruleset_id": name, "ruleset_hash": hashed}
    assert the_record(game).rules == (expected or f"{name}#{hashed[:16]}")
    if expected is None:
        assert faults(game) == ["R104"]
        assert faults(game, "douzero") == []


def test_a_game_that_names_no_ruleset_or_no_parameters():
    bare = {name: value for name, value in LEGACY.items() if not name.startswith("ruleset")}
    assert faults(bare) == ["R104"]
    assert the_record(bare | {"ruleset_id": "legacy"}).rules == "douzero"


def test_kickers_are_those_of_douzeros_generator():
    """Both jokers with a plane: legal there and here, though not in call-score."""
    hands = LEGACY["initial_hands"] | {"landlord": [3, 3, 3, *range(6, 15), *range(4, 6), 4, 4, 4, 20, 30, 17]}
    hands |= {"three_landlord_cards": [20, 30, 17]}
    rest = [3, 5, 5, 5, *[card for card in range(6, 15) for _ in range(3)], 17, 17, 17]
    hands |= {"landlord_down": rest[:17], "landlord_up": rest[17:]}
    history = [["landlord", [3, 3, 3, 4, 4, 4, 20, 30]], ["landlord_down", []], ["landlord_up", []]]
    history += [["landlord", [4, 5, *range(6, 15)]], ["landlord_down", []], ["landlord_up", []], ["landlord", [17]]]
    game = STANDARD | {"initial_hands": hands, "bottom_cards": [20, 30, 17], "action_history": history}
    assert (faults(game), audited(game).scores) == ([], [8, -4, -4])
    assert faults(game, "call-score") == ["P403"]


# The fork's reasons


SHORT = LEGACY["initial_hands"]["landlord"][:-1]
HISTORY = LEGACY["action_history"]
REASONS: dict[str, list[tuple[Any, str]]] = {
    "ruleset_mismatch": [
        (LEGACY | {"ruleset_hash": "0" * 64}, "R104"),
        (LEGACY | {"bidding_history": [["landlord", 3]]}, "A304"),
    ],
    "winner_mismatch": [
        (result(winner_team="farmer", winner_position=""), "S601"),
        (result(winner_position="landlord_up"), "S601"),
    ],
    "did_not_terminate": [
        (LEGACY | {"action_history": HISTORY[:-1]}, "P407"),
        (LEGACY | {"action_history": [*HISTORY, ["landlord_down", [6]]]}, "P406"),
    ],
    "turn_order_mismatch": [(LEGACY | {"action_history": [HISTORY[0], HISTORY[2], *HISTORY[1:]]}, "P401")],
    "illegal_action": [
        (LEGACY | {"action_history": [["landlord", [20, 30]], *HISTORY[1:]]}, "P402"),
        (LEGACY | {"action_history": [["landlord", [3, 4]], *HISTORY[1:]]}, "P403"),
        (LEGACY | {"action_history": [["landlord", [14]], ["landlord_down", [3]]]}, "P404"),
        (LEGACY | {"action_history": [["landlord", []], *HISTORY[1:]]}, "P405"),
    ],
    "deal_conservation": [(dealt(landlord_up=LEGACY["initial_hands"]["landlord_down"]), "D203")],
    "deal_shape": [
        (dealt(landlord=SHORT), "D201"),
        (dealt(three_landlord_cards=[3, 4]) | {"bottom_cards": [3, 4]}, "D202"),
        (dealt(three_landlord_cards=[17, 17, 17]) | {"bottom_cards": [17, 17, 17]}, "D201"),
    ],
}


@pytest.mark.parametrize(("thing", "code"), [case for cases in REASONS.values() for case in cases])
def test_every_reason_of_the_fork_is_a_finding(thing: Any, code: str):
    assert code in faults(thing)


def test_a_claimed_score_is_compared():
    assert faults(result(landlord_score=4.0, farmer_score=-2.0)) == ["S603"]
    assert faults(result(multiplier=2)) == ["S602"]
    assert faults(STANDARD | {"bidding_history": [["0", 1], ["1", 3], ["2", 0]]})[:1] == ["A304"]


def bid(*bids: Any) -> dict[str, Any]:
    return LEGACY | {"bidding_history": list(bids)}


def act(*acts: Any) -> dict[str, Any]:
    return LEGACY | {"action_history": list(acts)}


SCORE = "final_result.landlord_score"


@pytest.mark.parametrize(
    ("thing", "code", "field", "why"),
    [
        (
            LEGACY | {"bottom_cards": [3, 4, 6]},
            "R103",
            "bottom_cards",
            "not those of initial_hands.three_landlord_cards",
        ),
        (LEGACY | {"bottom_cards": 3}, "R105", "bottom_cards", "3"),
        (LEGACY | {"seats": ["landlord"]}, "R103", "seats", 'not the three positions: ["landlord"]'),
        (LEGACY | {"seats": [[], {}, 3]}, "R103", "seats", "not the three positions: [[],{},3]"),
        (LEGACY | {"initial_hands": []}, "R103", "initial_hands", "Expected `object`, got `array`"),
        (dealt(landlord_up=[1]), "R105", "initial_hands.landlord_up", "[1]"),
        (act(["north", [3]]), "R105", "action_history[0]", '["north",[3]]'),
        (act(HISTORY[0], [3]), "R105", "action_history[1]", "[3]"),
        (act(["landlord", [3.5]]), "R105", "action_history[0]", "[3.5]"),
        (bid(["north", 3]), "R105", "bidding_history[0]", '["north",3]'),
        (bid(["landlord", True]), "R105", "bidding_history[0]", '["landlord",true]'),
        (bid(["0", -1]), "R105", "bidding_history[0]", '["0",-1]'),
        (bid(["0", 0]), "R103", "bidding_history", "no bid tells which number the landlord has"),
        (result(winner_team="north"), "R103", "final_result", 'no side: "north"'),
        (result(landlord_score=1.5), "R103", SCORE, "not a whole number: 1.5"),
        (result(landlord_score=1e300), "R103", SCORE, "not a whole number: 1e300"),
        (result(multiplier=True), "R103", "final_result.multiplier", "not a whole number: true"),
    ],
)
def test_what_cannot_be_read(thing: Any, code: str, field: str, why: str):
    assert the_finding(thing) == (code, {"field": field, ("reason" if code == "R103" else "text"): why})


def test_what_is_no_such_record():
    assert the_finding({"game_id": "x"}) == ("R112", {"reason": "not a HumanGameRecord"})


@pytest.mark.parametrize("field", ["initial_hands", "action_history"])
def test_what_must_be_there(field: str):
    assert the_finding({name: value for name, value in LEGACY.items() if name != field}) == ("R102", {"field": field})


@pytest.mark.parametrize("name", [*ROLES, "three_landlord_cards"])
def test_every_hand_must_be_there(name: str):
    hands = {key: value for key, value in LEGACY["initial_hands"].items() if key != name}
    assert the_finding(LEGACY | {"initial_hands": hands}) == ("R102", {"field": f"initial_hands.{name}"})


# Games of DouZero itself, and of the fork's standard rules


class AtRandom:
    def __init__(self, dice: random.Random) -> None:
        self.dice = dice

    def act(self, infoset: Any) -> list[int]:
        return self.dice.choice(infoset.legal_actions)


def play(dice: random.Random) -> tuple[dict[str, Any], Any]:
    """A random game, as the fork writes it before it fills in rules and result; and the environment at its end."""
    game = pytest.importorskip("douzero.env.game")
    deck = [*range(3, 15), 17] * 4 + [20, 30]
    dice.shuffle(deck)
    deal = {"landlord": sorted(deck[:20]), "landlord_up": sorted(deck[20:37]), "landlord_down": sorted(deck[37:]),
            "three_landlord_cards": sorted(deck[17:20])}  # fmt: skip
    env = game.GameEnv(dict.fromkeys(ROLES, AtRandom(dice)))
    env.card_play_init({name: list(cards) for name, cards in deal.items()})
    while not env.game_over:
        env.step()
    history = [[ROLES[place % 3], turn] for place, turn in enumerate(env.card_play_action_seq)]
    return LEGACY | {
        "initial_hands": deal,
        "bottom_cards": deal["three_landlord_cards"],
        "action_history": history,
    }, env


def legacy(thing: dict[str, Any], env: Any, number: int) -> dict[str, Any]:
    each = env.player_utility_dict["farmer"] * 2**env.bomb_num
    told = {"winner_team": env.winner, "winner_position": ROLES[(len(thing["action_history"]) - 1) % 3], "bid_value": 0,
            "bomb_num": env.bomb_num, "multiplier": 2**env.bomb_num,
            "landlord_score": -2.0 * each, "farmer_score": 1.0 * each}  # fmt: skip
    return thing | {"game_id": f"g-{number}", "final_result": told}


def standard(thing: dict[str, Any], env: Any, number: int) -> dict[str, Any]:
    """The same game scored by the fork's standard rules, after an auction that seat ``number % 3`` wins."""
    counts = [sum(bool(turn) for turn in env.card_play_action_seq[seat::3]) for seat in range(3)]
    springs = counts[1] + counts[2] == 0 if env.winner == "landlord" else counts[0] == 1
    factor = 2 ** (env.bomb_num + springs)
    each = env.player_utility_dict["farmer"] * factor * 2
    bids = [[str(seat), 2 if seat == number % 3 else 0] for seat in range(3)]
    told = {"winner_team": env.winner, "bid_value": 2, "multiplier": factor,
            "landlord_score": -2.0 * each, "farmer_score": 1.0 * each}  # fmt: skip
    named = {name: STANDARD[name] for name in ("ruleset_id", "ruleset_version", "ruleset_hash")}
    return thing | named | {"game_id": f"g-{number}", "bidding_history": bids, "final_result": told}


@pytest.mark.parametrize("written", [legacy, standard])
def test_random_games_audit_clean_and_score_as_they_did(written: Callable[..., dict[str, Any]]):
    dice = random.Random(20261129)
    games = [written(*play(dice), number) for number in range(GAMES)]
    found = entries(as_json(*games))
    for entry, game in zip(found, games, strict=True):
        assert entry.record is not None, entry.findings
        verdict = judge(entry).verdict
        again, unknown = read_record(write_record(entry.record))
        assert (write_record(again), unknown) == (write_record(entry.record), ())
        assert judge(Entry("", 1, b"", again)).verdict.findings == verdict.findings
        codes = {finding.code for finding in verdict.findings if CATALOGUE[finding.code].severity == "fault"}
        assert codes == set()
        told = game["final_result"]
        assert verdict.scores == [told["landlord_score"], told["farmer_score"], told["farmer_score"]]
        assert verdict.multiplier == told["multiplier"]


# No damage makes reading raise


def sound(found: Iterator[Entry]) -> None:
    for entry in found:
        assert entry.record is not None or entry.findings
        for finding in entry.findings:
            assert message(finding, "zh")
            assert finding.details.keys() == set(CATALOGUE[finding.code].details)
            msgspec.json.encode(finding)
        if entry.record is not None:
            line = write_record(entry.record)
            assert b"\n" not in line
            assert write_record(read_record(line)[0]) == line
            judge(entry)


@settings(max_examples=300, deadline=None)
@given(st.sampled_from([GOOD, PUT_ASIDE, json.dumps(LEGACY, indent=1).encode()]), st.data())
def test_no_damage_makes_reading_raise(seed: bytes, data: st.DataObject):
    broken = bytearray(seed)
    for _ in range(data.draw(st.integers(0, 4))):
        broken[data.draw(st.integers(0, len(broken) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(broken)) | st.just(len(broken)))
    sound(read(["-"], format="human-game-record", stdin=io.BytesIO(bytes(broken[:cut]))))


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_no_json_in_the_place_of_another_makes_reading_raise(data: st.DataObject):
    strange = st.sampled_from(
        [b"null", b"[]", b"{}", b"-1", b"1e400", b'"OK"', b"[[]]", b"9" * 40, b"true", b"2.5", b'"[1"', b'"\\ud83d"']
    )
    tokens = data.draw(st.sampled_from(GOOD.splitlines()))
    tokens = tokens.replace(b",", b"\0,\0").replace(b":", b"\0:\0").split(b"\0")
    for _ in range(data.draw(st.integers(1, 3))):
        tokens[data.draw(st.integers(0, len(tokens) - 1))] = data.draw(strange)
    sound(read(["-"], format="human-game-record", stdin=io.BytesIO(b"".join(tokens))))
