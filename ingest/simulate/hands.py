"""Lawful hands: a record from the deal to the claim, and a stream of them, table by table.

What a hand is worth is asked of ``ingest.audit``; nothing is settled here.
"""

from collections.abc import Iterator, Sequence
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from ingest.audit import Hand, examine
from ingest.audit_tricks import TrickHand
from ingest.batch import counts_voids
from ingest.record import Record, write_record
from ingest.rules.auction import hold_auction
from ingest.rules.ruleset import AnyRuleset, Ruleset, TrickRuleset
from ingest.simulate.auctions import Word, appetites, auction, text_of
from ingest.simulate.claims import claimed
from ingest.simulate.clock import Clock, moves_text
from ingest.simulate.deals import Deal, Opening, deal, opening
from ingest.simulate.players import Play, play_out, seat_of
from ingest.simulate.spoilers import spoil
from ingest.simulate.tables import Sitting, Table, anywhere, next_table, open_room, settle_table, sit_down
from ingest.simulate.tricks import trick_hand

ESCAPES = 0.05
"""How often somebody leaves, where the rules know of that."""

OPENS = 0.1
"""How often the landlord plays with open cards, where he may."""

ABSENCES = 0.03
"""How often one side's connection is lost (托管): it passes whenever it may, which makes springs."""

VOIDS = 0.05
"""How often nobody wants to be landlord; after a void hand, where that counts for something, every second time."""


class Story(Struct, frozen=True):
    """What happened in a hand, before it is written down."""

    dealt: Deal
    opening: Opening
    said: Sequence[Word]
    landlord: int | None
    named: bool
    """Whether the record names the landlord, because there was no auction."""
    taken: tuple[str, ...]
    plays: Sequence[Play]
    opened: bool
    end: str | None


def hands(
    rules: AnyRuleset, number: int, *, seed: int = 0, faults: float = 0.0, rules_name: str | None = None
) -> Iterator[bytes]:
    """Lines of a Fupan log, without newlines: lawful hands, a share of them spoilt in one way each.

    The same arguments give the same bytes on every machine; another share of faults leaves the sound lines as they are.
    """
    rng, spoiling = Random(f"{rules.name}:{seed}"), Random(f"{rules.name}:{seed}:faults")
    room = open_room(rules, rng)
    for index in range(number):
        table = next_table(room, rng)
        hand = _hand_at(table, f"{rules.name}-{seed}-{index:06}", rules_name or rules.name, rules, rng)
        spoilt = spoil(hand, spoiling) if spoiling.random() < faults else None
        yield spoilt or write_record(hand.record)
        settle_table(room, table, hand, rng)


def _hand_at(table: Table, identity: str, name: str, rules: AnyRuleset, rng: Random) -> Hand | TrickHand:
    weary = 0.5 if table.voids and counts_voids(rules) else VOIDS
    return _hand(sit_down(table, identity, name), rules, rng, timid=rng.random() < weary)


def lawful(rules: AnyRuleset, rng: Random, sitting: Sitting | None = None, *, timid: bool = False) -> Record:
    """One lawful record; ``sitting`` is what is known before the cards; ``timid``: nobody wants to be landlord."""
    return _hand(sitting or anywhere(rules, rng), rules, rng, timid=timid).record


def _hand(sitting: Sitting, rules: AnyRuleset, rng: Random, *, timid: bool) -> Hand | TrickHand:
    """A hand with its claim."""
    if isinstance(rules, TrickRuleset):
        return claimed(trick_hand(sitting, rules, rng, timid=timid), rng)
    return claimed(_examined(sitting, rules, rng, timid=timid), rng)


def _examined(sitting: Sitting, rules: Ruleset, rng: Random, *, timid: bool) -> Hand:
    """A hand without a claim, audited; played anew where it went beyond a limit that the ruleset enforces (E-Q6)."""
    while True:
        hand = examine(_write_down(_live(sitting, rules, rng, timid=timid), sitting, rules, rng), rules)
        if not any(finding.enforced for finding in hand.findings):
            return hand


