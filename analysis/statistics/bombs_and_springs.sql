-- name: bombs_and_springs
-- title_zh: 炸弹与春天
-- title_en: Bombs and springs
-- grain: one row per ruleset
-- parameters: rules since until
-- column: rules | text | 规则 | Ruleset | 审计所用的规则集 | The ruleset
-- column: hands | count | 局数 | Hands | 打完的局 | Hands played out
-- column: bombs | count | 炸弹 | Bombs | 炸弹数，不含火箭 | Bombs, rockets apart
-- column: bombs_per_hand | number | 每局炸弹 | Bombs per hand | 炸弹数除以局数 | Bombs divided by hands
-- column: rockets | count | 火箭 | Rockets | 火箭数 | Rockets
-- column: rockets_per_hand | number | 每局火箭 | Rockets per hand | 火箭数除以局数 | Rockets divided by hands
-- column: springs | count | 春天 | Springs | 地主出完而农民一张未出的局 | Hands in which no farmer played
-- column: spring_rate | rate | 春天率 | Spring rate | 春天除以局数 | Springs among hands
-- column: spring_low | rate | 春天率下限 | Spring low | 95% 威尔逊区间下限 | Lower end of the 95 % Wilson interval
-- column: spring_high | rate | 春天率上限 | Spring high | 95% 威尔逊区间上限 | Upper end of the 95 % Wilson interval
-- column: anti_springs | count | 反春 | Anti-springs | 农民出完而地主只出过一手的局 | Farmers won and the landlord had played once
-- column: anti_spring_rate | rate | 反春率 | Anti-spring rate | 反春除以局数 | Anti-springs among hands
-- column: anti_spring_low | rate | 反春率下限 | Anti-spring low | 95% 威尔逊区间下限 | Lower end of the 95 % Wilson interval
-- column: anti_spring_high | rate | 反春率上限 | Anti-spring high | 95% 威尔逊区间上限 | Upper end of the 95 % Wilson interval
-- column: excluded | count | 未计 | Left out | 因有误或不可读而未计入的记录 | Entries left out, faulty or unreadable
-- definition_zh: 只计无误且打完（地主或农民胜）的局，荒牌与逃跑不计。春天与反春按事实计，不论该规则是否为此加倍。
-- definition_en: Only clean hands that were played out; void hands and escapes don't count. Springs are counted as they
--   happened, whether or not the ruleset pays for them.
-- minimum: 100
-- behind: hands
-- behind: verdict = 'clean' AND outcome IN ('landlord', 'farmers')
-- cells: played

WITH played AS (
    SELECT
        rules,
        day,
        count(*) FILTER (counts) AS hands,
        sum(bombs) FILTER (counts) AS bombs,
        sum(rockets) FILTER (counts) AS rockets,
        count(*) FILTER (counts AND spring) AS springs,
        count(*) FILTER (counts AND anti_spring) AS anti_springs,
        count(*) FILTER (verdict <> 'clean') AS excluded
    FROM (SELECT *, verdict = 'clean' AND outcome IN ('landlord', 'farmers') AS counts FROM hands)
    GROUP BY rules, day
),

summed AS (
    SELECT
        rules,
        CAST(sum(hands) AS BIGINT) AS hands,
        CAST(coalesce(sum(bombs), 0) AS BIGINT) AS bombs,
        CAST(coalesce(sum(rockets), 0) AS BIGINT) AS rockets,
        CAST(sum(springs) AS BIGINT) AS springs,
        CAST(sum(anti_springs) AS BIGINT) AS anti_springs,
        CAST(sum(excluded) AS BIGINT) AS excluded
    FROM played
    WHERE ($rules IS NULL OR rules = $rules)
        AND ($since IS NULL OR day >= CAST($since AS DATE))
        AND ($until IS NULL OR day <= CAST($until AS DATE))
    GROUP BY rules
)

SELECT
    rules,
    hands,
    bombs,
    rate(bombs, hands) AS bombs_per_hand,
    rockets,
    rate(rockets, hands) AS rockets_per_hand,
    springs,
    rate(springs, hands) AS spring_rate,
    wilson_low(springs, hands) AS spring_low,
    wilson_high(springs, hands) AS spring_high,
    anti_springs,
    rate(anti_springs, hands) AS anti_spring_rate,
    wilson_low(anti_springs, hands) AS anti_spring_low,
    wilson_high(anti_springs, hands) AS anti_spring_high,
    excluded
FROM summed
ORDER BY rules NULLS FIRST
