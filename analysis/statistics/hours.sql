-- name: hours
-- title_zh: 时段
-- title_en: Hours of the day
-- kind: table
-- number: 93
-- grain: one row per ruleset and hour
-- column: rules | text | 规则 | Ruleset | 审计所用的规则集 | The ruleset
-- column: hour | count | 小时 | Hour | 按仓库时区，0–23 | In the time zone of the store, 0 to 23
-- column: hands | count | 座次 | Seats | 注明时间且有得分的座次 | Seats of dated hands with a score
-- column: wins | count | 胜 | Wins | 胜 | Wins
-- column: rate | rate | 胜率 | Win rate | 胜率 | Win rate
-- column: low | rate | 下限 | Low | 下限 | Low
-- column: high | rate | 上限 | High | 上限 | High
-- column: mean | number | 场均得分 | Mean score | 场均得分 | Mean score
-- column: error | number | 标准误 | Standard error | 场均得分的标准误 | Standard error of the mean
-- definition_zh: 按每局开始的时刻；流局不计；以玩家筛选才有胜率上的意义。
-- definition_en: By the moment at which a hand began, void hands left out; its rates mean something for one player.
-- minimum: 100
-- behind: seats
-- behind: began IS NOT NULL AND score IS NOT NULL AND outcome <> 'void'
-- behind: CAST(hour(began) AS VARCHAR) = $hour

SELECT
    rules,
    CAST(hour(began) AS BIGINT) AS hour,
    count(*) AS hands,
    count(*) FILTER (won) AS wins,
    rate(count(*) FILTER (won), count(*)) AS rate,
    wilson_low(count(*) FILTER (won), count(*)) AS low,
    wilson_high(count(*) FILTER (won), count(*)) AS high,
    avg(score / base) AS mean,
    stddev_samp(score / base) / sqrt(count(*)) AS error
FROM chosen
WHERE began IS NOT NULL AND score IS NOT NULL AND outcome <> 'void'
GROUP BY rules, hour(began)
ORDER BY rules, hour(began)
