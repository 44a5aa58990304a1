"""Makes every mistake of ``mistakes`` in the rules, one at a time, and looks for a test that fails with it.

``python tests/mutation/trial.py OUT [--left] MODULE …`` (``make mutation`` for all of them). The tests are collected
once. Each mistake is made in a fork, where everything that was remembered is forgotten; the tests that reach its lines
run there, those first that found something before, then the quickest, until one fails. ``OUT`` keeps what became of
each, a line of JSON a mistake; ``--left`` tries those that were not found or explained before. Compiled code is left
out: it is held against the audit by other trials. Mistakes that change nothing are explained in ``explained.toml``.
"""

import ast
import gc
import os
import resource
import signal
import sys
import tempfile
import time
import tomllib
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import _lru_cache_wrapper, cache
from hashlib import sha256
from pathlib import Path
from types import FrameType, FunctionType
from typing import Any

import msgspec
import pytest
from _pytest.runner import runtestprotocol

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests"), str(Path(__file__).parent)]
from mistakes import Mistake, mistakes, sketched  # noqa: E402
from reliability import note  # noqa: E402

EXPLAINED = Path(__file__).with_name("explained.toml")
MODULES = [
    "ingest/audit.py",
    *(f"ingest/rules/{name}.py" for name in (
        "settlement", "auction", "combinations", "deal", "climbing", "tricks", "kickers", "answers", "options",
        "shedding", "falling", "levels", "sets", "suits", "turns", "variants", "menus", "asked",
    )),
]  # fmt: skip
TESTS = [
    "cases", "audit", "auction", "climbing", "combinations", "settlement", "shedding", "options", "tricks",
    "tricks_hidden", "tricks_tables", "clauses", "switches", "must_beat", "batch", "spoken", "ruleset", "rules_by_hand",
    "auctions_by_hand", "deals_by_hand", "shapes_by_hand", "plays_by_hand", "tricks_by_hand",
    "asked_by_hand", "shedding_by_hand", "variants_by_hand",
    "mismatches",
]  # fmt: skip
SECONDS = 3.0
"""How long the tests of one mistake may take together before it counts as not found."""

TRACED = 2.0
"""How long a test may take while its lines are noted."""

REMEMBERED = {"ingest.cards", "ingest.record", "ingest.mistakes", "ingest.rules.ruleset"}
"""Modules that know none of those tried, and may remember what they read."""

Key = tuple[str, str, str]
"""Module, function and name of a mistake."""
Lines = dict[str, set[int]]
"""The lines of each module that a test reaches."""


class Reached(msgspec.Struct):
    """What a test reaches, and how long it takes."""

    seconds: float
    lines: dict[str, set[int]]


