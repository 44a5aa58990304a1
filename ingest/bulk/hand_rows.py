"""Proven hands as rows of ``hands``, without a Python object for each.

Knows which columns depend on what: on the settlement, on the auction, on the record alone. What they mean says
``ingest.store.schema``; how a hand that is not proven gets them, ``ingest.store.sketches``.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ingest.bulk import columns
from ingest.bulk.arrays import column, keys, listed, numbers, same, seats_or_none, texts_at
from ingest.bulk.clock_columns import clock_columns
from ingest.bulk.deal_columns import deal_columns
from ingest.bulk.digests_kernel import digests_of
from ingest.bulk.layout import ABSENT, Fact, Number, Text
from ingest.bulk.learning import Worth
from ingest.bulk.proven import Ints, Proven
from ingest.bulk.turns import DID
from ingest.store.digests import file_of
from ingest.store.schema import HANDS, ZONE
from ingest.store.sketches import DAY, FACTORS, FIRST_DAY, LAST_DAY, SETTLED, SHANGHAI, ahead, digest_of, entered

Columns = dict[str, pa.Array]
_AT = {name: place for place, name in enumerate(DID)}
_TAGS = msgspec.json.Decoder(dict[str, str])


def hand_columns(told: Proven, source: str, first: int, zone: str, notes: Ints) -> Columns:
    """The columns of ``hands`` but its number. ``first``: the block's first line; ``notes``: how many on each."""
    proof, rows, rules, size = told.proof, told.rows, told.rules, told.size
    of_row, texts, bytes_ = proof.block.numbers[rows], proof.block.texts[rows], proof.block.text
    is_open = of_row[:, Number.OPEN] == 1
    found: Columns = {
        "source": same(source, size),
        "line": column(HANDS, "line", first + of_row[:, Number.LINE]),
        "id": texts_at(bytes_, texts[:, Text.ID]),
        "rules": same(rules.name, size),
        "rules_digest": same(digest_of(rules), size),
        "table_id": texts_at(bytes_, texts[:, Text.TABLE]),
        **_moment(of_row[:, Number.AT], of_row[:, Number.OFFSET], zone),
        "base": column(HANDS, "base", of_row[:, Number.BASE]),
        "voids": column(HANDS, "voids", of_row[:, Number.VOIDS]),
        "verdict": same("clean", size),
        "counted": same(True, size, "flag"),
        "landlord": seats_or_none(HANDS, "landlord", told.landlord),
        "bid": of_each(told, Fact.AUCTION, lambda number: proof.learned.auctions[number].bid, "bid"),
        **_worths(told),
        "claimed_landlord": seats_or_none(HANDS, "claimed_landlord", of_row[:, Number.CLAIMED_LANDLORD]),
        "claimed_bid": numbers(HANDS, "claimed_bid", of_row[:, Number.CLAIMED_BID]),
        "claimed_multiplier": numbers(HANDS, "claimed_multiplier", of_row[:, Number.CLAIMED_MULTIPLIER]),
        "players": column(HANDS, "players", np.full(size, told.players)),
        **_happened(told),
        "open": column(HANDS, "open", is_open) if rules.open.enabled else pa.nulls(size, pa.bool_()),
        "ended": texts_at(bytes_, texts[:, Text.END]),
        "moves": column(HANDS, "moves", np.diff(told.play.firsts)),
        **deal_columns(told),
        **clock_columns(told),
        "faults": column(HANDS, "faults", np.zeros(size)),
        "notes": column(HANDS, "notes", notes),
        "tags": _tags(told, texts[:, Text.TAGS]),
        **columns.digests(proof, rows),
        **_entries(told, source),
    }
    return found


def of_each(told: Proven, fact: Fact, ask: Callable[[int], Any], name: str) -> pa.Array:
    """A column whose value depends on one fact of a hand alone."""
    few, places = np.unique(told.proof.facts[told.rows, fact], return_inverse=True)
    return listed(HANDS, name, [ask(number) for number in few.tolist()]).take(pa.array(places.ravel()))


