"""The deal: how many cards lie where, whether the pack has them, who speaks first.

Knows A-R1 … A-R5 and their like in every game. Finds faults of the deal; of play it knows nothing.
"""

from collections import Counter
from collections.abc import Sequence
from functools import cache

from msgspec import Struct

from ingest.cards import (
    COUNTS,
    FACES,
    NONE,
    RANKS,
    Cards,
    UnreadableCards,
    covers,
    face_counts,
    pack,
    pack_of,
    rank_counts,
    rank_text,
    read_cards,
    split_cards,
)
from ingest.faults import Finding
from ingest.record import Record, read_calls
from ingest.rules.ruleset import AnyRuleset, Ruleset


class Dealt(Struct, frozen=True):
    """The cards of a record, read. ``None`` stands for cards that the source did not reveal."""

    hands: tuple[Cards | None, ...]
    bottom: Cards | None
    dead: Cards | None
    taken: Cards | None
    buried: Cards | None
    marker: str | None
    first: int | None = None
    """Who must speak first; None where nothing says it."""


class UnreadableField(ValueError):
    """A field whose card text cannot be read: ``field`` and ``text``."""

    def __init__(self, field: str, text: str) -> None:
        super().__init__(field, text)
        self.field, self.text = field, text


def read_deal(record: Record) -> Dealt:
    """Read every card text of a record. Raises ``UnreadableField``."""
    hands = record.hands if record.hands is not None else [None] * len(record.players)
    return Dealt(
        hands=tuple([read_field("hands", hand) for hand in hands]),
        bottom=read_field("bottom", record.bottom),
        dead=read_field("dead", record.dead),
        taken=read_field("taken", record.taken),
        buried=read_field("buried", record.buried),
        marker=_one_card("marker", record.marker),
    )


def read_field(field: str, text: str | None) -> Cards | None:
    """Read the card text of one field, None where it is not revealed. Raises ``UnreadableField``."""
    if text is None:
        return None
    try:
        return read_cards(text)
    except UnreadableCards:
        raise UnreadableField(field, text) from None


def _one_card(field: str, text: str | None) -> str | None:
    if text is None:
        return None
    try:
        cards = split_cards(text)
    except UnreadableCards:
        raise UnreadableField(field, text) from None
    if len(cards) != 1:
        raise UnreadableField(field, text)
    return cards[0]


@cache
def full_pack(rules: AnyRuleset) -> Cards:
    """Every card of a ruleset's pack."""
    return pack(pack_of(rules.deal.packs, rules.deal.removed_ranks))


def check_deal(record: Record, dealt: Dealt, rules: AnyRuleset) -> list[Finding]:
    """The faults of a deal: D201, D202; where there is none of them D203, D204, D208; then D205 and the note D207."""
    findings = _sizes(dealt, rules)
    if not findings and not _is_whole_pack(dealt, rules):
        findings = _cards_beyond_the_pack(record, rules)
    if not findings and rules.deal.bottom_take != "all":
        findings = _taken_from_elsewhere(record, dealt)
    if findings:
        return findings
    if rules.deal.marker_not_in_bottom and dealt.marker and not _possible_holders(dealt, dealt.marker):
        findings.append(Finding("D205", details={"card": dealt.marker}))
    if dealt.bottom is None or None in dealt.hands:
        hidden = [seat for seat, hand in enumerate(dealt.hands) if hand is None]
        findings.append(Finding("D207", details={"seats": hidden}))
    return findings


def _sizes(dealt: Dealt, rules: AnyRuleset) -> list[Finding]:
    deal, findings = rules.deal, []
    for seat, hand in enumerate(dealt.hands):
        if hand is not None and hand.size != deal.hand:
            findings.append(Finding("D201", seat=seat, details={"expected": deal.hand, "actual": hand.size}))
    if dealt.bottom is not None and dealt.bottom.size != deal.bottom:
        findings.append(_wrong_size("bottom", deal.bottom, dealt.bottom))
    if dealt.dead is not None and dealt.dead.size != deal.dead:
        findings.append(_wrong_size("dead", deal.dead, dealt.dead))
    if dealt.taken is not None and dealt.taken.size > deal.bottom:
        findings.append(_wrong_size("taken", deal.bottom, dealt.taken))
    return findings


def _wrong_size(field: str, expected: int, cards: Cards) -> Finding:
    return Finding("D202", details={"field": field, "expected": expected, "actual": cards.size})


