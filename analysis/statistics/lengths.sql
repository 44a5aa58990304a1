-- name: lengths
-- title_zh: 时长
-- title_en: Length of hands
-- kind: table
-- number: 120
-- grain: one row per ruleset
-- column: rules | text | 规则 | Ruleset | 审计所用的规则集 | The ruleset
-- column: hands | count | 局数 | Hands | 打完的局 | Hands played out
-- column: moves | number | 每局手数 | Moves per hand | 出牌与过牌 | Plays and passes
-- column: seconds | number | 每局秒数 | Seconds per hand | 到最后一手为止；没有时钟的局不计 | Up to the last move; hands without clocks don't count
-- column: timed | count | 有时钟的局 | Timed hands | 有时钟的局 | Timed hands
-- definition_zh: 打完的局的出牌与过牌数，以及时长。
-- definition_en: Plays and passes of hands that were played out, and how long they took.
-- minimum: 100
-- kept: rules

, sizes AS (
    SELECT hand, any_value(rules) AS rules
    FROM chosen
    WHERE outcome IN ('landlord', 'farmers')
    GROUP BY hand
),

ends AS (
    SELECT hand, max(ms) AS ms
    FROM moves
    WHERE phase = 'play' AND ms IS NOT NULL AND hand IN (SELECT hand FROM sizes)
    GROUP BY hand
)

SELECT
    sizes.rules AS rules,
    count(*) AS hands,
    avg(hands.moves) AS moves,
    avg(ends.ms) / 1000 AS seconds,
    count(ends.ms) AS timed
FROM sizes
JOIN hands ON hands.hand = sizes.hand
LEFT JOIN ends ON ends.hand = sizes.hand
GROUP BY sizes.rules
ORDER BY sizes.rules
