"""``HumanGameRecord`` lines of the DouZero fork GentleKingson/DouZero as records.

Knows their fields, and which of our rulesets has the fork's parameters. Refuses to know rules.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from msgspec import Raw, Struct, UnsetType

from ingest.logs.documents import json_hands
from ingest.logs.douzero_words import (
    BOTTOM,
    POSITIONS,
    arrays,
    begins_array,
    cards,
    is_never,
    keeping,
    name_of,
    objects,
    plays,
    shown,
    side,
    text_of,
    without,
)
from ingest.logs.entry import Entry, Source, refused
from ingest.logs.outline import Outline, outlines
from ingest.record import PASS, Claim, Player, Record, write_moves

KIND = "human_game_record"
UNSET = msgspec.UNSET

_RULESETS = {
    ("legacy", "8f43c73a1d07e0da0d5127b958303115701b176f5725223eb4f490b8a56ad3a0"): "douzero",
    ("standard", "05a383c5ac992aefbce757060e13320a5f476b501df19ba33a7048e6ef9ee13f"): "douzero-bidding",
}
"""The fork's rulesets by id and by the SHA-256 of their parameters, and what plays by the same ones here."""
_SHORT = 16
"""Digits of a hash that are enough: the fork itself writes no fewer."""
_OWN = frozenset((b"initial_hands", b"action_history"))
_QUARANTINE = frozenset((b"reason", b"error"))
_SCORE_LIMIT = 10**15
_BID_LIMIT = 10**9


class Game(Struct, frozen=True):
    """One line; what is not here is kept as it stands."""

    initial_hands: dict[str, Any]
    action_history: list[Any]
    ruleset_id: str | UnsetType = UNSET
    ruleset_hash: str | UnsetType = UNSET
    seats: list[Any] | UnsetType = UNSET
    bottom_cards: Any = UNSET
    bidding_history: list[Any] = []
    final_result: dict[str, Any] | None = None


_game = msgspec.json.Decoder(Game)
_BY_ITSELF = {"winner_team", "winner_position", "multiplier", "bid_value", "landlord_score", "farmer_score"}
_USED = (*(name for name in Game.__struct_fields__ if not name.startswith("ruleset")), "game_id")


def entries(source: Source) -> Iterator[Entry]:
    """Every game: one a line, one a file, or an array of them."""
    return json_hands(source, _reading, is_never if begins_array(source.head) else _is_game, _parts)


def recognises(head: bytes) -> bool:
    """Whether a log begins with such a game, or with one that the fork's own validation put aside."""
    return any(_is_own(told, KIND.encode() in head) for told in outlines(head))


def _is_own(told: Outline, named: bool) -> bool:
    return told.opening in (b"{", b"[{") and (told.keys >= _OWN or (named and told.keys >= _QUARANTINE))


def _is_game(line: bytes) -> bool:
    return bool(objects.decode(line).keys() & {"initial_hands", "action_history", "reason"})


def _parts(raw: bytes) -> list[bytes]:
    return [bytes(part) for part in arrays.decode(raw)] if raw.lstrip()[:1] == b"[" else [raw]


def _reading(raw: bytes, place: str) -> Record:
    text_of(raw)
    given = objects.decode(raw)
    around: dict[str, Raw] = {}
    if "record" in given and "reason" in given:
        around = {name: part for name, part in given.items() if name not in ("record", "game_id")}
        raw = bytes(given["record"])
        given = objects.decode(raw)
    if not given.keys() & {"initial_hands", "action_history"}:
        raise refused("R112", reason="not a HumanGameRecord")
    for field in ("initial_hands", "action_history"):
        if field not in given:
            raise refused("R102", field=field)
    return _record(_game.decode(raw), given | around, place)


def _record(game: Game, given: dict[str, Raw], place: str) -> Record:
    seats = _seats(game.seats)
    landlord = seats.index(POSITIONS[0])
    rules = _rules(game)
    hands, bottom = _hands(game, seats)
    bids = _bids(game.bidding_history, seats)
    has_auction = rules == "douzero-bidding"
    record = Record(
        id=name_of(given, ("game_id",), place),
        rules=rules,
        players=[Player(id=position) for position in seats],
        hands=hands,
        bottom=bottom,
        auction=write_moves(bids) if bids or has_auction else None,
        landlord=None if has_auction else landlord,
        plays=write_moves(_plays(game.action_history, seats)),
        claim=_claim(game.final_result, seats, landlord if has_auction else None),
    )
    return keeping(record, _beside(game, given))


def _beside(game: Game, given: dict[str, Raw]) -> dict[str, Raw]:
    """What has no field: the fork's name for the rules, weights, metadata, and what else the result says."""
    rest = {name: part for name, part in (game.final_result or {}).items() if name not in _BY_ITSELF}
    more = {"final_result": Raw(msgspec.json.encode(rest))} if rest else {}
    return {name: part for name, part in given.items() if name not in _USED} | more


