"""The statistics that count faulty hands as left out, and those of 三打哈, a second time.

Knows the rows of these statistics, from verdicts and the definitions. Refuses to know the store and SQL. What the
tricks of a hand of 三打哈 came to is taken from its audit, what a claim has otherwise from ``ingest.mismatches``.
"""

from collections.abc import Iterable, Mapping, Sequence
from statistics import mean
from typing import Any, NamedTuple

from ingest.batch import Audited
from ingest.faults import severity
from ingest.mismatches import Mismatch, mismatches
from ingest.rules.combinations import ROCKET
from ingest.rules.ruleset import Ruleset
from tests.second_play import landlord_plays
from tests.second_told import Key, Row, Rows, Told, average, day_of, error, grouped, rate, seats_of, share


class Everything(NamedTuple):
    """All entries of the logs, and the clean hands among them."""

    entries: list[Audited]
    clean: list[Told]


def kept(entries: Iterable[Audited]) -> list[Audited]:
    """Entries that the store has a row for: not the same hand again."""
    return [each for each in entries if all(finding.code != "R108" for finding in each.verdict.findings)]


def is_left_out(audited: Audited) -> bool:
    return audited.verdict.verdict == "faulty"


def role_of(audited: Audited, seat: int) -> tuple[str | None, str | None]:
    """Role and position of a seat of a hand of any verdict."""
    record, landlord = audited.entry.record, audited.verdict.landlord
    if record is None or landlord is None:
        return None, None
    size = len(record.players)
    off = (seat - landlord) % size
    if off == 0:
        return "landlord", None
    return "farmer", None if size == 2 else {1: "down", size - 1: "up"}.get(off, "across")


def faulty_seats(all_of: Everything) -> list[tuple[Audited, int, str]]:
    return [
        (audited, seat, player.id)
        for audited in all_of.entries
        if is_left_out(audited) and audited.entry.record is not None
        for seat, player in enumerate(audited.entry.record.players)
    ]


def wins_by(mine: Mapping[Any, list[Any]], out: Mapping[Any, list[Any]]) -> Rows:
    """Wins among the decided seats of each key, and what was left out beside them."""
    rows = {}
    for key in mine.keys() | out.keys():
        won = [bool(s.won) for s in mine.get(key, []) if s.won is not None]
        rows[key] = {
            "wins": sum(won), "hands": len(won), **share(sum(won), len(won)), "excluded": len(out.get(key, [])),
        }  # fmt: skip
    return rows


def win_rate_by_role(all_of: Everything) -> Rows:
    mine = grouped(
        (s for s in seats_of(all_of.clean) if s.role is not None),
        lambda s: (s.player, s.hand.rules, s.role, s.position),
    )
    out = grouped(
        (each for each in faulty_seats(all_of) if role_of(each[0], each[1])[0] is not None),
        lambda each: (each[2], each[0].verdict.rules, *role_of(each[0], each[1])),
    )
    return wins_by(mine, out)


def landlord_win_rate(all_of: Everything) -> Rows:
    mine = grouped(
        (s for s in seats_of(all_of.clean) if s.role == "landlord"), lambda s: (s.hand.rules, s.hand.hand.verdict.bid)
    )
    out = grouped(
        (e for e in all_of.entries if is_left_out(e) and e.verdict.landlord is not None),
        lambda e: (e.verdict.rules, e.verdict.bid),
    )
    return wins_by(mine, out)


def score_per_player(all_of: Everything) -> Rows:
    mine = grouped((s for s in seats_of(all_of.clean) if s.score is not None), lambda s: (s.player, s.hand.rules))
    out = grouped(
        (each for each in faulty_seats(all_of) if each[0].verdict.outcome != "void"),
        lambda each: (each[2], each[0].verdict.rules),
    )
    rows = {}
    for key in mine.keys() | out.keys():
        seats = mine.get(key, [])
        rows[key] = {
            "hands": len(seats), "score": sum((s.score or 0) * s.hand.hand.base() for s in seats),
            "mean": average(s.score for s in seats), "error": error(s.score for s in seats),
            "excluded": len(out.get(key, [])),
        }  # fmt: skip
    return rows


# 三打哈


def points_of(audited: Audited) -> tuple[int, int, int] | None:
    """Points in tricks of the three, points buried, what these counted for."""
    details = None if audited.hand is None else audited.hand.details
    if not details or "trick_points" not in details:
        return None
    return details["trick_points"], details["bottom_points"], details["bottom_factor"]


def clean(found: Sequence[Audited]) -> list[Audited]:
    return [each for each in found if each.verdict.verdict == "clean"]


