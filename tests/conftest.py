"""What the tests share: cases from TOML, verdicts on a log, and what is skipped where something is absent.

A TOML file under ``cases/`` holds tables of cases by kind (``[[readings]]``, ``[[beats]]`` …). A test that asks for
``readings_case`` runs once for every case of that kind, one that asks for ``climbing`` once for every climbing game;
what the keys mean is told where the kind is run.
"""

import os
import shutil
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fupan import cli
from ingest.batch import Batch, Judged, judge
from ingest.bulk import Engine, Way, audit_logs, available
from ingest.faults import Finding
from ingest.logs import Entry, read, read_blocks
from ingest.record import Player, Record
from ingest.rules.ruleset import builtin_names, load
from ingest.verdict import Verdict, as_json

CASES = Path(__file__).parent / "cases"
SHARED = Path(__file__).parents[2] / "shared"
KINDS = ("readings", "beats", "auctions", "settlements", "plays", "records", "parameters")

CLIMBING = [name for name in builtin_names() if name != "sandaha"]
"""The rulesets that ``climbing`` runs through: all but the one trick-taking game."""
AUCTIONS = {
    "classic": "0:3", "pagat": "0:3", "four-player": "0:3", "openspiel": "0:3", "botzone": "0:3", "call-score": "0:3",
    "platform": "0:3 1:- 2:-", "platform-full": "0:3 1:- 2:-", "call-rob": "0:call 1:- 2:-", "two-player": "0:call",
}  # fmt: skip
"""The shortest auction that makes seat 0 landlord."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--write-golden", action="store_true", help="write tests/golden/ anew; then read what changed")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """``-n auto``: half as many again as cores, for tests with browsers, servers and processes of their own wait."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores + cores // 2


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    absent = {
        "shared": None if SHARED.is_dir() else "no folder shared/ beside the checkout",
        "browser": None if shutil.which("chromium") else "no Chromium (make browser)",
    }
    for item in items:
        for mark, reason in absent.items():
            if reason and item.get_closest_marker(mark):
                item.add_marker(pytest.mark.skip(reason=reason))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    for kind in KINDS:
        if f"{kind}_case" in metafunc.fixturenames:
            metafunc.parametrize(f"{kind}_case", list(cases(kind)))
    if "climbing" in metafunc.fixturenames:
        metafunc.parametrize("climbing", CLIMBING)
    for name in ("fault_case", "broken_case"):
        if name in metafunc.fixturenames:
            metafunc.parametrize(name, [*fault_files(broken=name == "broken_case")])


def fault_files(*, broken: bool) -> Iterator[Any]:
    """The file of each code; its ``xfail`` is about the broken record."""
    for path in sorted((CASES / "faults").glob("*.toml")):
        case = {"code": path.stem, **tomllib.loads(path.read_text("utf-8"))}
        yield pytest.param(case, id=path.stem, marks=marks(case) if broken else ())


def marks(case: dict[str, Any]) -> list[pytest.MarkDecorator]:
    """``xfail`` says which clause the code does not keep yet."""
    return [pytest.mark.xfail(strict=True, reason=case["xfail"])] if "xfail" in case else []


def cases(kind: str) -> Iterator[Any]:
    """Every case of a kind, once for each ruleset it names."""
    for path in [*sorted(CASES.glob("*.toml")), *sorted((CASES / "public").glob("*.toml"))]:
        for case in tomllib.loads(path.read_text("utf-8")).get(kind, []):
            rules = case.get("rules", "")
            for name in rules if isinstance(rules, list) else [rules]:
                yield pytest.param({**case, "rules": name}, id=f"{case['id']} {name}".strip(), marks=marks(case))


@pytest.fixture(scope="session")
def case_ids() -> set[str]:
    """The ids of all cases of all kinds."""
    return {parameter.values[0]["id"] for kind in KINDS for parameter in cases(kind)}


