"""The audit of one hand of 三打哈: deal, falling auction, buried cards, tricks, points, level.

Strings the phases together; a stopping fault ends the story. Knows nothing of files or of other hands.
"""

from collections.abc import Callable

from ingest.cards import Cards, read_cards
from ingest.faults import Finding
from ingest.hand import Story, check_claimed_landlord, check_end, check_void, compare, is_nonsense
from ingest.record import Move, Record, UnreadableMove, read_calls, read_plays
from ingest.rules.deal import UnreadableField, check_deal, full_pack, read_deal, read_field
from ingest.rules.falling import Falling, run_falling
from ingest.rules.levels import TrickFacts, landlord_keeps, settle_level
from ingest.rules.ruleset import TrickRuleset
from ingest.rules.settlement import void_settlement
from ingest.rules.suits import Faces, faces_in, fixed_trump_count, is_within, without
from ingest.rules.tricks import Points, Table, TrickMove, TrickPlay, points_of, replay_tricks, table_of
from ingest.rules.turns import after_the_end


class TrickHand(Story):
    """A hand of 三打哈 under audit."""

    rules: TrickRuleset
    faces: list[Faces | None] = []
    """The dealt cards of each seat."""
    bottom: Faces | None = None
    buried: Faces | None = None
    read: list[TrickMove | None] = []
    """The moves with their cards; None for a pass, which is no move of this game."""
    auction: Falling | None = None
    table: Table | None = None
    play: TrickPlay | None = None
    points: Points | None = None
    facts: TrickFacts | None = None

    def judged_moves(self) -> int:
        """How many of the plays were judged."""
        return 0 if self.play is None else sum(len(trick.moves) for trick in self.play.tricks)

    def readings_of(self, index: int) -> list[tuple[str, int]]:
        """What a lead is, part by part, and with what a trick was won."""
        for trick in self.play.tricks if self.play is not None else []:
            for place, move in enumerate(trick.moves):
                if move.index == index:
                    parts = trick.parts if place == 0 else (trick.won_with if move.seat == trick.winner else ())
                    return [(part.name, max(part.pairs, 1)) for part in parts]
        return []


def examine_tricks(record: Record, rules: TrickRuleset) -> TrickHand:
    """Audit one record under the rules of 三打哈, from the deal to the score."""
    hand = TrickHand(record=record, rules=rules)
    for phase in PHASES:
        phase(hand)
        if hand.over:
            break
    return hand


def _read(hand: TrickHand) -> None:
    """Is this a record of this game, and can its cards and moves be read? (R110, R103, R105)"""
    record, field = hand.record, "auction"
    if is_nonsense(hand):
        return
    try:
        hand.dealt = read_deal(record)
        texts = record.hands or [None] * len(record.players)
        hand.faces = [_faces("hands", text, cards) for text, cards in zip(texts, hand.dealt.hands, strict=True)]
        hand.bottom = _faces("bottom", record.bottom, hand.dealt.bottom)
        hand.buried = _faces("buried", record.buried, read_field("buried", record.buried))
        hand.calls = read_calls(record.auction or "")
        field = "plays"
        hand.moves = read_plays(record.plays)
        hand.read = [_trick_move(index, move) for index, move in enumerate(hand.moves)]
    except UnreadableField as problem:
        hand.found([Finding("R105", details={"field": problem.field, "text": problem.text})])
    except UnreadableMove as problem:
        hand.found([Finding("R105", details={"field": field, "text": problem.args[0]})])


def _faces(field: str, text: str | None, cards: Cards | None) -> Faces | None:
    """Cards by face; here every card needs its suit."""
    if cards is None:
        return None
    if not cards.suited:
        raise UnreadableField(field, text or "")
    return faces_in(cards)


def _trick_move(index: int, move: Move) -> TrickMove | None:
    if move.cards is None:
        return None
    thrown = None if move.thrown is None else read_cards(move.thrown)
    if not move.cards.suited or (thrown is not None and not thrown.suited):
        raise UnreadableMove(f"{move.seat}:{move.text}")
    return TrickMove(
        index, move.seat, faces_in(move.cards), move.cards.size, None if thrown is None else faces_in(thrown)
    )


def _deal(hand: TrickHand) -> None:
    """Are the cards those of the pack? (D201 … D207)"""
    assert hand.dealt is not None
    hand.found(check_deal(hand.record, hand.dealt, hand.rules))
    buried = hand.dealt.buried
    if buried is not None and buried.size != hand.rules.deal.bottom:
        details = {"field": "buried", "expected": hand.rules.deal.bottom, "actual": buried.size}
        hand.found([Finding("D202", details=details)])


