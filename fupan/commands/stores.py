"""Commands over a store: statistics and the dashboard."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from fupan.access import HERE, access, secret_files, who_may_enter
from fupan.options import Language, Store, TableFormat, spoken
from fupan.questions import Refused
from fupan.serve import UPLOAD, serve
from fupan.words import word


def stats(
    store: Store,
    name: Annotated[str | None, typer.Argument(help="A statistic; without it they are listed")] = None,
    where: Annotated[
        list[str] | None, typer.Option("--where", help="A filter, such as player=u17 or rules=classic")
    ] = None,
    sql: Annotated[
        Path | None, typer.Option("--sql", help="A question of one's own: a file with one SELECT over docs/store.md")
    ] = None,
    rows: Annotated[int, typer.Option("--rows", min=1, help="With --sql: rows at most")] = 100_000,
    seconds: Annotated[float, typer.Option("--seconds", min=0.1, help="With --sql: seconds at most")] = 30.0,
    format: Annotated[TableFormat, typer.Option("--format", help="How to print")] = TableFormat.table,
    lang: Language = None,
) -> None:
    """Statistics of a store."""
    from fupan import tables

    if sql is not None:
        from analysis.questions import Limits

        if name is not None or where:
            raise Refused("--sql stands alone")
        try:
            limits = Limits(rows=rows, seconds=seconds)
            answer = tables.question(store, sql.read_text("utf-8"), format.value, spoken(lang), limits)
        except ValueError as problem:
            raise Refused(str(problem.args[0])) from None
        typer.echo(answer, nl=False)
        return
    if name is None:
        typer.echo(tables.listing(spoken(lang)))
        return
    filters = dict(_filter(given) for given in where or [])
    try:
        typer.echo(tables.statistic(store, name, filters, format.value, spoken(lang)), nl=False)
    except (KeyError, ValueError) as problem:
        raise Refused(str(problem.args[0])) from None


def _filter(given: str) -> tuple[str, str]:
    key, equals, value = given.partition("=")
    if not equals:
        raise Refused(f"--where {given}: KEY=VALUE")
    return key, value


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
    lang: Language = None,
) -> None:
    """Open the dashboard on a store, for this machine only unless more is asked for."""
    language = spoken(lang)
    granted = access(public=public, behind_proxy=behind_proxy, secrets=secret_files(), language=language)
    typer.echo(f"{word('dashboard_at', language)} http://{HERE}:{port}", err=True)
    typer.echo(word(f"access_{granted.kind}", language, who=who_may_enter(secret_files(), language)), err=True)
    given = lang.value if lang else None
    browser = sys.stdout.isatty()
    raise typer.Exit(serve(store, port, given, access=granted, upload=max_upload, open_browser=browser))
