"""A whole hand of a climbing game a second time: whether a record is lawful, and if not, at which step.

Knows the clauses of the rulebook from the deal to the score, and works on the text of a record. Takes the numbers and
switches of a ruleset as data; refuses to know the audit and its phases. Where cards are hidden it is undecided.
"""

from collections import Counter
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

from second_settled import Facts, settled
from second_shapes import Shape, beats, shapes

from ingest.rules.ruleset import Ruleset

Told = dict[str, Any]
Moves = list[tuple[int, str]]


class Unlawful(Exception):
    """Something that no lawful record has."""


class Unfinished(Unlawful):
    """An auction without its end."""


class Undecided(Exception):
    """What this judge does not look at."""


class Called(NamedTuple):
    """What the auction gave; no landlord where nobody bid."""

    landlord: int | None
    bid: int = 1
    robs: int = 0


def faces(text: str) -> list[str]:
    """The cards of a text with suits, one by one."""
    found, place = [], 0
    while place < len(text):
        size = 1 if text[place] in "BR" else 2
        found.append(text[place : place + size])
        place += size
    return found


def moves(text: str | None) -> Moves:
    parts = [move.partition("@")[0].partition(":") for move in (text or "").split()]
    return [(int(seat), what) for seat, _, what in parts]


def demand(holds: object, clause: str) -> None:
    if not holds:
        raise Unlawful(clause)


def end_of_auction(reached: object) -> None:
    if not reached:
        raise Unfinished("A305")


def is_lawful(told: Told, law: Ruleset) -> bool | None:
    """Whether a record breaks no rule and claims nothing that is not so; None where that is undecided."""
    try:
        _judge(told, law)
    except Unlawful:
        return False
    except Undecided:
        return None
    return True


def _judge(told: Told, law: Ruleset) -> None:
    size, end = law.deal.players, told.get("end")
    demand(len(told["players"]) == size, "R110")
    demand(all(seat < size for seat, _ in moves(told.get("auction")) + moves(told.get("plays"))), "R103")
    demand(all((told.get(name) or 0) < size for name in ("first", "landlord")), "R103")
    if not told.get("hands") or not all(told["hands"]) or (law.deal.bottom and not told.get("bottom")):
        raise Undecided
    hands = _dealt(told, law)
    called = _called(told, hands, law)
    least = law.balance.min_factor * told.get("base", 1)
    balances = [player.get("balance") for player in told["players"]]
    if least:  # void or not
        demand(all(balance is None or balance >= least for balance in balances), "S606")
    claim = told.get("claim") or {}
    for named in (told.get("landlord"), claim.get("landlord")):
        demand(named is None or named == called.landlord, "A306")
    if called.landlord is None:
        demand(end == "void" and not told.get("plays"), "A309")
        _compare(told, [], 1, 0, [0] * size)
        return
    demand(end != "void", "A309")
    _settle(told, called, called.landlord, _played(told, hands, called.landlord, law), law)


def _dealt(told: Told, law: Ruleset) -> list[Counter[str]]:
    """The hands, after the pack was counted (A-R3, E-R5 …)."""
    hands = [faces(text) for text in told["hands"]]
    bottom, dead = faces(told["bottom"]), faces(told.get("dead") or "")
    taken = faces(told.get("taken") or "")
    demand(len(hands) == law.deal.players and all(len(hand) == law.deal.hand for hand in hands), "D201")
    demand(len(bottom) == law.deal.bottom and len(dead) in (0, law.deal.dead), "D202")
    shown = Counter([card for cards in (*hands, bottom, dead) for card in cards])
    demand(max(shown.values()) <= law.deal.packs, "D203")
    demand(not Counter(taken) - Counter(bottom), "D208")
    marker = told.get("marker")
    demand(not (law.deal.marker_not_in_bottom and marker in bottom), "D205")
    return [Counter(hand) for hand in hands]


def _called(told: Told, hands: list[Counter[str]], law: Ruleset) -> Called:
    """Who became landlord. An auction that somebody left is no end, and has no score (E-Q16)."""
    try:
        return _auctioned(told, hands, law)
    except Unfinished:
        if law.escape.enabled and (told.get("end") or "").startswith("escape:") and not told.get("plays"):
            raise Undecided from None
        raise


