"""What an audit of whole logs answers with: the verdicts on some entries at a time."""

from collections.abc import Callable, Iterable, Mapping

from msgspec import Struct

from ingest.verdict import Verdict


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

    @property
    def count(self) -> int:
        """How many they are."""
        return self.clean + len(self.others)
