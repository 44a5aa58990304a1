"""A deliberate mistake in compiled code is found by the tests that hold it against the audit.

Each mutant is a copy of the sources with one line changed, tried in a process of its own. What the change is compiled
into is compiled anew; the rest is taken as it was compiled when the trials passed on the sources as they are. A mutant
is found too where the trials take three times as long as then: it never ends, or the audit is left with all hands; and
where they come to grief, as compiled code does that reads or writes where nothing is its own.
"""

import ast
import os
import shutil
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import pytest
from reliability import note

from ingest.bulk import available

ROOT = Path(__file__).parent.parent
COMPILED = Path("ingest") / "bulk" / "compiled"
MUTANTS = tomllib.loads((Path(__file__).parent / "cases" / "kernel_mutants.toml").read_text("utf-8"))
EACH = [(module, name) for module, named in MUTANTS.items() for name in named]
TRIALS = ["tests/test_whole_logs.py", "tests/test_bulk.py", "tests/test_packed.py", "tests/test_blake.py"]
FIRST = {"packing": TRIALS[2], "prove_again": TRIALS[2], "blake": TRIALS[3]}
"""Where a mistake in these modules is looked for first."""
NAMED = (
    "disturbed", "agree_on_generated", "run_on", "like_their_lines", "changed_by_one_letter", "odd_but_lawful",
    "declared_reading", "packed_bytes", "lanes_of_any_length", "closes_early", "at_fault_in_one_way", "noted_once",
    "no_record_has", "void_hands_count",
)  # fmt: skip


@pytest.mark.parametrize(("module", "name"), EACH)
def test_every_mutant_can_be_made(module: str, name: str):
    assert mutated(module, name) != source(module)


def test_what_a_module_is_compiled_into():
    assert compiled_into("prove_again") == {"prove_again"}
    assert compiled_into("prove") == {"prove", "prove_again"}
    assert compiled_into("blake") >= {"blake", "recognise", "replay", "prove", "prove_again", "digests_kernel"}
    assert "reader" not in compiled_into("blake")
    assert "texts_kernel" in compiled_into("sets")


def source(module: str) -> str:
    return (ROOT / COMPILED / f"{module}.py").read_text("utf-8")


def mutated(module: str, name: str) -> str:
    """The source of a module with one mistake."""
    before, after = MUTANTS[module][name]
    assert source(module).count(before) == 1, f"{name}: it stands there {source(module).count(before)} times"
    return source(module).replace(before, after)


def imported(path: Path) -> set[str]:
    """The last names of what a file imports by name, and of the modules that it imports from."""
    steps = [node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.ImportFrom)]
    return {(step.module or "").rpartition(".")[2] for step in steps} | {
        each.name for step in steps for each in step.names
    }


def compiled_into(module: str) -> set[str]:
    """The module itself and every one that its code may be compiled into."""
    paths = [*(ROOT / COMPILED).glob("*.py"), *(ROOT / COMPILED).parent.glob("*_kernel.py")]
    imports, found, before = {path.stem: imported(path) for path in paths}, {module}, set[str]()
    while found != before:
        before, found = found, found | {name for name, used in imports.items() if used & found}
    return found


def run(folder: Path, *words: str, seconds: float | None = None) -> subprocess.CompletedProcess[str]:
    """Run Python over the sources in a folder, which keep their compiled code there."""
    here = {"PYTHONPATH": str(folder), "NUMBA_CACHE_DIR": str(folder / "compiled"), "PYTHONDONTWRITEBYTECODE": "1"}
    command, env = [sys.executable, *words], os.environ | here
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False, timeout=seconds)


def kept(folder: Path) -> Path:
    """Where the code compiled from the sources in a folder is kept."""
    return Path(run(folder, "-c", "from ingest.bulk.compiled.machine import CACHE; print(CACHE)").stdout.strip())


def fails(folder: Path, module: str = "", seconds: float | None = None) -> bool:
    """Whether a trial of the sources in a folder fails, if any because of this module, or takes too long."""
    plain = ["-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
    trials = sorted(TRIALS, key=lambda path: path != FIRST.get(module))
    try:
        done = run(folder, *plain, *trials, "-k", " or ".join(NAMED), seconds=seconds)
    except subprocess.TimeoutExpired:
        return True
    assert done.returncode < 2, done.stdout[-3000:]
    return done.returncode != 0  # below 0: the process came to grief


def copied(folder: Path) -> Path:
    """A folder with the sources, which pass the trials, and the code compiled from them."""
    for part in ("ingest", "tests", "fupan", "bench"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    assert not fails(folder)
    return folder


def is_found(module: str, name: str, folder: Path, compiled: Path, seconds: float) -> bool:
    """Whether the trials fail with this mistake; ``compiled``: what was compiled from the sources without it."""
    (folder / COMPILED / f"{module}.py").write_text(mutated(module, name), "utf-8")
    mine, anew = Path(shutil.copytree(compiled, kept(folder), dirs_exist_ok=True)), compiled_into(module)
    for path in mine.glob("*/*"):
        if path.name.partition(".")[0] in anew:
            path.unlink()
    found = fails(folder, module, seconds)
    shutil.rmtree(mine)
    (folder / COMPILED / f"{module}.py").write_text(source(module), "utf-8")
    return found


@pytest.mark.soak
@pytest.mark.skipif(not available(), reason="Numba is not installed")
def test_every_mistake_in_compiled_code_is_found(tmp_path: Path):
    begun, unfound = time.monotonic(), []
    folder = copied(tmp_path / "copy")
    compiled, seconds = kept(folder), 3 * (time.monotonic() - begun)
    for module, name in EACH:
        found = is_found(module, name, folder, compiled, seconds)
        print(f"{module}: {name}: {'found' if found else 'NOT FOUND'}", flush=True)
        if not found:
            unfound.append(name)
    note(
        "Deliberate mistakes in compiled code",
        f"{len(EACH)} made; {len(EACH) - len(unfound)} found by the tests that hold it against the audit",
    )
    assert unfound == []
