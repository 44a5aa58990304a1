"""A ruleset: the rules of one game, complete, loaded from TOML; and every mistake in a ruleset file, with its line.

Knows how rulesets extend one another. What the tables may say is in ``parameters`` and ``trick_parameters``.
"""

import hashlib
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Literal, get_origin

import msgspec
from msgspec import Struct

from ingest.cards import RANKS
from ingest.mistakes import BadFile, Mistake, line_of, lines_of_keys, syntax_mistake, wrong_value
from ingest.rules import trick_parameters as tricks
from ingest.rules.parameters import (
    Auction,
    Balance,
    Bomb,
    BombLimit,
    Combinations,
    Deal,
    Escape,
    Kickers,
    Notes,
    Open,
    Order,
    Rob,
    Score,
    Trick,
    Void,
)


class Law(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, eq=False):
    """What every game's rules have in common; two are the same only if they are the same object."""

    name: str
    title_zh: str = ""
    title_en: str = ""
    landlord_zh: str = "地主"
    landlord_en: str = "landlord"
    farmer_zh: str = "农民"
    farmer_en: str = "farmer"
    deal: Deal = Deal()


class Ruleset(Law, frozen=True, forbid_unknown_fields=True, kw_only=True, eq=False):
    """The rules of a climbing game (rules.md 9.2)."""

    game: Literal["climbing"] = "climbing"
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


class TrickRuleset(Law, frozen=True, forbid_unknown_fields=True, kw_only=True, eq=False):
    """The rules of 三打哈 (rules.md 9.3)."""

    game: Literal["sandaha"]
    fixed_trumps: tuple[tricks.FixedTrump, ...] = ("R", "B", "7", "2")
    trump_choice: tuple[tricks.Trump, ...] = ("S", "H", "C", "D", "NT")
    equal_beats: Literal["first", "later"] = "first"
    points: dict[tricks.Rank, tricks.Points] = {}
    bid: tricks.Bid = tricks.Bid()
    forced_bid: tricks.ForcedBid = tricks.ForcedBid()
    direct50: tricks.Direct50 = tricks.Direct50()
    poke: tricks.Poke = tricks.Poke()
    surrender: tricks.Surrender = tricks.Surrender()
    tractor: tricks.Tractor = tricks.Tractor()
    no_trump: tricks.NoTrump = tricks.NoTrump()
    throw: tricks.Throw = tricks.Throw()
    follow: tricks.Follow = tricks.Follow()
    bottom_factor: tricks.BottomFactor = tricks.BottomFactor()
    thresholds: tricks.Thresholds = tricks.Thresholds()
    xiaoguang_below: tricks.XiaoguangBelow = tricks.XiaoguangBelow()
    levels: tricks.Levels = tricks.Levels()


AnyRuleset = Ruleset | TrickRuleset
GAMES: dict[str, type[Ruleset] | type[TrickRuleset]] = {"climbing": Ruleset, "sandaha": TrickRuleset}


class BadRuleset(BadFile):
    """A ruleset file that cannot be used."""


class WrongGame(ValueError):
    """A ruleset of 三打哈 where one of a climbing game is needed, or the other way round."""


class UnknownLaw(Exception):
    """A store has hands that were audited under rules of one's own, and none were given; ``args`` names them."""


class UnknownRuleset(ValueError):
    """No built-in ruleset has this name and no file this path."""


@cache
def tables_of(game: str) -> dict[str, type[Struct]]:
    """The tables of a game's rulesets and their structs."""
    fields = msgspec.structs.fields(GAMES[game])
    return {
        field.name: field.type for field in fields if isinstance(field.type, type) and issubclass(field.type, Struct)
    }


@cache
def _plain_of(game: str) -> dict[str, Any]:
    """The keys of a game's rulesets outside of tables, and what each may be."""
    tables = tables_of(game)
    plain = {field.name: field.type for field in msgspec.structs.fields(GAMES[game]) if field.name not in tables}
    return {**plain, "extends": str}


TABLES = tables_of("climbing")


@cache
def builtin_names() -> tuple[str, ...]:
    """The names of the built-in rulesets."""
    files = resources.files("ingest.rules").joinpath("rulesets").iterdir()
    return tuple(sorted(file.name.removesuffix(".toml") for file in files if file.name.endswith(".toml")))


@cache
def load_any(name: str) -> AnyRuleset:
    """The ruleset of this name, or of the file at this path. Raises ``UnknownRuleset`` or ``BadRuleset``."""
    given, mistakes = effective(name)
    if mistakes:
        raise BadRuleset(name, mistakes)
    return msgspec.convert(given, GAMES[game_of(given)])


