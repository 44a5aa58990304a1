"""The command line (record.md 7): which commands there are, and what a person is told when one cannot go on."""

import os
import sys

import typer

from fupan.commands import law, logs, store, stores
from fupan.options import WRONG
from fupan.refusals import said
from fupan.words import language_asked_for

PIPE_CLOSED = 141
"""What a shell says of a command whose reader went away."""

app = typer.Typer(
    name="fupan",
    help="复盘 · Audits recorded games of 斗地主 and its relatives.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command("audit")(logs.audit)
app.command("warm-up")(logs.warm_up)
app.command("load")(logs.load_logs)
app.command("readings")(law.readings)
app.command("beats")(law.beats)
app.command("settle")(law.settle_facts)
app.command("rules")(law.show_rules)
app.command("explain")(law.explain)
app.command("sample")(law.sample)
app.command("convert")(logs.convert)
app.command("formats")(logs.formats)
app.command("stats")(stores.stats)
app.command("dashboard")(stores.dashboard)
app.add_typer(store.app, name="store")


def main() -> None:
    """Run a command. No traceback reaches a person unless FUPAN_DEBUG asks for it."""
    try:
        app()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(PIPE_CLOSED)
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception as problem:
        if os.environ.get("FUPAN_DEBUG"):
            raise
        typer.echo(f"fupan: {said(problem, language_asked_for(sys.argv))}", err=True)
        sys.exit(WRONG)
