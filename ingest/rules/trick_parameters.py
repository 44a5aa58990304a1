"""The tables of a ruleset of 三打哈, with what each parameter may be (rules.md 9.3).

Knows what a ruleset may say. Refuses to know what a switch does: that is in the phases.
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct

Switch = bool
FixedTrump = Literal["R", "B", "7", "2"]
Trump = Literal["S", "H", "C", "D", "NT"]
Rank = Annotated[str, Meta(pattern="^[3456789TJQKA2BR]$")]
Points = Annotated[int, Meta(ge=0, le=20)]
BidValue = Annotated[int, Meta(ge=5, le=200)]
Level = Annotated[int, Meta(ge=1, le=9)]


class Bid(Struct, frozen=True, forbid_unknown_fields=True):
    """``[bid]``: the falling auction."""

    max: BidValue = 85
    """What the first speaker plays at when nobody bids."""
    first_max: BidValue = 85
    step: BidValue = 5
    min: BidValue = 5
    all_pass: Literal["first_speaker_at_max", "redeal"] = "first_speaker_at_max"
    starter: Literal["random_then_bank", "log"] = "random_then_bank"


class ForcedBid(Struct, frozen=True, forbid_unknown_fields=True):
    """``[forced_bid]``: the duty of many fixed trumps (F-Q7)."""

    mode: Literal["one_bid", "off"] = "one_bid"
    count: Annotated[int, Meta(ge=0, le=20)] = 7
    floor: BidValue = 50


class Direct50(Struct, frozen=True, forbid_unknown_fields=True):
    """``[direct50]``: an opening that doubles the hand (F-Q8)."""

    factor: Annotated[int, Meta(ge=1, le=4)] = 2
    applies: Literal["opening_le_50", "opening_eq_50"] = "opening_le_50"
    survives_overbid: Switch = True


class Poke(Struct, frozen=True, forbid_unknown_fields=True):
    """``[poke]``: 插 (F-R20, F-Q11)."""

    enabled: Switch = True
    bid: BidValue = 55


class Surrender(Struct, frozen=True, forbid_unknown_fields=True):
    """``[surrender]``: 投降 (F-R19)."""

    window: Literal["off", "before_first_lead"] = "before_first_lead"
    threshold: BidValue = 55
    level_high: Level = 1
    level_low: Level = 2


class Tractor(Struct, frozen=True, forbid_unknown_fields=True):
    """``[tractor]``: 拖拉机 (F-R9)."""

    min_pairs: Annotated[int, Meta(ge=2, le=3)] = 2


class NoTrump(Struct, frozen=True, forbid_unknown_fields=True):
    """``[no_trump]``: 无主 (F-Q16)."""

    tractor_27: Switch = True


class Throw(Struct, frozen=True, forbid_unknown_fields=True):
    """``[throw]``: 甩牌 (F-R27, F-Q19 … F-Q21)."""

    scope: Literal["trump", "any", "none"] = "trump"
    test: Literal["component"] = "component"
    fail: Literal["lowest_failing", "lowest_component"] = "lowest_failing"


class Follow(Struct, frozen=True, forbid_unknown_fields=True):
    """``[follow]``: what a follower owes (F-R24, F-Q23)."""

    pair_binding: Switch = True
    tractor_binding: Switch = True
    partial_tractor: Switch = True


class BottomFactor(Struct, frozen=True, forbid_unknown_fields=True):
    """``[bottom_factor]``: 抠底 (F-R30, F-Q24)."""

    single: Annotated[int, Meta(ge=0, le=8)] = 1
    pair: Annotated[int, Meta(ge=0, le=8)] = 2
    tractor: Annotated[int, Meta(ge=0, le=8)] = 4
    trump_only: Switch = True


class Thresholds(Struct, frozen=True, forbid_unknown_fields=True):
    """``[thresholds]``: points above the bid from which the loss is 小光, 大光 (F-R31, F-Q3)."""

    xiaoguang: Annotated[int, Meta(ge=0, le=200)] = 40
    daguang: Annotated[int, Meta(ge=0, le=200)] = 70
    inclusive: Switch = True


class XiaoguangBelow(Struct, frozen=True, forbid_unknown_fields=True):
    """``[xiaoguang_below]``: points of the three under which the landlord's win is 闲家小光 (F-Q4)."""

    points: Annotated[int, Meta(ge=5, le=50)] = 30
    inclusive: Switch = False


class Levels(Struct, frozen=True, forbid_unknown_fields=True):
    """``[levels]``: what 下庄 小光 大光 and 过庄 小光 清光 are worth (F-R31, F-Q2)."""

    lost: tuple[Level, Level, Level] = (1, 2, 3)
    kept: tuple[Level, Level, Level] = (1, 2, 3)
