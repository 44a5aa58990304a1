"""The command line (record.md 7): one function a command, which reads options and prints answers, no more."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, BinaryIO

import msgspec
import typer

from fupan import explain as explanations
from fupan import law, mapping, parallel, questions, report
from fupan.progress import Progress
from fupan.questions import Refused
from fupan.refusals import said
from fupan.serve import serve
from fupan.words import language_of_system, word
from ingest.faults import CATALOGUE
from ingest.logs import FORMATS, Logbook, check_mapping, read
from ingest.record import write_record
from ingest.rules.ruleset import AnyRuleset, builtin_names, check, load_any
from ingest.verdict import Verdict, as_json

CLEAN, FAULTY, WRONG = 0, 1, 2
"""Exit statuses: all clean, something faulty or unreadable, the command itself was wrong."""
PIPE_CLOSED = 141
"""What a shell says of a command whose reader went away."""

app = typer.Typer(
    name="fupan",
    help="复盘 · Audits recorded games of 斗地主 and its relatives.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


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
Replace = Annotated[
    bool, typer.Option("--replace", help="A hand takes the place of the one with its id in the same file")
]
Zone = Annotated[str | None, typer.Option("--zone", help="Time zone of the days of a new store; else Asia/Shanghai")]
Store = Annotated[Path, typer.Option("--store", help="Folder of the store")]
Trump = Annotated[str | None, typer.Option("--trump", help="三打哈: the trump suit, S H C D or NT")]


@contextmanager
def _written(out: Path | None) -> Iterator[BinaryIO]:
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


def _language(lang: Lang | None) -> Any:
    return lang.value if lang is not None else language_of_system()


@app.command()
def audit(
    paths: Paths,
    rules: Rules = None,
    format: Format = None,
    encoding: Encoding = None,
    as_lines: Json = False,
    out: Out = None,
    lang: Language = None,
    jobs: Jobs = 1,
) -> None:
    """Audit logs: which hands broke the rules, where, and what each should have scored."""
    language = _language(lang)
    _ruleset(rules)
    summary, logbook = report.Summary(), Logbook()
    entries = read(paths, format=format, encoding=encoding, logbook=logbook)
    with _written(out) as stream, Progress(logbook, paths) as progress:
        for audited in parallel.audit(entries, rules, jobs):
            summary.add(audited.verdict)
            progress.advance()
            if as_lines:
                stream.write(as_json(audited.verdict, language) + b"\n")
        if not as_lines:
            stream.write(report.text(summary, language, logbook).encode())
    raise typer.Exit(FAULTY if summary.faulty else CLEAN)


@app.command(name="load")
def load_logs(
    paths: Paths,
    store: Store,
    rules: Rules = None,
    format: Format = None,
    encoding: Encoding = None,
    replace: Replace = False,
    zone: Zone = None,
    as_lines: Json = False,
    out: Out = None,
    lang: Language = None,
    jobs: Jobs = 1,
) -> None:
    """Audit logs and keep them: Parquet, each hand once."""
    from ingest.load import load as keep
    from ingest.store import BadStore, StoreBusy

    _ruleset(rules)
    summary, logbook = report.Summary(), Logbook()
    try:
        with Progress(logbook, paths) as progress:

            def told(verdict: Verdict) -> None:
                summary.add(verdict)
                progress.advance()

            loaded = keep(
                paths, store, rules=rules, format=format, encoding=encoding, jobs=jobs, replace=replace, zone=zone,
                told=told, logbook=logbook,
            )  # fmt: skip
    except (BadStore, StoreBusy, NotADirectoryError) as problem:
        raise Refused(str(problem)) from None
    with _written(out) as stream:
        text = report.loaded(loaded, summary, logbook, _language(lang)).encode()
        stream.write(msgspec.json.encode(loaded) + b"\n" if as_lines else text)
    raise typer.Exit(FAULTY if summary.faulty or loaded.faulty or loaded.unreadable else CLEAN)


@app.command()
def readings(
    cards: str, rules: NeededRules, trump: Trump = None, as_lines: Json = False, lang: Language = None
) -> None:
    """What combination is this? All readings, the canonical one first."""
    found = questions.readings_of(cards, load_any(rules), trump)
    if as_lines:
        _print_json(found)
    else:
        named = [f"{r.name}×{r.length} {r.rank}" if r.length > 1 else f"{r.name} {r.rank}" for r in found]
        typer.echo("\n".join(named) or word("no_combination", _language(lang)))


@app.command()
def beats(
    cards: Annotated[str, typer.Argument(help="Card text of the answer")],
    standing: Annotated[str, typer.Argument(help="Card text of what stands")],
    rules: NeededRules,
    trump: Trump = None,
    as_lines: Json = False,
    lang: Language = None,
) -> None:
    """May this be played on that? Exit status 0 yes, 1 no."""
    answer = questions.beaten(cards, standing, load_any(rules), trump)
    if as_lines:
        _print_json(answer)
    else:
        typer.echo(word("beats" if answer.beats else "does_not_beat", _language(lang)))
    raise typer.Exit(CLEAN if answer.beats else FAULTY)


@app.command(name="settle")
def settle_facts(
    facts: Annotated[str, typer.Argument(metavar="FACTS", help="A JSON object, or - for standard input")],
    rules: NeededRules,
    as_lines: Json = False,
    lang: Language = None,
) -> None:
    """What is a hand worth? Factors, multiplier, unit and scores."""
    given = sys.stdin.buffer.read() if facts == "-" else facts.encode()
    answer = questions.settled(given, load_any(rules))
    if as_lines:
        _print_json(answer)
    else:
        typer.echo(report.derivation(answer, _language(lang)))


@app.command(name="rules")
def show_rules(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="A ruleset; or the word check, and a file")] = None,
    file: Annotated[str | None, typer.Argument(metavar="FILE", help="With check: the file to be checked")] = None,
    names: Annotated[bool, typer.Option("--names", help="The names alone, one a line")] = False,
    as_lines: Json = False,
    lang: Language = None,
) -> None:
    """All rulesets side by side, one with every parameter, or a check of one's own."""
    if names:
        typer.echo("\n".join(builtin_names()))
        return
    if name == "check":
        raise typer.Exit(_check_ruleset(file, as_lines=as_lines, lang=lang))
    if file is not None:
        raise Refused(f"rules {name}: {file} is one word too many")
    if name is None:
        shown: Any = [load_any(known) for known in builtin_names()]
    else:
        shown = _ruleset(name)
    if as_lines:
        _print_json(shown)
    else:
        typer.echo(law.side_by_side(shown, _language(lang)) if name is None else law.in_full(shown, _language(lang)))


