"""``python -m bench [NAME…]``: run the benchmarks and write ``results.md``."""

import platform
import sys
from datetime import date
from pathlib import Path

from bench import audit, tricks

BENCHMARKS = {"audit": lambda: audit.page(audit.measure()), "tricks": lambda: tricks.page(tricks.measure())}
RESULTS = Path(__file__).with_name("results.md")


def main() -> None:
    """Run the named benchmarks, or all, and write what they measured."""
    names = sys.argv[1:] or list(BENCHMARKS)
    machine = f"{platform.machine()}, Python {platform.python_version()}"
    head = f"# Results\n\n{date.today()}, {machine}. Written by `make bench`.\n"
    sections = [BENCHMARKS[name]() for name in names]
    RESULTS.write_text("\n".join([head, *sections]), encoding="utf-8")
    print("\n".join(sections))


main()
