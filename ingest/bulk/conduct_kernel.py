"""What seats could do and did, told from the moves of proven hands: as ``ingest.conduct``, over flat arrays.

Judges nothing. What was legal is looked up in menus (``ingest.bulk.menus``), what happened stands in the moves. The
definitions are those of ``ingest.conduct.counts``, in the same order and under the same names.
"""

from typing import Any

import numpy as np

from ingest.bulk.compiled.machine import inner, outer
from ingest.bulk.loads import FIFTEEN, FOUR, ZERO
from ingest.bulk.loads_kernel import covers, field, is_choice
from ingest.bulk.menus import Play
from ingest.bulk.options_kernel import cheapest_answer, could_beat
from ingest.bulk.turns import DID, SEATS, Game, Move, Turn
from ingest.conduct.counts import FEW, HIGH, LEAP, LOW

_MOVE_SEAT, _BEFORE, _AFTER = int(Move.SEAT), int(Move.BEFORE), int(Move.AFTER)
_COUNTS = int(Move.COUNTS)
_MENU, _TIER, _SHAPE, _RANK = int(Play.MENU), int(Play.TIER), int(Play.SHAPE), int(Play.RANK)
_KICKERS, _BODY, _LOAD, _GROUP = int(Play.KICKERS), int(Play.BODY), int(Play.LOAD), int(Play.GROUP)
_OWNER, _COULD, _SOFTLY, _CHEAPEST = int(Turn.OWNER), int(Turn.COULD), int(Turn.SOFTLY), int(Turn.CHEAPEST)
_LEFT = int(Turn.LEFT)
_PLAYERS, _CLOSE, _BOMB = int(Game.PLAYERS), int(Game.CLOSE), int(Game.BOMB)
_ROCKET, _JOKERS = int(Game.ROCKET), int(Game.JOKERS)
(
    _LEADS, _LEAD_CARDS, _FOLLOWS, _COULDS, _COULDS_SOFTLY, _PASSED, _PASSED_SOFTLY, _COULD_MATE, _PASSED_MATE,
    _HARMED_MATE, _FEED_TURNS, _FEEDS, _GATE_TURNS, _GATES, _GUARD_TURNS, _UNGUARDED, _ALERT_TURNS, _ALERT_KEPT,
    _BOMB_CARDS_LEFT, _BOMBS_STOOD, _BOMBS_AT, _BOMBS_STOOD_AT, _BOMBS_BROKEN, _ANSWERS_SOFTLY, _LEAPS, _KICKER_TURNS,
    _KICKERS_WASTED, _TRICKS, _TRICKS_WON, _CARDS_WON, _PLAYED, _PASSES, _BOMBS, _ROCKETS, _CARDS_LEFT, _HELD,
    _UNPLAYED,
) = range(len(DID))  # fmt: skip
_TWO, _BIG = 12, 14
_SINGLE, _PAIR, _TRIO = 1, 2, 3


@inner
def _cards_in(counts):
    size = 0
    while counts != ZERO:
        size += np.int64(counts & FIFTEEN)
        counts >>= FOUR
    return size


@inner
def _bombs_in(held, game):
    """As ``ingest.conduct.bombs_in``."""
    found = 0
    for place in range(_TWO + 1):
        found += field(held, place) // game[_BOMB]
    jokers = np.uint64(game[_JOKERS])
    return found + (1 if jokers != ZERO and covers(held, jokers) else 0)


@inner
def _is_mate(seat, other, landlord):
    return seat not in (landlord, other) and other != landlord


@inner
def _next_play(moves, at, last):
    """Who next beats a play; -1 where nobody does."""
    for later in range(at + 1, last):
        if moves[later, _BEFORE] == 0:
            return -1
        if moves[later, _COUNTS] != 0:
            return moves[later, _MOVE_SEAT]
    return -1


@inner
def _holds_between(own, size, low, high):
    """Whether some rank above ``low`` and below ``high`` is held so often."""
    for place in range(low + 1, high):
        if field(own, place) >= size:
            return True
    return False


@inner
def _leads_more(own, law, lead, bombs):
    """Whether a hand could lead more than one card."""
    for place in range(_TWO + 1):
        if field(own, place) > 1:
            return True
    return could_beat(own, law, lead, 2, bombs)


@inner
def _feed(mine, seat, landlord, players, held, left, menu, law, limits):
    near, can = False, False
    for mate in range(players):
        if _is_mate(seat, mate, landlord) and left[mate] <= FEW:
            near = True
            can = can or could_beat(held[mate], law, menu, 0, limits[mate] > 0)
    mine[_FEED_TURNS] += near
    mine[_FEEDS] += can


@inner
def _alert(mine, seat, landlord, players, own, left, shape, law, lead, bombs):
    one, two = False, False
    for foe in range(players):
        if foe != seat and (seat == landlord or foe == landlord):
            one = one or left[foe] == 1
            two = two or left[foe] == 2
    if one and not _leads_more(own, law, lead, bombs):
        return
    if one or two:
        mine[_ALERT_TURNS] += 1
        mine[_ALERT_KEPT] += shape != (_SINGLE if one else _PAIR)


