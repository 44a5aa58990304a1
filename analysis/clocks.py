"""Screens of clocks: stamps that cannot be, file by file, and accounts that act as a machine would.

Knows what clocks of people and of servers do at their worst, and counts beyond that. Refuses to say who cheats: a bad
clock, a converted log and a robot that nobody hides look alike. What a record does not tell (the limit of a decision,
托管, when it was settled) is not screened. Source: statistics.md 4.4.
"""

from collections.abc import Mapping, Sequence
from math import exp, sqrt
from typing import Any

from msgspec import Struct

from analysis.cells import Cells
from analysis.deal_counts import narrowed
from analysis.deal_tests import score
from analysis.evidence import EVIDENCE, hands_of, lowest_of, most, most_of
from analysis.intervals import Z, wilson
from analysis.screens import numbers, rows_of
from analysis.significance import benjamini_hochberg, binomial_p, chi_square_p, holm, one_sided_p
from analysis.warehouse import Questionable

LOG_PARAMETERS = ("rules", "since", "until", "table")
PLAYER_PARAMETERS = ("rules", "since", "until")
QUICKEST = 150
"""Milliseconds a move below which a whole hand cannot have been played by people (network and drawing)."""
LEAST = 30
"""Timed decisions below which the pace of an account is not tested."""
REST, AWAKE = 4, 16
"""Hours without a hand that are a rest; hours at a stretch without one that people do play."""
EVEN = 0.1
"""The spread of times, as coefficient of variation, below which they are called constant."""
EVEN_PEOPLE = 0.2
"""The least spread that people's times have."""
CARE = 0.2
"""By how much, as a logarithm, people take longer where they have a choice: a fifth."""


class Oddity(Struct, frozen=True):
    """One thing that a clock cannot do, or seldom does."""

    found: str
    """When a hand shows it, in SQL over ``timed``."""
    looked: str
    """Which hands could show it."""
    tolerated: float
    """Its rate among sound logs."""
    zh: str
    en: str
    innocent_zh: str
    innocent_en: str


_EVERY = "duration IS NOT NULL"
_NEXT = "before IS NOT NULL"
_CLOCK = ("服务器校时或丢失了时间戳", "the server's clock was set, or stamps were lost")
_SEVERAL = ("同名的桌其实是几张桌，或文件中各局不按先后", "several tables share the name, or the file is out of order")

LOG_ODDITIES: dict[str, Oddity] = {
    "backwards": Oddity("backwards > 0", _EVERY, 0.001, "时间戳倒退", "a stamp lower than the one before", *_CLOCK),
    "standing_still": Oddity(
        "standing_still > 0", _EVERY, 0.01, "时间戳与前一着相同", "a stamp equal to the one before",
        "自动过牌或时间精度低", "passes made for the players, or coarse clocks",
    ),
    "hasty": Oddity(
        f"duration < {QUICKEST} * moves", f"{_EVERY} AND moves >= 10", 0.001, "整局短于每着 150 毫秒",
        "the hand is shorter than 150 milliseconds a move", "机器人对局", "robots played it",
    ),
    "twins": Oddity(
        "twin", "clock_digest IS NOT NULL", 1e-6, "各着用时与另一局完全相同", "the very times of another hand",
        "同一局的另一份记录或回放", "another copy of the same hand, or a replay",
    ),
    "overlap": Oddity(
        "(epoch_us(began) - epoch_us(before)) / 1000 < lasted",
        f"{_NEXT} AND lasted IS NOT NULL AND began >= before", 0.001,
        "同桌上一局未完即开局", "began before the last move of the hand before at the table", *_SEVERAL,
    ),
    "order": Oddity("began < before", _NEXT, 0.001, "早于同桌前一局", "began before the hand before it", *_SEVERAL),
    "offset": Oddity(
        "utc_offset <> offset_before", _NEXT, 0.001, "时区与同桌前一局不同", "another UTC offset than the hand before",
        "服务器迁移或夏令时", "a server was moved, or summer time",
    ),
    "eight_hours": Oddity(
        "abs(abs(epoch(began) - epoch(before)) - 28800) <= 900", _NEXT, 0.02, "与同桌前一局恰相差八小时",
        "eight hours from the hand before, within a quarter of an hour",
        "桌子隔夜再开", "the table went on next morning",
    ),
}  # fmt: skip
"""What is looked for in the clocks of a file."""

