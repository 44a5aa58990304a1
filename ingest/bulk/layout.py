"""The flat arrays in which a block of records is held: for each record where its texts stand, and its numbers.

Knows the fields of a record (record.md 2) as columns. Everything the fast path does, and whatever builds tables from
it, goes by these names; no other module counts columns.

A block is bytes that end with a newline, as a NumPy array of ``uint8``. For ``n`` records of it:

- ``texts``: ``int32[n, TEXTS, 2]``, where in the block a text begins and ends, without its quotes; -1, -1 where it is
  absent or null. Only texts that need no decoding are understood: those of ``DECODED`` may hold JSON escapes.
- ``numbers``: ``int64[n, NUMBERS]``. A number that is absent or null is ``ABSENT``; seats, flags and counts are -1.
"""

from enum import IntEnum

SEATS = 4
"""Players of the largest game."""
ABSENT = -(1 << 63)
"""No number: no record that is read here has one so small."""


class Text(IntEnum):
    """Columns of ``texts``; a field of a seat has ``SEATS`` columns in a row."""

    ID = 0
    RULES = 1
    TABLE = 2
    AT = 3
    BOTTOM = 4
    DEAD = 5
    MARKER = 6
    AUCTION = 7
    TAKEN = 8
    TRUMP = 9
    BURIED = 10
    PLAYS = 11
    END = 12
    TAGS = 13
    """The whole object, braces included."""
    EXTRA = 14
    """The whole value."""
    HAND = 15
    PLAYER = 19
    NAME = 23


TEXTS = 27
DECODED = (Text.NAME, Text.TAGS, Text.EXTRA)
"""Texts that may hold JSON escapes; all others stand in the block as they are meant."""


class Number(IntEnum):
    """Columns of ``numbers``; a field of a seat has ``SEATS`` columns in a row."""

    LINE = 0
    """Lines of the block before this one, blank ones included."""
    START = 1
    """Where in the block the line begins."""
    STOP = 2
    """Where it ends, without the newline."""
    RULES = 3
    """Place in the list of names that the reader was given; -1 where the record names none, -2 for another name."""
    AT = 4
    """Microseconds since 1970 UTC."""
    OFFSET = 5
    """Minutes by which the clock of ``at`` is before UTC."""
    BASE = 6
    VOIDS = 7
    FIRST = 8
    LANDLORD = 9
    OPEN = 10
    PLAYERS = 11
    """How many."""
    HANDS = 12
    """How many; -1 where the record has none. A hidden one has no text."""
    CLAIMS = 13
    """1 where there is a claim; -1 where there is none."""
    CLAIMED_LANDLORD = 14
    CLAIMED_MULTIPLIER = 15
    CLAIMED_BID = 16
    WINNERS = 17
    """How many winners are claimed; -1 where none are named."""
    SCORES = 18
    """How many scores are claimed; -1 where none are."""
    BALANCES = 19
    """How many balances are claimed; -1 where none are."""
    BALANCE = 20
    BOT = 24
    WINNER = 28
    SCORE = 32
    CLAIMED_BALANCE = 36


NUMBERS = 40


class Fact(IntEnum):
    """Columns of ``facts``, ``int64[n, FACTS]``: what the replay found of a hand that is proven clean."""

    LANDLORD = 0
    """The landlord's seat; -1 in a void hand."""
    WINNER = 1
    """The seat that went out; -1 where none did."""
    ESCAPED = 2
    """The seat that left; -1 where none did."""
    OUTCOME = 3
    """A place in ``OUTCOMES``."""
    AUCTION = 4
    """The number of the auction among those that were learned."""
    SETTLEMENT = 5
    """The number of the settlement among those that were learned."""
    MOVES = 6
    """Plays and passes."""
    MOVE = 7
    """The first row of its moves in ``moves``."""
    EVENTS = 8
    """Plays that call for a note."""
    EVENT = 9
    """The first row of these in ``events``."""
    TURN = 10
    """The seat of the player with the least id, from which on the hand is recognised."""
    LEFT = 11
    """Cards left at the end, by seat."""
    PLAYED = 15
    """Plays by seat, passes not counted."""
    BOMBS = 19
    """Bombs and rockets by seat."""
    ROCKETS = 23
    """Rockets by seat."""
    NOTES = 27
    """How many notes there are on the hand."""


FACTS = 28
OUTCOMES = ("farmers", "landlord", "void", "escape")


