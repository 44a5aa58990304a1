-- name: bottoms_taken
-- title_zh: 三打哈：抠底率
-- title_en: Bottoms taken (三打哈)
-- grain: one row per ruleset
-- parameters: rules since until
-- column: rules | text | 规则 | Ruleset | 审计所用的规则集 | The ruleset
-- column: taken | count | 抠底 | Taken | 闲家抠底的局 | Hands whose bottom the three took
-- column: hands | count | 局数 | Hands | 打完的局 | Hands played out
-- column: rate | rate | 抠底率 | Rate | 抠底除以局数 | Taken among hands
-- column: low | rate | 下限 | Low | 95% 威尔逊区间下限 | Lower end of the 95 % Wilson interval
-- column: high | rate | 上限 | High | 95% 威尔逊区间上限 | Upper end of the 95 % Wilson interval
-- column: by_single | count | 单张抠底 | By a single | 以单张抠底的局 | Of these, taken by a single
-- column: by_pair | count | 对子抠底 | By a pair | 以对子抠底的局 | Of these, taken by a pair
-- column: by_tractor | count | 拖拉机抠底 | By a tractor | 以拖拉机抠底的局 | Of these, taken by a tractor
-- column: buried | number | 平均埋分 | Points buried | 底牌中分数的平均 | Mean points among the buried cards
-- column: won | number | 平均抠底分 | Points won | 抠底所得分数的平均（按倍计） | Mean points that a taken bottom brought, multiplied
-- column: excluded | count | 未计 | Left out | 因有误而未计入的局 | Hands left out because they are faulty
-- definition_zh: 只计无误且打完的三打哈牌局。甩牌抠底按其中最强的一组计。
-- definition_en: Only clean hands of 三打哈 that were played out. A throw counts by its strongest part.
-- minimum: 100
-- behind: hands
-- behind: verdict = 'clean' AND trick_points IS NOT NULL

WITH played AS (
    SELECT
        rules,
        verdict = 'clean' AS clean,
        bottom_points,
        bottom_factor
    FROM hands
    WHERE trick_points IS NOT NULL
        AND ($rules IS NULL OR rules = $rules)
        AND ($since IS NULL OR day >= CAST($since AS DATE))
        AND ($until IS NULL OR day <= CAST($until AS DATE))
),

summed AS (
    SELECT
        rules,
        count(*) FILTER (clean AND bottom_factor > 0) AS taken,
        count(*) FILTER (clean) AS hands,
        count(*) FILTER (clean AND bottom_factor = 1) AS by_single,
        count(*) FILTER (clean AND bottom_factor = 2) AS by_pair,
        count(*) FILTER (clean AND bottom_factor = 4) AS by_tractor,
        avg(bottom_points) FILTER (clean) AS buried,
        avg(bottom_points * bottom_factor) FILTER (clean AND bottom_factor > 0) AS won,
        count(*) FILTER (NOT clean) AS excluded
    FROM played
    GROUP BY rules
)

SELECT
    rules,
    taken,
    hands,
    rate(taken, hands) AS rate,
    wilson_low(taken, hands) AS low,
    wilson_high(taken, hands) AS high,
    by_single,
    by_pair,
    by_tractor,
    buried,
    won,
    excluded
FROM summed
ORDER BY rules
