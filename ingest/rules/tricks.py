"""The play of 三打哈: leads and failed throws, the duties of followers, who wins a trick, points (rules.md F.1).

Walks through the plays of a record, trick by trick. A hand that is hidden is None, and then nothing is said about what
it held, but that it came from the cards that nobody showed.
"""

from collections.abc import Sequence

from msgspec import Struct

from ingest.cards import Cards
from ingest.faults import Finding
from ingest.record import Move
from ingest.rules.combinations import ReadingName
from ingest.rules.ruleset import TrickRuleset
from ingest.rules.sets import THROW, Part, is_beaten, is_like, laid, longest_tractor, parts_of, tractors_in
from ingest.rules.suits import (
    TRUMPS,
    Faces,
    Suits,
    cards_text,
    faces_in,
    is_within,
    number_of_cards,
    number_of_pairs,
    pairs_in,
    points_in,
    single_class,
    suits_of,
    without,
)
from ingest.rules.turns import after_the_end, out_of_turn

Hands = list[Faces | None]


class TrickMove(Struct):
    """One play, read: whose, what, and as which move it stands in the record."""

    index: int
    seat: int
    faces: Faces
    size: int
    thrown: Faces | None = None
    """The cards of a throw that failed."""


class Trick(Struct):
    """One trick: its moves, the leader first, and who won it."""

    suit: str
    parts: Sequence[Part]
    """What was led: one part, or those of a throw."""
    moves: list[TrickMove]
    winner: int = -1
    won_with: Sequence[Part] = ()
    """What the winner's cards were."""
    with_trumps: bool = False
    points: int = 0


class TrickPlay(Struct):
    """What the plays of a hand came to."""

    left: list[int]
    tricks: list[Trick] = []
    findings: list[Finding] = []
    finished: bool = False
    unseen: Faces | None = None
    """What all seats with hidden hands share: the cards that nobody has shown; None where every hand is known."""


class Table(Struct, frozen=True):
    """What does not change during a hand."""

    rules: TrickRuleset
    suits: Suits
    landlord: int


def table_of(rules: TrickRuleset, trump: str, landlord: int) -> Table:
    """The table of a hand played with a trump suit, or none (``NT``)."""
    return Table(rules, suits_of(rules, trump), landlord)


def replay_tricks(
    moves: Sequence[tuple[Move, TrickMove | None]], hands: Hands, table: Table, unseen: Faces | None = None
) -> TrickPlay:
    """Replay the plays of a hand. ``hands``: what each seat holds when play begins; they are used up.

    ``unseen``: the cards that nobody showed, where a hand is hidden.
    """
    play = TrickPlay([table.rules.deal.hand] * table.rules.deal.players, unseen=unseen)
    turn, trick = table.landlord, None
    told = [move for move, _ in moves]
    for index, (move, read) in enumerate(moves):
        if play.finished:
            play.findings += after_the_end(told, index)
            return play
        early = out_of_turn(told, index, turn) if move.seat != turn else None
        finding = early or _unheard_of(read, hands, play) or _judge(read, move, trick, hands, table)
        if finding is not None:
            play.findings.append(_placed(finding, index, move.seat))
            return play
        assert read is not None
        trick = put(trick, read, hands, play, table)
        turn = (turn + 1) % table.rules.deal.players
        if len(trick.moves) == table.rules.deal.players:
            turn = close(trick, table)
            play.finished, trick = not play.left[turn], None
    return play


def _placed(finding: Finding, index: int, seat: int) -> Finding:
    return Finding(finding.code, index, seat, finding.details)


def _unheard_of(read: TrickMove | None, hands: Hands, play: TrickPlay) -> Finding | None:
    """P402 where no hidden hand can have held the cards: others showed them, or they are too many (U-R8)."""
    if read is None or hands[read.seat] is not None:
        return None
    assert play.unseen is not None
    tried = read.thrown or read.faces
    if is_within(tried, play.unseen) and number_of_cards(tried) <= play.left[read.seat]:
        return None
    return _not_held(tried, play.unseen)


def _not_held(tried: Faces, held: Faces) -> Finding:
    missing = cards_text(without(tried, held)) or "?"
    return Finding("P402", details={"cards": cards_text(tried), "missing": missing})


def _judge(read: TrickMove | None, move: Move, trick: Trick | None, hands: Hands, table: Table) -> Finding | None:
    """The first fault of a move in turn, or None."""
    if read is None:
        return _no_lead(move.text) if trick is None else _wrong_number(trick.moves[0].size, 0)
    return fault_of(read, trick, hands, table)