def _worths(told: Proven) -> Columns:
    """What depends on the settlement alone."""
    few, places = np.unique(told.proof.facts[told.rows, Fact.SETTLEMENT], return_inverse=True)
    known, worths = told.proof.learned.of_worths(_worth), told.proof.learned.worths
    rows = [known.get(number) or known.setdefault(number, _worth(worths[number])) for number in few.tolist()]
    names = ["outcome", *(f"factor_{name}" for name in FACTORS), "multiplier", "unit", "balanced"]
    by_column = zip(*rows, strict=True) if rows else [()] * len(names)
    taken = pa.array(places.ravel())
    return {name: listed(HANDS, name, values).take(taken) for name, values in zip(names, by_column, strict=True)}


def _worth(worth: Worth) -> tuple[Any, ...]:
    settled = worth.settled
    factors = entered(settled.multiplier, settled.factors)
    return worth.outcome, *factors, settled.multiplier, settled.unit, sum(settled.scores or ()) == 0


def _moment(micros: Any, offsets: Any, zone: str) -> Columns:
    """began, utc_offset, day."""
    dated = micros != ABSENT
    few, places = np.unique(np.where(dated, offsets, 0), return_inverse=True)
    written = listed(HANDS, "utc_offset", [_offset(minutes) for minutes in few.tolist()])
    began = numbers(HANDS, "base", micros).cast(HANDS.schema.field("began").type)
    shift = np.full(len(micros), SHANGHAI, np.int64)
    for row in np.flatnonzero(dated & ((micros <= SETTLED) | (zone != ZONE))).tolist():
        shift[row] = ahead(int(micros[row]), zone)
    days = np.where(dated, (np.where(dated, micros, 0) + shift) // DAY, 0).astype(np.int32)
    in_calendar = dated & (days >= FIRST_DAY) & (days <= LAST_DAY)
    return {
        "began": began,
        "utc_offset": written.take(pa.array(places.ravel(), mask=~dated)),
        "day": pa.array(days, mask=~in_calendar).cast(pa.date32()),
    }


def _offset(minutes: int) -> str:
    hours, left = divmod(abs(minutes), 60)
    return f"{'-' if minutes < 0 else '+'}{hours:02}:{left:02}"


def _happened(told: Proven) -> Columns:
    """bombs … robs: what happened, whatever it is worth; null where nothing was played."""
    did, void, proof = told.did, told.is_void, told.proof
    outcome = proof.facts[told.rows, Fact.OUTCOME]
    plays = did[:, : told.players, _AT["plays"]]
    own = np.take_along_axis(plays, np.maximum(told.landlord, 0)[:, None], 1)[:, 0]
    return {
        "bombs": column(HANDS, "bombs", did[:, :, _AT["bombs"]].sum(axis=1), void),
        "rockets": column(HANDS, "rockets", did[:, :, _AT["rockets"]].sum(axis=1), void),
        "spring": column(HANDS, "spring", (outcome == 1) & (plays.sum(axis=1) == own), void),
        "anti_spring": column(HANDS, "anti_spring", (outcome == 0) & (own == 1), void),
        "robs": listed(HANDS, "robs", [each.robs for each in told.spoken.few]).take(pa.array(told.spoken.which)),
    }


def _tags(told: Proven, spans: NDArray[np.int32]) -> pa.Array:
    """The tags as they are written anew; there are few different ones."""
    told_apart = texts_at(told.proof.block.text, spans, "bytes").dictionary_encode()
    few = listed(HANDS, "tags", [_written(each) for each in told_apart.dictionary.to_pylist()])
    return few.take(told_apart.indices)


@lru_cache(maxsize=1 << 12)
def _written(tags: bytes) -> str:
    return msgspec.json.encode(_TAGS.decode(tags)).decode()


def _entries(told: Proven, source: str) -> Columns:
    """entry, id_digest: of file and line together, of file and id."""
    block, file = told.proof.block, file_of(source) + b"\n"
    spans = {
        "entry": block.numbers[told.rows][:, [Number.START, Number.STOP]],
        "id_digest": block.texts[told.rows, Text.ID].astype(np.int64),
    }
    return {name: keys(digests_of(file, block.text, each[:, 0], each[:, 1], 16)) for name, each in spans.items()}
