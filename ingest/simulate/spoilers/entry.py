"""Spoilers of the record itself: lines that are no record, or none of this game (R101 … R110)."""

from random import Random
from typing import Any

import msgspec
from msgspec.structs import replace

from ingest.hand import Story
from ingest.record import Player, Record, write_record
from ingest.rules.ruleset import Ruleset
from ingest.simulate.spoilers.tokens import text_of, tokens, with_what


def not_json(hand: Story, rng: Random) -> bytes:
    """R101: a comma is missing, a brace too many, or the line is a list."""
    line = write_record(hand.record)
    return rng.choice((line.replace(b',"players"', b'"players"', 1), b"{" + line, b"[" + line + b"]"))


def field_missing(hand: Story, rng: Random) -> bytes:
    """R102: a required field is left out."""
    fields = _fields(hand.record)
    choices = ["id", "players", "players.id"]
    if isinstance(hand.rules, Ruleset) and hand.rules.auction.landlord == "record" and "landlord" in fields:
        choices.append("landlord")
    choice = rng.choice(choices)
    if choice == "players.id":
        del rng.choice(fields["players"])["id"]
    else:
        del fields[choice]
    return msgspec.json.encode(fields)


_IMPOSSIBLE: tuple[tuple[str, object], ...] = (
    ("base", 1.5),
    ("base", 0),
    ("base", "10"),
    ("voids", -1),
    ("at", "2026-11-29 20:15"),
    ("at", "2026-11-29T20:15:03"),
    ("open", "yes"),
    ("first", 7),
    ("end", "escaped"),
    ("players", {}),
    ("hands", ["S3"]),
)


def value_impossible(hand: Story, rng: Random) -> bytes:
    """R103: a value of the wrong type, or one that no hand can have."""
    field, value = rng.choice(_IMPOSSIBLE)
    return msgspec.json.encode({**_fields(hand.record), field: value})


def _fields(record: Record) -> dict[str, Any]:
    fields: dict[str, Any] = msgspec.json.decode(write_record(record))
    return fields


def unreadable_text(hand: Story, rng: Random) -> Record | None:
    """R105: a card text or a move text with something that is neither card nor move."""
    record, field = hand.record, rng.choice(("hands", "bottom", "auction", "plays"))
    if field == "hands" and record.hands and record.hands[0]:
        return replace(record, hands=[rng.choice(("X", "S1", "?")) + record.hands[0], *record.hands[1:]])
    if field == "bottom" and record.bottom:
        return replace(record, bottom=record.bottom[:-1] + "Z")
    text = record.auction if field == "auction" else record.plays
    if field in ("hands", "bottom") or not text:
        return None
    moves = tokens(text)
    word = rng.choice(("maybe", "S3H", "BRX", "4=plane9"))
    return replace(record, **{field: text_of(with_what(moves, rng.randrange(len(moves)), word))})


def wrong_table_size(hand: Story, rng: Random) -> Record:
    """R110: a player too many or too few."""
    players = hand.record.players
    changed = players[:-1] if rng.random() < 0.5 else [*players, Player("guest")]
    return replace(hand.record, players=changed)
