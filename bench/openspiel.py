"""Random games of OpenSpiel's dou_dizhu: played, replayed with its own legality check, and written as our records."""

import random
from collections.abc import Sequence

import msgspec
import pyspiel
from msgspec import Struct

from ingest.cards import FACES
from ingest.record import Player, Record, write_moves, write_record

GAME = pyspiel.load_game("dou_dizhu")
HIDDEN_CARDS = 3
PASS_OR_BID = range(4)
"""Version 2.0.2: actions 0 (pass) to 3 in the auction; 0 is also the pass of the play."""


class Game(Struct, frozen=True):
    """One finished game: every action in order, chance included, and what each seat got."""

    actions: list[int]
    returns: list[float]


def play(rng: random.Random) -> Game:
    """Play one game with uniformly random legal actions."""
    state = GAME.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            actions, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(actions, weights)[0])
        else:
            state.apply_action(rng.choice(state.legal_actions()))
    return Game(state.history(), state.returns())


def games(number: int, seed: int) -> list[Game]:
    """So many games that had a landlord."""
    rng = random.Random(seed)
    found: list[Game] = []
    while len(found) < number:
        game = play(rng)
        if any(game.returns):
            found.append(game)
    return found


def replay(game: Game) -> list[float]:
    """Replay a game with OpenSpiel's own legality check on every action; what each seat gets."""
    state = GAME.new_initial_state()
    check = state.apply_action_with_legality_check
    for action in game.actions:
        check(action)
    return list(state.returns())


def as_record(game: Game, number: int) -> bytes:
    """A game as a line of a Fupan log. The deal goes round: the k-th card dealt to seat k mod 3."""
    state = GAME.new_initial_state()
    dealt: list[list[str]] = [[], [], []]
    calls: list[tuple[int, str]] = []
    plays: list[tuple[int, str]] = []
    for step, action in enumerate(game.actions):
        text = state.action_to_string(state.current_player(), action)
        if step == 0:
            first = action % 3
        elif state.is_chance_node():
            dealt[(step - 1) % 3].append(_card(text.removeprefix("Deal ")))
        elif not plays and action in PASS_OR_BID and (not calls or not _decided(calls)):
            calls.append((state.current_player(), str(action) if action else "-"))
        else:
            plays.append((state.current_player(), play_text(text)))
        state.apply_action(action)
    hands = ["".join(sorted(hand, key=FACES.index)) for hand in dealt]
    record = Record(
        id=f"openspiel-{number}",
        rules="openspiel",
        players=[Player(id=f"random-{seat}", bot=True) for seat in range(3)],
        hands=list(hands),
        bottom="".join(sorted(set(FACES) - {card for hand in dealt for card in hand}, key=FACES.index)),
        first=first,
        auction=write_moves(calls),
        plays=write_moves(plays),
    )
    claim = {"scores": [int(value) for value in game.returns]}
    return write_record(msgspec.convert({**msgspec.to_builtins(record), "claim": claim}, Record))


def _decided(calls: Sequence[tuple[int, str]]) -> bool:
    """Whether the auction is over (rules.md A-R7)."""
    words = [word for _, word in calls]
    return words[-1] == "3" or (len(words) > 2 and words[-2:] == ["-", "-"] and words[-3] != "-") or (
        "3" in words
    )  # fmt: skip


def _card(text: str) -> str:
    return {"(BWJ)": "B", "(CJ)": "R"}.get(text, text)


def play_text(text: str) -> str:
    """OpenSpiel's text of a play as card text, with the reading that it declares where it declares one (OS-R3)."""
    if text == "Pass":
        return "-"
    body, dash, kickers = text.replace("(BWJ)", "B").replace("(CJ)", "R").partition("-")
    if not dash:
        return body
    return f"{body}{kickers}={'plane1' if len(body) == 3 * len(kickers) else 'plane2'}"
