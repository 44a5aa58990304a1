"""Lawful random hands for every ruleset, and spoilt ones.

Knows how people play. What they may do and what it is worth is asked of ``ingest.rules`` and the audit.
"""

from ingest.simulate.hands import hands, lawful
from ingest.simulate.spoilers import DUTY_SPOILERS, SPOILERS, TRICK_SPOILERS, first_fault, spoil
from ingest.simulate.tables import Sitting

__all__ = ["DUTY_SPOILERS", "SPOILERS", "TRICK_SPOILERS", "Sitting", "first_fault", "hands", "lawful", "spoil"]
