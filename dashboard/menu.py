"""The table of screens: which there are, in which group of the menu, with which icon. Draws nothing.

A screen is ``screens/NAME.py``, its address ends in ``/NAME``, its title is the text ``NAME``.
"""

SCREENS: dict[str, tuple[tuple[str, str], ...]] = {
    "menu.store": (("overview", "monitoring"), ("hands", "playing_cards"), ("questions", "manage_search")),
    "menu.review": (("audit", "fact_check"), ("hand", "")),
    "menu.people": (
        ("player", "person"),
        ("compare", "compare_arrows"),
        ("strategy", "insights"),
        ("spots", "travel_explore"),
    ),
    "menu.integrity": (("integrity", "policy"), ("findings", "rule")),
    "menu.law": (("statistics", "query_stats"), ("rules", "gavel"), ("rulebook", "menu_book")),
}
"""Every screen with its icon, in the groups and the order of the menu.

What has no icon is reached from other screens.
"""
FIRST = next(iter(SCREENS.values()))[0][0]
"""The screen where one enters: the bare address leads to it as well as its name."""
