-- name: contracts
-- title_zh: 三打哈：各庄分的打成率
-- title_en: Contracts made, by bid (三打哈)
-- grain: one row per ruleset and bid
-- parameters: rules since until
-- column: rules | text | 规则 | Ruleset | 审计所用的规则集 | The ruleset
-- column: bid | count | 庄分 | Bid | 庄家所叫的分 | The landlord's bid
-- column: made | count | 打成 | Made | 庄家胜的局 | Hands that the landlord won
-- column: hands | count | 局数 | Hands | 打完或投降的局 | Hands played out or surrendered
-- column: rate | rate | 打成率 | Made rate | 打成除以局数 | Made among hands
-- column: low | rate | 下限 | Low | 95% 威尔逊区间下限 | Lower end of the 95 % Wilson interval
-- column: high | rate | 上限 | High | 95% 威尔逊区间上限 | Upper end of the 95 % Wilson interval
-- column: surrendered | count | 投降 | Surrendered | 投降的局 | Hands that were surrendered
-- column: points | number | 闲家均分 | Points of the three | 打完的局闲家得分的平均 | Mean points of the three, played-out hands
-- column: margin | number | 平均余分 | Margin | 闲家得分减庄分的平均 | Mean of those points less the bid
-- column: excluded | count | 未计 | Left out | 因有误而未计入的局 | Hands left out because they are faulty
-- definition_zh: 只计无误的三打哈牌局。投降算未打成，不入均分；闲家得分含抠底；余分为负即庄家打成。
-- definition_en: Only clean hands of 三打哈. A surrender is not made and has no points; the points of the three include
--   those of the bottom; where the margin is below zero the landlord has made it.
-- minimum: 100
-- behind: hands
-- behind: verdict = 'clean' AND outcome IN ('landlord', 'farmers', 'surrender')
-- behind: trick_points IS NOT NULL OR outcome = 'surrender'
-- behind: CAST(bid AS VARCHAR) = $bid

WITH played AS (
    SELECT
        rules,
        bid,
        verdict = 'clean' AS clean,
        outcome,
        trick_points + bottom_points * bottom_factor AS points
    FROM hands
    WHERE outcome IN ('landlord', 'farmers', 'surrender')
        AND (trick_points IS NOT NULL OR outcome = 'surrender')
        AND ($rules IS NULL OR rules = $rules)
        AND ($since IS NULL OR day >= CAST($since AS DATE))
        AND ($until IS NULL OR day <= CAST($until AS DATE))
),

summed AS (
    SELECT
        rules,
        bid,
        count(*) FILTER (clean AND outcome = 'landlord') AS made,
        count(*) FILTER (clean) AS hands,
        count(*) FILTER (clean AND outcome = 'surrender') AS surrendered,
        avg(points) FILTER (clean) AS points,
        count(*) FILTER (NOT clean) AS excluded
    FROM played
    GROUP BY rules, bid
)

SELECT
    rules,
    bid,
    made,
    hands,
    rate(made, hands) AS rate,
    wilson_low(made, hands) AS low,
    wilson_high(made, hands) AS high,
    surrendered,
    points,
    points - bid AS margin,
    excluded
FROM summed
ORDER BY rules, bid DESC
