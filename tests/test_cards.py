"""Cards: how they are written and read (record.md 3), and sets of them as one number."""

from collections import Counter

import pytest

from ingest.cards import (
    COUNTS,
    FACES,
    NONE,
    RANK_LIMIT,
    RANKS,
    Cards,
    UnreadableCards,
    counts_of,
    covers,
    face_counts,
    pack,
    pack_of,
    rank_counts,
    rank_text,
    read_cards,
    split_cards,
)


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("", ""),
        ("S3HTCADQ", "S3 HT CA DQ"),
        ("3334", "3 3 3 4"),
        ("BR", "B R"),
        ("S3B", "S3 B"),
        ("3R", "3 R"),
        ("s3ht", "S3 HT"),
        ("ahkd", "HA DK"),
        ("10103", "T T 3"),
        ("S10H10", "ST HT"),
        ("10s10h", "ST HT"),
        ("AsKd", "SA DK"),
        ("as kd", "SA DK"),
        ("Th", "HT"),
        ("♠3♥T♣A♦Q", "S3 HT CA DQ"),
        ("3♠4♥", "S3 H4"),
        ("♠10♥10", "ST HT"),
        ("BJ RJ", "B R"),
        ("bj,rj", "B R"),
        ("RJ, 3, BJ", "R 3 B"),
        ("br", "B R"),
        ("S3 H4,C5, D6", "S3 H4 C5 D6"),
        ("  3  4 ", "3 4"),
        (",3,,4,", "3 4"),
        ("tjqka2", "T J Q K A 2"),
        ("BJ", "B J"),
        ("RJ", "R J"),
    ],
)
def test_spellings(text: str, cards: str):
    assert split_cards(text) == cards.split()
    assert read_cards(text) == pack(cards.split())


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("1", "1"),
        ("0", "0"),
        ("S1", "S1"),
        ("SB", "SB"),
        ("HR", "HR"),
        ("X", "X"),
        ("小王", "小王"),
        ("S3H", "H"),
        ("3,1,0", "1"),
        ("33 3-4", "-4"),
        ("S3\n", "\n"),
        ("S3\tH4", "\tH4"),
        ("♤3", "♤3"),
        ("\uff13", "\uff13"),
        ("S3;H4", ";H4"),
        ("1010101", "1"),
        ("\u017f3", "\u017f3"),
        ("S3H4\x00", "\x00"),
    ],
)
def test_what_is_no_card_is_refused_whole(text: str, rest: str):
    with pytest.raises(UnreadableCards) as problem:
        split_cards(text)
    assert problem.value.args == (text, rest)
    with pytest.raises(UnreadableCards):
        read_cards(text)


def test_suit_signs_behind_are_read_with_letters_too():
    assert split_cards("3♠T♥") == ["S3", "HT"]


def test_a_suit_stands_in_front_or_behind_and_never_both():
    with pytest.raises(UnreadableCards):
        split_cards("S3H h4")
    assert split_cards("3s h4") == ["S3", "H4"]


def test_a_packed_set_counts_ranks_and_faces():
    cards = read_cards("S3S3H3BRR3A")
    assert (cards.size, cards.suited) == (8, False)
    assert rank_counts(cards.counts) == [4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 2]
    faces = dict(zip(FACES, face_counts(cards.packed), strict=True))
    assert {face: count for face, count in faces.items() if count} == {"S3": 2, "H3": 1, "B": 1, "R": 2}
    assert cards.packed & COUNTS == cards.counts
    assert rank_text(cards.counts) == "3333ABRR"
    assert counts_of(rank_counts(cards.counts)) == cards.counts


def test_suited_means_every_face_is_known():
    assert read_cards("S3BR").suited
    assert not read_cards("S3B4").suited
    assert read_cards("").suited
    assert read_cards("") == NONE == Cards(packed=0, counts=0, size=0, suited=True)


def test_too_many_of_one_rank_stay_at_the_limit_and_touch_no_other():
    cards = read_cards("3" * 40 + "4")
    assert cards.size == 41
    assert rank_counts(cards.counts) == [RANK_LIMIT, 1] + [0] * 13
    faces = dict(zip(FACES, face_counts(read_cards("S3" * 9 + "H3").packed), strict=True))
    assert (faces["S3"], faces["H3"], faces["C3"], faces["D3"]) == (3, 1, 0, 0)


def test_covers():
    hand = read_cards("S3H3B")
    assert covers(hand.packed, read_cards("S3").packed)
    assert covers(hand.packed, read_cards("S3H3B").packed)
    assert covers(hand.packed, NONE.packed)
    assert not covers(hand.packed, read_cards("C3").packed)
    assert covers(hand.counts, read_cards("C3").counts)
    assert not covers(hand.packed, read_cards("S3S3").packed)
    assert not covers(hand.packed, read_cards("R").packed)
    assert not covers(NONE.packed, read_cards("R").packed)
    assert not covers(NONE.packed, read_cards("S3").packed)


@pytest.mark.parametrize(("packs", "removed", "size"), [(1, "", 54), (2, "", 108), (2, "34", 92), (1, "BR", 52)])
def test_packs(packs: int, removed: str, size: int):
    cards = pack_of(packs, removed)
    assert len(cards) == size
    assert set(Counter(cards).values()) == {packs}
    assert not set(removed) & {card[-1] for card in cards}
    assert pack(cards).size == size
    assert max(rank_counts(pack(cards).counts)) == 4 * packs


def test_the_order_of_ranks():
    assert RANKS == "3456789TJQKA2BR"
    assert len(FACES) == len(set(FACES)) == 54
