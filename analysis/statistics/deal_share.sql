-- name: deal_share
-- title_zh: 复式：牌占得分的多少
-- title_en: Duplicate: how much of the score is the deal
-- grain: one row per ruleset
-- parameters: rules since until
-- column: rules | text | 规则 | Ruleset | 审计所用的规则集 | The ruleset
-- column: hands | count | 局数 | Hands | 牌在别桌也发过的局 | Hands whose deal was played at another table too
-- column: deals | count | 副数 | Deals | 不同的牌 | Different deals
-- column: variance | number | 方差 | Variance | 得分除以底分的方差，座位各计 | Of scores over the base, seat by seat
-- column: within | number | 同牌方差 | Within | 同一副牌各桌之间的方差 | Between tables of the same deal
-- column: share | number | 牌的份额 | Share of the deal | 组内相关系数；可因抽样为负 | The intraclass correlation; sampling may make it negative
-- column: saved | number | 省局倍数 | Saved | 同牌比较少用多少倍的局 | How many times fewer hands a same-deal comparison needs
-- definition_zh: 同一副牌同一座位在各桌的得分有多相似（110）：单因素方差分析的组内相关系数，组为牌与座位。
-- definition_en: How alike are the scores of one seat of one deal at several tables (110)? The intraclass
--   correlation of a one-way analysis of variance; a group is a deal and a seat.
-- minimum: 100

WITH again AS (
    FROM dealt_again($rules, $since, $until)
),

sat AS (
    SELECT again.rules AS rules, deal, seat, again.hand AS hand, score / base AS x
    FROM again
    JOIN seats ON seats.hand = again.hand
    WHERE score IS NOT NULL
),

groups AS (
    SELECT rules, deal, seat, count(*) AS n, avg(x) AS mean, var_pop(x) * count(*) AS inside
    FROM sat
    GROUP BY rules, deal, seat
    HAVING count(*) > 1
),

sums AS (
    SELECT
        rules,
        count(*) AS k,
        sum(n) AS number,
        count(DISTINCT deal) AS deals,
        sum(inside) / (sum(n) - count(*)) AS within,
        (sum(n * mean * mean) - sum(n * mean) ** 2 / sum(n)) / nullif(count(*) - 1, 0) AS amidst,
        (sum(n) - sum(n * n) / sum(n)) / nullif(count(*) - 1, 0) AS size
    FROM groups
    GROUP BY rules
),

tables AS (
    SELECT rules, count(DISTINCT hand) AS hands
    FROM sat
    GROUP BY rules
)

SELECT
    sums.rules AS rules,
    hands,
    deals,
    within + (amidst - within) / size AS variance,
    within,
    (amidst - within) / nullif(amidst + (size - 1) * within, 0) AS share,
    CASE WHEN within > 0 THEN (within + (amidst - within) / size) / within END AS saved
FROM sums
JOIN tables ON tables.rules = sums.rules
ORDER BY rules
