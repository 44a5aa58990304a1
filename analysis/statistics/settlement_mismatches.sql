-- name: settlement_mismatches
-- title_zh: 结算不符率
-- title_en: Settlement mismatches by kind
-- grain: one row per ruleset and kind; all for hands of any kind
-- parameters: rules since until table
-- column: rules | text | 规则 | Ruleset | 审计所用的规则集 | The ruleset
-- column: kind | text | 种类 | Kind | S01 至 S24；all 为任何一种；? 为得分不符而无已知解释 | S01 to S24; all for any; ? for wrong scores that nothing known explains
-- column: part | count | 不符 | Mismatches | 有此种不符或可由其解释的局 | Hands that have it, or whose claim it explains
-- column: whole | count | 可核对 | Auditable | 有所记结果又能算分的局；S24 为有所记结果的局 | Hands with a claim whose scores can be computed; of S24 hands with a claim
-- column: rate | rate | 比率 | Rate | 不符除以可核对 | Mismatches among auditable hands
-- column: low | rate | 下限 | Low | 95% 威尔逊区间下限 | Lower end of the 95 % Wilson interval
-- column: high | rate | 上限 | High | 95% 威尔逊区间上限 | Upper end of the 95 % Wilson interval
-- column: difference | number | 相差 | Difference | 各家得分之差的绝对值之和 | Absolute differences of the scores of all seats, added up
-- column: excluded | count | 未计 | Left out | 没有所记结果的局 | Hands without a claim
-- definition_zh: 所记结果（得分、倍数、叫分、胜方、地主、余额）与重算不符的局，按种类。一局可属几种：每一个恰好能使记分相符的开关各算一次。
--   无误、有误的局都计，只要能算分。
-- definition_en: Hands whose claim (scores, multiplier, bid, winners, landlord, balances) differs from what the
--   rules give, by kind. A hand may be of several: every switch that would make its claim right counts.
--   Faulty hands count as far as their score can be computed.
-- minimum: 100
-- kept: rules

WITH chosen AS (
    SELECT hand, rules, multiplier IS NOT NULL AS settled
    FROM hands
    WHERE counted
        AND ($rules IS NULL OR rules = $rules)
        AND ($since IS NULL OR day >= CAST($since AS DATE))
        AND ($until IS NULL OR day <= CAST($until AS DATE))
        AND ($table IS NULL OR table_id = $table)
),

claims AS (
    SELECT hand
    FROM hands
    WHERE claimed_multiplier IS NOT NULL OR claimed_bid IS NOT NULL OR claimed_landlord IS NOT NULL
    UNION
    SELECT hand
    FROM seats
    WHERE claimed_score IS NOT NULL OR claimed_balance IS NOT NULL
    UNION
    SELECT hand
    FROM mismatches
),

totals AS (
    SELECT
        chosen.rules AS rules,
        count(claims.hand) AS claiming,
        count(claims.hand) FILTER (settled) AS auditable,
        count(*) - count(claims.hand) AS excluded
    FROM chosen
    LEFT JOIN claims ON claims.hand = chosen.hand
    GROUP BY chosen.rules
),

told AS (
    SELECT chosen.rules AS rules, mismatches.hand AS hand, coalesce(kind, '?') AS kind, max(difference) AS difference
    FROM mismatches
    JOIN chosen ON chosen.hand = mismatches.hand
    GROUP BY chosen.rules, mismatches.hand, coalesce(kind, '?')
),

kinds AS (
    SELECT rules, kind, count(*) AS part, sum(difference) AS difference
    FROM told
    GROUP BY rules, kind
    UNION ALL
    SELECT rules, 'all' AS kind, count(DISTINCT hand) FILTER (kind <> 'S24') AS part, sum(difference) AS difference
    FROM (SELECT rules, hand, min(kind) AS kind, max(difference) AS difference FROM told GROUP BY rules, hand)
    GROUP BY rules
)

SELECT
    totals.rules AS rules,
    coalesce(kind, 'all') AS kind,
    coalesce(part, 0) AS part,
    CASE kind WHEN 'S24' THEN claiming ELSE auditable END AS whole,
    rate(coalesce(part, 0), whole) AS rate,
    wilson_low(coalesce(part, 0), whole) AS low,
    wilson_high(coalesce(part, 0), whole) AS high,
    CAST(coalesce(difference, 0) AS DOUBLE) AS difference,
    excluded
FROM totals
LEFT JOIN kinds ON kinds.rules = totals.rules
WHERE claiming > 0
ORDER BY rules, kind <> 'all', part DESC, kind
