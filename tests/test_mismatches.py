"""Claims that differ: the switch that would make them right is really found, and nothing is said of sound ones."""

import json
from copy import copy
from functools import lru_cache
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_store_hands import kept, record

from analysis import catalogue
from analysis.settlement_words import KINDS, SWITCHES
from ingest.audit import Hand, examine
from ingest.audit_tricks import examine_tricks
from ingest.batch import judge
from ingest.logs import read
from ingest.mismatches import mismatches
from ingest.record import Claim, read_record
from ingest.rules.ruleset import TrickRuleset, builtin_names, load_any
from ingest.rules.settlement import Facts, settle
from ingest.rules.variants import SWITCHES as TRIED
from ingest.rules.variants import TRICK_SWITCHES, trick_variants, variants
from ingest.simulate import hands


def told(given, rules="call-score"):
    """Kinds, switches and values that are told of a record."""
    return {(each.kind, each.switch, each.value) for each in _found(given, rules)}


def _found(given, rules):
    record = read_record(json.dumps(given | {"rules": rules}).encode())[0] if isinstance(given, dict) else given
    law = load_any(rules)
    return mismatches(examine_tricks(record, law) if isinstance(law, TrickRuleset) else examine(record, law))


SPRING = [480, -240, -240]  # base 10, bid 3, bomb, rocket and spring twice each
HALVED = {
    ("S04", "score.bomb_factor", "1"), ("S04", "facts.bombs", "0"), ("S05", "score.rocket_factor", "1"),
    ("S06", "score.spring_factor", "1"),
}  # fmt: skip


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ({"scores": SPRING}, set()),
        ({"multiplier": 8, "bid": 3, "winners": [0], "landlord": 0}, set()),
        ({"scores": [240, -120, -120]}, HALVED),
        ({"multiplier": 4}, HALVED),
        ({"scores": [48, -24, -24]}, {("S01", "score.base", "1")}),
        ({"scores": [160, -80, -80]}, {("S02", "score.bid_factor", "1"), ("S02", "facts.bid", "1")}),
        ({"scores": [320, -160, -160], "bid": 2}, {("S02", "facts.bid", "2"), ("S02", None, None)}),
        ({"scores": [-480, 240, 240]}, {("S10", "facts.sign", "-1"), ("S11", "facts.winner", "other")}),
        ({"scores": [-480, 240, 240], "winners": [0]}, {("S10", "facts.sign", "-1")}),
        (
            {"scores": [-480, 240, 240], "winners": [1, 2]},
            {("S11", "facts.winner", "other"), ("S11", None, None)},
        ),
        ({"scores": [-240, 480, -240]}, {("S10", "facts.landlord", "1")}),
        ({"scores": [720, -240, -480]}, {("S08", "double", "1:2")}),
        ({"scores": [470, -250, -250]}, {("S12", None, None), ("S13", "fee.each", "10")}),
        (
            {"scores": [456, -240, -240]},
            {("S12", None, None), ("S13", "fee.winner", "24"), ("S13", "fee.percent", "5")},
        ),
        ({"scores": [48000, -24000, -24000]}, {("S18", "currency", "100")}),
        ({"scores": [560, -280, -280]}, {(None, None, None)}),
        ({"scores": [100, 100, 100]}, {("S12", None, None), (None, None, None)}),
        ({"balances": [980, None, None]}, {("S19", None, None)}),
        ({"scores": SPRING, "balances": [1480, None, None]}, set()),
    ],
)
def test_a_claim_is_explained_by_what_gives_exactly_its_scores(claim, expected):
    """The spring of ``call-score``: 10 × 3 × 2 (bomb) × 2 (rocket) × 2 (spring) = 240 from each farmer."""
    players = [{"id": "a", "balance": 1000}, {"id": "b"}, {"id": "c"}]
    assert told(record("a", "spring", players=players, claim=claim)) == expected


def test_what_is_told_has_both_sides_and_the_difference():
    (found,) = _found(record("a", "spring", claim={"scores": [48, -24, -24]}), "call-score")
    assert (found.claimed, found.recomputed, found.difference) == ("48 -24 -24", "480 -240 -240", 864)


def test_what_explains_a_claim_in_two_ways_is_told_once():
    """D-R9: without the bomb of six or the one of eight, one bomb is left either way."""
    story = copy(settled("four-player")[0])
    story.facts = Facts(bombs=[6, 8], winner="landlord")
    story.settled = settle(story.facts, story.rules)
    story.record = msgspec.structs.replace(story.record, claim=Claim(scores=[6, -2, -2, -2]))
    found = [(each.kind, each.switch, each.value) for each in mismatches(story)]
    assert ("S04", "facts.bombs", "1") in found
    assert len(set(found)) == len(found)