class Trial:
    """The plugin that runs the tests again and again instead of once."""

    def __init__(self, modules: list[str], out: Path, done: set[Key]) -> None:
        self.modules, self.out, self.done = modules, out, done
        self.finders: dict[str, int] = defaultdict(int)

    def pytest_configure(self) -> None:
        from hypothesis import settings

        settings.register_profile("mutation", settings(derandomize=True, database=None, deadline=None))
        settings.load_profile("mutation")

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        from ingest.rules.ruleset import builtin_names, load_any

        items = {item.nodeid: item for item in session.items}
        self.items = items
        self.code = _functions([str(ROOT / module) for module in MODULES])
        self.caches = [each for each in gc.get_objects() if isinstance(each, _lru_cache_wrapper)
                       and str(each.__module__).startswith(("ingest", "tests", "test_", "mutants"))
                       and each.__module__ not in REMEMBERED]  # fmt: skip
        for name in builtin_names():
            load_any(name)
        gc.freeze()
        self.reached = self._surveyed()
        for module in self.modules:
            self._try(module)
        return True

    def _surveyed(self) -> dict[str, Reached]:
        """What each test reaches: kept beside ``out`` for these modules, so that only new tests are looked at."""
        digest = sha256(b"".join((ROOT / module).read_bytes() for module in MODULES)).hexdigest()
        kept = self.out.with_suffix(f".{digest[:12]}.reached")
        known = msgspec.msgpack.decode(kept.read_bytes(), type=dict[str, Reached]) if kept.exists() else {}
        items = [item for name, item in self.items.items() if name not in known]
        found = _in_fork(lambda: _survey(items, self._forget), None)
        assert isinstance(found, bytes), "the tests could not be run"
        known |= msgspec.msgpack.decode(found, type=dict[str, Reached])
        kept.write_bytes(msgspec.msgpack.encode(known))
        return {name: each for name, each in known.items() if name in self.items}

    def _try(self, module: str) -> None:
        for mistake in mistakes((ROOT / module).read_text("utf-8"), str(ROOT / module)):
            key = (module, mistake.function, mistake.name)
            if key in self.done:
                continue
            chosen = self._reaching(module, mistake)
            start = time.monotonic()
            finder = _found(lambda some=chosen, made=mistake: self._run(module, made, some)) if chosen else "unreached"
            if finder.startswith("tests/"):
                self.finders[finder] += 1
            taken = round(time.monotonic() - start, 2)
            row = Row(module, mistake.function, mistake.name, mistake.lines[0], finder, len(chosen), taken)
            with self.out.open("ab") as out:
                out.write(msgspec.json.encode(row) + b"\n")

    def _reaching(self, module: str, mistake: Mistake) -> list[str]:
        lines = set(mistake.lines)
        some = [name for name, each in self.reached.items() if not lines.isdisjoint(each.lines.get(module, ()))]
        return sorted(some, key=self._patience)

    def _patience(self, name: str) -> tuple[bool, float]:
        """What is run first was written for such mistakes, is quick, or found something before."""
        return "_by_hand" not in name, (self.reached[name].seconds + 0.005) / (1 + self.finders[name])

    def _run(self, module: str, mistake: Mistake, chosen: list[str]) -> bytes:
        """The first test that fails, in a process that may be spoilt."""
        for function in self.code[str(ROOT / module), mistake.function]:
            function.__code__ = mistake.code
        self._forget()
        start = time.process_time()
        for name in chosen:
            if _fails(self.items[name]):
                return name.encode()
            if time.process_time() - start > SECONDS:
                return b"late"
        return b""

    def _forget(self) -> None:
        for remembered in self.caches:
            remembered.cache_clear()


def _functions(files: list[str]) -> dict[tuple[str, str], list[FunctionType]]:
    """Every function of these files, by file and qualified name; a decorated one with what stands behind it."""
    found = defaultdict(list)
    for each in gc.get_objects():
        if isinstance(each, FunctionType) and each.__code__.co_filename in files:
            found[each.__code__.co_filename, each.__code__.co_qualname].append(each)
    return found


def _fails(item: pytest.Item) -> bool:
    return any(report.failed for report in runtestprotocol(item, log=False, nextitem=None))


def _survey(items: list[pytest.Item], forget: Callable[[], None]) -> bytes:
    """What each test reaches; tests that fail or take long are left out. What was written for such mistakes is quick,
    and reaches it also where another test would have remembered it.
    """
    files = {str(ROOT / module): module for module in MODULES}
    reached = {}
    for item in items:
        lines: Lines = defaultdict(set)
        if "_by_hand" in item.nodeid:
            forget()
        sys.settrace(_tracer(files, lines))
        start = time.process_time()
        reports = runtestprotocol(item, log=False, nextitem=None)
        sys.settrace(None)
        if any(report.failed for report in reports):
            print("fails by itself:", item.nodeid, file=sys.stderr)
        if not all(report.passed for report in reports):
            lines.clear()
        reached[item.nodeid] = Reached(time.process_time() - start, dict(lines))
    return msgspec.msgpack.encode(reached)


def _tracer(files: dict[str, str], lines: Lines) -> Callable[..., Any]:
    """Notes the lines that are run; a test that goes on for long is skipped: tracing makes it twenty times slower."""
    limit = time.process_time() + TRACED

    def line(frame: FrameType, event: str, _: object) -> Callable[..., Any]:
        lines[files[frame.f_code.co_filename]].add(frame.f_lineno)
        return line

    def call(frame: FrameType, event: str, _: object) -> Callable[..., Any] | None:
        if frame.f_code.co_filename not in files:
            return None
        if time.process_time() > limit:
            pytest.skip("too slow")
        return line(frame, event, _)

    return call


def _found(run: Callable[[], bytes]) -> str:
    """The test that found it, or "" · "late": no more time · "killed": it ran for ever, or ended the process."""
    answer = _in_fork(run, 15)
    return answer.decode() if isinstance(answer, bytes) else "killed"


