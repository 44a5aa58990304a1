-- name: volatility
-- title_zh: 波动
-- title_en: Volatility
-- kind: table
-- number: 8, 10
-- grain: one row per player and ruleset
-- column: player | text | 玩家 | Player | 玩家编号 | The player's id
-- column: rules | text | 规则 | Ruleset | 审计所用的规则集 | The ruleset
-- column: hands | count | 局数 | Hands | 有得分的局 | Hands with a score
-- column: deviation | number | 标准差 | Standard deviation | 得分（除以底分）的样本标准差 | Sample standard deviation of the score over the base
-- column: worst | number | 最差 5% | Worst 5 % | 得分的 5% 分位数 | The 5 % quantile of the score
-- column: drawdown | number | 最大回撤 | Drawdown | 按时间累计得分从最高点的最大回落 | Largest fall of the running total from its highest, in order of time
-- column: big | rate | 大局占比 | Big hands | 绝对值最大的 5% 的局占得分绝对值总和的比率 | Share of all points, won or lost, that the largest 5 % of hands carry
-- definition_zh: 得分除以底分；流局不计；未注明时间的局排在最后。
-- definition_en: Scores over the base, void hands left out; undated hands come last.
-- minimum: 100

, scored AS (
    SELECT player, rules, score / base AS x, began, hand
    FROM chosen
    WHERE score IS NOT NULL AND outcome <> 'void'
),

running AS (
    SELECT
        *,
        sum(x) OVER (PARTITION BY player, rules ORDER BY began NULLS LAST, hand) AS total,
        row_number() OVER (PARTITION BY player, rules ORDER BY abs(x) DESC, hand) AS place,
        count(*) OVER (PARTITION BY player, rules) AS size
    FROM scored
),

fallen AS (
    SELECT
        *,
        greatest(max(total) OVER (PARTITION BY player, rules ORDER BY began NULLS LAST, hand), 0) - total AS fall
    FROM running
)

SELECT
    player,
    rules,
    count(*) AS hands,
    stddev_samp(x) AS deviation,
    quantile_cont(x, 0.05) AS worst,
    CAST(max(fall) AS DOUBLE) AS drawdown,
    sum(abs(x)) FILTER (place <= ceil(0.05 * size)) / nullif(sum(abs(x)), 0) AS big
FROM fallen
GROUP BY player, rules
ORDER BY hands DESC, player, rules
