"""A hand under audit, whatever the game: what was found, what it was worth, what its record claims.

Knows how an answer is put together (record.md 5). How a hand is played is told in ``audit`` and ``audit_tricks``.
"""

from collections.abc import Sequence

from msgspec import Struct

from ingest.faults import STOPPING, Finding, Language
from ingest.record import Call, Claim, Move, Record, escapee, impossible
from ingest.rules.deal import Dealt
from ingest.rules.ruleset import AnyRuleset, Ruleset
from ingest.rules.settlement import Settlement, base_of
from ingest.verdict import Outcome, Verdict, judgement


class Story(Struct):
    """A record, and what each phase of its audit made of it as far as the audit came."""

    record: Record
    rules: AnyRuleset
    findings: list[Finding] = []
    dealt: Dealt | None = None
    first: int | None = None
    landlord: int | None = None
    bid: int | None = None
    calls: list[Call] = []
    moves: list[Move] = []
    settled: Settlement | None = None
    outcome: Outcome = "unfinished"
    over: bool = False
    """Whether nothing is left to judge, by a stopping fault or because the hand was given up."""
    details: dict[str, int] | None = None
    """What else went into the score, for people to follow the sum."""

    def found(self, findings: Sequence[Finding]) -> None:
        """Keep findings; a stopping one ends the audit of this hand."""
        if not findings:
            return
        self.findings += findings
        self.over = self.over or any(finding.code in STOPPING for finding in findings)

    def in_full(self) -> list[int] | None:
        """By seat, the scores if everybody had what he owes; None where nothing is settled."""
        return None if self.settled is None else self.settled.scores

    def judged_moves(self) -> int:
        """How many of the plays were judged."""
        return 0

    def readings_of(self, index: int) -> list[tuple[str, int]]:  # noqa: ARG002 - each game answers it its own way
        """Name and length of everything that a play stands for; nothing for a pass or a play not judged."""
        return []


class Term(Struct, frozen=True):
    """One term of the product that is the unit."""

    name: str
    value: int
    count: int | None = None


def terms_of_unit(story: Story, verdict: Verdict) -> list[Term] | None:
    """base × bid × each factor; None where there is nothing to pay or the pay is no product."""
    if verdict.unit is None or verdict.outcome == "void" or not is_zero_sum(story.rules):
        return None
    terms = [Term("base", base_paid(story))]
    if isinstance(story.rules, Ruleset):
        terms.append(Term("bid", verdict.bid or 0 if story.rules.score.bid_factor == "bid" else 1))
    return [*terms, *(Term(factor.name, factor.factor, factor.count) for factor in verdict.factors)]


def base_paid(story: Story) -> int:
    """What a score of 1 is worth in points: the record's 底分 unless the ruleset has its own or counts no points."""
    base = story.record.base
    return base_of(base, story.rules) if isinstance(story.rules, Ruleset) else base


def role_word(story: Story, seat: int, language: Language) -> str:
    """What the game calls the role of a seat (地主, 帝主, 庄家 …); nothing where there is no landlord."""
    if story.landlord is None:
        return ""
    return role_words(story.rules, language)[seat != story.landlord]


def role_words(rules: AnyRuleset, language: Language) -> tuple[str, str]:
    """What a game calls the landlord and his opponents."""
    return (rules.landlord_zh, rules.farmer_zh) if language == "zh" else (rules.landlord_en, rules.farmer_en)


def is_nonsense(story: Story) -> bool:
    """Whether this cannot be a hand of this game at all (R110, R103)."""
    record, players = story.record, story.rules.deal.players
    if len(record.players) != players:
        story.found([Finding("R110", details={"expected": players, "actual": len(record.players)})])
    elif (nonsense := impossible(record)) is not None:
        story.found([nonsense])
    return story.over


def check_claimed_landlord(story: Story) -> None:
    """A306: who the record says was landlord is not the one that the auction gives."""
    record = story.record
    claims = (record.landlord, record.claim.landlord if record.claim else None)
    wrong = [claim for claim in claims if claim is not None and claim != story.landlord]
    story.found([Finding("A306", details={"expected": story.landlord, "actual": claim}) for claim in wrong[:1]])


def check_void(story: Story, *, void: bool, forced: bool) -> None:
    """A309: void only where nobody bid and nobody is forced; and then nothing is played."""
    said_void = story.record.end == "void"
    if void and said_void and not story.moves:
        story.outcome = "void"
    elif void:
        story.found([Finding("A309", details={"reason": "void_but_played" if story.moves else "void_not_said"})])
    elif said_void:
        story.found([Finding("A309", details={"reason": "landlord_forced" if forced else "landlord_chosen"})])


