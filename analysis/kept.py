"""Answers over all hands of a large store, and over those of each ruleset, kept beside it until it changes.

Knows when an answer still holds: the same batches, byte for byte, and the same code that made it. Refuses to know what
is asked, and to be needed: where nothing can be kept, or what was kept cannot be read, the store is asked.
"""

import hashlib
import os
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

import ingest.store
from analysis import choices
from analysis.declared import Statistic
from analysis.warehouse import TooSlow, Warehouse, first_rows
from ingest.store import LARGE, Manifest

FOLDER = ".answers"
LEAST = LARGE
"""Hands of a store below which nothing is kept: it is asked as quickly."""
RULES = "rules"
"""The filter that every screen of players and strategy sets: a ruleset has answers of its own."""
_TRUNCATED, _TYPES = b"fupan.truncated", b"fupan.types"


def holds(warehouse: Warehouse, statistic: Statistic, values: Mapping[str, Any]) -> bool:
    """Whether the answer over all hands or those of a ruleset, or some of its rows, answers a question."""
    if statistic.kept is None or not _is_large(warehouse):
        return False
    given = {name for name, value in values.items() if value is not None} - statistic.kept.keys()
    return not given or (given == {RULES} and values[RULES] in choices.rulesets(warehouse))


def answer(warehouse: Warehouse, statistic: Statistic, values: Mapping[str, Any]) -> pd.DataFrame:
    """The rows that these filters pick of the answer over all hands or those of a ruleset, kept from now on."""
    kept = statistic.kept or {}
    frame = _whole(warehouse, statistic, None if RULES in kept else values.get(RULES))
    picked = {name: columns for name, columns in kept.items() if values.get(name) is not None}
    if not picked:
        return frame
    if frame.attrs["truncated"]:
        return statistic.answer(warehouse, values)
    for name, columns in picked.items():
        frame = frame[(frame[list(columns)] == values[name]).any(axis=1)]
    return first_rows(frame.reset_index(drop=True))


def prepare(warehouse: Warehouse, statistics: Mapping[str, Statistic]) -> int:
    """Keep all answers of a large store that can be; how many there are. What takes too long is left to who asks."""
    done = 0
    for statistic in statistics.values():
        for rules in _wholes(warehouse, statistic):
            with suppress(TooSlow):
                _whole(warehouse, statistic, rules)
                done += 1
    return done


def _wholes(warehouse: Warehouse, statistic: Statistic) -> list[str | None]:
    """The hands of which an answer is kept ahead: all, and those of each large ruleset that no filter picks."""
    if statistic.kept is None or not _is_large(warehouse):
        return []
    apart = RULES in statistic.parameters and RULES not in statistic.kept
    known = choices.rulesets(warehouse) if apart else []
    return [None, *(known if len(known) > 1 else [])]


def _is_large(warehouse: Warehouse) -> bool:
    return warehouse.manifest.rows("hands") >= LEAST


def _whole(warehouse: Warehouse, statistic: Statistic, rules: str | None) -> pd.DataFrame:
    """The answer over all hands, or those of a ruleset where there are others."""
    key = _key(warehouse.manifest)
    law = None if rules is None or choices.rulesets(warehouse) == [rules] else rules
    of = "" if law is None else f"-{hashlib.blake2b(law.encode(), digest_size=6).hexdigest()}"
    path = warehouse.path / FOLDER / f"{statistic.name}{of}-{key}.parquet"
    with suppress(OSError, pa.ArrowException, KeyError, ValueError):
        return _read(path)
    asked = dict.fromkeys(statistic.parameters) | ({} if law is None else {RULES: law})
    frame = statistic.answer(warehouse, asked)
    if _key(warehouse.manifest) == key:
        _write(path, key, frame)
    return frame


def _key(manifest: Manifest) -> str:
    """What tells the hands that count, and the code, from all others."""
    told = [_code(), manifest.zone, str(manifest.rows("hands"))]
    told += [file.blake2b for batch in manifest.batches for file in batch.files.values()]
    return hashlib.blake2b("\n".join(told).encode(), digest_size=16).hexdigest()


@cache
def _code() -> str:
    """A digest of what answers are made by."""
    folders = (Path(__file__).parent, Path(ingest.store.__file__).parent)
    files = sorted(file for folder in folders for kind in ("py", "sql", "toml") for file in folder.rglob(f"*.{kind}"))
    return hashlib.blake2b(b"\0".join(file.read_bytes() for file in files), digest_size=16).hexdigest()


def _read(path: Path) -> pd.DataFrame:
    table = pq.read_table(path, page_checksum_verification=True)
    told = table.schema.metadata
    types = told[_TYPES].decode().split("\n")
    frame = pd.DataFrame(
        {name: _typed(table.column(name), kind) for name, kind in zip(table.column_names, types, strict=True)}
    )
    frame.attrs["truncated"] = told[_TRUNCATED] == b"1"
    return frame


def _typed(column: pa.ChunkedArray, kind: str) -> Any:
    """A column as it was, nulls included."""
    return pd.Series(column.to_pylist(), dtype=object) if kind == "object" else column.to_pandas().astype(kind)


def _write(path: Path, key: str, frame: pd.DataFrame) -> None:
    """Keep an answer where that is allowed, and drop those that hold no more."""
    table = pa.Table.from_pandas(frame, preserve_index=False)
    told = {_TRUNCATED: b"1" if frame.attrs["truncated"] else b"0", _TYPES: "\n".join(map(str, frame.dtypes)).encode()}
    unfinished = path.with_name(f"{path.name}.{os.getpid()}")
    with suppress(OSError):
        path.parent.mkdir(exist_ok=True)
        pq.write_table(table.replace_schema_metadata(told), unfinished, compression="zstd", write_page_checksum=True)
        unfinished.replace(path)
        for old in path.parent.iterdir():
            if key not in old.name:
                old.unlink(missing_ok=True)
    with suppress(OSError):
        unfinished.unlink(missing_ok=True)
