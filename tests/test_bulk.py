"""The fast path and the audit give the same answer on every hand: generated, spoilt, and by mutation."""

import random
import sys

import pytest

from ingest.batch import judge
from ingest.bulk import available, judge_all
from ingest.bulk.prove import KERNEL, is_plain
from ingest.bulk.table import PlayTable, mark_of, slot_of
from ingest.logs import Entry
from ingest.record import Unreadable, read_record
from ingest.rules.ruleset import Ruleset, builtin_names, load, load_any
from ingest.simulate import hands

pytestmark = pytest.mark.skipif(not available(), reason="Numba is not installed")


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
    lines = list(hands(law, 400 if isinstance(law, Ruleset) else 60, seed=11, faults=0.4))
    proved = assert_same(entries(lines))
    assert (proved > 80) == (isinstance(law, Ruleset) and is_plain(law))


@pytest.mark.parametrize("rules", ["classic", "call-score", "platform", "emperor", "two-player", "openspiel"])
def test_fast_path_and_audit_agree_on_hands_changed_by_one_letter(rules: str) -> None:
    rng = random.Random(5)
    lines = []
    for line in hands(load(rules), 150, seed=12):
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


def test_a_small_log_never_loads_compiled_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, KERNEL, raising=False)
    given = entries(list(hands(load("classic"), 20, seed=1)))
    assert all(judged.hand is not None for judged in judge_all(given))
    assert KERNEL not in sys.modules


def test_the_table_finds_every_play_that_it_learned() -> None:
    table = PlayTable(load("classic"))
    rng = random.Random(3)
    plays = [sum(rng.randint(0, 3) << 4 * rank for rank in rng.sample(range(15), 3)) or 1 for _ in range(3000)]
    table.learn(plays)
    for counts in plays:
        slot = slot_of(counts, table.slots.size)
        while table.slots[slot] and int(table.slots[slot]) != counts:
            slot = (slot + 1) % table.slots.size
        assert int(table.slots[slot]) == counts


def test_reading_names_have_different_marks() -> None:
    from ingest.record import READING_NAMES

    assert len({mark_of(name) for name in READING_NAMES}) == len(READING_NAMES)
