"""What is packed of a hand says all that a proof rests on: under no rules is it proven where its line is not."""

import json
import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from four_bombs import HANDS
from one_fault import WAYS, at_fault_in

from ingest import again
from ingest.bulk import Engine, Way, available
from ingest.bulk.layout import SEATS
from ingest.load import load
from ingest.rules.ruleset import builtin_names
from ingest.rules.ruleset import load as rules_of
from ingest.simulate import hands

pytestmark = pytest.mark.skipif(not available(), reason="Numba is not installed")

TOLD = [name for name in builtin_names() if name not in ("botzone-v1", "sandaha")]
OTHERS = ["classic", "platform", "pagat", "four-player", "emperor", "two-player", "call-score", "openspiel"]


def blocks(lines: list[bytes]):
    """Lines as they are read, and all of them that can be, packed and read again."""
    from ingest.bulk.blocks import Reader
    from ingest.bulk.packing import Packer, Unpacker

    block = Reader(builtin_names()).read(b"\n".join(lines))
    packed = Packer().packed(block, block.is_read)
    return block, Unpacker(builtin_names()).block(packed), packed


def assert_same_proofs(lines: list[bytes], rulesets: list[str]) -> int:
    """Packed hands and lines are proven alike, with the same facts, worth and notes; how many proofs there were."""
    from ingest.bulk.layout import FACTS, Fact, Number, Text
    from ingest.bulk.proofs import prover_of

    block, packed, _ = blocks(lines)
    rows = np.flatnonzero(packed.is_read)
    assert (packed.numbers[rows, Number.RULES] == block.numbers[rows, Number.RULES]).all()
    assert (packed.numbers[rows, Number.BASE :] == block.numbers[rows, Number.BASE :]).all()
    plain = [Text.RULES, Text.TABLE, Text.MARKER, Text.END, *range(Text.PLAYER, Text.PLAYER + 4)]
    for row in rows:
        for column in plain:
            assert packed.bytes_of(*packed.texts[row, column]) == block.bytes_of(*block.texts[row, column])
    same = [fact for fact in range(FACTS) if fact not in (Fact.MOVE, Fact.EVENT, Fact.TURN)]
    proofs = 0
    for rules in rulesets:
        prover = prover_of(rules_of(rules))
        assert prover is not None
        by_line, again_ = prover.prove(block, rows), prover.prove(packed, rows)
        assert again_.proven[rows].tolist() == by_line.proven[rows].tolist(), rules
        clean = by_line.rows
        assert (again_.facts[clean][:, same] == by_line.facts[clean][:, same]).all(), rules
        assert [sorted(map(noted, again_.notes(clean)))] == [sorted(map(noted, by_line.notes(clean)))], rules
        proofs += len(clean)
    return proofs


def noted(note) -> tuple[str, list[int]]:
    code, rows = note
    return code, sorted(rows.tolist())


@pytest.mark.parametrize("rules", TOLD)
def test_packed_hands_are_proven_like_their_lines_under_all_rules(rules: str):
    lines = [*hands(rules_of(rules), 60, seed=21, faults=0.0), *hands(rules_of(rules), 60, seed=22, faults=1.0)]
    assert assert_same_proofs(lines, [rules, *OTHERS]) >= 60
    _, packed, _ = blocks(lines[:60])
    assert packed.is_read.sum() >= 55


@pytest.mark.parametrize("rules", ["classic", "platform", "four-player", "emperor", "two-player", "pagat"])
def test_and_so_are_hands_changed_by_one_letter(rules: str):
    rng, lines = random.Random(6), []
    for line in hands(rules_of(rules), 100, seed=23, faults=0.0):
        place = rng.randrange(len(line))
        for letter in rng.sample(b'0123456789:-@= ABCDHJKQRST"', 3):
            lines.append(line[:place] + bytes([letter]) + line[place + 1 :])
    assert assert_same_proofs(lines, [rules, "classic", "platform"]) > 30


@pytest.mark.parametrize("way", WAYS)
def test_and_so_are_hands_at_fault_in_one_way(way: str):
    assert_same_proofs(at_fault_in(way, 40), [WAYS[way].rules])