def _choose_landlord(hand: TrickHand) -> None:
    """Who plays, at which bid? (A301 … A309)"""
    record = hand.record
    hand.first = record.first
    hand.auction = run_falling(hand.calls, record.first, hand.faces, hand.rules)
    hand.found(hand.auction.findings)
    if hand.over:
        return
    hand.landlord = hand.auction.landlord
    hand.bid = None if hand.landlord is None else hand.auction.bid
    check_claimed_landlord(hand)
    check_void(hand, void=hand.landlord is None, forced=hand.auction.opener is None)


def _bury(hand: TrickHand) -> None:
    """T510, T509: a trump is named, and eight cards of the landlord's are buried (F-R4, F-R15)."""
    if hand.outcome == "void" or _surrenders(hand) or hand.landlord is None:
        return
    trump = hand.record.trump
    if trump is None or trump not in hand.rules.trump_choice:
        hand.found([Finding("T510")])
        return
    hand.table = table_of(hand.rules, trump, hand.landlord)
    if hand.buried is None:
        hand.found([Finding("T509", details={"cards": None})])
        return
    own = hand.faces[hand.landlord]
    whole = None if own is None or hand.bottom is None else own + hand.bottom
    hand.faces[hand.landlord] = None if whole is None else whole - hand.buried
    if not is_within(hand.buried, _not_shown(hand) if whole is None else whole):
        hand.found([Finding("T509", details={"cards": hand.record.buried})])


def _not_shown(hand: TrickHand) -> Faces:
    """The pack without the hands that are known."""
    rest = faces_in(full_pack(hand.rules))
    for faces in hand.faces:
        rest = without(rest, faces or 0)
    return rest


def _surrenders(hand: TrickHand) -> bool:
    return hand.record.end == "surrender" and hand.rules.surrender.window != "off"


def _play(hand: TrickHand) -> None:
    """Was every card played in turn, held, and owed? (P401 … P411, T501 … T508)"""
    if hand.outcome == "void":
        return
    if _surrenders(hand):
        hand.found(after_the_end(hand.moves, 0))
        return
    assert hand.table is not None
    moves = list(zip(hand.moves, hand.read, strict=True))
    unseen = without(_not_shown(hand), hand.buried or 0) if None in hand.faces else None
    hand.play = replay_tricks(moves, list(hand.faces), hand.table, unseen)
    hand.found(hand.play.findings)
    check_end(hand, hand.play.left, finished=hand.play.finished)


def _settle(hand: TrickHand) -> None:
    """What is the hand worth?"""
    if hand.outcome == "void":
        hand.settled = void_settlement(hand.rules.deal.players)
        return
    auction, surrender = hand.auction, _surrenders(hand)
    assert auction is not None
    assert hand.landlord is not None
    if not surrender:
        assert hand.play is not None
        assert hand.buried is not None
        assert hand.table is not None
        hand.points = points_of(hand.play, hand.buried, hand.table)
        hand.details = {
            "points": hand.points.total,
            "trick_points": hand.points.tricks,
            "bottom_points": hand.points.bottom,
            "bottom_factor": hand.points.bottom_factor,
        }
    hand.facts = TrickFacts(
        base=hand.record.base,
        landlord=hand.landlord,
        bid=auction.bid,
        opening=auction.opening,
        points=hand.points.total if hand.points else 0,
        surrender=surrender,
        poked_by=_poked_by(hand, auction) if surrender else None,
    )
    hand.outcome = "surrender" if surrender else ("landlord" if landlord_keeps(hand.facts) else "farmers")
    if surrender and hand.faces[hand.landlord] is None and _bid_the_floor_after_poke(hand, auction):
        hand.found([Finding("S607", details={"reason": "maybe_forced"})])
        hand.over = True
        return
    hand.settled = settle_level(hand.facts, hand.rules)


def _poked_by(hand: TrickHand, auction: Falling) -> int | None:
    """Who opened with 插 and so forced the landlord, by his many fixed trumps, to bid the floor (F-R20, F-Q11)."""
    dealt = hand.faces[hand.landlord or 0]
    if dealt is None or fixed_trump_count(dealt, hand.rules) < hand.rules.forced_bid.count:
        return None
    return auction.opener if _bid_the_floor_after_poke(hand, auction) else None


def _bid_the_floor_after_poke(hand: TrickHand, auction: Falling) -> bool:
    """Whether another seat opened with 插 and the landlord's only bid was the floor."""
    poke, forced = hand.rules.poke, hand.rules.forced_bid
    if not poke.enabled or auction.opening != poke.bid or auction.opener == hand.landlord:
        return False
    bids = [call for call in hand.calls if call.seat == hand.landlord and call.bid is not None]
    return auction.bid == forced.floor and len(bids) == 1


def _compare(hand: TrickHand) -> None:
    assert hand.settled is not None
    compare(hand, hand.settled)


PHASES: tuple[Callable[[TrickHand], None], ...] = (_read, _deal, _choose_landlord, _bury, _play, _settle, _compare)
