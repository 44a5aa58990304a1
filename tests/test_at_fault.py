"""Hands at fault that are told from what the compiled loop found of them have the verdicts of the audit."""

import json
import random
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ingest.batch import Batch
from ingest.bulk import Engine, Way, audit_logs, available
from ingest.logs import read, read_blocks
from ingest.rules.ruleset import builtin_names, load
from ingest.simulate import hands
from ingest.verdict import as_json

pytestmark = pytest.mark.skipif(not available(), reason="Numba is not installed")

TOLD = [name for name in builtin_names() if name not in ("botzone-v1", "sandaha")]
FAULTS = Path(__file__).parent / "cases" / "faults"
FOLLOWED = frozenset(
    "A301 A302 A303 A304 A305 A306 A309 P401 P402 P403 P404 P405 P406 P407 P409 P411 S601 S602 S603 S604".split()
)
"""Codes of hands that need no audit from the deal on."""


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each code was told without an audit from the beginning."""
    from ingest.bulk import at_fault

    codes, examined = Counter[str](), at_fault.examined

    def counted(*given: Any) -> Any:
        hand = examined(*given)
        codes.update([] if hand is None else [finding.code for finding in hand.findings])
        return hand

    monkeypatch.setattr(at_fault, "examined", counted)
    return codes


def assert_same(path: Path, rules: str | None = None) -> None:
    with Batch(rules) as batch:
        expected = [as_json(audited.verdict, "en") for audited in batch.audit(read([str(path)]))]
    way = Way(rules=rules, language="en", engine=Engine.bulk)
    assert [line for some in audit_logs(read_blocks([str(path)]), way) for line in some.lines()] == expected


def with_another_fault(line: bytes, chance: random.Random) -> bytes:
    """A record of which something more is wrong, whatever was before."""
    record = json.loads(line)
    claim, plays, auction = record.get("claim") or {}, record.get("plays", ""), record.get("auction") or ""
    moves, size = plays.split(), len(record["players"])
    changes: list[dict[str, Any]] = [
        {"claim": claim | {"multiplier": 7}},
        {"claim": claim | {"landlord": chance.randrange(5)}},
        {"claim": claim | {"scores": [1] * size, "winners": [0]}},
        {"claim": claim | {"scores": [3, -3]}},
        {"plays": f"{plays} 0:-@9 1:S3"},
        {"plays": " ".join(moves[:-1])},
        {"plays": " ".join(_changed(moves, chance, size))},
        {"plays": f"{plays} 0:x"},
        {"plays": ""},
        {"end": chance.choice(["void", "escape:0", "escape:9", "surrender"])},
        {"auction": f"{auction} 0:-".strip()},
        {"auction": " ".join(auction.split()[:-1])},
        {"voids": 1001 if chance.random() < 0.2 else 2},
        {"first": chance.randrange(4)},
        {"players": [player | {"balance": 1} for player in record["players"]]},
        {"taken": record.get("hands", ["S3"])[0]},
    ]
    for change in chance.sample(changes, 2):
        record |= change
    return json.dumps(record, ensure_ascii=False).encode()


def _changed(moves: list[str], chance: random.Random, size: int) -> list[str]:
    """Moves of which one is another: a pass, of another seat, of other cards, declared as something, or twice there."""
    if not moves:
        return ["0:-"]
    place = chance.randrange(len(moves))
    seat, _, cards = moves[place].partition(":")
    other = chance.choice(moves).partition(":")[2]
    put = [[f"{seat}:-"], [f"{(int(seat) + 1) % max(size, 1)}:{cards}"], [f"{seat}:{other}"], [f"{seat}:{cards}=trio"],
           [moves[place]] * 2, [f"{seat}:S3H4"], [f"{seat}:3"]]  # fmt: skip
    return [*moves[:place], *chance.choice(put), *moves[place + 1 :]]


@pytest.mark.parametrize("rules", TOLD)
def test_hands_with_one_fault_or_several(rules: str, tmp_path: Path, told: Counter[str]):
    chance, log = random.Random(rules), list[bytes]()
    for line in hands(load(rules), 40, seed=21, faults=0.7):
        log.append(line)
        try:
            log += [with_another_fault(line, chance) for _ in range(3)]
        except (ValueError, TypeError, KeyError, AttributeError):
            continue  # a spoilt line that is no record
    for number, line in enumerate(log):
        log[number] = line.replace(b'"id":"', b'"id":"%d-' % number, 1) if number % 4 else line
    (tmp_path / "log.jsonl").write_bytes(b"\n".join(log))
    assert_same(tmp_path / "log.jsonl")
    assert sum(told.values()) > 20


def test_hands_of_many_faults_need_no_audit_from_the_deal_on(tmp_path: Path, told: Counter[str]):
    for name in ("classic", "platform", "two-player"):
        (tmp_path / f"{name}.jsonl").write_bytes(b"\n".join(hands(load(name), 150, seed=22, faults=1.0)))
        assert_same(tmp_path / f"{name}.jsonl")
    assert set(told) >= FOLLOWED


def broken() -> Iterator[Any]:
    for path in sorted(FAULTS.glob("[ADPS]*.toml")):
        case = tomllib.loads(path.read_text("utf-8"))
        if "encoding" not in case["broken"]:
            yield pytest.param(case, id=path.stem)


@pytest.mark.parametrize("case", list(broken()))
def test_the_broken_records_of_the_catalogue(case: dict[str, Any], tmp_path: Path):
    rules = None
    if "rules" in case:
        rules = str(tmp_path / "own.toml")
        Path(rules).write_text(case["rules"], "utf-8")
    (tmp_path / "log.jsonl").write_text("\n".join(case["broken"]["lines"]), "utf-8")
    assert_same(tmp_path / "log.jsonl", rules)