def _taken_from_elsewhere(record: Record, dealt: Dealt) -> list[Finding]:
    """D208: a card that the landlord took is not in the bottom (B-R5)."""
    bottom, taken = dealt.bottom, dealt.taken
    if bottom is None or taken is None:
        return []
    suited = bottom.suited and taken.suited
    if covers(bottom.packed if suited else bottom.counts, taken.packed if suited else taken.counts):
        return []
    there = Counter(card if suited else card[-1] for card in split_cards(record.bottom or ""))
    wanted = Counter(card if suited else card[-1] for card in split_cards(record.taken or ""))
    return [Finding("D208", details={"card": card}) for card in wanted - there]


def _is_whole_pack(dealt: Dealt, rules: AnyRuleset) -> bool:
    """Whether the cards are exactly the pack, each known by its face.

    Sound because the sizes were checked: a field that overflowed would make the sum of the fields too small.
    """
    whole = full_pack(rules)
    parts = (*dealt.hands, dealt.bottom, dealt.dead if rules.deal.dead else NONE)
    total = 0
    for part in parts:
        if part is None:
            return False
        total += part.packed
    return total == whole.packed


def _cards_beyond_the_pack(record: Record, rules: AnyRuleset) -> list[Finding]:
    """D203 and D204, by counting; where suits are left out, ranks are counted."""
    texts = [*(record.hands or ()), record.bottom, record.dead]
    given = Counter(card for text in texts if text is not None for card in split_cards(text))
    limits, removed = _limits(rules), rules.deal.removed_ranks
    beyond = [card for card, count in given.items() if card[-1] in removed or (len(card) == 2 and count > limits[card])]
    findings = [
        Finding("D204", details={"card": card}) if card[-1] in removed else _too_many(card, given[card], limits[card])
        for card in sorted(beyond, key=_by_rank)
    ]
    return findings or _ranks_beyond_the_pack(given, limits)


@cache
def _limits(rules: AnyRuleset) -> Counter[str]:
    """How often the pack has each card."""
    return Counter(pack_of(rules.deal.packs, rules.deal.removed_ranks))


def _ranks_beyond_the_pack(given: Counter[str], limits: Counter[str]) -> list[Finding]:
    ranks, most = Counter[str](), Counter[str]()
    for card, count in given.items():
        ranks[card[-1]] += count
    for card, count in limits.items():
        most[card[-1]] += count
    return [_too_many(rank, ranks[rank], most[rank]) for rank in RANKS if ranks[rank] > most[rank]]


def _too_many(card: str, count: int, limit: int) -> Finding:
    return Finding("D203", details={"card": card, "count": count, "limit": limit})


def _by_rank(card: str) -> tuple[int, str]:
    return RANKS.index(card[-1]), card


def _may_hold(cards: Cards | None, card: str) -> bool:
    """Whether cards can hold one card, as far as they are revealed and faces are known."""
    if cards is None:
        return True
    one = _one(card)
    return covers(cards.packed, one.packed) if cards.suited and one.suited else covers(cards.counts, one.counts)


@cache
def _one(card: str) -> Cards:
    return pack([card])


def _possible_holders(dealt: Dealt, card: str) -> list[int]:
    return [seat for seat, hand in enumerate(dealt.hands) if _may_hold(hand, card)]


def first_speaker(record: Record, dealt: Dealt, rules: Ruleset) -> tuple[int | None, list[Finding]]:
    """The seat that must speak first, None where the record leaves it open; D206 if the record names another.

    Sources: A-R5, A-Q9, E-R6, BZ-R1, C-Q2, G-R3. Where the marker may lie in several places nobody is accused.
    """
    if rules.auction.first == "seat0":
        possible = [0]
    elif rules.auction.first in ("face_up_card", "marker") and dealt.marker is not None:
        possible = _possible_holders(dealt, dealt.marker)
        if not rules.deal.marker_not_in_bottom and _may_hold(dealt.bottom, dealt.marker):
            possible = []
    else:
        possible = []
    stated = record.first
    if stated is None:
        stated = possible[0] if len(possible) == 1 else None
    began = stated if stated is not None else _began(record)
    if possible and began is not None and began not in possible:
        return stated, [Finding("D206", details={"expected": possible, "actual": began})]
    return stated, []


def _began(record: Record) -> int | None:
    """Who acted first in the auction."""
    calls = read_calls(record.auction or "")
    return calls[0].seat if calls else None


def check_swap(dealt: Dealt, landlord: int) -> list[Finding]:
    """D202, T509: for every card that the landlord took he laid one of his away (B-Q3, `deal.bottom_take` = swap)."""
    taken, buried, hand = dealt.taken or NONE, dealt.buried or NONE, dealt.hands[landlord]
    if buried.size != taken.size:
        return [_wrong_size("buried", taken.size, buried)]
    if hand is None or _had(hand, taken, buried):
        return []
    return [Finding("T509", details={"cards": rank_text(buried.counts)})]


