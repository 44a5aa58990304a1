"""The package as others install it: pins without addresses, and nothing left out of them."""

import re
import tomllib
from importlib.metadata import requires
from itertools import chain
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]


def distribution(requirement: str) -> str:
    name = re.match(r"[\w.-]+", requirement)
    assert name, requirement
    return re.sub(r"[-_.]+", "-", name[0]).lower()


def pins(path: str) -> dict[tuple[str, str], str]:
    """The versions of a list of pins, by package and the condition under which it is theirs."""
    text = (ROOT / path).read_text("utf-8")
    lines = [re.sub(r"\\\n|--hash=\S+", "", entry) for entry in re.split(r"\n(?=\S)", text.strip())]
    parted = [line.partition(";") for line in lines]
    return {(distribution(name), " ".join(when.split())): name.partition("==")[2].strip() for name, _, when in parted}


def names(path: str) -> set[str]:
    return {name for name, _ in pins(path)}


def wanted(*extras: str) -> set[str]:
    build = (ROOT / "locks" / "build.in").read_text("utf-8").split()
    return set(map(distribution, chain(PROJECT["dependencies"], build, *map(EXTRAS.__getitem__, extras))))


def test_every_requirement_is_pinned_and_locked():
    assert wanted(*EXTRAS) <= names("constraints.txt")
    assert wanted(*EXTRAS) <= names("locks/test.txt")
    assert wanted("fast", "login") <= names("locks/run.txt")
    assert not names("locks/run.txt") & {"pytest", "mypy", "rlcard"}


@pytest.mark.parametrize("lock", ["locks/run.txt", "locks/test.txt"])
def test_a_lock_has_the_versions_that_are_pinned(lock):
    """After a change of either: make pins."""
    pinned = {
        name: {version for (other, _), version in pins("constraints.txt").items() if other == name}
        for name in names("constraints.txt")
    }
    assert {name for (name, _), version in pins(lock).items() if version not in pinned.get(name, ())} <= {"douzero"}
    assert lock != "locks/test.txt" or names("constraints.txt") | {"douzero"} == names(lock)


@pytest.mark.parametrize("lock", ["run", "test", "fuzz"])
def test_whatever_is_installed_is_known_by_its_hash(lock):
    entries = re.split(r"\n(?=\S)", (ROOT / "locks" / f"{lock}.txt").read_text("utf-8").strip())
    assert all(re.search(r"--hash=sha256:[0-9a-f]{64}\b", entry) for entry in entries)
    assert all(re.match(r"[\w.-]+==\S+", entry) for entry in entries)
    make = (ROOT / "Makefile").read_text("utf-8")
    assert f"$(LOCKED) locks/{lock}.txt" in make
    assert "--require-hashes" in make
    assert set(re.findall(r"pip install\b.*", make)) == {"pip install -qq --disable-pip-version-check --no-deps"}


def test_the_licences_of_what_a_dashboard_runs_on_are_listed():
    listed = re.findall(r"^\| `([\w.-]+)` \|", (ROOT / "docs" / "security.md").read_text("utf-8"), re.M)
    elsewhere = {name for name, when in pins("locks/run.txt") if "win32" in when or "== 'emscripten'" in when}
    assert set(listed) == names("locks/run.txt") - elsewhere
    assert listed == sorted(listed)


def test_the_environment_was_installed_from_this_project():
    runtime = [requirement for requirement in requires("fupan") or [] if "extra ==" not in requirement]
    assert {distribution(requirement) for requirement in runtime} == {
        distribution(requirement) for requirement in PROJECT["dependencies"]
    }


def test_pins_hold_no_address():
    for path in (ROOT / "constraints.txt", *(ROOT / "locks").iterdir()):
        assert "://" not in path.read_text("utf-8")
