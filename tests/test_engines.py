"""Other engines and ours take each other's games.

Random games of OpenSpiel, RLCard and DouZero, written down as records, audit clean and score as the engine says; the
lawful hands that we play are accepted by the engine, move by move, and end with the same score.
"""

import importlib
import random
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from ingest.batch import Batch
from ingest.cards import FACES, RANKS, rank_text, read_cards, split_cards
from ingest.logs import Entry
from ingest.record import Claim, Move, Player, Record, read_plays, read_record, write_moves
from ingest.rules.combinations import law_of, readings
from ingest.rules.ruleset import load
from ingest.simulate import lawful
from ingest.verdict import Verdict

GAMES = 150
PLAYERS = [Player(id=f"random-{seat}", bot=True) for seat in range(3)]


def our_games(name: str) -> list[tuple[Record, Verdict]]:
    """Lawful hands of ours under a ruleset, with what we say of them."""
    rng = random.Random(20261129)
    records = [lawful(load(name), rng) for _ in range(GAMES)]
    return list(zip(records, audit(records), strict=True))


def ranks_held(record: Record) -> list[str]:
    """The ranks in each hand once the landlord has taken the bottom, low to high."""
    assert record.hands
    assert record.bottom
    taken = [record.bottom if seat == record.landlord else "" for seat in range(3)]
    return [rank_text(read_cards(f"{hand}{more}").counts) for hand, more in zip(record.hands, taken, strict=True)]


def plays_of(record: Record) -> list[tuple[int, str]]:
    """Each move as the ranks it plays, low to high; nothing for a pass."""
    return [(move.seat, rank_text(move.cards.counts) if move.cards else "") for move in read_plays(record.plays or "")]


def audit(records: list[Record]) -> list[Verdict]:
    with Batch() as batch:
        return [found.verdict for found in batch.audit(Entry("engine", i, b"", r) for i, r in enumerate(records, 1))]


@pytest.fixture(scope="module")
def openspiel(request: pytest.FixtureRequest) -> Any:
    """The benchmark's own way of playing OpenSpiel."""
    pytest.importorskip("pyspiel")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "path", [str(Path(__file__).parents[1]), *sys.path])
        return importlib.import_module("bench.openspiel")


def test_games_of_openspiel(openspiel: Any):
    """OS-R1 … OS-R6."""
    games = openspiel.games(GAMES, seed=20261129)
    records = [read_record(openspiel.as_record(game, number))[0] for number, game in enumerate(games)]
    for game, verdict in zip(games, audit(records), strict=True):
        assert (verdict.verdict, verdict.findings) == ("clean", [])
        assert verdict.scores == [int(value) for value in game.returns]
    played = Counter(move.partition(":")[2] != "-" for record in records for move in record.plays.split(" "))
    assert played[True] > 10 * GAMES


def test_nobody_bids_in_openspiel(openspiel: Any):
    """OS-R1: three passes, and everybody has 0."""
    state = openspiel.GAME.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    while not state.is_terminal():
        state.apply_action(0)
    game = openspiel.Game(state.history(), state.returns())
    record, _ = read_record(openspiel.as_record(game, 0))
    record = Record(id="void", rules="openspiel", players=PLAYERS, hands=record.hands, bottom=record.bottom,
                    first=record.first, auction=record.auction, end="void")  # fmt: skip
    (verdict,) = audit([record])
    assert (verdict.verdict, verdict.outcome, verdict.scores) == ("clean", "void", [0, 0, 0])
    assert list(game.returns) == [0, 0, 0]


def rlcard_record(env: Any, number: int) -> Record:
    """One game of RLCard by random agents; the landlord's 20 cards are written as 17 and a bottom of 3 (rules.md 8)."""
    trajectories, payoffs = env.run(is_training=False)
    landlord, *farmers = (player.initial_hand for player in env.game.players)
    trace = trajectories[0][-1]["raw_obs"]["trace"]
    moves = [(int(seat), "-" if cards == "pass" else cards) for seat, cards in trace]
    return Record(
        id=f"rlcard-{number}",
        rules="rlcard",
        players=PLAYERS,
        hands=[landlord[:17], *farmers],
        bottom=landlord[17:],
        landlord=env.game.round.landlord_id,
        plays=write_moves(moves),
        claim=Claim(scores=[int(value) for value in payoffs]),
    )


