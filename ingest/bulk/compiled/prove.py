"""Hand by hand: deal, auction, play, worth, claim and digests; what is proven clean, and what Python must learn first.

Knows how the steps follow one another, as ``ingest.audit`` tells the story of a hand.
"""

from typing import Any

import numpy as np

from ingest.bulk.compiled import law as laws
from ingest.bulk.compiled.learned import find
from ingest.bulk.compiled.machine import inner, outer
from ingest.bulk.compiled.recognise import (
    DEAL_ROOM,
    ROOM,
    SPARE,
    first_seat,
    put_off,
    waiting,
    write_calls,
    write_deal,
    write_digests,
    write_end,
    write_players,
    write_size,
)
from ingest.bulk.compiled.replay import (
    AT_FAULT,
    CLEAN,
    NOT_SURE,
    SETS,
    STOPPED,
    UNFINISHED,
    UNKNOWN_AUCTION,
    UNKNOWN_SHORT,
    UNKNOWN_WORTH,
    deal,
    find_auction,
    first_speaker,
    pick_up,
    play,
    read_calls,
)
from ingest.bulk.compiled.sets import is_part
from ingest.bulk.layout import ABSENT, OUTCOMES, SEATS, Digest, Fact, Number, Text
from ingest.identity import ENOUGH

_FARMERS, _LANDLORD_WINS, VOID, _ESCAPE = range(len(OUTCOMES))
_LARGEST_BASE = 10**12
_JOKERS = (66, 82)
_T = {each.name: int(each) for each in Text}
_N = {each.name: int(each) for each in Number}
_F = {each.name: int(each) for each in Fact}
_AUCTION_TEXT, _PLAYS, _END, _MARKER = _T["AUCTION"], _T["PLAYS"], _T["END"], _T["MARKER"]
_TRUMP, _BURIED = _T["TRUMP"], _T["BURIED"]
_PLAYERS, _HANDS, _BASE, _VOIDS, _OPEN = _N["PLAYERS"], _N["HANDS"], _N["BASE"], _N["VOIDS"], _N["OPEN"]
_NAMED_LANDLORD, _CLAIMED_LANDLORD, _BALANCE = _N["LANDLORD"], _N["CLAIMED_LANDLORD"], _N["BALANCE"]
_CLAIMS, _MULTIPLIER, _BID = _N["CLAIMS"], _N["CLAIMED_MULTIPLIER"], _N["CLAIMED_BID"]
_WINNERS, _WINNER, _SCORES, _SCORE = _N["WINNERS"], _N["WINNER"], _N["SCORES"], _N["SCORE"]
_BALANCES, _CLAIMED_BALANCE = _N["BALANCES"], _N["CLAIMED_BALANCE"]
_LANDLORD, _WENT_OUT, _ESCAPED, _OUTCOME = _F["LANDLORD"], _F["WINNER"], _F["ESCAPED"], _F["OUTCOME"]
_AUCTION, _SETTLEMENT, _TURN, _LEFT = _F["AUCTION"], _F["SETTLEMENT"], _F["TURN"], _F["LEFT"]
_MOVE, _EVENT, _PLAYED, _ROCKETS = _F["MOVE"], _F["EVENT"], _F["PLAYED"], _F["ROCKETS"]
_EVENTS, _NOTES = _F["EVENTS"], _F["NOTES"]
_IS_ENOUGH = int(Digest.ENOUGH)
_VOID_WORD = (118, 111, 105, 100)
_ESCAPE_WORD = (101, 115, 99, 97, 112, 101, 58)


@inner
def _is_word(text, start, end, letters):
    if end - start < len(letters):
        return False
    for letter in letters:
        if text[start] != letter:
            return False
        start += 1
    return True


@inner
def end_of(text, texts, row, players):
    """How a hand ends, as the record says: -1 played out, -2 void, a seat that left, -3 for anything else."""
    start, end = texts[row, _END, 0], texts[row, _END, 1]
    if start < 0:
        return -1
    if end - start == 4 and _is_word(text, start, end, _VOID_WORD):
        return -2
    if end - start == 8 and _is_word(text, start, end, _ESCAPE_WORD):
        seat = np.int64(text[start + 7]) - 48
        return seat if 0 <= seat < players else -3
    return -3


