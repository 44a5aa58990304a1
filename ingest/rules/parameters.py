"""The tables of a climbing ruleset: every number, switch and named mechanism, with what each may be (rules.md 9.2).

Knows what a ruleset may say. Refuses to know what a switch does: that is in the phases.
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from ingest.cards import RANKS

Switch = bool
OffOr = Literal["off"]
Ban = Literal["forbid", "allow"]
FactorNumber = Annotated[int, Meta(ge=1, le=4)]
BidClass = Literal["not_reached", "pass", "bid1", "bid2", "bid3_robbed"]
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
    bottom_take: Literal["all", "subset", "swap"] = "all"
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
    first: Literal["log", "face_up_card", "marker", "random", "rotate", "loser", "seat0"] = "log"
    """``random``, ``rotate`` and ``loser`` cannot be checked on a hand by itself: the record's `first` is believed."""
    first_fallback: Literal["dealer", "log"] = "dealer"
    landlord: Literal["auction", "record", "seat0"] = "auction"
    optional: Switch | Literal["unscored"] = False
    """Whether a record without an auction names its landlord instead (B-Q1); ``unscored``: then the bid is unknown."""
    must_bid_max: Literal["none", "rocket", "four_twos", "either"] = "none"
    last_values: Literal["all", "max_or_pass"] = "all"


class Void(Struct, frozen=True, forbid_unknown_fields=True):
    """``[void]``: what hands without a bid bring about."""

    mode: Literal["none", "flag", "compound", "queue"] = "none"
    """``queue``: the record's `voids` are the hands that are still owed the factor."""
    factor: FactorNumber = 1
    cap: Annotated[int, Meta(ge=0, le=10)] | Literal["none"] = "none"
    force_after: Annotated[int, Meta(ge=1, le=5)] | Literal["none"] = "none"
    forced_player: Literal["first_bidder"] = "first_bidder"
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
    redouble: Switch = False
    """加倍 after the landlord is known: no field of a record tells it, so such hands have no score (S607)."""
    combine: Literal["product", "sum", "by_kind"] = "product"
    """``by_kind``: factors of one kind add up to 1 and one less than each, the kinds multiply."""
    cap: Annotated[int, Meta(ge=2, le=1_000_000)] | Literal["none"] = "none"
    payout: Literal["each_opponent", "split", "win_loss", "pattern_points"] = "each_opponent"


class Escape(Struct, frozen=True, forbid_unknown_fields=True):
    """``[escape]``: what a player owes who leaves."""

    enabled: Switch = False
    farmer_multipliers: Literal["as_written", "same_as_normal"] = "as_written"
    split: Annotated[str, Meta(pattern="^[0-9]:[0-9]$")] = "2:1"
    """Shares of the landlord and of every other farmer where a farmer leaves (E-R24, E-R27)."""
    before_landlord: Literal["none", "fixed"] = "none"
    """``fixed``: who leaves before there is a landlord pays the base to each other player."""


class Balance(Struct, frozen=True, forbid_unknown_fields=True):
    """``[balance]``: points that do not suffice."""

    enforce: Literal["never", "if_logged", "always"] = "never"
    min_factor: Annotated[int, Meta(ge=0, le=10)] = 0


class Notes(Struct, frozen=True, forbid_unknown_fields=True):
    """``[notes]``: which notes on open readings are given (U-R14, U-R15)."""

    rulings: Switch = True
    """P410: a play that is legal only by a ruling."""
    other_readings: tuple[Literal["E-Q2", "E-Q4", "G-Q4", "G-Q5"], ...] = ()
    """S608: the decisions whose alternative would change the score."""
