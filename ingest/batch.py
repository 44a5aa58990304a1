"""The audit of whole logs: entries in, verdicts out, in the same order.

Adds to the audit of single hands what records say about one another: the same hand twice, the same id for two hands,
void hands, balances and the bank that run on at a table (R104, R106, R108, R109, A310, D206, S605).
"""

import gc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from msgspec import Struct

from ingest.audit import examine
from ingest.audit_tricks import examine_tricks
from ingest.faults import STOPPING, Finding
from ingest.hand import Story, unreadable, verdict_of
from ingest.identity import Identity, identity
from ingest.logs import Entry
from ingest.memory import InLedgers, Memory, Place, TableState
from ingest.record import Record
from ingest.rules.falling import next_to_speak
from ingest.rules.ruleset import AnyRuleset, Ruleset, TrickRuleset, builtin_names, load_any
from ingest.verdict import Verdict, judgement, with_findings


class Judged(Struct, frozen=True):
    """One entry of a log, audited by itself."""

    entry: Entry
    verdict: Verdict
    hand: Story | None = None
    """The hand as far as it was audited; None where the entry is no record."""
    identity: Identity | None = None
    """What the hand is recognised by; None where there is no hand."""


class Audited(Struct, frozen=True):
    """One entry of a log with its verdict among the entries before it."""

    entry: Entry
    verdict: Verdict
    hand: Story | None = None
    identity: Identity | None = None
    counted: bool = True
    """False for the same hand again (R108) and for what is no hand."""


def judge(entry: Entry, rules: str | None = None, known: Identity | None = None) -> Judged:
    """Audit one entry by itself. ``rules``: a ruleset for every record, in place of its own; else built-in ones only.
    ``known``: what its hand is recognised by, where that has been told already.

    Raises ``BadRuleset`` or ``UnknownRuleset`` only for ``rules``: a record must not make us open files.
    """
    record = entry.record
    if record is None:
        return Judged(entry, _no_record(entry))
    ruleset = ruleset_of(record, rules)
    if ruleset is None:
        finding = Finding("R104", details={"given": record.rules})
        return Judged(entry, unreadable(finding, entry.source, entry.line, record))
    hand = examine_tricks(record, ruleset) if isinstance(ruleset, TrickRuleset) else examine(record, ruleset)
    verdict = verdict_of(hand, entry.source, entry.line)
    return Judged(entry, with_findings(verdict, entry.findings), hand, known or identity(record))


def builtin(name: str | None) -> AnyRuleset | None:
    """The built-in ruleset of a name, None for any other name."""
    return load_any(name) if name is not None and name in builtin_names() else None


def ruleset_of(record: Record, rules: str | None) -> AnyRuleset | None:
    """The ruleset that was given for every record, else the built-in one that the record names."""
    return load_any(rules) if rules is not None else builtin(record.rules)


@contextmanager
def quiet_collector() -> Iterator[None]:
    """Let the cyclic collector run rarely: an audit makes many objects and no cycles (a third of its time else)."""
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(100_000, 20, 100)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


class Batch:
    """Audits entries one after another and remembers, in bounded memory, what later ones must agree with."""

    def __init__(self, rules: str | None = None, memory: Memory | None = None) -> None:
        """``memory``: where it remembers; without one it forgets all at the end."""
        self._rules = rules
        self._memory, self._is_mine = memory or InLedgers(), memory is None

    def __enter__(self) -> "Batch":
        return self

    def __exit__(self, *problem: object) -> None:
        if self._is_mine:
            self._memory.close()

    def audit(self, entries: Iterable[Entry]) -> Iterator[Audited]:
        """The verdict on each entry, in order."""
        for entry in entries:
            yield self.place(judge(entry, self._rules))

    def place(self, judged: Judged) -> Audited:
        """The verdict on an entry among those placed before it."""
        entry, record = judged.entry, judged.entry.record
        if record is None or judged.identity is None:
            return Audited(entry, judged.verdict, counted=False)
        clash, again = self._seen(entry, record, judged.identity)
        if clash is not None:
            verdict = unreadable(clash, entry.source, entry.line, record)
            return Audited(entry, verdict, identity=judged.identity, counted=False)
        if again is not None:
            verdict = with_findings(judged.verdict, [again])
            return Audited(entry, verdict, judged.hand, judged.identity, counted=False)
        return self.follow(judged)

    def follow(self, judged: Judged) -> Audited:
        """The verdict on a hand after those of its table that were placed before, whatever hands it is the same as."""
        entry, record, verdict = judged.entry, judged.entry.record, judged.verdict
        if record is not None and record.table is not None:
            verdict = with_findings(verdict, self._follows(entry.source, record.table, record, verdict))
        return Audited(entry, verdict, judged.hand, judged.identity, counted=verdict.verdict != "unreadable")

    def _seen(self, entry: Entry, record: Record, hand: Identity) -> tuple[Finding | None, Finding | None]:
        """R109 where the id stood for another hand in this source, R108 where the same hand stood before."""
        here = Place(entry.source, entry.line, hand)
        place = self._memory.place_of(entry.source, record.id)
        if place is not None:
            if not hand.is_of(place.identity):
                return _points_to("R109", place), None
            return None, _points_to("R108", place)
        self._memory.keep_id(record.id, here)
        same = next((place for place in self._memory.places_of(hand) if hand.is_of(place.identity)), None)
        if same is not None:
            return None, _points_to("R108", same)
        self._memory.keep_hand(here)
        return None, None

    def _follows(self, source: str, table: str, record: Record, verdict: Verdict) -> list[Finding]:
        """A310, D206 and S605 against the record before at this table; and what the next one is held against."""
        before = self._memory.state_of(source, table)
        rules = ruleset_of(record, self._rules)
        players = [self._memory.name(player.id) for player in record.players]
        expected = None if before is None else _voids_expected(before, players, rules)
        self._memory.keep_state(source, table, state_after(record, players, verdict, expected, rules))
        if before is None or any(finding.code[0] in "RD" and finding.code in STOPPING for finding in verdict.findings):
            return []
        findings = _bank_continues(before, record, players, rules) + _balances_continue(before, record, players)
        if expected is not None and expected != record.voids:
            findings.append(Finding("A310", details={"expected": expected, "actual": record.voids}))
        return findings


