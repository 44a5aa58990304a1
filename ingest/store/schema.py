"""The tables of a store, column by column, declared once (record.md 8).

Knows names, types and meanings. Refuses to know where rows come from and where files lie.
"""

from functools import cache

import pyarrow as pa
from msgspec import Struct

VERSION = 7
"""The version of these declarations; a store of another one is not opened."""

ZONE = "Asia/Shanghai"
"""The time zone in which a moment is put on a day, unless a store was made with another."""

KINDS: dict[str, tuple[pa.DataType, str]] = {
    "integer": (pa.int64(), "BIGINT"),
    "small": (pa.int16(), "SMALLINT"),
    "real": (pa.float64(), "DOUBLE"),
    "flag": (pa.bool_(), "BOOLEAN"),
    "text": (pa.string(), "VARCHAR"),
    "bytes": (pa.binary(), "BLOB"),
    "key": (pa.binary(16), "BLOB"),
    "moment": (pa.timestamp("us", tz="UTC"), "TIMESTAMPTZ"),
    "day": (pa.date32(), "DATE"),
}
"""For each kind of column its type in Parquet and in SQL."""


class Column(Struct, frozen=True):
    """One column. What may be missing is null, and the meaning says when."""

    name: str
    kind: str
    meaning: str


class Table(Struct, frozen=True):
    """One table: what a row is, and its columns in order."""

    name: str
    row: str
    columns: tuple[Column, ...]
    sums: tuple[str, ...] = ()
    """Of a roll-up: the columns that are added up over batches; the others are what it is grouped by."""
    added: bool = True
    """Of a roll-up: whether its batches are added up before anybody asks; else who asks adds them up."""

    @property
    def schema(self) -> pa.Schema:
        """Its schema in Parquet; every field carries its meaning."""
        return _schema(self.columns)

    def place(self, column: str) -> int:
        """The place of a column, from 0."""
        return [each.name for each in self.columns].index(column)

    @property
    def keys(self) -> tuple[str, ...]:
        """Of a roll-up: what it is grouped by."""
        return tuple(column.name for column in self.columns if column.name not in self.sums)


@cache
def _schema(columns: tuple[Column, ...]) -> pa.Schema:
    return pa.schema([pa.field(c.name, KINDS[c.kind][0], metadata={"meaning": c.meaning}) for c in columns])


def _columns(text: str) -> tuple[Column, ...]:
    """Columns written as lines of name, kind and meaning."""
    lines = (line.split(None, 2) for line in text.strip().splitlines())
    return tuple(Column(name, kind, meaning) for name, kind, meaning in lines)


