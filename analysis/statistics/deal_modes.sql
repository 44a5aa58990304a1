-- name: deal_modes
-- title_zh: 发牌方式
-- title_en: Deal modes
-- kind: table
-- number: 117
-- grain: one row per ruleset and deal mode
-- column: rules | text | 规则 | Ruleset | 审计所用的规则集 | The ruleset
-- column: mode | text | 发牌方式 | Deal mode | 标签 deal_mode；没有则为空 | The tag deal_mode; null without one
-- column: hands | count | 局数 | Hands | 局数 | Hands
-- column: bombs_dealt | number | 每局发出炸弹 | Bombs dealt per hand | 各家起手炸弹之和的平均 | Mean of the bombs dealt to all seats
-- column: rate | rate | 地主胜率 | Landlord win rate | 地主胜率 | Landlord win rate
-- column: low | rate | 下限 | Low | 下限 | Low
-- column: high | rate | 上限 | High | 上限 | High
-- definition_zh: 不同发牌方式不可混在一起比较。
-- definition_en: Hands of different deal modes must not be compared as if they were alike.
-- minimum: 100
-- behind: seats
-- behind: hand IN (SELECT hand FROM hands WHERE json_extract_string(tags, '$.deal_mode') = $mode)

, each AS (
    SELECT
        hand,
        any_value(rules) AS rules,
        sum(dealt_bombs) AS bombs,
        bool_or(won) FILTER (role = 'landlord') AS won
    FROM chosen
    GROUP BY hand
)

SELECT
    each.rules AS rules,
    json_extract_string(tags, '$.deal_mode') AS mode,
    count(*) AS hands,
    avg(each.bombs) AS bombs_dealt,
    rate(count(*) FILTER (won), count(won)) AS rate,
    wilson_low(count(*) FILTER (won), count(won)) AS low,
    wilson_high(count(*) FILTER (won), count(won)) AS high
FROM each
JOIN hands AS told ON told.hand = each.hand
GROUP BY each.rules, mode
ORDER BY rules, hands DESC, mode
