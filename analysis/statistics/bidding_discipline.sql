-- name: bidding_discipline
-- title_zh: 叫牌分寸
-- title_en: Bidding discipline
-- kind: table
-- number: 23, 24
-- grain: one row per player and ruleset
-- column: player | text | 玩家 | Player | 玩家编号 | The player's id
-- column: rules | text | 规则 | Ruleset | 审计所用的规则集 | The ruleset
-- column: strong | count | 强牌 | Strong hands | 无人叫过时，牌力不低于叫后当地主而胜者 80% 分位的表态 | First words before any call with a strength at or above the 80 % quantile of callers who won as landlord
-- column: missed | count | 漏叫 | Missed | 其中不叫的 | Of these, passes
-- column: missed_rate | rate | 漏叫率 | Missed rate | 漏叫率 | Missed rate
-- column: missed_low | rate | 漏叫率下限 | Missed low | 95% 威尔逊区间下限 | Lower end of the 95 % Wilson interval
-- column: missed_high | rate | 漏叫率上限 | Missed high | 95% 威尔逊区间上限 | Upper end of the 95 % Wilson interval
-- column: calls | count | 叫 | Calls | 叫 | Calls
-- column: weak | count | 超叫 | Overbids | 叫时牌力不高于叫牌者 20% 分位的 | Calls with a strength at or below the 20 % quantile of callers
-- column: weak_rate | rate | 超叫率 | Overbid rate | 超叫率 | Overbid rate
-- column: weak_low | rate | 超叫率下限 | Overbid low | 95% 威尔逊区间下限 | Lower end of the 95 % Wilson interval
-- column: weak_high | rate | 超叫率上限 | Overbid high | 95% 威尔逊区间上限 | Upper end of the 95 % Wilson interval
-- column: hands | count | 表态 | First words | 知道手牌且无人叫过时的表态 | First words before any call, the hand being known
-- definition_zh: 牌力与同规则集全体叫牌者相比：漏叫看其中当地主而胜者的 80% 分位，超叫看全体的 20% 分位。
-- definition_en: Strength is compared with that of everybody who called under the same ruleset: a hand missed with the 80 %
--   quantile of those who won as landlord, an overbid with the 20 % quantile of all.
-- minimum: 100
-- kept: player rules
-- cells: callers

, asked AS (
    SELECT player, rules, dealt_points AS points, split_part(words, ' ', 1) <> '-' AS called
    FROM chosen
    WHERE words <> '' AND called_before = '-' AND dealt_points IS NOT NULL
),

callers AS (
    SELECT
        rules,
        quantile_cont(dealt_points, 0.8) FILTER (role = 'landlord' AND won) AS strong,
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
    wilson_low(missed, count(*) FILTER (points >= callers.strong)) AS missed_low,
    wilson_high(missed, count(*) FILTER (points >= callers.strong)) AS missed_high,
    count(*) FILTER (called) AS calls,
    count(*) FILTER (called AND points <= callers.weak) AS weak,
    rate(count(*) FILTER (called AND points <= callers.weak), calls) AS weak_rate,
    wilson_low(count(*) FILTER (called AND points <= callers.weak), calls) AS weak_low,
    wilson_high(count(*) FILTER (called AND points <= callers.weak), calls) AS weak_high,
    count(*) AS hands
FROM asked
JOIN callers ON callers.rules = asked.rules
GROUP BY player, asked.rules
ORDER BY hands DESC, player, rules