def _rules(game: Game) -> str | None:
    """The ruleset of ours with the parameters that the log names; where none has, a name that no ruleset has."""
    if game.ruleset_id is UNSET:
        return None
    told = "" if game.ruleset_hash is UNSET else game.ruleset_hash
    for (name, digest), rules in _RULESETS.items():
        if name == game.ruleset_id and (not told or (len(told) >= _SHORT and digest.startswith(told))):
            return rules
    return f"{game.ruleset_id[:80]}#{told[:_SHORT]}"


def _seats(given: list[Any] | UnsetType) -> list[str]:
    """The positions in order of turn."""
    if given is UNSET:
        return list(POSITIONS)
    if len(given) != len(POSITIONS) or any(position not in given for position in POSITIONS):
        raise refused("R103", field="seats", reason=f"not the three positions: {shown(given)}")
    return given


def _hands(game: Game, seats: list[str]) -> tuple[list[str | None], str]:
    """Hands by seat, the landlord's without the bottom, and the bottom."""
    for name in (*POSITIONS, BOTTOM):
        if name not in game.initial_hands:
            raise refused("R102", field=f"initial_hands.{name}")
    dealt = {name: cards(hand, f"initial_hands.{name}") for name, hand in game.initial_hands.items()}
    bottom = dealt[BOTTOM]
    if game.bottom_cards is not UNSET and sorted(cards(game.bottom_cards, "bottom_cards")) != sorted(bottom):
        raise refused("R103", field="bottom_cards", reason=f"not those of initial_hands.{BOTTOM}")
    dealt[POSITIONS[0]] = without(dealt[POSITIONS[0]], bottom)
    return ["".join(dealt[position]) for position in seats], "".join(bottom)


def _plays(given: list[Any], seats: list[str]) -> list[tuple[int, str]]:
    for place, play in enumerate(given):
        if not isinstance(play, list) or len(play) != 2 or play[0] not in seats:
            raise refused("R105", field=f"action_history[{place}]", text=shown(play))
    return plays(given, "action_history", seats)


def _bids(given: list[Any], seats: list[str]) -> list[tuple[int, str]]:
    """The auction by seat. It names positions, or the numbers that seats have before there is a landlord."""
    for place, bid in enumerate(given):
        if not isinstance(bid, list) or len(bid) != 2 or type(bid[1]) is not int or not 0 <= bid[1] < _BID_LIMIT:
            raise refused("R105", field=f"bidding_history[{place}]", text=shown(bid))
    if all(bid[0] in seats for bid in given):
        return [(seats.index(bid[0]), _word(bid[1])) for bid in given]
    return _numbered_bids(given, seats.index(POSITIONS[0]))


def _numbered_bids(given: list[Any], landlord: int) -> list[tuple[int, str]]:
    for place, bid in enumerate(given):
        if bid[0] not in ("0", "1", "2"):
            raise refused("R105", field=f"bidding_history[{place}]", text=shown(bid))
    highest = max(given, key=lambda bid: bid[1])
    if highest[1] == 0:
        raise refused("R103", field="bidding_history", reason="no bid tells which number the landlord has")
    turn = landlord - int(highest[0])
    return [((int(bid[0]) + turn) % len(POSITIONS), _word(bid[1])) for bid in given]


def _word(bid: int) -> str:
    return str(bid) if bid else PASS


def _claim(result: dict[str, Any] | None, seats: Sequence[str], landlord: int | None) -> Claim | None:
    """What the log says of the result; every seat that it calls a winner, also where it contradicts itself."""
    said = result or {}
    named = [said[name] for name in ("winner_team", "winner_position") if said.get(name) not in (None, "")]
    winners = {seat for winner in named for seat in side(winner, "final_result", seats)}
    claim = Claim(
        landlord=landlord,
        winners=sorted(winners) if named else None,
        multiplier=_whole(said.get("multiplier"), "multiplier"),
        bid=_whole(said.get("bid_value"), "bid_value") or None,
        scores=_scores(said, seats),
    )
    return None if claim == Claim() else claim


def _scores(said: dict[str, Any], seats: Sequence[str]) -> list[int] | None:
    landlord, farmer = (_whole(said.get(name), name) for name in ("landlord_score", "farmer_score"))
    if landlord is None or farmer is None:
        return None
    return [landlord if position == POSITIONS[0] else farmer for position in seats]


def _whole(given: Any, name: str) -> int | None:
    """A whole number, which the fork may write with a decimal point. Raises ``Unreadable`` (R103)."""
    if given is None:
        return None
    if isinstance(given, bool) or not isinstance(given, int | float) or abs(given) > _SCORE_LIMIT or given % 1:
        raise refused("R103", field=f"final_result.{name}", reason=f"not a whole number: {shown(given)}")
    return int(given)