HANDS = Table(
    "hands",
    "one entry of a log: a hand, or a line that is no record; never the same hand twice",
    _columns("""
hand                  integer  running number, unique in the store; what the other tables join by
source                text     the file as the audit names it
line                  integer  line of the file, from 1
id                    text     the record's id, letter for letter; null where the line has none
rules                 text     the ruleset that it was audited under; of an unreadable line what it names
rules_digest          text     digest of the effective ruleset
table_id              text     room, table or match
began                 moment   when the hand began; null where undated
utc_offset            text     the offset from UTC in which the log wrote that time, such as +08:00
day                   day      the day of that moment in the time zone of the store; null beyond the years 1 to 9999
base                  integer  the record's 底分
voids                 integer  the record's count of void hands directly before
verdict               text     clean, faulty or unreadable
counted               flag     true for a hand; false for a line that is no record
outcome               text     landlord, farmers, void, escape, surrender, unfinished; null when unreadable
landlord              small    the landlord's seat
bid                   integer  the bid; 1 where the game has none
factor_bomb           integer  factor of the bombs; 1 where it did not enter, null where nothing was settled
factor_rocket         integer  factor of the rocket
factor_spring         integer  factor of 春天
factor_anti_spring    integer  factor of 反春
factor_void           integer  factor of the void hands before (荒番)
factor_marker         integer  factor of the marker
factor_open           integer  factor of 摊打
factor_rob            integer  factor of 抢地主
factor_level          integer  factor of the level (三打哈)
factor_opening        integer  factor of the opening bid (三打哈)
multiplier            integer  product of the factors, capped where the rules cap it; null where nothing was settled
unit                  integer  base × bid × multiplier: what one farmer pays or gets
balanced              flag     whether the recomputed scores add up to zero; null where there are none
claimed_landlord      small    the landlord's seat as the record claims it
claimed_bid           integer  the bid as claimed
claimed_multiplier    integer  the multiplier as claimed
players               small    seats at the table; null when unreadable
bombs                 small    bombs played, rockets apart; null where no play was replayed
rockets               small    rockets played
spring                flag     whether the landlord went out before any farmer played, whatever it is worth
anti_spring           flag     whether a farmer went out and the landlord had played once, whatever it is worth
robs                  small    how often 抢地主 was said; null where there was no landlord
trick_points          small    三打哈: points in the tricks of the three; null where none were counted
bottom_points         small    三打哈: points among the buried cards
bottom_factor         small    三打哈: what they counted for, 0 where the three did not take the bottom
open                  flag     whether 摊打 was declared; null where the rules have none
ended                 text     the record's word on its end; null where played out
moves                 small    plays and passes in the record
deck                  text     cards to each seat, bottom and dead, packs; null where the deal is none of this pack
bottom_counts         integer  ranks of the bottom, 4 bits each, 3 lowest; null where hidden and not what hands leave
deal_digest           integer  what the deal is recognised by, seats in order; null where not every card is known
deal_shape            integer  the same for deals that differ in the first seat or in the names of suits
duration              integer  the latest stamp of a move, in milliseconds since the hand began; null without stamps
backwards             small    stamps that are lower than the one before
standing_still        small    stamps that are equal to the one before
clock_digest          integer  what all times between moves are recognised by; null where some lack, or few moves
faults                small    findings that are faults
notes                 small    findings that are notes
first_fault           text     code of the first fault
tags                  text     the record's tags as a JSON object
entry                 key      file and bytes together, of no record the line too: the very same entry is known by it
digest                key      what the hand is recognised by: players, cards, moves; of no record the same as entry
played                key      players and moves alone, as all players' copies have them; null for a short hand
deal                  bytes    with played: four bytes a seat's cards and the bottom, zero where they are hidden
id_digest             key      source and id together; null for what is no record
"""),
)