def test_what_is_noted_of_packed_hands_is_noted_once_whatever_had_to_be_learned():
    from ingest.bulk.proofs import Prover

    block, packed, _ = blocks(list(hands(rules_of("classic"), 200, seed=30, faults=0.0)))
    prover, rows = Prover(rules_of("classic")), np.flatnonzero(packed.is_read)
    met_first = prover.prove(packed, rows)
    notes = sorted(map(noted, met_first.notes(rows)))
    assert notes == sorted(map(noted, prover.prove(block, rows).notes(rows)))
    assert notes


def test_what_is_odd_but_lawful_is_packed_whole():
    lines = []
    voids = [line for line in hands(rules_of("classic"), 60, seed=24, faults=0.0) if b'"void"' in line]
    for line in [*hands(rules_of("classic"), 30, seed=24, faults=0.0), *voids[:3]]:
        text = line.decode()
        for before, after in (
            ('"base":', '"bare":'), ('"claim":{', '"claim":{"winners":[],"bid":null,'), ('"plays":"', '"plays":"0:- '),
            ('"first":', '"landlord":0,"first":'), ('"table":"', '"table":"室'),
            ('"balance":', '"bot":true,"balance":'),
            ('"rules":"classic"', '"rules":null'), ('"hands":[', '"taken":"","dead":"","end":null,"hands":['),
            ('"hands":[', '"taken":"S3","hands":['), ('"end":"void"', '"plays":"0:S3","end":"void"'),
        ):  # fmt: skip
            lines.append(text.replace(before, after).encode())
        for suit in "SHCD":
            text = text.replace(suit, "")
        lines.append(text.encode())
    assert assert_same_proofs(lines, ["classic", "pagat", "call-score"]) > 100


def test_a_declared_reading_is_packed():
    line = next(line for line in hands(rules_of("classic"), 9, seed=25, faults=0.0) if b'"plays":"' in line)
    begin = line.index(b'"plays":"') + len(b'"plays":"')
    stop = min(place for place in (line.find(b"@", begin), line.find(b" ", begin)) if place > 0)
    lines = [
        line[:stop] + b"=" + name + line[stop:] for name in (b"solo", b"pair", b"trio", b"chain", b"nonsense", b"")
    ]
    block, packed, _ = blocks(lines)
    assert block.is_read.all()
    assert packed.is_read.tolist() == [True, True, True, False, False, False]
    assert_same_proofs(lines, ["classic"])


def test_a_trick_that_closes_early_is_led_again_by_who_won_it(own_rules: Callable[..., str]):
    """A-R15, `trick.close_passes` = 1: one pass, and the landlord leads before the next farmer was asked."""
    from ingest.bulk.proofs import prover_of

    plays = HANDS["plays"].replace(" 1:- 2:- ", " 1:- ")
    line = json.dumps({"id": "a", "rules": "classic", "players": [{"id": name} for name in "abc"], "first": 0}
                      | HANDS | {"plays": plays}).encode()  # fmt: skip
    block, packed, _ = blocks([line])
    for rules, expected in ((own_rules("classic", {"trick.close_passes": 1}), True), ("classic", False)):
        prover = prover_of(rules_of(rules))
        assert prover is not None
        found = [prover.prove(each, np.array([0])).proven.tolist() for each in (block, packed)]
        assert found == [[expected], [expected]]


def test_whatever_stands_in_packed_bytes_is_read_or_not():
    import pyarrow as pa

    from ingest.bulk.packing import Unpacker
    from ingest.bulk.proofs import prover_of

    _, _, packed = blocks(list(hands(rules_of("classic"), 4, seed=26, faults=0.0)))
    rng, told = random.Random(7), [each for each in packed.to_pylist() if each]
    odd = [each[:place] for each in told for place in range(len(each))]
    for each in told * 200:
        place = rng.randrange(len(each))
        odd.append(each[:place] + bytes([rng.randrange(256)]) + each[place + 1 :])
    block = Unpacker(builtin_names()).block(pa.array(odd, pa.binary()))
    assert not block.is_read[: sum(map(len, told))].any()
    other = Unpacker(builtin_names()).block(pa.array([bytes([each[0] + 1]) + each[1:] for each in told], pa.binary()))
    assert not other.is_read.any()
    longer = Unpacker(builtin_names()).block(pa.array([each + b"\0" for each in told], pa.binary()))
    assert not longer.is_read.any()
    for rules in ("classic", "four-player"):
        prover = prover_of(rules_of(rules))
        assert prover is not None
        prover.prove(block, np.flatnonzero(block.is_read))