def test_games_of_rlcard():
    """RL-R1, RL-R2."""
    rlcard = pytest.importorskip("rlcard")
    env = rlcard.make("doudizhu", config={"seed": 20261129})
    dice = random.Random(20261129)

    class Agent:
        use_raw = False

        @staticmethod
        def eval_step(state: dict[str, Any]) -> tuple[int, dict[str, Any]]:
            return dice.choice(list(state["legal_actions"])), {}

    env.set_agents([Agent()] * 3)
    records = [rlcard_record(env, number) for number in range(GAMES)]
    for record, verdict in zip(records, audit(records), strict=True):
        assert (verdict.verdict, verdict.findings) == ("clean", [])
        assert record.claim is not None
        assert verdict.scores == record.claim.scores
    assert {tuple(record.claim.scores or ()) for record in records if record.claim} == {(1, 0, 0), (0, 1, 1)}


def test_rlcard_takes_our_games():
    """RL-R1: every play of ours is among those RLCard offers at that point."""
    pytest.importorskip("rlcard")
    from rlcard.games.base import Card
    from rlcard.games.doudizhu.judger import DoudizhuJudger
    from rlcard.games.doudizhu.utils import get_gt_cards

    def offered(held: str, standing: str) -> Any:
        if not standing:
            return DoudizhuJudger.playable_cards_from_hand(held)
        cards = [Card(f"{rank}J", "") if rank in "BR" else Card("S", rank) for rank in held]
        return get_gt_cards(SimpleNamespace(current_hand=cards), SimpleNamespace(played_cards=standing))

    for record, _ in our_games("rlcard"):
        held = ranks_held(record)
        standing, leader = "", -1
        for seat, play in plays_of(record):
            standing = "" if seat == leader else standing
            assert (play or "pass") in offered(held[seat], standing), (record.id, seat, play)
            if play:
                standing, leader = play, seat
                held[seat] = rank_text(read_cards(held[seat]).counts - read_cards(play).counts)


DOUZERO_CARDS = dict(zip(RANKS, [*range(3, 15), 17, 20, 30], strict=True))
POSITIONS = ("landlord", "landlord_down", "landlord_up")
"""Of DouZero, in the order of play (DZ-R1)."""


class AtRandom:
    """A player of DouZero that takes any legal action, and remembers."""

    def __init__(self, seat: int, dice: random.Random, moves: list[tuple[int, str]]) -> None:
        self.seat, self.dice, self.moves = seat, dice, moves

    def act(self, infoset: Any) -> list[int]:
        action: list[int] = self.dice.choice(infoset.legal_actions)
        faces = {value: rank for rank, value in DOUZERO_CARDS.items()}
        self.moves.append((self.seat, "".join(faces[card] for card in action) or "-"))
        return action


class FromRecord:
    """A player of DouZero that plays what a record says, and insists that it is offered."""

    def __init__(self, moves: Iterator[str]) -> None:
        self.moves = moves

    def act(self, infoset: Any) -> list[int]:
        action = [DOUZERO_CARDS[rank] for rank in next(self.moves)]
        assert action in infoset.legal_actions, (infoset.player_hand_cards, action)
        return action


def played_by_douzero(players: list[Any], hands: list[str], bottom: str) -> list[int]:
    """Play a game in DouZero, the landlord's hand (of 20) first; what each position gets (DZ-R3)."""
    from douzero.env.game import GameEnv

    env = GameEnv(dict(zip(POSITIONS, players, strict=True)))
    dealt = [sorted(DOUZERO_CARDS[rank] for rank in hand) for hand in (*hands, bottom)]
    env.card_play_init(dict(zip((*POSITIONS, "three_landlord_cards"), dealt, strict=True)))
    while not env.game_over:
        env.step()
    each = env.player_utility_dict["farmer"] * 2**env.bomb_num
    return [-2 * each, each, each]


def test_games_of_douzero():
    """DZ-R1 … DZ-R3."""
    pytest.importorskip("douzero")
    dice = random.Random(20261129)
    records = []
    for number in range(GAMES):
        pack = dice.sample(FACES, len(FACES))
        hands = ["".join(pack[17 * seat : 17 * (seat + 1)]) for seat in range(3)]
        bottom = "".join(pack[51:])
        moves: list[tuple[int, str]] = []
        players = [AtRandom(seat, dice, moves) for seat in range(3)]
        record = Record(id=f"douzero-{number}", rules="douzero", players=PLAYERS, hands=list(hands), bottom=bottom,
                        landlord=0)  # fmt: skip
        scores = played_by_douzero(players, ranks_held(record), rank_text(read_cards(bottom).counts))
        records.append(msgspec.structs.replace(record, plays=write_moves(moves), claim=Claim(scores=list(scores))))
    for record, verdict in zip(records, audit(records), strict=True):
        assert (verdict.verdict, verdict.findings) == ("clean", [])
        assert record.claim is not None
        assert verdict.scores == record.claim.scores
    assert {max(verdict.scores or [0]) > 2 for verdict in audit(records)} == {True, False}