@inner
def find_landlord(text, texts, numbers, row, law, cards, calls, size, words):
    """The number of the auction (-1: must be learned, ``FAULT``: not sure). ``size``: the bytes of its calls, -1 where
    these are not plain.
    """
    game = law.game
    known, first = first_speaker(text, texts, numbers, row, game, cards)
    if not known or size < 0:
        return laws.FAULT
    if game[7] != laws.HELD or (size == 0 and game[8] == 1):
        if size:
            return laws.FAULT
        landlord = 0 if game[7] == laws.SEAT_0 else numbers[row, _NAMED_LANDLORD]
        return landlord if 0 <= landlord < game[0] else laws.FAULT
    if size == 0 and game[8] == 2:
        return laws.FAULT
    return find_auction(calls, size, first, numbers[row, _VOIDS], law, words, row)


@inner
def agrees(numbers, row, landlord):
    """Whether nobody else is said to be the landlord."""
    named, claimed = numbers[row, _NAMED_LANDLORD], numbers[row, _CLAIMED_LANDLORD]
    return (named == -1 or named == landlord) and (claimed == -1 or claimed == landlord)


@inner
def _worth_of(text, texts, numbers, facts, row, law, auction, bombs, words):
    """The number of the settlement; -1 where it must be learned."""
    marker, outcome, landlord = 0, facts[row, _OUTCOME], facts[row, _LANDLORD]
    start = texts[row, _MARKER, 0]
    if start >= 0 and texts[row, _MARKER, 1] == start + 1:
        marker = 1 if text[start] == _JOKERS[0] else 2 if text[start] == _JOKERS[1] else 0
    rockets = others = 0
    for seat in range(law.game[0]):
        rockets += facts[row, _ROCKETS + seat]
        others += facts[row, _PLAYED + seat] if seat != landlord else 0
    spring = outcome == _LANDLORD_WINS and others == 0
    anti_spring = outcome == _FARMERS and facts[row, _PLAYED + landlord] == 1
    bid, robs = law.auctions[auction, laws.BID], law.auctions[auction, laws.ROBS]
    how = outcome if outcome < _ESCAPE else _ESCAPE + facts[row, _ESCAPED]
    packed = bid | numbers[row, _VOIDS] << 10 | robs << 20 | marker << 30 | numbers[row, _OPEN] << 32
    packed |= landlord << 33 | how << 36 | np.int64(spring) << 40 | np.int64(anti_spring) << 41 | rockets << 42
    words[row, 0], words[row, 1], words[row, 2] = np.uint64(numbers[row, _BASE]), np.uint64(packed), bombs
    return find(law.worth_numbers, words, row)


@inner
def _is_seated(numbers, row, game):
    """Whether nobody has less than the table asks for (E-R3)."""
    least = game[13] * numbers[row, _BASE]
    for seat in range(game[0]):
        has = numbers[row, _BALANCE + seat]
        if has != ABSENT and has < least:
            return False
    return True


@inner
def _is_short(numbers, row, law, worth, seat):
    """Whether a balance is so small that it may matter (E-R25 …)."""
    has = numbers[row, _BALANCE + seat]
    return seat < law.game[0] and has != ABSENT and has < law.worths[worth, laws.NEED + seat]


@inner
def _with_balances(numbers, row, law, worth, words):
    """The number of the settlement, the balances being what they are; -1 where it must be learned."""
    short = 0
    for seat in range(SEATS):
        short += _is_short(numbers, row, law, worth, seat)
    if short == 0 or not law.game[14]:
        return worth
    for seat in range(SEATS):
        has = numbers[row, _BALANCE + seat] if _is_short(numbers, row, law, worth, seat) else ABSENT
        words[row, laws.WORTH_WORDS + seat] = np.uint64(has)
    return find(law.short_numbers, words, row)


@inner
def _claim_holds(numbers, facts, row, law, worth, auction):
    """Whether everything that is claimed is what the rules say."""
    players, outcome = law.game[0], facts[row, _OUTCOME]
    if numbers[row, _WINNERS] >= 0:
        won = count = 0
        for seat in range(players):
            won |= np.int64(_has_won(facts, row, seat, outcome)) << seat
            count += _has_won(facts, row, seat, outcome)
        for place in range(numbers[row, _WINNERS]):
            seat = numbers[row, _WINNER + place]
            if seat >= players or not (won >> seat) & 1:
                return False
            won &= ~(1 << seat)
        if numbers[row, _WINNERS] != count:
            return False
    claimed = numbers[row, _MULTIPLIER]
    if claimed != ABSENT and claimed != law.worths[worth, laws.MULTIPLIER]:
        return False
    claimed, bid = numbers[row, _BID], 0 if outcome == VOID else law.auctions[auction, laws.BID]
    if claimed != ABSENT and claimed != bid:
        return False
    for count in (numbers[row, _SCORES], numbers[row, _BALANCES]):
        if count != -1 and count != players:
            return False
    for seat in range(players):
        score = law.worths[worth, laws.SCORE + seat]
        if numbers[row, _SCORES] >= 0 and numbers[row, _SCORE + seat] != score:
            return False
        has, after = numbers[row, _BALANCE + seat], numbers[row, _CLAIMED_BALANCE + seat]
        if has != ABSENT and after != ABSENT and has + score != after:
            return False
    return True


