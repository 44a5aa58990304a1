"""One hand on a page: what was found, how the score came about, every move with its cards, the record as it came."""

import streamlit as st

from dashboard import address, links, markup, numbers, rulebook
from dashboard.bidi import isolated
from dashboard.derivation import Derivation, derivation, left, seat_scores, short
from dashboard.markup import plain
from dashboard.masking import masked
from dashboard.replay import may_tell, name_of, reached, replay, view
from dashboard.roles import outcome
from dashboard.text import TEXTS, chosen, language, reading_name, say
from ingest.batch import Judged
from ingest.faults import CATALOGUE, Fault, Finding, message, severity
from ingest.hand import Story, Term, payout, role_word
from ingest.record import CALL, PASS, ROB, Call, Move
from ingest.scenes import sees_bottom
from ingest.verdict import Verdict

RAW_SHOWN = 20_000
"""Bytes of a raw record that a page shows."""
WON = 2000
"""What Botzone's first judge gives for winning, in thousandths of a point (BV-R3)."""
LONG = 14
"""Letters from which a name may be cut on the page, and stands whole on hover."""
CITED = 6
"""Clauses that stand in the line of a finding; its explanation has all."""
BADGES = {
    "clean": ("green", ":material/check_circle:"),
    "faulty": ("red", ":material/error:"),
    "unreadable": ("orange", ":material/help:"),
}


def show_hand(judged: Judged, ident: str) -> None:
    """Everything about one hand. ``ident``: what tells it from others that the same page may show."""
    judged = _as_asked(judged)
    hand = judged.hand
    seat = None if hand is None else view(hand)
    _heading(judged.verdict)
    replay(judged, ident)
    if hand is not None and seat is not None:
        st.text(say("replay.sight", name=name_of(seat, hand)))
    _findings(judged, seat)
    if hand is not None:
        _score(judged.verdict, hand)
        _moves(hand, judged.verdict.findings, seat)
    if not address.get(address.MASK) and seat is None:
        _raw(judged.entry.raw)


def _as_asked(judged: Judged) -> Judged:
    """The hand, without its players' names where that was asked for."""
    hidden = st.toggle(say("replay.mask"), help=say("replay.mask_help"), **address.flag(address.MASK))
    return masked(judged) if hidden else judged


def _heading(verdict: Verdict) -> None:
    """Where a hand comes from; of a masked one that is not told."""
    source = [verdict.source, say("audit.line", line=verdict.line)] if verdict.source else []
    where = " · ".join([*source, verdict.rules or ""]).rstrip(" ·")
    name = f"<h3 class='fp-plain'>{plain(verdict.id)}</h3>" if verdict.id else ""
    st.html(f"{markup.STYLE}{name}<div class='fp-where fp-plain'>{plain(where)}</div>")
    colour, icon = BADGES[verdict.verdict]
    with st.container(horizontal=True):
        st.badge(say(verdict.verdict), color=colour, icon=icon)
        if verdict.outcome:
            st.badge(outcome(verdict.outcome, verdict.rules), color="gray")


# --- what was found


def _findings(judged: Judged, seat: int | None) -> None:
    st.markdown(f"#### {say('hand.findings')}")
    findings = judged.verdict.findings
    if not findings:
        st.text(say("hand.no_findings"))
    st.html("".join(_finding(finding, judged, seat) for finding in findings) or "<span></span>")
    for code in dict.fromkeys(finding.code for finding in findings):
        with st.expander(say("hand.explanation", code=code), icon=":material/menu_book:"):
            _explanation(CATALOGUE[code], judged.verdict.rules)


def _finding(finding: Finding, judged: Judged, seat: int | None) -> str:
    fault = CATALOGUE[finding.code]
    told = message(finding, language()) if may_tell(finding, seat) else say("replay.not_said")
    where = " · ".join(_where(finding, fault, judged))
    return (
        f'<div class="fp-{severity(finding)} fp-plain"><b>{finding.code}</b> {plain(_title(fault))}'
        f'<div>{plain(told)}</div><div class="fp-where">{plain(where)}</div></div>'
    )


def _where(finding: Finding, fault: Fault, judged: Judged) -> list[str]:
    """Phase, move, player and clauses of a finding."""
    parts = [say(severity(finding)), say(f"phase.{fault.phase}")]
    if finding.index is not None:
        parts.append(say("hand.move", number=finding.index + 1))
    if finding.seat is not None:
        parts.append(_player(finding.seat, judged.hand))
    own = [clause.name for clause in rulebook.about(tuple(fault.clauses), judged.verdict.rules)] or fault.clauses
    clauses = ", ".join(own[:CITED]) + (" …" if len(own) > CITED else "")
    return [*parts, f"{say('hand.clauses')} {clauses}"] if clauses else parts


def _title(fault: Fault) -> str:
    return fault.title_zh if language() == "zh" else fault.title_en


