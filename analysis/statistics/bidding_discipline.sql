-- name: bidding_discipline
-- title_zh: 叫牌分寸
-- title_en: Bidding discipline
-- kind: table
-- number: 23, 24
-- grain: one row per player and ruleset
-- column: player | text | 玩家 | Player | 玩家编号 | The player's id
-- column: rules | text | 规则 | Ruleset | 审计所用的规则集 | The ruleset
-- column: strong | count | 强牌 | Strong hands | 无人叫过时，牌力不低于叫牌者 80% 分位的表态 | First words before any call with a strength at or above the 80 % quantile of callers
-- column: missed | count | 漏叫 | Missed | 其中不叫的 | Of these, passes
-- column: missed_rate | rate | 漏叫率 | Missed rate | 漏叫率 | Missed rate
-- column: calls | count | 叫 | Calls | 叫 | Calls
-- column: weak | count | 超叫 | Overbids | 叫时牌力不高于叫牌者 20% 分位的 | Calls with a strength at or below the 20 % quantile of callers
-- column: weak_rate | rate | 超叫率 | Overbid rate | 超叫率 | Overbid rate
-- column: hands | count | 表态 | First words | 知道手牌且无人叫过时的表态 | First words before any call, the hand being known
-- definition_zh: 牌力与同规则集全体叫牌者相比。
-- definition_en: Strength is compared with that of everybody who called under the same ruleset.
-- minimum: 100

, asked AS (
    SELECT player, rules, dealt_points AS points, split_part(words, ' ', 1) <> '-' AS called
    FROM chosen
    WHERE words <> '' AND called_before = '-' AND dealt_points IS NOT NULL
),

callers AS (
    SELECT
        rules,
        quantile_cont(dealt_points, 0.8) AS strong,
        quantile_cont(dealt_points, 0.2) AS weak
    FROM seats
    WHERE verdict = 'clean' AND called_before = '-' AND split_part(words, ' ', 1) NOT IN ('-', '')
    GROUP BY rules
)

SELECT
    player,
    asked.rules AS rules,
    count(*) FILTER (points >= callers.strong) AS strong,
    count(*) FILTER (points >= callers.strong AND NOT called) AS missed,
    rate(missed, count(*) FILTER (points >= callers.strong)) AS missed_rate,
    count(*) FILTER (called) AS calls,
    count(*) FILTER (called AND points <= callers.weak) AS weak,
    rate(count(*) FILTER (called AND points <= callers.weak), calls) AS weak_rate,
    count(*) AS hands
FROM asked
JOIN callers ON callers.rules = asked.rules
GROUP BY player, asked.rules
ORDER BY hands DESC, player, rules
