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
    JOKERS,
    NONE,
    RANKS,
    Cards,
    UnreadableCards,
    covers,
    face_counts,
    pack,
    pack_of,
    rank_counts,
    read_cards,
    split_cards,
)
from ingest.faults import Finding
from ingest.record import Record
from ingest.rules.ruleset import Ruleset


class Dealt(Struct, frozen=True):
    """The cards of a record, read. ``None`` stands for cards that the source did not reveal."""

    hands: tuple[Cards | None, ...]
    bottom: Cards | None
    dead: Cards | None
    taken: Cards | None
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
        hands=tuple(_read(f"hands[{seat}]", hand) for seat, hand in enumerate(hands)),
        bottom=_read("bottom", record.bottom),
        dead=_read("dead", record.dead),
        taken=_read("taken", record.taken),
        marker=_one_card("marker", record.marker),
    )


def _read(field: str, text: str | None) -> Cards | None:
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
def full_pack(rules: Ruleset) -> Cards:
    """Every card of a ruleset's pack."""
    return pack(pack_of(rules.deal.packs, rules.deal.removed_ranks))


def check_deal(record: Record, dealt: Dealt, rules: Ruleset) -> list[Finding]:
    """The faults of a deal: D201, D202, and where there is none of them D203, D204; then D205 and the note D207."""
    findings = _sizes(dealt, rules)
    if not findings and not _is_whole_pack(dealt, rules):
        findings = _cards_beyond_the_pack(record, dealt, rules)
    if findings:
        return findings
    if rules.deal.bottom_take == "subset":
        findings += _taken_from_elsewhere(record, dealt)
    if rules.deal.marker_not_in_bottom and dealt.marker and _holds(dealt.bottom, dealt.marker):
        findings.append(Finding("D205", details={"card": dealt.marker}))
    hidden = [seat for seat, hand in enumerate(dealt.hands) if hand is None]
    if hidden or dealt.bottom is None:
        findings.append(Finding("D207", details={"seats": hidden}))
    return findings


def _sizes(dealt: Dealt, rules: Ruleset) -> list[Finding]:
    deal = rules.deal
    findings = [
        Finding("D201", seat=seat, details={"expected": deal.hand, "actual": hand.size})
        for seat, hand in enumerate(dealt.hands)
        if hand is not None and hand.size != deal.hand
    ]
    for field, cards, expected in (("bottom", dealt.bottom, deal.bottom), ("dead", dealt.dead, deal.dead)):
        if cards is not None and cards.size != expected:
            details = {"field": field, "expected": expected, "actual": cards.size}
            findings.append(Finding("D202", details=details))
    if dealt.taken is not None and dealt.taken.size > deal.bottom:
        details = {"field": "taken", "expected": deal.bottom, "actual": dealt.taken.size}
        findings.append(Finding("D202", details=details))
    return findings


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


def _is_whole_pack(dealt: Dealt, rules: Ruleset) -> bool:
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


def _cards_beyond_the_pack(record: Record, dealt: Dealt, rules: Ruleset) -> list[Finding]:
    """D203 and D204, by counting; where suits are left out, ranks are counted."""
    texts = [*(record.hands or ()), record.bottom, record.dead]
    given = Counter(card for text in texts if text is not None for card in split_cards(text))
    limits = Counter(pack_of(rules.deal.packs, rules.deal.removed_ranks))
    findings = []
    for card in sorted(given, key=_by_rank):
        if card[-1] in rules.deal.removed_ranks:
            findings.append(Finding("D204", details={"card": card}))
        elif len(card) == 2 and given[card] > limits[card]:
            findings.append(_too_many(card, given[card], limits[card]))
    return findings or _ranks_beyond_the_pack(given, limits)


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


def _holds(cards: Cards | None, card: str) -> bool:
    """Whether cards hold one card, as far as faces are known."""
    if cards is None:
        return False
    one = pack([card])
    return covers(cards.packed, one.packed) if cards.suited and one.suited else covers(cards.counts, one.counts)


