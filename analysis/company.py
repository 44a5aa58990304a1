"""Whom one sits with, by their ratings at the time: the strength of the company, and who wins more with whom.

Knows the course of ratings. Refuses to know how they are worked out.
"""

from typing import Any

import numpy as np
import pandas as pd

from analysis.ratings import Course, course_of
from analysis.warehouse import Warehouse


def schedule(warehouse: Warehouse, player: str | None, **narrowed: Any) -> pd.DataFrame:
    """One row a player and ruleset: player, rules, hands, own, opponents, mates: means of mu before each hand (86).

    Only hands that were rated for the seat; ``mates`` is null for who was never a farmer with one.
    """
    seats = _seats(course_of(warehouse, "ruleset", narrowed))
    landlord, mu = seats["landlord"], seats["mu"]
    per_hand = pd.DataFrame({"hand": seats["hand"], "l": mu.where(landlord, 0.0), "f": mu.where(~landlord, 0.0)})
    sums = per_hand.groupby("hand").sum().reindex(seats["hand"]).reset_index(drop=True)
    farmers = (~landlord).groupby(seats["hand"]).transform("sum")
    seats["opponents"] = sums["l"].where(~landlord, sums["f"] / farmers)
    seats["mates"] = ((sums["f"] - mu) / (farmers - 1)).where(~landlord & (farmers > 1))
    kept = seats[seats["rated"]].groupby(["player", "rules"], sort=False)
    told = kept.agg(hands=("mu", "size"), own=("mu", "mean"), opponents=("opponents", "mean"), mates=("mates", "mean"))
    return _of(told.reset_index(), player, ["hands", "player", "rules"])


def synergy(warehouse: Warehouse, player: str | None, **narrowed: Any) -> pd.DataFrame:
    """One row a player, fellow farmer and ruleset: player, other, rules, hands, wins, expected, over, error (81)."""
    seats = _seats(course_of(warehouse, "ruleset", narrowed))
    farmers = seats[seats["rated"] & ~seats["landlord"]]
    mine = farmers if player is None else farmers[farmers["player"] == player]
    met = mine.merge(farmers[["hand", "place", "player"]], on="hand", suffixes=("", "_other"))
    met = met[met["place"] != met["place_other"]].rename(columns={"player_other": "other"})
    met["variance"] = met["chance"] * (1 - met["chance"])
    told = met.groupby(["player", "other", "rules"], sort=False).agg(
        hands=("won", "size"), wins=("won", "sum"), expected=("chance", "sum"), variance=("variance", "sum")
    )
    told["over"], told["error"] = told["wins"] - told["expected"], np.sqrt(told["variance"])
    return _of(told.reset_index(), None, ["hands", "player", "other", "rules"])


def _seats(went: Course) -> pd.DataFrame:
    """The seats of hands that were rated, with the mu of the member that sits there."""
    seats = pd.DataFrame(
        {
            "hand": went.hand, "place": np.arange(len(went.hand)), "landlord": went.landlord, "won": went.won,
            "rated": went.rated & went.first, "mu": went.before, "chance": went.expected, "member": went.member,
        }
    )  # fmt: skip
    known: pd.DataFrame = seats[np.isfinite(seats["mu"])].reset_index(drop=True)
    members = went.members[["player", "rules"]].astype(object)
    joined: pd.DataFrame = known.join(members, on="member")
    return joined


def _of(told: pd.DataFrame, player: str | None, order: list[str]) -> pd.DataFrame:
    ranked = told.sort_values(order, ascending=[key != "hands" for key in order], ignore_index=True)
    return ranked if player is None else ranked[ranked["player"] == player].reset_index(drop=True)
