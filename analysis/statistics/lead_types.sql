-- name: lead_types
-- title_zh: 领出牌型
-- title_en: Lead types
-- kind: table
-- number: 37
-- grain: one row per ruleset, role and combination
-- column: rules | text | 规则 | Ruleset | 审计所用的规则集 | The ruleset
-- column: role | text | 角色 | Role | landlord 地主、farmer 农民 | landlord or farmer
-- column: reading | text | 牌型 | Combination | record.md 7 的牌型名；不成牌型为空 | As record.md 7 names it
-- column: leads | count | 领出 | Leads | 领出 | Leads
-- column: hands | count | 该角色领出 | All leads | 该规则与角色的全部领出 | All leads of that role
-- column: rate | rate | 占比 | Share | 占比 | Share
-- column: low | rate | 下限 | Low | 下限 | Low
-- column: high | rate | 上限 | High | 上限 | High
-- column: openings | count | 首次领出 | Opening leads | 一局的第一手 | The first play of a hand
-- definition_zh: 每次领出的牌型；一手有几种读法时取第一种。
-- definition_en: What each lead was; the first where a play has several readings.
-- minimum: 100
-- behind: seats
-- behind: role IS NOT NULL
-- behind: (hand, seat) IN (SELECT (hand, seat) FROM moves WHERE phase = 'play' AND lead AND NOT pass AND reading =
--   $reading)

, led AS (
    SELECT
        rules,
        role,
        reading,
        CAST(sum(leads) AS BIGINT) AS leads,
        CAST(sum(openings) AS BIGINT) AS openings
    FROM combined
    WHERE role IS NOT NULL
    GROUP BY rules, role, reading
    HAVING sum(leads) > 0
)

SELECT
    rules,
    role,
    reading,
    leads,
    CAST(sum(leads) OVER (PARTITION BY rules, role) AS BIGINT) AS hands,
    rate(leads, hands) AS rate,
    wilson_low(leads, hands) AS low,
    wilson_high(leads, hands) AS high,
    openings
FROM led
ORDER BY rules, role DESC, leads DESC, reading
