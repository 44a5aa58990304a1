"""Native hands as other programs might have written them, each with the mapping that reads them back."""

import csv
import io
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec
import pyarrow as pa
from pyarrow import parquet

from ingest.cards import UnreadableCards, read_cards, split_cards
from ingest.record import Record, UnreadableMove, read_calls, read_plays

Move = tuple[int, str, int | None]

RANKS = "3456789TJQKA2"
SUITS = "SHCD"


def moves_of(text: str | None) -> list[Move]:
    """Move text cut into seat, what, and clock."""
    found = []
    for token in (text or "").split():
        seat, _, what = token.partition(":")
        what, _, clock = what.partition("@")
        found.append((int(seat), what, int(clock) if clock else None))
    return found


def played(what: str) -> tuple[str, str, str]:
    """Thrown, cards and reading of a play."""
    what, _, reading = what.partition("=")
    thrown, failed, led = what.partition("!")
    return (thrown, led, reading) if failed else ("", what, reading)


def escapee(end: str | None) -> int | None:
    return int(end[7:]) if end and end.startswith("escape:") else None


# --- CSV, one row a move

MOVES_BY_ROW = """
[source]
kind = "csv"
delimiter = ";"
group = "hand"

[seats]
names = ["east", "north", "west", "south"]

[times]
form = "local"
zone = "+08:00"
moves = "s"

[record]
id = "hand"
rules = "rules"
table = "table"
at = "at"
base = "base"
voids = "voids"
hands = { when = { kind = "deal" }, seat = "seat", at = "cards" }
bottom = "bottom"
dead = "dead"
marker = "marker"
first = "first"
landlord = "landlord"
taken = "taken"
open = "open"
trump = "trump"
buried = "buried"
end = { at = "end", words = { "void" = "void", "surrender" = "surrender", "left" = "escape" } }
escape = "left"

[players]
id = { when = { kind = "deal" }, seat = "seat", at = "player" }
name = { when = { kind = "deal" }, seat = "seat", at = "name" }
balance = { when = { kind = "deal" }, seat = "seat", at = "balance", unit = "0.01", suffix = "元" }
bot = { when = { kind = "deal" }, seat = "seat", at = "bot" }

[auction]
when = { kind = "bid" }
seat = "seat"
word = "cards"
words = { "不叫" = "-", "叫地主" = "call", "抢地主" = "rob" }
time = "time"

[plays]
when = { kind = "play" }
seat = "seat"
cards = "cards"
passes = ["要不起"]
thrown = "thrown"
reading = "reading"
time = "time"

[claim]
landlord = { when = { kind = "result" }, at = "landlord" }
winners = { when = { kind = "result" }, at = "winners", split = "," }
multiplier = { when = { kind = "result" }, at = "base" }
bid = { when = { kind = "result" }, at = "bid" }
scores = { when = { kind = "score" }, seat = "seat", at = "score", optional = true }
balances = { when = { kind = "score" }, seat = "seat", at = "balance", unit = "0.01", suffix = "元", optional = true }

[tags]
deal_mode = "deal_mode"
"""
COLUMNS = (
    "hand kind seat cards time thrown reading rules table at base voids bottom dead marker first landlord taken open "
    "trump buried end left player name balance bot winners bid score deal_mode"
).split()
NAMES = ["east", "north", "west", "south"]
_SAID = {"-": "不叫", "call": "叫地主", "rob": "抢地主"}


def _yuan(points: int | None) -> str:
    if points is None:
        return ""
    return f"{'-' if points < 0 else ''}{abs(points) // 100}.{abs(points) % 100:02}元"


