"""What may be played on what: the standing plays of a ruleset and, for each, the answers met so far.

Knows U-R10 (a play stands for all its readings, an answer narrows them) and remembers every comparison, so that a
replay looks a play up instead of judging it anew.
"""

from functools import cache

from ingest.rules.combinations import Law, Reading, beats, law_of, readings, strict_profile, strict_switches
from ingest.rules.menus import Menu, menu_of
from ingest.rules.ruleset import Ruleset

REMEMBERED = 1 << 20
"""Comparisons that one ruleset keeps; then it forgets them all and starts again."""


class Standing:
    """A play on the table: the readings it stands for, and what was found of its answers."""

    __slots__ = ("answers", "menu", "others", "readings", "ruled", "tier")

    def __init__(self, found: tuple[Reading, ...] = (), *, ruled: bool = False) -> None:
        self.readings = found
        self.ruled = ruled
        """Whether it was legal only by a ruling (U-R14)."""
        self.tier = max((reading.tier for reading in found), default=0)
        self.answers: dict[int, Standing] = {}
        """What stands after the cards with these counts, where that is nothing to remark on."""
        self.others: dict[int, Standing | None] = {}
        """The same where a ruling allows it, and None where the cards may not be played."""
        self.menu: Menu | None = None
        """Where its answers are to be looked for, once somebody asked."""


class _Read:
    """What cards can be read as under one law; remembers what it was asked."""

    def __init__(self, law: Law) -> None:
        self.law = law
        self._known: dict[int, tuple[Reading, ...]] = {}

    def __call__(self, counts: int) -> tuple[Reading, ...]:
        found = self._known.get(counts)
        if found is None:
            found = self._known[counts] = readings(counts, self.law)
        return found

    def fitting(self, standing: Standing, counts: int) -> tuple[Reading, ...]:
        """The readings with which these cards may be played here."""
        return _fitting(self(counts), standing, self.law.rules)

    def forget(self) -> None:
        self._known.clear()


class Answers:
    """The standing plays of one ruleset."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.lead = Standing()
        """Nothing stands: any combination may be led."""
        self.anything = Standing()
        """A play without a reading stands: any combination answers it (U-R16)."""
        self.readings = _Read(law_of(rules))
        """All readings of packed counts, in canonical order."""
        self._strict = _Read(law_of(strict_profile(rules))) if rules.notes.rulings else None
        self._stricter = [(switch, _Read(law_of(stricter))) for switch, stricter in strict_switches(rules)]
        self._known: dict[tuple[tuple[Reading, ...], bool], Standing] = {}
        self._switches: dict[tuple[tuple[Reading, ...], int], list[str]] = {}
        self._remembered = 0

    def answer(self, standing: Standing, counts: int) -> Standing | None:
        """What stands after these cards are played on a standing play, or None where they may not be (U-R10)."""
        if counts in standing.answers:
            return standing.answers[counts]
        if counts in standing.others:
            return standing.others[counts]
        if self._remembered >= REMEMBERED:
            self._forget()
        self._remembered += 1
        found = self.judge(standing, self._undeclared(counts), counts)
        if found is None or found.ruled:
            standing.others[counts] = found
        else:
            standing.answers[counts] = found
        return found

    def menu(self, standing: Standing) -> Menu:
        """Where the answers to a standing play are to be looked for; for nothing, whatever can be led."""
        if standing.menu is None:
            standing.menu = menu_of(standing.readings, self.rules)
        return standing.menu

    def judge(self, standing: Standing, found: tuple[Reading, ...], counts: int) -> Standing | None:
        """What stands after cards with these readings are played on a standing play."""
        fitting = _fitting(found, standing, self.rules)
        return self._stand(fitting, ruled=self._is_ruled(standing, counts)) if fitting else None

    def kind(self, counts: int) -> tuple[tuple[Reading, ...], ...]:
        """What decides where cards may be played and what stands then: cards of one kind do alike everywhere."""
        return self.readings(counts), () if self._strict is None else self._strict(counts)

    def all_readings(self, counts: int) -> Standing:
        """What stands after a combination that beats nothing: all its readings (U-R16)."""
        led = self.answer(self.lead, counts)
        assert led is not None
        return led

    def deciding_switches(self, standing: Standing, counts: int) -> list[str]:
        """The switches each of which alone, set strictly, would forbid these cards here."""
        key = (standing.readings, counts)
        if key not in self._switches:
            self._switches[key] = [switch for switch, read in self._stricter if not read.fitting(standing, counts)]
        return self._switches[key]

    def _undeclared(self, counts: int) -> tuple[Reading, ...]:
        found = self.readings(counts)
        several_count = self.rules.combinations.ambiguity == "declared_context_canonical"
        return found if several_count else found[:1]

    def _is_ruled(self, standing: Standing, counts: int) -> bool:
        """Whether the strict profile would not allow these cards here (U-R14)."""
        if self._strict is None:
            return False
        return not self._strict.fitting(standing, counts)

    def _stand(self, found: tuple[Reading, ...], *, ruled: bool) -> Standing:
        key = (found, ruled)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = Standing(found, ruled=ruled)
        return known

    def _forget(self) -> None:
        for standing in (self.lead, self.anything, *self._known.values()):
            standing.answers.clear()
            standing.others.clear()
        self._known.clear()
        for read in (self.readings, self._strict, *(read for _, read in self._stricter)):
            if read is not None:
                read.forget()
        self._switches.clear()
        self._remembered = 0


def _fitting(found: tuple[Reading, ...], standing: Standing, rules: Ruleset) -> tuple[Reading, ...]:
    """Those readings that beat at least one of the standing ones; all of them where nothing stands."""
    if not standing.readings:
        return found
    return tuple(a for a in found if any(beats(a, s, rules) for s in standing.readings))


@cache
def answers_of(rules: Ruleset) -> Answers:
    """The one memory of a ruleset's standing plays."""
    return Answers(rules)


__all__ = ["Answers", "Standing", "answers_of"]
