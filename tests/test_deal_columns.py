"""What a store keeps of a deal: packed counts, masks of faces, and digests that know a deal again."""

from itertools import permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_store_hands import MIDDLE, STRONG, WEAK, kept, one, record

from ingest.cards import FACES, RANKS, face_counts, faces_of, pack, pack_of, rank_counts
from ingest.hand import Story
from ingest.record import Player, Record
from ingest.rules.deal import read_deal
from ingest.rules.ruleset import load_any
from ingest.simulate import lawful
from ingest.store.deals import deal_columns, masks_of

HANDS = ["".join(cards) for cards in (STRONG, MIDDLE, WEAK)]


def ranks_of(packed):
    return {rank: held for rank, held in zip(RANKS, rank_counts(int(packed)), strict=True) if held}


def faces_in(mask):
    mask = int(mask)
    return [face for i, face in enumerate(FACES) if mask >> 2 * (i % 27) + i // 27 & 1]


def test_a_seats_row_has_its_ranks_and_faces_and_the_hand_its_bottom(tmp_path):
    with kept(tmp_path, record("a", "plain")) as warehouse:
        seats = warehouse.query("SELECT seat, dealt, faces, twins FROM seats ORDER BY seat")
        hand = one(warehouse, "SELECT deck, bottom_counts FROM hands")
    assert ranks_of(seats["dealt"][0]) == dict.fromkeys("3456789TJQKAB", 1) | {"2": 4}
    assert [sorted(faces_in(mask)) for mask in seats["faces"]] == [sorted(cards) for cards in (STRONG, MIDDLE, WEAK)]
    assert seats["twins"].tolist() == [0, 0, 0]
    assert hand["deck"] == "3x17+3+0 of 1"
    assert ranks_of(hand["bottom_counts"]) == {"3": 2, "R": 1}


HIDDEN = [*HANDS[:2], None]
NO_SUITS = ["".join(card[-1] for card in cards) for cards in (STRONG, MIDDLE, WEAK)]
TOO_FEW = [HANDS[0][:-1], *HANDS[1:]]


@pytest.mark.parametrize(
    ("more", "whole", "known"),
    [
        ({}, True, ["deck", "bottom_counts", "deal_digest", "deal_shape"]),
        ({"bottom": None}, True, ["deck", "bottom_counts", "deal_digest", "deal_shape"]),  # it is what hands leave
        ({"hands": HIDDEN}, False, ["deck", "bottom_counts"]),
        ({"hands": HIDDEN, "bottom": None}, False, ["deck"]),
        ({"hands": NO_SUITS, "bottom": "R33"}, True, ["deck", "bottom_counts"]),
        ({"bottom": "R33"}, True, ["deck", "bottom_counts"]),
        ({"claim": {"scores": [1, 0, -1]}}, True, ["deck", "bottom_counts", "deal_digest", "deal_shape"]),  # faulty
        ({"hands": TOO_FEW}, False, []),
        ({"bottom": "RS3C3"}, False, []),  # a card twice
    ],
)
def test_columns_are_null_where_a_deal_is_hidden_or_none_at_all(tmp_path, more, whole, known):
    with kept(tmp_path, record("a", "void", **more)) as warehouse:
        hand = warehouse.query("SELECT deck, bottom_counts, deal_digest, deal_shape FROM hands").dropna(axis=1)
        shown = one(warehouse, "SELECT count(dealt) AS dealt FROM seats")["dealt"]
    assert list(hand.columns) == known
    assert (shown == 3) == whole
    assert shown or not known


def test_a_bottom_that_hands_leave_gives_the_same_deal(tmp_path):
    two = (record("1", "void"), record("2", "void", bottom=None, ids=("a", "b", "c")))
    with kept(tmp_path, *two) as warehouse:
        rows = warehouse.query("SELECT bottom_counts, deal_digest, deal_shape FROM hands")
    assert len(rows) == 2
    assert (rows.nunique() == 1).all()


@given(st.sampled_from(("four-player", "sandaha", "two-player", "emperor")), st.integers(0, 10_000))
def test_masks_say_which_faces_are_held_once_and_twice(name, seed):
    deal = load_any(name).deal
    cards = list(pack_of(deal.packs, deal.removed_ranks))
    Random(seed).shuffle(cards)
    faces = faces_of(pack(cards[: deal.hand]).packed)
    once, twice = masks_of(faces)
    held = dict(zip(FACES, face_counts(pack(cards[: deal.hand]).packed), strict=True))
    assert faces_in(once) == [face for face in FACES if held[face] >= 1]
    assert faces_in(twice) == [face for face in FACES if held[face] == 2]
    assert once < 1 << 54


def digests(name, places):
    """deal_digest and deal_shape of cards at each seat, in the bottom and among the dead."""
    rules = load_any(name)
    texts = ["".join(cards) for cards in places]
    record = Record(
        id="a", rules=name, players=[Player(str(seat)) for seat in range(rules.deal.players)],
        hands=texts[: rules.deal.players], bottom=texts[rules.deal.players],
    )  # fmt: skip
    return deal_columns(Story(record, rules, dealt=read_deal(record))).of_hand[2:]


@given(st.sampled_from(("classic", "four-player", "sandaha", "two-player", "emperor")), st.data())
def test_a_shape_outlives_other_first_seats_and_names_of_suits_and_nothing_else(name, data):
    deal = load_any(name).deal
    cards, rng = list(pack_of(deal.packs, deal.removed_ranks)), Random(data.draw(st.integers(0, 10_000)))
    rng.shuffle(cards)
    sizes = [deal.hand] * deal.players + [deal.bottom, deal.dead]
    places = [[cards.pop() for _ in range(size)] for size in sizes]
    suits = dict(zip("SHCD", data.draw(st.sampled_from(list(permutations("SHCD")))), strict=True))
    turn = data.draw(st.integers(0, deal.players - 1))
    seats = places[turn : deal.players] + places[:turn]
    renamed = [[card.translate(str.maketrans(suits)) for card in place] for place in [*seats, *places[deal.players :]]]
    digest, shape = digests(name, places)
    for place in renamed:
        rng.shuffle(place)
    other_digest, other_shape = digests(name, renamed)
    assert shape == other_shape
    assert (digest == other_digest) == (turn == 0 and all(suits[suit] == suit for suit in suits))
    one, two = places[0], places[1]
    changed = next((at for at, card in enumerate(two) if card[-1] != one[0][-1]), None)
    if changed is not None:
        one[0], two[changed] = two[changed], one[0]
        assert digests(name, places)[0] != digest
        assert digests(name, places)[1] != shape


def test_seats_with_equal_ranks_are_still_known_again():
    """Two seats with the same ranks, which are the highest: the turn is found by trying both."""
    ranks = RANKS[:12]
    one = [f"S{rank}" for rank in ranks] + ["S2", "H2", "D3", "D4", "D5"]
    two = [f"H{rank}" for rank in ranks] + ["D2", "C2", "C3", "C4", "C5"]
    rest = [card for card in pack_of(1) if card not in (*one, *two)]
    places = [one, two, rest[:17], rest[17:]]
    assert set(places[3]) > {"B", "R"}
    assert rank_counts(pack(one).counts) == rank_counts(pack(two).counts)
    shapes = {digests("classic", [*places[turn:3], *places[:turn], places[3]])[1] for turn in range(3)}
    assert len(shapes) == 1


def test_what_the_fast_path_proved_has_the_same_columns():
    rules = load_any("classic")
    record = lawful(rules, Random(5))
    hand = Story(record, rules, dealt=read_deal(record))
    unread = Story(record, rules)
    assert deal_columns(hand) == deal_columns(unread)
    assert None not in deal_columns(hand).of_hand