def test_void_hands_hands_without_an_end_and_a_cap():
    assert told(record("a", "void", claim={"scores": [10, -5, -5]})) == {("S22", None, None)}
    cut = record("a", "plain", claim={"scores": [120, -60, -60]})
    assert told(cut | {"plays": cut["plays"][:30].rsplit(" ", 1)[0]}) == {("S24", None, None)}
    law = load_any("call-score")
    high = msgspec.structs.replace(law.score, bomb_factor={"4": 4}, rocket_factor=4)
    hand = read_record(json.dumps(record("a", "spring", claim={"scores": [960, -480, -480]})).encode())[0]
    found = mismatches(examine(hand, msgspec.structs.replace(law, score=high)))
    assert ("S14", "score.cap", "16") in {(each.kind, each.switch, each.value) for each in found}


@pytest.mark.parametrize(
    ("switch", "value", "shape"),
    [
        ("rocket_factor", 1, "spring"),
        ("spring_factor", 3, "spring"),
        ("anti_spring_factor", 1, "anti_spring"),
        ("bid_factor", 1, "plain"),
        ("bomb_factor", {"4": 1}, "plain"),
        ("base", 1, "plain"),
    ],
)
def test_a_switch_that_is_named_makes_the_whole_audit_clean(tmp_path, switch, value, shape):
    """The claim of another law: audited under a ruleset that says so it is clean, and the switch is told."""
    path = tmp_path / "own.toml"
    given = "{ 4 = 1 }" if isinstance(value, dict) else value
    path.write_text(
        f'name = "own"\nextends = "call-score"\ntitle_zh = "甲"\ntitle_en = "own"\n[score]\n{switch} = {given}\n'
    )
    hand = record("a", shape)
    own = load_any(str(path))
    scores = examine(read_record(json.dumps(hand).encode())[0], own).settled.scores
    claimed = hand | {"claim": {"scores": scores}}
    log = tmp_path / "log.jsonl"
    log.write_text(json.dumps(claimed) + "\n")
    (entry,) = read([str(log)])
    assert judge(entry, str(path)).verdict.verdict == "clean"
    assert judge(entry, "call-score").verdict.verdict == "faulty"
    text = "1" if isinstance(value, dict) else str(value)
    assert f"score.{switch}={text}" in {f"{each[1]}={each[2]}" for each in told(claimed)}


@lru_cache
def settled(name):
    """Lawful hands of a ruleset that were played to their end."""
    law = load_any(name)
    records = [read_record(line)[0] for line in hands(law, 30, seed=5)]
    stories = [examine_tricks(each, law) if isinstance(law, TrickRuleset) else examine(each, law) for each in records]
    return [story for story in stories if story.settled is not None and story.settled.scores is not None]


def of_story(story):
    if isinstance(story, Hand):
        return list(variants(story.facts, story.rules, story.settled)) if story.facts else []
    details = story.details or {}
    bottom = details.get("bottom_points", 0) * details.get("bottom_factor", 0)
    return list(trick_variants(story.facts, story.rules, story.settled, bottom)) if story.facts else []


@pytest.mark.parametrize("name", builtin_names())
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_every_variant_is_found_again_from_its_scores_and_agreement_is_silent(name, data):
    story = data.draw(st.sampled_from(settled(name)))
    claim = Claim(scores=story.settled.scores, multiplier=story.settled.multiplier)
    story.record = msgspec.structs.replace(story.record, claim=claim)
    assert mismatches(story) == []
    others = [each for each in of_story(story) if each.scores != story.settled.scores]
    for other in data.draw(st.lists(st.sampled_from(others), max_size=3)) if others else []:
        story.record = msgspec.structs.replace(story.record, claim=Claim(scores=other.scores))
        found = mismatches(story)
        same = {(each.kind, each.switch, each.value) for each in others if each.scores == other.scores}
        laws = {(each.kind, each.switch, each.value) for each in found if each.switch and "." in each.switch}
        assert same <= laws
        assert {one for one in laws if one[0] != "S13"} <= same
        assert all(each.difference > 0 for each in found if each.difference is not None)


