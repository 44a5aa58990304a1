-- name: sandaha_results
-- title_zh: 三打哈：大光小光
-- title_en: Levels won and lost (三打哈)
-- kind: table
-- number: 123, 124
-- grain: one row per ruleset, outcome and level
-- column: rules | text | 规则 | Ruleset | 审计所用的规则集 | The ruleset
-- column: outcome | text | 结局 | Outcome | landlord 打成、farmers 垮、surrender 投降 | landlord made it, farmers broke it, or surrender
-- column: level | count | 级 | Level | 1 过庄或下庄、2 小光、3 清光或大光 | 1 just won or lost, 2 小光, 3 清光 or 大光, as the ruleset pays them
-- column: part | count | 局数 | Hands of the level | 此级的局 | Hands of this level
-- column: hands | count | 全部 | All hands | 该规则分出胜负的局 | All hands of the ruleset that were won or lost
-- column: rate | rate | 占比 | Share | 此级占全部的比例 | Hands of the level among all
-- column: low | rate | 下限 | Low | 95% 威尔逊区间下限 | Lower end of the 95 % Wilson interval
-- column: high | rate | 上限 | High | 95% 威尔逊区间上限 | Upper end of the 95 % Wilson interval
-- definition_zh: 只有三打哈。级是结算时的级数（50 分起叫的加倍不在内）。
-- definition_en: 三打哈 only. The level is what the settlement counts, without the doubling of a low opening.
-- minimum: 100
-- behind: seats
-- behind: hand IN (SELECT hand FROM hands WHERE (trick_points IS NOT NULL OR outcome = 'surrender') AND
--   CAST(factor_level AS VARCHAR) = $level)
-- behind: outcome = $outcome

SELECT
    told.rules AS rules,
    told.outcome AS outcome,
    CAST(factor_level AS BIGINT) AS level,
    count(*) AS part,
    CAST(sum(count(*)) OVER (PARTITION BY told.rules) AS BIGINT) AS hands,
    rate(part, hands) AS rate,
    wilson_low(part, hands) AS low,
    wilson_high(part, hands) AS high
FROM hands AS told
WHERE told.hand IN (SELECT hand FROM chosen)
    AND told.outcome IN ('landlord', 'farmers', 'surrender')
    AND (trick_points IS NOT NULL OR told.outcome = 'surrender')
GROUP BY told.rules, told.outcome, factor_level
ORDER BY told.rules, told.outcome, factor_level
