-- name: landlord_win_rate
-- title_zh: 地主胜率
-- title_en: Landlord's win rate
-- grain: one row per ruleset and bid
-- parameters: rules since until
-- column: rules | text | 规则 | Ruleset | 审计所用的规则集 | The ruleset
-- column: bid | count | 叫分 | Bid | 叫分；无叫分的规则为 1 | The bid; 1 where the game has none
-- column: wins | count | 地主胜 | Wins | 地主胜的局 | Hands that the landlord won
-- column: hands | count | 局数 | Hands | 分出胜负的局 | Hands that were won or lost
-- column: rate | rate | 胜率 | Win rate | 地主胜除以局数 | Wins among hands
-- column: low | rate | 下限 | Low | 95% 威尔逊区间下限 | Lower end of the 95 % Wilson interval
-- column: high | rate | 上限 | High | 95% 威尔逊区间上限 | Upper end of the 95 % Wilson interval
-- column: excluded | count | 未计 | Left out | 因有误而未计入的局 | Hands left out because they are faulty
-- definition_zh: 只计无误且分出胜负的局（逃跑也算：逃跑者负），每局计地主一次；荒牌不计。
-- definition_en: Only clean hands that were won or lost, each counted once for its landlord; who leaves has lost. Void
--   hands don't count.
-- minimum: 100
-- behind: seats
-- behind: role = 'landlord' AND won IS NOT NULL
-- behind: CAST(bid AS VARCHAR) = $bid
-- cells: led

WITH led AS (
    SELECT
        rules,
        bid,
        day,
        count(*) FILTER (verdict = 'clean' AND won) AS wins,
        count(*) FILTER (verdict = 'clean' AND won IS NOT NULL) AS hands,
        count(*) FILTER (verdict <> 'clean') AS excluded
    FROM seats
    WHERE role = 'landlord'
    GROUP BY rules, bid, day
),

summed AS (
    SELECT
        rules,
        bid,
        CAST(sum(wins) AS BIGINT) AS wins,
        CAST(sum(hands) AS BIGINT) AS hands,
        CAST(sum(excluded) AS BIGINT) AS excluded
    FROM led
    WHERE ($rules IS NULL OR rules = $rules)
        AND ($since IS NULL OR day >= CAST($since AS DATE))
        AND ($until IS NULL OR day <= CAST($until AS DATE))
    GROUP BY rules, bid
)

SELECT
    rules,
    bid,
    wins,
    hands,
    rate(wins, hands) AS rate,
    wilson_low(wins, hands) AS low,
    wilson_high(wins, hands) AS high,
    excluded
FROM summed
ORDER BY rules, bid