def _check_ruleset(file: str | None, *, as_lines: bool, lang: Lang | None) -> int:
    if file is None or (file not in builtin_names() and not Path(file).is_file()):
        raise Refused(f"rules check {file or 'FILE'}: no such file")
    mistakes = check(file)
    if as_lines:
        _print_json(mistakes)
    elif mistakes:
        typer.echo("\n".join(f"{file}:{m.line}: {m.key}: {m.problem}" for m in mistakes))
    else:
        typer.echo(f"{file}: {word('ruleset_sound', _language(lang))}")
    return FAULTY if mistakes else CLEAN


@app.command()
def explain(
    code: Annotated[str, typer.Argument(help="A code, such as P404")], as_lines: Json = False, lang: Language = None
) -> None:
    """What a finding means, and which rule it cites."""
    fault = CATALOGUE.get(code.upper())
    if fault is None:
        raise Refused(f"{code}: {word('unknown_code', _language(lang))}")
    if as_lines:
        _print_json(fault)
    else:
        typer.echo(explanations.page(fault, _language(lang)))


@app.command()
def sample(
    rules: NeededRules,
    hands: Annotated[int, typer.Option("--hands", min=0, help="How many")],
    seed: Annotated[int, typer.Option("--seed", help="The same seed gives the same hands")] = 0,
    faults: Annotated[float, typer.Option("--faults", min=0, max=1, help="Share of spoilt hands")] = 0.0,
    out: Out = None,
) -> None:
    """Lawful (and spoilt) hands, for trying things out."""
    from ingest.simulate import hands as played

    ruleset = load_any(rules)
    with _written(out) as stream:
        for line in played(ruleset, hands, seed=seed, faults=faults):
            stream.write(line + b"\n")


