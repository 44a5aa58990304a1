"""A ruleset: every number, switch and named mechanism of one game (rules.md 9.2), loaded from TOML.

Knows what a ruleset may say and finds every mistake in one. Refuses to know what a switch does: that is in the phases.
"""

import hashlib
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from ingest.cards import RANKS

Switch = bool
OffOr = Literal["off"]
Ban = Literal["forbid", "allow"]
FactorNumber = Annotated[int, Meta(ge=1, le=4)]
BidClass = Literal["landlord", "not_reached", "pass", "bid1", "bid2", "bid3_robbed"]
Rank = Annotated[str, Meta(pattern=f"^[{RANKS}]$")]


class Deal(Struct, frozen=True, forbid_unknown_fields=True):
    """``[deal]``: the pack and how it is dealt."""

    players: Annotated[int, Meta(ge=2, le=4)] = 3
    packs: Annotated[int, Meta(ge=1, le=2)] = 1
    removed_ranks: tuple[Rank, ...] = ()
    hand: Annotated[int, Meta(ge=1, le=40)] = 17
    bottom: Annotated[int, Meta(ge=0, le=12)] = 3
    dead: Annotated[int, Meta(ge=0, le=40)] = 0
    direction: Literal["anticlockwise", "clockwise"] = "anticlockwise"
    bottom_shown: Literal["all", "landlord", "none"] = "all"
    bottom_take: Literal["all", "subset"] = "all"
    dead_visible: Switch = False
    marker: Switch = False
    marker_not_in_bottom: Switch = False


class Order(Struct, frozen=True, forbid_unknown_fields=True):
    """``[order]``: ranks, low to high, and the line on which chains run."""

    ranks: Annotated[str, Meta(pattern=f"^[{RANKS}]{{15}}$")] = RANKS
    jokers: Literal["ordered", "equal"] = "ordered"
    joker_pair: Literal["none", "same_only"] = "none"
    chain_low: Rank = "3"
    chain_high: Rank = "A"
    wrap: Literal["none", "ace_low", "ace_both_ends"] = "none"
    wrap_applies_to: Literal["all", "straight_only"] = "all"


