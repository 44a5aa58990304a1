"""The pages of the catalogue of findings: a table of all, and for each code what it means, with an example.

Made from ``ingest.faults`` and the examples in ``tests/cases/faults``, which the audit judges here and in the tests.
"""

import tempfile
import tomllib
from collections.abc import Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any

import msgspec

from fupan.docs.markdown import block, code, codes, page, table, text
from ingest.batch import Batch
from ingest.faults import CATALOGUE, Fault, Finding, message, severity
from ingest.logs import read
from ingest.verdict import Verdict

CASES = Path(__file__).parents[2] / "tests" / "cases" / "faults"
"""The examples, one file a code."""

LETTERS = {
    "R": ("记录", "The record"),
    "D": ("发牌", "The deal"),
    "A": ("叫牌", "The auction"),
    "P": ("出牌", "The play"),
    "T": ("三打哈的出牌", "The play of 三打哈"),
    "S": ("结算", "The settlement"),
}
"""What the first letter of a code stands for."""

_INTRODUCTION = """
# Faults and notes · 错误与提示

Everything that an audit can find. A **fault** breaks a rule or contradicts the record itself; a **note** is worth
knowing and breaks nothing. After a stopping fault (■) no defined state is left: the replay ends there, `scores` is
`null` and later moves are not judged; after any other finding it goes on and collects. A note that a ruleset enforces
(P408, A308) counts as a fault. Codes are never reused and never renumbered. `fupan explain CODE` says the same as its
page.

错误指违反规则或记录自相矛盾，提示只供参考。带 ■ 的错误之后复盘停止，不算分；其余错误之后继续复盘，逐一列出。
"""


def pages() -> dict[str, str]:
    """The table and a page for each code."""
    every = {f"faults/{fault.code}.md": _page(fault) for fault in CATALOGUE.values()}
    return {"faults/README.md": page(_INTRODUCTION, *_tables()), **every}


def _tables() -> Iterator[str]:
    for letter, faults in groupby(CATALOGUE.values(), key=lambda fault: fault.code[0]):
        zh, en = LETTERS.get(letter, (letter, letter))
        rows = [(f"[{f.code}]({f.code}.md)", _kind(f), text(f.title_zh), text(f.title_en)) for f in faults]
        yield f"## {en} · {zh}\n\n" + table(("code", "kind", "中文", "English"), rows)


def _kind(fault: Fault) -> str:
    return fault.severity + (" ■" if fault.stops else "")


def _page(fault: Fault) -> str:
    facts = [
        fault.severity,
        f"phase {code(fault.phase)}",
        "stops the replay ■" if fault.stops else "the replay goes on",
    ]
    details = f"Details: {codes(fault.details)}." if fault.details else ""
    parts = [
        f"# {fault.code} · {text(fault.title_zh)} · {text(fault.title_en)}",
        " · ".join(facts),
        f"> {text(fault.zh)}\n>\n> {text(fault.en)}",
        f"{text(fault.more_zh)}\n\n{text(fault.more_en)}",
        details,
        f"Rests on: {', '.join(fault.clauses)}.",
        *_examples(fault.code),
    ]
    return page(*parts, "[All faults and notes](README.md)")


# --- examples


def _examples(of: str) -> Iterator[str]:
    """The broken log of a code's example, then the sound one, each with what the audit says."""
    path = CASES / f"{of}.toml"
    if not path.is_file():
        return
    case = tomllib.loads(path.read_text("utf-8"))
    yield "\n\n".join(["## Example · 例子", *(text(case[said]) for said in ("zh", "en") if said in case)])
    if "rules" in case:
        yield "Under this ruleset of one's own:\n\n" + block(case["rules"], "toml")
    for part, heading in (("broken", "Broken · 有误"), ("sound", "Sound · 无误")):
        if part in case:
            yield f"### {heading}\n\n{_example(case[part], case.get('rules'))}"


def _example(log: Mapping[str, Any], rules: str | None) -> str:
    remarks = [f"The file is named {code(log['file'])}."] if "file" in log else []
    remarks += [f"Written in {log['encoding'].upper()}."] if "encoding" in log else []
    remarks += ["No newline ends it."] if log.get("cut") else []
    verdicts = "\n".join(map(_said, audited(log, rules)))
    return "\n\n".join([block("\n".join(log["lines"]), "" if "file" in log else "json"), *remarks, verdicts])


def audited(log: Mapping[str, Any], rules: str | None) -> list[Verdict]:
    """What the audit says of an example's log, a ruleset of its own being given as TOML."""
    written = "\n".join(log["lines"]) + ("" if log.get("cut") else "\n")
    with tempfile.TemporaryDirectory() as folder:
        path, own = Path(folder, log.get("file", "log.jsonl")), Path(folder, "rules.toml")
        path.write_bytes(written.encode(log.get("encoding", "utf-8")))
        own.write_text(rules or "", "utf-8")
        with Batch(None if rules is None else str(own)) as batch:
            return [_relative(each.verdict, folder) for each in batch.audit(read([str(path)]))]


def _relative(verdict: Verdict, folder: str) -> Verdict:
    """A verdict that says nothing of where the log lay."""
    told = msgspec.json.encode(verdict).replace(f"{folder}/".encode(), b"")
    return msgspec.json.decode(told, type=Verdict)


def _said(verdict: Verdict) -> str:
    """A verdict as a list item, its findings below it."""
    outcome = "" if verdict.outcome is None else f", {code(verdict.outcome)}"
    scores = "" if verdict.scores is None else f", scores {code(', '.join(map(str, verdict.scores)))}"
    lines = [f"- line {verdict.line}: **{verdict.verdict}**{outcome}{scores}"]
    return "\n".join([*lines, *(f"  - {_found(finding)}" for finding in verdict.findings)])


def _found(finding: Finding) -> str:
    where = "" if finding.index is None else f" move {finding.index}"
    who = "" if finding.seat is None else f" seat {finding.seat}"
    both = f"{text(message(finding, 'zh'))} {text(message(finding, 'en'))}"
    return f"{finding.code} ({severity(finding)}){where}{who}: {both}"