def _auctioned(told: Told, hands: list[Counter[str]], law: Ruleset) -> Called:
    said, rules = moves(told.get("auction")), law.auction
    if rules.type == "none" or (rules.optional and not said):
        demand(not said, "A304")
        landlord = 0 if rules.landlord == "seat0" else told.get("landlord")
        demand(landlord is not None, "R102")
        return Called(landlord)
    end_of_auction(said)
    demand(said[0][0] in _may_begin(told, hands, law), "A301")
    if rules.type == "ascending_once":
        return _once_each(said, told.get("voids", 0), law)
    _in_turn(said, law)
    if rules.type == "ascending_open":
        return _open_auction(said, law)
    if rules.type == "call_once":
        return _call_once(said, law)
    return _call_and_rob(said, told.get("voids", 0), law)


def _in_turn(said: Moves, law: Ruleset) -> None:
    for (before, _), (seat, _) in pairwise(said):
        demand(seat == (before + 1) % law.deal.players, "A301")


def _may_begin(told: Told, hands: list[Counter[str]], law: Ruleset) -> set[int]:
    """Who may speak first (A-R5, A-Q9, E-R6, BZ-R1)."""
    first, marker, may = told.get("first"), told.get("marker"), set(range(law.deal.players))
    if law.auction.first == "seat0":
        may = {0}
    elif law.auction.first in ("marker", "face_up_card") and marker:
        holders = {seat for seat, hand in enumerate(hands) if hand[marker]}
        if holders and marker not in faces(told["bottom"]):
            may = holders
    demand(first is None or first in may, "D206")
    return may if first is None else {first}


def _raised(word: str, best: int, law: Ruleset) -> int:
    demand(word.isdigit() and int(word) in law.auction.values, "A302")
    demand(int(word) > best, "A303")
    return int(word)


def _open_auction(said: Moves, law: Ruleset) -> Called:
    """A-R6 … A-R9: round and round until enough passes follow a bid."""
    best, winner, passes, over = 0, None, 0, False
    for seat, word in said:
        demand(not over, "A304")
        if word == "-":
            passes += 1
        else:
            best, winner, passes = _raised(word, best, law), seat, 0
        enough = law.deal.players if winner is None else law.auction.end_passes
        over = best == max(law.auction.values) or passes == enough
    end_of_auction(over)
    return Called(winner, best)


def _once_each(said: Moves, voids: int, law: Ruleset) -> Called:
    """E-R8 … E-R12, G-R7, BZ-R1: one word each, the most ends it; then the robs (E-R14 … E-R16)."""
    best, winner, spoken = 0, None, 0
    while spoken < len(said) and spoken < law.deal.players and best < max(law.auction.values):
        seat, word = said[spoken]
        spoken += 1
        if word != "-":
            best, winner = _raised(word, best, law), seat
    end_of_auction(spoken == law.deal.players or best == max(law.auction.values))
    _in_turn(said[:spoken], law)
    rest = said[spoken:]
    if winner is None:
        demand(not rest, "A304")
        return _nobody(said, voids, law)
    if not law.rob.enabled:
        demand(not rest, "A304")
        return Called(winner, best)
    robbers: list[int] = []
    for number in range(1, law.deal.players + 1):
        asked = (winner + number) % law.deal.players
        if not rest or (asked == winner and not robbers):
            break
        seat, word = rest.pop(0)
        demand(word in ("-", "rob"), "A302")
        demand(seat == asked, "A301")
        robbers += [seat] if word == "rob" else []
    demand(not rest, "A304")
    return Called(robbers[-1] if robbers else winner, best, len(robbers))


def _nobody(said: Moves, voids: int, law: Ruleset) -> Called:
    """Void, or a landlord by force (G-R9, G-Q8, BZ-R1)."""
    after = law.void.force_after
    return Called(said[0][0], law.void.forced_value) if after != "none" and voids + 1 >= after else Called(None)


def _call_once(said: Moves, law: Ruleset) -> Called:
    """C-R4: who calls first has it."""
    *before, (last, word) = said
    demand(all(each == "-" for _, each in before), "A304")
    demand(word in ("-", "call"), "A302")
    demand(len(said) <= law.deal.players, "A304")
    end_of_auction(word == "call" or len(said) == law.deal.players)
    return Called(last if word == "call" else None)