def contracts(all_of: Everything) -> Rows:
    ended = (
        e
        for e in all_of.entries
        if e.verdict.outcome == "surrender"
        or (e.verdict.outcome in ("landlord", "farmers") and points_of(e) is not None)
    )
    rows: Rows = {}
    for (rules, bid), found in grouped(ended, lambda e: (e.verdict.rules, e.verdict.bid)).items():
        sound = clean(found)
        points = average(t + b * times for t, b, times in filter(None, map(points_of, sound)))
        made = sum(e.verdict.outcome == "landlord" for e in sound)
        rows[rules, bid] = {
            "made": made, "hands": len(sound), **share(made, len(sound)),
            "surrendered": sum(e.verdict.outcome == "surrender" for e in sound), "points": points,
            "margin": None if points is None else points - bid, "excluded": len(found) - len(sound),
        }  # fmt: skip
    return rows


def bottoms_taken(all_of: Everything) -> Rows:
    rows = {}
    counted = (e for e in all_of.entries if points_of(e) is not None)
    for key, found in grouped(counted, lambda e: (e.verdict.rules,)).items():
        told = [points for e in clean(found) if (points := points_of(e)) is not None]
        times = [each for _, _, each in told]
        taken = sum(each > 0 for each in times)
        rows[key] = {
            "taken": taken, "hands": len(told), **share(taken, len(told)), "by_single": times.count(1),
            "by_pair": times.count(2), "by_tractor": times.count(4), "buried": average(b for _, b, _ in told),
            "won": average(b * each for _, b, each in told if each), "excluded": len(found) - len(told),
        }  # fmt: skip
    return rows


def sandaha_margins(all_of: Everything) -> Rows:
    counted = [e for e in clean(all_of.entries) if points_of(e) is not None]
    rows: dict[Key, Row] = {}
    for key, found in grouped(counted, lambda e: (e.verdict.rules, e.verdict.bid)).items():
        told = [points for e in found if (points := points_of(e)) is not None]
        rows[key] = {
            "hands": len(told), "margin": mean(t + b * each for t, b, each in told) - key[1],
            "error": error(t + b * each for t, b, each in told),
            "points": mean(t for t, _, _ in told), "bottom": mean(b for _, b, _ in told),
        }  # fmt: skip
    return rows


def sandaha_results(all_of: Everything) -> Rows:
    """The level is what the verdict names; 1 where it names none."""
    ended = [
        e
        for e in clean(all_of.entries)
        if e.verdict.outcome in ("surrender", "landlord", "farmers") and e.hand is not None and is_tricks(e)
    ]
    whole = {key: len(found) for key, found in grouped(ended, lambda e: (e.verdict.rules,)).items()}
    rows = {}
    for key, found in grouped(ended, lambda e: (e.verdict.rules, e.verdict.outcome, level_of(e))).items():
        rows[key] = {"part": len(found), "hands": whole[key[:1]], **share(len(found), whole[key[:1]])}
    return rows


def is_tricks(audited: Audited) -> bool:
    return points_of(audited) is not None or audited.verdict.outcome == "surrender"


def level_of(audited: Audited) -> int:
    return next((factor.factor for factor in audited.verdict.factors if factor.name == "level"), 1)


# Claims


def told_differently(all_of: Everything) -> list[tuple[int, Audited, Mismatch]]:
    """What claims have otherwise, and explanations of it, by the number of the hand."""
    return [
        (place, e, each)
        for place, e in enumerate(all_of.entries)
        if e.counted and e.hand is not None and e.verdict.verdict != "unreadable"
        for each in mismatches(e.hand)
    ]


def mismatched_hands(all_of: Everything) -> Rows:
    rows = {}
    for place, e, each in told_differently(all_of):
        assert e.entry.record is not None
        rows[place, each.kind, each.switch, each.value, each.claimed] = {
            "rules": e.verdict.rules, "source": e.entry.source, "line": e.entry.line, "id": e.entry.record.id,
            "table_id": e.entry.record.table, "day": day_of(e.entry.record.at), "recomputed": each.recomputed,
            "difference": each.difference,
        }  # fmt: skip
    return rows


def settlement_mismatches(all_of: Everything) -> Rows:
    """Of each hand and kind the greatest difference; ``all`` for hands of any kind but S24."""
    hands = [e for e in all_of.entries if e.counted and e.hand is not None and e.verdict.verdict != "unreadable"]
    told = told_differently(all_of)
    rows: dict[Key, Row] = {}
    for (rules,), found in grouped(hands, lambda e: (e.verdict.rules,)).items():
        claiming = [e for e in found if is_claimed(e)]
        if not claiming:
            continue
        own = [(place, each.kind or "?", each.difference or 0) for place, e, each in told if e.verdict.rules == rules]
        for kind in {"all", *(kind for _, kind, _ in own)}:
            most = grouped((one for one in own if kind in ("all", one[1])), lambda one: one[:1])
            part = sum(any(each != "S24" or kind == each for _, each, _ in of_hand) for of_hand in most.values())
            whole = len(claiming) if kind == "S24" else sum(e.verdict.multiplier is not None for e in claiming)
            rows[rules, kind] = {
                "part": part, "whole": whole, **share(part, whole), "excluded": len(found) - len(claiming),
                "difference": sum(max(difference for _, _, difference in of_hand) for of_hand in most.values()),
            }  # fmt: skip
    return rows