def _explanation(fault: Fault, rules: str | None) -> None:
    """What ``fupan explain`` says, and the clauses that it rests on as far as they are about this game."""
    st.html(
        f'<div class="fp-plain"><b>{fault.code} {plain(_title(fault))}</b>\n'
        f"{plain(chosen(fault.more_zh, fault.more_en))}\n"
        f"{plain(say('hand.stops')) if fault.stops else ''}\n"
        f'<span class="fp-where">{plain(say("hand.clauses"))}: {plain(", ".join(fault.clauses))}</span></div>'
    )
    for clause in rulebook.about(tuple(fault.clauses), rules):
        with st.container(border=True, gap="xsmall"):
            st.html(f'<div class="fp-plain"><b>{clause.name}</b> {plain(clause.text)}</div>')
            links.button("rulebook", say("rulebook.open"), "menu_book", clause=clause.name)


# --- the score


def _score(verdict: Verdict, hand: Story) -> None:
    st.markdown(f"#### {say('hand.score')}")
    told = derivation(verdict, hand)
    if told is not None:
        st.html(_product(told, hand))
        _points(verdict)
        _paid(verdict, hand)
    elif verdict.outcome == "void":
        st.text(say("hand.void"))
    elif verdict.scores is None:
        st.text(say("hand.no_score"))
    else:
        _not_multiplied(verdict.scores, verdict.winners or [], hand)
    st.html(_scores(verdict, hand))


def _not_multiplied(scores: list[int], winners: list[int], hand: Story) -> None:
    """How a score comes about that is no product."""
    way = payout(hand.rules)
    st.text(say(f"hand.{way}"))
    for seat, score in enumerate(scores) if way == "pattern_points" else ():
        won = WON if seat in winners else 0
        name, told = name_of(seat, hand), {"won": won, "points": score - won, "score": score}
        st.text(say("hand.pattern_sum", name=name, **{key: numbers.count(value) for key, value in told.items()}))


def _points(verdict: Verdict) -> None:
    """三打哈: the points of the three, as they came about."""
    if verdict.details is not None:
        st.text(say("hand.points", bid=verdict.bid, **verdict.details))


def _paid(verdict: Verdict, hand: Story) -> None:
    """Who pays otherwise than each loser the unit: who left or gave up, and who has not enough."""
    gone = left(verdict, hand)
    if gone is not None:
        seat, owed, clause = gone
        shares = say("comma").join(f"{name_of(other, hand)} {numbers.count(due)}" for other, due in owed.items())
        st.text(say("hand.left", name=name_of(seat, hand), shares=shares, clause=clause))
    if verdict.outcome == "surrender":
        level = next((factor.factor for factor in verdict.factors if factor.name == "level"), 1)
        st.text(say("hand.surrendered", bid=verdict.bid, level=level))
    for each in short(verdict, hand):
        amounts = {"due": each.due, "has": each.has, "paid": each.paid}
        told = {key: numbers.count(value) for key, value in amounts.items()}
        st.text(say("hand.short", name=name_of(each.seat, hand), clause=each.clause, **told))


def _product(told: Derivation, hand: Story) -> str:
    terms = " × ".join(map(_term, told.terms))
    capped = say("hand.capped") if told.product != told.unit else ""
    told_unit = f"{plain(numbers.count(told.unit))}{plain(capped)}"
    unit = f'<span class="fp-term fp-unit"><small>{plain(say("factor.unit"))}</small> {told_unit}</span>'
    claimed = hand.record.claim.multiplier if hand.record.claim else None
    beside = "" if claimed is None else plain(say("hand.claimed_multiplier", claimed=claimed))
    return f'<div class="fp-terms">{terms} = {unit}</div><div class="fp-where">{beside}</div>'


def _term(term: Term) -> str:
    key = f"factor.{term.name}"
    name = say(key) if key in TEXTS else term.name
    count = f"({term.count})" if term.count is not None else ""
    return f'<span class="fp-term"><small>{plain(name + count)}</small> <b>{numbers.count(term.value)}</b></span>'


def _scores(verdict: Verdict, hand: Story) -> str:
    """Every seat's score, recomputed beside claimed."""
    columns = ("seat", "player", "role", "recomputed", "claimed", "difference", "balance")
    head = [say(f"hand.{name}") for name in columns[1:]]
    rows = []
    scores = seat_scores(verdict, hand)
    for one in scores:
        differs = None not in (one.score, one.claimed) and one.score != one.claimed
        gap = one.claimed - one.score if differs else None
        cells = [numbers.count(one.score), numbers.count(one.claimed), numbers.count(gap), numbers.count(one.balance)]
        rows.append(("fp-faulty" if differs else "", [_who(one.seat, hand, tag=False), _role(one.seat, hand), *cells]))
    known = [one.score for one in scores if one.score is not None]
    claims = [one.claimed for one in scores if one.claimed is not None]
    sums = [numbers.count(sum(values) if values else None) for values in (known, claims)]
    rows.append(("fp-dim", [plain(say("hand.sum")), "", *sums, "", ""]))
    return markup.table(head, rows, frozenset((2, 3, 4, 5)))


def _role(seat: int, hand: Story) -> str:
    return plain(role_word(hand, seat, language()))


