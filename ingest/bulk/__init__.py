"""The fast path: proves ordinary hands clean by the thousand; whatever it is not sure of goes to the audit.

Knows no rule of combinations: what may follow what enters as a table that ``ingest.rules`` fills. It may be narrow,
never lenient.
"""

from ingest.bulk.course import Engine
from ingest.bulk.judging import Telling, available, judge_all, warm_up
from ingest.bulk.loaded import fewest_plays, turned
from ingest.bulk.reported import Verdicts
from ingest.bulk.whole import Way, audit_logs

__all__ = [
    "Engine",
    "Telling",
    "Verdicts",
    "Way",
    "audit_logs",
    "available",
    "fewest_plays",
    "judge_all",
    "turned",
    "warm_up",
]