@pytest.fixture
def named(own_rules: Callable[..., str]) -> Callable[[dict[str, Any]], str]:
    """The name of a case's ruleset, or of a file that turns its ``switches``."""

    def of(case: dict[str, Any]) -> str:
        return own_rules(case["rules"], case["switches"]) if "switches" in case else str(case["rules"])

    return of


def _toml(value: Any) -> str:
    """A value as TOML writes it."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_toml(item)}" for key, item in value.items()) + " }"
    return msgspec.json.encode(value).decode()


@pytest.fixture
def own_rules(tmp_path: Path) -> Callable[..., str]:
    """A file of one's own that extends a ruleset and says these things, by ``table.key``."""

    def of(extends: str, says: dict[str, Any]) -> str:
        file = tmp_path / f"{len([*tmp_path.iterdir()])}.toml"
        lines = [f"{key} = {_toml(value)}" for key, value in says.items()]
        file.write_text("\n".join(['name = "own"', f'extends = "{extends}"', *lines]), "utf-8")
        return str(file)

    return of


@pytest.fixture
def a_record() -> Callable[..., Record]:
    """A record of a ruleset in which seat 0 is landlord and no card is shown, but for the fields given."""

    def of(name: str, **fields: Any) -> Record:
        rules = load(name)
        whole: dict[str, Any] = {"id": "a", "players": [Player(f"p{seat}") for seat in range(rules.deal.players)]}
        if rules.auction.type == "none" or rules.auction.optional:
            whole["landlord"] = 0
        else:
            whole |= {"first": 0, "auction": AUCTIONS.get(rules.name, "0:3")}
        if "auction" in fields and "landlord" not in fields:
            whole.pop("landlord", None)
        return msgspec.convert(msgspec.to_builtins({**whole, **fields}), Record)

    return of


@pytest.fixture
def audit(audited: Callable[[Record, str], Judged]) -> Callable[[Record, str], Verdict]:
    """What is said of one record audited by itself."""
    return lambda record, name: audited(record, name).verdict


@pytest.fixture(scope="session")
def audited() -> Callable[[Record, str], Judged]:
    """One record audited by itself."""

    def of(record: Record, name: str) -> Judged:
        return judge(Entry("", 1, b"", record), name)

    return of


@pytest.fixture
def verdicts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[Verdict]]:
    """The verdicts on a log, given as bytes, which are the same entry by entry and by compiled code."""
    monkeypatch.chdir(tmp_path)

    def of(log: bytes, rules: str | None = None, name: str = "log.jsonl") -> list[Verdict]:
        Path(name).write_bytes(log)
        with Batch(rules) as batch:
            found = [audited.verdict for audited in batch.audit(read([name]))]
        if available():
            way = Way(rules=rules, language="zh", engine=Engine.bulk)
            fast = [line for some in audit_logs(read_blocks([name]), way) for line in some.lines()]
            assert fast == [as_json(verdict, "zh") for verdict in found]
        return found

    return of


@pytest.fixture
def commanded(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[Any, str, str]]:
    """What the program ``fupan`` ends with when it is called with these words, and what it says and complains of.

    It runs in this process: another would take a second to import everything again.
    """

    def of(*words: object) -> tuple[Any, str, str]:
        monkeypatch.setattr("sys.argv", ["fupan", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        return ended.value.code, *capsys.readouterr()

    return of


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Holds a text against the file of that name in ``golden/``."""

    def of(name: str, text: str) -> None:
        path = Path(__file__).parent / "golden" / name
        if request.config.getoption("--write-golden"):
            path.write_text(text, "utf-8", newline="\n")
        assert text.splitlines() == path.read_text("utf-8").splitlines(), "if this is meant: pytest --write-golden"

    return of


@pytest.fixture(scope="session")
def brief() -> Callable[[list[Finding]], list[str]]:
    """Findings in short: ``P404@1``, without ``@`` where they are about no move."""

    def of(findings: list[Finding]) -> list[str]:
        return [finding.code + ("" if finding.index is None else f"@{finding.index}") for finding in findings]

    return of