def load(name: str) -> Ruleset:
    """The climbing ruleset of this name or path. Raises ``UnknownRuleset``, ``BadRuleset``, ``WrongGame``."""
    rules = load_any(name)
    if isinstance(rules, TrickRuleset):
        raise WrongGame(name)
    return rules


def game_of(given: Mapping[str, Any]) -> str:
    """The game that a ruleset file is for; a climbing game where it names none that there is."""
    game = given.get("game", "climbing")
    return game if isinstance(game, str) and game in GAMES else "climbing"


@cache
def parent_of(name: str) -> str | None:
    """The ruleset that another one extends, None for one that stands alone. Raises ``UnknownRuleset``."""
    parent = tomllib.loads(_source(name)).get("extends")
    return parent if isinstance(parent, str) else None


def check(name: str) -> list[Mistake]:
    """Every mistake in a ruleset, in the order of its lines. Raises ``UnknownRuleset``."""
    try:
        return effective(name)[1]
    except BadRuleset as problem:
        return problem.mistakes


def digest(ruleset: AnyRuleset) -> str:
    """A short fingerprint of the effective rules; what they are called does not count."""
    named = ("name", "title_zh", "title_en", "landlord_zh", "landlord_en", "farmer_zh", "farmer_en", "notes")
    rules = {name: value for name, value in msgspec.structs.asdict(ruleset).items() if name not in named}
    return hashlib.blake2b(msgspec.json.encode(rules, order="sorted"), digest_size=8).hexdigest()


def effective(name: str, above: tuple[str, ...] = ()) -> tuple[dict[str, Any], list[Mistake]]:
    """What a ruleset says together with all that it extends, and the mistakes in its own file."""
    text = _source(name)
    try:
        own = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        return {}, [syntax_mistake(str(error))]
    lines = lines_of_keys(text)
    inherited, problem = dict[str, Any](), ""
    parent = own.get("extends")
    if isinstance(parent, str):
        inherited, problem = _inherit(parent, name, above)
    mistakes = list(_mistakes(own, game_of({**inherited, **own}), lines))
    mistakes += [Mistake(lines.get("extends", 0), "extends", problem)] if problem else []
    whole = _merge(inherited, {key: value for key, value in own.items() if key != "extends"})
    sound = _merge(inherited, _without(own, {mistake.key for mistake in mistakes} | {"extends"}))
    mistakes += [Mistake(_line_of(key, lines), key, problem) for key, problem in inconsistencies(sound) if key]
    return whole, sorted(mistakes, key=lambda mistake: mistake.line)


def _without(own: Mapping[str, Any], wrong: set[str]) -> dict[str, Any]:
    """What a file says but for its mistakes, so that one of them does not hide another."""
    kept: dict[str, Any] = {}
    for key, value in own.items():
        if key in wrong:
            continue
        rotten = {path.split(".")[1] for path in wrong if path.startswith(f"{key}.")}
        kept[key] = {k: v for k, v in value.items() if k not in rotten} if isinstance(value, dict) else value
    return kept


def _line_of(key: str, lines: Mapping[str, int]) -> int:
    """The line to blame for a key: its own, that of its table, that of what it comes from."""
    return line_of(key, lines) or lines.get("extends", 0)


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
    beside = Path(name).parent / parent
    found = parent if parent in builtin_names() or not beside.is_file() else str(beside)
    if found in (name, *above):
        return {}, f"extends itself by way of {parent!r}"
    try:
        inherited, mistakes = effective(found, (*above, name))
    except (UnknownRuleset, BadRuleset):
        return {}, f"no ruleset {parent!r}"
    circle = next((mistake.problem for mistake in mistakes if mistake.problem.startswith("extends itself")), "")
    return inherited, circle or (f"{parent!r} has mistakes of its own" if mistakes else "")


