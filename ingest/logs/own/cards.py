"""Cards as a source spells them, as Fupan's: one table of words and numbers for each way of spelling.

Knows the spellings that programs use. Refuses to guess: what is in no table is unreadable.
"""

import re
from collections.abc import Iterator
from decimal import Decimal
from itertools import product
from typing import Any

from msgspec import Struct

from ingest.cards import RANKS, SUITS, UnreadableCards, split_cards
from ingest.logs.own.keys import CardKeys
from ingest.logs.own.paths import MISSING, find
from ingest.logs.own.troubles import missing, unreadable
from ingest.logs.own.values import is_empty, text, whole

PLAIN = RANKS[:13]
_HEX_RANKS = "A23456789TJQK"
_HEX_SUITS = "DCHS"
_HEX_JOKERS = (0x4E, 0x4F)
_CHINESE_SUITS = {
    "黑桃": "S", "红桃": "H", "红心": "H", "梅花": "C", "草花": "C", "方块": "D", "方片": "D",
    "♠": "S", "♥": "H", "♣": "C", "♦": "D", "": "",
}  # fmt: skip
_CHINESE_JOKERS = {"小王": "B", "大王": "R", "小鬼": "B", "大鬼": "R"}
_LONG_JOKERS = {"BJ": "B", "RJ": "R"}
_NUMBERED = ("hex", "ranks", "numbers")
"""Codes in which a number is never looked up as a text: 14 is not the text "14", which may be hexadecimal."""
_NUMBER = re.compile(r"-?[0-9]{1,9}")


class Spelling(Struct, frozen=True):
    """How cards are spelt: what each word and each number means, and how a text is cut into words."""

    words: dict[str, str]
    numbers: dict[int, str]
    token: re.Pattern[str] | None
    """Any word, the longest first; None where there are none."""
    keys: CardKeys

    def cards(self, given: Any) -> list[str]:
        """The cards in a list or a text, in their order. Raises ``Unread`` for one that nobody knows."""
        if is_empty(given):
            return []
        if type(given) is list:
            found = [self._card(item) for item in given]
        elif type(given) is str:
            found = self._of_text(given)
        else:
            found = [self._card(given)]
        return [card for card in found if card]

    def _of_text(self, given: str) -> list[str]:
        keys = self.keys
        if keys.split is not None:
            return [self._word(word) for word in given.split(keys.split)]
        if keys.width is not None:
            return [self._word(given[at : at + keys.width]) for at in range(0, len(given), keys.width)]
        if given in self.words:
            return [self.words[given]]
        if keys.code in ("fupan", "chinese", "words"):
            return self._cut(given)
        return [self._word(given)]

    def _cut(self, given: str) -> list[str]:
        """The cards of a text in which words stand together, or with spaces and commas between."""
        found, place = [], 0
        for match in self.token.finditer(given) if self.token else ():
            found += [*self._between(given[place : match.start()]), self.words[match[0]]]
            place = match.end()
        return [*found, *self._between(given[place:])]

    def _between(self, rest: str) -> list[str]:
        if self.keys.code == "fupan":
            return _fupan(rest)
        if rest.strip(" ,"):
            raise unreadable("card", rest)
        return []

    def _card(self, item: Any) -> str:
        if self.keys.parts is not None and isinstance(item, dict | list):
            item = "".join(text(_part(item, path)) for path in self.keys.parts)
        if isinstance(item, float | Decimal):
            item = whole(item)
        if type(item) is int and (item in self.numbers or self.keys.code in _NUMBERED):
            return self._number(item)
        return self._word(text(item))

    def _number(self, number: int) -> str:
        card = self.numbers.get(number)
        if card is None:
            raise unreadable("card", number)
        return card

    def _word(self, word: str) -> str:
        card = self.words.get(word)
        if card is None and self.keys.code == "hex":
            card = self.words.get(_digits(word))
        if card is None and self.keys.code == "fupan":
            card = _one(word)
        if card is None:
            raise unreadable("card", word)
        return card


def spelling(keys: CardKeys) -> Spelling:
    """The spelling that a mapping describes."""
    numbers = dict(_numbers(keys))
    words = _hex_words(numbers, keys) if keys.code == "hex" else {str(number): card for number, card in numbers.items()}
    words |= _chinese() if keys.code == "chinese" else {}
    words |= keys.words
    numbers |= {int(word): card for word, card in keys.words.items() if _NUMBER.fullmatch(word)}
    longest_first = sorted((word for word in words if word), key=len, reverse=True)
    token = re.compile("|".join(map(re.escape, longest_first))) if longest_first else None
    return Spelling(words, numbers, token, keys)


def _part(item: Any, path: str) -> Any:
    found = find(item, path)
    if found is MISSING:
        raise missing()
    return found


def _numbers(keys: CardKeys) -> Iterator[tuple[int, str]]:
    """The cards that are numbers."""
    if keys.code == "hex":
        for suit, letter in enumerate(keys.suits or _HEX_SUITS):
            yield from ((suit << 4 | rank, letter + name) for rank, name in enumerate(_HEX_RANKS, 1))
        yield from zip(_HEX_JOKERS, keys.jokers or "BR", strict=True)
    elif keys.code == "ranks":
        yield from enumerate(RANKS, 3)
    elif keys.code == "numbers":
        faces = [*_faces(keys), *(keys.jokers or "BR")]
        packs, first = keys.packs or 1, keys.first or 0
        for pack, (place, face) in product(range(packs), enumerate(faces)):
            code = place * packs + pack if keys.copies == "together" else pack * len(faces) + place
            yield first + code, face


def _faces(keys: CardKeys) -> Iterator[str]:
    suits, ranks = keys.suits or SUITS, keys.ranks or PLAIN
    if keys.by == "suit":
        return (suit + rank for suit in suits for rank in ranks)
    return (suit + rank for rank in ranks for suit in suits)


def _hex_words(numbers: dict[int, str], keys: CardKeys) -> dict[str, str]:
    bare = {str(number) if keys.radix == 10 else f"{number:X}": card for number, card in numbers.items()}
    return bare | {f"0X{number:X}": card for number, card in numbers.items()}


def _digits(word: str) -> str:
    """Digits in the one way in which the table has them: capitals, no zeros in front."""
    sign, digits = ("0X", word[2:]) if word[:2].upper() == "0X" else ("", word)
    return sign + digits.upper().lstrip("0")


def _chinese() -> dict[str, str]:
    ranks = {rank: rank for rank in PLAIN} | {"10": "T"}
    faces = {suit + rank: _CHINESE_SUITS[suit] + ranks[rank] for suit in _CHINESE_SUITS for rank in ranks}
    return faces | _CHINESE_JOKERS


def _fupan(given: str) -> list[str]:
    try:
        return split_cards(given)
    except UnreadableCards as problem:
        raise unreadable("card", problem.args[1]) from None


def _one(word: str) -> str | None:
    """The card of a word that stands alone."""
    if word.upper() in _LONG_JOKERS:
        return _LONG_JOKERS[word.upper()]
    try:
        cards = split_cards(word)
    except UnreadableCards:
        return None
    return cards[0] if len(cards) == 1 else None
