-- name: lengths
-- title_zh: 时长
-- title_en: Length of hands
-- kind: table
-- number: 120
-- grain: one row per ruleset
-- column: rules | text | 规则 | Ruleset | 审计所用的规则集 | The ruleset
-- column: hands | count | 局数 | Hands | 打完的局 | Hands played out
-- column: moves | number | 每局手数 | Moves per hand | 出牌与过牌 | Plays and passes
-- column: seconds | number | 每局秒数 | Seconds per hand | 到最晚的时刻为止；没有时钟的局不计 | Up to the latest stamp; hands without clocks don't count
-- column: timed | count | 有时钟的局 | Timed hands | 有时钟的局 | Timed hands
-- definition_zh: 打完的局的出牌与过牌数，以及时长。
-- definition_en: Plays and passes of hands that were played out, and how long they took.
-- minimum: 100
-- behind: seats
-- behind: outcome IN ('landlord', 'farmers')

, sizes AS (
    SELECT hand, any_value(rules) AS rules
    FROM chosen
    WHERE outcome IN ('landlord', 'farmers')
    GROUP BY hand
)

SELECT
    sizes.rules AS rules,
    count(*) AS hands,
    avg(moves) AS moves,
    avg(duration) / 1000 AS seconds,
    count(duration) AS timed
FROM sizes JOIN hands USING (hand)
GROUP BY sizes.rules
ORDER BY sizes.rules