_COUNTS = ", ".join(
    f"count(*) FILTER ({each.looked}) AS {name}_looked, "
    f"count(*) FILTER ({each.looked} AND {each.found}) AS {name}, "
    f"min(hand, {EVIDENCE}) FILTER ({each.looked} AND {each.found}) AS {name}_evidence"
    for name, each in LOG_ODDITIES.items()
)


def _timed(table: str = "") -> str:
    """The clocks of files by day, a hand beside the one before it at its table, whatever the day of that."""
    return f"""
    SELECT rules, source, day, count(*) AS hands, {_COUNTS}
    FROM (
        SELECT rules, source, day, hand, began, utc_offset, duration, moves, backwards, standing_still, clock_digest,
            CASE WHEN table_id IS NOT NULL THEN lag(began) OVER earlier END AS before,
            lag(duration) OVER earlier AS lasted, lag(utc_offset) OVER earlier AS offset_before,
            clock_digest IN (
                SELECT clock_digest FROM hands WHERE clock_digest IS NOT NULL GROUP BY clock_digest HAVING count(*) > 1
            ) AS twin
        FROM hands
        WHERE counted{table}
        WINDOW earlier AS (PARTITION BY source, table_id ORDER BY hand)
    )
    GROUP BY rules, source, day
"""


_SUMS = ", ".join(
    f'sum({name}_looked)::BIGINT AS {name}_looked, sum("{name}")::BIGINT AS {name}, {lowest_of(f"{name}_evidence")}'
    for name in LOG_ODDITIES
)
LOG_CELLS = Cells("clocks_by_day", "timed", _timed())
_LOGS = f"""
WITH {{timed}}
SELECT rules, source, sum(hands)::BIGINT AS hands, {_SUMS}
FROM timed WHERE {narrowed("timed")} GROUP BY rules, source ORDER BY rules, source
"""


