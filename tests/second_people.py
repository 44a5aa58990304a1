"""The tables of people and of time a second time: slowly, in plain Python, from the definitions.

Knows for every such statistic what stands in its rows. Refuses to know the store and SQL.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import timedelta
from itertools import combinations, pairwise
from math import ceil, log, sqrt
from statistics import NormalDist, correlation, mean, median, stdev

from ingest.record import PASS, read_calls, read_clock, read_plays
from ingest.rules.answers import answers_of
from ingest.rules.ruleset import Ruleset
from tests.second_cards import could, steps_of
from tests.second_told import (
    SHANGHAI,
    Key,
    Row,
    Rows,
    Seat,
    Told,
    average,
    by_player,
    day_of,
    error,
    grouped,
    in_time,
    quantile,
    rate,
    seats_of,
    share,
)


def pairs(hands: Sequence[Told]) -> Rows:
    met = grouped(
        (
            (mine, other)
            for hand in hands
            for mine in hand.seats
            for other in hand.seats
            if mine is not other and mine.won is not None and mine.role is not None
        ),
        lambda pair: (pair[0].player, pair[1].player, pair[0].hand.rules, pair[0].role, pair[1].role),
    )
    rows = {}
    for key, found in met.items():
        wins, scores = sum(bool(mine.won) for mine, _ in found), [mine.score for mine, _ in found]
        rows[key] = {
            "hands": len(found), "wins": wins, **share(wins, len(found)), "mean": average(scores),
            "error": error(scores),
        }  # fmt: skip
    return rows


def table_mates(hands: Sequence[Told]) -> Rows:
    own = {key: len({seat.hand.place for seat in seats}) for key, seats in by_player(hands).items()}
    met = grouped(
        (
            (*pair, hand)
            for hand in hands
            for pair in combinations(sorted({seat.player for seat in hand.seats}, key=str.encode), 2)
        ),
        lambda pair: (pair[0], pair[1], pair[2].rules),
    )
    rows = {}
    for (a, b, rules), found in met.items():
        rarer = min(own[a, rules], own[b, rules])
        tables = {hand.hand.record.table for _, _, hand in found} - {None}
        rows[a, b, rules] = {"hands": len(found), "own": rarer, **share(len(found), rarer), "tables": len(tables)}
    return rows


def role_neutral_win_rate(hands: Sequence[Told]) -> Rows:
    rows = {}
    for key, seats in by_player(hands).items():
        decided = [s for s in seats if s.won is not None]
        by_role = {role: [bool(s.won) for s in decided if s.role == role] for role in ("landlord", "farmer")}
        landlord, farmer = (rate(sum(won), len(won)) for won in by_role.values())
        if landlord is not None or farmer is not None:
            rows[key] = {
                "landlord_hands": len(by_role["landlord"]), "landlord_rate": landlord,
                "farmer_hands": len(by_role["farmer"]), "farmer_rate": farmer,
                "hands": min(map(len, by_role.values())),
                **halves(*by_role.values()),
            }  # fmt: skip
    return rows


def halves(landlord: Sequence[bool], farmer: Sequence[bool]) -> Row:
    """Half of each rate, and as far from it as the roots of the squares of half of each Wilson interval."""
    if not landlord or not farmer:
        return {"rate": None, "low": None, "high": None}
    each = [share(sum(won), len(won)) for won in (landlord, farmer)]
    middle = sum(one["rate"] for one in each) / 2
    reach = {end: sqrt(sum((one[end] - one["rate"]) ** 2 for one in each)) / 2 for end in ("low", "high")}
    return {"rate": middle, "low": middle - reach["low"], "high": middle + reach["high"]}


def robots_at_table(hands: Sequence[Told]) -> Rows:
    tables = []
    for hand in hands:
        robots = [bool(player.bot) for player in hand.hand.record.players]
        if hand.seats[0].won is not None:
            tables.append((hand.rules, sum(robots), list(zip(robots, hand.seats, strict=True))))
    rows = {}
    for (rules, number), found in grouped(tables, lambda table: table[:2]).items():
        for kind, is_robot in (("robot", True), ("human", False)):
            sat = [seat for _, _, seats in found for robot, seat in seats if robot == is_robot]
            if not sat:
                continue
            wins, everything = sum(bool(seat.won) for seat in sat), sum(table[0] == rules for table in tables)
            rows[rules, number, kind] = {
                "hands": len(found), "part": wins, "whole": len(sat), **share(wins, len(sat)),
                "landlord": rate(sum(seat.role == "landlord" for seat in sat), len(sat)),
                "share": len(found) / everything,
            }  # fmt: skip
    return rows


# Time


def sessions(hands: Sequence[Told]) -> Rows:
    rows = {}
    for key, seats in by_player(hands).items():
        each: list[list[Seat]] = []
        for seat in in_time(s for s in seats if s.hand.at is not None and s.score is not None):
            assert seat.hand.at is not None
            if not each or seat.hand.at - (each[-1][-1].hand.at or seat.hand.at) > timedelta(minutes=30):
                each.append([])
            each[-1].append(seat)
        if not each:
            continue
        won = sum(sum(s.score or 0 for s in session) > 0 for session in each)
        lengths = [(s[-1].hand.at - s[0].hand.at).total_seconds() / 60 for s in each if s[-1].hand.at and s[0].hand.at]
        rows[key] = {
            "hands": sum(map(len, each)), "sessions": len(each), "hands_per_session": mean(map(len, each)),
            "minutes": mean(lengths), "won": won, **share(won, len(each)),
        }  # fmt: skip
    return rows


def streaks(hands: Sequence[Told]) -> Rows:
    rows = {}
    for key, seats in by_player(hands).items():
        results = [bool(s.won) for s in in_time(seats) if s.won is not None and s.hand.at is not None]
        if not results:
            continue
        row: Row = {"hands": len(results)}
        for name, sought in (("win", True), ("loss", False)):
            text = "".join("x" if result == sought else " " for result in results)
            row[f"longest_{name}"] = max(map(len, text.split()), default=0)
            n, p = len(results), text.count("x") / len(results)
            row[f"expected_{name}"] = log(n * (1 - p)) / log(1 / p) if 0 < p < 1 else None
        rows[key] = row
    return rows


def trend(hands: Sequence[Told]) -> Rows:
    rows: Rows = {}
    for (player, rules), seats in by_player(hands).items():
        days = grouped((s for s in seats if s.score is not None and s.hand.at), lambda s: (day_of(s.hand.at),))
        total = 0.0
        for (day,), found in sorted(days.items()):
            score = sum(s.score for s in found)
            total += score
            rows[player, rules, day] = {"hands": len(found), "score": score, "total": total}
    return rows


def hours(hands: Sequence[Told]) -> Rows:
    dated = (s for s in seats_of(hands) if s.hand.at is not None and s.score is not None)
    rows = {}
    for key, seats in grouped(dated, lambda s: (s.hand.rules, s.hand.at.astimezone(SHANGHAI).hour)).items():
        wins = sum(bool(s.won) for s in seats)
        rows[key] = {
            "hands": len(seats), "wins": wins, **share(wins, len(seats)), "mean": average(s.score for s in seats),
            "error": error(s.score for s in seats),
        }  # fmt: skip
    return rows


def volatility(hands: Sequence[Told]) -> Rows:
    rows = {}
    for key, seats in by_player(hands).items():
        scores = [s.score for s in in_time(seats) if s.score is not None]
        if not scores:
            continue
        total = highest = fall = 0.0
        for score in scores:
            total += score
            highest = max(highest, total)
            fall = max(fall, highest - total)
        sizes = sorted(map(abs, scores), reverse=True)
        rows[key] = {
            "hands": len(scores), "deviation": stdev(scores) if len(scores) > 1 else None,
            "worst": quantile(scores, 0.05), "drawdown": fall,
            "big": rate(sum(sizes[: ceil(round(0.05 * len(sizes), 9))]), sum(sizes)),
        }  # fmt: skip
    return rows


def lengths(hands: Sequence[Told]) -> Rows:
    rows = {}
    for key, found in grouped((h for h in hands if h.played_out), lambda h: (h.rules,)).items():
        stamps = [[*read_clock(h.hand.record.auction or ""), *read_clock(h.hand.record.plays)] for h in found]
        clocks = [[ms for ms in clock if ms is not None] for clock in stamps]
        rows[key] = {
            "hands": len(found), "moves": mean(len(read_plays(h.hand.record.plays)) for h in found),
            "seconds": average(max(clock) / 1000 if clock else None for clock in clocks),
            "timed": sum(map(bool, clocks)),
        }  # fmt: skip
    return rows


def rolling(hands: Sequence[Told]) -> Rows:
    rows: Rows = {}
    for (player, rules), seats in by_player(hands).items():
        scored = in_time(s for s in seats if s.score is not None and s.hand.at is not None)
        scores = [s.score or 0.0 for s in scored]
        for place, seat in enumerate(scored, start=1):
            rows[player, rules, place] = {
                "day": day_of(seat.hand.at), "score": seat.score, "total": sum(scores[:place]),
                **{f"last_{n}": mean(scores[place - n : place]) if place >= n else None for n in (100, 300, 1000)},
            }  # fmt: skip
    return rows


def tilt(hands: Sequence[Told]) -> Rows:
    rows = {}
    for key, seats in by_player(hands).items():
        scored = in_time(s for s in seats if s.score is not None and s.hand.at is not None)
        lost = [(s.score or 0) <= -12 for s in scored]
        if not any(lost):
            continue
        parts: dict[str, list[Seat]] = {"after": [], "else": []}
        for place, seat in enumerate(scored):
            parts["after" if any(lost[max(0, place - 5) : place]) else "else"].append(seat)
        row: Row = {"losses": sum(lost), "hands": len(parts["after"]), "others": len(parts["else"])}
        for name, some in parts.items():
            turns = [s.first != PASS for s in some if s.before == PASS]
            row[f"mean_{name}"] = average(s.score for s in some)
            row |= {
                f"turns_{name}": len(turns),
                f"calls_{name}": sum(turns),
                **share(sum(turns), len(turns), f"{name}_"),
            }
        errors = [error(s.score for s in some) for some in parts.values()]
        both = None not in (row["mean_after"], row["mean_else"])
        row["difference"] = row["mean_after"] - row["mean_else"] if both else None
        row["error"] = None if None in errors else sqrt(sum((each or 0) ** 2 for each in errors))
        rows[key] = row
    return rows


def serial(hands: Sequence[Told]) -> Rows:
    rows = {}
    for key, seats in by_player(hands).items():
        ordered = in_time(s for s in seats if s.score is not None and s.won is not None and s.hand.at is not None)
        if not ordered:
            continue
        x, won, n = [s.score or 0.0 for s in ordered], [bool(s.won) for s in ordered], len(ordered)
        row: Row = {f"lag_{lag}": likeness(x[lag:], x[:-lag]) for lag in (1, 2, 3)}
        wins, runs = sum(won), 1 + sum(a != b for a, b in pairwise(won))
        row |= {"hands": n, "wins": wins, "runs": runs, "bound": 1.96 / sqrt(n), "expected": None, "z": None, "p": None}
        if 0 < wins < n:
            row["expected"] = middle = 1 + 2 * wins * (n - wins) / n
            spread = (middle - 1) * (middle - 2) / (n - 1)
            if spread > 0:
                row["z"] = (runs - middle) / sqrt(spread)
                row["p"] = 2 * NormalDist().cdf(-abs(row["z"]))
        rows[key] = row
    return rows


def likeness(x: Sequence[float], y: Sequence[float]) -> float | None:
    """The correlation of two sequences, None where one of them does not vary."""
    return correlation(x, y) if len(x) > 1 and len(set(x)) > 1 and len(set(y)) > 1 else None


def decision_times(hands: Sequence[Told]) -> Rows:
    times: defaultdict[Key, list[int]] = defaultdict(list)
    for told in hands:
        for seat, turn, took in turns_timed(told):
            times[told.seats[seat].player, told.rules, turn].append(took)
    rows = {}
    for key, found in times.items():
        spread = stdev(found) if len(found) > 1 else None
        rows[key] = {
            "hands": len(found), "median": median(found), "p90": quantile(found, 0.9), "mean": mean(found),
            "error": error(found), "regularity": None if spread is None or not any(found) else spread / mean(found),
        }  # fmt: skip
    return rows


def turns_timed(told: Told) -> Iterator[tuple[int, str, int]]:
    """Seat, kind of turn and milliseconds of each move whose time and that of the one before are known."""
    record, before = told.hand.record, 0
    calls, moves = read_calls(record.auction or ""), read_plays(record.plays)
    kinds = ["auction"] * len(calls) + kinds_of_turns(told)
    seats = [move.seat for move in (*calls, *moves)]
    last: int | None = before
    for seat, kind, now in zip(
        seats, kinds, [*read_clock(record.auction or ""), *read_clock(record.plays)], strict=True
    ):
        if now is not None and last is not None and now >= last:
            yield seat, kind, now - last
        last = now


def kinds_of_turns(told: Told) -> list[str]:
    record, rules, landlord = told.hand.record, told.hand.rules, told.hand.landlord
    if not isinstance(rules, Ruleset):
        return ["follow" if index % told.hand.players else "lead" for index, _ in enumerate(read_plays(record.plays))]
    kinds = []
    for step in steps_of(record, rules, landlord)[0] if landlord is not None else ():
        own = step.held[step.seat]
        if step.beats is None:
            kinds.append("lead")
        elif own is None:
            kinds.append("follow")
        else:
            kinds.append("can" if could(own, step.beats, answers_of(rules))[0] else "cannot")
    return kinds
