"""Commands that look after a store: whether it is as it was written, and what to do where it is not."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import typer

from fupan.options import CLEAN, FAULTY, Json, Language, Store, print_json, spoken
from fupan.questions import Refused
from fupan.refusals import in_words
from fupan.words import word
from ingest.faults import Language as Spoken

app = typer.Typer(
    help="Look after a store: find damage, put it aside, merge batches, prepare answers.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


@app.command()
def check(store: Store, as_lines: Json = False, lang: Language = None) -> None:
    """Is every file of a store as it was written? Reads every byte and changes nothing."""
    from ingest.store import BadStore, damage, read_manifest
    from ingest.store.manifest import manifest_is_damaged

    try:
        manifest, trouble = read_manifest(store), manifest_is_damaged(store)
    except BadStore as problem:
        raise Refused(str(problem)) from None
    found = damage(store)
    if as_lines:
        print_json({"batches": len(manifest.batches), "manifest": trouble, "damage": found})
    else:
        lines = [*_named(trouble, found, spoken(lang))]
        sound = word("store_sound", spoken(lang), batches=len(manifest.batches), hands=manifest.rows("hands"))
        typer.echo("\n".join([*lines, word("store_damaged", spoken(lang), store=store)] if lines else [sound]))
    raise typer.Exit(FAULTY if found or trouble else CLEAN)


@app.command()
def repair(store: Store, as_lines: Json = False, lang: Language = None) -> None:
    """Put damaged batches aside, and list which lines of which logs must be loaded again."""
    from ingest.store import BadStore, StoreBusy
    from ingest.store.repair import repair as mend

    try:
        done = mend(store)
    except (BadStore, StoreBusy) as problem:
        raise Refused(in_words(problem, spoken(lang))) from None
    if as_lines:
        print_json(done)
    else:
        typer.echo("\n".join(_report(done, spoken(lang))))
    raise typer.Exit(FAULTY if done.aside else CLEAN)


@app.command()
def compact(store: Store, as_lines: Json = False, lang: Language = None) -> None:
    """Merge small batches, so that questions open few files. Others may read and load meanwhile."""
    from ingest.store import BadStore, StoreBusy
    from ingest.store.compact import compact as merge

    try:
        done = merge(store)
    except (BadStore, StoreBusy) as problem:
        raise Refused(in_words(problem, spoken(lang))) from None
    if as_lines:
        print_json(done)
    else:
        typer.echo(word("compacted", spoken(lang), before=done.before, after=done.after))


@app.command()
def prepare(store: Store, lang: Language = None) -> None:
    """Work out what takes longest to answer over all hands of a large store, and keep it; a load does so by itself."""
    from ingest.store import BadStore

    try:
        number = prepared(store)
    except BadStore as problem:
        raise Refused(in_words(problem, spoken(lang))) from None
    typer.echo(word("prepared", spoken(lang), answers=number))


def prepared(store: Path) -> int:
    """Keep with a large store what takes longest to answer; how many answers that is. As ``Warehouse`` raises."""
    from ingest.store import LARGE
    from ingest.store.manifest import writable

    if writable(store).rows("hands") < LARGE:
        return 0
    from analysis.catalogue import prepare as keep
    from analysis.warehouse import Warehouse

    with Warehouse(store) as warehouse:
        return keep(warehouse)


def _named(trouble: str | None, found: Iterable[Any], language: Spoken) -> list[str]:
    """A line for everything that is damaged."""
    lines = [] if trouble is None else [trouble]
    return lines + [f"{each.path}: {word('damage_' + each.trouble, language)}" for each in found]


def _report(done: Any, language: Spoken) -> list[str]:
    lines = _named(done.manifest, done.damage, language)
    lines += [word("put_aside", language, folder=folder) for folder in done.aside]
    if done.aside:
        lines.append(word("load_again", language, hands=done.hands))
        lines += [f"  {span.source}:{span.first}-{span.last} ({span.entries:,})" for span in done.again]
    if done.unnamed:
        lines.append(word("more_logs", language, count=done.unnamed))
    return lines or [word("nothing_to_repair", language)]
