"""A batch of records in, a batch of verdicts out: the same as the audit says of each."""

import json
from typing import Any

import pyarrow as pa
import pytest

from ingest.batch import judge
from ingest.bulk import available
from ingest.bulk.batches import audit_batch
from ingest.logs import Entry
from ingest.record import Unreadable, read_record
from ingest.rules.ruleset import UnknownRuleset, load_any
from ingest.simulate import hands
from ingest.verdict import as_json

VERDICT = "id rules verdict outcome landlord winners bid multiplier unit scores balances".split()


def expected(line: bytes, rules: str | None) -> dict[str, Any]:
    try:
        record, unknown = read_record(line)
        entry = Entry("", 1, line, record)
        assert not unknown
    except Unreadable as problem:
        entry = Entry("", 1, line, None, (problem.finding,))
    judged = judge(entry, rules)
    told = json.loads(as_json(judged.verdict, "zh"))
    row = {name: told[name] for name in VERDICT}
    row |= {"factors": [{"count": None} | factor for factor in told["factors"]], "findings": told["findings"]}
    known = judged.identity
    row |= {"digest": known and known.content, "played": (known and known.played) or None}
    return row | {"deal": (known and known.deal) or None}


def answered(batch: pa.RecordBatch, rules: str | None = None) -> list[dict[str, Any]]:
    from ingest.bulk.batches import VERDICTS

    verdicts = audit_batch(batch, rules, language="zh")
    verdicts.validate(full=True)
    assert verdicts.schema == VERDICTS
    rows: list[dict[str, Any]] = verdicts.to_pylist()
    return [row | {"findings": json.loads(row["findings"] or "[]")} for row in rows]


def some_lines(rules: str, number: int) -> list[bytes]:
    return list(hands(load_any(rules), number, seed=41, faults=0.3))


@pytest.mark.parametrize("rules", ["classic", "platform", "emperor", "botzone-v1", "sandaha"])
def test_every_row_is_what_the_audit_says(rules: str) -> None:
    lines = some_lines(rules, 40)
    batch = pa.record_batch({"line": pa.array(lines, pa.binary()), "number": pa.array(range(len(lines)))})
    assert answered(batch) == [expected(line, None) for line in lines]


def test_records_of_several_rulesets_stand_in_one_batch_in_their_order() -> None:
    each = [some_lines(rules, 12) for rules in ("classic", "two-player", "sandaha", "four-player")]
    lines = [line for several in zip(*each, strict=True) for line in several]
    whole = pa.record_batch({"line": pa.array([line.decode() for line in lines])})
    assert answered(whole) == [expected(line, None) for line in lines]
    assert answered(whole.slice(7, 20)) == answered(whole)[7:27]


def test_one_ruleset_for_all() -> None:
    lines = some_lines("classic", 30)
    batch = pa.record_batch({"line": pa.array(lines)})
    assert answered(batch, "pagat") == [expected(line, "pagat") for line in lines]
    with pytest.raises(UnknownRuleset):
        audit_batch(batch, "chess")


def test_the_rows_of_a_store_are_read_as_records() -> None:
    line = some_lines("classic", 1)[0]
    batch = pa.record_batch(
        {"raw": pa.array([line, b"as it came", None]), "record": pa.array([None, line, None], pa.binary())}
    )
    rows = answered(batch)
    assert rows[:2] == [expected(line, None)] * 2
    assert [finding["code"] for finding in rows[2]["findings"]] == ["R101"]


def test_a_row_is_a_record_whatever_stands_in_it() -> None:
    """Blank rows, line ends inside of a row and records that begin in one row and end in another."""
    line = some_lines("classic", 1)[0]
    given = [b"", line, b" ", line + b"\r", b"\n" + line, line + b"\n" + line]
    given += [line[:50], line[50:], b"\n", line, b"\n\n"]
    rows = answered(pa.record_batch({"line": pa.array(given)}))
    assert len(rows) == len(given)
    verdict = expected(line, None)["verdict"]
    assert [row["verdict"] == verdict for row in rows] == [
        False, True, False, True, True, False, False, False, False, True, False,
    ]  # fmt: skip


def test_what_nobody_knows_is_noted() -> None:
    line = some_lines("classic", 1)[0][:-1] + b',"zz":1}'
    (row,) = answered(pa.record_batch({"line": pa.array([line])}))
    assert row["findings"][0]["code"] == "R106"


def test_an_empty_batch_and_one_without_records() -> None:
    assert answered(pa.record_batch({"line": pa.array([], pa.binary())})) == []
    with pytest.raises(KeyError):
        audit_batch(pa.record_batch({"other": pa.array([b""])}))


def test_without_compiled_code_the_answer_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    if not available():
        pytest.skip("Numba is not installed")
    batch = pa.record_batch({"line": pa.array(some_lines("platform", 30))})
    fast = audit_batch(batch)
    monkeypatch.setattr("ingest.bulk.batches.available", lambda: False)
    assert audit_batch(batch).equals(fast)
