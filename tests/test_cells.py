"""Parts of questions kept with a large store: an answer is the same from them as from the hands themselves."""

import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from five_days import store_of

from analysis import catalogue, cells, keeping, narrowing
from analysis.cells import cut
from analysis.declared import BadStatistic, parse
from analysis.warehouse import Warehouse
from ingest.load import load

RULES = ("classic", "platform", "four-player")
KEPT = sorted(name for name, each in catalogue.statistics().items() if each.cells)
SPAN = {"since": "2026-01-02", "until": "2026-01-04"}
ASKED: tuple[dict[str, str], ...] = (
    SPAN,
    {"since": "2026-01-03", "rules": "platform"},
    {"until": "2026-01-02", "player": "p1"},
    {"rules": "classic", "table": "t1"},
    {"since": "2026-01-02", "role": "farmer", "bots": "none"},
    {"since": "2027-01-01"},
)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Hands of three rulesets over five days, some faulty, with clocks; some deals again, on another day."""
    folder = tmp_path_factory.mktemp("cells")
    store = store_of(folder, RULES, 80, 11, _clocked)
    again = [_again(line) for line in (folder / "platform.jsonl").read_bytes().splitlines()[:40]]
    (folder / "again.jsonl").write_bytes(b"\n".join(again))
    load([str(folder / "again.jsonl")], store)
    return store


def _clocked(told: dict[str, Any], number: int) -> None:
    told["table"] = f"t{number // 20 % 2}"
    told["players"] = [player | {"id": f"p{(seat + number) % 5}"} for seat, player in enumerate(told["players"])]
    step = 300 if number % 3 else 100
    told["plays"] = " ".join(f"{play}@{step * index}" for index, play in enumerate(told["plays"].split()))


def _again(line: bytes) -> bytes:
    """The same deal for other players on the next day."""
    try:
        told = json.loads(line)
        told["players"] = [player | {"id": f"{player['id']}-again"} for player in told["players"]]
        told |= {"at": told["at"].replace("2026-01-0", "2026-01-1"), "id": f"{told.get('id')}-again"}
    except (ValueError, TypeError, KeyError):
        return line
    return json.dumps(told).encode()


@pytest.fixture(scope="module")
def prepared(store: Path) -> Iterator[Warehouse]:
    with pytest.MonkeyPatch.context() as patch, Warehouse(store) as warehouse:
        patch.setattr(keeping, "LEAST", 1)
        patch.setattr(cells, "SPARE", 0.001)
        parts = [part for name in KEPT for part in catalogue.statistics()[name].cells]
        assert cells.prepare(warehouse, parts) == len(parts)
        yield warehouse


def _plain(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.astype(object).where(frame.notna(), None)


@pytest.mark.parametrize("asked", ASKED, ids=str)
@pytest.mark.parametrize("name", KEPT)
def test_what_is_kept_says_what_the_hands_say(
    name: str, asked: dict[str, str], prepared: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = {key: value for key, value in asked.items() if key in catalogue.statistics()[name].parameters}
    seen: list[str] = []
    monkeypatch.setattr(Warehouse, "query", _listening(Warehouse.query, seen))
    told = catalogue.run(prepared, name, **given)
    assert any("FROM kept_" in sql for sql in seen) or "table" in given or "bots" in given
    prepared.forget()
    monkeypatch.setattr(keeping, "LEAST", 10**9)
    seen.clear()
    direct = catalogue.run(prepared, name, **given)
    assert not any("FROM kept_" in sql for sql in seen)
    pd.testing.assert_frame_equal(_plain(told), _plain(direct), rtol=1e-12)
    assert asked != SPAN or len(direct)


def _listening(query: Any, seen: list[str]) -> Any:
    def heard(self: Warehouse, sql: str, *given: Any, **named: Any) -> Any:
        seen.append(sql)
        return query(self, sql, *given, **named)

    return heard


def test_a_part_about_as_long_as_the_store_is_not_kept(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "LEAST", 1)
    monkeypatch.setattr(cells, "SPARE", 2)
    with Warehouse(store) as warehouse:
        every = cells.Cells("every_hand", "every", "SELECT hand FROM hands")
        assert cells.prepare(warehouse, [every]) == 0
        assert keeping.found(warehouse, "every_hand", keeping.key_of(warehouse)) is None


def test_a_part_is_cut_out_of_a_question() -> None:
    sql = "WITH one AS (SELECT ')' AS x, (1) AS y), two AS (SELECT * FROM one) SELECT * FROM two"
    assert cut("file", "one", sql).sql == "SELECT ')' AS x, (1) AS y"
    with pytest.raises(ValueError, match="three"):
        cut("file", "three", sql)


def test_a_header_that_names_a_part_which_is_not_there_is_refused() -> None:
    text = (Path(catalogue.__file__).parent / "statistics" / "landlord_win_rate.sql").read_text("utf-8")
    with pytest.raises(BadStatistic, match="no part is called ledd"):
        parse(text.replace("-- cells: led", "-- cells: ledd"), "landlord_win_rate")


@pytest.mark.parametrize(
    ("sql", "values", "told"),
    [
        ("($a IS NULL OR x = $a) AND y", {"a": None}, "true AND y"),
        ("($a IS NULL OR x = $a) AND y", {"a": 1}, "(x = $a) AND y"),
        ("($a IS NULL OR x IN (SELECT ')' FROM t))", {"a": 1}, "(x IN (SELECT ')' FROM t))"),
        ("($a IS NULL OR ($b IS NULL OR z = $b))", {"a": 1, "b": None}, "(true)"),
        ("($a IS NULL OR x = $a)", {}, "($a IS NULL OR x = $a)"),
        ("($a IS NULL OR x", {"a": 1}, "($a IS NULL OR x"),
    ],
)
def test_a_filter_is_written_as_what_it_means(sql: str, values: dict[str, date | int | None], told: str) -> None:
    assert narrowing.settled(sql, values) == told
