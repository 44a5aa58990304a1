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

, courses AS (
    SELECT
        row_number() OVER (ORDER BY player, rules) AS member,
        player,
        rules,
        list(score / base ORDER BY began NULLS LAST, hand, seat) AS xs
    FROM chosen
    WHERE score IS NOT NULL AND outcome <> 'void'
    GROUP BY player, rules
),

running AS (
    SELECT member, place, sum(x) OVER (PARTITION BY member ORDER BY place) AS total
    FROM (SELECT member, unnest(xs) AS x, generate_subscripts(xs, 1) AS place FROM courses)
),

fallen AS (
    SELECT member, greatest(max(total) OVER (PARTITION BY member ORDER BY place), 0) - total AS fall
    FROM running
),

depths AS (
    SELECT member, CAST(max(fall) AS DOUBLE) AS drawdown
    FROM fallen
    GROUP BY member
),

sizes AS (
    SELECT *, list_reverse_sort(list_transform(xs, lambda x: abs(x))) AS sizes
    FROM courses
)

SELECT
    player,
    rules,
    len(xs) AS hands,
    list_aggregate(xs, 'stddev_samp') AS deviation,
    list_aggregate(xs, 'quantile_cont', 0.05) AS worst,
    drawdown,
    list_sum(sizes[1:CAST(ceil(0.05 * len(xs)) AS INT)]) / nullif(list_sum(sizes), 0) AS big
FROM sizes
JOIN depths ON depths.member = sizes.member
ORDER BY hands DESC, player, rules
