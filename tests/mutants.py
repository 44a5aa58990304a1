"""Lawful records with one thing changed, and whether a change leaves a lawful record, found out without the audit.

Run as ``python mutants.py HANDS SEED RULES…``; prints for each ruleset how many changes were tried, were unlawful, were
found clean though unlawful, found faulty though lawful, judged otherwise by compiled code. For the climbing games
``second_hand`` judges each; it and the arguments here, which count cards and turns and compare claims, must not
contradict each other. 三打哈 has the arguments alone, and what they cannot decide is no illegal change there.
"""

import json
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from second_hand import faces, is_lawful

from ingest.batch import judge
from ingest.bulk import available, judge_all
from ingest.logs import Entry
from ingest.record import Unreadable, read_record
from ingest.rules.ruleset import Ruleset, load_any
from ingest.simulate import hands

Told = dict[str, Any]
OWN_POINTS = ("botzone-v1", "ccgc", "rlcard")
"""Games whose points no base of a log multiplies."""
FACES = [suit + rank for suit in "SHCD" for rank in "3456789TJQKA2"] + ["B", "R"]


class Mutant(NamedTuple):
    """A changed record."""

    kind: str
    told: Told
    unlawful: bool
    """Whether it cannot be lawful, by counting."""


def moves(told: Told, name: str) -> list[str]:
    return (told.get(name) or "").split()


def seat(move: str) -> int:
    return int(move.partition(":")[0])


def cards(move: str) -> str:
    return move.partition(":")[2].partition("@")[0].partition("=")[0].partition("!")[0]


def led(move: str) -> str:
    """The cards that left the hand: of a throw that failed those after it."""
    return move.partition(":")[2].partition("@")[0].partition("=")[0].rpartition("!")[2]


def with_moves(told: Told, name: str, changed: list[str]) -> Told:
    return told | {name: " ".join(changed)}


def overplays(told: Told) -> bool:
    """Whether a seat plays a card more often than it was dealt it; the bottom may be anybody's."""
    bottom = Counter(faces(told.get("bottom") or ""))
    for number, dealt in enumerate(told["hands"]):
        played = Counter(face for move in moves(told, "plays") if seat(move) == number and cards(move) != "-"
                         for face in faces(led(move)))  # fmt: skip
        if played - (Counter(faces(dealt)) + bottom):
            return True
    return False


def turns(told: Told, chance: random.Random) -> Iterator[Mutant]:
    """Turns go round, so that a seat changed, a move gone, doubled or changed with its neighbour breaks them."""
    size = len(told["players"])
    for name in ("auction", "plays"):
        all_moves = moves(told, name)
        if len(all_moves) < 3:
            continue
        place = chance.randrange(len(all_moves) - 1)
        move, after = all_moves[place], all_moves[place + 1]
        other = (seat(move) + chance.randrange(1, size)) % size
        yield Mutant(f"{name}: seat", with_moves(told, name, _put(all_moves, place, f"{other}{move[1:]}")), True)
        doubled = [*all_moves[: place + 1], *all_moves[place:]]
        yield Mutant(f"{name}: twice", with_moves(told, name, doubled), True)
        if seat(move) != seat(after):
            swapped = _put(_put(all_moves, place, after), place + 1, move)
            yield Mutant(f"{name}: order", with_moves(told, name, swapped), name == "plays")
            gone = all_moves[:place] + all_moves[place + 1 :]
            yield Mutant(f"{name}: gone", with_moves(told, name, gone), name == "plays")


def _put(given: list[str], place: int, value: str) -> list[str]:
    return [*given[:place], value, *given[place + 1 :]]


def dealt(told: Told, chance: random.Random) -> Iterator[Mutant]:
    """Every card of a pack is dealt once, so that another one in its place stands once too often."""
    size = len(told["hands"])
    number = chance.randrange(size)
    mine = faces(told["hands"][number])
    place = chance.randrange(len(mine))
    other = chance.choice([face for face in FACES if face != mine[place]])
    yield Mutant("dealt card", _dealt(told, {number: _put(mine, place, other)}), True)
    yield Mutant("dealt card gone", _dealt(told, {number: mine[:place] + mine[place + 1 :]}), True)
    theirs = faces(told["hands"][(number + 1) % size])
    there = chance.randrange(len(theirs))
    if theirs[there] != mine[place]:
        swap = {number: _put(mine, place, theirs[there]), (number + 1) % size: _put(theirs, there, mine[place])}
        changed = _dealt(told, swap)
        yield Mutant("dealt cards exchanged", changed, overplays(changed))


def _dealt(told: Told, changed: dict[int, list[str]]) -> Told:
    given = ["".join(changed[n]) if n in changed else text for n, text in enumerate(told["hands"])]
    return told | {"hands": given}


