"""Random games of OpenSpiel and RLCard, written down as records, audit clean and score as the engines say."""

import importlib
import random
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from ingest.batch import Batch
from ingest.logs import Entry
from ingest.record import Claim, Player, Record, read_record, write_moves
from ingest.verdict import Verdict

GAMES = 150
PLAYERS = [Player(id=f"random-{seat}", bot=True) for seat in range(3)]


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