@pytest.mark.parametrize("name", builtin_names())
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_no_claim_however_wrong_is_beyond_words(name, data):
    """Random numbers, too many and too few of them: something is told of each, and of their sum."""
    story = data.draw(st.sampled_from(settled(name)))
    numbers = st.integers(-(10**12), 10**12)
    scores = data.draw(st.lists(numbers, min_size=len(story.record.players), max_size=len(story.record.players)))
    story.record = msgspec.structs.replace(
        story.record, claim=Claim(scores=scores, multiplier=data.draw(st.integers(1, 99)))
    )
    assert bool(mismatches(story)) == (
        scores != story.settled.scores or story.record.claim.multiplier != story.settled.multiplier
    )


def planted(tmp_path, number=40):
    """Two tables: at one of them rockets do not double, at the other claims are sound."""
    rng, records = Random(3), []
    for n in range(number):
        shape, bid = rng.choice(("spring", "plain", "anti_spring")), rng.choice((1, 2, 3))
        given = record(
            f"h{n}", shape, n % 3, bid, ids=(f"a{n}", "b", "c"), table="XY"[n % 2], at="2026-03-01T20:00:00+08:00"
        )
        law = load_any("call-score")
        if n % 2 == 0:
            law = msgspec.structs.replace(law, score=msgspec.structs.replace(law.score, rocket_factor=1))
        scores = examine(read_record(json.dumps(given).encode())[0], law).settled.scores
        records.append(given | {"claim": {"scores": scores}})
    return kept(tmp_path, *records), records


def test_a_table_that_does_not_double_rockets_is_found_and_the_sound_one_is_not(tmp_path):
    warehouse, records = planted(tmp_path)
    springs = sum(" 0:BR" in each["plays"] or ":BR " in each["plays"] for each in records[::2])
    found = catalogue.run(warehouse, "integrity_settlement")
    assert set(found["scope"]) == {"all", "source", "table", "day"}
    tables = found[found["scope"] == "table"]
    assert set(tables["name"]) == {"X"}
    best = tables.iloc[0]
    assert (best["switch"], best["value"], best["explained"], best["whole"], best["against"]) == (
        "score.rocket_factor", "1", springs, springs, 0,
    )  # fmt: skip
    assert best["score"] > 8
    assert (
        best["reason_en"]
        == f"100% of {springs} mismatches in 20 hands: the rocket times 1; 0 claims that agree would then be wrong"
    )
    assert best["hands"] == 20
    worst = tables[tables["switch"] == "score.bomb_factor"].iloc[0]
    assert worst["against"] > 0
    assert worst["score"] < best["score"]
    kinds = catalogue.run(warehouse, "settlement_mismatches").set_index("kind")
    assert tuple(kinds.loc["all", ["part", "whole", "excluded"]]) == (springs, 40, 0)
    assert kinds.loc["S05", "part"] == springs
    listed = catalogue.run(warehouse, "mismatched_hands", table="X")
    assert listed["hand"].nunique() == springs
    assert catalogue.run(warehouse, "mismatched_hands", table="Y").empty
    assert catalogue.run(warehouse, "integrity_settlement", table="Y").empty


def test_claims_that_are_always_the_same_are_called_so(tmp_path):
    bids = [(n, shape, bid) for n, (shape, bid) in enumerate((s, b) for s in ("spring", "plain") for b in (1, 2, 3))]
    records = [
        record(f"h{n}", shape, 0, bid, ids=(f"a{n}", "b", "c"), claim={"scores": [100, -50, -50]})
        for n, shape, bid in bids
    ]
    found = catalogue.run(kept(tmp_path, *records), "integrity_settlement")
    row = found[(found["kind"] == "S23") & (found["scope"] == "all")].iloc[0]
    assert (row["value"], row["explained"], row["whole"]) == ("100 50 50", 6, 6)


def test_sound_claims_give_no_rows(tmp_path):
    """Not one false alarm among 40 sound hands: a claim that agrees is never a mismatch."""
    sound = [record(f"h{n}", "spring", n % 3, ids=(f"a{n}", "b", "c")) for n in range(40)]
    for n, each in enumerate(sound):
        each["claim"] = {"scores": [SPRING[(seat - n) % 3] for seat in range(3)]}
    warehouse = kept(tmp_path, *sound)
    assert catalogue.run(warehouse, "integrity_settlement").empty
    kinds = catalogue.run(warehouse, "settlement_mismatches")
    assert kinds[["kind", "part", "whole"]].values.tolist() == [["all", 0, 40]]


def test_rulesets_with_switches_have_words_for_each():
    tried = {switch for _, switch, _ in (*TRIED, *TRICK_SWITCHES)}
    found = {each.switch for name in builtin_names() for story in settled(name) for each in of_story(story)}
    assert tried | found <= set(SWITCHES)
    assert {each.kind for name in builtin_names() for story in settled(name) for each in of_story(story)} <= set(KINDS)