SEATS = Table(
    "seats",
    "one seat of a hand that could be read",
    _columns("""
hand                  integer  the hand
seat                  small    seat, in order of turn from 0
player                text     the player's id, letter for letter
name                  text     the player's name, letter for letter
bot                   flag     whether the record says it is a bot
rules                 text     as in hands
day                   day      as in hands
began                 moment   as in hands
table_id              text     as in hands
verdict               text     as in hands
outcome               text     as in hands
base                  integer  what a score of 1 is worth: 底分, or what the rules fix; 1 where no points are paid
bid                   integer  as in hands
multiplier            integer  as in hands
balanced              flag     as in hands
open                  flag     as in hands
role                  text     landlord or farmer; null where there was no landlord
position              text     a farmer's place: down next after the landlord, up just before, across; null for two
won                   flag     whether the seat was on the winning side; null for void and unsettled hands
score                 integer  the recomputed score; null where the rules give none
due                   integer  of a farmer, what he was to pay or get without caps and with enough points; else null
claimed_score         integer  the score as the record claims it
balance_before        integer  points before the hand
balance_after         integer  balance and recomputed score together
claimed_balance       integer  points after the hand as claimed
plays                 small    plays; null where no play was replayed
passes                small    passes in the plays
bombs                 small    bombs, rockets apart
rockets               small    rockets
cards_left            small    cards left at the end
first_speaker         flag     whether the auction began at this seat
spring                flag     as in hands
anti_spring           flag     as in hands
words                 text     what the seat said in the auction, in order: -, a bid, call, rob
called_before         text     what stood when it first spoke: - for nothing, a bid, call, rob
bid_turns             small    turns in the bidding after a bid that could be gone beyond; null where none has levels
overbids              small    of these, bids
rob_turns             small    turns at which 抢地主 was possible; null where the rules have none or nobody spoke
robs                  small    of these, 抢地主
last_turns            small    of these turns, those of the one who had bid last, after somebody had robbed him
last_robs             small    of these, 抢地主
dealt_jokers          small    jokers dealt, in void hands too; null, as up to dealt_points, for hidden hands and 三打哈
dealt_twos            small    twos dealt
dealt_bombs           small    ranks dealt often enough for a bomb, the rocket not counted
dealt_rocket          flag     whether the rocket was dealt
dealt_plays           small    fewest plays that shed the dealt hand
dealt_points          small    strength of the dealt hand: jokers, twos and bombs less those plays
taken_points          small    strength with the bottom less strength without; landlords only
bombs_held            small    bombs and rocket in hand when play began
bombs_unplayed        small    bombs and rocket in hand at the end
went_out              flag     whether the seat emptied its hand
leads                 small    leads; this and what follows is null where plays were not judged, and for 三打哈
lead_cards            small    cards led
follows               small    turns to follow
could                 small    of these, turns with a legal answer
could_softly          small    turns with a legal answer that is neither bomb nor rocket
passed                small    passes although there was a legal answer
passed_softly         small    passes although there was one that is neither bomb nor rocket
could_mate            small    turns with a legal answer to a team mate's play
passed_mate           small    of these, passes
harmed_mate           small    plays over a team mate with at most 2 cards, or that the landlord beat next
feed_turns            small    leads while a team mate whose cards are known had at most 3
feeds                 small    of these, leads that such a mate could beat
gate_turns            small    singles and pairs of the farmer before the landlord where a lower one was possible
gates                 small    of these, of rank T or higher
guard_turns           small    leads of the farmer before the landlord who had at most 2 cards
unguarded             small    of these, singles and pairs of rank 6 or lower
alert_turns           small    leads against an opponent with 1 or 2 cards where another shape was possible
alert_kept            small    of these, not the shape that he may go out with
bomb_cards_left       small    cards in hand before each bomb or rocket, added up
bombs_stood           small    bombs and rockets whose trick the own side took
bombs_at              integer  bombs and rockets by cards in hand before them, 4 bits each: up to 5, to 10, to 15, more
bombs_stood_at        integer  of these, those whose trick the own side took, counted likewise
bombs_broken          small    plays of a part of a bomb or of some jokers of a rocket, not of a whole one
answers_softly        small    answers that are neither bomb nor rocket
leaps                 small    of these, singles, pairs, trios that beat by 5 ranks while a whole smaller one was held
kicker_turns          small    plays with kickers where a card below two was left that could have been one
kickers_wasted        small    of these, plays with a two or a joker as kicker
tricks                small    tricks in the hand that came to their end
tricks_won            small    of these, tricks won
cards_won             small    cards in the tricks won
timed                 small    moves of the auction and the play whose thinking time is known
thinking              integer  their thinking time in milliseconds: since the move before, or the beginning of the hand
forced                small    forced passes whose time is known; this and what follows is null without stamps
forced_log            real     their times in seconds as natural logarithms, added up
forced_log_squares    real     the squares of these, added up
free                  small    leads, and turns with a legal answer, whose time is known
free_log              real     their times in seconds as natural logarithms, added up
free_log_squares      real     the squares of these, added up
quick                 small    of these, faster than 150 milliseconds
dealt                 integer  ranks dealt before the bottom, 4 bits each, 3 lowest; null where hidden or deck is null
faces                 integer  faces dealt: bit 2i is face i, 2i+1 face 27+i, as S3 H3 … D2 B R; null without suits
twins                 integer  faces dealt twice, in the same bits; 0 with one pack
"""),
)

MOVES = Table(
    "moves",
    "one action of an auction, play or pass of a hand that could be read",
    _columns("""
hand                  integer  the hand
phase                 text     auction or play
index                 small    number of the move within its phase, from 0
seat                  small    who moved
word                  text     in an auction what was said; null in the play
cards                 text     the cards as the record writes them; null for a pass
pass                  flag     whether it was a pass
reading               text     what the play stood for, the first where several; null where nothing or not judged
length                small    groups of the combination
rank                  text     rank of the combination
size                  small    cards played
lead                  flag     whether the seat led; null where not judged
answered              small    the seat whose play was to be beaten or followed; null for a lead
bomb                  flag     whether it is a bomb or a rocket; null where not judged
ms                    integer  milliseconds since the hand began
took                  integer  milliseconds since the move before, or since the hand began
could                 flag     of a turn to follow: whether there was a legal answer; null where it is not known
could_softly          flag     the same without bombs and rockets
cheapest              text     of a turn to follow: its cheapest legal answer, ranks only
left_before           text     cards left at each seat before the move, in order of seats, separated by spaces
"""),
)

