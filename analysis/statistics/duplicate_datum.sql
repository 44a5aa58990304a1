-- name: duplicate_datum
-- title_zh: 复式：比平均
-- title_en: Duplicate: against the datum
-- grain: one row per player and ruleset
-- parameters: player rules since until
-- column: player | text | 玩家 | Player | 玩家编号 | The player's id
-- column: rules | text | 规则 | Ruleset | 审计所用的规则集 | The ruleset
-- column: hands | count | 局数 | Hands | 牌在别桌也发过的局 | Hands whose deal was played at another table too
-- column: deals | count | 副数 | Deals | 不同的牌 | Different deals and seats among them
-- column: mean | number | 平均差 | Mean difference | 得分减同座别桌的平均，除以底分，每副 | Score less the mean of the same seat at other tables, over the base, a deal
-- column: error | number | 标准误 | Standard error | 按副计 | By deals
-- column: capped | number | 限幅平均差 | Capped mean | 每副的差以 ±12 为限 | The same with the difference of a deal limited to ±12
-- column: better | count | 优于平均 | Better | 高于别桌平均的副 | Deals above the mean of the others
-- column: rate | rate | 占比 | Share | 优于平均除以副数 | Better among deals
-- column: low | rate | 下限 | Low | 95% 威尔逊区间下限 | Lower end of the 95 % Wilson interval
-- column: high | rate | 上限 | High | 95% 威尔逊区间上限 | Upper end of the 95 % Wilson interval
-- definition_zh: 同一副牌（每座的牌完全相同）在至少两桌打过的无误局，同一座位的得分与别桌该座的平均相比（108、109）。同一人多次打同一副先取平均。
-- definition_en: Clean hands whose deal (every seat's cards the same) was played at two tables at least: the score
--   against the mean of the same seat at the other tables (108, 109). Whoever plays a deal several times
--   has one mean of it.
-- minimum: 30
-- kept: player rules

WITH again AS (
    FROM dealt_again($rules, $since, $until)
),

sat AS (
    SELECT again.rules AS rules, deal, seat, player, again.hand AS hand, score / base AS x
    FROM again
    JOIN seats ON seats.hand = again.hand
    WHERE score IS NOT NULL
),

each AS (
    SELECT *, sum(x) OVER same AS total, count(*) OVER same AS tables
    FROM sat
    WINDOW same AS (PARTITION BY rules, deal, seat)
),

played AS (
    SELECT player, rules, deal, seat, count(*) AS hands, avg(x - (total - x) / (tables - 1)) AS gain
    FROM each
    WHERE tables > 1
    GROUP BY player, rules, deal, seat
)

SELECT
    player,
    rules,
    CAST(sum(hands) AS BIGINT) AS hands,
    count(*) AS deals,
    avg(gain) AS mean,
    stddev_samp(gain) / sqrt(count(*)) AS error,
    avg(greatest(least(gain, 12), -12)) AS capped,
    count(*) FILTER (gain > 0) AS better,
    rate(count(*) FILTER (gain > 0), count(*)) AS rate,
    wilson_low(count(*) FILTER (gain > 0), count(*)) AS low,
    wilson_high(count(*) FILTER (gain > 0), count(*)) AS high
FROM played
WHERE $player IS NULL OR player = $player
GROUP BY player, rules
ORDER BY rules, mean DESC, player
