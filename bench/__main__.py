"""``python -m bench [NAME…] [--store DIR] [--hands N]``: run benchmarks and write their sections of ``results.md``."""

import argparse
from pathlib import Path

from bench import bulk, parts, queries, results, screens, tricks

BENCHMARKS = {
    "bulk": lambda _: bulk.page(bulk.measure()),
    "parts": lambda _: parts.page(parts.measure()),
    "tricks": lambda _: tricks.page(tricks.measure()),
    "queries": lambda given: queries.page(queries.measure(given.store, given.hands)),
    "screens": lambda given: screens.page(screens.measure(given.store, given.hands)),
}
RESULTS = Path(__file__).with_name("results.md")


def main() -> None:
    """Run the named benchmarks, or all, and write what each measured."""
    parser = argparse.ArgumentParser(prog="python -m bench")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(BENCHMARKS)}; without it all")
    parser.add_argument("--store", type=Path, help="queries, screens: a store; it is made where none is")
    parser.add_argument(
        "--hands", type=int, default=queries.HANDS, help="queries, screens: how many hands a new store gets"
    )
    given = parser.parse_args()
    for name in given.names or BENCHMARKS:
        if name not in BENCHMARKS:
            parser.error(f"no benchmark {name}")
    for name in given.names or BENCHMARKS:
        measured = results.section(BENCHMARKS[name](given))
        results.write(RESULTS, [measured])
        print(measured)


if __name__ == "__main__":
    main()
