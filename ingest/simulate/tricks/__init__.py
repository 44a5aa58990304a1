"""Lawful random hands of 三打哈: deal, falling auction, buried cards, tricks, surrender.

Knows how people play. What they may do and what it is worth is asked of ``ingest.rules`` and ``ingest.audit_tricks``.
"""

from ingest.simulate.tricks.hands import trick_hand

__all__ = ["trick_hand"]
