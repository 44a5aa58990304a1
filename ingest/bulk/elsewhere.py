"""The one assessor of a process that was started to assess blocks: made when it begins, and asked block by block."""

import numpy as np
from numpy.typing import NDArray

from ingest.bulk.assessing import Assessed, Assessor
from ingest.faults import Language

_assessors: list[Assessor] = []


def begin(rules: str | None, secret: NDArray[np.uint64], language: Language | None) -> None:
    """Make the assessor; of whatever was assessed before nothing is left but what was learned."""
    _assessors[:] = [Assessor(rules, secret, language)]


def assess(source: str, line: int, text: bytes) -> Assessed:
    """As ``Assessor.assess``."""
    return _assessors[0].assess(source, line, text)