def _merge(inherited: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """What is said, over what is inherited; tables are merged key by key, chains and maps are replaced whole."""
    merged = dict(inherited)
    for key, value in own.items():
        tables = isinstance(value, dict) and isinstance(merged.get(key), dict) and key != "points"
        merged[key] = {**merged[key], **value} if tables else value
    return merged


def _mistakes(own: Mapping[str, Any], game: str, lines: Mapping[str, int]) -> Iterator[Mistake]:
    """Unknown keys and values that no key may have."""
    if "name" not in own:
        yield Mistake(0, "name", "is missing")
    tables, plain = tables_of(game), _plain_of(game)
    for key, value in own.items():
        if key in tables:
            yield from _table_mistakes(key, value, tables[key], lines)
        elif key in plain:
            yield from _value_mistakes(key, value, plain[key], lines)
        else:
            yield Mistake(lines.get(key, 0), key, "unknown key")


def _table_mistakes(table: str, given: Any, kind: type[Struct], lines: Mapping[str, int]) -> Iterator[Mistake]:
    if not isinstance(given, dict):
        yield Mistake(lines.get(table, 0), table, "is a table")
        return
    types = {field.name: field.type for field in msgspec.structs.fields(kind)}
    for key, value in given.items():
        path = f"{table}.{key}"
        if key not in types:
            yield Mistake(_line_of(path, lines), path, "unknown key")
        else:
            yield from _value_mistakes(path, value, types[key], lines)


def _value_mistakes(path: str, value: Any, kind: Any, lines: Mapping[str, int]) -> Iterator[Mistake]:
    if get_origin(kind) is dict and isinstance(value, dict) and len(value) > 1:
        for key, item in value.items():
            yield from _value_mistakes(path, {key: item}, kind, lines)
        return
    if problem := wrong_value(value, kind):
        yield Mistake(_line_of(path, lines), path, problem)


def inconsistencies(whole: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What fits no table alone: (key, problem) pairs (rules.md 9.2, consistency checks)."""
    try:
        rules = msgspec.convert(whole, GAMES[game_of(whole)])
    except msgspec.ValidationError as error:
        yield "", str(error)
        return
    deal = rules.deal
    pack = deal.packs * (54 - sum(1 if rank in "BR" else 4 for rank in set(deal.removed_ranks)))
    dealt = deal.players * deal.hand + deal.bottom + deal.dead
    if dealt != pack:
        yield "deal.hand", f"{dealt} cards are dealt, the pack has {pack}"
    if isinstance(rules, Ruleset):
        yield from _order_and_bombs(rules)
        yield from _auction_and_void(rules)
        yield from _points(rules)
    elif rules.bid.min > rules.bid.first_max:
        yield "bid.min", "is above bid.first_max"


def _order_and_bombs(rules: Ruleset) -> Iterator[tuple[str, str]]:
    deal, order, bomb = rules.deal, rules.order, rules.bomb
    if sorted(order.ranks) != sorted(RANKS):
        yield "order.ranks", "is no permutation of the 15 ranks"
    if order.wrap != "none" and order.chain_low != "A":
        yield "order.wrap", "needs order.chain_low = 'A'"
    if order.wrap == "none" and RANKS.index(order.chain_low) >= RANKS.index(order.chain_high):
        yield "order.chain_low", "stands above order.chain_high"
    if bomb.min_size > 4 * deal.packs:
        yield "bomb.min_size", f"no rank has {bomb.min_size} cards in {deal.packs} pack(s)"
    if rules.combinations.quad and bomb.min_size < 5:
        yield "combinations.quad", "needs bomb.min_size of 5 or more"
    if bomb.rocket not in ("off", "B" * deal.packs + "R" * deal.packs):
        yield "bomb.rocket", "is not all jokers of the pack"
    if rules.trick.close_passes > deal.players - 1:
        yield "trick.close_passes", "is more than all other players"


def _auction_and_void(rules: Ruleset) -> Iterator[tuple[str, str]]:
    auction, void = rules.auction, rules.void
    if auction.end_passes > rules.deal.players - 1 and auction.type == "ascending_open":
        yield "auction.end_passes", "is more than all other players"
    if list(auction.values) != sorted(set(auction.values)):
        yield "auction.values", "do not ascend"
    if auction.type.startswith("ascending") and not auction.values:
        yield "auction.values", "are missing"
    if void.mode != "none" and void.force_after != "none":
        yield "void.force_after", "and void.mode exclude each other"
    if (auction.type == "none") != (auction.landlord != "auction"):
        yield "auction.landlord", "says 'auction' exactly where auction.type is not 'none'"


WITHOUT_POINTS = ("quad", "quad_solo_pair", "quad_trio", "carrier", "quad_trio_pair", "ship")
"""Combinations that Botzone's first judge does not know, and gives no points for (BV-R3)."""


def _points(rules: Ruleset) -> Iterator[tuple[str, str]]:
    if rules.score.payout == "pattern_points":
        for name in WITHOUT_POINTS:
            if getattr(rules.combinations, name):
                yield "score.payout", f"pattern_points has none for combinations.{name}"
