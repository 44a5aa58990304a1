"""Screens of the deal, by name. Knows which there are; what each looks for stands beside it."""

from analysis.deal_repeats import REPEATED_DEALS
from analysis.deal_screens import DEAL_TESTS, INTEGRITY_DEALS
from analysis.dealt_strength import DEALT_STRENGTH
from analysis.screens import Screen

SCREENS: dict[str, Screen] = {
    screen.name: screen for screen in (INTEGRITY_DEALS, DEAL_TESTS, REPEATED_DEALS, DEALT_STRENGTH)
}
"""Every screen of the deal."""
