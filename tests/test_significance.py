"""Tail probabilities, power and corrections, against values of tables and sums made by hand."""

from math import exp, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.significance import (
    added_up,
    benjamini_hochberg,
    chi_square_p,
    chi_square_quantile,
    detectable_difference,
    hands_needed,
    holm,
    noncentral_p,
    noncentrality,
    normal_p,
    pearson,
    pooled,
    wald,
)

PS = st.lists(st.floats(0, 1), min_size=1, max_size=30)


@pytest.mark.parametrize(
    ("x", "df", "p"),
    [
        (3.841459, 1, 0.05), (7.814728, 3, 0.05), (16.918978, 9, 0.05), (16.266236, 3, 0.001), (58.124038, 42, 0.05),
        (0.351846, 3, 0.95), (0, 4, 1),
    ],
)  # fmt: skip
def test_chi_square_has_the_values_of_the_tables(x, df, p):
    assert chi_square_p(x, df) == pytest.approx(p, rel=1e-6)
    if x:
        assert chi_square_quantile(p, df) == pytest.approx(x, rel=1e-6)


@given(st.floats(0, 700))
def test_chi_square_of_two_degrees_is_an_exponential_and_of_one_a_square(x):
    assert chi_square_p(x, 2) == pytest.approx(exp(-x / 2), rel=1e-9)
    assert chi_square_p(x, 1) == pytest.approx(normal_p(sqrt(x)), rel=1e-9)


@pytest.mark.parametrize(
    ("df", "alpha", "power", "expected"),
    [(1, 0.05, 0.9, 10.5074), (3, 0.05, 0.9, 14.1715), (1, 0.05, 0.8, 7.8489), (10, 0.05, 0.9, 20.53197)],
)
def test_noncentralities_are_those_of_the_tables(df, alpha, power, expected):
    assert noncentrality(df, alpha, power) == pytest.approx(expected, abs=2e-4)
    limit = chi_square_quantile(alpha, df)
    assert noncentral_p(limit, df, expected) == pytest.approx(power, abs=1e-5)
    assert noncentral_p(limit, df, 0) == pytest.approx(alpha)


@pytest.mark.parametrize(("rate", "hands"), [(0.30, 9_667), (0.32, 1_760), (0.29, 89_764)])
def test_a_rocket_rate_is_seen_with_as_many_hands_as_the_notes_say(rate, hands):
    """Statistics.md 4.3. Its last figure was made with quantiles of four digits: 89,759 with exact ones."""
    expected = 0.28511530398322852
    sd = sqrt(expected * (1 - expected))
    assert hands_needed(sd, rate - expected) == pytest.approx(hands, rel=1e-4)
    assert detectable_difference(sd, hands) == pytest.approx(rate - expected, rel=1e-4)


def test_small_cells_join_the_next_smallest():
    assert pooled([10, 6, 5]) == [0, 1, 2]
    assert pooled([10, 1, 7, 2]) == [0, 1, 1, 1]  # 1 and 2 make 3, which joins 7
    assert pooled([10, 3, 7, 2.5]) == [0, 1, 2, 1]
    assert pooled([1, 1, 1]) == [0, 0, 0]
    assert added_up(np.array([10.0, 1, 7, 2]), [0, 1, 1, 1]).tolist() == [10, 10]


def test_pearson_is_a_walds_statistic():
    seen, expected = np.array([20.0, 30, 50]), np.array([25.0, 25, 50])
    assert pearson(seen, expected) == pytest.approx(2)
    covariance = np.diag(expected) - np.outer(expected, expected) / 100
    assert wald(seen - expected, covariance) == pytest.approx(2)


def test_corrections_of_four_tests_worked_out_by_hand():
    ps = [0.01, 0.04, 0.03, 0.005]
    assert holm(ps) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert benjamini_hochberg(ps) == pytest.approx([0.02, 0.04, 0.04, 0.02])


@given(PS)
def test_corrections_never_make_smaller_and_holm_is_the_stricter(ps):
    for p, strict, mild in zip(ps, holm(ps), benjamini_hochberg(ps), strict=True):
        assert p <= mild + 1e-12
        assert mild <= strict + 1e-12
        assert strict <= 1
