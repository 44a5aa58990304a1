"""Own formats as a whole: what was written is read back, the pages show what happens, nothing makes reading raise."""

import io
import re
import shlex
import tomllib
from pathlib import Path
from typing import Any

import msgspec
import own_writers as writers
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from fupan import docs
from fupan.cli import app
from fupan.docs.own_formats import keys, meanings
from ingest.batch import Batch
from ingest.logs import BadMapping, Entry, check_mapping, read
from ingest.record import Record, Unreadable, read_record, write_record
from ingest.rules.ruleset import builtin_names, load_any
from ingest.simulate import hands as played
from ingest.verdict import Verdict

DOCS = Path(__file__).parent.parent / "docs"
EXAMPLES = DOCS / "own-formats"

WRITERS: dict[str, tuple[str, writers.Writer]] = {
    "csv": (writers.MOVES_BY_ROW, writers.as_csv),
    "json": (writers.nested(builtin_names()), writers.as_json),
    "parquet": (writers.COLUMNAR, writers.as_parquet),
}


def native(rules: str, count: int, seed: int, faults: float = 0.0) -> list[Record]:
    """Hands of the simulator that any program might have written: with a time, players apart, seats that there are."""
    found = []
    for line in played(load_any(rules), count, seed=seed, faults=faults):
        try:
            record, unknown = read_record(line)
        except Unreadable:
            continue
        ids = [player.id for player in record.players]
        if not unknown and record.at is not None and len(set(ids)) == len(ids) <= 4 and writers.is_writable(record):
            found.append(record)
    return found


def entries(tmp_path: Path, mapping: str, data: bytes, name: str = "log") -> list[Entry]:
    (tmp_path / "own.toml").write_text(mapping, "utf-8")
    (tmp_path / name).write_bytes(data)
    return list(read([str(tmp_path / name)], format=str(tmp_path / "own.toml")))


def verdicts(found: list[Entry]) -> list[Verdict]:
    with Batch(None) as batch:
        return [msgspec.structs.replace(each.verdict, source="", line=0) for each in batch.audit(found)]


def judged(records: list[Record]) -> list[Verdict]:
    return verdicts([Entry("", 1, b"", record) for record in records])


def plain(record: Record) -> dict[str, Any]:
    """A record in which nobody won is one that does not say who did: CSV has no empty list."""
    said = msgspec.json.decode(write_record(record))
    claim = said.get("claim", {})
    if claim.get("winners") == []:
        del claim["winners"]
    said.pop("extra", None)
    return {key: value for key, value in said.items() if value not in ({}, "", None)}


# --- what was written is read back


@pytest.mark.parametrize("kind", WRITERS)
@pytest.mark.parametrize("rules", builtin_names())
def test_a_hand_is_read_back_as_it_was(rules: str, kind: str, tmp_path: Path):
    mapping, write = WRITERS[kind]
    records = native(rules, 8, 5)
    assert len(records) > 5
    if kind == "parquet":
        records = [writers.without_clocks_of_passes(record) for record in records]
        mapping = writers.with_passes(mapping) if rules == "sandaha" else mapping
    found = entries(tmp_path, mapping, write(records))
    assert [entry.findings for entry in found] == [()] * len(records)
    assert [plain(entry.record) for entry in found if entry.record] == [plain(record) for record in records]


@pytest.mark.parametrize("kind", ["csv", "json"])
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rules=st.sampled_from(builtin_names()), seed=st.integers(0, 10_000))
def test_spoilt_hands_get_the_same_verdicts(kind: str, rules: str, seed: int, tmp_path: Path):
    mapping, write = WRITERS[kind]
    records = native(rules, 6, seed, faults=0.6)
    found = entries(tmp_path, mapping, write(records)) if records else []
    assert verdicts(found) == judged(records)


def test_what_is_read_survives_as_a_fupan_log(tmp_path: Path):
    mapping, write = WRITERS["json"]
    found = entries(tmp_path, mapping, write(native("platform", 6, 3)))
    assert len(found) > 3
    for entry in found:
        assert entry.record is not None
        (again,) = read(["-"], stdin=io.BytesIO(write_record(entry.record)))
        assert (again.record, again.findings) == (entry.record, ())