@app.command()
def convert(
    paths: Paths,
    out: Annotated[Path, typer.Option("--out", help="The file to write, one record a line")],
    format: Format = None,
    encoding: Encoding = None,
    lang: Language = None,
) -> None:
    """Other programs' logs to Fupan records. What is no record is named and left out."""
    left_out = report.Summary()
    with _written(out) as stream:
        for entry in read(paths, format=format, encoding=encoding):
            if entry.record is None:
                left_out.add_finding(entry.source, entry.line, entry.findings[0])
            else:
                stream.write((entry.raw if entry.format == "native" else write_record(entry.record)) + b"\n")
    if left_out.faulty:
        typer.echo(report.text(left_out, _language(lang)), err=True)
    raise typer.Exit(FAULTY if left_out.faulty else CLEAN)


@app.command()
def formats(
    check: Annotated[str | None, typer.Argument(metavar="check", help="The word check, to try a mapping out")] = None,
    file: Annotated[str | None, typer.Argument(metavar="FILE", help="The mapping: a TOML file")] = None,
    samples: Annotated[list[str] | None, typer.Argument(metavar="SAMPLE", help="Logs to try it on")] = None,
    as_lines: Json = False,
    lang: Language = None,
) -> None:
    """The log formats that can be read, or a check of one's own."""
    language = _language(lang)
    if check is not None:
        raise typer.Exit(_check_mapping(check, file, samples or [], as_lines=as_lines, language=language))
    for name, known in FORMATS.items():
        typer.echo(f"{name:18}{known.title_zh if language == 'zh' else known.title_en}")


def _check_mapping(check: str, file: str | None, samples: list[str], *, as_lines: bool, language: Any) -> int:
    """Print what a mapping makes of samples; without any, whether it has mistakes."""
    if check != "check" or file is None:
        raise Refused(f"formats {check}: formats check FILE SAMPLE…")
    report = check_mapping(file, samples)
    if as_lines:
        _print_json(report)
    elif samples:
        sys.stdout.buffer.write(mapping.text(report, language).encode())
    else:
        typer.echo(f"{file}: {word('mapping_sound', language)}")
    return CLEAN if report.sound or not samples else FAULTY


@app.command()
def stats(
    store: Store,
    name: Annotated[str | None, typer.Argument(help="A statistic; without it they are listed")] = None,
    where: Annotated[
        list[str] | None, typer.Option("--where", help="A filter, such as player=u17 or rules=classic")
    ] = None,
    sql: Annotated[
        Path | None, typer.Option("--sql", help="A question of one's own: a file with one SELECT over docs/store.md")
    ] = None,
    format: Annotated[TableFormat, typer.Option("--format", help="How to print")] = TableFormat.table,
    lang: Language = None,
) -> None:
    """Statistics of a store."""
    from fupan import tables

    if sql is not None:
        if name is not None or where:
            raise Refused("--sql stands alone")
        try:
            answer = tables.question(store, sql.read_text("utf-8"), format.value, _language(lang))
        except ValueError as problem:
            raise Refused(str(problem.args[0])) from None
        typer.echo(answer, nl=False)
        return
    if name is None:
        typer.echo(tables.listing(_language(lang)))
        return
    filters = dict(_filter(given) for given in where or [])
    try:
        typer.echo(tables.statistic(store, name, filters, format.value, _language(lang)), nl=False)
    except (KeyError, ValueError) as problem:
        raise Refused(str(problem.args[0])) from None


def _filter(given: str) -> tuple[str, str]:
    key, equals, value = given.partition("=")
    if not equals:
        raise Refused(f"--where {given}: KEY=VALUE")
    return key, value


@app.command()
def dashboard(
    store: Store,
    port: Annotated[int, typer.Option("--port", min=1, max=65535, help="Port on this machine")] = 8501,
    lang: Language = None,
) -> None:
    """Open the dashboard on a store, for this machine only."""
    address = f"http://127.0.0.1:{port}"
    typer.echo(f"{word('dashboard_at', _language(lang))} {address}", err=True)
    raise typer.Exit(serve(store, port, lang.value if lang else None, open_browser=sys.stdout.isatty()))


def _ruleset(name: str | None) -> AnyRuleset | None:
    return None if name is None else load_any(name)


def _print_json(answer: Any) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(answer) + b"\n")


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
        typer.echo(f"fupan: {said(problem)}", err=True)
        sys.exit(WRONG)
