"""A player beside his peers, two players side by side, and the chapters of the list of statistics."""

import pandas as pd
import pytest

from analysis.catalogue import statistics
from analysis.chapters import CHAPTERS, INTEGRITY, OTHER, chapter, is_screen, place
from analysis.intervals import difference, wilson
from analysis.profile import contrast, measures, standing


def rates(**players: tuple[int, int]) -> pd.DataFrame:
    rows = [(name, part, whole, part / whole, *wilson(part, whole)) for name, (part, whole) in players.items()]
    return pd.DataFrame(rows, columns=["group", "part", "whole", "rate", "low", "high"])


def means(**players: tuple[float, int, float | None]) -> pd.DataFrame:
    rows = [(name, mean * whole, whole, mean, error) for name, (mean, whole, error) in players.items()]
    return pd.DataFrame(rows, columns=["group", "total", "whole", "mean", "error"])


FOUR = rates(a=(50, 100), b=(60, 100), c=(60, 120), d=(9, 10))


def test_a_place_is_the_share_of_the_peers_below_ties_half():
    """Peers of a are b and c: b is above, c is equal; d's sample is too small to be a peer."""
    found = standing("win_rate", FOUR, "a")
    assert (found.place, found.peers, found.few) == (0.25, 3, False)
    assert standing("win_rate", FOUR, "b").place == 1.0
    assert found.everybody == pytest.approx(179 / 330)


def test_a_small_sample_has_no_place():
    found = standing("win_rate", FOUR, "d")
    assert (found.place, found.few, found.value) == (None, True, 0.9)
    assert standing("win_rate", FOUR, "nobody") is None


def test_a_player_without_peers_has_no_place():
    assert standing("win_rate", rates(a=(50, 100)), "a").place is None


def test_the_interval_of_a_mean_is_that_of_its_error():
    found = standing("score", means(a=(2.0, 100, 0.5), b=(1.0, 1, None)), "a")
    assert (found.low, found.high) == pytest.approx((1.0200180, 2.9799820))
    assert standing("score", means(b=(1.0, 1, None)), "b").low is None


def test_the_difference_of_two_rates_has_newcombes_interval():
    """Newcombe 1998, table II, contrast (a): 56/70 and 48/80, method 10."""
    assert difference((56, 70), (48, 80)) == pytest.approx((0.2, 0.0524, 0.3339), abs=5e-5)
    assert difference((0, 10), (0, 20))[0] == 0
    with pytest.raises(ValueError, match="0 among 0"):
        difference((0, 0), (1, 2))


def test_two_players_side_by_side():
    found = contrast("win_rate", FOUR, "b", "a")
    assert found.difference == pytest.approx(0.1)
    assert found.low < 0 < found.high
    assert contrast("win_rate", FOUR, "a", "nobody") is None
    apart = contrast("score", means(a=(2.0, 100, 0.3), b=(1.0, 90, 0.4)), "a", "b")
    assert (apart.difference, apart.low, apart.high) == pytest.approx((1.0, 0.0200180, 1.9799820))


def test_every_statistic_has_a_chapter():
    found = {name: chapter(each) for name, each in statistics().items()}
    assert set(found.values()) <= {*CHAPTERS, INTEGRITY, OTHER}
    assert [found[name] for name in ("win_rate", "call_rate", "gate_rate", "ratings", "integrity_strength")] == [
        "results",
        "bidding",
        "play",
        "ratings",
        INTEGRITY,
    ]
    assert found["first_speaker_landlord"] == OTHER, "4.3 is a table of the list"
    assert all(is_screen(statistics()[name]) for name in ("repeated_deals", "integrity_deals"))


def test_measures_of_a_profile_stand_in_the_order_of_the_list():
    names = measures()
    assert names.index("win_rate") < names.index("call_rate") < names.index("gate_rate")
    assert names == sorted(names, key=lambda name: place(statistics()[name]))
    assert "lead_types" not in names
    assert "first_words" not in names
