"""The package as others install it: pins without addresses, and nothing left out of them."""

import re
import tomllib
from importlib.metadata import requires
from itertools import chain
from pathlib import Path

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def distribution(requirement: str) -> str:
    name = re.match(r"[\w.-]+", requirement)
    assert name, requirement
    return re.sub(r"[-_.]+", "-", name[0]).lower()


def test_every_requirement_is_pinned():
    pinned = {distribution(line) for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()}
    wanted = chain(PROJECT["dependencies"], *PROJECT["optional-dependencies"].values())
    assert {distribution(requirement) for requirement in wanted} <= pinned


def test_the_environment_was_installed_from_this_project():
    runtime = [requirement for requirement in requires("fupan") or [] if "extra ==" not in requirement]
    assert {distribution(requirement) for requirement in runtime} == {
        distribution(requirement) for requirement in PROJECT["dependencies"]
    }


def test_pins_hold_no_address():
    assert "://" not in (ROOT / "constraints.txt").read_text(encoding="utf-8")