@inner
def _has_won(facts, row, seat, outcome):
    if outcome == VOID:
        return False
    if outcome == _ESCAPE:
        return seat != facts[row, _ESCAPED]
    return (seat == facts[row, _LANDLORD]) == (outcome == _LANDLORD_WINS)


@inner
def is_ordinary(texts, numbers, row, players):
    """Whether the record is one of this game, as far as its numbers tell."""
    if numbers[row, _PLAYERS] != players or numbers[row, _HANDS] != players or numbers[row, _NAMED_LANDLORD] >= players:
        return False
    return texts[row, _TRUMP, 0] < 0 and texts[row, _BURIED, 0] < 0 and numbers[row, _BASE] <= _LARGEST_BASE


@inner
def _hand(text, texts, numbers, row, law, work, told, facts, digests, slots, words):
    """What is said of one hand."""
    messages, cards, calls, digesting = work[0], work[1], work[2], work[3]
    moves_message, deal_message = messages
    game, at_fault = law.game, told[4]
    players = game[0]
    ended = end_of(text, texts, row, players)
    turn = first_seat(text, texts, row, players) if numbers[row, _PLAYERS] == players else -1
    if turn < 0 or ended == -3 or not is_ordinary(texts, numbers, row, players):
        return NOT_SURE
    if not deal(text, texts, row, game, cards) or not is_taken(game, cards):
        return NOT_SURE
    start, end = texts[row, _AUCTION_TEXT, 0], texts[row, _AUCTION_TEXT, 1]
    size = 0 if start < 0 else read_calls(text, start, end, calls)
    auction = find_landlord(text, texts, numbers, row, law, cards, calls, size, words)
    if auction == -1:
        return UNKNOWN_AUCTION
    if auction < 0 or not law.auctions[auction, laws.SURE]:
        return NOT_SURE
    landlord = law.auctions[auction, laws.AUCTION_LANDLORD]
    facts[row, _AUCTION], facts[row, _LANDLORD], facts[row, _TURN] = auction, landlord, turn
    facts[row, _ESCAPED] = max(ended, -1)
    is_void = law.auctions[auction, laws.VOID] == 1
    if law.auctions[auction, laws.SURE] == laws.STOPPED or is_void != (ended == -2):
        return STOPPED if ended < 0 else NOT_SURE
    at_fault[1] = law.auctions[auction, laws.AT_FAULT] | (not agrees(numbers, row, landlord))
    deal_size = write_deal(deal_message, row, players, turn, texts, cards, slots)
    written = write_players(moves_message, text, texts, row, players, turn)
    written = write_calls(moves_message, written, calls, size, players, turn)
    said, written = _play_out(text, texts, row, law, auction, ended, cards, moves_message, written, facts, words, told)
    if said != CLEAN:
        return said
    said = settle(text, texts, numbers, facts, row, law, auction, told[3][0], at_fault[1], words)
    if said != CLEAN:
        return said
    written = write_end(moves_message, written, text, texts, row, ended, players, turn)
    put_off(messages, written, deal_size, digesting, digests, row)
    return CLEAN


@inner
def settle(text, texts, numbers, facts, row, law, auction, bombs, at_fault, words):
    """What is said of a hand that has come to its end. ``at_fault``: whether something before it was."""
    worth = 0
    if facts[row, _OUTCOME] != VOID:
        worth = _worth_of(text, texts, numbers, facts, row, law, auction, bombs, words)
        if worth < 0:
            return UNKNOWN_WORTH
        if law.worths[worth, laws.SURE]:
            worth = _with_balances(numbers, row, law, worth, words)
            if worth < 0:
                return UNKNOWN_SHORT
    facts[row, _SETTLEMENT] = worth
    if not law.worths[worth, laws.SURE]:
        return NOT_SURE
    if at_fault or not _is_seated(numbers, row, law.game):
        return AT_FAULT
    if numbers[row, _CLAIMS] == 1 and not _claim_holds(numbers, facts, row, law, worth, auction):
        return AT_FAULT
    facts[row, _NOTES] = facts[row, _EVENTS] + law.auctions[auction, laws.AUCTION_NOTES]
    facts[row, _NOTES] += law.worths[worth, laws.WORTH_NOTES]
    return CLEAN


