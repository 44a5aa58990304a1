"""What players of the climbing games could do and did, told from audited hands for the statistics.

Judges nothing: what was legal is asked of the rules, what happened of the audit.
"""

from ingest.conduct.counts import Counts, counted
from ingest.conduct.spoken import Spoken, spoken
from ingest.conduct.strength import Shed, Strength, bombs_in, strength
from ingest.conduct.turns import Turn, turns

__all__ = ["Counts", "Shed", "Spoken", "Strength", "Turn", "bombs_in", "counted", "spoken", "strength", "turns"]
