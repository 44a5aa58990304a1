-- name: same_deal
-- title_zh: 复式：同牌差
-- title_en: Duplicate: the same deal, the same seat
-- grain: one row per pair of players and ruleset, seen from each of the two
-- parameters: player rules since until
-- column: player | text | 玩家 | Player | 玩家编号 | The player's id
-- column: other | text | 对方 | Other | 另一玩家的编号 | The other player's id
-- column: rules | text | 规则 | Ruleset | 审计所用的规则集 | The ruleset
-- column: deals | count | 副数 | Deals | 两人都在同一座位打过的牌 | Deals that both played in the same seat
-- column: total | number | 总差 | Total | 得分之差的合计，除以底分 | Differences of scores over the base, added up
-- column: mean | number | 平均差 | Mean difference | 每副 | A deal
-- column: error | number | 标准误 | Standard error | 按副计 | By deals
-- column: capped | number | 限幅平均差 | Capped mean | 每副的差以 ±12 为限 | The same with the difference of a deal limited to ±12
-- column: t | number | t 值 | t | 平均差除以标准误；两人相当时，副数不少则二十次里约一次超过 ±2 | Mean over its standard error; between equals beyond ±2 about once in twenty times where deals are many
-- column: excluded | count | 未计 | Left out | 在多于 50 桌打过的牌 | Deals played at more than 50 tables
-- definition_zh: 同一副牌、同一座位，两人在不同桌的得分之差（107、109、111），配对按副计。只比较真的打过同一副的两人；多于 50 桌的牌不作两两比较。
-- definition_en: The difference of scores on the same deal in the same seat at different tables (107, 109, 111),
--   paired by deals. Only players who did play the same deal are compared; deals of more than 50 tables
--   are not compared two by two.
-- minimum: 30
-- kept: player rules

WITH again AS (
    FROM dealt_again($rules, $since, $until)
),

sat AS (
    SELECT again.rules AS rules, deal, seat, player, avg(score / base) AS x
    FROM again
    JOIN seats ON seats.hand = again.hand
    WHERE score IS NOT NULL
    GROUP BY again.rules, deal, seat, player
),

crowded AS (
    SELECT rules, deal
    FROM again
    GROUP BY rules, deal
    HAVING count(*) > 50
),

left_out AS (
    SELECT rules, count(*) AS excluded
    FROM crowded
    GROUP BY rules
),

compared AS (
    SELECT sat.*
    FROM sat
    ANTI JOIN crowded ON crowded.rules = sat.rules AND crowded.deal = sat.deal
),

differences AS (
    SELECT one.player AS player, other.player AS other, one.rules AS rules, one.deal AS deal, avg(one.x - other.x) AS gain
    FROM compared AS one
    JOIN compared AS other
        ON other.rules = one.rules AND other.deal = one.deal AND other.seat = one.seat AND other.player <> one.player
    WHERE $player IS NULL OR one.player = $player
    GROUP BY one.player, other.player, one.rules, one.deal
),

summed AS (
    SELECT
        player,
        other,
        rules,
        count(*) AS deals,
        sum(gain) AS total,
        avg(gain) AS mean,
        stddev_samp(gain) / sqrt(count(*)) AS error,
        avg(greatest(least(gain, 12), -12)) AS capped
    FROM differences
    GROUP BY player, other, rules
)

SELECT
    player,
    other,
    summed.rules AS rules,
    deals,
    total,
    mean,
    error,
    capped,
    mean / nullif(error, 0) AS t,
    coalesce(excluded, 0) AS excluded
FROM summed
LEFT JOIN left_out ON left_out.rules = summed.rules
ORDER BY rules, deals DESC, player, other