@inner
def _lead(mine, seat, landlord, game, held, left, play, size, law, lead, limits):
    players = game[_PLAYERS]
    shape, rank = play[_SHAPE], play[_RANK]
    mine[_LEADS] += 1
    mine[_LEAD_CARDS] += size
    _feed(mine, seat, landlord, players, held, left, play[_MENU], law, limits)
    if players > 2 and seat == (landlord - 1) % players and left[landlord] <= 2:
        mine[_GUARD_TURNS] += 1
        mine[_UNGUARDED] += shape in (_SINGLE, _PAIR) and rank <= LOW
    _alert(mine, seat, landlord, players, held[seat], left, shape, law, lead, limits[seat] > 0)


@inner
def _is_leap(own, play, under):
    shape, rank, below = play[_SHAPE], play[_RANK], under[_RANK]
    if shape == 0 or under[_SHAPE] != shape or rank - below < LEAP:
        return False
    for place in range(below + 1, rank):
        if field(own, place) == shape:
            return True
    return False


@inner
def _follow(mine, seat, landlord, moves, at, last, own, left, plays, owner, could, softly):
    mine[_FOLLOWS] += 1
    if not could:
        return
    is_pass, over_mate = moves[at, _COUNTS] == 0, _is_mate(seat, owner, landlord)
    mine[_COULDS] += 1
    mine[_PASSED] += is_pass
    mine[_COULDS_SOFTLY] += softly
    mine[_PASSED_SOFTLY] += softly and is_pass
    if over_mate:
        mine[_COULD_MATE] += 1
        mine[_PASSED_MATE] += is_pass
        if not is_pass:
            mine[_HARMED_MATE] += left[owner] <= 2 or _next_play(moves, at, last) == landlord
    if not is_pass and softly and plays[moves[at, _AFTER], _TIER] == 0:
        mine[_ANSWERS_SOFTLY] += 1
        mine[_LEAPS] += _is_leap(own, plays[moves[at, _AFTER]], plays[moves[at, _BEFORE]])


@inner
def _breaks_bomb(own, counts, game):
    for place in range(_TWO + 1):
        left = field(own, place) - field(counts, place)
        if field(own, place) >= game[_BOMB] > left > 0:
            return True
    rocket = np.uint64(game[_ROCKET])
    return rocket != ZERO and covers(own, rocket) and not covers(own - counts, rocket) and not covers(counts, rocket)


@inner
def _could_swap(own, counts, size, play, law, low, high, most):
    """Whether a kicker of ranks from ``low`` to ``high`` could have been one below two that stayed in hand.

    ``most``: of ranks that stand so often the cards are of the body.
    """
    piece, load, rest = np.uint64(size), play[_LOAD], own - counts
    kickers = counts - np.uint64(play[_BODY])
    for place in range(low, high):
        if not size <= field(counts, place) < most:
            continue
        gone = piece << (FOUR * np.uint64(place))
        for other in range(_TWO):
            if field(rest, other) < size:
                continue
            swapped = kickers + (piece << (FOUR * np.uint64(other))) - gone
            if covers(kickers, gone) and is_choice(swapped, law, load):
                return True
    return False


@inner
def _kickers(mine, own, counts, play, law):
    size = play[_KICKERS]
    if size == 0:
        return
    has_high = False
    for place in range(_TWO, _BIG + 1):
        has_high = has_high or size <= field(counts, place) < 3
    low, high, most = (_TWO, _BIG + 1, 3) if has_high else (0, _TWO, play[_GROUP])
    if _could_swap(own, counts, size, play, law, low, high, most):
        mine[_KICKER_TURNS] += 1
        mine[_KICKERS_WASTED] += has_high


@inner
def _gate(mine, own, play, below):
    shape, rank = play[_SHAPE], play[_RANK]
    if shape in (_SINGLE, _PAIR) and _holds_between(own, shape, below, rank):
        mine[_GATE_TURNS] += 1
        mine[_GATES] += rank >= HIGH


@inner
def _stands_to_the_end(seat, landlord, moves, at, last, left, game):
    """As in ``ingest.conduct.counts``. ``left``: cards at each seat before the play."""
    winner, passes, end = seat, 0, at + 1
    while end < last and moves[end, _BEFORE] != 0:
        if moves[end, _COUNTS] != 0:
            winner, passes = moves[end, _MOVE_SEAT], 0
        else:
            passes += 1
        end += 1
    rest = left[winner]
    for move in range(at, end):
        if moves[move, _MOVE_SEAT] == winner:
            rest -= _cards_in(np.uint64(moves[move, _COUNTS]))
    return (rest == 0 or passes == game[_CLOSE]) and (winner == seat or _is_mate(seat, winner, landlord))