def played(told: Told, chance: random.Random) -> Iterator[Mutant]:
    """A seat that plays a card it does not have, or fewer or more cards than before."""
    all_moves = moves(told, "plays")
    with_cards = [place for place, move in enumerate(all_moves) if cards(move) != "-" and "!" not in move]
    if not with_cards:
        return
    place = chance.choice(with_cards)
    mine, rest = faces(cards(all_moves[place])), all_moves[place].partition("@")[2]

    def again(text: str) -> Told:
        move = f"{seat(all_moves[place])}:{text}" + (f"@{rest}" if rest else "")
        return with_moves(told, "plays", _put(all_moves, place, move))

    at = chance.randrange(len(mine))
    other = chance.choice([face for face in FACES if face != mine[at]])
    changed = again("".join(_put(mine, at, other)))
    yield Mutant("card played", changed, overplays(changed))
    yield Mutant("card played twice", doubled := again("".join([*mine, mine[at]])), overplays(doubled))
    last = place == len(all_moves) - 1 and "end" not in told  # nobody went out then
    yield Mutant("play to pass", again("-"), last)


def replayed(told: Told, chance: random.Random) -> Iterator[Mutant]:
    """A play that is another, of the cards that its seat was dealt; a move more; a card more or less."""
    all_moves = moves(told, "plays")
    place = chance.randrange(len(all_moves))
    number, mine = seat(all_moves[place]), faces(told["hands"][seat(all_moves[place])])

    def instead(kind: str, some: list[str]) -> Mutant:
        changed = with_moves(told, "plays", _put(all_moves, place, f"{number}:{''.join(some)}"))
        return Mutant(kind, changed, overplays(changed))

    alike = [face for face in mine if face[-1] == chance.choice(mine)[-1]]
    yield instead("play of one rank", alike)
    yield instead("play of any cards", chance.sample(mine, chance.randrange(1, 7)))
    old = faces(cards(all_moves[place])) if cards(all_moves[place]) != "-" and "!" not in all_moves[place] else []
    if old:
        yield instead("play with a card more", [*old, chance.choice(mine)])
    if len(old) > 1:
        gone = chance.randrange(len(old))
        yield instead("play with a card less", old[:gone] + old[gone + 1 :])
    after = (seat(all_moves[-1]) + 1) % len(told["players"])
    more = chance.choice(("-", told["hands"][after][-2:].lstrip("SHCD" if told["hands"][after][-1] in "BR" else "")))
    yield Mutant("move after the last", with_moves(told, "plays", [*all_moves, f"{after}:{more}"]), "end" not in told)


def lying(told: Told, chance: random.Random) -> Iterator[Mutant]:
    """Cards that lie elsewhere: a card of a hand and one of the bottom exchanged, taken or dead cards changed."""
    bottom, number = faces(told.get("bottom") or ""), chance.randrange(len(told["hands"]))
    mine = faces(told["hands"][number])
    if bottom:
        at, there = chance.randrange(len(mine)), chance.randrange(len(bottom))
        changed = _dealt(told, {number: _put(mine, at, bottom[there])})
        changed |= {"bottom": "".join(_put(bottom, there, mine[at]))}
        yield Mutant("card exchanged with the bottom", changed, overplays(changed))
        yield Mutant("bottom card", told | {"bottom": "".join(_put(bottom, there, chance.choice(FACES)))}, False)
        if told.get("taken") is not None:
            some = chance.sample(bottom, chance.randrange(len(bottom) + 1))
            yield Mutant("taken", told | {"taken": "".join(some)}, False)
    if told.get("dead"):
        dead = faces(told["dead"])
        yield Mutant("dead card", told | {"dead": "".join(_put(dead, 0, chance.choice(FACES)))}, False)


def claimed(told: Told, chance: random.Random) -> Iterator[Mutant]:
    """A claim that was right is wrong when it says something else."""
    claim = told.get("claim") or {}
    for name, value in claim.items():
        if isinstance(value, int):
            yield Mutant(f"claim.{name}", told | {"claim": claim | {name: value + chance.choice((-1, 1))}}, True)
        elif value and name in ("scores", "balances"):
            at = chance.randrange(len(value))
            if value[at] is not None:
                more = [*value[:at], value[at] + chance.choice((-7, 1, 10)), *value[at + 1 :]]
                yield Mutant(f"claim.{name}", told | {"claim": claim | {name: more}}, True)
        elif name == "winners":
            loser = [n for n in range(len(told["players"])) if n not in value]
            yield Mutant("claim.winners", told | {"claim": claim | {name: loser}}, True)


def _paid_by_base(told: Told) -> bool:
    """Whether another base is another score: somebody is paid, no balance caps it, no points of its own."""
    paid = any((told.get("claim") or {}).get("scores") or ())
    capped = any(player.get("balance") is not None for player in told["players"])
    return paid and not capped and told["rules"] not in OWN_POINTS


