"""The fast path and the audit give the same answer on every hand: generated, spoilt, and by mutation."""

import json
import random
import sys
from typing import Any

import numpy as np
import pytest
from one_fault import WAYS, at_fault_in

from ingest.batch import judge
from ingest.bulk import available, judge_all, warm_up
from ingest.bulk.loaded import KERNEL
from ingest.cards import read_cards
from ingest.identity import identity
from ingest.logs import Entry
from ingest.record import Record, Unreadable, read_record, write_record
from ingest.rules.ruleset import Ruleset, builtin_names, load, load_any
from ingest.simulate import hands

pytestmark = pytest.mark.skipif(not available(), reason="Numba is not installed")

TOLD = [name for name in builtin_names() if name not in ("botzone-v1", "sandaha")]
"""The rulesets whose hands the compiled loop proves."""
READ = ["classic", "platform", "emperor", "two-player"]


def entries(lines: list[bytes]) -> list[Entry]:
    found = []
    for number, line in enumerate(lines, start=1):
        try:
            record, _ = read_record(line)
            found.append(Entry("log", number, line, record))
        except Unreadable as problem:
            found.append(Entry("log", number, line, None, (problem.finding,)))
    return found


def assert_same(given: list[Entry]) -> int:
    """Both paths give the same verdicts and digests; how many hands the fast path proved."""
    proved = 0
    for entry, fast in zip(given, judge_all(given, warm_up=0), strict=True):
        slow = judge(entry)
        assert fast.verdict == slow.verdict, entry.raw
        assert fast.identity == slow.identity, entry.raw
        proved += fast.hand is None and fast.verdict.verdict == "clean"
    return proved


@pytest.mark.parametrize("rules", builtin_names())
def test_fast_path_and_audit_agree_on_generated_and_spoilt_hands(rules: str) -> None:
    law = load_any(rules)
    lines = list(hands(law, 300 if isinstance(law, Ruleset) else 60, seed=11, faults=0.4))
    proved = assert_same(entries(lines))
    assert (proved > 120) == (rules in TOLD)


@pytest.mark.soak
@pytest.mark.parametrize("rules", TOLD)
def test_fast_path_and_audit_agree_on_many_hands(rules: str) -> None:
    for seed in range(20):
        assert_same(entries(list(hands(load(rules), 1000, seed=100 + seed))))
        assert_same(entries(list(hands(load(rules), 1000, seed=200 + seed, faults=1.0))))


@pytest.mark.parametrize("rules", ["classic", "call-score", "platform", "emperor", "two-player", "openspiel"])
def test_fast_path_and_audit_agree_on_hands_changed_by_one_letter(rules: str) -> None:
    rng = random.Random(5)
    lines = []
    for line in hands(load(rules), 100, seed=12):
        place = rng.randrange(len(line))
        for letter in rng.sample(b'0123456789:-@= ABCDHJKQRST"', 3):
            lines.append(line[:place] + bytes([letter]) + line[place + 1 :])
    assert_same(entries(lines))


@pytest.mark.parametrize(
    "end", [b' 0:-"', b' "', b'@"', b'@x"', b'=solo"', b'=trio"', b'=nonsense"', b'!"', b'  0:-"', b'\\u00e4"']
)
def test_fast_path_and_audit_agree_on_strange_ends_of_the_plays(end: bytes) -> None:
    lines = [line for line in hands(load("classic"), 40, seed=13) if b'"plays":"' in line]
    changed = []
    for line in lines:
        start = line.index(b'"plays":"') + len(b'"plays":"')
        stop = line.index(b'"', start)
        changed.append(line[:stop] + end + line[stop + 1 :])
    assert_same(entries(changed))


@pytest.mark.parametrize("way", WAYS)
def test_fast_path_and_audit_agree_on_hands_at_fault_in_one_way(way: str) -> None:
    given = entries(at_fault_in(way, 40))
    assert_same(given)
    codes = {finding.code for entry in given for finding in judge(entry).verdict.findings}
    assert codes >= {*WAYS[way].codes.split()}


