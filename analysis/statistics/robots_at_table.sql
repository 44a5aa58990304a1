-- name: robots_at_table
-- title_zh: 桌上的机器人
-- title_en: Robots at the table
-- grain: one row per ruleset, number of robots at the table and kind of seat
-- parameters: rules since until
-- column: rules | text | 规则 | Ruleset | 审计所用的规则集 | The ruleset
-- column: robots | count | 机器人数 | Robots | 记录注明的机器人 | Seats that the record says are robots
-- column: seat | text | 座位 | Seat | human 人、robot 机器人 | human or robot
-- column: hands | count | 局数 | Hands | 这样的局 | Such hands
-- column: part | count | 胜 | Wins | 这类座位的胜局 | Wins of seats of that kind
-- column: whole | count | 座次 | Seats | 这类座位 | Seats of that kind
-- column: rate | rate | 胜率 | Win rate | 胜除以座次 | Wins among seats
-- column: low | rate | 下限 | Low | 95% 威尔逊区间下限 | Lower end of the 95 % Wilson interval
-- column: high | rate | 上限 | High | 95% 威尔逊区间上限 | Upper end of the 95 % Wilson interval
-- column: landlord | rate | 地主占比 | Landlords | 这类座位中的地主 | Landlords among them
-- column: share | rate | 局的占比 | Share of hands | 占该规则的局 | Among the hands of the ruleset
-- definition_zh: 人与机器人的胜负，按桌上机器人的数目（116）。只计有胜负的无误局。三人局里人的胜率通常在三成三到六成七之间；超出时先看发牌方式与机器人的设置。
-- definition_en: How people and robots fare, by the number of robots at the table (116). Only clean hands that were
--   won. Where three play, people win between 33 % and 67 %; beyond that look at the deal mode and how the
--   robots are set before anything else.
-- minimum: 100
-- behind: seats
-- behind: won IS NOT NULL
-- behind: hand IN (SELECT hand FROM seats WHERE won IS NOT NULL GROUP BY hand HAVING CAST(count(*) FILTER (bot) AS
--   VARCHAR) = $robots)

WITH sat AS (
    SELECT hand, rules, coalesce(bot, false) AS robot, won, role
    FROM seats
    WHERE verdict = 'clean'
        AND won IS NOT NULL
        AND ($rules IS NULL OR rules = $rules)
        AND ($since IS NULL OR day >= CAST($since AS DATE))
        AND ($until IS NULL OR day <= CAST($until AS DATE))
),

tables AS (
    SELECT
        hand,
        rules,
        count(*) FILTER (robot) AS robots,
        count(*) AS seats,
        count(*) FILTER (robot AND won) AS robot_wins,
        count(*) FILTER (won) AS wins,
        count(*) FILTER (robot AND role = 'landlord') AS robot_lords,
        count(*) FILTER (role = 'landlord') AS lords
    FROM sat
    GROUP BY hand, rules
),

told AS (
    SELECT rules, robots, 'robot' AS seat, robots AS whole, robot_wins AS part, robot_lords AS lords
    FROM tables
    UNION ALL
    SELECT rules, robots, 'human' AS seat, seats - robots AS whole, wins - robot_wins AS part, lords - robot_lords AS lords
    FROM tables
),

totals AS (
    SELECT rules, count(*) AS everything
    FROM tables
    GROUP BY rules
)

SELECT
    told.rules AS rules,
    robots,
    seat,
    count(*) AS hands,
    CAST(sum(part) AS BIGINT) AS part,
    CAST(sum(whole) AS BIGINT) AS whole,
    rate(sum(part), sum(whole)) AS rate,
    wilson_low(sum(part), sum(whole)) AS low,
    wilson_high(sum(part), sum(whole)) AS high,
    rate(sum(lords), sum(whole)) AS landlord,
    count(*) / any_value(everything)::DOUBLE AS share
FROM told
JOIN totals ON totals.rules = told.rules
GROUP BY told.rules, robots, seat
HAVING sum(whole) > 0
ORDER BY rules, robots, seat
