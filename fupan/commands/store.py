"""Commands that look after a store: whether it is as it was written, and what to do where it is not."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import typer

from fupan.options import CLEAN, FAULTY, Json, Language, OwnRules, Store, print_json, spoken
from fupan.questions import Refused
from fupan.refusals import in_words
from fupan.words import word
from ingest.faults import Language as Spoken

app = typer.Typer(
    help="Look after a store: find damage, put it aside, merge batches, prepare answers, take it over from earlier.",
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
    from ingest.store import BadStore, EarlierStore, StoreBusy, read_manifest
    from ingest.store.repair import repair as mend

    try:
        done = mend(store)
    except (BadStore, StoreBusy) as problem:
        raise Refused(in_words(problem, spoken(lang))) from None
    if as_lines:
        print_json(done)
    else:
        manifest = read_manifest(store)
        earlier = [EarlierStore(store, manifest.version).sentence(spoken(lang))] if manifest.is_earlier else []
        typer.echo("\n".join([*_report(done, spoken(lang)), *earlier]))
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
def upgrade(store: Store, rules: OwnRules = None, as_lines: Json = False, lang: Language = None) -> None:
    """Make a store of an earlier version one of today's: its records are audited anew, under the rules of the time."""
    from fupan.progress import Progress
    from ingest.load.upgrade import room
    from ingest.load.upgrade import upgrade as renew
    from ingest.rules.ruleset import UnknownLaw, load_any
    from ingest.store import BadStore, StoreBusy, read_manifest

    language = spoken(lang)
    laws = {load_any(path).name: path for path in rules or ()}
    try:
        if read_manifest(store).is_earlier:
            there = room(store)
            needed, free = (f"{size / 1e6:,.1f} MB" for size in (there.needed, there.free))
            typer.echo(word("upgrade_room", language, needed=needed, free=free), err=True)
        with Progress() as progress:
            done = renew(store, laws=laws, told=progress.advance)
    except (BadStore, StoreBusy) as problem:
        raise Refused(in_words(problem, language)) from None
    except UnknownLaw as problem:
        raise Refused(word("upgrade_law", language, names=problem)) from None
    if as_lines:
        print_json(done)
    else:
        typer.echo("\n".join(_upgraded(done, language)))
    raise typer.Exit(FAULTY if done.changed or done.repeated else CLEAN)


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


def _upgraded(done: Any, language: Spoken) -> list[str]:
    """What an upgrade did."""
    from ingest.store import VERSION

    if done.version == VERSION:
        return [word("upgrade_none", language, version=VERSION)]
    lines = [word("upgraded", language, before=done.version, now=VERSION, hands=done.hands, changed=done.changed)]
    lines += [
        f"  {each.source}:{each.line} {each.id or '-'}  {_verdict(each.before)} → {_verdict(each.after)}"
        for each in done.changes
    ]
    if done.repeated:
        lines.append(word("upgrade_repeated", language, count=done.repeated))
    return lines + [word("upgrade_rules", language, rules=name, hands=hands) for name, hands in done.laws.items()]


def _verdict(told: Any) -> str:
    """What is said of a hand, in a few words."""
    unit = "" if told.unit is None else f" {told.unit:+,}"
    return f"{told.verdict}{f' {told.first_fault}' if told.first_fault else ''}{unit}"


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