def fault_of(read: TrickMove, trick: Trick | None, hands: Hands, table: Table) -> Finding | None:
    """The first fault of a play in turn: as a lead where there is no trick, else as one that follows; or None."""
    hand = hands[read.seat]
    tried = read.thrown or read.faces
    if hand is not None and not is_within(tried, hand):
        return _not_held(tried, hand)
    if trick is None:
        return _lead_fault(read, hands, table)
    return _follow_fault(read, trick, hand, table)


def _wrong_number(expected: int, actual: int) -> Finding:
    return Finding("T504", details={"expected": expected, "actual": actual})


def _no_lead(cards: str) -> Finding:
    return Finding("T505", details={"cards": cards})


def _lead_fault(read: TrickMove, hands: Hands, table: Table) -> Finding | None:
    """T505 … T508: what may be led, and whether a throw stands (F-R22, F-R27)."""
    tried = read.thrown or read.faces
    suit = single_class(tried, table.suits)
    if suit is None:
        return _no_lead(cards_text(tried))
    parts = parts_of(tried, table.suits)
    if len(parts) > 1 and table.rules.throw.scope != "any":
        if table.rules.throw.scope == "none":
            return _no_lead(cards_text(tried))
        if suit != TRUMPS:
            return Finding("T506", details={"cards": cards_text(tried)})
    return _throw_fault(read, parts, suit, hands, table)


def _throw_fault(read: TrickMove, parts: Sequence[Part], suit: str, hands: Hands, table: Table) -> Finding | None:
    """T507 where a throw failed that stands, or stands that fails; T508 where the wrong part was led after it."""
    if len(parts) == 1 and read.thrown is None:
        return None
    others = [hand for seat, hand in enumerate(hands) if seat != read.seat]
    failing = [] if len(parts) == 1 else _failing(parts, suit, others, table)
    details = {"cards": cards_text(read.thrown or read.faces), "failing": [cards_text(part.cards) for part in failing]}
    if read.thrown is None:
        return Finding("T507", details=details) if failing else None
    hidden = None in others
    if not failing and (not hidden or len(parts) == 1):
        return Finding("T507", details=details)
    due, led = _due(parts, failing, table, hidden=hidden), parts_of(read.faces, table.suits)
    if len(led) == 1 and any(_is_as_good(led[0], part, read.thrown) for part in due):
        return None
    expected = " / ".join([cards_text(part.cards) for part in due])
    return Finding("T508", details={"expected": expected, "actual": cards_text(read.faces)})


def _due(parts: Sequence[Part], failing: Sequence[Part], table: Table, *, hidden: bool) -> list[Part]:
    """What has to be led after a failed throw; where a hand is hidden it may beat a lower part than those that show."""
    if table.rules.throw.fail == "lowest_component":
        failing = parts
    if not failing:
        return list(parts)
    lowest = min(map(_lowness, failing))
    return [part for part in parts if (_lowness(part) <= lowest if hidden else _lowness(part) == lowest)]


def _is_as_good(led: Part, due: Part, thrown: Faces) -> bool:
    """Whether a part may be led for another one: pairs of one level may change places in a throw (F-Q17, F-Q18)."""
    if not due.pairs:
        return led == due
    return is_like(led, due) and led.level == due.level and is_within(led.cards, thrown)


def _lowness(part: Part) -> tuple[int, int]:
    """The lowest level first, of equal ones the fewest cards (F-Q20)."""
    return part.level, part.size


def _failing(parts: Sequence[Part], suit: str, others: Sequence[Faces | None], table: Table) -> list[Part]:
    """The parts of a throw that some single opponent can beat (F-Q21)."""
    known = [hand & table.suits.masks[suit] for hand in others if hand is not None]
    return [part for part in parts if any(is_beaten(part, hand, table.suits) for hand in known)]


def _follow_fault(read: TrickMove, trick: Trick, hand: Faces | None, table: Table) -> Finding | None:
    """T504, T501, T503, T502: number of cards, suit, tractor, pairs (F-R23, F-R24)."""
    led = trick.moves[0].size
    if read.size != led:
        return _wrong_number(led, read.size)
    if hand is None:
        return None
    mask = table.suits.masks[trick.suit]
    own, played = hand & mask, read.faces & mask
    if led == 1 and (played or not own):
        return None
    number = number_of_cards(own)
    if number_of_cards(played) != min(number, led):
        return _must("T501", cards_text(own), read)
    return _structure_fault(read, trick, own, played, table) if number > led > 1 else None


