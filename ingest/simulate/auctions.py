"""Auctions: what each seat says until a landlord is found or nobody wants to be one.

What may be said is asked of ``ingest.rules.auction``; only what is said is decided here.
"""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from random import Random

from msgspec import Struct

from ingest.faults import severity
from ingest.record import CALL, PASS, ROB
from ingest.rules.auction import hold_auction
from ingest.rules.ruleset import Ruleset


class Word(Struct, frozen=True):
    """One action of an auction."""

    seat: int
    what: str


def appetites(hands: Sequence[Sequence[str]], boldness: Sequence[float], packs: int) -> list[float]:
    """For each seat the chance that it bids, calls or robs when it may."""
    return [_appetite(hand, bold, packs) for hand, bold in zip(hands, boldness, strict=True)]


def _appetite(hand: Sequence[str], bold: float, packs: int) -> float:
    ranks = Counter([card[-1] for card in hand])
    worth = 2 * ranks["R"] + 1.5 * ranks["B"] + ranks["2"] + 2 * sum(count >= 4 for count in ranks.values())
    return min(0.25 + 0.09 * worth / packs + 0.3 * bold, 0.9)


def auction(rules: Ruleset, first: int, wanted: Sequence[float], rng: Random) -> tuple[Word, ...]:
    """Everything that is said, passes included; ``wanted``: the appetite of each seat."""
    said: tuple[Word, ...] = ()
    while options := continuations(rules, first, said):
        said = (*said, _say(options, wanted[options[0].seat], rng))
    return _without_last_answers(rules, first, said) if rules.rob.enabled and rng.random() < 0.1 else said


def _say(options: Sequence[Word], appetite: float, rng: Random) -> Word:
    bold = [word for word in options if word.what != PASS]
    if bold and rng.random() < (appetite if bold[0].what != ROB else appetite / 2):
        return bold[0] if rng.random() < 0.6 else rng.choice(bold)
    return next(word for word in options if word.what == PASS)


def _without_last_answers(rules: Ruleset, first: int, said: tuple[Word, ...]) -> tuple[Word, ...]:
    """The same without the last refusals to rob, which a record may leave out (E-Q5)."""
    whole, shorter = hold_auction(text_of(said), first, rules, 0), said
    while shorter and shorter[-1].what == PASS:
        short = hold_auction(text_of(shorter[:-1]), first, rules, 0)
        if short.stopped or short.landlord is None or short.landlord != whole.landlord:
            break
        shorter = shorter[:-1]
    return shorter


@cache
def continuations(rules: Ruleset, first: int, said: tuple[Word, ...]) -> tuple[Word, ...]:
    """Everything that may be said next, lowest bid first; empty when the auction is over."""
    vocabulary = (*map(str, rules.auction.values), CALL, ROB, PASS)
    words = [Word(seat, what) for seat in range(rules.deal.players) for what in vocabulary]
    return tuple(word for word in words if _is_possible(rules, first, (*said, word)))


def _is_possible(rules: Ruleset, first: int, said: Sequence[Word]) -> bool:
    """Whether the last word of an auction, complete or not, is without fault."""
    findings = hold_auction(text_of(said), first, rules, 0).findings
    return all(finding.index != len(said) - 1 or severity(finding) == "note" for finding in findings)


def text_of(said: Sequence[Word]) -> str:
    """The move text of an auction."""
    return " ".join(f"{word.seat}:{word.what}" for word in said)
