"""What the TOML file of an own format may say: one struct a table, one field a key.

Knows names, types and defaults. What a key means to people is in ``fupan/docs/mapping.toml``, what fits together in
``sense``.
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from ingest.record import PASS, Base, Seat, Voids

Path = Annotated[str, Meta(title="path")]
"""Where a value is found: keys, numbers of list items and ``*`` with dots between (``paths``)."""
Scalar = str | int | bool
When = Annotated[dict[str, Scalar | list[Scalar]], Meta(title="condition")]
"""Rows of which these paths hold these words."""
Letter = Annotated[str, Meta(min_length=1, max_length=1)]
LetterOrNone = Annotated[str, Meta(max_length=1)]
Count = Annotated[int, Meta(ge=0, le=1_000_000)]
Seats = Annotated[int, Meta(ge=2, le=10)]
Words = dict[str, str]


class Table(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A table of a mapping."""


class Place(Table, frozen=True):
    """Where a value stands, said at length."""

    at: Path = ""
    rows: Path | None = None
    when: When | None = None
    seat: Path | None = None
    split: str | None = None
    words: Words | None = None
    unit: str | None = None
    suffix: str | None = None
    optional: bool = False


Where = str | Place
"""A path, or a place said at length."""
BySeat = str | Place | list[str | Place]
"""Values of all seats: a place of each, or one place that holds them all."""


class SourceKeys(Table, frozen=True):
    """``[source]``: how the file is written and cut into hands."""

    kind: Literal["jsonl", "json", "csv", "parquet"]
    hands: Path | None = None
    json: list[str] = []
    delimiter: Letter = ","
    quote: LetterOrNone = '"'
    escape: Letter | None = None
    columns: list[str] | None = None
    skip: Count = 0
    null: list[str] = []
    group: Path | list[Path] | None = None
    begins: When | None = None
    scattered: bool = False
    sort: Path | None = None
    ignore: When | None = None


class SeatKeys(Table, frozen=True):
    """``[seats]``: how seats are called."""

    count: Seats | None = None
    first: Annotated[int, Meta(ge=0, le=99)] = 0
    names: list[str | list[str]] | None = None
    players: bool = False
    roles: list[str | list[str]] | None = None
    order: Literal["turn", "against"] = "turn"


class CardKeys(Table, frozen=True):
    """``[cards]``: how cards are spelt."""

    code: Literal["fupan", "chinese", "hex", "ranks", "numbers", "words"] = "fupan"
    suits: Annotated[str, Meta(min_length=4, max_length=4)] | None = None
    ranks: Annotated[str, Meta(min_length=13, max_length=13)] | None = None
    jokers: Annotated[str, Meta(min_length=2, max_length=2)] | None = None
    radix: Literal[10, 16] | None = None
    first: Annotated[int, Meta(ge=0, le=1)] | None = None
    by: Literal["rank", "suit"] | None = None
    packs: Annotated[int, Meta(ge=1, le=4)] | None = None
    copies: Literal["apart", "together"] | None = None
    words: Words = {}
    parts: list[Path] | None = None
    split: str | None = None
    width: Annotated[int, Meta(ge=1, le=20)] | None = None


class TimeKeys(Table, frozen=True):
    """``[times]``: how times are written."""

    form: Literal["rfc3339", "local", "s", "ms"] = "rfc3339"
    pattern: str | None = None
    zone: str | None = None
    moves: Literal["s", "ms", "absolute"] = "ms"
    moves_form: Literal["rfc3339", "local", "s", "ms"] | None = None


class Always(Table, frozen=True):
    """``[always]``: what holds for every hand and stands nowhere in the file."""

    rules: str | None = None
    table: str | None = None
    base: Base | None = None
    voids: Voids | None = None
    open: bool | None = None
    first: Seat | None = None
    landlord: Seat | None = None


class RecordKeys(Table, frozen=True):
    """``[record]``: fields of the record (record.md 2)."""

    id: Where | None = None
    rules: Where | None = None
    table: Where | None = None
    at: Where | None = None
    base: Where | None = None
    voids: Where | None = None
    hands: BySeat | None = None
    hands_hold_bottom: bool = False
    bottom: Where | None = None
    dead: Where | None = None
    marker: Where | None = None
    first: Where | None = None
    landlord: Where | None = None
    taken: Where | None = None
    open: Where | None = None
    trump: Where | None = None
    buried: Where | None = None
    end: Where | None = None
    escape: Where | None = None


class PlayerKeys(Table, frozen=True):
    """``[players]``: who sits where."""

    id: BySeat | None = None
    name: BySeat | None = None
    balance: BySeat | None = None
    bot: BySeat | None = None


class MoveKeys(Table, frozen=True):
    """What ``[auction]`` and ``[plays]`` have in common: which rows are moves, whose, and when."""

    rows: Path | None = None
    when: When | None = None
    split: str | None = None
    between: str | None = None
    seat: Path | None = None
    time: Path | None = None
    form: Literal["rows", "fupan"] = "rows"


class AuctionKeys(MoveKeys, frozen=True):
    """``[auction]``: what was said."""

    word: Path = ""
    words: Words = {}


class PlayKeys(MoveKeys, frozen=True):
    """``[plays]``: what was played."""

    cards: Path = ""
    passes: list[str] = field(default_factory=lambda: ["", PASS, "pass"])
    pass_when: When | None = None
    passes_written: bool = True
    reading: Path | None = None
    reading_words: Words = {}
    thrown: Path | None = None


class ClaimKeys(Table, frozen=True):
    """``[claim]``: what the source says the result was."""

    landlord: Where | None = None
    winners: Where | None = None
    side: Where | None = None
    multiplier: Where | None = None
    bid: Where | None = None
    scores: BySeat | None = None
    balances: BySeat | None = None


class Mapping(Table, frozen=True):
    """An own format: the whole file."""

    source: SourceKeys
    plays: PlayKeys
    seats: SeatKeys = SeatKeys()
    cards: CardKeys = CardKeys()
    times: TimeKeys = TimeKeys()
    always: Always = Always()
    record: RecordKeys = RecordKeys()
    players: PlayerKeys = PlayerKeys()
    auction: AuctionKeys | None = None
    claim: ClaimKeys = ClaimKeys()
    tags: dict[str, Where] = {}
    extra: dict[str, Where] = {}
