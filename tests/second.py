"""The statistics a second time: slowly, in plain Python, from records, verdicts and the texts of the definitions.

Knows the sum of every statistic of one number. Refuses to know the store, SQL and ``ingest.conduct``: what is legal is
asked of the classifier, what a hand could have played is found by trying cards, who is to play is worked out again.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from math import prod
from typing import Any, NamedTuple

from ingest.batch import Audited
from ingest.cards import RANKS
from ingest.record import PASS, ROB, Record, read_calls, read_clock, read_plays
from ingest.rules.answers import Answers, answers_of
from ingest.rules.ruleset import AnyRuleset, Ruleset, load_any
from tests.second_cards import (
    BLACK,
    GROUPS,
    RED,
    SIX,
    TEN,
    TWO,
    Held,
    Step,
    another_lead,
    beats,
    could,
    fewest,
    is_leap,
    less,
    of,
    opened,
    read,
    shape_of,
    stays,
    steps_of,
    wastes_kicker,
)


class Value(NamedTuple):
    """What one seat of one hand adds to a statistic."""

    name: str
    rules: str
    player: str
    role: str | None
    position: str | None
    part: Any
    """Of a mean the value, of shares the class."""
    whole: int
    hand: tuple[str, int]
    """Where it stands: the same for all its seats."""


class Hand:
    """One clean hand, and what is said of each seat of it."""

    def __init__(self, audited: Audited, rules: AnyRuleset, *, plays: bool) -> None:
        self.record: Record = audited.entry.record  # type: ignore[assignment]
        self.verdict, self.rules, self.with_plays = audited.verdict, rules, plays
        self.landlord, self.players = audited.verdict.landlord, len(self.record.players)
        self.values: list[Value] = []
        self.place = audited.entry.source, audited.entry.line

    def say(self, name: str, seat: int, part: Any, whole: int = 1) -> None:
        off = None if self.landlord is None else (seat - self.landlord) % self.players
        role = None if off is None else "farmer" if off else "landlord"
        places = {1: "down", self.players - 1: "up", 0: None}
        position = places.get(off, "across") if off is not None and self.players > 2 else None
        player = self.record.players[seat].id
        self.values.append(Value(name, self.verdict.rules or "", player, role, position, part, whole, self.place))

    def told(self) -> list[Value]:
        self.results()
        self.auction()
        self.clock()
        if isinstance(self.rules, Ruleset):
            self.cards(self.rules)
            if self.landlord is not None:
                self.play(self.rules, self.landlord)
        elif self.verdict.outcome in ("landlord", "farmers"):
            gone = defaultdict(int)
            for move in read_plays(self.record.plays):
                gone[move.seat] += 0 if move.cards is None else move.cards.size
            self.ending([self.rules.deal.hand - gone[seat] for seat in range(self.players)])
        return self.values

    def won(self, seat: int) -> bool | None:
        winners = self.verdict.winners
        return None if winners is None or self.verdict.outcome == "void" else seat in winners

    def results(self) -> None:
        v = self.verdict
        for seat in range(self.players):
            won = self.won(seat)
            self.say("pass_out_rate", seat, v.outcome == "void")
            if won is not None:
                self.say("win_rate", seat, won)
                if self.landlord is not None:
                    self.say("landlord_wins" if seat == self.landlord else "farmer_win_rate", seat, won)
                if v.bid is not None and v.multiplier is not None and self.multiplies():
                    stake = v.bid * v.multiplier
                    limits = ((3, "1: <= 3"), (6, "2: 4-6"), (12, "3: 7-12"), (24, "4: 13-24"), (48, "5: 25-48"))
                    last = "6: 49-95" if stake < 96 else "7: >= 96"
                    self.say("multiplier_shares", seat, next((name for top, name in limits if stake <= top), last))
            if v.balances is not None and v.balances[seat] is not None:
                self.say("bankruptcies", seat, v.balances[seat] <= 0)  # type: ignore[operator]
            if v.scores is not None and v.outcome != "void":
                self.say("score", seat, v.scores[seat] / self.base())
            if self.landlord is not None:
                self.say("landlord_rate", seat, seat == self.landlord)
                self.say("escape_rate", seat, self.record.end == f"escape:{seat}")
            if seat == self.landlord and isinstance(self.rules, Ruleset) and self.rules.open.enabled:
                self.say("open_rate", seat, self.record.open)
            if seat != self.landlord and v.scores is not None and v.outcome in ("landlord", "farmers") and self.pays():
                self.say("cut_short", seat, abs(v.scores[seat]) < self.due())

    def base(self) -> int:
        """What a score of 1 is worth."""
        if isinstance(self.rules, Ruleset) and isinstance(self.rules.score.base, int):
            return self.rules.score.base
        return self.record.base if self.pays() else 1

    def due(self) -> int:
        """What each farmer pays or gets if nothing is capped: base, bid and every factor."""
        factors = [factor.factor for factor in self.verdict.factors]
        if not isinstance(self.rules, Ruleset):
            return self.record.base * prod(factors)
        score, farmers = self.rules.score, self.players - 1
        times = max(1, sum(factors)) if score.combine == "sum" else prod(factors)
        bid = self.verdict.bid or 0 if score.bid_factor == "bid" else 1
        return self.base() * bid * times // (farmers if score.payout == "split" else 1)

    def pays(self) -> bool:
        """Whether one side pays the other."""
        return not isinstance(self.rules, Ruleset) or self.rules.score.payout in ("each_opponent", "split")

    def multiplies(self) -> bool:
        return self.pays() and isinstance(self.rules, Ruleset)

    def auction(self) -> None:
        calls = read_calls(self.record.auction or "")
        said: set[int] = set()
        if calls:
            first = calls[0].seat
            if self.landlord is not None:
                self.say("first_speaker_landlord", first, first == self.landlord)
        for place, call in enumerate(calls):
            before = [other.word for other in calls[:place] if other.word != PASS]
            if call.seat not in said:
                said.add(call.seat)
                self.say("first_words", call.seat, call.word)
                if not before:
                    self.say("call_rate", call.seat, call.word != PASS)
            is_answer = self.asks_to_rob(calls, place)
            if before and not is_answer and self.has_bids():
                self.say("overcall_rate", call.seat, call.word != PASS)
            if is_answer and self.may_rob(calls[:place], call.seat):
                self.say("rob_rate", call.seat, call.word == ROB)
                if call.seat == self.called_last(calls):
                    self.say("rob_back_rate", call.seat, call.word == ROB)
        if self.landlord in said:
            own = {call.word for call in calls if call.seat == self.landlord}
            self.say("forced_landlord_rate", self.landlord, own == {PASS})

    def has_bids(self) -> bool:
        return not isinstance(self.rules, Ruleset) or self.rules.auction.type.startswith("ascending")

    def called_last(self, calls: list[Any]) -> int | None:
        """Who was landlord before anybody robbed, where robbing is a round of its own."""
        if isinstance(self.rules, Ruleset) and self.rules.auction.type == "call_rob_once":
            return None
        return next((call.seat for call in reversed(calls) if call.word not in (PASS, ROB)), None)

    def may_rob(self, before: list[Any], seat: int) -> bool:
        """Whether one who passed in the bidding may still rob."""
        assert isinstance(self.rules, Ruleset)
        said = [call.word for call in before if call.seat == seat]
        return self.rules.rob.eligibility == "all" or said != [PASS]

    def asks_to_rob(self, calls: list[Any], place: int) -> bool:
        rules = self.rules
        if not isinstance(rules, Ruleset) or not rules.rob.enabled:
            return False
        before = [call.word for call in calls[:place]]
        if rules.auction.type == "call_rob_once":
            return any(word != PASS for word in before)
        return any(word != PASS for word in before) and ("3" in before or len(before) >= self.players)

    def clock(self) -> None:
        times: list[tuple[int, int | None]] = []
        for text, moves in ((self.record.auction or "", read_calls), (self.record.plays, read_plays)):
            times += [(move.seat, at) for move, at in zip(moves(text), read_clock(text), strict=True)]  # type: ignore[operator]
        before: int | None = 0
        for seat, at in times:
            if at is not None and before is not None and at >= before:
                self.say("decision_time", seat, at - before)
            before = at

    def bombs_of(self, held: Held, rules: Ruleset) -> int:
        return sum(count // rules.bomb.min_size for count in held[: TWO + 1]) + self.has_rocket(held, rules)

    def has_rocket(self, held: Held, rules: Ruleset) -> bool:
        need = [rules.bomb.rocket.count(joker) for joker in "BR"]
        return sum(need) > 0 and held[BLACK] >= need[0] and held[RED] >= need[1]

    def strength(self, held: Held, rules: Ruleset) -> int:
        bombs = sum(count >= rules.bomb.min_size for count in held[: TWO + 1])
        points = 4 * held[RED] + 3 * held[BLACK] + 2 * held[TWO] + 4 * bombs + 2 * self.has_rocket(held, rules)
        return points - fewest(held, answers_of(rules), SHED[rules.name])

    def cards(self, rules: Ruleset) -> None:
        for seat, text in enumerate(self.record.hands or ()):
            held = read(text)
            if held is None:
                continue
            self.say("jokers_dealt", seat, held[BLACK] + held[RED])
            self.say("twos_dealt", seat, held[TWO])
            self.say("bombs_dealt", seat, sum(count >= rules.bomb.min_size for count in held[: TWO + 1]))
            self.say("rockets_dealt", seat, self.has_rocket(held, rules))
            if self.with_plays:
                self.mates(seat, rules)
                self.say("plays_needed", seat, fewest(held, answers_of(rules), SHED[rules.name]))
                self.say("dealt_strength", seat, self.strength(held, rules))

    def mates(self, seat: int, rules: Ruleset) -> None:
        held = [read(text) for text in self.record.hands or ()]
        if self.landlord in (None, seat) or self.players == 2 or None in held:
            return
        points = [self.strength(own, rules) for own in held if own is not None]
        others = sum(each for place, each in enumerate(points) if place not in (seat, self.landlord))
        self.say("mates_strength", seat, others - points[self.landlord])  # type: ignore[index]

    def play(self, rules: Ruleset, landlord: int) -> None:
        answers = answers_of(rules)
        steps, held, left = steps_of(self.record, rules, landlord)
        self.ending(left)
        self.springs(steps, left, landlord)
        self.thrown = Counter(s.seat for s in steps if s.cards is not None and s.stands is not None and s.stands.tier)
        if steps:
            self.bombs_kept(rules, landlord, held)
        self.tricks(steps, left)
        broken: set[int] = set()
        for place, step in enumerate(steps):
            after = next((s for s in steps[place + 1 :] if s.cards is not None or s.beats is None), None)
            beaten = after.seat if after is not None and after.beats is not None else None
            if step.beats is None:
                self.lead(step, answers)
            else:
                self.follow(step, beaten, answers)
            if step.cards is not None and step.stands is not None:
                self.any_play(step, stays(steps, place, landlord, rules.trick.close_passes), rules, broken)
        for seat, own in enumerate(opened(self.record, rules, landlord)[0]):
            if steps and own is not None and self.bombs_of(own, rules):
                self.say("bomb_broken", seat, seat in broken)

    def ending(self, left: list[int]) -> None:
        if self.verdict.outcome in ("landlord", "farmers"):
            for seat in range(self.players):
                if self.won(seat) is False and isinstance(self.rules, Ruleset):
                    self.say("cards_left_on_loss", seat, left[seat])

    def springs(self, steps: list[Step], left: list[int], landlord: int) -> None:
        plays = [sum(s.seat == seat and s.cards is not None for s in steps) for seat in range(self.players)]
        farmers = [seat for seat in range(self.players) if seat != landlord]
        out = next((seat for seat in range(self.players) if left[seat] == 0), None)
        for seat in range(self.players):
            thrown = sum(s.seat == seat and s.stands is not None and s.stands.tier > 0 for s in steps)
            self.say("bomb_rate", seat, thrown)
            hands = self.record.hands
            if self.with_plays and out == seat and hands is not None and (own := read(hands[seat])) is not None:
                self.say("tempo", seat, plays[seat] - fewest(own, answers_of(self.rules), SHED[self.rules.name]))  # type: ignore[arg-type]
        if out is None:
            return
        spring = out == landlord and not any(plays[seat] for seat in farmers)
        anti = out != landlord and plays[landlord] == 1
        self.say("spring_made", landlord, spring)
        self.say("anti_spring_suffered", landlord, anti)
        for seat in farmers:
            self.say("spring_conceded", seat, spring)
            self.say("anti_spring_made", seat, anti)
            if len(farmers) > 1:
                self.say("silent_farmer", seat, not plays[seat] and any(plays[mate] for mate in farmers))
            if out != landlord:
                self.say("first_out", seat, out == seat)

    def bombs_kept(self, rules: Ruleset, landlord: int, end: list[Held | None]) -> None:
        for seat, (own, rest) in enumerate(zip(opened(self.record, rules, landlord)[0], end, strict=True)):
            if own is None or rest is None:
                continue
            had, kept, won = self.bombs_of(own, rules), self.bombs_of(rest, rules), self.won(seat)
            if won is not None:
                self.say("bomb_use", seat, self.thrown[seat], had)
            if had and won is False:
                self.say("dead_bomb", seat, kept > 0)
            dealt = read((self.record.hands or ())[seat])
            if self.with_plays and seat == landlord and dealt is not None:
                self.say("bottom_luck", seat, self.strength(own, rules) - self.strength(dealt, rules))

    def tricks(self, steps: list[Step], left: list[int]) -> None:
        """A trick ends when all others have passed, or with the hand."""
        won: list[int] = []
        sizes: list[int] = []
        winner, passed, cards = None, 0, 0
        for step in steps:
            if step.cards is not None:
                winner, passed, cards = step.seat, 0, cards + sum(step.cards)
                continue
            passed += 1
            if passed == self.players - 1 and winner is not None:
                won.append(winner)
                sizes.append(cards)
                winner, cards = None, 0
        if winner is not None and left[winner] == 0:
            won.append(winner)
            sizes.append(cards)
        for seat in range(self.players):
            self.say("trick_control", seat, won.count(seat), len(won))
            own = sum(cards for cards, who in zip(sizes, won, strict=True) if who == seat)
            self.say("cards_control", seat, own, sum(sizes))

    def lead(self, step: Step, answers: Answers) -> None:
        seat, landlord = step.seat, self.landlord
        name, rank = shape_of(step.stands)
        self.say("lead_length", seat, sum(step.cards or ()))
        foes = [s for s in range(self.players) if s != seat and landlord in (s, seat)]
        near = [
            own
            for s, own in enumerate(step.held)
            if s not in (seat, *foes) and own is not None and step.left[s] <= 3 and seat != landlord
        ]
        if near:
            self.say("feed_rate", seat, any(could(own, step.stands, answers)[0] for own in near))
        if self.is_up(seat) and landlord is not None and step.left[landlord] <= 2:
            self.say("under_guard", seat, name in ("solo", "pair") and rank <= SIX)
        few, own = {step.left[foe] for foe in foes} & {1, 2}, step.held[seat]
        if few and own is not None:
            feared = "solo" if 1 in few else "pair"
            if another_lead(own, feared, answers):
                self.say("last_card_defence", seat, name != feared)

    def is_up(self, seat: int) -> bool:
        return self.players > 2 and self.landlord is not None and (seat + 1) % self.players == self.landlord

    def follow(self, step: Step, beaten: int | None, answers: Answers) -> None:
        seat, passed, own = step.seat, step.cards is None, step.held[step.seat]
        self.say("pass_rate", seat, passed)
        if own is None or step.beats is None or step.owner is None:
            return
        able, softly = could(own, step.beats, answers)
        if not able:
            assert passed, "what was played could have been played"
            return
        self.say("pass_when_could", seat, passed)
        if self.landlord in (seat, step.owner):
            self.say("pass_over_foes", seat, passed)
        else:
            self.say("pass_over_mate", seat, passed)
            self.say("beat_mate", seat, not passed)
            if not passed:
                self.say("harmful_block", seat, step.left[step.owner] <= 2 or beaten == self.landlord)
        if softly:
            self.say("pass_when_could_softly", seat, passed)
        if step.stands is not None and step.stands.tier == 0:
            self.say("over_taking", seat, is_leap(step, own, answers))

    def any_play(self, step: Step, stood: bool, rules: Ruleset, broken: set[int]) -> None:
        assert step.stands is not None
        assert step.cards is not None
        seat, own, answers = step.seat, step.held[step.seat], answers_of(rules)
        if step.stands.tier > 0:
            self.say("bomb_timing", seat, step.left[seat])
            self.say("bombs_stood", seat, stood)
            return
        if own is None:
            return
        rest = less(own, step.cards)
        parted = any(
            n >= rules.bomb.min_size > r > 0 and n != r
            for n, r in zip(own[: TWO + 1], rest[: TWO + 1], strict=True)
        )  # fmt: skip
        rocket = self.has_rocket(own, rules) and not self.has_rocket(rest, rules)
        if parted or (rocket and not self.has_rocket(step.cards, rules)):
            broken.add(seat)
        waste = wastes_kicker(step, rest, answers)
        if waste is not None:
            self.say("kicker_waste", seat, waste)
        name, rank = shape_of(step.stands)
        if self.is_up(seat) and name in ("solo", "pair"):
            lower = [of([p], GROUPS[name]) for p in range(rank) if own[p] >= GROUPS[name]]
            if any(shape_of(beats(cards, step.beats, answers))[0] == name for cards in lower):
                self.say("gate_rate", seat, rank >= TEN)


SHED: dict[str, dict[Held, int]] = defaultdict(lambda: {(0,) * len(RANKS): 0})


def values(entries: Iterable[Audited], *, plays: bool) -> Iterator[Value]:
    """What every seat of every clean hand adds to every statistic; ``plays``: those of fewest plays as well."""
    for audited in entries:
        if audited.counted and audited.verdict.verdict == "clean":
            yield from Hand(audited, load_any(audited.verdict.rules or ""), plays=plays).told()
