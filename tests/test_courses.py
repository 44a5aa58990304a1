"""Players' hands in order of time: as sorting them says, however many there are, and with undated ones last."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from analysis.courses import UNDATED, in_time

SEATS = st.lists(
    st.tuples(st.integers(0, 3), st.sampled_from([5, 7, 7, UNDATED]), st.integers(0, 12), st.integers(0, 2)),
    max_size=40,
    unique_by=lambda seat: seat[2:],
)


@given(SEATS, st.integers(0, 10**12))
def test_seats_stand_by_player_moment_hand_and_seat(seats, far):
    moments = {hand: began for _, began, hand, _ in seats}
    rows = [(code, moments[hand], hand, seat) for code, _, hand, seat in seats]
    columns = [np.array([row[place] for row in rows], np.int64) for place in range(4)]
    wanted = sorted(rows)
    assert [rows[place] for place in in_time(*columns)] == wanted
    columns[2] *= far + 1
    assert [rows[place] for place in in_time(*columns)] == wanted