FINDINGS = Table(
    "findings",
    "one finding",
    _columns("""
hand                  integer  the hand; null for R108, since the same hand again is no row of hands
source                text     the file
line                  integer  its line
code                  text     the code of the catalogue
severity              text     fault or note
phase                 text     record, deal, auction, play or settlement
index                 small    number of the move within its phase
seat                  small    the seat it is about
details               text     its details as a JSON object
digest                key      of R108: what the repeating entry is recognised by
"""),
)

MISMATCHES = Table(
    "mismatches",
    "one way in which a hand's claim differs from what the rules give, or one explanation of it",
    _columns("""
hand                  integer  the hand
kind                  text     S01 to S24 of the kinds of mismatch; null where nothing known explains the scores
switch                text     the switch of the ruleset, or what of the hand or the payment, that would explain it
value                 text     the value that it would need
claimed               text     scores, multiplier or whatever differs, as claimed; seats in order
recomputed            text     the same as the rules give it
difference            integer  points by which the scores differ, all seats together; null where they are not the matter
"""),
)

RAW = Table(
    "raw",
    "one entry of a log as it came, so that it can be audited again",
    _columns("""
hand                  integer  the hand
source                text     the file
line                  integer  its line
raw                   bytes    the bytes of the line or document, without its newline, as UTF-8 if it is text
format                text     the format that it was read as
record                bytes    the same as a Fupan record where it came in another format; null where raw is one or none
packed                bytes    what the proof of a clean hand rests on, for auditing it again; null where raw is audited
"""),
)

REPLACED = Table(
    "replaced",
    "one row of hands that another took the place of; the other tables leave it out, past_hands and so on have it",
    _columns("""
hand                  integer  the row that no longer counts
by                    integer  the row that took its place
"""),
)

DAYS = Table(
    "days",
    "roll-up: one day, ruleset, verdict and outcome",
    _columns("""
day                   day      as in hands; null for undated hands
rules                 text     as in hands
verdict               text     as in hands
outcome               text     as in hands
hands                 integer  rows of hands
"""),
    sums=("hands",),
)

PLAYERS = Table(
    "players",
    "roll-up: one player, ruleset, role, position and verdict; only hands with a winner",
    _columns("""
player                text     as in seats
rules                 text     as in seats
role                  text     as in seats
position              text     as in seats
verdict               text     as in seats
hands                 integer  hands that were won or lost
wins                  integer  hands won
scored                integer  hands with a recomputed score
score                 real     sum of the recomputed scores
plays                 integer  plays
passes                integer  passes
bombs                 integer  bombs, rockets apart
rockets               integer  rockets
springs               integer  hands with 春天, made or suffered
anti_springs          integer  hands with 反春, made or suffered
"""),
    sums=("hands", "wins", "scored", "score", "plays", "passes", "bombs", "rockets", "springs", "anti_springs"),
)

COMBINATIONS = Table(
    "combinations",
    "roll-up of clean hands: one player, day and combination that was led or bombed with; rows may have equal keys",
    _columns("""
player                text     as in seats
rules                 text     as in seats
role                  text     as in seats
position              text     as in seats
bot                   flag     as in seats
day                   day      as in seats
reading               text     as in moves
size                  small    of bombs and rockets the cards; of other combinations null
leads                 integer  leads
openings              integer  of these, first plays of a hand
bombs                 integer  bombs and rockets, leads and answers
"""),
    sums=("leads", "openings", "bombs"),
    added=False,
)

MATES = Table(
    "mates",
    "roll-up of clean hands with a winner: two players at one table, in their roles; rows may have equal keys",
    _columns("""
player                text     as in seats
other                 text     the other player
rules                 text     as in seats
role                  text     the player's role
other_role            text     the other's role
hands                 integer  hands together
wins                  integer  of these, hands that the player won
scored                integer  of these, hands with a recomputed score
total                 real     the player's scores over the base, added up
squares               real     the squares of these, added up
"""),
    sums=("hands", "wins", "scored", "total", "squares"),
    added=False,
)

_ROLLUPS = (DAYS, PLAYERS, COMBINATIONS, MATES)
TABLES = {table.name: table for table in (HANDS, SEATS, MOVES, FINDINGS, MISMATCHES, RAW, REPLACED, *_ROLLUPS)}
"""Every table, by name; each is one Parquet file of a batch."""

OF_HANDS = tuple(table.name for table in (HANDS, SEATS, MOVES, FINDINGS, MISMATCHES, RAW))
"""The tables whose rows count only while their hand is not among ``replaced``."""
