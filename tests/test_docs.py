"""Everything that has a name is documented, generated pages are current, and what pages show is what programs say."""

import csv
import io
import json
import re
import shlex
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner

from analysis.catalogue import statistics
from fupan import docs, tables
from fupan.cli import app
from fupan.docs import __main__ as command
from fupan.docs.commands import commands
from fupan.docs.faults import CASES
from fupan.docs.markdown import NOTICE
from fupan.docs.rulesets import declared
from fupan.docs.statistics import numbers
from ingest.batch import Batch
from ingest.faults import CATALOGUE
from ingest.load import load
from ingest.logs import FORMATS, read
from ingest.record import READING_NAMES, Claim, Player, Record
from ingest.rules.ruleset import GAMES, builtin_names, digest, load_any
from ingest.rules.sheet import meanings
from ingest.store import TABLES
from ingest.verdict import as_json

ROOT = Path(__file__).parent.parent
WORDS = "hand record ruleset audit finding fault note claim settlement store".split()
"""The terms of record.md 1."""
FACTORS = "bomb rocket spring anti_spring void marker open rob level opening".split()
OUTCOMES = "landlord farmers void escape surrender unfinished".split()
ANSWERS = statistics()
"""Whatever `fupan stats` answers."""


def written() -> Iterator[Path]:
    """Every page for people in the checkout."""
    yield from (ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md"))
    yield from sorted((ROOT / "docs").rglob("*.md"))


def doc(path: str) -> str:
    return (ROOT / "docs" / path).read_text("utf-8")


def section(page: str, heading: str) -> str:
    """A section of a page, up to the next heading of its depth."""
    found = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", page, re.M | re.S)
    assert found, heading
    return found[1]


every_page = pytest.mark.parametrize("page", list(written()), ids=lambda page: page.relative_to(ROOT).as_posix())


# --- generated pages


def test_generated_pages_are_current():
    assert docs.stale() == [], "make docs"


def test_pages_are_made_the_same_each_time():
    assert docs.pages() == docs.pages()


def test_writing_mends_what_is_stale_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    made = docs.pages()
    monkeypatch.setattr(docs, "pages", lambda: made)
    assert docs.write(tmp_path) == sorted(docs.pages())
    assert docs.write(tmp_path) == docs.stale(tmp_path) == []
    (tmp_path / "store.md").write_text("changed", "utf-8")
    (tmp_path / "faults" / "Z999.md").write_text(f"{NOTICE}\n\n# Z999\n", "utf-8")
    (tmp_path / "glossary.md").write_text("# By hand\n", "utf-8")
    assert docs.stale(tmp_path) == ["faults/Z999.md", "store.md"]
    assert docs.write(tmp_path) == ["faults/Z999.md", "store.md"]
    assert docs.stale(tmp_path) == []
    assert (tmp_path / "glossary.md").exists()


def test_check_tells_and_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setattr(docs, "stale", lambda: ["store.md"])
    assert command.main(["--check"]) == 1
    assert capsys.readouterr().out == "docs/store.md\n"
    monkeypatch.setattr(docs, "stale", list)
    assert command.main(["--check"]) == 0
    assert command.main(["--chekc"]) == 2


def test_generated_pages_have_unix_line_ends():
    assert not any("\r" in text or not text.endswith("\n") for text in docs.pages().values())


# --- everything that has a name


def test_every_command_is_documented_with_all_its_options():
    known = commands()
    named = {c.name for c in app.registered_commands}
    for group in app.registered_groups:
        named |= {f"{group.name} {c.callback.__name__}" for c in group.typer_instance.registered_commands if c.callback}
    assert set(known) == named
    for name, each in known.items():
        said = section(doc("commands.md"), name)
        assert all(option in said for parameter in each.params for option in parameter.opts if option[:2] == "--")


@pytest.mark.parametrize("code", CATALOGUE)
def test_every_code_has_a_page(code: str):
    fault, said = CATALOGUE[code], doc(f"faults/{code}.md")
    assert said.startswith(f"{NOTICE}\n\n# {code} · {fault.title_zh} · {fault.title_en}\n")
    assert fault.more_zh[:10] in said
    assert all(clause in said for clause in fault.clauses)
    assert all(f"`{detail}`" in said for detail in fault.details)
    assert f"[{code}]({code}.md)" in doc("faults/README.md")


@pytest.mark.parametrize("code", CATALOGUE)
def test_every_example_is_on_its_page(code: str):
    if not (CASES / f"{code}.toml").exists():
        pytest.skip("no example")
    said = doc(f"faults/{code}.md")
    broken, sound = said.partition("### Sound")[::2]
    assert f"  - {code} (" in broken
    assert f"  - {code} (" not in sound
    assert "**clean**" in sound


@pytest.mark.parametrize("name", builtin_names())
def test_every_ruleset_is_documented(name: str):
    rules, said = load_any(name), section(doc("rulesets.md"), name)
    assert all(word in said for word in (rules.title_zh, rules.title_en, digest(rules)))


@pytest.mark.parametrize("game", GAMES)
def test_every_parameter_is_explained(game: str):
    assert set(declared(game)) - set(meanings()) == set()
    if any(load_any(name).game == game for name in builtin_names()):
        assert all(f"| `{path}` | " in doc("rulesets.md") for path in declared(game))


def test_no_parameter_is_explained_that_is_none():
    assert set(meanings()) - {path for game in GAMES for path in declared(game)} == set()


@pytest.mark.parametrize("name", ANSWERS)
def test_every_statistic_is_documented(name: str):
    statistic, said = ANSWERS[name], section(doc("statistics.md"), name)
    assert statistic.title_zh in said
    assert statistic.title_en in said
    assert all(f"| `{column.name}` | " in said for column in statistic.columns)
    assert all(f"`{parameter}`" in said for parameter in statistic.parameters)


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_is_documented(name: str):
    known, said = FORMATS[name], section(doc("formats.md"), name)
    assert known.title_zh in said
    assert all(f"| `{field}` | " in doc("formats.md") for field in known.fields)


@pytest.mark.parametrize("name", TABLES)
def test_every_column_of_the_store_is_documented(name: str):
    said = section(doc("store.md"), name)
    assert all(f"| `{column.name}` | {column.kind} | " in said for column in TABLES[name].columns)


def test_the_glossary_has_every_word():
    rows = re.findall(r"^\| (.+?) \| (.+?) \|", doc("glossary.md"), re.M)
    english = {word.strip("`") for word, _ in rows}
    assert set(WORDS) | READING_NAMES <= english
    assert all(re.search("[一-鿿]", chinese) for word, chinese in rows if word not in ("English", "name", "---"))
    assert all(f"`{word}`" in doc("glossary.md") for word in (*FACTORS, *OUTCOMES))


def test_the_glossary_has_one_row_for_a_word():
    words = re.findall(r"^\| (.+?) \|", doc("glossary.md"), re.M)
    once = [word for word in words if word not in ("English", "name", "---")]
    assert sorted(once) == sorted(set(once))


# --- what pages show


@every_page
def test_links_lead_somewhere(page: Path):
    text = page.read_text("utf-8")
    for path, heading in re.findall(r"\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]+))?\)", text):
        target = page.parent / path if path else page
        assert target.exists(), path
        if heading:
            titles = re.findall(r"^#+ (.*)$", target.read_text("utf-8"), re.M)
            assert heading in [title.replace(" ", "-") for title in titles], heading


@every_page
def test_no_page_names_a_machine_or_an_address(page: Path):
    text = page.read_text("utf-8")
    assert not re.search(r"(^|[^\w.~-])[/](root|work|farm|home|tmp)[/]", text, re.M)
    if page.name != "CHANGELOG.md":
        assert not re.search(r"://|\b[\w-]+\.(org|com|net|io|dev|cn|ai)\b", text)


def test_the_readme_begins_with_the_two_commands():
    blocks = re.findall(r"^```\n(.*?)^```", (ROOT / "README.md").read_text("utf-8"), re.M | re.S)
    assert [line.partition("#")[0].strip() for line in blocks[0].splitlines()] == ["make run", "make test"]


def shown_commands() -> list[tuple[str, str]]:
    """The commands of the README's tour, each with the answer below it."""
    blocks = re.findall(r"^```console\n(.*?)^```", (ROOT / "README.md").read_text("utf-8"), re.M | re.S)
    parts = [part for block in blocks for part in re.split(r"^\$ ", block, flags=re.M) if part]
    return [(line, answer) for line, _, answer in (part.partition("\n") for part in parts)]


@pytest.mark.parametrize(("line", "answer"), shown_commands(), ids=[line for line, _ in shown_commands()])
def test_the_readme_shows_what_commands_say(line: str, answer: str):
    program, *arguments = shlex.split(line)
    assert program == "fupan"
    assert arguments[0] in commands()
    if arguments[0] in ("readings", "beats", "settle", "explain", "rules", "formats"):
        assert CliRunner(env={"LC_ALL": "C"}).invoke(app, arguments).output == answer


def test_the_readme_shows_a_record_and_its_verdict(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    blocks = re.findall(r"^```json\n(.*?)^```", (ROOT / "README.md").read_text("utf-8"), re.M | re.S)
    record, verdict = (re.sub(r"\n\s*", " ", block) for block in blocks)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "one.jsonl").write_text(record + "\n", "utf-8")
    with Batch(None) as batch:
        audited = next(batch.audit(read(["one.jsonl"])))
    assert json.loads(as_json(audited.verdict, "en")) == json.loads(verdict)


def test_the_readme_names_every_package_of_the_pipeline():
    text = (ROOT / "README.md").read_text("utf-8")
    tracked = subprocess.run(["git", "ls-files", "ingest"], cwd=ROOT, capture_output=True, text=True, check=False)
    paths = {line.split("/")[1] for line in tracked.stdout.splitlines()} - {"__init__.py"}
    assert all(f"`ingest/{path}" in text for path in paths)


# --- statistics as they are printed


def log_of(*players: str) -> bytes:
    """A hand that its first player wins, 6 to -3 and -3."""
    record = Record(
        id="1",
        rules="classic",
        players=[Player(player) for player in players],
        hands=["33344455566677788", "3456789TTJJQQKKAA", "9TTJJQQKKAA2222BR"],
        bottom="899",
        first=0,
        auction="0:3",
        plays="0:333444555666777888 1:- 2:- 0:99",
        claim=Claim(scores=[6, -3, -3]),
    )
    return msgspec.json.encode(record) + b"\n"


@pytest.fixture(scope="module")
def a_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("a-store")
    (folder / "log.jsonl").write_bytes(log_of("=1+1", "老王", 'a,"b"\n'))
    load([str(folder / "log.jsonl")], folder / "store")
    return folder / "store"


def test_statistics_are_listed_with_their_titles():
    for language, title in (("zh", "地主胜率"), ("en", "Landlord's win rate")):
        lines = tables.listing("table", language).splitlines()
        assert len(lines) == len(ANSWERS)
        assert any(line.startswith("landlord_win_rate") and title in line for line in lines)


def test_programs_list_statistics_with_their_definitions():
    listed = json.loads(tables.listing("json", "zh"))
    assert [each["name"] for each in listed] == list(ANSWERS)
    [found] = [each for each in listed if each["name"] == "landlord_win_rate"]
    assert (found["title"], found["parameters"], found["minimum"]) == ("地主胜率", "rules since until", 100)
    lines = list(csv.DictReader(io.StringIO(tables.listing("csv", "zh"))))
    assert lines == [{key: str(value) for key, value in each.items()} for each in listed]


def test_csv_keeps_numbers_and_protects_texts(a_store: Path):
    said = tables.statistic(a_store, "score_per_player", {}, "csv", "en")
    assert said.splitlines()[0] == "player,rules,hands,score,mean,error,excluded"
    assert "\n'=1+1,classic,1,6,6.0,,0\n" in said
    assert "\n老王,classic,1,-3,-3.0,,0\n" in said
    assert '\n"a,""b""\n",classic,' in said


def test_json_is_exact(a_store: Path):
    rows = json.loads(tables.statistic(a_store, "score_per_player", {"player": "=1+1"}, "json", "en"))
    row = {"player": "=1+1", "rules": "classic", "hands": 1, "score": 6, "mean": 6.0, "error": None, "excluded": 0}
    assert rows == [row]
    assert isinstance(rows[0]["score"], int)


def test_flags_are_words_for_people_and_true_or_false_for_programs(a_store: Path):
    asked = {"player": "老王"}
    assert "\n老王,classic,false,2" in tables.statistic(a_store, "ratings", asked, "csv", "zh")
    assert json.loads(tables.statistic(a_store, "ratings", asked, "json", "zh"))[0]["bot"] is False
    for language, word in (("zh", "否"), ("en", "no")):
        row = tables.statistic(a_store, "ratings", asked, "table", language).splitlines()[3]
        assert row.split()[:3] == ["老王", "classic", word]
        assert row.endswith("*")


def test_a_table_is_aligned_and_marks_small_samples(a_store: Path):
    said = tables.statistic(a_store, "score_per_player", {}, "table", "zh").splitlines()
    head, *rows = said[2:6]
    assert head == "玩家         规则     局数  总分   场均  标准误  未计"
    assert rows == [
        "=1+1         classic     1     6   6.00       -     0 *",
        'a,"b"\\u000a  classic     1    -3  -3.00       -     0 *',
        "老王         classic     1    -3  -3.00       -     0 *",
    ]
    assert said[7].startswith("* 少于 100 局")


WAYS = ("table", "csv", "json")


@pytest.mark.parametrize(
    ("name", "format"),
    [
        pytest.param(name, way, marks=() if number % len(WAYS) == at else pytest.mark.soak)
        for number, name in enumerate(ANSWERS)
        for at, way in enumerate(WAYS)
    ],
)
def test_every_statistic_can_be_printed(name: str, format: str, a_store: Path):
    assert tables.statistic(a_store, name, {}, format, "zh").endswith("\n")
    nothing = "rules" if "rules" in statistics()[name].parameters else "player"
    assert tables.statistic(a_store, name, {nothing: "none"}, format, "en").endswith("\n")


@pytest.mark.parametrize(
    ("name", "filters", "problem"),
    [
        ("winners", {}, "unknown statistic: winners .*win_rate.*lists all"),
        ("verdicts", {"player": "x"}, "--where player: verdicts can be narrowed by rules, since, until"),
        ("verdicts", {"since": "x"}, "since is a day"),
        ("score_per_player", {"role": "x"}, "role is landlord / farmer"),
    ],
)
def test_a_wrong_question_is_told(name: str, filters: dict[str, str], problem: str, a_store: Path):
    with pytest.raises((KeyError, ValueError), match=problem):
        tables.statistic(a_store, name, filters, "table", "en")


def test_a_store_that_is_none_is_told(tmp_path: Path):
    with pytest.raises(FileNotFoundError):
        tables.statistic(tmp_path, "verdicts", {}, "table", "en")
    (tmp_path / "manifest.json").write_text("{}", "utf-8")
    (tmp_path / "manifest.json").write_text('{"format": "another"}', "utf-8")
    with pytest.raises(ValueError, match="not a store"):
        tables.statistic(tmp_path, "verdicts", {}, "table", "en")


def test_every_table_and_column_is_explained_in_chinese_too():
    said = {text for table in TABLES.values() for text in (table.row, *(each.meaning for each in table.columns))}
    page = ROOT / "dashboard" / "assets" / "columns.toml"
    known = set(tomllib.loads(page.read_text("utf-8")))
    assert sorted(said - known) == [], "say these meanings in Chinese there"
    assert sorted(known - said) == [], "no table or column says these any more"


def test_every_number_of_the_list_is_answered_or_said_to_be_missing():
    told = numbers()
    names = statistics()
    assert set(told["answered"].values()) <= names.keys()
    answered = {number for each in names.values() for number in each.number.split(", ") if number}
    missing = {number for each in told["missing"] for part in each["numbers"].split(", ") for number in spelt(part)}
    assert {str(number) for number in range(1, 136)} - answered - told["answered"].keys() - missing == set()


def test_what_a_missing_number_points_to_is_there():
    columns = {column.name for each in TABLES.values() for column in each.columns}
    for each in numbers()["missing"]:
        named = [set(re.findall("`(.*?)`", each[language])) for language in ("zh", "en")]
        assert named[0] == named[1]
        assert named[0] <= statistics().keys() | TABLES.keys() | columns


def spelt(part: str) -> list[str]:
    """The numbers of a range such as 32–35."""
    first, _, last = part.partition("–")
    return [str(number) for number in range(int(first), int(last or first) + 1)]