def _rows(record: Record) -> Iterator[dict[str, Any]]:
    tags = record.tags or {}
    left = escapee(record.end)
    head = {
        "rules": record.rules, "table": record.table, "base": record.base, "voids": record.voids,
        "at": record.at.isoformat(" ")[:19] if record.at else "", "bottom": record.bottom, "dead": record.dead,
        "marker": record.marker, "first": "" if record.first is None else NAMES[record.first],
        "landlord": "" if record.landlord is None else NAMES[record.landlord], "taken": record.taken,
        "open": str(record.open), "trump": record.trump, "buried": record.buried,
        "end": "left" if left is not None else record.end, "left": "" if left is None else NAMES[left],
        "deal_mode": tags.get("deal_mode"),
    }  # fmt: skip
    yield {"kind": "result", **_claim_row(record), **{k: v for k, v in head.items() if k not in ("landlord", "base")}}
    for seat, player in enumerate(record.players):
        cards = None if record.hands is None else record.hands[seat]
        yield {
            "kind": "deal", "seat": NAMES[seat], "cards": cards, "player": player.id, "name": player.name,
            "balance": _yuan(player.balance), "bot": "" if player.bot is None else int(player.bot),
        }  # fmt: skip
    for seat, word, clock in moves_of(record.auction):
        yield {"kind": "bid", "seat": NAMES[seat], "cards": _SAID.get(word, word), "time": _seconds(clock)}
    for seat, what, clock in moves_of(record.plays):
        thrown, cards, reading = played(what)
        shown = {"cards": "要不起" if cards == "-" else cards, "thrown": thrown, "reading": reading}
        yield {"kind": "play", "seat": NAMES[seat], "time": _seconds(clock), **shown}
    for seat in range(len(record.players) if record.claim and (record.claim.scores or record.claim.balances) else 0):
        scores, balances = record.claim.scores, record.claim.balances
        balance = _yuan(balances[seat]) if balances else ""
        yield {"kind": "score", "seat": NAMES[seat], "score": scores and scores[seat], "balance": balance}


def _seconds(clock: int | None) -> str:
    return "" if clock is None else f"{clock / 1000:.3f}"


def _claim_row(record: Record) -> dict[str, Any]:
    claim = record.claim
    if claim is None:
        return {}
    return {
        "landlord": "" if claim.landlord is None else NAMES[claim.landlord], "base": claim.multiplier, "bid": claim.bid,
        "winners": ",".join(NAMES[seat] for seat in claim.winners or ()),
    }  # fmt: skip


def as_csv(records: Sequence[Record]) -> bytes:
    """The first row of a hand is its head, which has the claim's landlord in columns of its own rows."""
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, delimiter=";", lineterminator="\r\n")
    writer.writeheader()
    for record in records:
        head, *rows = _rows(record)
        claim = {key: head.pop(key, None) for key in ("landlord", "base", "bid", "winners")}
        landlord = "" if record.landlord is None else NAMES[record.landlord]
        first = {**head, "kind": "head", "base": record.base, "landlord": landlord}
        for row in (first, {"kind": "result", **claim}, *rows):
            writer.writerow({"hand": record.id, **row})
    return out.getvalue().encode()


# --- nested JSON, one document

NESTED = """
[source]
kind = "json"
hands = "data.*.rounds.*"

[seats]
first = 1
order = "against"

[cards]
code = "numbers"
first = 1
suits = "DCHS"
by = "suit"
packs = 2

[times]
form = "ms"
zone = "Asia/Shanghai"
moves = "absolute"

[record]
id = "id"
rules = { at = "info.mode", words = %s }
table = "info.table"
at = "info.start"
base = "info.base"
voids = "info.voids"
hands = "seats.*.cards"
bottom = "bottom"
dead = "dead"
marker = "info.marker"
first = "info.first"
landlord = "info.landlord"
taken = "taken"
open = "info.open"
trump = "info.trump"
buried = "buried"
end = { at = "info.end", words = { "played" = "", "void" = "void", "surrender" = "surrender" } }
escape = "info.left"

[players]
id = "seats.*.user.id"
name = "seats.*.user.name"
balance = "seats.*.gold"
bot = "seats.*.user.bot"

[auction]
rows = "calls"
seat = "0"
word = "1"
time = "2"

[plays]
rows = "tricks.*.moves.*"
seat = "seat"
cards = "cards"
pass_when = { kind = "pass" }
thrown = "thrown"
reading = "declared"
time = "at"

[claim]
landlord = "result.landlord"
winners = "result.winners"
multiplier = "result.times"
bid = "result.bid"
scores = "result.scores"
balances = "result.golds"

[tags]
deal_mode = "info.deal_mode"
"""


def mode(rules: str) -> str:
    return f"模式 {rules}"


def nested(names: Sequence[str]) -> str:
    """The mapping for games of these rulesets."""
    words = ", ".join(f'"{mode(name)}" = "{name}"' for name in names)
    return NESTED % f"{{ {words} }}"


def _number(card: str) -> int:
    if card in "BR":
        return 53 + "BR".index(card)
    return 1 + 13 * "DCHS".index(card[0]) + RANKS.index(card[1])


def _numbers(text: str | None) -> list[int] | None:
    """Cards as numbers, the second of a face from the second pack."""
    if text is None:
        return None
    seen: set[int] = set()
    found = []
    for card in split_cards(text):
        number = _number(card)
        number += 54 if number in seen else 0
        seen.add(number)
        found.append(number)
    return found


