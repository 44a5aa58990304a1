"""Who pays otherwise than each loser the unit, and how the page and the report of a hand say so."""

import json

import pytest

from dashboard import report_page
from dashboard.derivation import Payment, left, short
from dashboard.upload import Audit, Upload
from ingest.audit import examine
from ingest.faults.decoding import in_chinese
from ingest.hand import verdict_of
from ingest.record import read_record
from ingest.rules.ruleset import load_any
from tests.test_dashboard import at, log, record, shown, store, uploaded  # noqa: F401
from tests.test_dashboard import loaded as loaded

PLAYS = "0:SJHJCJDJ 1:- 2:-"


def of_platform(balances=(None, None, None), **changes):
    """Base 10, bid 3, four bombs and the rocket: with a spring each farmer owes 10 × 3 × 2⁶ = 1920."""
    players = [
        {"id": f"u{seat}", "name": f"u{seat}"} | ({} if has is None else {"balance": has})
        for seat, has in enumerate(balances)
    ]
    told = record("p") | {"rules": "platform-full", "base": 10, "players": players} | changes
    return told if "claim" in changes else {key: value for key, value in told.items() if key != "claim"}


def audited(told):
    hand = examine(read_record(json.dumps(told).encode())[0], load_any(told["rules"]))
    return verdict_of(hand, "x", 1), hand


def test_where_everybody_has_enough_nobody_is_short():
    assert short(*audited(of_platform((5000, 1920, 1920)))) == []
    assert short(*audited(of_platform())) == []


def test_a_farmer_who_has_less_pays_what_he_has():
    verdict, hand = audited(of_platform((5000, 500, 0)))
    assert verdict.unit == 1920, "spring too"
    assert short(verdict, hand) == [Payment(1, 1920, 500, 500, "E-R25"), Payment(2, 1920, 0, 0, "E-R25")]


def test_a_landlord_who_leaves_pays_equal_shares_of_what_he_has():
    verdict, hand = audited(of_platform((101, 500, 500), plays=PLAYS, end="escape:0"))
    [payment] = short(verdict, hand)
    assert (payment.seat, payment.has, payment.paid, payment.clause) == (0, 101, 100, "E-R26")
    assert payment.due == 2 * verdict.unit
    assert left(verdict, hand) == (0, {1: verdict.unit, 2: verdict.unit}, "E-R23")


def test_a_farmer_who_leaves_owes_the_landlord_twice_as_much():
    verdict, hand = audited(of_platform((500, 500, 7), plays=PLAYS, end="escape:2"))
    assert left(verdict, hand) == (2, {0: 2 * verdict.unit, 1: verdict.unit}, "E-R24")
    assert short(verdict, hand) == [Payment(2, 3 * verdict.unit, 7, 6, "E-R27")]


def test_nobody_left_who_stayed():
    assert left(*audited(of_platform())) is None


def test_the_page_of_a_hand_says_who_pays_less(store):  # noqa: F811
    text = shown(at(uploaded(log(of_platform((5000, 500, 0)))), 1))
    assert "u1 应付 1,920，手中只有 500，实付 500；对方只得实付之数（E-R25）" in text
    text = shown(at(uploaded(log(of_platform(plays=PLAYS, end="escape:2"))), 1))
    assert "u2 中途离开，应付：u0 " in text
    assert "（E-R24）" in text


def test_the_report_shows_no_product_that_is_none():
    """The base is not in a verdict: 3 × 64 is not 1920."""
    noted = of_platform(claim={"scores": [1, -1, 0]})
    page = report_page.html(Audit(Upload("x.jsonl", log(noted))), "en").decode()
    assert "bid 3 · multiplier 64 (bomb 16, rocket 2, spring 2) · unit 1,920" in page


@pytest.mark.parametrize(
    ("said", "chinese"),
    [
        ("Expected `str` of length <= 128", "应为文字，长度不超过 128"),
        ("Expected `int` >= 1", "应为整数，>= 1"),
        ("Expected `int | null`, got `str`", "应为整数或空值，而不是文字"),
        ("JSON is malformed: invalid character (byte 12)", "JSON 不合语法，第 12 字节处（invalid character）"),
        ("Input data was truncated", "内容不完整，中途断了"),
        ("something else", "something else"),
    ],
)
def test_what_a_decoder_says_is_said_in_chinese(said, chinese):
    assert in_chinese(said) == chinese
