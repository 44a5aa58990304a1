"""Makes the small store of one version that the tests open: ``python tests/stores/make.py CHECKOUT``.

``CHECKOUT`` is a checkout of the last commit that wrote the version: README.md beside this file says which. The store
is packed as ``version-N.tar.xz``, N being what that program writes. Made once and never again: what counts is that a
program of that time wrote it.
"""

import json
import os
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
LOADS = (
    ("hands.jsonl", ["hands.jsonl", "rlcard.jsonl", "--engine", "bulk"]),
    ("hands.jsonl", ["house.jsonl", "--rules", "pagat"]),
    ("corrected.jsonl", ["hands.jsonl", "--replace"]),
)
"""Which log stands for ``hands.jsonl``, and what is loaded: by compiled code, which alone packs hands. The first
version knew no ``--replace``; those before the seventh were loaded without ``--engine``.
"""


def made(checkout: Path, folder: Path) -> Path:
    """The store that a program makes of the logs here, with no name of a folder in it."""
    store = folder / "store"
    for hands, given in LOADS:
        for name, log in (("hands.jsonl", hands), ("rlcard.jsonl", "rlcard.jsonl"), ("house.jsonl", "house.jsonl")):
            (folder / name).write_bytes((HERE / log).read_bytes())
        program = [sys.executable, "-m", "fupan", "load", *given, "--store", "store"]
        done = subprocess.run(program, cwd=folder, env=os.environ | {"PYTHONPATH": str(checkout)}, check=False)
        if done.returncode == 2 and "--replace" not in given:
            raise SystemExit("it could not load")
    return store


def main() -> None:
    """Make and pack one."""
    with tempfile.TemporaryDirectory() as folder:
        store = made(Path(sys.argv[1]).resolve(), Path(folder))
        manifest = json.loads((store / "manifest.json").read_bytes())
        counted = [path for batch in manifest["batches"] for path in sorted((store / batch["folder"]).iterdir())]
        files = [*sorted(store.glob("manifest*.json")), *counted]
        with tarfile.open(HERE / f"version-{manifest['version']}.tar.xz", "w:xz", preset=9) as packed:
            for path in files:
                packed.add(path, str(path.relative_to(store)), filter=_plain)


def _plain(member: tarfile.TarInfo) -> tarfile.TarInfo:
    """A file that says nothing of who packed it."""
    member.uid = member.gid = member.mtime = 0
    member.uname = member.gname = ""
    return member


if __name__ == "__main__":
    main()