def against(values: Sequence[Any]) -> list[Any]:
    return [values[-seat % len(values)] for seat in range(len(values))]


def _nested(record: Record) -> dict[str, Any]:
    count = len(record.players)

    def seat(given: int | None) -> int | None:
        return None if given is None else 1 + -given % count

    assert record.at is not None
    began = int(record.at.timestamp() * 1000)
    claim, left = record.claim, escapee(record.end)
    seats = [
        {
            "user": {"id": player.id, "name": player.name, "bot": player.bot},
            "gold": player.balance,
            "cards": None if record.hands is None else _numbers(record.hands[place]),
        }
        for place, player in enumerate(record.players)
    ]
    moves = []
    for whose, what, clock in moves_of(record.plays):
        thrown, cards, reading = played(what)
        kind = "pass" if cards == "-" else "play"
        move: dict[str, Any] = {"seat": seat(whose), "kind": kind, "thrown": _numbers(thrown)}
        move |= {"declared": reading or None, "at": None if clock is None else began + clock}
        moves.append(move if cards == "-" else {**move, "cards": _numbers(cards)})
    return {
        "id": record.id,
        "info": {
            "mode": mode(record.rules or ""), "table": record.table, "start": began, "base": record.base,
            "voids": record.voids, "marker": _numbers(record.marker), "first": seat(record.first),
            "landlord": seat(record.landlord), "open": record.open, "trump": record.trump, "left": seat(left),
            "end": (record.end or "played") if left is None else "played",
            "deal_mode": (record.tags or {}).get("deal_mode"),
        },
        "seats": against(seats),
        "bottom": _numbers(record.bottom),
        "dead": _numbers(record.dead),
        "taken": _numbers(record.taken),
        "buried": _numbers(record.buried),
        "calls": [
            [seat(whose), word if word in ("-", "call", "rob") else int(word), None if clock is None else began + clock]
            for whose, word, clock in moves_of(record.auction)
        ],
        "tricks": [{"moves": moves[start : start + 3]} for start in range(0, len(moves), 3)],
        "result": None if claim is None else {
            "landlord": seat(claim.landlord), "times": claim.multiplier, "bid": claim.bid,
            "winners": None if claim.winners is None else [seat(each) for each in claim.winners],
            "scores": None if claim.scores is None else against(claim.scores),
            "golds": None if claim.balances is None else against(claim.balances),
        },
    }  # fmt: skip


def as_json(records: Sequence[Record]) -> bytes:
    hands = [_nested(record) for record in records]
    nobody = {"landlord": None, "times": None, "bid": None, "winners": None, "scores": None, "golds": None}
    for hand in hands:
        hand["result"] = hand["result"] or nobody
    half = len(hands) // 2
    return msgspec.json.encode({"version": 3, "data": [{"rounds": hands[:half]}, {"rounds": hands[half:]}]})


# --- Parquet, one row a hand

COLUMNAR = """
[source]
kind = "parquet"

[seats]
players = true

[cards]
code = "hex"
split = " "

[times]
moves = "ms"

[record]
id = "hand"
rules = "rules"
table = "table"
at = "began"
base = "base"
voids = "voids"
hands = ["hand0", "hand1", "hand2", "hand3"]
bottom = "bottom"
dead = "dead"
marker = "marker"
first = "first"
landlord = "landlord"
taken = "taken"
open = "open"
trump = "trump"
buried = "buried"
end = "end"

[players]
id = ["p0", "p1", "p2", "p3"]
name = "names"
balance = "gold"
bot = "bots"

[auction]
rows = "auction"
form = "fupan"

[plays]
rows = "moves"
seat = "player"
cards = "cards"
passes_written = false
thrown = "thrown"
reading = "reading"
time = "ms"

[claim]
landlord = "result.landlord"
winners = "result.winners"
multiplier = "result.multiplier"
bid = "result.bid"
scores = "result.scores"
balances = "result.balances"

[tags]
deal_mode = "deal_mode"
"""


def _hex(text: str | None) -> str | None:
    if text is None:
        return None
    codes = []
    for card in split_cards(text):
        suit, rank = ("", card) if card in "BR" else card
        code = "DCHS".index(suit) << 4 | "A23456789TJQK".index(rank) + 1 if suit else 0x4E + "BR".index(rank)
        codes.append(f"0x{code:02x}")
    return " ".join(codes)


