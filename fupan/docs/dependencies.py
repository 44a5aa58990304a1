"""The page on what Fupan is installed with: each locked package, its version, licence, reason, and what it is fed.

Knows ``locks/run.txt`` and what ``dependencies.toml`` says of each package. Refuses to know advisories: those change
every day, and ``make advisories`` looks them up.
"""

import re
import tomllib
from importlib import resources
from pathlib import Path

import msgspec
from msgspec import Struct

from fupan.docs.markdown import code, codes, page, table

LOCK = Path(__file__).parents[2] / "locks" / "run.txt"
_PIN = re.compile(r"^([\w.-]+)==([^\s;]+)(?: ; ([^\\\n]+?))? \\$", re.MULTILINE)

_LEAD = """
# Dependencies · 依赖

`make run` and `make test` install what `locks/` names and nothing else, every file known by its SHA-256, what builds
Fupan included; a file that has been changed since is not installed. `constraints.txt` has the versions alone, for
whoever installs another way; `make pins` renews both. Without make: `pip install --no-deps --require-hashes -r
locks/run.txt`, then `pip install --no-deps --no-build-isolation .` (Python 3.11 or newer; where a platform has no
wheel of a package, pip builds it, and what it builds with is not locked).

**Advisories were not looked up for this table**: where it was made, nothing that could be reached knows of any for
these versions, so that none is named here says nothing. Before running in public, and regularly, do it where there is
a network: `make advisories` installs pip-audit from a lock of its own (`locks/advisories.txt`) beside Fupan and asks
for every package of `locks/run.txt` and `locks/test.txt`. It fails where a package has an advisory, and also where
one could not be looked up, which pip-audit alone lets pass.

简而言之：本表所列各版本**没有**查过已知漏洞；对外运行之前，请在联网的机器上运行 `make advisories`。
安装的每个文件都按 SHA-256 核对。

A package is fed what stands in the last column without anybody having looked at it before; whoever weighs an advisory
begins there. Licences are as the packages state them; all allow use and redistribution (the MPL of `certifi` and
`pathspec` covers their own files only).
"""


class Package(Struct, frozen=True, forbid_unknown_fields=True):
    """What is said of a package."""

    licence: str | None = None
    """As it states it; None of what is installed on other systems only, and was not seen."""
    of: tuple[str, ...] = ()
    """The packages that ask for it."""
    why: tuple[str, str] | None = None
    """What Fupan itself has it for, in Chinese and English; None where only others ask for it."""
    reads: str | None = None
    """What it is fed that nobody has looked at."""


def packages() -> dict[str, Package]:
    """What is said of each package, by name."""
    return msgspec.convert(_told()["packages"], dict[str, Package])


def pages() -> dict[str, str]:
    """The page, by its path below ``docs/``."""
    known, reads = packages(), msgspec.convert(_told()["reads"], dict[str, tuple[str, str]])
    rows = []
    for name, version, where in pins(LOCK.read_text("utf-8")):
        each = known[name]
        reasons = [*(each.why or ()), *([codes(each.of)] if each.of else [])]
        fed = " · ".join(reads[each.reads]) if each.reads else ""
        rows.append([code(name), version, code(where), each.licence or "not seen", " · ".join(reasons), fed])
    head = ["package", "version", "only where", "licence", "why, or of what", "未经检查的输入 · is fed"]
    return {"dependencies.md": page(_LEAD, table(head, rows))}


def pins(lock: str) -> list[tuple[str, str, str]]:
    """Name, version and condition of each package of a lock."""
    return [(re.sub(r"[-_.]+", "-", name).lower(), version, where) for name, version, where in _PIN.findall(lock)]


def _told() -> dict[str, object]:
    return tomllib.loads(resources.files("fupan.docs").joinpath("dependencies.toml").read_text("utf-8"))
