"""What players could do and did, told of judged hands by compiled code: as ``ingest.conduct`` tells it, hand by hand.

Knows how hands become flat arrays and how the answers are handed back. What they mean say ``ingest.conduct`` and
``ingest.store.conducts``. Hands with hidden cards or faults of play are left to ``ingest.conduct``.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from ingest.audit import Hand
from ingest.bulk.conduct_kernel import seated, tell
from ingest.bulk.menus import Menus
from ingest.bulk.shedding import shedder_of
from ingest.bulk.turns import COUNTED, DID, MOVES, SEATS, TURNS, Game, Turn
from ingest.cards import RANK_BITS, RANK_LIMIT, RANKS, rank_text
from ingest.conduct.strength import POINTS
from ingest.conduct.turns import bomb_limits, held_at_first, read
from ingest.hand import Story
from ingest.rules import menus as rules_menus
from ingest.rules.answers import Standing, answers_of
from ingest.rules.combinations import JOKER_PLACES, law_of
from ingest.rules.ruleset import Ruleset
from ingest.store.conducts import Possible, Turned

NO_LIMIT = 1 << 30
_AT = {name: place for place, name in enumerate(DID)}
_TWO = RANKS.index("2")
_FAULTS = frozenset(("P401", "P402", "P403", "P404", "P405", "P406", "P408", "P411", "P412"))
"""After these a play was not what the rules let it be; P408 only where it is a fault, which ends nothing here."""


class Asked(Struct, frozen=True):
    """A hand as it is put to the compiled code."""

    place: int
    hand: Hand
    landlord: int
    dealt: list[int]
    """Packed counts of each seat before the bottom."""
    begin: list[int]
    """The same when play begins."""
    stands: Sequence[Standing | None]
    limits: dict[int, int]


def turned(stories: Sequence[Story]) -> list[Turned | None]:
    """What is told of the turns of each hand; None of those that are for ``ingest.conduct``."""
    told: list[Turned | None] = [None] * len(stories)
    groups: dict[Ruleset, list[Asked]] = {}
    for place, story in enumerate(stories):
        asked = _asked(place, story)
        if asked is not None:
            groups.setdefault(asked.hand.rules, []).append(asked)
    for rules, hands in groups.items():
        for asked, found in zip(hands, _teller_of(rules).tell(hands), strict=True):
            told[asked.place] = found
    return told


def _asked(place: int, story: Story) -> Asked | None:
    """A hand of a climbing game with every card in sight and no fault in its play."""
    if not isinstance(story, Hand) or story.landlord is None or story.played is None or not story.played.stands:
        return None
    rules = story.rules
    if not can_tell(rules) or any(finding.code in _FAULTS for finding in story.findings):
        return None
    dealt = read(story)
    if dealt is None or None in dealt.hands or len(dealt.hands) != rules.deal.players:
        return None
    begin = held_at_first(dealt, story.landlord, rules)
    known = [cards.counts for cards in dealt.hands if cards is not None]
    held = [counts for counts in begin if counts is not None]
    if len(held) != len(begin):
        return None
    return Asked(place, story, story.landlord, known, held, story.played.stands, bomb_limits(story))


@cache
def can_tell(rules: Ruleset) -> bool:
    """Whether the compiled code knows what could be played under a ruleset: whatever it finds must be an answer."""
    return rules_menus.is_plain(rules) and rules.deal.bottom_take in ("all", "subset") and rules.deal.players <= SEATS


@cache
def _teller_of(rules: Ruleset) -> "Teller":
    """The one teller of a ruleset."""
    return Teller(rules)


class Teller:
    """Tells hands of one ruleset."""

    def __init__(self, rules: Ruleset) -> None:
        self._rules, self._game, self._menus = rules, game_of(rules), Menus(rules)
        self._forget()

    def _forget(self) -> None:
        self._standings = [answers_of(self._rules).lead]
        self._numbers = {id(self._standings[0]): 0}

    def tell(self, hands: Sequence[Asked]) -> list[Turned]:
        """What is told of each of these hands."""
        players = self._rules.deal.players
        moves, firsts = self._moves(hands)
        dealt, begin = (_by_seat([getattr(hand, name) for hand in hands]) for name in ("dealt", "begin"))
        landlords = np.array([hand.landlord for hand in hands], np.int64)
        limits = np.full((len(hands), SEATS), NO_LIMIT, np.int64)
        for place, hand in enumerate(hands):
            for seat, bombs in hand.limits.items():
                limits[place, seat] = bombs
        turns = np.zeros((len(moves), TURNS), np.int64)
        did = np.zeros((len(hands), SEATS, len(DID)), np.int64)
        self._menus.learn(self._standings)
        tell(
            firsts,
            landlords,
            moves,
            begin,
            limits,
            self._game,
            self._menus.law,
            self._menus.plays,
            *seated(),
            turns,
            did,
        )
        strength = strengths(dealt[:, :players], self._rules).transpose(0, 2, 1).tolist()
        whole = strengths(begin[np.arange(len(hands)), landlords], self._rules)[:, -1].tolist()
        by_seat = did[:, :players].transpose(0, 2, 1).tolist()
        possible = _possible(firsts.tolist(), turns, players)
        return [_turned(*each) for each in zip(hands, by_seat, strength, whole, possible, strict=True)]

    def _moves(self, hands: Sequence[Asked]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The judged moves of all hands, and where those of each begin."""
        if len(self._standings) > 1 << 16:
            self._forget()
            self._menus = Menus(self._rules)
        rows: list[int] = []
        firsts = [0]
        for hand in hands:
            self._add_moves(rows, hand)
            firsts.append(len(rows) // MOVES)
        return np.array(rows, np.int64).reshape(-1, MOVES), np.array(firsts, np.int64)

    def _add_moves(self, rows: list[int], asked: Asked) -> None:
        numbers, close = self._numbers, self._rules.trick.close_passes
        before = passes = 0
        for move, stands in zip(asked.hand.moves, asked.stands, strict=False):
            if stands is None or move.cards is None:
                rows += (move.seat, before, -1, 0)
                passes += 1
                before = 0 if passes == close else before
                continue
            after = numbers.get(id(stands))
            if after is None:
                after = numbers[id(stands)] = len(self._standings)
                self._standings.append(stands)
            rows += (move.seat, before, after, move.cards.counts)
            before, passes = after, 0


@cache
def game_of(rules: Ruleset) -> NDArray[np.int64]:
    """What of a ruleset the compiled code is told beside its menus (``ingest.bulk.turns.Game``)."""
    law, rocket = law_of(rules), rules.bomb.rocket
    jokers = sum(rocket.count(joker) << RANK_BITS * RANKS.index(joker) for joker in "BR") if "R" in rocket else 0
    told = {
        Game.PLAYERS: rules.deal.players, Game.CLOSE: rules.trick.close_passes, Game.BOMB: rules.bomb.min_size,
        Game.ROCKET: law.rocket, Game.JOKERS: jokers,
    }  # fmt: skip
    return np.array([told[column] for column in Game], np.int64)


def _by_seat(held: list[list[int]]) -> NDArray[np.uint64]:
    """Packed counts by hand and seat; of seats that there are not, none."""
    return np.array([counts + [0] * (SEATS - len(counts)) for counts in held], np.uint64)


def strengths(held: NDArray[np.uint64], rules: Ruleset) -> NDArray[np.int64]:
    """jokers, twos, bombs, rocket, plays, points of packed counts, as ``ingest.conduct.strength``."""
    ranks = held[..., None] >> np.arange(0, RANK_BITS * len(RANKS), RANK_BITS, dtype=np.uint64)
    ranks = (ranks & np.uint64(RANK_LIMIT)).astype(np.int64)
    small, big = ranks[..., JOKER_PLACES[0]], ranks[..., JOKER_PLACES[1]]
    twos, bombs = ranks[..., _TWO], (ranks[..., : _TWO + 1] >= rules.bomb.min_size).sum(axis=-1)
    need = [rules.bomb.rocket.count(joker) for joker in "BR"]
    rocket = (need[1] > 0) & (small >= need[0]) & (big >= need[1])
    plays = shedder_of(rules).fewest(np.ascontiguousarray(held.ravel())).reshape(held.shape)
    points = POINTS["big"] * big + POINTS["small"] * small + POINTS["two"] * twos
    points = points + POINTS["bomb"] * bombs + POINTS["rocket"] * rocket - plays
    return np.stack([small + big, twos, bombs, rocket, plays, points], axis=-1)


def _possible(firsts: list[int], turns: NDArray[np.int64], players: int) -> list[Possible]:
    """What was possible at each move of each hand."""
    led, could = turns[:, Turn.OWNER] < 0, turns[:, Turn.COULD] > 0
    followed = ~led
    columns = [
        _or_none(could, followed),
        _or_none(turns[:, Turn.SOFTLY] > 0, followed),
        [_rank_text(counts) for counts in turns[:, Turn.CHEAPEST].tolist()],
        [_left_text(left, players) for left in turns[:, Turn.LEFT].tolist()],
        (led | could).tolist(),
    ]
    return [Possible(*(column[first:last] for column in columns)) for first, last in pairwise(firsts)]


def _or_none(values: NDArray[np.bool_], known: NDArray[np.bool_]) -> list[bool | None]:
    found = values.astype(object)
    found[~known] = None
    told: list[bool | None] = found.tolist()
    return told


@lru_cache(maxsize=1 << 16)
def _rank_text(counts: int) -> str | None:
    return rank_text(counts) if counts else None


@lru_cache(maxsize=1 << 16)
def _left_text(left: int, players: int) -> str:
    return " ".join(str(left >> 8 * seat & 255) for seat in range(players))


def _turned(asked: Asked, did: list[list[int]], strength: list[list[int]], whole: int, possible: Possible) -> Turned:
    played, landlord = asked.hand.played, asked.landlord
    jokers, twos, bombs, rocket, plays, points = strength
    seats = range(len(points))
    taken = [whole - points[seat] if seat == landlord else None for seat in seats]
    winner = None if played is None else played.winner
    dealt: list[Sequence[Any]] = [jokers, twos, bombs, [each > 0 for each in rocket], plays, points, taken]
    dealt += [did[_AT["bombs_held"]], did[_AT["bombs_unplayed"]], [seat == winner for seat in seats]]
    return Turned(possible, dealt, [*did[:COUNTED]])