def _columnar(record: Record) -> dict[str, Any]:
    ids = [player.id for player in record.players]

    def who(seat: int | None) -> str | None:
        return None if seat is None else ids[seat]

    claim = record.claim
    moves = []
    for seat, what, clock in moves_of(record.plays):
        thrown, cards, reading = played(what)
        if cards != "-":
            move = {"player": who(seat), "cards": _hex(cards), "thrown": _hex(thrown) or None}
            moves.append({**move, "reading": reading, "ms": clock})
    spread = [*record.players, *[None] * (4 - len(ids))]
    return {
        "hand": record.id, "rules": record.rules, "table": record.table, "began": record.at, "base": record.base,
        "voids": record.voids, "bottom": _hex(record.bottom), "dead": _hex(record.dead), "marker": _hex(record.marker),
        "first": who(record.first), "landlord": who(record.landlord), "taken": _hex(record.taken), "open": record.open,
        "trump": record.trump, "buried": _hex(record.buried), "end": record.end,
        **{f"p{seat}": player and player.id for seat, player in enumerate(spread)},
        **{f"hand{seat}": _hex(record.hands[seat]) if record.hands and player else None
           for seat, player in enumerate(spread)},
        "names": [player.name for player in record.players],
        "gold": [None if player.balance is None else float(player.balance) for player in record.players],
        "bots": [player.bot for player in record.players],
        "auction": record.auction,
        "moves": moves,
        "result": {
            "landlord": claim and who(claim.landlord),
            "multiplier": claim and claim.multiplier, "bid": claim and claim.bid,
            "winners": claim and claim.winners and [who(seat) for seat in claim.winners],
            "scores": claim and claim.scores, "balances": claim and claim.balances,
        },
        "deal_mode": (record.tags or {}).get("deal_mode"),
    }  # fmt: skip


_MOVE = pa.struct(
    [
        ("player", pa.string()),
        ("cards", pa.string()),
        ("thrown", pa.string()),
        ("reading", pa.string()),
        ("ms", pa.int64()),
    ]
)
_RESULT = pa.struct([
    ("landlord", pa.string()), ("multiplier", pa.int64()), ("bid", pa.int32()), ("winners", pa.list_(pa.string())),
    ("scores", pa.list_(pa.int64())), ("balances", pa.list_(pa.int64())),
])  # fmt: skip
_TYPES = {
    "began": pa.timestamp("ns", "+08:00"), "base": pa.int64(), "voids": pa.float64(), "open": pa.bool_(),
    "names": pa.list_(pa.string()), "gold": pa.list_(pa.float64()), "bots": pa.list_(pa.bool_()),
    "moves": pa.list_(_MOVE), "result": _RESULT, "rules": pa.dictionary(pa.int32(), pa.string()),
}  # fmt: skip


def as_parquet(records: Sequence[Record]) -> bytes:
    rows = [_columnar(record) for record in records]
    columns = {name: pa.array([row[name] for row in rows], _TYPES.get(name, pa.string())) for name in rows[0]}
    out = io.BytesIO()
    parquet.write_table(pa.table(columns), out, row_group_size=3)
    return out.getvalue()


Writer = Callable[[Sequence[Record]], bytes]


def is_writable(record: Record) -> bool:
    """Whether a hand has only what the formats here can say: cards, seats that there are, scores of all of them."""
    count = len(record.players)
    texts = [*(record.hands or ()), record.bottom, record.dead, record.marker, record.taken, record.buried]
    try:
        _ = read_calls(record.auction or ""), read_plays(record.plays), [read_cards(text or "") for text in texts]
    except (UnreadableMove, UnreadableCards):
        return False
    said = [seat for seat, _, _ in moves_of(record.auction) + moves_of(record.plays)]
    claim = record.claim
    seats = [
        record.first,
        record.landlord,
        escapee(record.end),
        claim and claim.landlord,
        *((claim and claim.winners) or ()),
    ]
    lists = [record.hands, claim and claim.scores, claim and claim.balances]
    return (
        max(said, default=0) < count
        and all(seat is None or seat < count for seat in seats)
        and all(each is None or len(each) == count for each in lists)
        and (record.end in (None, "void", "surrender") or escapee(record.end) is not None)
        and record.bottom != ""
    )


def without_clocks_of_passes(record: Record) -> Record:
    """A hand as a source tells it that leaves passes out."""
    return msgspec.structs.replace(record, plays=re.sub("-@[0-9]+", "-", record.plays))


def with_passes(mapping: str) -> str:
    """A mapping for a game without passes."""
    return mapping.replace("passes_written = false\n", "")