def check_end(story: Story, left: Sequence[int], *, finished: bool, left_early: bool = False) -> None:
    """P406, P407 and S607: does the record end where the hand does? ``left``: cards that each seat still has."""
    if story.over:
        return
    if finished and story.record.end is not None:
        story.found([Finding("P406", details={"move": story.record.end})])
    if not finished and not left_early:
        story.found([Finding("P407", details={"left": left}), Finding("S607", details={"reason": "unfinished"})])


def verdict_of(story: Story, source: str, line: int) -> Verdict:
    """What an audit answers (record.md 5)."""
    settled, judged = story.settled, judgement(story.findings)
    scores = None if settled is None else settled.scores
    return Verdict(
        source=source,
        line=line,
        id=story.record.id,
        rules=story.rules.name,
        verdict=judged,
        outcome=None if judged == "unreadable" else story.outcome,
        landlord=story.landlord,
        winners=None if scores is None else winners(story),
        bid=story.bid,
        factors=[] if settled is None else settled.factors,
        multiplier=None if settled is None else settled.multiplier,
        unit=None if settled is None else settled.unit,
        scores=scores,
        balances=balances_after(story.record, scores),
        findings=story.findings,
        details=story.details,
    )


def unreadable(finding: Finding, source: str, line: int, record: Record | None = None) -> Verdict:
    """The verdict on a line that is no record."""
    return Verdict(
        source=source,
        line=line,
        id=None if record is None else record.id,
        rules=None if record is None else record.rules,
        verdict=judgement([finding]),
        findings=[finding],
    )


def winners(story: Story) -> list[int]:
    """All seats of the winning side (U-R13); after an escape all but the one who left; nobody in a void hand."""
    seats = range(story.rules.deal.players)
    if story.outcome == "escape":
        return [seat for seat in seats if seat != escapee(story.record)]
    if story.outcome == "void":
        return []
    return [seat for seat in seats if (seat == story.landlord) == (story.outcome == "landlord")]


def balances_after(record: Record, scores: Sequence[int] | None) -> list[int | None] | None:
    """Balance and score together, where balances are known; None where no balance is."""
    before = [player.balance for player in record.players]
    if scores is None or before.count(None) == len(before):
        return None
    return [None if has is None else has + score for has, score in zip(before, scores, strict=True)]


def compare(story: Story, settled: Settlement) -> None:
    """Does the record claim the same? (S601 … S606)"""
    if isinstance(story.rules, Ruleset):
        story.found(_below_the_minimum(story.record, story.rules))
    if story.record.claim is not None:
        story.found(_claims(story, story.record.claim, settled))


def _claims(story: Story, claim: Claim, settled: Settlement) -> list[Finding]:
    findings = []
    won = winners(story)
    if claim.winners is not None and sorted(claim.winners) != won:
        findings.append(Finding("S601", details={"expected": won, "actual": claim.winners}))
    for field, expected, actual in (
        ("multiplier", settled.multiplier, claim.multiplier),
        ("bid", story.bid or 0, claim.bid),
    ):
        if actual is not None and actual != expected:
            findings.append(Finding("S602", details={"field": field, "expected": expected, "actual": actual}))
    if claim.scores is not None and claim.scores != settled.scores:
        findings.append(Finding("S603", details={"expected": settled.scores, "actual": claim.scores}))
    if claim.scores is not None and sum(claim.scores) != 0 and is_zero_sum(story.rules):
        findings.append(Finding("S604", details={"sum": sum(claim.scores)}))
    return findings + _claimed_balances(story.record, claim, settled)


def is_zero_sum(rules: AnyRuleset) -> bool:
    """Whether what one side gets the other pays (RL-R2 and BV-R3 say where not)."""
    return payout(rules) not in ("win_loss", "pattern_points")


def payout(rules: AnyRuleset) -> str:
    """The named way to pay; in 三打哈 each opponent pays or is paid."""
    return rules.score.payout if isinstance(rules, Ruleset) else "each_opponent"


def _claimed_balances(record: Record, claim: Claim, settled: Settlement) -> list[Finding]:
    expected = balances_after(record, settled.scores)
    if claim.balances is None or expected is None:
        return []
    differ = [a for a, b in zip(claim.balances, expected, strict=True) if a is not None and b is not None and a != b]
    return [Finding("S605", details={"expected": expected, "actual": claim.balances})] if differ else []


def _below_the_minimum(record: Record, rules: Ruleset) -> list[Finding]:
    """S606: a player who began the hand with less than the table asks (E-R3)."""
    minimum = rules.balance.min_factor * record.base
    if not minimum:
        return []
    return [
        Finding("S606", seat=seat, details={"balance": player.balance, "minimum": minimum})
        for seat, player in enumerate(record.players)
        if player.balance is not None and player.balance < minimum
    ]