def _structure_fault(read: TrickMove, trick: Trick, own: Faces, played: Faces, table: Table) -> Finding | None:
    """T503 and T502: a tractor if he has one, then as many pairs as were led (F-R24, F-Q22, F-Q23)."""
    rules, suits = table.rules, table.suits
    longest = max(part.pairs for part in trick.parts)
    if longest >= rules.tractor.min_pairs and rules.follow.tractor_binding:
        has = longest_tractor(own, suits, longest)
        binds = has == longest or rules.follow.partial_tractor
        if binds and longest_tractor(played, suits, longest) < has:
            return _must("T503", cards_text(next(tractors_in(own, suits, has)).cards), read)
    pairs = min(sum(part.pairs for part in trick.parts), number_of_pairs(own))
    if rules.follow.pair_binding and number_of_pairs(played) < pairs:
        return _must("T502", cards_text(pairs_in(own)), read)
    return None


def _must(code: str, cards: str, read: TrickMove) -> Finding:
    return Finding(code, details={"must": cards, "played": cards_text(read.faces)})


def put(trick: Trick | None, read: TrickMove, hands: Hands, play: TrickPlay, table: Table) -> Trick:
    """Lay the cards of a lawful move on the table."""
    hand = hands[read.seat]
    if hand is not None:
        hands[read.seat] = hand - read.faces
    elif play.unseen is not None:
        play.unseen -= read.faces
    play.left[read.seat] -= read.size
    if trick is None:
        suit = single_class(read.faces, table.suits)
        trick = Trick(suit or "", parts_of(read.faces, table.suits), [])
        play.tricks.append(trick)
    trick.moves.append(read)
    return trick


def close(trick: Trick, table: Table) -> int:
    """Who wins a trick, as far as it has gone, and leads the next (F-R25 … F-R29)."""
    best, ruffed, points = trick.moves[0], False, 0
    won_with, highest = trick.parts, trick.parts[0] if len(trick.parts) == 1 else None
    for move in trick.moves:
        cards = laid(move.faces, table.suits)
        points += cards.points
        part, suit = cards.part, cards.suit
        if part is None or highest is None:
            continue
        over = suit == TRUMPS and trick.suit != TRUMPS and not ruffed
        competes = suit == TRUMPS or (suit == trick.suit and not ruffed)
        if over or (competes and _is_higher(part, highest, table)):
            best, won_with, highest, ruffed = move, (part,), part, suit != trick.suit
    trick.winner, trick.won_with, trick.points = best.seat, won_with, points
    trick.with_trumps = ruffed or trick.suit == TRUMPS
    return trick.winner


def _is_higher(part: Part, best: Part, table: Table) -> bool:
    """Equal never beats, whatever was played first is higher (F-R6, F-Q30)."""
    return part.level > best.level or (table.rules.equal_beats == "later" and part.level == best.level)


def leads(cards: Cards, table: Table) -> list[ReadingName]:
    """What cards are when they are led: a single, a pair, a tractor or a throw; nothing where they are no lead."""
    faces = faces_in(cards)
    suit = single_class(faces, table.suits)
    if suit is None:
        return []
    parts = parts_of(faces, table.suits)
    top = max(parts, key=lambda part: part.level)
    if len(parts) == 1:
        return [ReadingName(top.name, max(top.pairs, 1), top.rank)]
    allowed = table.rules.throw.scope == "any" or (table.rules.throw.scope == "trump" and suit == TRUMPS)
    return [ReadingName(THROW, len(parts), top.rank)] if allowed else []


def outranks(cards: Cards, standing: Cards, table: Table) -> bool:
    """Whether cards of the same structure win against a lead: higher in its class, or trumps on a side suit (F-R25)."""
    mine, led = faces_in(cards), faces_in(standing)
    answer, lead = laid(mine, table.suits), laid(led, table.suits)
    if answer.part is None or lead.part is None or not is_like(answer.part, lead.part):
        return False
    return _is_higher(answer.part, lead.part, table) if answer.suit == lead.suit else answer.suit == TRUMPS


class Points(Struct, frozen=True):
    """The points of the three, as they came about (F-R29, F-R30)."""

    tricks: int
    bottom: int
    """Points among the buried cards."""
    bottom_factor: int
    """What they count for: 0 where they count for nobody."""

    @property
    def total(self) -> int:
        """Points in tricks and bottom together."""
        return self.tricks + self.bottom * self.bottom_factor


def points_of(play: TrickPlay, buried: Faces, table: Table) -> Points:
    """Count the points of a finished hand."""
    taken = sum(trick.points for trick in play.tricks if trick.winner != table.landlord)
    last = play.tricks[-1]
    factor = table.rules.bottom_factor
    counts = last.winner != table.landlord and (last.with_trumps or not factor.trump_only)
    strongest = max(part.pairs for part in last.won_with)
    by_size = factor.tractor if strongest >= 2 else (factor.pair if strongest else factor.single)
    return Points(taken, points_in(buried, table.rules), by_size if counts else 0)
