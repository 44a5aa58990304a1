"""Which format a log has, and who reads it. In the order of the table: the first that recognises a log has it."""

from collections.abc import Callable, Iterator

from msgspec import Struct

from ingest.logs import botzone, douzero, human_game_record, native
from ingest.logs.entry import Entry, Source


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


def reader_of(head: bytes, title: str) -> Callable[[Source], Iterator[Entry]] | None:
    """Who reads a log that begins with these bytes, if anybody."""
    name = detect(head, title)
    return None if name is None else READERS[READERS[name].told or name].entries
