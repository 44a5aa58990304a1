-- name: unaudited
-- title_zh: 审计不全的记录
-- title_en: What could not be audited in full
-- grain: one row per ruleset
-- parameters: rules since until
-- column: rules | text | 规则 | Ruleset | 审计所用的规则集 | The ruleset
-- column: hands | count | 局数 | Hands | 牌合乎牌组的局，有误的也在内 | Hands whose cards are those of the pack, faulty ones too
-- column: without_plays | count | 无出牌 | Without plays | 有地主而没有出牌记录的局 | Hands with a landlord and no play in the record
-- column: without_hands | count | 无手牌 | Without cards | 没有一家起手牌的局 | Hands in which no seat's cards are shown
-- column: partly_hidden | count | 手牌不全 | Cards in part | 只有部分座位的起手牌的局 | Hands in which some seats' cards are shown
-- column: part | count | 审计不全 | In part | 以上各项之和 | All of these together
-- column: rate | rate | 占比 | Share | 占全部 | Among all of them
-- column: low | rate | 下限 | Low | 95% 威尔逊区间下限 | Lower end of the 95 % Wilson interval
-- column: high | rate | 上限 | High | 95% 威尔逊区间上限 | Upper end of the 95 % Wilson interval
-- definition_zh: 记录不足以完整审计的局。投降的局没有出牌，不算不全；一局只归入最先合乎的一类。
-- definition_en: Hands whose record does not suffice for a whole audit, each counted in the first class that fits. A surrender
--   has no plays and lacks nothing.
-- minimum: 30

WITH shown AS (
    SELECT hand, count(dealt) AS known, count(*) AS size
    FROM seats
    GROUP BY hand
),

told AS (
    SELECT
        rules,
        moves = 0 AND landlord IS NOT NULL AND outcome <> 'surrender' AS bare,
        known,
        size
    FROM hands
    JOIN shown USING (hand)
    WHERE deck IS NOT NULL
        AND ($rules IS NULL OR rules = $rules)
        AND ($since IS NULL OR day >= CAST($since AS DATE))
        AND ($until IS NULL OR day <= CAST($until AS DATE))
),

summed AS (
    SELECT
        rules,
        count(*) AS hands,
        count(*) FILTER (bare) AS without_plays,
        count(*) FILTER (NOT bare AND known = 0) AS without_hands,
        count(*) FILTER (NOT bare AND known > 0 AND known < size) AS partly_hidden
    FROM told
    GROUP BY rules
)

SELECT
    rules,
    hands,
    without_plays,
    without_hands,
    partly_hidden,
    without_plays + without_hands + partly_hidden AS part,
    rate(part, hands) AS rate,
    wilson_low(part, hands) AS low,
    wilson_high(part, hands) AS high
FROM summed
ORDER BY rules
