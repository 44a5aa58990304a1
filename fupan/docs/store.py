"""The page of the store: its tables and columns, made from the declarations of the schema."""

from fupan.docs.markdown import anchor, code, codes, page, table, text
from ingest.store import KINDS, LARGE, TABLES, VERSION, ZONE, Table

_INTRODUCTION = f"""
# The store · 仓库

A store is a folder: batch folders of Parquet files that are never changed once they are there, and `manifest.json`,
which lists the files that count and is replaced atomically. A reader therefore sees whole batches only and needs no
lock, while one loader at a time adds to it. Any program that reads Parquet can read the files; it must take their
names from the manifest, because a folder that an interrupted load left behind does not count.

Version {VERSION}. Days are those of {ZONE}, or of the time zone that a store was made with (`fupan load --zone`). In
Parquet every column carries its meaning as metadata. What may be missing is null, and the meaning says when. Texts of a
log (ids, names, tags) are kept letter for letter.

The manifest has the length and checksum of every file, and one of itself, and there is a copy of it. A reader hashes
each file once (`.checked` remembers what was hashed, by size, inode and time of change) and leaves batches out that are
not as they were written, with those that replaced hands of them; every answer then says so on standard error. A load
refuses a damaged store: it could not tell which hands it has. `fupan store check` reads every byte again, whatever was
hashed before, as is needed where a disk itself may be failing. `fupan store repair` moves damaged batches to `aside/`
and lists which lines of which logs must be loaded again; what they replaced counts again until then.

`seats` lie in the order of players, then of days, in small groups of rows, as do the roll-ups by player: who asks for
one player reads little of each file. `fupan store compact` merges neighbouring batches up to 250,000 hands, so that a
question opens few files; hands keep their numbers and answers stay as they are. Merged folders stay for an hour for
those who are reading them; whatever writes to the store after that removes them.

With a store of at least {LARGE:,} hands the answers are kept that take longest over all of them, and over those of
each of several rulesets (`.answers/`, a Parquet file each): ratings, screens of integrity, and what goes through a
player's hands one by one. What players did is kept day by day (`daily.*.parquet`), and so is what was dealt, so that a
screen follows a change of its filters at once. A load works all of it out at its end (`--no-prepare`: not), `fupan
store prepare` does so at any time; answers are also worked out when they are first asked for. They hold for exactly
these batches and this version of the program; nothing counts on them, and the folder may be removed.

A hand that was replaced (`fupan load --replace`) is in none of the tables any more; `past_hands`, `past_seats`,
`past_moves`, `past_findings`, `past_mismatches` and `past_raw` have it with the same columns, and `replaced` says what
took its place.
"""


def pages() -> dict[str, str]:
    """The one page."""
    head = ("table", "one row is")
    rows = [(anchor(each.name), text(each.row)) for each in TABLES.values()]
    return {"store.md": page(_INTRODUCTION, table(head, rows), _kinds(), *map(_section, TABLES.values()))}


def _kinds() -> str:
    rows = [(code(name), code(str(parquet)), code(sql)) for name, (parquet, sql) in KINDS.items()]
    return "## Kinds of columns\n\n" + table(("kind", "in Parquet", "in SQL"), rows)


def _section(each: Table) -> str:
    rows = [(code(column.name), column.kind, text(column.meaning)) for column in each.columns]
    parts = [f"## {each.name}", f"One row is {text(each.row)}.", table(("column", "kind", "meaning"), rows)]
    if each.sums:
        over = "the other columns are added up" if each.added else "whoever asks adds the other columns up"
        parts.insert(2, f"Grouped by {codes(each.keys)}; over several batches {over}.")
    return "\n\n".join(parts)
