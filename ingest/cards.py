"""Ranks, suits and card text; a set of cards as one packed integer.

Knows how cards are written and counted (record.md 3). Refuses to know what may be played.

A set of cards is one integer: 4 bits a rank (bits 0..59, ``3`` lowest, ``R`` highest), and above it 2 bits for each of
the 54 faces whose suit is known. So "does the hand hold these cards" is one subtraction (``covers``), for one pack or
two, with suits or without. A count that does not fit its field is held at the field's maximum, which no pack reaches.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import product

import msgspec

RANKS = "3456789TJQKA2BR"
SUITS = "SHCD"
JOKERS = "BR"
SUIT_SIGNS = {"♠": "S", "♥": "H", "♣": "C", "♦": "D"}

RANK_BITS = 4
RANK_LIMIT = (1 << RANK_BITS) - 1
COUNTS = (1 << RANK_BITS * len(RANKS)) - 1
"""Mask of the part of a packed set that counts ranks."""

FACES = tuple(suit + rank for rank in RANKS[:13] for suit in SUITS) + tuple(JOKERS)
"""The 54 faces, by rank and then suit; a face's place is its number."""

_FACE_SHIFT = 64
_FACE_BITS = 2
_FACE_LIMIT = (1 << _FACE_BITS) - 1
_RANK_ONE = {rank: 1 << RANK_BITS * i for i, rank in enumerate(RANKS)}
_FACE_ONE = {face: 1 << _FACE_SHIFT + _FACE_BITS * i for i, face in enumerate(FACES)}
_ONE = {face: _RANK_ONE[face[-1]] + _FACE_ONE[face] for face in FACES} | {r: _RANK_ONE[r] for r in RANKS[:13]}

BORROWS = sum(1 << RANK_BITS * i for i in range(1, len(RANKS) + 1)) | sum(
    1 << _FACE_SHIFT + _FACE_BITS * i for i in range(1, len(FACES) + 1)
)
"""The bits into which a field that is too small borrows when a packed set is subtracted."""

_CANONICAL = re.compile(r"[SHCD][3-9TJQKA2]|[3-9TJQKA2BR]")
_SUIT = "[SHCDshcd♠♥♣♦]"
_RANK = "10|[3-9TtJjQqKkAa2]"
_IN_FRONT = re.compile(rf"({_SUIT})?({_RANK})|([BRbr])")
_BEHIND = re.compile(rf"({_RANK})([shcd♠♥♣♦])?|([BRbr])")
_ALL_BEHIND = re.compile(rf"(?:{_BEHIND.pattern})+")
_SEPARATORS = re.compile(r"[ ,]+")


class UnreadableCards(ValueError):
    """A card text that cannot be read; ``args`` are the text and the first part that is no card."""


class Cards(msgspec.Struct, frozen=True, gc=False):
    """A set of cards as read from a card text."""

    packed: int
    """Counts of ranks and, where the suit is written, of faces."""
    counts: int
    """Counts of ranks alone."""
    size: int
    suited: bool
    """Whether every card is known by its face (jokers have no suit and always are)."""


NONE = Cards(packed=0, counts=0, size=0, suited=True)


def read_cards(text: str) -> Cards:
    """Read a card text (record.md 3). Raises ``UnreadableCards``; no character is ever skipped."""
    return _read_lately(text) if len(text) <= _SHORT else _read(text)


def _read(text: str) -> Cards:
    return _read_faces(text) or pack(split_cards(text))


_SHORT = 200
"""Letters of a text that is remembered: a hand's cards are asked for several times while it is audited."""
_read_lately = lru_cache(maxsize=256)(_read)


def _numbers(text: str, letters: int) -> list[int]:
    """So many letters at a time as one number, which a table knows faster than it knows a text."""
    return memoryview(text.encode()).cast("H" if letters == 2 else "I").tolist()


_SUITED = [face for face in FACES if len(face) == 2]
_ONES = {_numbers(face, 2)[0]: _ONE[face] for face in _SUITED}
_TWOS = {_numbers(a + b, 4)[0]: _ONE[a] + _ONE[b] for a in _SUITED for b in _SUITED}
_JOKER_ENDS = {
    "".join(jokers): sum(map(_ONE.__getitem__, jokers)) for n in range(5) for jokers in product(JOKERS, repeat=n)
}
_LOW_BITS = sum(1 << _FACE_BITS * i for i in range(len(FACES)))