@inner
def is_taken(game, cards):
    """Whether the landlord takes no card that is not in the bottom."""
    return not game[5] or is_part(game[0] + 2, game[0], cards[0], cards[1], cards[2])


@inner
def _play_out(text, texts, row, law, auction, ended, cards, message, written, facts, words, told):
    """The plays of a hand, with their size in front, and how it ended; nothing is played in a void hand."""
    start, end = texts[row, _PLAYS, 0], texts[row, _PLAYS, 1]
    size_at = written
    written = write_size(message, written, 0)
    if ended == -2:
        facts[row, _OUTCOME], facts[row, _WENT_OUT] = VOID, -1
        return (CLEAN if start == end else STOPPED), written
    landlord = facts[row, _LANDLORD]
    if not pick_up(law.game, landlord, cards):
        return NOT_SURE, written
    said, written = play(
        text, start, end, landlord, auction, facts[row, _TURN], law, cards, message, written, facts, row, words, told
    )
    if said != CLEAN:
        return said, written
    write_size(message, size_at, written - size_at - 4)
    return come_out(facts, row, law.game, ended, cards, told), written


@inner
def come_out(facts, row, game, ended, cards, told):
    """How a hand ended in which something was played."""
    out, plays = facts[row, _WENT_OUT], 0
    for seat in range(game[0]):
        facts[row, _LEFT + seat], facts[row, _PLAYED + seat] = cards[3][seat], cards[4][seat]
        plays += cards[4][seat]
    told[4][0] = plays >= ENOUGH
    if ended >= 0:
        facts[row, _OUTCOME] = _ESCAPE
        return CLEAN if out < 0 and game[11] else NOT_SURE
    facts[row, _OUTCOME] = _LANDLORD_WINS if out == facts[row, _LANDLORD] else _FARMERS
    return CLEAN if out >= 0 else UNFINISHED


def workspace() -> tuple[Any, ...]:
    """The arrays that ``prove`` works in; one for each thread."""
    messages = np.zeros(ROOM + SPARE, np.uint8), np.zeros(DEAL_ROOM, np.uint8)
    sets = np.zeros(SETS, np.uint64), np.zeros(2 * SETS, np.uint64)
    cards = *sets, np.zeros(SETS, np.bool_), np.zeros(SETS, np.int64), np.zeros(SEATS, np.int64)
    calls = np.zeros(8 * laws.AUCTION_WORDS + 8, np.uint8)
    return messages, cards, calls, waiting(), np.zeros(1, np.uint64), np.zeros(2, np.int64)


@outer
def prove(text, texts, numbers, todo, law, work, moves, events, cursors, status, facts, digests, slots, words):
    """Prove the hands in the rows ``todo`` of a block, or say what must be learned.

    ``work``: a ``workspace``. ``slots``: ``digests`` as ``uint32``. ``moves`` with no rows: moves are not kept.
    ``cursors``: the next row of ``moves`` and of ``events``. Fills ``status``, ``facts`` and ``digests``, and for what
    is unknown a row of ``words`` with its key. Of hands at fault there are no digests and no moves.
    """
    bombs, enough = work[4], work[5]
    told = moves, events, cursors, bombs, enough
    for place in range(todo.size):
        row = todo[place]
        move, event = cursors[0], cursors[1]
        for column in range(facts.shape[1]):
            facts[row, column] = 0
        bombs[0], enough[0], enough[1] = np.uint64(0), 0, 0
        for seat in range(SEATS):
            work[1][4][seat] = 0
        status[row] = _hand(text, texts, numbers, row, law, work, told, facts, digests, slots, words)
        facts[row, _MOVE], facts[row, _EVENT] = move, event
        digests[row, _IS_ENOUGH] = np.uint64(enough[0])
        if status[row] != CLEAN:
            cursors[0] = move
            if status[row] < STOPPED:
                cursors[1] = event
    write_digests(work[3], digests)