def _in_fork(run: Callable[[], bytes], seconds: int | None) -> bytes | int:
    """The answer of another process, or how it ended."""
    with tempfile.TemporaryFile() as answer:
        child = os.fork()
        if not child:
            status = 1
            try:
                if seconds is not None:
                    _confine(seconds)
                answer.write(run())
                answer.flush()
                status = 0
            finally:
                os._exit(status)
        _, ended = os.waitpid(child, 0)
        answer.seek(0)
        return ended if ended else answer.read()


def _confine(seconds: int) -> None:
    """Say nothing, run not for ever, take not all memory."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    signal.signal(signal.SIGXCPU, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))


def explained() -> dict[Key, str]:
    """Mistakes that change nothing, and why."""
    told: dict[str, dict[str, dict[str, str]]] = tomllib.loads(EXPLAINED.read_text("utf-8"))
    return {(module, function, name): why for module, named in told.items()
            for function, each in named.items() for name, why in each.items()}  # fmt: skip


class Row(msgspec.Struct):
    """What became of a mistake."""

    module: str
    function: str
    name: str
    line: int
    found: str
    """The test that failed; "killed" where it ran for ever; "" no test · "late" no more time · "unreached" no line."""
    tests: int
    seconds: float

    @property
    def key(self) -> Key:
        return self.module, self.function, self.name

    @property
    def is_found(self) -> bool:
        return self.found not in ("", "late", "unreached")


def rows(out: Path) -> dict[Key, Row]:
    """What was tried last of each mistake."""
    lines = out.read_bytes().splitlines() if out.exists() else []
    return {row.key: row for row in (msgspec.json.decode(line, type=Row) for line in lines)}


@cache
def _possible(module: str) -> set[Key]:
    """The mistakes that can be made in a module as it is now."""
    sketches = sketched(ast.parse((ROOT / module).read_text("utf-8")))
    return {(module, function, name) for function, name, *_ in sketches}


def _of(module: str, some: Sequence[Row | Key]) -> int:
    """How many are of a module."""
    return sum(module == (each.module if isinstance(each, Row) else each[0]) for each in some)


def report(out: Path) -> None:
    """Who is left, by module, and the row of docs/reliability.md."""
    told = explained()
    tried = [row for row in rows(out).values() if row.key in _possible(row.module) and row.key not in told]
    left = [row for row in tried if not row.is_found]
    for row in left:
        print(f"{row.module}:{row.line} {row.function}: {row.name} [{row.found}]")
    modules = dict.fromkeys(row.module for row in tried)
    parts = [f"{module.removeprefix('ingest/')} {_of(module, [*tried, *told]):,}/{_of(module, left):,}"
             for module in modules]  # fmt: skip
    found, explained_ones = sum(row.is_found for row in tried), len(told)
    untried = sum(len(_possible(module)) - _of(module, [*tried, *told]) for module in modules)
    unrun = [module.removeprefix("ingest/") for module in MODULES if module not in modules]
    note(
        "Mistakes made in the rules and the audit (`make mutation`)",
        f"{found + explained_ones + len(left):,} tried, {found:,} found by a test, {explained_ones:,} change nothing,"
        f" {len(left):,} left (of each module tried/left: {', '.join(parts)})"
        + (f"; {untried:,} not tried since these modules changed" if untried else "")
        + (f"; not run yet: {', '.join(unrun)}" if unrun else ""),
    )


def main(modules: list[str], out: Path, done: set[Key]) -> None:
    """Try the mistakes of modules, but for those that are done."""
    sys.modules["numba"] = None  # type: ignore[assignment]
    files = [str(path) for name in TESTS if (path := ROOT / "tests" / f"test_{name}.py").exists()]
    with tempfile.TemporaryDirectory() as folder:
        words = ["-q", "-s", "-p", "no:xdist", "-p", "no:cacheprovider", "--basetemp", folder, *files]
        pytest.main(words, plugins=[Trial(modules, out, done)])


if __name__ == "__main__":
    out, *words = sys.argv[1:]
    before = {row.key for row in rows(Path(out)).values() if row.is_found} | explained().keys()
    main([word for word in words if word != "--left"] or MODULES, Path(out), before if "--left" in words else set())
    report(Path(out))