def first_speaker(record: Record, dealt: Dealt, rules: Ruleset) -> tuple[int | None, list[Finding]]:
    """The seat that must speak first, None where the record leaves it open; D206 if the record names another.

    Sources: A-R5, A-Q9, E-R6, BZ-R1, C-Q2, G-R3. Two seats may both hold the rank of a marker without suit.
    """
    if rules.auction.first == "seat0":
        named = [0]
    elif rules.auction.first in ("face_up_card", "marker") and dealt.marker is not None:
        named = [seat for seat, hand in enumerate(dealt.hands) if _holds(hand, dealt.marker)]
        if len(named) != 1 and None in dealt.hands:
            named = []
    else:
        named = []
    if record.first is None:
        return (named[0] if len(named) == 1 else None), []
    if named and record.first not in named:
        return record.first, [Finding("D206", details={"expected": named, "actual": record.first})]
    return record.first, []


def is_joker(card: str | None) -> bool:
    """Whether a card text of one card is a joker."""
    return card is not None and card in JOKERS


class Holdings(Struct):
    """What each seat may still play, as packed sets; seats whose cards are hidden share what nobody showed."""

    held: list[int]
    """By slot."""
    slots: list[int]
    """The slot of each seat."""
    masks: list[int]
    """By slot: which part of a play counts (faces, or ranks only)."""
    unseen: int
    """The slot of what nobody showed."""
    from_bottom: int = 0
    """How many cards the landlord may still play from a bottom that was not shown."""


def holdings(dealt: Dealt, landlord: int, rules: Ruleset, bottom: Cards | None) -> Holdings:
    """Who holds what when play begins; ``bottom`` is what the landlord took, None if it was not shown."""
    players = len(dealt.hands)
    shown = [hand for hand in (*dealt.hands, dealt.dead) if hand is not None]
    ranks_only = not all(cards.suited for cards in shown)
    unseen = full_pack(rules).packed - sum(cards.packed for cards in shown)
    held, masks, slots = [], [], []
    for seat, hand in enumerate(dealt.hands):
        own = hand.packed if hand is not None else 0
        suited = hand is None or hand.suited
        if seat == landlord and hand is not None and bottom is not None:
            own, suited = own + bottom.packed, suited and bottom.suited
        held.append(own)
        masks.append(-1 if suited else COUNTS)
        slots.append(players if hand is None else seat)
    if bottom is not None and dealt.hands[landlord] is not None:
        unseen -= bottom.packed
        ranks_only = ranks_only or not bottom.suited
    held.append(unseen & COUNTS if ranks_only else unseen)
    masks.append(COUNTS if ranks_only else -1)
    hidden_bottom = bottom is None and dealt.hands[landlord] is not None
    return Holdings(held, slots, masks, players, rules.deal.bottom if hidden_bottom else 0)


def take_from_bottom(has: Holdings, landlord: int, cards: Cards) -> bool:
    """Whether the landlord can play these cards with some from a bottom that was not shown; if so, he picks those up."""
    slot = has.slots[landlord]
    lacking = pack(_lacking(has.held[slot], cards, by_face=has.masks[slot] == -1 and cards.suited))
    from_unseen = lacking.packed & has.masks[has.unseen]
    if not 0 < lacking.size <= has.from_bottom or not covers(has.held[has.unseen], from_unseen):
        return False
    has.from_bottom -= lacking.size
    has.held[has.unseen] -= from_unseen
    has.held[slot] += lacking.packed & has.masks[slot]
    return True


def _lacking(own: int, wanted: Cards, *, by_face: bool) -> list[str]:
    """The cards that are wanted beyond one's own, by face or by rank."""
    names: Sequence[str] = FACES if by_face else RANKS
    counts = face_counts if by_face else rank_counts
    pairs = zip(names, counts(wanted.packed), counts(own), strict=True)
    return [name for name, want, have in pairs for _ in range(want - have)]
