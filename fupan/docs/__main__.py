"""``python -m fupan.docs`` writes the generated pages; ``--check`` only says which are not current."""

import sys

from fupan import docs


def main(arguments: list[str]) -> int:
    """Write or check. The exit status: 0 all is well, 1 a page is stale, 2 the command was wrong."""
    if arguments not in ([], ["--check"]):
        print("usage: python -m fupan.docs [--check]", file=sys.stderr)
        return 2
    checking = bool(arguments)
    paths = docs.stale() if checking else docs.write()
    for path in paths:
        print(f"docs/{path}")
    if checking and paths:
        print("These pages are not current: make docs", file=sys.stderr)
    return 1 if checking and paths else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