def _read_faces(text: str) -> Cards | None:
    """The common spelling, quickly: cards with their suits, jokers last. None for everything else.

    A face that stands too often carries into the next field, and a carry makes the sum of all fields smaller than the
    number of cards; so it cannot pass.
    """
    letters = len(text.rstrip(JOKERS))
    packed = _JOKER_ENDS.get(text[letters:])
    if packed is None or letters % 2 or not text.isascii():
        return None
    even = letters - letters % 4
    try:
        packed += sum(map(_TWOS.__getitem__, _numbers(text[:even], 4)))
        packed += _ONES[_numbers(text[even:letters], 2)[0]] if even < letters else 0
    except KeyError:
        return None
    size = letters // 2 + len(text) - letters
    faces = packed >> _FACE_SHIFT
    exact = (faces & _LOW_BITS).bit_count() + 2 * (faces >> 1 & _LOW_BITS).bit_count() == size
    return Cards(packed, packed & COUNTS, size, suited=True) if exact else None


def split_cards(text: str) -> list[str]:
    """Split a card text into canonical cards (``S3``, ``T``, ``B``), in their order. Raises ``UnreadableCards``."""
    cards = _CANONICAL.findall(text)
    if sum(map(len, cards)) == len(text):
        return cards
    groups = [group for group in _SEPARATORS.split(text) if group]
    separated = len(groups) > 1
    return [card for group in groups for card in _read_group(group, text, separated=separated)]


def _read_group(group: str, text: str, *, separated: bool) -> list[str]:
    """Read cards that stand together, in any of the spellings that are read but never written."""
    if separated and group.upper() in ("BJ", "RJ"):
        return [group[0].upper()]
    pattern, suit_at, rank_at = (_BEHIND, 2, 1) if _ALL_BEHIND.fullmatch(group) else (_IN_FRONT, 1, 2)
    cards, place = [], 0
    while place < len(group):
        found = pattern.match(group, place)
        if found is None:
            raise UnreadableCards(text, group[place:])
        suit, rank = found[suit_at] or "", found[rank_at] or found[3]
        cards.append(SUIT_SIGNS.get(suit, suit.upper()) + rank.upper().replace("10", "T"))
        place = found.end()
    return cards


def pack(cards: Sequence[str]) -> Cards:
    """Pack canonical cards."""
    size = len(cards)
    if len(set(cards)) == size:
        packed = sum(map(_ONE.__getitem__, cards))
    else:
        packed = _pack_repeated(Counter(cards))
    named = sum(map(len, cards)) - size + cards.count("B") + cards.count("R")
    return Cards(packed=packed, counts=packed & COUNTS, size=size, suited=named == size)


def _pack_repeated(cards: Counter[str]) -> int:
    """Pack cards of which some stand several times, holding each count at what its field can say."""
    ranks: Counter[str] = Counter()
    for card, count in cards.items():
        ranks[card[-1]] += count
    return sum(_RANK_ONE[rank] * min(count, RANK_LIMIT) for rank, count in ranks.items()) + sum(
        _FACE_ONE[card] * min(count, _FACE_LIMIT) for card, count in cards.items() if card in _FACE_ONE
    )


def covers(held: int, played: int) -> bool:
    """Whether a packed set holds another."""
    rest = held - played
    return not (held ^ played ^ rest) & BORROWS


def rank_counts(counts: int) -> list[int]:
    """How many cards of each of the 15 ranks, lowest first."""
    return [counts >> shift & RANK_LIMIT for shift in range(0, RANK_BITS * len(RANKS), RANK_BITS)]


def counts_of(counts: Iterable[int]) -> int:
    """The packed counts of 15 counts, lowest rank first."""
    return sum(count << RANK_BITS * i for i, count in enumerate(counts))


def rank_text(counts: int) -> str:
    """Packed counts as card text without suits, low to high."""
    return "".join(rank * count for rank, count in zip(RANKS, rank_counts(counts), strict=True))


def packed_of(counts: int, low: int, high: int) -> int:
    """A packed set of its counts of ranks and its faces, of which 32 stand in the lower word, the rest in the other."""
    return counts | (low | high << 64) << _FACE_SHIFT


def faces_of(packed: int) -> int:
    """The part of a packed set that counts faces: two bits a face, the first face lowest."""
    return packed >> _FACE_SHIFT


def face_counts(packed: int) -> list[int]:
    """How often each of the 54 faces stands in a packed set, for cards whose suit is known."""
    faces = packed >> _FACE_SHIFT
    return [faces >> _FACE_BITS * i & _FACE_LIMIT for i in range(len(FACES))]


def pack_of(packs: int, removed_ranks: Iterable[str] = ()) -> tuple[str, ...]:
    """Every card of the packs in play, by face, without the ranks taken out."""
    gone = set(removed_ranks)
    return tuple(face for face in FACES if face[-1] not in gone for _ in range(packs))