def hidden(line: bytes, rng: random.Random) -> bytes:
    """The same hand as a player saw it, who left before the end."""
    told = json.loads(line)
    seat = rng.randrange(len(told["players"]))
    if told.get("hands"):
        told["hands"] = [cards if at == seat else None for at, cards in enumerate(told["hands"])]
        told["bottom"] = None
    return json.dumps(told | {"end": f"escape:{rng.randrange(6)}"}, ensure_ascii=False).encode()


@pytest.mark.parametrize("rules", builtin_names())
def test_what_hands_are_recognised_by_agree_on_generated_and_spoilt_hands(rules: str) -> None:
    """As arrays and as records, whatever was played, and with letters changed anywhere in it."""
    from ingest.bulk.blocks import Reader
    from ingest.bulk.layout import DIGESTS, Number
    from ingest.bulk.unproven import Identifier, identity_of

    rng = random.Random(rules)
    given = entries(list(hands(load_any(rules), 60, seed=14, faults=0.5)))
    lines = [entry.raw for entry in given if entry.record is not None and entry.record.players]
    lines += [hidden(line, rng) for line in lines]
    for line in lines[:]:
        for letter in rng.sample(b'0123456789:-@=! ABCDHJKQRSTescap"', 8):
            place = rng.randrange(len(line))
            lines.append(line[:place] + bytes([letter]) + line[place + 1 :])
    lines = [line.replace(b"\n", b" ") for line in lines]
    block = Reader(builtin_names()).read(b"".join(line + b"\n" for line in lines))
    digests = np.zeros((len(block.is_read), DIGESTS), np.uint64)
    known = Identifier().identify(block, np.flatnonzero(block.is_read), digests)
    for row in np.flatnonzero(known):
        record, _ = read_record(block.bytes_of(block.numbers[row, Number.START], block.numbers[row, Number.STOP]))
        assert identity_of(digests[row], len(record.players)) == identity(record), record
    assert known.sum() > (len(lines) // 5 if rules in TOLD else -1)


def test_players_are_put_in_the_order_of_all_of_their_ids() -> None:
    rng = random.Random(6)
    ids = [
        "p",
        "player-",
        "player-1",
        "player-10",
        "player-1é",
        "player-2",
        "玩家一一",
        "玩家一二",
        "x" * 130,
        "x" * 200,
    ]
    given = []
    for line in hands(load("classic"), 60, seed=15):
        told = json.loads(line)
        for player, id in zip(told["players"], rng.sample(ids, len(told["players"])), strict=True):
            player["id"] = id
        given.append(json.dumps(told, ensure_ascii=False).encode())
    assert assert_same(entries(given)) == len(given)


# The strict reader


def read_by_both(lines: list[bytes]) -> int:
    """The reader reads nothing that ``read_record`` does not, and what it reads is the same; how many lines it read."""
    from ingest.bulk.blocks import Reader

    block = Reader(builtin_names()).read(b"".join(line + b"\n" for line in lines))
    texts, numbers = block.texts, block.numbers
    written = [line for line in lines if line.strip()]
    assert len(written) == len(block.is_read)
    for row, line in enumerate(written):
        assert block.bytes_of(numbers[row, 1], numbers[row, 2]) == line.rstrip(b"\r")
        if block.is_read[row]:
            record, unknown = read_record(line)
            assert not unknown
            assert as_columns(record) == as_read(block, texts[row], numbers[row]), line
    return int(block.is_read.sum())


def as_columns(record: Record) -> dict[str, Any]:
    """The texts and numbers of a record by the names of the columns."""
    claim, players = record.claim, record.players
    told: dict[str, Any] = {
        name.upper(): getattr(record, name)
        for name in "id rules table bottom dead marker auction taken trump buried end base voids first landlord".split()
    }
    told |= {"PLAYS": record.plays, "OPEN": record.open, "PLAYER": [p.id for p in players]}
    told |= {"BALANCE": [p.balance for p in players], "BOT": [p.bot for p in players], "HAND": record.hands}
    if claim is not None:
        told |= {"CLAIMED_LANDLORD": claim.landlord, "CLAIMED_MULTIPLIER": claim.multiplier, "CLAIMED_BID": claim.bid}
        told |= {"WINNER": claim.winners, "SCORE": claim.scores, "CLAIMED_BALANCE": claim.balances}
    if record.at is not None:
        offset = record.at.utcoffset()
        assert offset is not None
        seconds = (record.at.hour * 60 + record.at.minute) * 60 + record.at.second - int(offset.total_seconds())
        whole = (record.at.toordinal() - 719163) * 86400 + seconds
        told |= {"AT": whole * 1_000_000 + record.at.microsecond, "OFFSET": offset.total_seconds() // 60}
    return {name: value for name, value in told.items() if value is not None}


def as_read(block: Any, texts: Any, numbers: Any) -> dict[str, Any]:
    """The same from the flat arrays."""
    from ingest.bulk.layout import ABSENT, DECODED, Number, Text

    def text(column: int) -> str | None:
        return None if texts[column, 0] < 0 else block.bytes_of(*texts[column]).decode()

    def each(column: int, count: int) -> list[Any] | None:
        return None if count < 0 else [None if n == ABSENT else int(n) for n in numbers[column : column + count]]

    seats = int(numbers[Number.PLAYERS])
    told: dict[str, Any] = {c.name: text(c) for c in Text if c < Text.HAND and c not in DECODED and c != Text.AT}
    told |= {c.name: None if numbers[c] in (-1, ABSENT) else int(numbers[c]) for c in (Number.FIRST, Number.LANDLORD)}
    told |= {"BASE": int(numbers[Number.BASE]), "VOIDS": int(numbers[Number.VOIDS]), "OPEN": numbers[Number.OPEN] == 1}
    told |= {"PLAYS": told["PLAYS"] or "", "PLAYER": [text(Text.PLAYER + seat) for seat in range(seats)]}
    told |= {"BALANCE": each(Number.BALANCE, seats)}
    told |= {"BOT": [None if flag == -1 else flag == 1 for flag in numbers[Number.BOT : Number.BOT + seats]]}
    if numbers[Number.HANDS] >= 0:
        told["HAND"] = [text(Text.HAND + seat) for seat in range(numbers[Number.HANDS])]
    if numbers[Number.CLAIMS] == 1:
        landlord = int(numbers[Number.CLAIMED_LANDLORD])
        told |= {"CLAIMED_LANDLORD": None if landlord == -1 else landlord}
        for c in (Number.CLAIMED_MULTIPLIER, Number.CLAIMED_BID):
            told[c.name] = None if numbers[c] == ABSENT else int(numbers[c])
        told |= {"WINNER": each(Number.WINNER, numbers[Number.WINNERS])}
        told |= {"SCORE": each(Number.SCORE, numbers[Number.SCORES])}
        told |= {"CLAIMED_BALANCE": each(Number.CLAIMED_BALANCE, numbers[Number.BALANCES])}
    if texts[Text.AT, 0] >= 0:
        told |= {"AT": int(numbers[Number.AT]), "OFFSET": int(numbers[Number.OFFSET])}
    return {name: value for name, value in told.items() if value is not None}


@pytest.mark.parametrize("rules", READ)
def test_the_reader_reads_every_record_that_is_written(rules: str) -> None:
    lines = list(hands(load(rules), 120, seed=21))
    assert read_by_both(lines) == len(lines)
    spaced = [json.dumps(json.loads(line), ensure_ascii=False).encode() for line in lines]
    assert read_by_both(spaced) == len(lines)


@pytest.mark.parametrize("rules", READ)
def test_the_reader_reads_nothing_that_is_no_record(rules: str) -> None:
    """Bytes put in, taken out and changed anywhere."""
    rng = random.Random(rules)
    lines = list(hands(load(rules), 60, seed=22))
    damaged = []
    for line in lines * 12:
        place, what = rng.randrange(len(line)), rng.randrange(4)
        letter = bytes([rng.choice((*b'{}[]",:\\0123456789-+.eEnulltrufas \t\r', rng.randrange(256)))])
        letter = b"?" if letter == b"\n" else letter
        put, rest = (letter if what < 2 else b""), line[place + (what != 1) :]
        damaged.append(line[:place] + put + rest if what < 3 else line[:place])
    assert read_by_both(damaged) > 0


STRANGE = [
    *(b'"extra":' + value for value in (b"{}", b"[]", b'[[],{"a":[1,{"b":null}]}]', b"1", b"-0", b"1.5", b"1e3")),
    *(b'"extra":' + value for value in (b"[1,]", b"{,}", b'{"a"}', b"01", b"[" * 40 + b"]" * 40, b'"\\ud800"', b"+1")),
    *(b'"at":"' + at + b'"' for at in (b"2026-02-29T00:00:00Z", b"2024-02-29T23:59:59.123456-11:30", b"2026-11-30")),
    *(b'"at":"' + at + b'"' for at in (b"2026-01-01T24:00:00Z", b"2026-01-01T00:00:60Z", b"0001-01-01T00:00:00+05:00")),
    *(b'"base":' + n for n in (b"0", b"1.0", b"01", b'"1"', b"true", b"null", b"-1", b"999999999999999999", b"1e2")),
    *(b'"voids":' + n for n in (b"0", b"1001", b"null", b"-0")), b'"open":1', b'"open":null', b'"first":100',
    *(b'"tags":' + t for t in (b"{}", b'{"a":"\\u4e00"}', b'{"a":1}', b'{"a":null}', b'{"a":"b",}', b"null")),
    *(b'"claim":' + c for c in (b"{}", b"null", b'{"scores":[]}', b'{"scores":[1,2,3,4,5]}', b'{"bid":1,"bid":2}')),
    *(b'"claim":' + c for c in (b'{"winners":[null]}', b'{"balances":[null,1]}', b'{"other":1}', b'{"landlord":null}')),
    b'"table":"\\u4e00"', b'"table":"\xe5\xb8\x82"', b'"table":"\xff"', b'"table":"\xc0\x80"',
    b'"table":"\xed\xa0\x80"', b'"table":null', b'"id":"again"', b'"unknown":1',
    b'"plays":null', b'"hands":null', b'"hands":[null,null,null]',
    b'"marker":"\t"', b'"end":"void"', b'"landlord":2', b'"rules":"nothing"', b'"rules":"class"', b'"rules":"classy"',
]  # fmt: skip


def test_the_reader_reads_strange_fields_as_records_are_read_or_not_at_all() -> None:
    base = b'{"id":"a","players":[{"id":"x","bot":null},{"id":"y","balance":-5},{"id":"\xe5\xb8\x82"}],'
    lines = [base + field + b"}" for field in STRANGE]
    lines += [b"", b"  \t", b"{}", b"[]", b"null", b'{"id":"a"}', b'{"id":"","players":[]}', base[:-1] + b"}\r\r", base]
    lines += [base[:-1] + b"} x", base[:-1] + b",}", b" " + base[:-1] + b"}", base[:-1] + b"} \t", b"\xef\xbb\xbf{}"]
    assert read_by_both(lines) > len(STRANGE) // 3


# What is learned


@pytest.mark.parametrize("words", [1, 3])
def test_a_table_finds_every_key_and_no_other(words: int) -> None:
    from ingest.bulk.compiled.law import FAULT
    from ingest.bulk.compiled.learned import EMPTY, find, find_word
    from ingest.bulk.compiled.machine import outer
    from ingest.bulk.tables import Table, distinct

    rng = np.random.default_rng(3)
    keys = distinct(rng.integers(1, 400 // words, (3000, words)).astype(np.uint64))
    table = Table(words)
    for start in range(0, len(keys), 500):
        part = keys[start : start + 500]
        table.put(part, np.arange(start, start + len(part), dtype=np.int64) + FAULT)
    looked_up = outer(lambda table, words, row: find(table, words, row))
    of_one = outer(lambda table, words, row: find_word(table, words[row, 0]))
    expected = [number + FAULT for number in range(len(keys))]
    assert [looked_up(table.slots, keys, row) for row in range(len(keys))] == expected
    absent = np.array([[401, 0, 0][:words]], np.uint64)
    assert looked_up(table.slots, absent, 0) == EMPTY
    if words == 1:
        assert [of_one(table.slots, keys, row) for row in range(len(keys))] == expected
        assert of_one(table.slots, absent, 0) == EMPTY


def test_a_declared_play_is_found_once_it_is_learned(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where no play without a declared reading has stood in a grid so large: it was asked for without end."""
    from ingest.bulk.compiled.law import NAME_BITS
    from ingest.bulk.compiled.learned import EMPTY
    from ingest.bulk.compiled.machine import outer
    from ingest.bulk.compiled.replay import find_play
    from ingest.bulk.learning import NAMES, Learned

    monkeypatch.setattr("ingest.bulk.tables._SIDE", 1)
    learned, look_up = Learned(load("classic")), outer(lambda law, counts, on, name: find_play(law, counts, on, name))
    counts, pair = read_cards("33").counts, NAMES.index("pair") + 1
    assert look_up(learned.law(), np.uint64(counts), 0, pair) == EMPTY
    assert learned.learn_plays(np.array([[counts, pair << NAME_BITS]], np.uint64))
    assert not learned.learn_plays(np.array([[counts, pair << NAME_BITS]], np.uint64))
    number = look_up(learned.law(), np.uint64(counts), 0, pair)
    assert [str(reading) for reading in learned.standings[number].readings] == ["pair 3"]
    assert look_up(learned.law(), np.uint64(counts), 0, 0) == EMPTY
    assert learned.learn_plays(np.array([[counts, 0]], np.uint64))
    assert look_up(learned.law(), np.uint64(counts), 0, 0) == number


def test_what_is_full_goes_to_the_audit(monkeypatch: pytest.MonkeyPatch) -> None:
    from ingest.bulk import learning, proofs

    lines = list(hands(load("platform"), 100, seed=31))
    for limit in ("MOST_PLAYS", "MOST_AUCTIONS", "MOST_WORTHS"):
        monkeypatch.setattr(learning, limit, 300 if limit == "MOST_PLAYS" else 60)
        proofs.prover_of.cache_clear()
        assert assert_same(entries(lines)) > 0
        monkeypatch.undo()
    proofs.prover_of.cache_clear()


def test_a_record_in_another_spelling_is_proven_all_the_same() -> None:
    line = next(line for line in hands(load("classic"), 9, seed=1) if b'"plays"' in line)
    record = read_record(line)[0]
    strange = line.replace(b'"id":"', b'"id":"\\u0078', 1)
    given = [Entry("log", 1, strange, read_record(strange)[0]), Entry("log", 2, b"", record, (), "other")]
    assert assert_same(given) == 2
    assert write_record(record) == line


def test_a_small_log_never_loads_compiled_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, KERNEL, raising=False)
    given = entries(list(hands(load("classic"), 20, seed=1)))
    assert all(judged.hand is not None for judged in judge_all(given))
    assert KERNEL not in sys.modules


def test_a_person_is_told_what_takes_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    from ingest.bulk import judging
    from ingest.bulk.compiled import machine

    given, told = entries(list(hands(load("classic"), 3, seed=1))), list[str]()
    with monkeypatch.context() as here:
        here.setattr(judging, "KERNEL", "ingest.bulk.nothing")
        here.setattr(machine, "is_compiled", lambda: False)
        assert len(list(judge_all(given, warm_up=2, telling=told.append))) == len(given)
        assert told == ["compiling"]
        here.setattr(judging, "available", lambda: False)
        assert len(list(judge_all(given, warm_up=2, telling=told.append))) == len(given)
    assert told == ["compiling", "no_numba"]
    list(judge_all(given[:2], warm_up=2, telling=told.append))
    assert len(told) == 2


def test_numba_that_may_not_compile_is_as_if_it_were_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    assert not available()
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "0")
    assert available()


def test_warming_up_compiles_for_the_next_process() -> None:
    from ingest.bulk.compiled.machine import is_compiled

    assert warm_up()
    assert is_compiled()
