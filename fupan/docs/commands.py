"""The page of the commands: what ``--help`` of each says."""

import copy
from collections.abc import Iterator
from typing import Any

import typer
import typer.main

from fupan.cli import app
from fupan.docs.markdown import anchor, block, page, table

WIDTH = 100
"""Columns of a help text."""

_INTRODUCTION = """
# Commands · 命令

What `fupan COMMAND --help` says. `python -m fupan` is the same program. Exit status: 0 all clean (notes allowed), 1
something is faulty or unreadable, 2 the command itself was wrong. Answers go to standard output, progress to standard
error and only where that is a terminal. Messages are Chinese where the environment (`LC_ALL`, `LC_MESSAGES`, `LANG`)
says so, else English; `--lang` chooses.
"""


def commands() -> dict[str, Any]:
    """Every command by name, with plain help texts."""
    plain = copy.copy(app)
    plain.rich_markup_mode = None
    group: Any = typer.main.get_command(plain)
    return dict(_flat(group, ""))


def _flat(group: Any, before: str) -> Iterator[tuple[str, Any]]:
    """The commands of a group, those of groups in it by both words."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from _flat(command, f"{before}{name} ")
        elif not command.hidden:
            yield before + name, command


def pages() -> dict[str, str]:
    """The one page."""
    known = commands()
    rows = [(anchor(name), command.get_short_help_str(limit=WIDTH)) for name, command in known.items()]
    return {"commands.md": page(_INTRODUCTION, table(("command", "what it does"), rows), *_sections(known))}


def _sections(known: dict[str, Any]) -> Iterator[str]:
    for name, command in known.items():
        context = typer.Context(command, info_name=f"fupan {name}", terminal_width=WIDTH, color=False)
        lines = (line.rstrip() for line in command.get_help(context).splitlines())
        yield f"## {name}\n\n" + block("\n".join(lines))
