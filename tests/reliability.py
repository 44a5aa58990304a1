"""The figures of the long trials, as rows of docs/reliability.md: a trial that was run replaces its own row."""

from datetime import UTC, datetime
from pathlib import Path

PAGE = Path(__file__).parents[1] / "docs" / "reliability.md"


def note(trial: str, counts: str) -> None:
    """What a trial found, in words and numbers."""
    row = f"| {trial} | {counts} | {datetime.now(UTC):%Y-%m-%d} |"
    lines = PAGE.read_text("utf-8").rstrip("\n").split("\n")
    mine = [number for number, line in enumerate(lines) if line.startswith(f"| {trial} |")]
    if mine:
        lines[mine[0]] = row
    else:
        lines.append(row)
    PAGE.write_text("\n".join(lines) + "\n", "utf-8")
