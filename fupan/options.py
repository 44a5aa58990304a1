"""What commands share: their options, where their answers go, and what their exit status says."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, BinaryIO

import msgspec
import typer

from fupan.questions import Refused
from fupan.words import language_of_system
from ingest.bulk import Engine
from ingest.rules.ruleset import AnyRuleset, load_any

CLEAN, FAULTY, WRONG = 0, 1, 2
"""Exit statuses: all clean, something faulty or unreadable, the command itself was wrong."""


class Lang(StrEnum):
    """A language for people."""

    zh = "zh"
    en = "en"


class TableFormat(StrEnum):
    """How a table is printed."""

    table = "table"
    csv = "csv"
    json = "json"


Paths = Annotated[list[str], typer.Argument(metavar="PATH", help="Files, folders, archives, or - for standard input")]
SomePaths = Annotated[
    list[str] | None, typer.Argument(metavar="PATH", help="Files, folders, archives, or - for standard input")
]
Rules = Annotated[str | None, typer.Option("--rules", help="Ruleset for every record: a name, or a file of one's own")]
NeededRules = Annotated[str, typer.Option("--rules", help="Ruleset: a name, or a file of one's own")]
Format = Annotated[
    str | None,
    typer.Option("--format", help="Format of the logs, told from each file without it: a name, or a mapping (.toml)"),
]
Encoding = Annotated[
    str | None,
    typer.Option("--encoding", help="Encoding of the logs, such as gb18030; else it is told from each"),
]
Json = Annotated[bool, typer.Option("--json", help="Answer in JSON")]
Out = Annotated[Path | None, typer.Option("--out", help="Write here instead of to standard output")]
Language = Annotated[Lang | None, typer.Option("--lang", help="Language of the messages")]
Jobs = Annotated[int, typer.Option("--jobs", min=1, help="Processes that audit side by side")]
EngineOption = Annotated[
    Engine | None,
    typer.Option(
        "--engine", help="What audits: readable code alone, or compiled code at once; else what is sooner done"
    ),
]
Replace = Annotated[
    bool, typer.Option("--replace", help="A hand takes the place of the one with its id in the same file")
]
Zone = Annotated[str | None, typer.Option("--zone", help="Time zone of the days of a new store; else Asia/Shanghai")]
Prepare = Annotated[
    bool, typer.Option("--prepare/--no-prepare", help="Keep with a large store what takes longest to answer")
]
OwnRules = Annotated[
    list[str] | None,
    typer.Option("--rules", help="A file of one's own rules that hands of the store were audited under; once for each"),
]
Store = Annotated[Path, typer.Option("--store", help="Folder of the store")]
StoreAgain = Annotated[
    Path | None, typer.Option("--store", help="Instead of logs: audit the hands of a store again, and say what changed")
]
Trump = Annotated[str | None, typer.Option("--trump", help="三打哈: the trump suit, S H C D or NT")]


@contextmanager
def written(out: Path | None) -> Iterator[BinaryIO]:
    """Where an answer goes: a file that appears whole, or standard output."""
    if out is None:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    if out.is_dir():
        raise Refused(f"--out {out}: is a folder")
    unfinished = out.with_name(out.name + ".unfinished")
    try:
        with unfinished.open("wb") as stream:
            yield stream
        unfinished.replace(out)
    finally:
        unfinished.unlink(missing_ok=True)


def spoken(lang: Lang | None) -> Any:
    return lang.value if lang is not None else language_of_system()


def ruleset_of(name: str | None) -> AnyRuleset | None:
    return None if name is None else load_any(name)


def print_json(answer: Any) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(answer) + b"\n")
