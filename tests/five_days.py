"""Stores of generated hands over five days in turn, some hands without a day."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from ingest.load import load
from ingest.rules.ruleset import load_any
from ingest.simulate import hands

Change = Callable[[dict[str, Any], int], None]


def store_of(folder: Path, rules: Iterable[str], count: int, seed: int, change: Change) -> Path:
    """So many hands of each ruleset, some faulty, each changed by its number; what is no record stays as it is."""
    logs = []
    for name in rules:
        lines = hands(load_any(name), count, seed=seed, faults=0.1)
        logs.append(folder / f"{name}.jsonl")
        logs[-1].write_bytes(b"\n".join(_dated(line, number, change) for number, line in enumerate(lines)))
    load(list(map(str, logs)), folder / "store")
    return folder / "store"


def _dated(line: bytes, number: int, change: Change) -> bytes:
    try:
        told = json.loads(line)
        change(told, number)
    except (ValueError, TypeError, KeyError):
        return line
    told["at"] = f"2026-01-0{number % 5 + 1}T12:00:00+08:00"
    if number % 11 == 0:
        del told["at"]
    return json.dumps(told).encode()
