"""The package as others install it: pins without addresses, and nothing left out of them."""

import re
import tomllib
from importlib.metadata import PackageNotFoundError, requires, version
from itertools import chain
from pathlib import Path

import pytest

from fupan.docs import dependencies

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


@pytest.mark.parametrize("lock", ["run", "test", "fuzz", "advisories"])
def test_whatever_is_installed_is_known_by_its_hash(lock):
    entries = re.split(r"\n(?=\S)", (ROOT / "locks" / f"{lock}.txt").read_text("utf-8").strip())
    assert all(re.search(r"--hash=sha256:[0-9a-f]{64}\b", entry) for entry in entries)
    assert all(re.match(r"[\w.-]+==\S+", entry) for entry in entries)
    make = (ROOT / "Makefile").read_text("utf-8")
    assert f"$(LOCKED) locks/{lock}.txt" in make
    assert "--require-hashes" in make
    assert set(re.findall(r"pip install\b.*", make)) == {"pip install -qq --disable-pip-version-check --no-deps"}


def test_whatever_a_dashboard_runs_on_is_listed_with_its_reason():
    """Version, licence, why, and what it is fed: the page is made of it (fupan.docs)."""
    listed = dependencies.packages()
    assert set(listed) == names("locks/run.txt")
    asked = {name for name, each in listed.items() if each.why}
    assert asked == wanted("fast", "login")
    assert all(each.why or each.of for each in listed.values())
    assert {name for name, each in listed.items() if not each.licence} == {"colorama", "httpx2-jsfetch"}
    assert {name for each in listed.values() for name in each.of} <= set(listed)
    told = {(name, version) for name, version, _ in dependencies.pins(dependencies.LOCK.read_text("utf-8"))}
    assert told == {(name, version) for (name, _), version in pins("locks/run.txt").items()}


def test_the_packages_that_ask_for_one_do():
    for name, each in dependencies.packages().items():
        here = [of for of in each.of if _is_here(of)]
        asked = {distribution(text) for of in here for text in requires(of) or ()}
        assert name in asked or not here


def _is_here(name: str) -> bool:
    try:
        return bool(version(name))
    except PackageNotFoundError:
        return False


def test_an_advisory_is_looked_for_strictly():
    """Without that pip-audit is content with a package that it could not look up."""
    [line] = re.findall(r"^\t.*pip-audit (.*)$", (ROOT / "Makefile").read_text("utf-8"), re.M)[-1:]
    assert {"--strict", "--require-hashes", "locks/run.txt", "locks/test.txt"} <= set(line.split())


def test_the_environment_was_installed_from_this_project():
    runtime = [requirement for requirement in requires("fupan") or [] if "extra ==" not in requirement]
    assert {distribution(requirement) for requirement in runtime} == {
        distribution(requirement) for requirement in PROJECT["dependencies"]
    }


def test_pins_hold_no_address():
    for path in (ROOT / "constraints.txt", *(ROOT / "locks").iterdir()):
        assert "://" not in path.read_text("utf-8")