# --- pages


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", (DOCS / "own-formats.md").read_text("utf-8"), re.M | re.S)


def test_the_page_shows_the_mappings_as_they_are():
    assert blocks("toml") == [(EXAMPLES / name).read_text("utf-8") for name in ("moves.toml", "rounds.toml")]


@pytest.mark.parametrize(("language", "name"), [("csv", "moves.csv"), ("json", "rounds.json")])
def test_the_page_shows_the_samples_as_they_are(language: str, name: str):
    text, place = (EXAMPLES / name).read_text("utf-8"), 0
    (block,) = blocks(language)
    for part in filter(None, block.split("…\n")):
        place = text.index(part, place) + len(part)


def shown_commands() -> list[tuple[str, str]]:
    parts = [part for block in blocks("console") for part in re.split(r"^\$ ", block, flags=re.M) if part]
    return [(line, answer) for line, _, answer in (part.partition("\n") for part in parts)]


@pytest.mark.parametrize(("line", "answer"), shown_commands(), ids=[line for line, _ in shown_commands()])
def test_the_page_shows_what_commands_say(line: str, answer: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(EXAMPLES)
    _, *arguments = shlex.split(line)
    result = CliRunner(env={"LC_ALL": "C"}).invoke(app, arguments)
    said = result.output
    if isinstance(result.exception, BadMapping):  # told by the program's door, which CliRunner does not go through
        problem = result.exception
        said = "\n".join(f"{problem.source}:{m.line}: {m.key}: {m.problem}" for m in problem.mistakes)
        said = f"fupan: {said}\n"
    whole, cut, _ = answer.partition("…\n")
    assert said.startswith(whole) if cut else said == answer


def test_the_worked_examples_audit_clean():
    for name, mapping, hands in (("moves.csv", "moves.toml", 2), ("rounds.json", "rounds.toml", 3)):
        found = list(read([str(EXAMPLES / name)], format=str(EXAMPLES / mapping)))
        assert [verdict.verdict for verdict in verdicts(found)] == ["clean"] * hands


def test_every_key_of_a_mapping_is_explained():
    explained = {name: set(said) for name, said in meanings().items()}
    assert explained == {name: set(said) for name, said in keys().items()}
    assert all(zh and en for said in meanings().values() for zh, en in said.values())


def test_the_page_of_keys_has_them_all():
    page = docs.pages()["mapping.md"]
    for name, said in keys().items():
        section = page.partition(f"## {name}\n" if name == "place" else f"## [{name}]\n")[2].partition("\n## ")[0]
        assert all(f"\n| `{key}` | " in section for key in said), name


# --- the command


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner(env={"LC_ALL": "C"}).invoke(app, list(arguments))
    return result.exit_code, result.output


def test_the_check_says_whether_everything_was_read():
    sound, moves = str(EXAMPLES / "moves.toml"), str(EXAMPLES / "moves.csv")
    assert run("formats", "check", sound, moves)[0] == 0
    assert run("formats", "check", str(EXAMPLES / "hasty.toml"), moves)[0] == 1
    assert run("formats", "check", sound) == (0, f"{sound}: no mistakes\n")
    assert "没有用到" in run("formats", "check", str(EXAMPLES / "hasty.toml"), moves, "--lang", "zh")[1]


def test_the_check_answers_in_json():
    status, said = run("formats", "check", str(EXAMPLES / "rounds.toml"), str(EXAMPLES / "rounds.json"), "--json")
    report = msgspec.json.decode(said)
    assert (status, report["hands"], report["unread"], report["moves"]) == (0, 3, 0, {"auction": 11, "plays": 38})
    assert report["found"]["claim.scores"] == 2
    assert report["unused"] == {"room.server": 3}
    assert [record["id"] for record in report["records"]] == ["R0001", "R0002", "R0003"]


@pytest.mark.parametrize("arguments", [["formats", "check"], ["formats", "look", "x.toml"]])
def test_a_wrong_question_is_refused(arguments: list[str]):
    assert run(*arguments)[0] != 0


def test_troubles_are_counted_with_their_first_place(tmp_path: Path):
    keys = ['source.kind = "csv"', 'source.group = "g"', "always.landlord = 0", 'cards.code = "ranks"']
    mapping = "\n".join([*keys, 'cards.split = " "', 'plays.seat = "s"', 'plays.cards = "c"'])
    (tmp_path / "own.toml").write_text(mapping, "utf-8")
    (tmp_path / "a.csv").write_text("g,s,c\n1,0,3 3\n1,1,3 x\n1,7,4\n2,0,x\n2,0,4\n", "utf-8")
    report = check_mapping(str(tmp_path / "own.toml"), [str(tmp_path / "a.csv")])
    told = [(seen.kind, seen.text, seen.times, seen.line, seen.field) for seen in report.troubles]
    assert told == [("card", "x", 2, 3, "plays[1]"), ("seat", "7", 1, 4, "plays[2]")]
    assert (report.hands, report.unread, report.sound) == (2, 2, False)


def test_what_is_no_sample_is_counted_too(tmp_path: Path):
    (tmp_path / "own.toml").write_text('source.kind = "parquet"\nplays.rows = "moves"\nplays.seat = "s"\n', "utf-8")
    (tmp_path / "a.parquet").write_bytes(b"PAR1 and no more")
    report = check_mapping(str(tmp_path / "own.toml"), [str(tmp_path / "a.parquet")])
    assert (report.hands, report.unread, [seen.code for seen in report.troubles]) == (0, 1, ["R112"])
    with pytest.raises(FileNotFoundError):
        check_mapping(str(tmp_path / "own.toml"), [str(tmp_path / "absent")])


# --- nothing raises

PATCHES = [b'"', b"\n", b"\0", b"\xff", b"[" * 3000, b"1e999999", b"null", b"{}"]
SAMPLES = [
    (writers.MOVES_BY_ROW, writers.as_csv(native("platform", 3, 4))),
    (writers.nested(builtin_names()), writers.as_json(native("platform", 3, 4))),
    (writers.COLUMNAR, writers.as_parquet(native("platform", 3, 4))),
    ((EXAMPLES / "rounds.toml").read_text("utf-8"), (EXAMPLES / "rounds.json").read_bytes()),
]


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(sample=st.sampled_from(SAMPLES), data=st.data())
def test_no_damage_makes_reading_raise(sample: tuple[str, bytes], data: st.DataObject, tmp_path: Path):
    mapping, whole = sample
    place = data.draw(st.integers(0, len(whole) - 1))
    size = data.draw(st.integers(0, 60))
    patch = data.draw(st.binary(max_size=8) | st.sampled_from(PATCHES))
    found = entries(tmp_path, mapping, whole[:place] + patch + whole[place + size :])
    assert found
    assert all(entry.record is not None or entry.findings for entry in found)
    verdicts(found)
    check_mapping(str(tmp_path / "own.toml"), [str(tmp_path / "log")])


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data(), value=ANYTHING)
def test_no_value_anywhere_makes_reading_raise(data: st.DataObject, value: Any, tmp_path: Path):
    mapping = writers.nested(builtin_names())
    document = msgspec.json.decode(SAMPLES[1][1])
    spot: Any = document["data"][1]["rounds"][0]
    while True:
        key = data.draw(st.sampled_from(sorted(spot) if isinstance(spot, dict) else range(len(spot))))
        if not isinstance(spot[key], dict | list) or not spot[key] or data.draw(st.integers(0, 3)) == 0:
            break
        spot = spot[key]
    spot[key] = value
    found = entries(tmp_path, mapping, msgspec.json.encode(document))
    assert len(found) == 3
    assert all(entry.record is not None or entry.findings for entry in found)
    verdicts(found)


def test_the_examples_are_mappings():
    for path in EXAMPLES.glob("*.toml"):
        tomllib.loads(path.read_text("utf-8"))