def _call_and_rob(said: Moves, voids: int, law: Ruleset) -> Called:
    """G-R4, G-R5: one chance each, the last to call or rob has it."""
    had: list[int] = []
    demand(len(said) <= law.deal.players, "A304")
    for seat, word in said:
        demand(word in ("-", "rob" if had else "call"), "A302")
        had += [] if word == "-" else [seat]
    end_of_auction(len(said) == law.deal.players)
    return Called(had[-1], 1, len(had) - 1) if had else _nobody(said, voids, law)


class Course(NamedTuple):
    """How the cards were played."""

    winner: int | None
    plays: list[tuple[int, Shape]]


def _played(told: Told, hands: list[Counter[str]], landlord: int, law: Ruleset) -> Course:
    """U-R1 … U-R12: turns, possession, combinations, answers, the end."""
    took = told.get("taken") or "" if law.deal.bottom_take == "subset" else told["bottom"]
    held = [hand + Counter(faces(took)) if seat == landlord else Counter(hand) for seat, hand in enumerate(hands)]
    left = [hand.total() for hand in held]
    turn, passes, standing, winner = landlord, 0, (), None
    plays: list[tuple[int, Shape]] = []
    for seat, what in moves(told.get("plays")):
        cards, _, declared = what.partition("=")
        demand(winner is None, "P406")
        demand(seat == turn, "P401")
        turn = (turn + 1) % law.deal.players
        if cards == "-":
            demand(standing, "P405")
            passes += 1
            standing = standing if passes < law.trick.close_passes else ()
            continue
        mine = Counter(faces(cards))
        demand(all(held[seat][card] >= count for card, count in mine.items()), "P402")
        held[seat].subtract(mine)
        left[seat], passes = left[seat] - mine.total(), 0
        standing = _stands("".join(sorted(card[-1] for card in mine.elements())), declared, standing, law)
        plays.append((seat, standing[0]))
        winner = None if left[seat] else seat
    return Course(winner, plays)


@lru_cache(maxsize=50_000)
def _stands(ranks: str, declared: str, standing: tuple[Shape, ...], law: Ruleset) -> tuple[Shape, ...]:
    """What a play stands for (U-R10, U-R11)."""
    found = shapes(ranks, law)
    demand(found, "P403")
    if law.combinations.ambiguity == "canonical_only":
        found = found[:1]
    named = tuple(shape for shape in found if not declared or shape.name == declared)
    demand(named, "P409")
    found = tuple(one for one in named if not standing or any(beats(one, other, law) for other in standing))
    demand(found, "P404")
    return found


def _settle(told: Told, called: Called, landlord: int, course: Course, law: Ruleset) -> None:
    """What the hand is worth, and whether the record says the same."""
    end, leaver, size = told.get("end") or "", None, law.deal.players
    if course.winner is None and end.startswith("escape:") and law.escape.enabled:
        leaver = int(end.partition(":")[2])
    demand(leaver is not None or course.winner is not None, "P407")
    demand(leaver is not None or not end, "P406")
    if law.auction.optional == "unscored" and not told.get("auction"):
        raise Undecided
    balances = [player.get("balance") for player in told["players"]]
    facts = Facts(called.bid, called.robs, landlord, course.winner, leaver, course.plays, balances)
    multiplier, scores = settled(told, facts, law)
    if course.winner is None:
        winners = [seat for seat in range(size) if seat != leaver]
    elif course.winner == landlord:
        winners = [landlord]
    else:
        winners = [seat for seat in range(size) if seat != landlord]
    bid = called.bid if law.score.bid_factor == "bid" else 1
    _compare(told, winners, multiplier, bid, scores)


def _compare(told: Told, winners: list[int], multiplier: int, bid: int, scores: list[int]) -> None:
    """S601 … S605."""
    claim = told.get("claim") or {}
    for name, value in (("winners", winners), ("multiplier", multiplier), ("bid", bid), ("scores", scores)):
        said = claim.get(name)
        demand(said is None or (sorted(said) == value if name == "winners" else said == value), name)
    for player, after, score in zip(told["players"], claim.get("balances") or (), scores, strict=False):
        before = player.get("balance")
        demand(after is None or before is None or after == before + score, "S605")
