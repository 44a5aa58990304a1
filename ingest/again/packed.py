"""Stored hands that are audited by what was packed of them, with what was said of each.

Knows which hands are audited together. How, says ``ingest.bulk.reassessing``, which is loaded here.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import pyarrow.compute as pc
from numpy.typing import NDArray

from ingest.again.alone import not_alone
from ingest.again.said import Said
from ingest.again.stored import Group
from ingest.batch import quiet_collector
from ingest.bulk.packing import Unpacker
from ingest.bulk.reassessing import Reassessor, Stored, StoredLines
from ingest.bulk.reported import Verdicts
from ingest.rules.ruleset import builtin_names
from ingest.store import Manifest
from ingest.store.known import CUT_OFF

TOGETHER = 8_192
"""Hands that are audited together."""


class Packed:
    """Audits the hands of one store."""

    def __init__(self, store: Path, manifest: Manifest) -> None:
        self._not_alone = not_alone(store, manifest)
        self.named = Unpacker(builtin_names()).named

    def verdicts(self, found: Iterable[Group], rules: str | None) -> Iterator[tuple[Said, Verdicts]]:
        """The verdicts on hands, with what was said of them."""
        reported: defaultdict[str, set[str]] = defaultdict(set)
        with quiet_collector(), Reassessor(rules) as audit:
            for group in found:
                for some in _together(group):
                    yield some.said, audit.verdicts(_stored(some, reported, self._not_alone))


def _together(group: Group) -> Iterator[Group]:
    """Hands of one file, one after another."""
    size = len(group.said)
    ends = pc.indices_nonzero(pc.invert(group.said.goes_on())).to_pylist() if size else []
    begin = 0
    for end in (*(end + 1 for end in ends), size):
        for first in range(begin, end, TOGETHER):
            yield group.slice(first, min(first + TOGETHER, end))
        begin = end


def _stored(group: Group, reported: defaultdict[str, set[str]], not_alone: NDArray[np.int64]) -> Stored:
    hands, numbers = group.said.hands, group.said.hands["hand"].to_numpy()
    source = group.said.log
    lines = StoredLines(
        source, 0, b"", reported[source], texts=group.texts_of, numbers=hands["line"].to_numpy(),
        cut=frozenset(np.flatnonzero(np.isin(numbers, group.said.codes.having(CUT_OFF))).tolist()),
    )  # fmt: skip
    return Stored(lines, group.packed, ~np.isin(numbers, not_alone))
