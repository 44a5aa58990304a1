"""Questions about cards, as ``fupan rules`` and the screen of rules ask them, answered by hand."""

import pytest

from ingest.rules.asked import Refused, beaten, cards_of, readings_of
from ingest.rules.combinations import ReadingName
from ingest.rules.ruleset import load_any


def said(reading: ReadingName | None) -> str | None:
    return None if reading is None else f"{reading.name} {reading.length} {reading.rank}"


@pytest.mark.parametrize(
    ("rules", "cards", "trump", "expected"),
    [
        ("classic", "333444555666", None, ["trio_chain 4 6", "plane1 3 6", "plane1 3 5"]),
        ("classic", "S3H3", None, ["pair 1 3"]),
        ("classic", "34", None, []),
        ("classic", "33333", None, []),
        ("classic", "S3S3", None, []),  # not in one pack
        ("emperor", "S3S3", None, ["pair 1 3"]),
        ("sandaha", "C5C5C6C6", "C", ["tractor 2 6"]),
        ("sandaha", "HAHK", "NT", []),
        ("sandaha", "C2S2", "C", ["throw 2 2"]),
    ],
)
def test_what_cards_are(rules: str, cards: str, trump: str | None, expected: list[str]):
    """U-R9, F-R8 … F-R11."""
    assert [said(reading) for reading in readings_of(cards, load_any(rules), trump)] == expected


@pytest.mark.parametrize(
    ("rules", "cards", "standing", "trump", "expected"),
    [
        ("classic", "4", "3", None, (True, "solo 1 4", "solo 1 3")),
        ("classic", "3", "4", None, (False, "solo 1 3", "solo 1 4")),
        ("classic", "34", "4", None, (False, None, "solo 1 4")),
        ("classic", "S3S3", "44", None, (False, None, "pair 1 4")),
        ("classic", "777888999345", "333444555666", None, (True, "plane1 3 9", "trio_chain 4 6")),
        ("classic", "777888999TTT", "333444555678", None, (True, "plane1 3 T", "plane1 3 5")),
        ("classic", "BR", "2222", None, (True, "rocket 1 R", "bomb 1 2")),
        ("sandaha", "HA", "HK", "C", (True, "single 1 A", "single 1 K")),
        ("sandaha", "HK", "HA", "C", (False, "single 1 K", "single 1 A")),
        ("sandaha", "C5", "HA", "C", (True, "single 1 5", "single 1 A")),
        ("sandaha", "C5", "HA", "S", (False, "single 1 5", "single 1 A")),
        ("sandaha", "HASA", "HKHK", "C", (False, None, "pair 1 K")),
    ],
)
def test_what_may_be_played_on_what(
    rules: str, cards: str, standing: str, trump: str | None, expected: tuple[bool, str | None, str | None]
):
    """U-R4, U-R10, F-R25."""
    found = beaten(cards, standing, load_any(rules), trump)
    assert (found.beats, said(found.reading), said(found.standing)) == expected


@pytest.mark.parametrize(
    ("rules", "cards", "standing", "trump", "told"),
    [
        ("classic", "3", "34", None, "34: no combination"),
        ("classic", "3", "44444", None, "44444: no combination"),
        ("classic", "3", "4", "S", "--trump: classic has no trump suit"),
        ("classic", "3X", "4", None, "3X: 'X' is no card"),
        ("classic", "3", "4X", None, "4X: 'X' is no card"),
        ("sandaha", "HA", "HASA", "C", "HASA: no combination"),
        ("sandaha", "HA", "HK", None, "--trump: one of S, H, C, D, NT"),
        ("sandaha", "HA", "HK", "X", "--trump: one of S, H, C, D, NT"),
        ("sandaha", "A", "HK", "C", "A: here every card needs its suit"),
        ("sandaha", "HA", "K", "C", "K: here every card needs its suit"),
    ],
)
def test_what_is_no_question(rules: str, cards: str, standing: str, trump: str | None, told: str):
    with pytest.raises(Refused) as refused:
        beaten(cards, standing, load_any(rules), trump)
    assert refused.value.args == (told,)


def test_readings_are_asked_for_alike():
    for rules, cards, trump in (("classic", "3", "S"), ("sandaha", "HA", None), ("sandaha", "A", "C")):
        with pytest.raises(Refused):
            readings_of(cards, load_any(rules), trump)
    assert cards_of("S3").suited
