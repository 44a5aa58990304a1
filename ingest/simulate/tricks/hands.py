"""A lawful hand of 三打哈: a record from the deal to the last trick, audited.

What a hand is worth is asked of ``ingest.audit_tricks``; nothing is settled here.
"""

from collections.abc import Sequence
from random import Random

from msgspec import Struct

from ingest.audit_tricks import TrickHand, examine_tricks
from ingest.record import Record
from ingest.rules.falling import Falling
from ingest.rules.ruleset import TrickRuleset
from ingest.rules.suits import Faces, cards_text, fixed_trump_count
from ingest.rules.tricks import table_of
from ingest.simulate.auctions import Word
from ingest.simulate.clock import Clock, moves_text
from ingest.simulate.deals import Deal
from ingest.simulate.players import Play
from ingest.simulate.tables import Sitting
from ingest.simulate.tricks.auctions import NEVER, auction, bury, faces_of_cards, held, limits_of, trump_of
from ingest.simulate.tricks.deals import deal
from ingest.simulate.tricks.players import Round, play_out

SURRENDERS = 0.06
FORCED_SURRENDERS = 0.4
"""How often a landlord gives up, and how often one who was forced to bid."""


class Story(Struct, frozen=True):
    """What happened in a hand, before it is written down."""

    dealt: Deal
    first: int
    said: Sequence[Word]
    end: str | None = None
    trump: str | None = None
    buried: Faces | None = None
    plays: Sequence[Play] = ()


def trick_hand(sitting: Sitting, rules: TrickRuleset, rng: Random, *, timid: bool) -> TrickHand:
    """A hand without a claim, audited; ``timid``: nobody wants to be landlord."""
    return examine_tricks(_write_down(_live(sitting, rules, rng, timid=timid), sitting, rng), rules)


def _live(sitting: Sitting, rules: TrickRuleset, rng: Random, *, timid: bool) -> Story:
    """Deal, auction, trump and bottom, play."""
    dealt = deal(rules, rng)
    faces = [faces_of_cards(hand) for hand in dealt.hands]
    first = rng.randrange(rules.deal.players) if sitting.first is None else sitting.first
    limits = limits_of(faces, sitting.boldness, rules, rng)
    said = auction(rules, first, faces, [NEVER] * len(faces) if timid else limits, rng)
    result = held(said, first, faces, rules)
    landlord = result.landlord
    if landlord is None:
        return Story(dealt, first, said, end="void")
    if rules.surrender.window != "off" and rng.random() < _despair(faces[landlord], limits[landlord], result, rules):
        return _surrender(Story(dealt, first, said, end="surrender"), rules, rng)
    whole = faces[landlord] + faces_of_cards(dealt.bottom)
    trump = trump_of(whole, rules, rng)
    buried = bury(whole, trump, rules, rng)
    holding: list[Faces | None] = [whole - buried if seat == landlord else hand for seat, hand in enumerate(faces)]
    savers = frozenset(seat for seat in range(len(faces)) if rng.random() < 0.5)
    plays = play_out(Round(table_of(rules, trump, landlord), holding, sitting.boldness, savers, rng))
    return Story(dealt, first, said, None, trump, buried, plays)


def _despair(hand: Faces, limit: int, result: Falling, rules: TrickRuleset) -> float:
    """How likely a landlord gives up: rather when he had to bid lower than he wanted."""
    forced = result.opener is not None and fixed_trump_count(hand, rules) >= rules.forced_bid.count
    return FORCED_SURRENDERS if forced and result.bid < limit else SURRENDERS


def _surrender(story: Story, rules: TrickRuleset, rng: Random) -> Story:
    """Nothing is played; the record may already say what was buried."""
    if rng.random() < 0.7:
        return story
    bottom = faces_of_cards(story.dealt.bottom)
    return Story(story.dealt, story.first, story.said, story.end, rng.choice(rules.trump_choice), bottom)


def _write_down(story: Story, sitting: Sitting, rng: Random) -> Record:
    dealt = story.dealt
    clock = Clock(rng) if rng.random() < 0.5 else None
    return Record(
        id=sitting.id,
        rules=sitting.rules,
        table=sitting.table,
        at=sitting.at,
        base=sitting.base,
        players=list(sitting.players),
        hands=[cards_text(faces_of_cards(hand)) for hand in dealt.hands],
        bottom=cards_text(faces_of_cards(dealt.bottom)),
        first=story.first,
        auction=moves_text([(word.seat, word.what) for word in story.said], clock) or None,
        trump=story.trump,
        buried=None if story.buried is None else cards_text(story.buried),
        plays=moves_text([(play.seat, play.what) for play in story.plays], clock),
        end=story.end,
        tags={"deal_mode": dealt.mode},
    )