def _live(sitting: Sitting, rules: Ruleset, rng: Random, *, timid: bool) -> Story:
    """Deal, auction, play."""
    dealt = deal(rules, rng)
    start = opening(dealt, rules, rng)
    auctioned = rules.auction.type != "none" and not (rules.auction.optional is True and rng.random() < 0.5)
    said = _said(dealt, start, sitting, rules, rng, timid=timid) if auctioned else ()
    landlord = _elected(said, start, sitting, rules) if auctioned else _named(rules, rng)
    taken = _taken(dealt.bottom, rules, rng)
    plays = [] if landlord is None else _play(dealt, taken, landlord, sitting, rules, rng)
    opened = landlord is not None and rules.open.enabled and rng.random() < OPENS
    end = "void" if landlord is None else None
    story = Story(dealt, start, said, landlord, not auctioned, taken, plays, opened, end)
    return _escape(story, rules, rng) if plays and rules.escape.enabled and rng.random() < ESCAPES else story


def _escape(story: Story, rules: Ruleset, rng: Random) -> Story:
    """Somebody leaves during the play, or now and then during the auction (E-R23, E-R24, E-Q16)."""
    end = f"escape:{rng.randrange(rules.deal.players)}"
    if rng.random() < 0.9:
        return replace(story, plays=story.plays[: rng.randrange(len(story.plays))], end=end)
    return replace(story, plays=[], opened=False, said=story.said[: rng.randrange(len(story.said) + 1)], end=end)


def _said(
    dealt: Deal, start: Opening, sitting: Sitting, rules: Ruleset, rng: Random, *, timid: bool
) -> tuple[Word, ...]:
    wanted = [0.0] * rules.deal.players if timid else appetites(dealt.hands, sitting.boldness, rules.deal.packs)
    return auction(rules, start.speaker, wanted, rng)


def _elected(said: Sequence[Word], start: Opening, sitting: Sitting, rules: Ruleset) -> int | None:
    return hold_auction(text_of(said), start.speaker, rules, sitting.voids).landlord


def _named(rules: Ruleset, rng: Random) -> int:
    """The landlord of a game without an auction (BV-R1, RL-R1, DZ-R1, B-Q1)."""
    return 0 if rules.auction.landlord == "seat0" else rng.randrange(rules.deal.players)


def _taken(bottom: tuple[str, ...], rules: Ruleset, rng: Random) -> tuple[str, ...]:
    """What the landlord takes of the bottom: all of it, or what he likes (B-R5)."""
    if rules.deal.bottom_take == "all":
        return bottom
    share = rng.choice((0.0, 0.5, 0.8, 1.0))
    return tuple(card for card in bottom if rng.random() < share)


def _play(
    dealt: Deal, taken: tuple[str, ...], landlord: int, sitting: Sitting, rules: Ruleset, rng: Random
) -> list[Play]:
    absent = rng.choice(("landlord", "farmers")) if rng.random() < ABSENCES else ""
    seats = [
        seat_of((*hand, *taken), sitting.boldness[seat], absent=absent == "landlord")
        if seat == landlord
        else seat_of(hand, sitting.boldness[seat], absent=absent == "farmers")
        for seat, hand in enumerate(dealt.hands)
    ]
    return play_out(seats, landlord, rules, rng)


def _write_down(story: Story, sitting: Sitting, rules: Ruleset, rng: Random) -> Record:
    dealt, subset = story.dealt, rules.deal.bottom_take == "subset" and story.landlord is not None
    clock = Clock(rng) if rng.random() < 0.5 else None
    return Record(
        id=sitting.id,
        rules=sitting.rules,
        table=sitting.table,
        at=sitting.at,
        base=sitting.base,
        voids=sitting.voids,
        players=list(sitting.players),
        hands=["".join(hand) for hand in dealt.hands],
        bottom="".join(dealt.bottom),
        dead="".join(dealt.dead) if dealt.dead else None,
        marker=None if story.named else story.opening.marker,
        first=None if story.named else story.opening.first,
        auction=moves_text([(word.seat, word.what) for word in story.said], clock) or None,
        landlord=story.landlord if story.named else None,
        taken="".join(story.taken) if subset else None,
        open=story.opened,
        plays=moves_text([(play.seat, play.what) for play in story.plays], clock),
        end=story.end,
        tags={"deal_mode": dealt.mode},
    )