@inner
def _play(mine, seat, landlord, moves, at, last, own, left, plays, game, law):
    play, counts = plays[moves[at, _AFTER]], np.uint64(moves[at, _COUNTS])
    mine[_PLAYED] += 1
    if play[_TIER] != 0:
        mine[_BOMBS if play[_TIER] == 1 else _ROCKETS] += 1
        stood, among = (
            _stands_to_the_end(seat, landlord, moves, at, last, left, game),
            1 << 4 * min((left[seat] - 1) // 5, 3),
        )
        mine[_BOMB_CARDS_LEFT] += left[seat]
        mine[_BOMBS_STOOD] += stood
        mine[_BOMBS_AT] += among
        mine[_BOMBS_STOOD_AT] += among if stood else 0
    else:
        mine[_BOMBS_BROKEN] += _breaks_bomb(own, counts, game)
        _kickers(mine, own, counts, play, law)
    players, before = game[_PLAYERS], moves[at, _BEFORE]
    if players > 2 and seat == (landlord - 1) % players:
        _gate(mine, own, play, plays[before, _RANK] if before else -1)


@inner
def _turn(at, last, landlord, moves, held, left, owner, limits, game, law, plays, turns, did):
    """Everything that is told of one move."""
    seat, before = moves[at, _MOVE_SEAT], moves[at, _BEFORE]
    counts = np.uint64(moves[at, _COUNTS])
    own, mine, size = held[seat], did[seat], _cards_in(counts)
    packed = 0
    for other in range(game[_PLAYERS]):
        packed |= left[other] << (8 * other)
    turns[at, _LEFT], turns[at, _OWNER] = packed, owner
    turns[at, _COULD] = turns[at, _SOFTLY] = -1
    turns[at, _CHEAPEST] = 0
    if before == 0:
        if size:
            _lead(mine, seat, landlord, game, held, left, plays[moves[at, _AFTER]], size, law, plays[0, _MENU], limits)
    else:
        cheapest, softly = cheapest_answer(own, law, plays[before, _MENU], limits[seat] > 0)
        could = cheapest != ZERO
        turns[at, _COULD], turns[at, _SOFTLY], turns[at, _CHEAPEST] = could, softly, np.int64(cheapest)
        _follow(mine, seat, landlord, moves, at, last, own, left, plays, owner, could, softly)
    if size:
        _play(mine, seat, landlord, moves, at, last, own, left, plays, game, law)
        limits[seat] -= plays[moves[at, _AFTER], _TIER] != 0
    else:
        mine[_PASSES] += 1
    return seat, size, counts


@inner
def _hand(first, last, landlord, moves, held, left, limits, game, law, plays, turns, did):
    """All moves of one hand; ``held`` and ``left`` become what is left at its end."""
    players, owner = game[_PLAYERS], -1
    winner, cards, since, tricks = -1, 0, 0, 0
    for seat in range(players):
        did[seat, _HELD] = _bombs_in(held[seat], game)
    for at in range(first, last):
        if moves[at, _BEFORE] == 0:
            owner = -1
        seat, size, counts = _turn(at, last, landlord, moves, held, left, owner, limits, game, law, plays, turns, did)
        if size:
            held[seat] -= counts
            left[seat] -= size
            owner, winner, cards, since = seat, seat, cards + size, 0
        else:
            since += 1
        if winner >= 0 and ((size and left[seat] == 0) or since == game[_CLOSE]):
            did[winner, _TRICKS_WON] += 1
            did[winner, _CARDS_WON] += cards
            winner, cards, tricks = -1, 0, tricks + 1
    for seat in range(players):
        did[seat, _TRICKS], did[seat, _CARDS_LEFT] = tricks, left[seat]
        did[seat, _UNPLAYED] = _bombs_in(held[seat], game)


def seated() -> tuple[Any, Any]:
    """Room for what ``tell`` works in: cards and their number at each seat."""
    return np.zeros(SEATS, np.uint64), np.zeros(SEATS, np.int64)


@outer
def tell(firsts, landlords, moves, dealt, limits, game, law, plays, held, left, turns, did):
    """Tell hands, whose moves begin at ``firsts`` (one more than hands) of ``moves`` (``ingest.bulk.turns.Move``).

    ``dealt``: packed counts at each seat when play begins, ``uint64[h, SEATS]``. ``limits``: bombs that each seat may
    throw, ``int64[h, SEATS]``; it is used up. ``law``, ``plays``: of ``Menus``. Fills ``turns`` and ``did``
    (``ingest.bulk.turns``), of which ``did`` must be zero. ``held`` and ``left`` have a place for each seat to work in.
    """
    for place in range(landlords.size):
        for seat in range(SEATS):
            held[seat] = dealt[place, seat]
            left[seat] = _cards_in(held[seat])
        first, last = firsts[place], firsts[place + 1]
        _hand(first, last, landlords[place], moves, held, left, limits[place], game, law, plays, turns, did[place])
