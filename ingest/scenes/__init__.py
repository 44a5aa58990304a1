"""A hand as it is shown: one scene for the deal and for each thing that happens, of whatever game.

Told from audited hands; what nobody could judge any more is told as the log has it. Judges nothing itself.
"""

from ingest.audit import Hand
from ingest.audit_tricks import TrickHand
from ingest.hand import Story
from ingest.scenes import climbing, tricks
from ingest.scenes.scene import Option, Scene
from ingest.scenes.sight import seen_by, sees_bottom

__all__ = ["Option", "Scene", "scenes", "seen_by", "sees_bottom"]


def scenes(hand: Story) -> list[Scene]:
    """Everything that happened in a hand, one scene after another; nothing where its cards cannot be read."""
    if hand.dealt is None:
        return []
    if isinstance(hand, TrickHand):
        return list(tricks.scenes(hand))
    return list(climbing.scenes(hand)) if isinstance(hand, Hand) else []
