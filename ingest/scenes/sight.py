"""What one seat sees of a hand: its own cards, what lies on the table, what the rules show to everybody.

Knows who sees the bottom and an open hand. What was played is seen by all; judges nothing.
"""

from msgspec.structs import replace

from ingest.hand import Story
from ingest.rules.ruleset import Ruleset
from ingest.scenes.scene import Scene


def seen_by(scene: Scene, seat: int, hand: Story) -> Scene:
    """A scene without what this seat cannot know: the cards of others, and what they could have played."""
    acted, own = scene.seat == seat, {seat} | _open_seats(scene, hand)
    hands = [cards if place in own else None for place, cards in enumerate(scene.hands)]
    cards = scene.cards if scene.phase != "bottom" or sees_bottom(seat, hand) else None
    options = scene.options if acted else None
    return replace(scene, hands=hands, cards=cards, options=options, more=acted and scene.more)


def _open_seats(scene: Scene, hand: Story) -> set[int]:
    """E-R17: after 摊打 the landlord's cards are seen by all, from his first play on."""
    opened = hand.record.open and isinstance(hand.rules, Ruleset) and hand.rules.open.enabled
    return {hand.landlord} if opened and scene.phase == "play" and hand.landlord is not None else set()


def sees_bottom(seat: int, hand: Story) -> bool:
    """Whether a seat comes to know the bottom, or what was buried of it."""
    shown = hand.rules.deal.bottom_shown
    return hand.landlord is not None and (shown == "all" or (shown == "landlord" and seat == hand.landlord))
