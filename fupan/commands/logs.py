"""Commands over logs: audit them, load them into a store, convert them, say which can be read."""

import sys
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from fupan import mapping, report
from fupan.options import (
    CLEAN,
    FAULTY,
    Encoding,
    EngineOption,
    Format,
    Jobs,
    Json,
    Language,
    Out,
    Paths,
    Prepare,
    Replace,
    Rules,
    SomePaths,
    Store,
    StoreAgain,
    Zone,
    print_json,
    ruleset_of,
    spoken,
    written,
)
from fupan.progress import Progress
from fupan.questions import Refused
from fupan.refusals import in_words
from fupan.words import word
from ingest.bulk import Way, audit_logs
from ingest.bulk import warm_up as compile_fast_path
from ingest.bulk.reported import Verdicts
from ingest.logs import FORMATS, Logbook, check_mapping, read, read_blocks
from ingest.record import write_record


def audit(
    paths: SomePaths = None,
    store: StoreAgain = None,
    rules: Rules = None,
    format: Format = None,
    encoding: Encoding = None,
    as_lines: Json = False,
    out: Out = None,
    lang: Language = None,
    jobs: Jobs = 1,
    engine: EngineOption = None,
) -> None:
    """Audit logs: which hands broke the rules, where, and what each should have scored."""
    language = spoken(lang)
    ruleset_of(rules)
    if store is not None:
        if paths or format or encoding:
            raise Refused("--store: a store is audited again by itself, without logs, --format and --encoding")
        raise typer.Exit(_audit_again(store, Way(rules, jobs=jobs, engine=engine), out, language, as_lines=as_lines))
    if not paths:
        raise Refused("audit: name logs, or a store with --store")
    summary, logbook = report.Summary(), Logbook()
    blocks = read_blocks(paths, format=format, encoding=encoding, logbook=logbook)
    way = Way(rules=rules, language=language if as_lines else None, jobs=jobs, engine=engine)
    found = audit_logs(blocks, way, lambda sentence: _say(sentence, language))
    with written(out) as stream, Progress(logbook, paths) as progress:
        for verdicts in found:
            summary.add_all(verdicts)
            progress.advance(verdicts.count)
            if as_lines:
                stream.writelines(line + b"\n" for line in verdicts.lines())
        if not as_lines:
            stream.write(report.text(summary, language, logbook).encode())
    raise typer.Exit(FAULTY if summary.faulty else CLEAN)


def _audit_again(store: Path, way: Way, out: Path | None, language: Any, *, as_lines: bool) -> int:
    """Audit a store again, and say what changed."""
    from ingest.again import audit_again
    from ingest.rules.ruleset import UnknownLaw
    from ingest.store import BadStore

    changes = report.Changes()
    try:
        with written(out) as stream, Progress() as progress:
            for again in audit_again(store, way, lambda sentence: _say(sentence, language)):
                changes.add(again)
                progress.advance(again.hands)
                if as_lines:
                    stream.writelines(msgspec.json.encode(change) + b"\n" for change in again.changes)
            if not as_lines:
                stream.write(report.changed(changes, language).encode())
    except BadStore as problem:
        raise Refused(in_words(problem, language)) from None
    except UnknownLaw as problem:
        raise Refused(word("unknown_law", language, names=problem)) from None
    return FAULTY if changes.count else CLEAN


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
    engine: EngineOption = None,
    prepare: Prepare = True,
) -> None:
    """Audit logs and keep them: Parquet, each hand once."""
    from fupan.commands.store import prepared
    from ingest.load import load as keep
    from ingest.store import BadStore, StoreBusy

    ruleset_of(rules)
    summary, logbook = report.Summary(), Logbook()
    try:
        with Progress(logbook, paths) as progress:

            def told(verdicts: Verdicts) -> None:
                summary.add_all(verdicts)
                progress.advance(verdicts.count)

            loaded = keep(
                paths, store, rules=rules, format=format, encoding=encoding, jobs=jobs, replace=replace, zone=zone,
                told=told, logbook=logbook, engine=engine,
            )  # fmt: skip
    except (BadStore, StoreBusy, NotADirectoryError) as problem:
        raise Refused(in_words(problem, spoken(lang))) from None
    with written(out) as stream:
        text = report.loaded(loaded, summary, logbook, spoken(lang)).encode()
        stream.write(msgspec.json.encode(loaded) + b"\n" if as_lines else text)
    if prepare and (loaded.stored or loaded.replaced):
        prepared(store)
    raise typer.Exit(FAULTY if summary.faulty or loaded.faulty or loaded.unreadable else CLEAN)


def convert(
    paths: Paths,
    out: Annotated[Path, typer.Option("--out", help="The file to write, one record a line")],
    format: Format = None,
    encoding: Encoding = None,
    lang: Language = None,
) -> None:
    """Other programs' logs to Fupan records. What is no record is named and left out."""
    left_out = report.Summary()
    with written(out) as stream:
        for entry in read(paths, format=format, encoding=encoding):
            if entry.record is None:
                left_out.add_finding(entry.source, entry.line, entry.findings[0])
            else:
                stream.write((entry.raw if entry.format == "native" else write_record(entry.record)) + b"\n")
    if left_out.faulty:
        typer.echo(report.text(left_out, spoken(lang)), err=True)
    raise typer.Exit(FAULTY if left_out.faulty else CLEAN)


def formats(
    check: Annotated[str | None, typer.Argument(metavar="check", help="The word check, to try a mapping out")] = None,
    file: Annotated[str | None, typer.Argument(metavar="FILE", help="The mapping: a TOML file")] = None,
    samples: Annotated[list[str] | None, typer.Argument(metavar="SAMPLE", help="Logs to try it on")] = None,
    as_lines: Json = False,
    lang: Language = None,
) -> None:
    """The log formats that can be read, or a check of one's own."""
    language = spoken(lang)
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
        print_json(report)
    elif samples:
        sys.stdout.buffer.write(mapping.text(report, language).encode())
    else:
        typer.echo(f"{file}: {word('mapping_sound', language)}")
    return CLEAN if report.sound or not samples else FAULTY


def warm_up(lang: Language = None) -> None:
    """Compile the fast path ahead: else the first long audit on a machine does it."""
    typer.echo(word("compiled" if compile_fast_path() else "no_numba", spoken(lang)))


def _say(sentence: str, language: Any) -> None:
    typer.echo(word(sentence, language), err=True)
