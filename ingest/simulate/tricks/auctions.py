"""Falling auctions: how low each seat would go, what it says, which trump it names, which cards it buries.

What may be said is asked of ``ingest.rules.falling``; only what is said is decided here.
"""

from collections.abc import Sequence
from random import Random

from ingest.cards import FACES
from ingest.record import PASS, read_calls
from ingest.rules.falling import Falling, run_falling
from ingest.rules.ruleset import TrickRuleset
from ingest.rules.suits import (
    TRUMPS,
    Faces,
    fixed_trump_count,
    number_of_cards,
    number_of_pairs,
    numbers,
    points_in,
    suits_of,
)
from ingest.simulate.auctions import Word, text_of

NEVER = 1000
"""The limit of a seat that doesn't want the bank."""

OPENINGS = ((0.16, 55), (0.24, 50), (0.32, 5))
"""How readily somebody opens with 插, directly at 50, or ends the auction at once."""


def limits_of(hands: Sequence[Faces], boldness: Sequence[float], rules: TrickRuleset, rng: Random) -> list[int]:
    """For each seat the lowest bid at which it would play."""
    return [_limit(hand, bold, rules, rng) for hand, bold in zip(hands, boldness, strict=True)]


def _limit(hand: Faces, bold: float, rules: TrickRuleset, rng: Random) -> int:
    trumps = max(number_of_cards(hand & suits_of(rules, suit).masks[TRUMPS]) for suit in "SHCD")
    worth = trumps + number_of_pairs(hand) / 2 + 3 * bold + rng.uniform(-4, 4)
    return NEVER if worth < 13 else max(rules.bid.min, rules.bid.first_max - 5 * int((worth - 13) * 1.3))


def auction(
    rules: TrickRuleset, first: int, hands: Sequence[Faces], limits: Sequence[int], rng: Random
) -> tuple[Word, ...]:
    """Everything that is said, passes included."""
    said: tuple[Word, ...] = ()
    while (turn := _turn(said, first, hands, rules)) is not None:
        possible = [word for word in _words(turn, rules) if not _codes((*said, word), first, hands, rules)]
        said = (*said, _say(possible, limits[turn], opens=all(word.what == PASS for word in said), rng=rng))
    return said


def held(said: Sequence[Word], first: int, hands: Sequence[Faces], rules: TrickRuleset) -> Falling:
    """What the rules say of an auction, complete or not."""
    return run_falling(read_calls(text_of(said)), first, hands, rules)


def _codes(said: Sequence[Word], first: int, hands: Sequence[Faces], rules: TrickRuleset) -> set[str]:
    """What is wrong with the last word."""
    return {finding.code for finding in held(said, first, hands, rules).findings if finding.index == len(said) - 1}


def _turn(said: tuple[Word, ...], first: int, hands: Sequence[Faces], rules: TrickRuleset) -> int | None:
    """Who is to speak; None when the auction is over. A pass owed for a bid (A307) is still a pass in turn."""
    seats = range(rules.deal.players)
    return next((seat for seat in seats if _codes((*said, Word(seat, PASS)), first, hands, rules) <= {"A307"}), None)


def _words(seat: int, rules: TrickRuleset) -> list[Word]:
    """A pass, and every bid from the highest down."""
    bids = range(rules.bid.first_max, rules.bid.min - 1, -rules.bid.step)
    return [Word(seat, PASS), *(Word(seat, str(bid)) for bid in bids)]


def _say(possible: Sequence[Word], limit: int, *, opens: bool, rng: Random) -> Word:
    """A bid that is not below the limit; where none is, a pass, or the highest bid if one is owed."""
    bids = [word for word in possible if word.what != PASS]
    forced = len(bids) == len(possible)
    if opens and (forced or limit != NEVER):
        mood = rng.random()
        for share, bid in OPENINGS:
            direct = [word for word in bids if word.what == str(bid)]
            if mood < share and direct and (bid == 55 or limit <= bid + 50):
                return direct[0]
    wanted = [word for word in bids if int(word.what) >= limit]
    if wanted:
        return wanted[0] if rng.random() < 0.7 else rng.choice(wanted)
    return bids[0] if forced else possible[0]


def trump_of(whole: Faces, rules: TrickRuleset, rng: Random) -> str:
    """The trump that a landlord names who holds these cards: his longest suit, now and then none."""
    choices = [suit for suit in rules.trump_choice if suit != "NT"]
    lengths = {suit: number_of_cards(whole & suits_of(rules, suit).masks[TRUMPS]) for suit in choices}
    if "NT" in rules.trump_choice and rng.random() < (0.25 if fixed_trump_count(whole, rules) > 9 else 0.08):
        return "NT"
    return max(choices, key=lambda suit: lengths[suit] + rng.random())


def bury(whole: Faces, trump: str, rules: TrickRuleset, rng: Random) -> Faces:
    """The cards that a landlord buries: side cards, the low ones or those with points, short suits first."""
    suits, safe = suits_of(rules, trump), rng.random() < 0.6
    worth = {}
    for number in numbers(whole):
        one = 1 << 2 * number
        suit = next(name for name, mask in suits.masks.items() if one & mask)
        points = points_in(one, rules)
        worth[number] = (
            (40 if suit == TRUMPS else 0)
            + number_of_cards(whole & suits.masks[suit])
            + suits.levels[number]
            + (3 * points if safe else -points)
            + (4 if whole >> 2 * number & 2 else 0)
            + 3 * rng.random()
        )
    cards = [number for number in sorted(worth, key=worth.__getitem__) for _ in range(whole >> 2 * number & 3)]
    return sum(1 << 2 * number for number in cards[: rules.deal.bottom])


def faces_of_cards(cards: Sequence[str]) -> Faces:
    """Cards by face."""
    return sum(1 << 2 * FACES.index(card) for card in cards)
