"""The text log of FEGE18's runners of FightTheLandlord2 as records under ``botzone``.

Knows both dialects: one bot against the reference, and three bots, where a crash decides. Refuses to know rules: a play
that the runner calls illegal stands as a move. What the bots thought and printed is left out.
Source: logs.md 3.2; the two runners (FEGE18/FightTheLandlord2: run_reference_match.py, run_three_bot_match.py).
"""

import re
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct

from ingest.logs.card_numbers import card_text
from ingest.logs.documents import block_hands
from ingest.logs.entry import Entry, Source, refused
from ingest.logs.outline import lines_of
from ingest.record import LINE_LIMIT, PASS, Claim, Player, Record, write_moves

_BEGINS = re.compile(rb"=+ GAME ")
_SUMMED_UP = re.compile(rb"=+ (?:TRI )?MATCH SUMMARY =+")
_OF_A_GAME = (b"bots:", b"initial ", b"public=", b"BID ", b"landlord=", b"TURN ", b"  ", b"SUMMARY ")
"""How lines begin that are no totals."""
_GAME = re.compile(r"=+ GAME (?P<game>\S+) seed=(?P<seed>\S+)(?: ourSeat=\S+)? =+")
_BOTS = re.compile(r"^bots: ([^\r\n]*)", re.MULTILINE)
_BOT = re.compile(r"P([0-2])=(.+)")
_DEALT = re.compile(r"^initial P([0-2]) [^\[\n]*(\[[^\]\n]*\])\r?$", re.MULTILINE)
_PUBLIC = re.compile(r"^public=[^\[\n]*(\[[^\]\n]*\])\r?$", re.MULTILINE)
_BID = re.compile(r"^BID P([0-2]) [^=\n]*bid=(\S*) ok=", re.MULTILINE)
_BIDS = re.compile(r"^BID P", re.MULTILINE)
_CHOSEN = re.compile(r"^landlord=P([0-2]) (?:[^\n]* )?finalBid=(\d{1,9})\r?$", re.MULTILINE)
_MOVE = re.compile(r"^(?:TURN (?P<turn>[^\r\n]*)|  action=(?P<action>[^\r\n]*))", re.MULTILINE)
_TURN = re.compile(r"(\d{1,9}) P([0-2]) .*")
_ACTION = re.compile(
    r"(?P<kind>[A-Z0-9]+)(?: [^\[]*(?P<cards>\[[^\]]*\]) level=-?\d+)? "
    r"legal=(?P<legal>True|False) reason=(?P<reason>.*)"
)
_CRASH = re.compile(r"^(?:BID|PLAY) CRASH P([0-2]) [^\r\n]*", re.MULTILINE)
_SUMMARY = re.compile(r"^SUMMARY ([^\r\n]*)", re.MULTILINE)
_SAID = re.compile(r"(\w+)=(\S+)")
_SEAT = re.compile(r"P([0-2])")


class Turn(Struct, frozen=True):
    """A play as the runner wrote it."""

    seat: int
    what: str
    """A card text or a pass."""
    fault: str
    """Why the runner calls it illegal; empty where it does not."""


def entries(source: Source) -> Iterator[Entry]:
    """Every game of a log; the totals at its head are no game and left out."""
    found = block_hands(source, _record, _begins, LINE_LIMIT)
    return (entry for entry in found if entry.record or not _is_totals(entry.raw))


def recognises(head: bytes) -> bool:
    """Whether a log begins as these do."""
    return any(_SUMMED_UP.match(line) or (_BEGINS.match(line) and b" seed=" in line) for line in lines_of(head))


def _begins(line: bytes) -> bool:
    return _BEGINS.match(line) is not None


def _is_totals(raw: bytes) -> bool:
    """Whether this is what stands at the head of a log: how often each bot won."""
    lines = [line for line in raw.split(b"\n") if line.strip()]
    rest = (b"=" in line and not line.startswith(_OF_A_GAME) for line in lines[1:])
    return bool(lines) and bool(_SUMMED_UP.match(lines[0])) and all(rest)


def _record(raw: bytes, place: str) -> Record:
    text = raw.decode()
    game = _GAME.match(text)
    if game is None:
        raise refused("R112", reason="not a game of a FEGE18 log")
    hands, bottom = _deal(text)
    turns = list(_turns(text))
    crash, summary = _once(_CRASH, text, "CRASH"), _once(_SUMMARY, text, "SUMMARY")
    return Record(
        id=place[-128:],
        rules="botzone",
        players=_players(text),
        hands=list(hands),
        bottom=bottom,
        first=0,
        auction=write_moves(list(_bids(text))),
        plays=write_moves([(turn.seat, turn.what) for turn in turns]),
        end=None if crash is None else f"escape:{crash[1]}",
        claim=_claim(text, dict(_SAID.findall(summary[1])) if summary else {}),
        extra=_extra(game, turns, crash, summary),
    )


def _once(pattern: re.Pattern[str], text: str, field: str) -> re.Match[str] | None:
    """Where the only line of its kind is. Raises ``Unreadable`` (R103) where there are several."""
    found = list(pattern.finditer(text))
    if len(found) > 1:
        raise refused("R103", field=field, reason=f"stands {len(found)} times in one game")
    return found[0] if found else None