def fields(told: Told, chance: random.Random) -> Iterator[Mutant]:
    """What is not decided by counting: both engines must say the same of it."""
    for name in ("voids", "first", "landlord"):
        if isinstance(told.get(name), int):
            yield Mutant(name, told | {name: told[name] + 1}, False)
    if told.get("marker"):
        yield Mutant("marker", told | {"marker": chance.choice(FACES)}, False)
    yield Mutant("base", told | {"base": told.get("base", 1) + 1}, _paid_by_base(told))
    for name in ("marker", "first", "bottom", "auction", "landlord", "trump"):
        if told.get(name) is not None:
            yield Mutant(f"{name} gone", {key: value for key, value in told.items() if key != name}, False)
    known = [place for place, player in enumerate(told["players"]) if player.get("balance") is not None]
    if known:
        place, more = chance.choice(known), chance.choice((-30, -1, 1, 5))
        player = told["players"][place]
        changed = player | {"balance": player["balance"] + more}
        yield Mutant("balance", told | {"players": [*told["players"][:place], changed, *told["players"][place + 1 :]]},
                     False)  # fmt: skip
    yield Mutant("open", told | {"open": not told.get("open", False)}, False)
    all_moves = moves(told, "auction")
    if all_moves:
        place = chance.randrange(len(all_moves))
        word = chance.choice(("-", "1", "2", "3", "call", "rob"))
        if cards(all_moves[place]) != word:
            changed = _put(all_moves, place, f"{seat(all_moves[place])}:{word}")
            yield Mutant("auction: word", with_moves(told, "auction", changed), False)
        added = [*all_moves, f"{(seat(all_moves[-1]) + 1) % len(told['players'])}:{chance.choice(('-', 'rob', '3'))}"]
        yield Mutant("auction: more", with_moves(told, "auction", added), False)
    ends = [end for end in ("void", "surrender", "escape:0", "escape:1", None) if end != told.get("end")]
    yield Mutant("end", told | {"end": chance.choice(ends)}, False)


KINDS: tuple[Callable[[Told, random.Random], Iterator[Mutant]], ...] = (
    turns, dealt, played, replayed, lying, claimed, fields
)  # fmt: skip
SHOWN = (dealt, played, replayed, lying)
"""What is tried only where every card is shown and something was played."""


def mutants(line: bytes, chance: random.Random) -> Iterator[Mutant]:
    """Every kind of change to one lawful record, one of each."""
    told = json.loads(line)
    told.pop("table", None)  # what its neighbours say is another matter
    for kind in KINDS:
        if kind not in SHOWN or (all(told.get("hands") or [None]) and told.get("plays")):
            yield from kind(told, chance)


def entry(line: bytes) -> Entry:
    try:
        return Entry("log", 1, line, read_record(line)[0])
    except Unreadable as problem:
        return Entry("log", 1, line, None, (problem.finding,))


class Count(NamedTuple):
    """What became of the mutants of one ruleset."""

    tried: int
    unlawful: int
    undecided: int
    missed: list[bytes]
    """Unlawful and clean."""
    accused: list[bytes]
    """Lawful and not clean."""
    differing: list[bytes]
    """On which the two engines differ."""
    disputed: list[bytes]
    """Lawful to the second judge, and not so by an argument."""
    kinds: Counter[str]
    found: Counter[str]
    """Unlawful ones by kind."""


def tried(rules: str, number: int, seed: int, times: int = 1) -> Count:
    """Lawful hands of a ruleset, changed and audited by both engines. ``times``: how often in every way."""
    law, chance = load_any(rules), random.Random(seed)
    made: list[tuple[Mutant, bytes]] = []
    for line in hands(law, number, seed=seed):
        changed = [mutant for _ in range(times) for mutant in mutants(line, chance)]
        different = {json.dumps(mutant.told, ensure_ascii=False).encode(): mutant for mutant in changed}
        made += [(mutant, line) for line, mutant in different.items()]
    entries = [entry(line) for _, line in made]
    fast = list(judge_all(entries, warm_up=0) if available() else map(judge, entries))
    slow = [each if each.hand is not None else judge(each.entry) for each in fast]  # what was not proven was audited
    second = [is_lawful(mutant.told, law) if isinstance(law, Ruleset) else None for mutant, _ in made]
    missed, accused, differing, disputed = [], [], [], []
    kinds, found, undecided = Counter[str](), Counter[str](), 0
    for (mutant, line), lawful, one, two in zip(made, second, slow, fast, strict=True):
        kinds[mutant.kind] += 1
        unlawful = mutant.unlawful or lawful is False
        found[mutant.kind] += unlawful
        undecided += lawful is None and not unlawful
        missed += [line] if unlawful and one.verdict.verdict == "clean" else []
        accused += [line] if lawful and one.verdict.verdict != "clean" else []
        disputed += [line] if lawful and mutant.unlawful else []
        differing += [line] if one.verdict != two.verdict else []
    return Count(len(made), found.total(), undecided, missed, accused, differing, disputed, kinds, found)


if __name__ == "__main__":
    for name in sys.argv[3:]:
        count = tried(name, int(sys.argv[1]), int(sys.argv[2]))
        wrong = (count.missed, count.accused, count.differing, count.disputed)
        print(name, count.tried, count.unlawful, count.undecided, *map(len, wrong), flush=True)
        for lines in wrong:
            for line in lines[:2]:
                print(line.decode()[:3000], flush=True)
