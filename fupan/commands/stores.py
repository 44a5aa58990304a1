"""Commands over a store: statistics and the dashboard."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fupan.access import HERE, access, secret_files, who_may_enter
from fupan.options import Language, Store, TableFormat, spoken
from fupan.questions import Refused
from fupan.serve import UPLOAD, Taken, serve
from fupan.words import word
from ingest.faults import Language as Spoken

if TYPE_CHECKING:
    from analysis.questions import Limits

ROWS, SECONDS = 100_000, 30.0
"""What a question of one's own may take here, where no server has others to answer meanwhile."""


def stats(
    store: Store,
    name: Annotated[str | None, typer.Argument(help="A statistic; without it they are listed")] = None,
    where: Annotated[
        list[str] | None, typer.Option("--where", help="A filter, such as player=u17 or rules=classic")
    ] = None,
    sql: Annotated[
        Path | None, typer.Option("--sql", help="A question of one's own: a file with one SELECT over docs/store.md")
    ] = None,
    rows: Annotated[
        int | None, typer.Option("--rows", min=1, help=f"With --sql: rows at most; {ROWS} without it")
    ] = None,
    seconds: Annotated[
        float | None, typer.Option("--seconds", min=0.1, help=f"With --sql: seconds at most; {SECONDS:g} without it")
    ] = None,
    format: Annotated[
        TableFormat,
        typer.Option(
            "--format",
            help="How to print; csv writes a text that a spreadsheet would run, such as =1+1, with a ' before it",
        ),
    ] = TableFormat.table,
    lang: Language = None,
) -> None:
    """Statistics of a store."""
    language = spoken(lang)
    if sql is not None:
        if name is not None or where:
            raise Refused(word("sql_alone", language))
        _answer_own(store, sql, _limits(rows, seconds), format, language)
        return
    if rows is not None or seconds is not None:
        raise Refused(word("sql_limits", language))
    if name is None and where:
        raise Refused(word("filter_of_nothing", language))
    _answer(store, name, where or [], format, language)


def _answer(store: Path, name: str | None, where: list[str], format: TableFormat, language: Spoken) -> None:
    """Print a statistic, or which there are."""
    from fupan import asking, tables

    if name is None:
        typer.echo(tables.listing(format.value, language), nl=False)
        return
    try:
        narrowing = asking.filters(where, language)
        typer.echo(tables.statistic(store, name, narrowing, format.value, language), nl=False)
    except (KeyError, ValueError) as problem:
        raise Refused(str(problem.args[0])) from None


def _answer_own(store: Path, sql: Path, limits: "Limits", format: TableFormat, language: Spoken) -> None:
    """Print the answer to a question of somebody's own."""
    from fupan import asking, tables

    try:
        typer.echo(tables.question(store, asking.question(sql, language), format.value, language, limits), nl=False)
    except ValueError as problem:
        raise Refused(str(problem.args[0])) from None


def _limits(rows: int | None, seconds: float | None) -> "Limits":
    from analysis.questions import Limits

    return Limits(rows=rows or ROWS, seconds=seconds or SECONDS)


def dashboard(
    store: Store,
    port: Annotated[int, typer.Option("--port", min=1, max=65535, help="Port on this machine")] = 8501,
    public: Annotated[
        bool, typer.Option("--public", help="For other machines too; needs a login ([auth] in .streamlit/secrets.toml)")
    ] = False,
    behind_proxy: Annotated[
        bool, typer.Option("--behind-proxy", help="A proxy asks people who they are; with --public one elsewhere")
    ] = False,
    max_upload: Annotated[
        int, typer.Option("--max-upload", min=1, max=4096, help="Megabytes of the largest log that may be uploaded")
    ] = UPLOAD,
    pages: Annotated[
        int | None, typer.Option("--pages", min=1, help="Pages open at once, of all people; 200 without it")
    ] = None,
    pages_per_address: Annotated[
        int | None, typer.Option("--pages-per-address", min=1, help="The same from one address; 40 without it")
    ] = None,
    lang: Language = None,
) -> None:
    """Open the dashboard on a store, for this machine only unless more is asked for."""
    language = spoken(lang)
    granted = access(public=public, behind_proxy=behind_proxy, secrets=secret_files(), language=language)
    typer.echo(f"{word('dashboard_at', language)} http://{HERE}:{port}", err=True)
    typer.echo(word(f"access_{granted.kind}", language, who=who_may_enter(secret_files(), language)), err=True)
    given = lang.value if lang else None
    browser = sys.stdout.isatty()
    taken = Taken(max_upload, pages, pages_per_address)
    raise typer.Exit(serve(store, port, given, access=granted, taken=taken, open_browser=browser))