def _had(hand: Cards, taken: Cards, buried: Cards) -> bool:
    """Whether what was laid away is among one's own, by face where every suit is written (U-R8)."""
    if hand.suited and taken.suited and buried.suited:
        return covers(hand.packed + taken.packed, buried.packed)
    return covers(hand.counts + taken.counts, buried.counts)


def obliged_to_bid(dealt: Dealt, rules: Ruleset) -> frozenset[tuple[int, int]]:
    """The seats that must bid the most, with the number of cards that oblige them (G-Q15)."""
    sets = {"rocket": ("BR",), "four_twos": ("2222",), "either": ("BR", "2222")}.get(rules.auction.must_bid_max, ())
    needed = [read_cards(cards) for cards in sets]
    return frozenset(
        (seat, cards.size)
        for seat, hand in enumerate(dealt.hands)
        for cards in needed
        if hand is not None and covers(hand.counts, cards.counts)
    )


class Holdings(Struct):
    """What each seat may still play, as packed sets."""

    held: list[int | None]
    """By seat; None where the source did not reveal the hand."""
    by_face: list[bool]
    """By seat: whether cards are told by face, or by rank only."""
    unseen: int
    """What nobody showed, which all seats with hidden cards share: at most these, by rank and by face."""
    from_bottom: int = 0
    """How many cards the landlord may still play from a bottom that was not shown."""


def holdings(dealt: Dealt, landlord: int, rules: Ruleset, bottom: Cards | None, laid_away: Cards = NONE) -> Holdings:
    """Who holds what when play begins; ``bottom`` is what the landlord took, None if it was not shown."""
    held: list[int | None] = [None if hand is None else _known(hand.packed, hand.suited) for hand in dealt.hands]
    by_face = [hand is None or hand.suited for hand in dealt.hands]
    own, from_bottom = dealt.hands[landlord], 0
    if own is not None and bottom is not None:
        by_face[landlord] = own.suited and bottom.suited and laid_away.suited
        held[landlord] = _known(own.packed + bottom.packed - laid_away.packed, by_face[landlord])
    elif own is not None:
        from_bottom = rules.deal.bottom
    unseen = _unseen(held, dealt, rules, bottom, laid_away) if None in held or from_bottom else 0
    return Holdings(held, by_face, unseen, from_bottom)


def _known(packed: int, by_face: bool) -> int:
    return packed if by_face else packed & COUNTS


def _unseen(held: Sequence[int | None], dealt: Dealt, rules: Ruleset, bottom: Cards | None, laid_away: Cards) -> int:
    """The pack without what was shown: in hands, dead, laid away, or left lying in the bottom (B-R5)."""
    shown = laid_away.packed + sum(cards for cards in held if cards is not None)
    if dealt.dead is not None:
        shown += dealt.dead.packed
    if dealt.bottom is not None and bottom is not None:
        suited = dealt.bottom.suited and bottom.suited
        shown += _known(dealt.bottom.packed, suited) - _known(bottom.packed, suited)
    return full_pack(rules).packed - shown


def take(has: Holdings, seat: int, landlord: int, cards: Cards) -> bool:
    """Whether a seat can have these cards, and if so they leave it: the way for hidden hands and a hidden bottom."""
    held = has.held[seat]
    if held is None:
        if not covers(has.unseen, cards.packed):
            return False
        has.unseen -= cards.packed
        return True
    if seat != landlord:
        return False
    wanted = _known(cards.packed, has.by_face[seat])
    picked = _lacking(held, wanted)
    if picked.size > has.from_bottom or not covers(has.unseen, picked.packed):
        return False
    has.from_bottom -= picked.size
    has.unseen -= picked.packed
    has.held[seat] = held + picked.packed - wanted
    return True


def _lacking(own: int, wanted: int) -> Cards:
    """The fewest cards that one lacks of a packed set: the faces, and of each rank what they do not make up for."""
    faces = lacking(own, wanted, by_face=True)
    ranks = Counter(lacking(own, wanted, by_face=False))
    return pack([*faces, *(ranks - Counter(face[-1] for face in faces)).elements()])


def lacking(own: int, wanted: int, *, by_face: bool) -> list[str]:
    """The cards of a packed set that are wanted beyond one's own, by face or by rank."""
    names: Sequence[str] = FACES if by_face else RANKS
    counts = face_counts if by_face else rank_counts
    pairs = zip(names, counts(wanted), counts(own), strict=True)
    return [name for name, want, have in pairs for _ in range(want - have)]
