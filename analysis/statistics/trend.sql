-- name: trend
-- title_zh: 走势
-- title_en: Trend
-- kind: table
-- number: 92
-- grain: one row per player, ruleset and day
-- column: player | text | 玩家 | Player | 玩家编号 | The player's id
-- column: rules | text | 规则 | Ruleset | 审计所用的规则集 | The ruleset
-- column: day | day | 日期 | Day | 日期 | Day
-- column: hands | count | 局数 | Hands | 局数 | Hands
-- column: score | number | 得分 | Score | 当日得分（除以底分）之和 | Sum of that day's scores over the base
-- column: total | number | 累计 | Total | 到当日为止的累计 | Running total up to that day
-- definition_zh: 只计注明日期且有得分的局；流局不计。
-- definition_en: Dated hands with a score only, void hands left out.
-- minimum: 0
-- behind: seats
-- behind: score IS NOT NULL AND outcome <> 'void'
-- behind: day = TRY_CAST($day AS DATE)

SELECT
    player,
    rules,
    day,
    count(*) AS hands,
    CAST(sum(score / base) AS DOUBLE) AS score,
    CAST(sum(sum(score / base)) OVER (PARTITION BY player, rules ORDER BY day) AS DOUBLE) AS total
FROM chosen
WHERE day IS NOT NULL AND score IS NOT NULL AND outcome <> 'void'
GROUP BY player, rules, day
ORDER BY player, rules, day
