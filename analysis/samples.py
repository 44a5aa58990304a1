"""What the numbers of an answer rest on, where it is not told by the columns ``whole``, ``entries`` or ``hands``.

Knows names of statistics and of their columns. Refuses to know what any of them computes.
"""

from collections.abc import Mapping

ROWS: Mapping[str, str] = {
    "bombs_by_cards_left": "bombs", "deal_modes": "hands", "decision_times": "hands", "same_deal": "deals",
    "schedule": "hands", "volatility": "hands",
}  # fmt: skip
"""The count below which a whole row says little."""
CELLS: Mapping[str, Mapping[str, str]] = {
    "bidding_discipline": {"missed_rate": "strong", "weak_rate": "calls"},
    "bombs_by_cards_left": {"rate": "decided"},
    "bottoms_taken": {"won": "taken"},
    "duplicate_datum": {"mean": "deals", "capped": "deals", "rate": "deals"},
    "lengths": {"seconds": "timed"},
    "role_neutral_win_rate": {"landlord_rate": "landlord_hands", "farmer_rate": "farmer_hands"},
    "sessions": {"rate": "sessions", "hands_per_session": "sessions", "minutes": "sessions"},
    "strength_and_outcome": {"call_rate": "words", "rate": "landlords"},
    "table_mates": {"rate": "own"},
    "tilt": {"mean_else": "others", "after_rate": "turns_after", "else_rate": "turns_else"},
}
"""The count below which one number says little, by column, where it is another than that of its row.

``verdicts`` has neither: its shares are of all entries of a ruleset, which no row says.
"""