def _no_record(entry: Entry) -> Verdict:
    findings = list(entry.findings)
    return Verdict(source=entry.source, line=entry.line, verdict=judgement(findings), findings=findings)


def _points_to(code: str, place: Place) -> Finding:
    return Finding(code, details={"source": place.source, "line": place.line})


def counts_voids(rules: AnyRuleset) -> bool:
    """Whether void hands before this one matter to it (E-R12, G-Q8)."""
    if not isinstance(rules, Ruleset):
        return False
    after = rules.void.force_after
    return rules.void.mode != "none" or (after != "none" and after > 1)


def _voids_expected(before: TableState, players: list[str], rules: AnyRuleset | None) -> int | None:
    """How many void hands came directly before; None where the record before does not tell (E-Q18, G-Q8)."""
    if not isinstance(rules, Ruleset) or rules.name != before.rules or not counts_voids(rules):
        return None
    if not rules.void.carry_survives_leave and sorted(players) != sorted(before.players):
        return 0
    return before.voids


def _voids_after(verdict: Verdict, before: int, rules: AnyRuleset | None) -> int | None:
    """What the next record's `voids` must be: void hands in a row, or hands still owed a factor (E-Q2, queue)."""
    if verdict.outcome == "void":
        return before + 1
    if verdict.landlord is None:
        return None
    queued = isinstance(rules, Ruleset) and rules.void.mode == "queue"
    return max(before - 1, 0) if queued else 0


def state_after(
    record: Record, players: list[str], verdict: Verdict, voids: int | None, rules: AnyRuleset | None
) -> TableState:
    """What a hand leaves at its table. ``players``: their names there. ``voids``: how many void hands came before it,
    None where the record alone says so.
    """
    so_far = record.voids if voids is None else voids
    clean = verdict.verdict == "clean"
    starter = next_to_speak(verdict.landlord, verdict.outcome, rules) if rules is not None and clean else None
    return TableState(
        rules=verdict.rules or "",
        players=players,
        voids=_voids_after(verdict, so_far, rules),
        balances=verdict.balances,
        claimed=record.claim.balances if record.claim else None,
        starter=None if starter is None else players[starter],
    )


def _bank_continues(before: TableState, record: Record, players: list[str], rules: AnyRuleset | None) -> list[Finding]:
    """D206: another speaks first than the one whom the last hand named (F-R12, F-R32).

    Says nothing after a faulty hand, whose source may have seen another winner, or where others sit at the table.
    """
    if before.starter is None or rules is None or rules.name != before.rules:
        return []
    actual = record.first if record.first is not None or not record.auction else int(record.auction[0])
    turned = players.index(before.players[0]) if before.players[0] in players else 0
    same = players[turned:] + players[:turned] == before.players and len(set(players)) == len(players)
    if actual is None or not same:
        return []
    expected = players.index(before.starter)
    return [Finding("D206", details={"expected": [expected], "actual": actual})] if actual != expected else []


def _balances_continue(before: TableState, record: Record, players: list[str]) -> list[Finding]:
    """S605: a balance that is not what the player had after the table's last hand (record.md 6, settled details)."""
    if before.balances is None:
        return []
    last = dict(zip(before.players, zip(before.balances, before.claimed or before.balances, strict=False), strict=True))
    actual = [player.balance for player in record.players]
    broken = [
        player
        for player, balance in zip(players, actual, strict=True)
        if balance is not None and player in last and None not in last[player] and balance not in last[player]
    ]
    expected = [last[player][0] if player in last else None for player in players]
    return [Finding("S605", details={"expected": expected, "actual": actual})] if broken else []
