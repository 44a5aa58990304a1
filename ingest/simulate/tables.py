"""Tables: who sits where, with how many points, since when, and how many hands in a row were void.

Knows what one hand leaves to the next. Refuses to know cards.
"""

from datetime import datetime, timedelta, timezone
from random import Random

from msgspec import Struct

from ingest.batch import counts_voids
from ingest.hand import Story
from ingest.record import Player
from ingest.rules.falling import next_to_speak
from ingest.rules.ruleset import AnyRuleset, Ruleset, TrickRuleset

TABLES = 4
"""Tables at which hands are played at the same time."""

HANDS_AT_A_TABLE = 60
"""After so many hands a table breaks up and another one is opened."""

OPENED = datetime(2026, 11, 1, 19, 0, tzinfo=timezone(timedelta(hours=8)))

BASES = (1, 1, 2, 5, 10, 20, 100)
STAKES = (8, 30, 500, 500, 2000)
"""What a player brings to a table, in multiples of its base."""


class Person(Struct, frozen=True):
    """Somebody who plays at several tables, one after the other."""

    id: str
    name: str | None
    bot: bool | None
    boldness: float
    """0 to 1: how readily one bids, beats and bombs."""


class Guest(Struct):
    """A person at a table."""

    person: Person
    balance: int | None


class Sitting(Struct, frozen=True, kw_only=True):
    """What is known of a hand before its cards are dealt."""

    id: str
    rules: str
    players: tuple[Player, ...]
    boldness: tuple[float, ...]
    table: str | None = None
    at: datetime | None = None
    base: int = 1
    voids: int = 0
    first: int | None = None
    """Who speaks first because of the hand before; None where that says nothing."""


class Table(Struct):
    """One table between two hands."""

    name: str
    base: int
    guests: list[Guest]
    at: datetime
    stake: int | None
    """Points that a newcomer brings; None where nobody keeps count."""
    voids: int = 0
    hands: int = 0
    first: int | None = None
    """Who speaks first in the next hand, where the last one says it (F-R12)."""
    met: list[str] = []
    """Everybody who ever sat here, by id."""


_NAMES = (
    "老王 小李 阿珍 大刘 陈姐 老赵 孙大圣 周周 吴叔 郑在打牌 冯家二哥 褚先生 卫青 蒋三炸 沈默 韩信 杨过 朱八 秦琼 尤物 "
    "许仙 何仙姑 吕布 施主 张飞 孔二 曹操 严师傅 华佗 金枪鱼 魏延 陶陶 姜太公 戚老板 谢谢你 邹忌"
).split()
_ODD_IDS = ("007", "NA", "null", "880012345678901234", "赵-9", "u🀄")
"""Ids that a careless reader would take for something else."""


def people() -> tuple[Person, ...]:
    """The forty persons of every sample."""
    named = [Person(f"u{i:02}", name, None, i * 7 % 10 / 10) for i, name in enumerate(_NAMES[:30])]
    odd = [Person(one, _NAMES[30 + i], False, i / 6) for i, one in enumerate(_ODD_IDS)]
    return (*named, *odd, *(Person(f"bot-{i}", None, True, i / 4) for i in range(1, 5)))


class Room(Struct):
    """All tables of a sample."""

    rules: AnyRuleset
    tables: list[Table]
    opened: int = 0


def open_room(rules: AnyRuleset, rng: Random) -> Room:
    """A room with its first tables."""
    room = Room(rules, [])
    for _ in range(TABLES):
        room.tables.append(_open_table(room, rng))
    return room


def _open_table(room: Room, rng: Random) -> Table:
    """A table with new guests; points are counted at most of them where the rules use them, else at a third."""
    rules = room.rules
    room.opened += 1
    base = rng.choice(BASES) if isinstance(rules, TrickRuleset) or rules.score.base == "record" else 1
    matters = isinstance(rules, Ruleset) and rules.balance.enforce != "never"
    counted = rng.random() < (0.85 if matters else 1 / 3)
    table = Table(
        name=f"room-{room.opened}",
        base=base,
        guests=[],
        at=OPENED + timedelta(minutes=37 * room.opened),
        stake=base * rng.choice(STAKES) if counted else None,
    )
    while len(table.guests) < rules.deal.players:
        table.guests.append(_newcomer(room, table, rng))
    return table


def _newcomer(room: Room, table: Table, rng: Random) -> Guest:
    """Somebody who sits nowhere and never sat at this table."""
    busy = {guest.person.id for other in (*room.tables, table) for guest in other.guests}
    free = [person for person in people() if person.id not in busy and person.id not in table.met]
    person = rng.choice(free)
    table.met.append(person.id)
    return Guest(person, table.stake)


def next_table(room: Room, rng: Random) -> Table:
    """The table of the next hand; one that has lasted long enough is cleared first."""
    place = rng.randrange(len(room.tables))
    if room.tables[place].hands >= HANDS_AT_A_TABLE or len(room.tables[place].met) > 20:
        del room.tables[place]
        room.tables.insert(place, _open_table(room, rng))
    return room.tables[place]


def sit_down(table: Table, identity: str, name: str) -> Sitting:
    """What a record says of a table before the cards."""
    return Sitting(
        id=identity,
        rules=name,
        players=tuple(_as_player(guest) for guest in table.guests),
        boldness=tuple(guest.person.boldness for guest in table.guests),
        table=table.name,
        at=table.at,
        base=table.base,
        voids=table.voids,
        first=table.first,
    )


def anywhere(rules: AnyRuleset, rng: Random) -> Sitting:
    """What is known of a hand that stands alone."""
    some = rng.sample(people(), rules.deal.players)
    return Sitting(
        id=f"h-{rng.randrange(10**9):09}",
        rules=rules.name,
        players=tuple(Player(person.id, person.name) for person in some),
        boldness=tuple(person.boldness for person in some),
    )


def _as_player(guest: Guest) -> Player:
    return Player(guest.person.id, guest.person.name, guest.balance, guest.person.bot)


def settle_table(room: Room, table: Table, hand: Story, rng: Random) -> None:
    """Book a hand: points, void hands in a row, the clock, who speaks first next, and who has to leave."""
    scores = (hand.settled.scores if hand.settled else None) or [0] * room.rules.deal.players
    table.hands += 1
    table.at += timedelta(seconds=rng.randrange(45, 400))
    table.voids = table.voids + 1 if hand.outcome == "void" and counts_voids(room.rules) else 0
    table.first = next_to_speak(hand.landlord, hand.outcome, room.rules)
    for guest, score in zip(table.guests, scores, strict=True):
        if guest.balance is not None:
            guest.balance += score
    _send_away(room, table, rng)
    if isinstance(room.rules, Ruleset) and "seat0" in (room.rules.auction.first, room.rules.auction.landlord):
        table.guests.append(table.guests.pop(0))


def _send_away(room: Room, table: Table, rng: Random) -> None:
    """E-R3, E-Q18: who is below the minimum leaves, and void hands are forgotten where the rules say so."""
    rules = room.rules
    minimum = rules.balance.min_factor * table.base if isinstance(rules, Ruleset) else 0
    for place, guest in enumerate(table.guests):
        if guest.balance is not None and guest.balance < minimum:
            table.guests[place] = _newcomer(room, table, rng)
            table.first = None
            if isinstance(rules, Ruleset) and not rules.void.carry_survives_leave:
                table.voids = 0
