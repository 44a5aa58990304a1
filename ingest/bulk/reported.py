"""What an audit of whole logs answers with: the verdicts on some entries at a time."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from msgspec import Struct

from ingest.verdict import Verdict

if TYPE_CHECKING:
    from ingest.bulk.briefly import Brief

SHORTLY = ("verdict", "outcome", "landlord", "bid", "multiplier", "unit")
"""What of a verdict in short stands in ``hands`` under the same names, in the order of ``Told``."""


class Told(Struct, frozen=True, gc=False):
    """What is said of a hand in short."""

    verdict: str
    outcome: str | None = None
    landlord: int | None = None
    bid: int | None = None
    multiplier: int | None = None
    unit: int | None = None
    scores: list[int | None] | None = None
    codes: list[str] = []
    """The codes of its findings, in order of the alphabet."""


def told_of(verdict: Verdict) -> Told:
    """A verdict in short; a number that has no room in a store is null as there."""
    numbers = {name: _small(getattr(verdict, name)) for name in SHORTLY}
    scores = None if verdict.scores is None else whole([_small(score) for score in verdict.scores])
    return Told(**numbers, scores=scores, codes=sorted(finding.code for finding in verdict.findings))


T = TypeVar("T")


class Change(Struct, Generic[T], frozen=True):
    """A hand of which something else is said now."""

    source: str
    line: int
    id: str | None
    before: T
    after: T


def _small(value: Any) -> Any:
    return None if isinstance(value, int) and not -(1 << 63) <= value < 1 << 63 else value


def whole(scores: list[int | None] | None) -> list[int | None] | None:
    """Scores of which every one is known."""
    return None if scores is None or None in scores else scores


class Verdicts(Struct, frozen=True):
    """The verdicts on some entries of one log, one after another."""

    source: str
    clean: int
    """Hands that are clean and like no other."""
    notes: Mapping[str, int]
    """How often each code stands on these."""
    others: list[Verdict]
    """The verdicts on the other entries, in their order."""
    lines: Callable[[], Iterable[bytes]]
    """The verdicts on all of them as lines of JSON, in their order, where these were asked for."""
    brief: "Callable[[], Brief | None]" = lambda: None
    """The same in short, where that was asked for; None where each is among ``others``."""

    @property
    def count(self) -> int:
        """How many they are."""
        return self.clean + len(self.others)

    def shortly(self) -> Iterator[Told | Verdict]:
        """All of them in short, in their order, where that was asked for."""
        brief = self.brief()
        yield from self.others if brief is None else map(brief.at, range(self.count))