# --- the moves


def _moves(hand: Story, findings: list[Finding], seat: int | None) -> None:
    """The deal and every move; of one seat, its own cards and what was seen until now."""
    st.markdown(f"#### {say('hand.moves')}")
    st.html(_deal(hand, seat))
    rows = [*_rows("auction", hand.calls, hand, findings), *_rows("play", hand.moves, hand, findings)]
    if seat is not None:
        until = reached(hand)
        rows = [*rows[: until.calls], *rows[len(hand.calls) :][: until.plays]]
    if rows:
        head = [say(f"hand.{name}") for name in ("number", "player", "cards", "reading", "findings")]
        st.html(markup.table(head, rows, frozenset((0,))))
    elif seat is None:
        st.text("\n".join(filter(None, (hand.record.auction, hand.record.plays))))


def _deal(hand: Story, viewer: int | None) -> str:
    record, unseen = hand.record, plain(say("replay.unseen"))
    rows = []
    for seat, cards in enumerate(record.hands or ()):
        rows.append(("", [_who(seat, hand), _hidden(cards) if viewer in (None, seat) else unseen]))
    if record.bottom is not None:
        seen = viewer is None or (sees_bottom(viewer, hand) and reached(hand).bottom)
        rows.append(("", [plain(say("hand.bottom")), markup.faces(record.bottom, in_order=True) if seen else unseen]))
    return markup.table([say("hand.player"), say("hand.dealt")], rows) if rows else "<span></span>"


def _hidden(cards: str | None) -> str:
    return plain(say("hand.hidden")) if cards is None else markup.faces(cards, in_order=True)


def _rows(phase: str, moves: list[Call] | list[Move], hand: Story, findings: list[Finding]) -> list:
    """One row a move: its number, player, cards, reading and what was found at it."""
    judged = len(moves) if phase == "auction" else hand.judged_moves() or len(moves)
    rows = []
    for index, move in enumerate(moves):
        found = [f for f in findings if f.index == index and CATALOGUE[f.code].phase == phase]
        number = f"{say(f'phase.{phase}')} {index + 1}"
        said = _call(move) if isinstance(move, Call) else _play(move)
        beside = "" if isinstance(move, Call) else _stands_for(index, hand)
        if index >= judged and not found:
            beside = plain(say("hand.unjudged"))
        kind = _row_kind(found) or ("fp-dim" if index >= judged else "")
        rows.append((kind, [number, _who(move.seat, hand), said, beside, _codes(found)]))
    return rows


def _row_kind(found: list[Finding]) -> str:
    if not found:
        return ""
    return "fp-faulty" if any(severity(finding) == "fault" for finding in found) else "fp-noted"


def _codes(found: list[Finding]) -> str:
    return "<br>".join(f"<b>{finding.code}</b> {plain(_title(CATALOGUE[finding.code]))}" for finding in found)


def _call(call: Call) -> str:
    words = {PASS: say("hand.no_bid"), CALL: say("hand.call"), ROB: say("hand.rob")}
    return plain(words.get(call.word) or say("hand.bid", bid=call.word))


def _play(move: Move) -> str:
    if move.cards is None:
        return f'<span class="fp-dim">{plain(say("hand.pass"))}</span>'
    failed = f"<s>{markup.faces(move.thrown)}</s> " if move.thrown else ""
    return failed + markup.faces(move.text)


def _stands_for(index: int, hand: Story) -> str:
    """The readings that a play stands for; in 三打哈 what was led, and with what a trick was won."""
    names = [reading_name(name) + (f" ×{length}" if length > 1 else "") for name, length in hand.readings_of(index)]
    return plain(" / ".join(dict.fromkeys(names)))


# --- players and the raw record


def _player(seat: int, hand: Story | None) -> str:
    named = hand is not None and seat < len(hand.record.players)
    return say("seat", seat=seat) + (f" {name_of(seat, hand)}" if named and hand is not None else "")


def _who(seat: int, hand: Story, *, tag: bool = True) -> str:
    """A player with the id where the name alone would not tell who it is; ``tag``: and who is landlord."""
    players = hand.record.players
    name = (players[seat].name or players[seat].id) if seat < len(players) else ""
    ident = f" ({isolated(players[seat].id)})" if seat < len(players) and players[seat].name else ""
    mark = f' <span class="fp-card">{_role(seat, hand)}</span>' if tag and seat == hand.landlord else ""
    said = f'{plain(name)}<span class="fp-dim">{plain(ident)}</span>'
    whole = f' title="{plain(name + ident)}"' if len(name + ident) > LONG else ""
    return f'<span class="fp-dim">{seat}</span> <span class="fp-who"{whole}>{said}</span>{mark}'


def _raw(raw: bytes) -> None:
    with st.expander(say("hand.raw"), icon=":material/data_object:"):
        st.code(raw[:RAW_SHOWN].decode(errors="replace"), language="json", wrap_lines=True)
        if len(raw) > RAW_SHOWN:
            st.caption(say("hand.raw_cut", limit=RAW_SHOWN))