class Chain(Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of chain: how many groups it needs and may have."""

    min_len: Annotated[int, Meta(ge=2, le=14)]
    max_len: Annotated[int, Meta(ge=2, le=14)] = 14


class Combinations(Struct, frozen=True, forbid_unknown_fields=True):
    """``[combinations]``: which rows of the table of shapes are played."""

    solo_chain: Chain | OffOr = Chain(5, 12)
    pair_chain: Chain | OffOr = Chain(3)
    trio_chain: Chain | OffOr = Chain(2)
    quad_chain: Chain | OffOr = "off"
    trio1: Switch = True
    trio2: Switch = True
    plane1: Switch = True
    plane2: Switch = True
    quad: Switch = False
    quad_solos: Switch = True
    quad_pairs: Switch = True
    quad_solo_pair: Switch = False
    quad_trio: Switch = False
    carrier: Switch = False
    quad_trio_pair: Switch = False
    ship: Switch = False
    shuttle_wings: Annotated[int, Meta(ge=0, le=2)] = 0
    cross_size: Switch = False
    ambiguity: Literal["declared_context_canonical", "declared_only", "canonical_only"] = "declared_context_canonical"


class Kickers(Struct, frozen=True, forbid_unknown_fields=True):
    """``[kickers]``: what may be carried along."""

    body_rank: Ban = "forbid"
    singles_distinct: Switch = False
    quad_singles_distinct: Switch = False
    pairs_distinct: Switch = False
    both_jokers: Ban = "allow"
    bomb_inside: Ban = "allow"
    adjacent_trio: Ban = "allow"


class Bomb(Struct, frozen=True, forbid_unknown_fields=True):
    """``[bomb]``: bombs and the rocket."""

    min_size: Annotated[int, Meta(ge=4, le=6)] = 4
    compare: Literal["size_then_rank", "rank"] = "size_then_rank"
    rocket: Annotated[str, Meta(pattern="^(BR|BBRR|off)$")] = "BR"
    beats_rocket: Switch = False


class Trick(Struct, frozen=True, forbid_unknown_fields=True):
    """``[trick]``: how a trick goes."""

    close_passes: Annotated[int, Meta(ge=1, le=3)] = 2
    must_beat: Switch = False


class Auction(Struct, frozen=True, forbid_unknown_fields=True):
    """``[auction]``: how the landlord is found."""

    type: Literal["none", "ascending_open", "ascending_once", "call_once", "call_rob_once"] = "ascending_open"
    values: tuple[Annotated[int, Meta(ge=1, le=10)], ...] = (1, 2, 3)
    pass_is_final: Switch = False
    end_passes: Annotated[int, Meta(ge=1, le=3)] = 2
    first: Literal["log", "face_up_card", "marker", "seat0"] = "log"
    first_fallback: Literal["dealer", "redeal", "log"] = "dealer"
    landlord: Literal["auction", "record", "seat0"] = "auction"
    optional: Switch = False


class Void(Struct, frozen=True, forbid_unknown_fields=True):
    """``[void]``: what hands without a bid bring about."""

    mode: Literal["none", "flag", "compound"] = "none"
    factor: FactorNumber = 1
    cap: Annotated[int, Meta(ge=0, le=10)] | Literal["none"] = "none"
    force_after: Annotated[int, Meta(ge=1, le=5)] | Literal["none"] = "none"
    forced_value: Annotated[int, Meta(ge=1, le=10)] = 1
    carry_survives_leave: Switch = True


class Rob(Struct, frozen=True, forbid_unknown_fields=True):
    """``[rob]``: 抢地主."""

    enabled: Switch = False
    eligibility: Literal["all", "not_passed"] = "all"
    self: Literal["never", "if_robbed", "always"] = "never"
    winner: Literal["last"] = "last"
    factor: Annotated[int, Meta(ge=1, le=3)] = 1
    mode: Literal["power", "linear", "once"] = "power"


class Open(Struct, frozen=True, forbid_unknown_fields=True):
    """``[open]``: 摊打."""

    enabled: Switch = False
    factor: FactorNumber = 1
    window: Literal["before_first_play"] = "before_first_play"


class BombLimit(Struct, frozen=True, forbid_unknown_fields=True):
    """``[bomb_limit]``: 出炸限制; a class that the table leaves out has no limit."""

    mode: Literal["off", "warn", "enforce"] = "off"
    table: dict[BidClass, Annotated[int, Meta(ge=0, le=9)]] = {}


class Score(Struct, frozen=True, forbid_unknown_fields=True):
    """``[score]``: what a hand is worth."""

    base: Annotated[int, Meta(ge=1, le=1_000_000)] | Literal["record"] = "record"
    bid_factor: Literal["bid", 1] = "bid"
    bomb_factor: dict[Annotated[str, Meta(pattern="^[4-8]$")], FactorNumber] = {}
    rocket_factor: FactorNumber = 1
    spring_factor: FactorNumber = 1
    anti_spring_factor: FactorNumber = 1
    marker_factor: FactorNumber = 1
    combine: Literal["product"] = "product"
    cap: Annotated[int, Meta(ge=2, le=1_000_000)] | Literal["none"] = "none"
    payout: Literal["each_opponent", "split", "win_loss", "pattern_points"] = "each_opponent"


class Escape(Struct, frozen=True, forbid_unknown_fields=True):
    """``[escape]``: what a player owes who leaves."""

    enabled: Switch = False
    farmer_multipliers: Literal["as_written", "same_as_normal"] = "as_written"
    before_landlord: Literal["none"] = "none"


class Balance(Struct, frozen=True, forbid_unknown_fields=True):
    """``[balance]``: points that do not suffice."""

    enforce: Literal["never", "if_logged"] = "never"
    min_factor: Annotated[int, Meta(ge=0, le=10)] = 0


class Notes(Struct, frozen=True, forbid_unknown_fields=True):
    """``[notes]``: which notes on open readings are given (U-R14, U-R15)."""

    rulings: Switch = True
    """P410: a play that is legal only by a ruling."""
    other_readings: tuple[Literal["E-Q2", "E-Q4", "G-Q4", "G-Q5"], ...] = ()
    """S608: the decisions whose alternative would change the score."""


class Ruleset(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, eq=False):
    """One game's rules, complete; two are the same only if they are the same object."""

    name: str
    game: Literal["climbing"] = "climbing"
    title_zh: str = ""
    title_en: str = ""
    landlord_zh: str = "地主"
    landlord_en: str = "landlord"
    farmer_zh: str = "农民"
    farmer_en: str = "farmer"
    deal: Deal = Deal()
    order: Order = Order()
    combinations: Combinations = Combinations()
    kickers: Kickers = Kickers()
    bomb: Bomb = Bomb()
    trick: Trick = Trick()
    auction: Auction = Auction()
    void: Void = Void()
    rob: Rob = Rob()
    open: Open = Open()
    bomb_limit: BombLimit = BombLimit()
    score: Score = Score()
    escape: Escape = Escape()
    balance: Balance = Balance()
    notes: Notes = Notes()


class Mistake(Struct, frozen=True):
    """Something wrong in a ruleset file; ``line`` counts from 1, 0 where no line is to blame."""

    line: int
    key: str
    problem: str


class BadRuleset(ValueError):
    """A ruleset file that cannot be used; ``mistakes`` says why, all of it."""

    def __init__(self, source: str, mistakes: list[Mistake]) -> None:
        super().__init__(f"{source}: " + "; ".join(f"line {m.line}: {m.key}: {m.problem}" for m in mistakes))
        self.source = source
        self.mistakes = mistakes


class UnknownRuleset(ValueError):
    """No built-in ruleset has this name and no file this path."""


TABLES = {
    field.name: field.type
    for field in msgspec.structs.fields(Ruleset)
    if isinstance(field.type, type) and issubclass(field.type, Struct)
}
"""The tables of a ruleset file and their structs."""

PLAIN = {field.name: field.type for field in msgspec.structs.fields(Ruleset) if field.name not in TABLES}
_TOP = {**PLAIN, "extends": str}


@cache
def builtin_names() -> tuple[str, ...]:
    """The names of the built-in rulesets."""
    files = resources.files("ingest.rules").joinpath("rulesets").iterdir()
    return tuple(sorted(file.name.removesuffix(".toml") for file in files if file.name.endswith(".toml")))


@cache
def load(name: str) -> Ruleset:
    """The ruleset of this name, or of the file at this path. Raises ``UnknownRuleset`` or ``BadRuleset``."""
    given, mistakes = effective(name)
    if mistakes:
        raise BadRuleset(name, mistakes)
    return msgspec.convert(given, Ruleset)


def check(name: str) -> list[Mistake]:
    """Every mistake in a ruleset, in the order of its lines. Raises ``UnknownRuleset``."""
    return effective(name)[1]


def digest(ruleset: Ruleset) -> str:
    """A short fingerprint of the effective rules; what they are called does not count."""
    rules = {name: getattr(ruleset, name) for name in ("game", *TABLES) if name != "notes"}
    return hashlib.blake2b(msgspec.json.encode(rules, order="sorted"), digest_size=8).hexdigest()


def effective(name: str, above: tuple[str, ...] = ()) -> tuple[dict[str, Any], list[Mistake]]:
    """What a ruleset says together with all that it extends, and the mistakes in its own file."""
    text = _source(name)
    try:
        own = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        return {}, [_syntax_mistake(str(error))]
    lines = _lines_of_keys(text)
    mistakes = list(_mistakes(own, lines))
    inherited: dict[str, Any] = {}
    parent = own.get("extends")
    if isinstance(parent, str):
        inherited, problem = _inherit(parent, name, above)
        mistakes += [Mistake(lines.get("extends", 0), "extends", problem)] if problem else []
    whole = _merge(inherited, {key: value for key, value in own.items() if key != "extends"})
    if not mistakes:
        mistakes = [Mistake(lines.get(key, 0), key, problem) for key, problem in inconsistencies(whole)]
    return whole, sorted(mistakes, key=lambda mistake: mistake.line)


def _source(name: str) -> str:
    if name in builtin_names():
        return resources.files("ingest.rules").joinpath(f"rulesets/{name}.toml").read_text("utf-8")
    path = Path(name)
    if not path.is_file():
        raise UnknownRuleset(name)
    try:
        return path.read_text("utf-8")
    except UnicodeDecodeError as error:
        raise BadRuleset(name, [Mistake(0, name, f"not UTF-8: {error}")]) from None


def _inherit(parent: str, name: str, above: tuple[str, ...]) -> tuple[dict[str, Any], str]:
    if parent in (name, *above):
        return {}, f"extends itself by way of {parent!r}"
    try:
        inherited, mistakes = effective(parent, (*above, name))
    except (UnknownRuleset, BadRuleset):
        return {}, f"no ruleset {parent!r}"
    return inherited, f"{parent!r} has mistakes of its own" if mistakes else ""


def _merge(inherited: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """What is said, over what is inherited; tables are merged key by key, chains and maps are replaced whole."""
    merged = dict(inherited)
    for key, value in own.items():
        merged[key] = {**merged.get(key, {}), **value} if key in TABLES else value
    return merged


def _syntax_mistake(problem: str) -> Mistake:
    what, _, place = problem.partition(" (at line ")
    number = place.partition(",")[0]
    return Mistake(int(number) if number.isdigit() else 0, "", what)


def _mistakes(own: Mapping[str, Any], lines: Mapping[str, int]) -> Iterator[Mistake]:
    """Unknown keys and values that no key may have."""
    if "name" not in own:
        yield Mistake(0, "name", "is missing")
    for key, value in own.items():
        if key in TABLES:
            yield from _table_mistakes(key, value, lines)
        elif key in _TOP:
            yield from _value_mistakes(key, value, _TOP[key], lines)
        else:
            yield Mistake(lines.get(key, 0), key, "unknown key")


def _table_mistakes(table: str, given: Any, lines: Mapping[str, int]) -> Iterator[Mistake]:
    if not isinstance(given, dict):
        yield Mistake(lines.get(table, 0), table, "is a table")
        return
    types = {field.name: field.type for field in msgspec.structs.fields(TABLES[table])}
    for key, value in given.items():
        path = f"{table}.{key}"
        if key not in types:
            yield Mistake(lines.get(path, lines.get(table, 0)), path, "unknown key")
        else:
            yield from _value_mistakes(path, value, types[key], lines)


def _value_mistakes(path: str, value: Any, kind: Any, lines: Mapping[str, int]) -> Iterator[Mistake]:
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        yield Mistake(lines.get(path, 0), path, str(error).replace("`", "'"))


def _lines_of_keys(text: str) -> dict[str, int]:
    """The line of each key and table header of a TOML text, as far as simple TOML goes."""
    places: dict[str, int] = {}
    table = ""
    for number, line in enumerate(text.splitlines(), start=1):
        word = line.strip()
        if word.startswith("[") and "]" in word:
            table = word.strip("[").partition("]")[0].strip()
            places.setdefault(table, number)
        elif "=" in word and not word.startswith("#"):
            key = word.partition("=")[0].strip().strip("\"'")
            places.setdefault(f"{table}.{key}" if table else key, number)
    return places


def inconsistencies(whole: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What fits no table alone: (key, problem) pairs (rules.md 9.2, consistency checks)."""
    try:
        rules = msgspec.convert(whole, Ruleset)
    except msgspec.ValidationError as error:
        yield "", str(error)
        return
    deal, auction = rules.deal, rules.auction
    pack = deal.packs * (54 - sum(1 if rank in "BR" else 4 for rank in set(deal.removed_ranks)))
    dealt = deal.players * deal.hand + deal.bottom + deal.dead
    if dealt != pack:
        yield "deal.hand", f"{dealt} cards are dealt, the pack has {pack}"
    if sorted(rules.order.ranks) != sorted(RANKS):
        yield "order.ranks", "is no permutation of the 15 ranks"
    if rules.order.wrap != "none" and rules.order.chain_low != "A":
        yield "order.wrap", "needs order.chain_low = 'A'"
    if rules.order.wrap == "none" and RANKS.index(rules.order.chain_low) >= RANKS.index(rules.order.chain_high):
        yield "order.chain_low", "stands above order.chain_high"
    if rules.bomb.min_size > 4 * deal.packs:
        yield "bomb.min_size", f"no rank has {rules.bomb.min_size} cards in {deal.packs} pack(s)"
    if rules.combinations.quad and rules.bomb.min_size < 5:
        yield "combinations.quad", "needs bomb.min_size of 5 or more"
    if rules.bomb.rocket not in ("off", "B" * deal.packs + "R" * deal.packs):
        yield "bomb.rocket", "is not all jokers of the pack"
    if rules.trick.close_passes > deal.players - 1:
        yield "trick.close_passes", "is more than all other players"
    if auction.end_passes > deal.players - 1 and auction.type == "ascending_open":
        yield "auction.end_passes", "is more than all other players"
    if list(auction.values) != sorted(set(auction.values)):
        yield "auction.values", "do not ascend"
    if auction.type.startswith("ascending") and not auction.values:
        yield "auction.values", "are missing"
    if rules.void.mode != "none" and rules.void.force_after != "none":
        yield "void.force_after", "and void.mode exclude each other"
    if (auction.type == "none") != (auction.landlord != "auction"):
        yield "auction.landlord", "says 'auction' exactly where auction.type is not 'none'"