def test_douzero_takes_our_games():
    """DZ-R2: every play of ours is among those DouZero offers at that point, and the game ends with our score."""
    pytest.importorskip("douzero")
    for record, verdict in our_games("douzero"):
        assert record.bottom
        assert record.landlord is not None
        assert verdict.scores is not None
        order = [(record.landlord + place) % 3 for place in range(3)]
        moves = plays_of(record)
        players = [FromRecord(iter([play for at, play in moves if at == seat])) for seat in order]
        held = ranks_held(record)
        scores = played_by_douzero(players, [held[seat] for seat in order], rank_text(read_cards(record.bottom).counts))
        assert scores == [verdict.scores[seat] for seat in order]


def test_openspiel_takes_our_games(openspiel: Any):
    """OS-R1 … OS-R6. All it does not take is a chain whose lowest rank is held four times (OS-R5)."""
    taken = Counter(
        openspiel_takes(record, verdict, openspiel)
        for record, verdict in our_games("openspiel")
        if verdict.outcome != "void"
    )
    assert taken[True] > 0.9 * GAMES


def openspiel_takes(record: Record, verdict: Verdict, openspiel: Any) -> bool:
    """Whether OpenSpiel accepts every move of a record; then the scores agree. False for a chain of OS-R5."""
    assert record.auction
    assert verdict.landlord is not None
    assert verdict.scores is not None
    states = [openspiel_auction(record, openspiel)]
    held = ranks_held(msgspec.structs.replace(record, landlord=verdict.landlord))
    for move in read_plays(record.plays or ""):
        states = [after for state in states for after in openspiel_answers(state, move, openspiel)]
        if not states:
            assert move.cards is not None
            assert starts_with_all_four(move.cards.counts, held[move.seat]), (record.id, move.text)
            return False
        if move.cards:
            held[move.seat] = rank_text(read_cards(held[move.seat]).counts - move.cards.counts)
    assert {tuple(state.returns()) for state in states} == {tuple(verdict.scores)}
    return True


def openspiel_auction(record: Record, openspiel: Any) -> Any:
    """OpenSpiel once the cards of a record are dealt and the bids made."""
    assert record.auction
    assert record.hands
    assert all(record.hands)
    state = openspiel.GAME.new_initial_state()
    state.apply_action(int(record.auction[0]))
    hands = [iter(split_cards(hand or "")) for hand in record.hands]
    names = {"B": "(BWJ)", "R": "(CJ)"}
    for number in range(51):
        card = next(hands[number % 3])
        apply(state, f"Deal {names.get(card, card)}")
    for call in record.auction.split(" "):
        word = call.partition("@")[0].partition(":")[2]
        state.apply_action(0 if word == "-" else int(word))
    return state


def apply(state: Any, text: str) -> None:
    """Take the legal action of that text."""
    named = {state.action_to_string(state.current_player(), action): action for action in state.legal_actions()}
    state.apply_action(named[text])


def openspiel_answers(state: Any, move: Move, openspiel: Any) -> Iterator[Any]:
    """The state after a move: once for each action that may be meant by it."""
    wanted = move.cards.counts if move.cards else 0
    if state.is_terminal() or state.current_player() != move.seat:
        return
    for action in state.legal_actions():
        cards, _, declared = openspiel.play_text(state.action_to_string(move.seat, action)).partition("=")
        counts = 0 if cards == "-" else read_cards(cards).counts
        if counts == wanted and (move.declared is None or not declared or declared == move.declared):
            after = state.clone()
            after.apply_action(action)
            yield after


def starts_with_all_four(counts: int, held: str) -> bool:
    """Whether every chain that the cards can be read as has a lowest rank that is held four times."""
    found = [reading for reading in readings(counts, law_of(load("openspiel"))) if reading.length > 1]
    lowest = [RANKS[RANKS.index(reading.rank) - reading.length + 1] for reading in found]
    return bool(found) and all(held.count(rank) == 4 for rank in lowest)
