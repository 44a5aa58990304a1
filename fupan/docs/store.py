"""The page of the store: its tables and columns, made from the declarations of the schema."""

from fupan.docs.markdown import anchor, code, codes, page, table, text
from ingest.store import KINDS, LARGE, TABLES, VERSION, ZONE, Table
from ingest.store.history import Columns, Step, steps

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
refuses a store of which a batch is damaged: it could not tell which hands it has. Of the manifest and its copy one
that is whole is enough; where neither is, nobody knows which batches count, and the logs are loaded into a new store.
`fupan store check` reads every byte again, whatever was hashed before, as is needed where a disk itself may be
failing. `fupan store repair` moves damaged batches to `aside/` and lists which lines of which logs must be
loaded again; what they replaced counts again until then.

`seats` lie in the order of players, then of days, in small groups of rows, as do the roll-ups by player: who asks for
one player reads little of each file. `fupan store compact` merges neighbouring batches up to 250,000 hands, so that a
question opens few files; hands keep their numbers and answers stay as they are. Merged folders stay for an hour for
those who are reading them; whatever writes to the store after that removes them. The hour is one of the machine that
writes, since it was started, whatever its clock is set to; another machine that writes begins an hour of its own.

With a store of at least {LARGE:,} hands the answers are kept that take longest over all of them, and over those of
each of several rulesets (`.answers/`, a Parquet file each): ratings, screens of integrity, and what goes through a
player's hands one by one. What players did is kept day by day (`daily.*.parquet`), and so is what was dealt, what
clocks said and what settlements came to; who met whom as opponents is kept hand by hand (`meetings*.arrow`, 20 MB a
million hands). So a screen follows a change of its filters at once. A load works all of it out at its end
(`--no-prepare`: not), `fupan store prepare` does so at any time; answers are also worked out when they are first asked
for. They hold for exactly these batches and this version of the program; nothing counts on them, and the folder may be
removed.

A hand that was replaced (`fupan load --replace`) is in none of the tables any more; `past_hands`, `past_seats`,
`past_moves`, `past_findings`, `past_mismatches` and `past_raw` have it with the same columns, and `replaced` says what
took its place.
"""

_EARLIER = """
## Versions

A store of any earlier version is read. What later versions brought, and what they changed the sense of, its views do
not have; a question or screen that needs such a table or column says so and names `fupan store upgrade`, all others
answer. Nothing is added to it: a load, `compact` and `prepare` refuse. A store of a later version is not
opened. "Changed" are columns that stores of versions before have in another sense, or that some of them have wrong.

`fupan store upgrade` makes an earlier store one of today's: every record is audited anew under the rules that it was
loaded with, and everything worked out from that. Kept are the numbers and the order of hands, which files were loaded
(so that loading them again adds nothing), what was replaced by what, and what was refused or listed as a repetition;
hands of which something else is said now are named. Where hands were audited under rules of one's own, `--rules FILE`
names them. It takes about as long as a load, in the same memory (a batch of more than 50,000 rows becomes several,
which `fupan store compact` merges), and room for the new files beside the old ones, which is said first: as much again
as the store has, twice as much from version 1. The new files grow in `.upgrade/`; one replacement of the manifest makes
them count, so that a process killed at any moment leaves the old store or the new one, and the command is simply run
again. Readers go over by themselves; the old folders stay for an hour for those who are reading them, and whatever
writes after that removes them. A damaged store is refused until `fupan store repair` has put aside what is damaged, as
with a store of today's; what it lists is loaded again after the upgrade.

Stores of versions 1 and 2 tell a log by its path as it was given: upgrade them in the folder from which they were
loaded, if that was not by whole paths. Of a version 1 store the logs of other programs are read anew hand by hand.
"""


def pages() -> dict[str, str]:
    """The one page."""
    head = ("table", "one row is")
    rows = [(anchor(each.name), text(each.row)) for each in TABLES.values()]
    parts = [table(head, rows), _history(), _kinds(), *map(_section, TABLES.values())]
    return {"store.md": page(_INTRODUCTION, *parts)}


def _history() -> str:
    """What each version brought, and what it lacks of today's."""
    head = ("version", "中文", "English", "new", "changed")
    rows = [
        (str(step.number), text(step.brought.zh), text(step.brought.en), _new(step), _named(step.changed))
        for step in reversed(steps())
    ]
    within = [
        f"{codes(each.columns)} of {code(each.table)} in some stores of version {step.number}, "
        f"where the files say that they mean {', '.join(map(repr, each.was))}"
        for step in steps()
        for each in step.within
    ]
    return "\n\n".join([_EARLIER.strip(), table(head, rows), f"Not shown either: {'; '.join(within)}."])


def _new(step: Step) -> str:
    return " ".join(filter(None, [", ".join(anchor(name) for name in step.tables), _named(step.added)]))


def _named(columns: Columns) -> str:
    return "; ".join(f"{code(name)}: {codes(names)}" for name, names in columns.items())


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