class Move(IntEnum):
    """Columns of ``moves``, ``int64[m, MOVES]``: the plays and passes of proven hands, those of one hand together."""

    ROW = 0
    """The row of its hand in the block."""
    SEAT = 1
    START = 2
    """Where in the block the cards begin."""
    STOP = 3
    """Where they end; the same for a pass."""
    BEFORE = 4
    """The number of what stood before, 0 for a lead."""
    AFTER = 5
    """The number of what stands after; -1 for a pass."""
    COUNTS = 6
    """The packed counts of the cards; 0 for a pass."""
    CLOCK = 7
    """Milliseconds since the hand began; -1 where the record does not tell."""


MOVES = 8


class Event(IntEnum):
    """Columns of ``events``, ``int64[e, EVENTS]``: what calls for a note, those of one hand together."""

    ROW = 0
    KIND = 1
    """``RULED`` or ``BEYOND``; ``JUDGED`` or ``LED_PASS`` in hands that are not clean."""
    INDEX = 2
    """The number of the move."""
    SEAT = 3
    FIRST = 4
    """``RULED``, ``JUDGED``: the number of what stood before. ``BEYOND``: how many bombs the farmer has thrown."""
    SECOND = 5
    """``RULED``, ``JUDGED``: the packed counts. ``BEYOND``: how many his bid allows."""
    START = 6
    STOP = 7
    """Where the cards stand."""


EVENTS = 8
RULED, BEYOND, LED_PASS, JUDGED = 410, 408, 405, 403
"""A play that is legal only by a ruling (P410); a bomb beyond what the farmer's bid allows (P408); a pass of who leads
(P405); a play that is no combination, beats nothing or declares another reading (P403, P404, P409)."""


class Short(IntEnum):
    """Columns of ``short``, ``int64[n, SHORT]``: the verdict on a proven hand; what is null there is ``ABSENT``."""

    OUTCOME = 0
    """A place in ``OUTCOMES``."""
    LANDLORD = 1
    BID = 2
    MULTIPLIER = 3
    UNIT = 4
    SCORE = 5
    """By seat."""


SHORT = 5 + SEATS


class Digest(IntEnum):
    """Columns of ``digests``, ``uint64[n, DIGESTS]``: what a hand is recognised by (``ingest.identity``)."""

    CONTENT = 0
    """Two words: the sixteen bytes of the content, the first word first, lowest byte first."""
    MOVES = 2
    """Two words: players and moves alone."""
    ENOUGH = 4
    """1 where enough was played for these to tell the hand."""
    DEAL = 5
    """Four bytes for each seat's cards and for the bottom."""


DIGESTS = 8


class Mark(IntEnum):
    """Columns of ``marks``, ``uint64[n, MARKS]``: hashes by which a hand's names are found again."""

    ID = 0
    """Two words: of its source and id."""
    TABLE = 2
    """Two words: of its source and table."""
    PLAYER = 4
    """Of a player, by seat."""


MARKS = 8


class Gist(IntEnum):
    """Columns of ``gist``, ``int64[n, GIST]``: what the next hand of a table is held against, and this one is."""

    LINE = 0
    """Lines of the block before this one."""
    RULES = 1
    """The number of the ruleset."""
    PLAYERS = 2
    """How many."""
    AT_TABLE = 3
    """1 where the record names a table."""
    VOIDS = 4
    VOIDS_AFTER = 5
    """What ``voids`` of the next record must be."""
    BALANCE = 6
    """By seat, as the record has it; ``ABSENT`` where it is not known."""
    AFTER = 10
    """By seat, after the hand."""
    CLAIMED = 14
    """By seat, as the record claims it; that after the hand where it claims none."""
    DEALT = 18
    """How many bytes of ``Digest.DEAL`` count."""


GIST = 19


class Kept(IntEnum):
    """Columns of ``kept``, ``uint64[k, KEPT]``: what is remembered of a hand to know it again."""

    ID = 0
    """Two words: the hash of its source and id."""
    CONTENT = 2
    """Two words, as in ``Digest``."""
    PLAYED = 4
    """Two words."""
    DEAL = 6
    """Three words, the bytes in their order."""
    WHERE = 9
    """The number of its source and, in the lower 40 bits, of its line."""
    HOW = 10
    """Flags, and above them the bytes of its deal."""


KEPT = 11


class State(IntEnum):
    """Columns of ``states``, ``int64[t, STATES]``: what the last hand of a table left for the next."""

    KEY = 0
    """Two words: the hash of its source and name."""
    RULES = 2
    """The number of the ruleset; -1 where the state is kept elsewhere."""
    PLAYERS = 3
    """How many."""
    VOIDS = 4
    """What ``voids`` of the next record must be; -1 where it is not known."""
    PLAYER = 5
    """The hash of a player, by seat."""
    BALANCE = 9
    """The balance by seat, ``ABSENT`` where it is not known."""
    CLAIMED = 13
    """The same as the record claims it."""


STATES = 17
