-- name: decision_times
-- title_zh: 决策时间分布
-- title_en: Decision times by turn
-- kind: table
-- number: 94, 95
-- grain: one row per player, ruleset and kind of turn
-- column: player | text | 玩家 | Player | 玩家编号 | The player's id
-- column: rules | text | 规则 | Ruleset | 审计所用的规则集 | The ruleset
-- column: turn | text | 动作 | Turn | auction 表态、lead 领出、can 能压、cannot 不能压、follow 跟牌（不知能否压） | auction, lead, can or cannot beat, follow where that is not known
-- column: hands | count | 有时间的动作 | Timed moves | 有时间的动作 | Timed moves
-- column: median | number | 中位数 | Median | 毫秒 | Milliseconds
-- column: p90 | number | 九成以内 | P90 | 毫秒的 90% 分位数 | The 90 % quantile in milliseconds
-- column: mean | number | 平均 | Mean | 毫秒 | Milliseconds
-- column: error | number | 标准误 | Standard error | 平均的标准误 | Standard error of the mean
-- column: regularity | number | 变异系数 | Variation | 标准差除以平均，很小即很有规律 | Standard deviation over the mean; small where one is very regular
-- definition_zh: 每次动作距上一动作的毫秒数；只计两者时间都知道的。
-- definition_en: Milliseconds since the move before, where both times are known.
-- minimum: 100
-- kept: player rules

, timed AS (
    SELECT
        chosen.player AS player,
        chosen.rules AS rules,
        CASE
            WHEN phase = 'auction' THEN 'auction'
            WHEN lead THEN 'lead'
            WHEN moves.could THEN 'can'
            WHEN NOT moves.could THEN 'cannot'
            ELSE 'follow'
        END AS turn,
        took
    FROM moves
    JOIN chosen ON chosen.hand = moves.hand AND chosen.seat = moves.seat
    WHERE took IS NOT NULL
)

SELECT
    player,
    rules,
    turn,
    count(*) AS hands,
    median(took) AS median,
    quantile_cont(took, 0.9) AS p90,
    avg(took) AS mean,
    stddev_samp(took) / sqrt(count(*)) AS error,
    stddev_samp(took) / nullif(avg(took), 0) AS regularity
FROM timed
GROUP BY player, rules, turn
ORDER BY hands DESC, player, rules, turn
