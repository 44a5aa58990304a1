"""Commands over the rules: what a play is and beats, what a hand is worth, what the rulesets and codes say."""

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from fupan import explain as explanations
from fupan import law, questions, report
from fupan.options import (
    CLEAN,
    FAULTY,
    Json,
    Lang,
    Language,
    NeededRules,
    Out,
    Trump,
    print_json,
    ruleset_of,
    spoken,
    written,
)
from fupan.questions import Refused
from fupan.words import word
from ingest.faults import CATALOGUE
from ingest.rules.ruleset import builtin_names, check, load_any


def readings(
    cards: str, rules: NeededRules, trump: Trump = None, as_lines: Json = False, lang: Language = None
) -> None:
    """What combination is this? All readings, the canonical one first."""
    found = questions.readings_of(cards, load_any(rules), trump)
    if as_lines:
        print_json(found)
    else:
        named = [f"{r.name}×{r.length} {r.rank}" if r.length > 1 else f"{r.name} {r.rank}" for r in found]
        typer.echo("\n".join(named) or word("no_combination", spoken(lang)))


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
        print_json(answer)
    else:
        typer.echo(word("beats" if answer.beats else "does_not_beat", spoken(lang)))
    raise typer.Exit(CLEAN if answer.beats else FAULTY)


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
        print_json(answer)
    else:
        typer.echo(report.derivation(answer, spoken(lang)))


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
        shown = ruleset_of(name)
    if as_lines:
        print_json(shown)
    else:
        typer.echo(law.side_by_side(shown, spoken(lang)) if name is None else law.in_full(shown, spoken(lang)))


def _check_ruleset(file: str | None, *, as_lines: bool, lang: Lang | None) -> int:
    if file is None or (file not in builtin_names() and not Path(file).is_file()):
        raise Refused(f"rules check {file or 'FILE'}: no such file")
    mistakes = check(file)
    if as_lines:
        print_json(mistakes)
    elif mistakes:
        typer.echo("\n".join(f"{file}:{m.line}: {m.key}: {m.problem}" for m in mistakes))
    else:
        typer.echo(f"{file}: {word('ruleset_sound', spoken(lang))}")
    return FAULTY if mistakes else CLEAN


def explain(
    code: Annotated[str, typer.Argument(help="A code, such as P404")], as_lines: Json = False, lang: Language = None
) -> None:
    """What a finding means, and which rule it cites."""
    fault = CATALOGUE.get(code.upper())
    if fault is None:
        raise Refused(f"{code}: {word('unknown_code', spoken(lang))}")
    if as_lines:
        print_json(fault)
    else:
        typer.echo(explanations.page(fault, spoken(lang)))


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
    with written(out) as stream:
        for line in played(ruleset, hands, seed=seed, faults=faults):
            stream.write(line + b"\n")