def of_logs(warehouse: Questionable, filters: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What is odd in the clocks of each file, one row for each kind that its hands could show."""
    values = {name: filters.get(name) for name in LOG_PARAMETERS}
    timed = LOG_CELLS if values["table"] is None else Cells("", "timed", _timed(" AND table_id = $table"))
    found = rows_of(warehouse, _LOGS.format(timed=timed.part), values, [timed])
    rows = [_of_log(each, name) for each in found for name in LOG_ODDITIES if each[f"{name}_looked"]]
    return _corrected(rows)


def _corrected(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows with p corrected over all of them (Benjamini-Hochberg), and the score."""
    tested = [row for row in rows if row["p"] is not None]
    for row, adjusted in zip(tested, benjamini_hochberg([row["p"] for row in tested]), strict=True):
        row |= {"adjusted": adjusted, "score": score(adjusted)}
    return rows


def _of_log(told: Mapping[str, Any], name: str) -> dict[str, Any]:
    kind, part, whole = LOG_ODDITIES[name], int(told[name]), int(told[f"{name}_looked"])
    low, high = wilson(part, whole)
    share = f"{part} / {whole}"
    return {
        "rules": told["rules"], "source": told["source"], "kind": name, "part": part, "whole": whole,
        "excluded": int(told["hands"]) - whole, "rate": part / whole, "low": low, "high": high,
        "tolerated": kind.tolerated, "p": binomial_p(part, whole, kind.tolerated),
        "reason_zh": f"{kind.zh}：{share} 局", "reason_en": f"{kind.en}: {share} hands",
        "innocent_zh": kind.innocent_zh, "innocent_en": kind.innocent_en,
        "evidence": _evidence(told[f"{name}_evidence"]),
    }  # fmt: skip


def _evidence(hands: Any) -> str | None:
    return numbers(() if hands is None else tuple(map(int, hands)))


ALL = "all"
PACE_TITLES: dict[str, tuple[str, str, str, str]] = {
    ALL: (
        "全部", "all tests",
        "注明的机器人、自动程序，或日志的时间粗略", "a known robot, an automatic helper, or coarse stamps",
    ),
    "quick": (
        "有选择却快于 150 毫秒", "faster than 150 milliseconds with a choice",
        "预先选好的牌", "cards that were chosen beforehand",
    ),
    "even": ("用时几乎恒定", "times hardly differ", "时间戳取整，或由系统代打", "rounded stamps, or the system played"),
    "careless": (
        "用时与有无选择无关", "as slow without a choice as with one",
        "过牌也要手点，网络慢", "passes are made by hand over a slow network",
    ),
    "overlap": (
        "上一局未完又开一局", "began a hand before his last one ended",
        "允许同时坐几桌", "several tables at a time are allowed",
    ),
    "awake": (
        "长时间没有四小时休息", "at a stretch without four hours' rest",
        "几人共用一个账号，或比赛", "an account that is shared, or a tournament",
    ),
}  # fmt: skip
"""What is tested of an account: titles, and what would make it harmless."""

PACE_CELLS = Cells(
    "paces_by_day",
    "paced",
    f"""
    SELECT player, rules, day, bool_or(coalesce(bot, false)) AS bot, count(*) AS hands, count(forced) AS stamped,
        sum(free)::BIGINT AS free, sum(free_log) AS free_log, sum(free_log_squares) AS free_squares,
        sum(forced)::BIGINT AS forced, sum(forced_log) AS forced_log, sum(forced_log_squares) AS forced_squares,
        sum(quick)::BIGINT AS quick, {most("quick")} FILTER (quick > 0) AS quickest
    FROM seats
    GROUP BY player, rules, day
""",
)
_SUMMED = ("free", "free_log", "free_squares", "forced", "forced_log", "forced_squares", "quick")
_PACES = f"""
WITH {PACE_CELLS.part}
SELECT player, rules, bool_or(bot) AS bot, sum(hands)::BIGINT AS hands, sum(stamped)::BIGINT AS stamped,
    {", ".join(f"sum({name}) AS {name}" for name in _SUMMED)}, {most_of("quickest")}
FROM paced
WHERE {narrowed("paced")}
GROUP BY player, rules ORDER BY hands DESC, player, rules
"""
_DATED = """
    SELECT player, hands.rules, hands.day, hand, hands.began, coalesce(duration, 1) AS lasted
    FROM seats JOIN hands USING (hand)
    WHERE hands.began IS NOT NULL
"""
FOLLOWED_CELLS = Cells(
    "overlaps_by_day",
    "followed",
    f"""
    SELECT player, rules, day, count(*) AS dated, count(*) FILTER (early) AS overlapping,
        min(hand, {EVIDENCE}) FILTER (early) AS evidence
    FROM (
        SELECT *, (epoch_us(lead(began) OVER later) - epoch_us(began)) / 1000 < lasted AS early
        FROM ({_DATED}) WINDOW later AS (PARTITION BY player ORDER BY began, hand)
    )
    GROUP BY player, rules, day
""",
)
"""Hands that began before the one before them ended, whatever the day and the ruleset of the later."""
HOUR_CELLS = Cells(
    "hours_by_day",
    "hours",
    f"""
    SELECT player, rules, day, epoch_us(began) // 3600000000 AS hour, min(hand) AS first
    FROM ({_DATED})
    GROUP BY ALL
""",
)
_WHEN = f"""
WITH {FOLLOWED_CELLS.part}, {HOUR_CELLS.part}, counted AS (
    SELECT player, rules, sum(dated)::BIGINT AS dated, sum(overlapping)::BIGINT AS overlapping, {lowest_of("evidence")}
    FROM followed WHERE {narrowed("followed")} GROUP BY player, rules
), active AS (
    SELECT player, rules, hour, min(first) AS first FROM hours WHERE {narrowed("hours")} GROUP BY player, rules, hour
), breaks AS (
    SELECT *, hour - lag(hour) OVER (PARTITION BY player, rules ORDER BY hour) <= {REST} AS goes_on FROM active
), stretches AS (
    SELECT *, sum((goes_on IS NOT TRUE)::INT) OVER (PARTITION BY player, rules ORDER BY hour) AS stretch FROM breaks
), lengths AS (
    SELECT player, rules, max(hour) - min(hour) + 1 AS length, min(first, {EVIDENCE}) AS shown, -min(first) AS sooner
    FROM stretches GROUP BY player, rules, stretch
)
SELECT counted.*, longest, shown
FROM counted JOIN (
    SELECT player, rules, max(length) AS longest, arg_max(shown, row(length, sooner)) AS shown
    FROM lengths GROUP BY player, rules
) USING (player, rules)
"""
_WHEN_CELLS = (FOLLOWED_CELLS, HOUR_CELLS)
_OVERLAPS, _QUICK = 0.001, 0.01
"""How many hands of people begin before the last ended; how many of their decisions are made beforehand."""


def of_players(warehouse: Questionable, filters: Mapping[str, Any]) -> list[dict[str, Any]]:
    """How each account's times look: a row that sums up, then the tests that its clock allows.

    Always of all accounts, since who is one among many is corrected for them all.
    """
    values = {name: filters.get(name) for name in PLAYER_PARAMETERS}
    when = {(row["player"], row["rules"]): row for row in rows_of(warehouse, _WHEN, values, _WHEN_CELLS)}
    found = []
    for told in rows_of(warehouse, _PACES, values, [PACE_CELLS]):
        own = {name: told[name] for name in ("player", "rules", "bot")}
        tests = [*_paces(told), *_times(when.get((told["player"], told["rules"])))]
        if tests:
            found.append((own, tests))
    summed = [own | _summed_up(tests) for own, tests in found]
    _corrected(summed)
    return [row for one, (own, tests) in zip(summed, found, strict=True) for row in (one, *(own | t for t in tests))]


def _summed_up(tests: list[dict[str, Any]]) -> dict[str, Any]:
    """Holm over an account's tests; the row takes the reason of the one that deviates most."""
    tested = [test for test in tests if test["p"] is not None]
    for test, adjusted in zip(tested, holm([test["p"] for test in tested]), strict=True):
        test |= {"adjusted": adjusted, "score": score(adjusted)}
    worst = min(tested, key=lambda test: float(test["adjusted"]), default=None)
    row = _row(ALL, max(test["whole"] for test in tests), None)
    if worst is None:
        return row
    kept = ("reason_zh", "reason_en", "innocent_zh", "innocent_en", "evidence")
    return row | {"p": worst["adjusted"]} | {name: worst[name] for name in kept}


def _row(test: str, whole: int, p: float | None, **more: Any) -> dict[str, Any]:
    zh, en, innocent_zh, innocent_en = PACE_TITLES[test]
    seen = more.pop("seen", "")
    row = {
        "test": test, "whole": whole, "p": p, "reason_zh": f"{zh}：{seen}" if seen else zh,
        "reason_en": f"{en}: {seen}" if seen else en, "innocent_zh": innocent_zh, "innocent_en": innocent_en,
        "evidence": None,
    }  # fmt: skip
    return row | more


def _paces(told: Mapping[str, Any]) -> list[dict[str, Any]]:
    """quick, even, careless: what the times of single plays tell."""
    free, forced = int(told["free"] or 0), int(told["forced"] or 0)
    if free < LEAST:
        return []
    mean, variance = _moments(free, told["free_log"], told["free_squares"])
    quick, (low, high) = int(told["quick"]), wilson(int(told["quick"]), free)
    spread = sqrt(variance)
    even = 1 - chi_square_p((free - 1) * variance / EVEN_PEOPLE**2, free - 1) if spread < EVEN else 1.0
    rows = [
        _row(
            "quick", free, binomial_p(quick, free, _QUICK), value=quick / free, value_from=low, value_to=high,
            seen=f"{quick} / {free}", evidence=numbers(hands_of(told["quickest"])),
        ),
        _row("even", free, even, value=spread, seen=f"{spread:.3f}"),
    ]  # fmt: skip
    if forced < LEAST:
        return rows
    other, unlike = _moments(forced, told["forced_log"], told["forced_squares"])
    slower, error = mean - other, sqrt(variance / free + unlike / forced)
    p = one_sided_p((slower - CARE) / error) if error > 0 else float(slower >= CARE)
    ends = (exp(slower - Z * error), exp(slower + Z * error))
    return [
        *rows,
        _row(
            "careless", forced, p, value=exp(slower), value_from=ends[0], value_to=ends[1], seen=f"{exp(slower):.2f} ×"
        ),
    ]


def _moments(n: int, total: float, squares: float) -> tuple[float, float]:
    """Mean and variance from sums."""
    mean = total / n
    return mean, max(0.0, (squares - n * mean * mean) / (n - 1))


def _times(told: Mapping[str, Any] | None) -> Sequence[dict[str, Any]]:
    """overlap, awake: what the beginnings of hands tell."""
    if told is None:
        return []
    dated, overlaps, hours = int(told["dated"]), int(told["overlapping"]), int(told["longest"])
    low, high = wilson(overlaps, dated)
    awake = _row("awake", dated, None, value=hours, seen=f"{hours} h", evidence=_evidence(told["shown"]))
    return [
        _row(
            "overlap", dated, binomial_p(overlaps, dated, _OVERLAPS), value=overlaps / dated, value_from=low,
            value_to=high, seen=f"{overlaps} / {dated}", evidence=_evidence(told["evidence"]),
        ),
        awake | {"score": min(16.0, max(0.0, (hours - AWAKE) / 2))},
    ]  # fmt: skip