def _deal(text: str) -> tuple[list[str], str]:
    """The three hands and the public cards, all of which a game must have (R102; R107 where the log was cut)."""
    dealt = [(f"initial P{match[1]}", match[2]) for match in _DEALT.finditer(text)]
    dealt += [("public", match[1]) for match in _PUBLIC.finditer(text)]
    cards = dict(dealt)
    for field in ("initial P0", "initial P1", "initial P2", "public"):
        if field not in cards:
            raise refused("R102", field=field) if _SUMMARY.search(text) or _MOVE.search(text) else refused("R107")
    if len(dealt) != len(cards):
        raise refused("R103", field="initial", reason=f"{len(dealt)} hands in one game")
    return [_cards(cards[f"initial P{seat}"], f"initial P{seat}") for seat in range(3)], _cards(
        cards["public"], "public"
    )


def _cards(text: str, field: str) -> str:
    try:
        return card_text(msgspec.json.decode(text), field)
    except msgspec.DecodeError:
        raise refused("R105", field=field, text=text[:80]) from None


def _players(text: str) -> list[Player]:
    """The bots; one program may sit at several seats."""
    line = _BOTS.search(text)
    named = {match[1]: match[2] for match in map(_BOT.fullmatch, line[1].split(", ") if line else []) if match}
    return [Player(id=named.get(str(seat), f"P{seat}"), bot=True) for seat in range(3)]


def _bids(text: str) -> Iterator[tuple[int, str]]:
    found = list(_BID.finditer(text))
    if len(found) != len(_BIDS.findall(text)):
        raise refused("R105", field="BID", text=f"{len(_BIDS.findall(text))} lines, {len(found)} bids")
    for match in found:
        if not re.fullmatch("[0-9]{1,9}", match[2]):
            raise refused("R105", field=f"BID P{match[1]}", text=match[2][:80])
        yield int(match[1]), match[2] if int(match[2]) else PASS


def _turns(text: str) -> Iterator[Turn]:
    """Every play, in order. Raises ``Unreadable`` (R102, R103, R105, R107)."""
    open_turn, number, end = "", 0, len(text.rstrip())
    for match in _MOVE.finditer(text):
        cut = match.end() >= end
        if match["turn"] is not None:
            if open_turn:
                raise refused("R102", field=f"TURN {number}.action")
            open_turn, number = match["turn"], number + 1
            if cut:
                raise refused("R107")
        elif not open_turn:
            raise refused("R102", field=f"TURN {number + 1}")
        else:
            yield _turn(open_turn, number, match["action"], cut=cut)
            open_turn = ""
    if open_turn:
        raise refused("R102", field=f"TURN {number}.action")


def _turn(turn: str, number: int, action: str, *, cut: bool) -> Turn:
    """One play. ``number``: how many turns there have been; the runner counts them too."""
    who, what = _TURN.fullmatch(turn), _ACTION.fullmatch(action)
    if what is None or (what["cards"] is None) != (what["kind"] == "PASS"):
        raise refused("R107") if cut else refused("R105", field=f"TURN {number}.action", text=action[:80])
    if who is None:
        raise refused("R105", field=f"TURN {number}", text=turn[:80])
    if int(who[1]) != number:
        raise refused("R103", field=f"TURN {who[1]}", reason=f"stands where turn {number} is due")
    cards = PASS if what["cards"] is None else _cards(what["cards"], f"TURN {number}.action")
    if not cards:
        raise refused("R105", field=f"TURN {number}.action", text=action[:80])
    return Turn(int(who[2]), cards, "" if what["legal"] == "True" else what["reason"] or "illegal")


def _claim(text: str, said: dict[str, str]) -> Claim | None:
    """What the log says of the result; a final bid of 0 says that nobody bid."""
    chosen = _once(_CHOSEN, text, "landlord")
    landlord = _seat(said["landlord"], "landlord") if "landlord" in said else int(chosen[1]) if chosen else None
    bid = _number(said["finalBid"], "finalBid") if "finalBid" in said else int(chosen[2]) if chosen else 0
    multiplier = _number(said["multiplier"], "multiplier") if "multiplier" in said else None
    claim = Claim(landlord=landlord, winners=_winners(said, landlord), multiplier=multiplier, bid=bid or None)
    return None if claim == Claim() else claim


def _winners(said: dict[str, str], landlord: int | None) -> list[int] | None:
    """The seats of the side that won."""
    team = said.get("winnerTeam")
    if team is None or "winner" not in said or landlord is None:
        return None
    if team not in ("landlord", "farmers"):
        raise refused("R103", field="SUMMARY.winnerTeam", reason=f"neither landlord nor farmers: {team[:40]}")
    return [seat for seat in range(3) if (seat == landlord) == (team == "landlord")]


def _seat(text: str, field: str) -> int:
    found = _SEAT.fullmatch(text)
    if found is None:
        raise refused("R103", field=f"SUMMARY.{field}", reason=f"no seat: {text[:40]}")
    return int(found[1])


def _number(text: str, field: str) -> int:
    if not re.fullmatch("[0-9]{1,9}", text):
        raise refused("R103", field=f"SUMMARY.{field}", reason=f"no whole number: {text[:40]}")
    return int(text)


def _extra(
    game: re.Match[str], turns: list[Turn], crash: re.Match[str] | None, summary: re.Match[str] | None
) -> msgspec.Raw:
    """What else the log says of a game."""
    said = dict(_SAID.findall(summary[1])) if summary else {}
    rest: dict[str, Any] = {"game": game["game"], "seed": game["seed"]}
    rest |= {name: said[name] for name in ("winner", "spring", "antiSpring", "forcedByCrash") if name in said}
    if faults := [{"play": index, "reason": turn.fault} for index, turn in enumerate(turns) if turn.fault]:
        rest["illegal"] = faults
    if summary and summary[1].startswith("illegal="):
        rest["stopped"] = summary[1]
    if crash:
        rest["crash"] = crash[0]
    return msgspec.Raw(msgspec.json.encode(rest))
