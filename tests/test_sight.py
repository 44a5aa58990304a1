"""A hand on its page as one seat sees it, names that are masked, too long or turned round."""

import json

import pytest
from streamlit.testing.v1 import AppTest

from dashboard import replay
from dashboard.bidi import POP_EMBEDDING, POP_ISOLATE, isolated
from dashboard.filters import player_name
from dashboard.text import TEXTS, speaking
from ingest.load import load
from ingest.rules.ruleset import builtin_names
from ingest.scenes import scenes
from tests.test_dashboard import app, log, record, shown
from tests.test_scenes import judged_lines, played

LONG = "长" * 240


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sight")
    (folder / "secret-of-u1.jsonl").write_bytes(log(record(players=("u1", LONG, "\u202eu3"))))
    load([str(folder / "secret-of-u1.jsonl")], folder / "store")
    return folder / "store"


@pytest.fixture(autouse=True)
def chosen(store, monkeypatch):
    monkeypatch.setenv("FUPAN_STORE", str(store))


def seen(language="zh", **words):
    page = app("hand", language)
    for key, value in ({"hand": "0"} | words).items():
        page.query_params[key] = value
    return page.run()


def component(page):
    """What the browser is sent of the table."""
    return json.loads(page.get("bidi_component")[0].proto.json)


def test_the_browser_is_sent_nothing_of_other_seats_that_is_never_played():
    """The two farmers never play: none of their cards may reach a browser that looks from the landlord's seat."""
    whole, own = (seen(move="2", **more) for more in ({}, {"seat": "0"}))
    assert '"C3"' in json.dumps(component(whole)["scenes"])
    told = component(own)
    assert '"C3"' not in json.dumps(told)
    assert told["view"] == 0
    assert told["scenes"][2]["hands"][0]
    passed = next(scene for scene in told["scenes"] if scene["phase"] == "play" and scene["seat"] == 1)
    assert (passed["options"], passed["not_told"]) == (None, True)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_below_the_table_a_seat_reads_what_it_has_seen(language):
    page = seen(move="1", seat="1", language=language)
    text = shown(page)
    assert ">♣3<" in text  # his own
    assert ">♥8<" not in text  # another's, never played
    assert ">♥J<" in text  # played already
    assert ">♥Q<" not in text  # played later
    assert {"zh": "这一家看不到", "en": "not seen from this seat"}[language] in text
    assert {"zh": "现在只看", "en": "Seen by"}[language] in text
    assert '"claim"' not in text  # the record as it came
    whole = shown(seen(move="1", language=language))
    assert all(f">{card}<" in whole for card in ("♥8", "♥Q"))
    assert '"claim"' in whole


def test_the_bottom_is_read_when_the_landlord_has_it():
    before, after = (shown(seen(move=move, seat="1")) for move in ("a1", "bottom"))
    assert ">♦2<" not in before
    assert ">♦2<" in after


def test_a_finding_about_others_is_told_by_its_title_alone():
    """P401 of the landlord names what he does not hold."""
    spoilt = record(plays=record()["plays"].replace("0:SQHQCQDQ", "0:S3H3C3D3"))
    [judged] = judged_lines([json.dumps(spoilt).encode()])
    said = []
    with speaking("en"):
        for seat in (None, 0, 1):
            told = replay.told(judged, judged.hand, scenes(judged.hand), seat)
            said.append([each["message"] for scene in told["scenes"] for each in scene["findings"]])
    assert said[0] == said[1] != said[2]
    assert all("all hands open" in message for message in said[2])


def test_masked_neither_the_file_nor_the_id_is_shown():
    open_, masked = (shown(seen(**more)) for more in ({}, {"mask": "1"}))
    for word in ("secret-of-u1", ">h1<"):
        assert word in open_
        assert word not in masked


def test_a_long_name_is_cut_and_whole_on_hover():
    text = shown(seen())
    assert f'<span class="fp-who" title="{LONG} ({LONG})">{LONG}' in text


@pytest.mark.parametrize(
    ("name", "behind"),
    [
        ("老王", ""),
        ("\u202eabc", POP_EMBEDDING + POP_ISOLATE),
        ("\u202eabc\u202c", POP_ISOLATE),
        ("\u2069\u202eabc", POP_EMBEDDING),  # a name that closes what we open
        ("\u2067\u202b\u2069x", POP_ISOLATE),
        ("\u202c\u2067x", POP_ISOLATE * 2),
        ("שלום", POP_ISOLATE),
    ],
)
def test_what_a_name_turns_is_turned_back_behind_it(name, behind):
    assert isolated(name).removeprefix("\u2068") == name + behind


def test_a_name_that_turns_is_isolated_in_a_list_to_choose_from():
    assert player_name({"u3": "\u202eu3"}, "u3") == "\u2068\u202eu3\u202c\u2069 (u3)"
    assert player_name({"u3": "老王"}, "u3") == "老王 (u3)"
    assert player_name({}, "u3") == "u3"


def test_a_name_that_turns_is_isolated_on_the_page():
    text = "".join(each.value for each in seen(seat="2").get("html"))
    assert text.count("\u202e") == text.count("\u202eu3\u202c\u2069") > 1


# --- how the score came about, under every ruleset


@pytest.mark.parametrize(
    ("rules", "language"), [*((name, "zh") for name in builtin_names()), ("rlcard", "en"), ("botzone-v1", "en")]
)
def test_a_score_is_a_product_or_a_sentence_says_how_it_came_about(rules, language):
    judged = next(each for each in played(rules, 9) if each.verdict.outcome in ("landlord", "farmers"))
    scores = judged.verdict.scores

    def page():
        import streamlit as st

        from dashboard.hand_view import _score

        _score(st.session_state["judged"].verdict, st.session_state["judged"].hand)

    shown_score = AppTest.from_function(page, default_timeout=30)
    shown_score.session_state["judged"], shown_score.session_state["lang"] = judged, language
    text = shown(shown_score.run())
    assert ("fp-unit" in text) == (rules not in ("rlcard", "botzone-v1"))
    if rules == "rlcard":
        assert TEXTS["hand.win_loss"][language == "en"] in text
    if rules == "botzone-v1":
        assert TEXTS["hand.pattern_points"][language == "en"] in text
        for seat, score in enumerate(scores):
            won = 2000 if seat in judged.verdict.winners else 0
            assert f"{won:,} + " in text
            assert f" {score - won:,} = {score:,}" in text
