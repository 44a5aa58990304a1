"""Which format a log has, and who reads it. In the order of the table: the first that recognises a log has it."""

from collections.abc import Callable, Iterator
from functools import partial

from msgspec import Struct

from ingest.logs import (
    botzone,
    botzone_bot,
    ccgc,
    douzero,
    fege18,
    human_game_record,
    native,
    openspiel,
    rlcard,
    rlcard_showdown,
)
from ingest.logs.entry import Entry, Source
from ingest.logs.openspiel_actions import NUMBERINGS


class Reader(Struct, frozen=True):
    """One format of ``FORMATS``: how its logs are told from others by their beginning, and how they are read."""

    entries: Callable[[Source], Iterator[Entry]]
    recognises: Callable[[bytes], bool] | None = None
    """None for a name of several formats."""
    told: str = ""
    """The name that a log is read under once it is recognised, where that is another."""


READERS: dict[str, Reader] = {
    "botzone": Reader(botzone.entries),
    "botzone-judge": Reader(botzone.judge_entries, botzone.recognises_judge, told="botzone"),
    "botzone-display": Reader(botzone.display_entries, botzone.recognises_display, told="botzone"),
    "openspiel": Reader(openspiel.entries, openspiel.recognises),
    **{name: Reader(partial(openspiel.entries, numbering=name)) for name in NUMBERINGS},
    "botzone-bot": Reader(botzone_bot.entries, botzone_bot.recognises),
    "fege18": Reader(fege18.entries, fege18.recognises),
    "ccgc": Reader(ccgc.entries),
    "ccgc-protocol": Reader(ccgc.protocol_entries, ccgc.recognises_protocol, told="ccgc"),
    "ccgc-record": Reader(ccgc.record_entries, ccgc.recognises_record, told="ccgc"),
    "rlcard": Reader(rlcard.entries, rlcard.recognises),
    "rlcard-showdown": Reader(rlcard_showdown.entries, rlcard_showdown.recognises),
    "douzero": Reader(douzero.entries, douzero.recognises),
    "human-game-record": Reader(human_game_record.entries, human_game_record.recognises),
    "native": Reader(native.entries),
}


def detect(head: bytes, title: str = "") -> str | None:
    """The format of a log that begins with these bytes (64 KiB are enough), or None.

    ``title``: its file name; only Fupan's own logs are also told by it.
    """
    for name, reader in READERS.items():
        if reader.recognises is not None and reader.recognises(head):
            return name
    return "native" if native.recognises(head, title) else None


def told_format(head: bytes, title: str) -> str | None:
    """The name under which a log that begins with these bytes is read: of several forms of one log the common one."""
    name = detect(head, title)
    return name if name is None else READERS[name].told or name
