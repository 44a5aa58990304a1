-- name: streaks
-- title_zh: 连胜连败
-- title_en: Streaks
-- kind: table
-- number: 91
-- grain: one row per player and ruleset
-- column: player | text | 玩家 | Player | 玩家编号 | The player's id
-- column: rules | text | 规则 | Ruleset | 审计所用的规则集 | The ruleset
-- column: hands | count | 局数 | Hands | 注明时间且分出胜负的局 | Dated hands that were won or lost
-- column: longest_win | count | 最长连胜 | Longest winning streak | 最长连胜 | Longest winning streak
-- column: expected_win | number | 期望连胜 | Expected | 按胜率与局数，独立对局时约 log(n(1-p))/log(1/p) | About log(n(1-p))/log(1/p) for independent hands
-- column: longest_loss | count | 最长连败 | Longest losing streak | 最长连败 | Longest losing streak
-- column: expected_loss | number | 期望连败 | Expected | 同上，按负率 | The same by the rate of losses
-- definition_zh: 按时间先后；期望值只是独立对局时的约数。
-- definition_en: In order of time; what is expected is about so for independent hands.
-- minimum: 100

, results AS (
    SELECT player, rules, won, began, hand, seat
    FROM chosen
    WHERE began IS NOT NULL AND won IS NOT NULL
),

placed AS (
    SELECT
        *,
        row_number() OVER (PARTITION BY player, rules ORDER BY began, hand, seat)
        - row_number() OVER (PARTITION BY player, rules, won ORDER BY began, hand, seat) AS run
    FROM results
),

runs AS (
    SELECT player, rules, won, run, count(*) AS size
    FROM placed
    GROUP BY player, rules, won, run
),

summed AS (
    SELECT
        player,
        rules,
        CAST(sum(size) AS BIGINT) AS hands,
        CAST(coalesce(sum(size) FILTER (won), 0) AS BIGINT) AS wins,
        coalesce(max(size) FILTER (won), 0) AS longest_win,
        coalesce(max(size) FILTER (NOT won), 0) AS longest_loss
    FROM runs
    GROUP BY player, rules
)

SELECT
    player,
    rules,
    hands,
    longest_win,
    CASE WHEN wins > 0 AND wins < hands
        THEN ln(hands - wins) / ln(hands / wins::DOUBLE) END AS expected_win,
    longest_loss,
    CASE WHEN wins > 0 AND wins < hands
        THEN ln(wins) / ln(hands / (hands - wins)::DOUBLE) END AS expected_loss
FROM summed
ORDER BY hands DESC, player, rules
