"""A deliberate mistake in compiled code is found by the tests that hold it against the audit.

Each mutant is a copy of the sources with one line changed, compiled anew and tried in a process of its own.
"""

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from reliability import note

from ingest.bulk import available

ROOT = Path(__file__).parent.parent
COMPILED = Path("ingest") / "bulk" / "compiled"
MUTANTS = tomllib.loads((Path(__file__).parent / "cases" / "kernel_mutants.toml").read_text("utf-8"))
EACH = [(module, name) for module, named in MUTANTS.items() for name in named]
TRIALS = ["tests/test_whole_logs.py", "tests/test_bulk.py", "tests/test_packed.py"]
TRIALS += ["-k", "disturbed or agree_on_generated or run_on or like_their_lines or changed_by_one_letter"]


@pytest.mark.parametrize(("module", "name"), EACH)
def test_every_mutant_can_be_made(module: str, name: str):
    assert mutated(module, name) != source(module)


def source(module: str) -> str:
    return (ROOT / COMPILED / f"{module}.py").read_text("utf-8")


def mutated(module: str, name: str) -> str:
    """The source of a module with one mistake."""
    before, after = MUTANTS[module][name]
    assert source(module).count(before) == 1, f"{name}: it stands there {source(module).count(before)} times"
    return source(module).replace(before, after)


def is_found(module: str, name: str, folder: Path) -> bool:
    """Whether the trials fail with this mistake."""
    for part in ("ingest", "tests", "fupan", "bench"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    (folder / COMPILED / f"{module}.py").write_text(mutated(module, name), "utf-8")
    here = os.environ | {"PYTHONPATH": str(folder), "NUMBA_CACHE_DIR": str(folder / "compiled")}
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *TRIALS]
    done = subprocess.run(command, cwd=folder, env=here, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stdout[-3000:]
    return done.returncode == 1


@pytest.mark.soak
@pytest.mark.skipif(not available(), reason="Numba is not installed")
def test_every_mistake_in_compiled_code_is_found(tmp_path: Path):
    unfound = []
    for number, (module, name) in enumerate(EACH):
        folder = tmp_path / str(number)
        found = is_found(module, name, folder)
        shutil.rmtree(folder)
        print(f"{module}: {name}: {'found' if found else 'NOT FOUND'}", flush=True)
        if not found:
            unfound.append(name)
    note(
        "Deliberate mistakes in compiled code",
        f"{len(EACH)} made; {len(EACH) - len(unfound)} found by the tests that hold it against the audit",
    )
    assert unfound == []
