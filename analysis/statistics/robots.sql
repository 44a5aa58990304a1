-- name: robots
-- title_zh: 机器人与真人
-- title_en: Robots at the table
-- kind: table
-- number: 116
-- grain: one row per ruleset and number of robots at the table
-- column: rules | text | 规则 | Ruleset | 审计所用的规则集 | The ruleset
-- column: robots | count | 机器人 | Robots | 该局中记为机器人的座位数 | Seats of the hand that are said to be robots
-- column: hands | count | 局数 | Hands | 分出胜负的局 | Hands that were won or lost
-- column: share | rate | 占比 | Share of hands | 占该规则分出胜负的局 | Among all such hands of the ruleset
-- column: humans | count | 真人座次 | Seats of people | 这些局中不是机器人的座次 | Seats of these hands that are not said to be robots
-- column: wins | count | 真人胜 | Wins of people | 真人胜的座次 | Of these, won
-- column: rate | rate | 真人胜率 | Win rate of people | 真人胜率 | Win rate of people
-- column: low | rate | 下限 | Low | 95% 威尔逊区间下限 | Lower end of the 95 % Wilson interval
-- column: high | rate | 上限 | High | 95% 威尔逊区间上限 | Upper end of the 95 % Wilson interval
-- definition_zh: 按同桌机器人数看真人的胜率；没有注明的座位作真人计。单局的三个座次并不独立，区间偏窄。
-- definition_en: Win rate of people by how many robots sat at the table; seats without a mark count as people. The seats of one
--   hand are not independent, so that the interval is rather too narrow.
-- minimum: 100

, tables AS (
    SELECT hand, count(*) FILTER (bot) AS robots
    FROM seats
    GROUP BY hand
),

counted AS (
    SELECT
        rules,
        robots,
        count(DISTINCT chosen.hand) AS hands,
        count(*) FILTER (bot IS DISTINCT FROM true) AS humans,
        count(*) FILTER (bot IS DISTINCT FROM true AND won) AS wins
    FROM chosen
    JOIN tables ON tables.hand = chosen.hand
    WHERE won IS NOT NULL
    GROUP BY rules, robots
)

SELECT
    rules,
    robots,
    hands,
    rate(hands, sum(hands) OVER (PARTITION BY rules)) AS share,
    humans,
    wins,
    rate(wins, humans) AS rate,
    wilson_low(wins, humans) AS low,
    wilson_high(wins, humans) AS high
FROM counted
ORDER BY rules, robots