def with_number(packed: bytes, column: int, number: int) -> bytes:
    """A packed hand with another number in one of its columns."""
    from ingest.bulk.layout import Number

    told, at, numbers = int.from_bytes(packed[1:9], "little"), 9, dict[int, bytes]()
    for place in range(64):
        if told >> place & 1:
            end = next(end for end in range(at, len(packed)) if packed[end] < 128) + 1
            numbers[place], at = packed[at:end], end
    left = number << 1 ^ number >> 63
    pieces = [
        left >> 7 * place & 127 | 128 * (left >> 7 * (place + 1) > 0) for place in range(left.bit_length() // 7 + 1)
    ]
    numbers[column - Number.BASE] = bytes(pieces)
    told = sum(1 << place for place in numbers)
    return b"".join([packed[:1], told.to_bytes(8, "little"), *map(numbers.get, sorted(numbers)), packed[at:]])


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [("VOIDS", 3, 1001), ("VOIDS", 3, -2), ("FIRST", 9, 100), ("LANDLORD", 9, -2), ("PLAYERS", 2, SEATS + 1),
     ("HANDS", 2, SEATS + 1), ("WINNERS", 2, SEATS + 1), ("WINNER", 1, 100), ("BASE", 1 << 60, 1 << 62)],
)  # fmt: skip
def test_numbers_that_no_record_has_are_not_read(name: str, good: int, bad: int):
    import pyarrow as pa

    from ingest.bulk.layout import Number
    from ingest.bulk.packing import Unpacker

    _, _, packed = blocks(list(hands(rules_of("classic"), 4, seed=26, faults=0.0)))
    told, column = [each for each in packed.to_pylist() if each], int(Number[name])
    read = [
        Unpacker(builtin_names()).block(pa.array([with_number(each, column, number) for each in told], pa.binary()))
        for number in (good, bad)
    ]
    assert read[0].is_read.all()
    assert (read[0].numbers[:, column] == good).all()
    assert not read[1].is_read.any()


@pytest.fixture(scope="module")
def store(tmp_path_factory) -> Path:
    """Hands of several rulesets in several batches, some spoilt, some twice, some of a table that goes wrong."""
    folder = tmp_path_factory.mktemp("packed")
    (folder / "logs").mkdir()
    for name in ("classic", "platform", "four-player", "pagat"):
        lines = list(hands(rules_of(name), 60, seed=27, faults=0.1))
        lines += [lines[5], lines[7].replace(b'"id":"', b'"id":"other-'), lines[9].replace(b'"plays"', b'"plais"', 1)]
        lines += [line.replace(b"room-", b"hall-") for line in hands(rules_of(name), 30, seed=28, faults=0.0)][::2]
        (folder / "logs" / f"{name}.jsonl").write_bytes(b"\n".join(lines))
    load([str(folder / "logs")], folder / "store", batch_hands=100)
    return folder / "store"


@pytest.mark.parametrize("rules", [None, "classic", "platform", "four-player", "sandaha"])
def test_a_store_is_audited_by_packed_hands_as_by_its_lines(
    rules: str | None, store: Path, monkeypatch: pytest.MonkeyPatch
):
    way = Way(rules, engine=Engine.bulk)
    monkeypatch.setattr("ingest.again.packed.TOGETHER", 37)
    found = list(again.audit_again(store, way))
    monkeypatch.setattr(again, "_is_packed", lambda *_: False)
    lines = list(again.audit_again(store, way))
    assert sum(each.hands for each in found) == sum(each.hands for each in lines) > 300
    changes = [change for each in found for change in each.changes]
    assert changes == [change for each in lines for change in each.changes]
    assert bool(changes) == (rules is not None)


def test_no_line_of_a_clean_store_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "log.jsonl").write_bytes(b"\n".join(hands(rules_of("classic"), 80, seed=29, faults=0.0)))
    load([str(tmp_path / "log.jsonl")], tmp_path / "store", engine=Engine.bulk)
    monkeypatch.setattr("ingest.again.stored._RAW", ("no such column",))
    found = list(again.audit_again(tmp_path / "store", Way("classic", engine=Engine.bulk)))
    assert sum(each.hands for each in found) == 80
    assert not any(each.changes for each in found)