def is_claimed(audited: Audited) -> bool:
    """Whether a record says anything of a result that could be wrong; numbers for other seats than there are do not."""
    assert audited.entry.record is not None
    claim = audited.entry.record.claim
    if claim is None or audited.hand is None:
        return False
    size = len(audited.entry.record.players)
    of_seats = [each for told in (claim.scores, claim.balances) if told and len(told) == size for each in told]
    said = [claim.multiplier, claim.bid, claim.landlord, *of_seats]
    return any(each is not None for each in said) or bool(mismatches(audited.hand))


# All entries


def verdicts(all_of: Everything) -> Rows:
    totals = grouped(all_of.entries, lambda e: (e.verdict.rules,))
    rows = {}
    for key, found in grouped(
        all_of.entries, lambda e: (e.verdict.rules, e.verdict.verdict, e.verdict.outcome)
    ).items():
        rows[key] = {"hands": len(found), **share(len(found), len(totals[key[:1]]))}
    return rows


def faults_by_code(all_of: Everything) -> Rows:
    totals = grouped(all_of.entries, lambda e: (e.verdict.rules,))
    found = [(e.verdict.rules, f, place) for place, e in enumerate(all_of.entries) for f in e.verdict.findings]
    rows = {}
    for key, each in grouped(found, lambda f: (f[0], f[1].code, severity(f[1]))).items():
        hands, entries = len({place for _, _, place in each}), len(totals[key[:1]])
        rows[key] = {"findings": len(each), "hands": hands, "entries": entries, **share(hands, entries)}
    return rows


def hands_per_day(all_of: Everything) -> Rows:
    """What is no record has no day."""
    rows = {}
    for key, found in grouped(
        all_of.entries, lambda e: (day_of(e.entry.record.at if e.counted and e.entry.record else None), e.verdict.rules)
    ).items():
        kinds = [e.verdict.verdict for e in found]
        rows[key] = {"hands": len(found)} | {kind: kinds.count(kind) for kind in ("clean", "faulty", "unreadable")}
        rows[key]["void"] = sum(e.verdict.verdict == "clean" and e.verdict.outcome == "void" for e in found)
    return rows


def bombs_and_springs(all_of: Everything) -> Rows:
    rows = {}
    clean = grouped(all_of.clean, lambda h: (h.rules,))
    for key, found in grouped(all_of.entries, lambda e: (e.verdict.rules,)).items():
        played = [h for h in clean.get(key, []) if h.played_out]
        tiers = [play.tier for hand in played for play in hand.plays]
        rockets = tiers.count(ROCKET)
        bombs, size = sum(tier > 0 for tier in tiers) - rockets, len(played)
        climbing = [h for h in played if isinstance(h.hand.rules, Ruleset)]
        turns = [(h.hand.verdict.outcome, *landlord_plays(h)) for h in climbing]
        springs = sum(outcome == "landlord" and not others for outcome, _, others in turns)
        anti = sum(outcome == "farmers" and own == 1 for outcome, own, _ in turns)
        rows[key] = {
            "hands": size, "bombs": bombs, "bombs_per_hand": rate(bombs, size), "rockets": rockets,
            "rockets_per_hand": rate(rockets, size), "springs": springs, **share(springs, size, "spring_"),
            "anti_springs": anti, **share(anti, size, "anti_spring_"),
            "excluded": sum(e.verdict.verdict != "clean" for e in found),
        }  # fmt: skip
    return rows


def unaudited(all_of: Everything) -> Rows:
    broken = {"R105", "D201", "D202", "D203", "D204", "R110"}
    told = [
        e
        for e in all_of.entries
        if e.counted and e.hand is not None and not broken & {finding.code for finding in e.verdict.findings}
    ]
    rows = {}
    for key, found in grouped(told, lambda e: (e.verdict.rules,)).items():
        classes = [lacks(e) for e in found]
        row: Row = {name: classes.count(name) for name in ("without_plays", "without_hands", "partly_hidden")}
        part = sum(each is not None for each in classes)
        rows[key] = {"hands": len(found), **row, "part": part, **share(part, len(found))}
    return rows


def lacks(audited: Audited) -> str | None:
    record = audited.entry.record
    assert record is not None
    if not record.plays and audited.verdict.landlord is not None and audited.verdict.outcome != "surrender":
        return "without_plays"
    shown = [text is not None for text in record.hands or [None] * len(record.players)]
    return "without_hands" if not any(shown) else None if all(shown) else "partly_hidden"
