-- name: side_swaps
-- title_zh: 换边对局（WP、ADP）
-- title_en: Sides swapped (WP, ADP)
-- grain: one row per pair of players and ruleset, seen from each of the two
-- parameters: player rules since until
-- column: player | text | 玩家 | Player | 玩家编号 | The player's id
-- column: other | text | 对方 | Other | 坐满另一方的玩家 | The player who sits at every seat of the other side
-- column: rules | text | 规则 | Ruleset | 审计所用的规则集 | The ruleset
-- column: decks | count | 副数 | Decks | 两边都打过的牌 | Decks that were played with both sides
-- column: wins | count | 胜局 | Wins | 该玩家一方胜的局 | Hands won by the player's side
-- column: hands | count | 局数 | Hands | 这些牌的局 | Hands of these decks
-- column: rate | rate | 胜率 WP | WP | 胜局除以局数 | Wins among hands
-- column: low | rate | 下限 | Low | 95% 威尔逊区间下限 | Lower end of the 95 % Wilson interval
-- column: high | rate | 上限 | High | 95% 威尔逊区间上限 | Upper end of the 95 % Wilson interval
-- column: adp | number | 平均分差 ADP | ADP | 平均分差：胜负 ±2，每个炸弹或王炸加倍；不计叫分与春天 | Average difference in points: ±2, doubled by every bomb or rocket; no bid, no spring
-- column: error | number | 标准误 | Standard error | ADP 按副计的标准误 | Of ADP, by decks
-- column: score | number | 场均得分 | Mean score | 本规则的得分除以底分，全方合计 | Score of the whole side under the ruleset, over the base
-- column: t | number | t 值 | t | ADP 除以标准误；两者相当时，副数不少则二十次里约一次超过 ±2 | ADP over its standard error; between equals beyond ±2 about once in twenty times where decks are many
-- definition_zh: DouZero 的评测：一方坐地主，另一方坐满农民，同一副牌换边再打（105、106、111）。只计两种坐法都有的牌。
-- definition_en: DouZero's evaluation: one player is landlord and the other sits at all farmers' seats, then the same
--   deck again with sides swapped (105, 106, 111). Only decks that were played both ways count.
-- minimum: 100
-- kept: player rules

WITH again AS (
    FROM dealt_again($rules, $since, $until)
),

sides AS (
    SELECT
        again.rules AS rules,
        deal,
        again.hand AS hand,
        any_value(player) FILTER (role = 'landlord') AS landlord,
        min(player) FILTER (role = 'farmer') AS farmer,
        max(player) FILTER (role = 'farmer') AS also,
        bool_or(won) FILTER (role = 'landlord') AS landlord_won,
        sum(bombs) + sum(rockets) AS doubled,
        sum(score / base) FILTER (role = 'landlord') AS x
    FROM again
    JOIN seats ON seats.hand = again.hand
    WHERE won IS NOT NULL
    GROUP BY again.rules, deal, again.hand
),

seen AS (
    SELECT rules, deal, landlord AS player, farmer AS other, true AS led, landlord_won AS won, doubled, x
    FROM sides
    WHERE farmer = also AND farmer <> landlord
    UNION ALL
    SELECT rules, deal, farmer AS player, landlord AS other, false AS led, NOT landlord_won AS won, doubled, -x AS x
    FROM sides
    WHERE farmer = also AND farmer <> landlord
),

decks AS (
    SELECT
        rules,
        deal,
        player,
        other,
        count(*) AS hands,
        count(*) FILTER (won) AS wins,
        sum(CASE WHEN won THEN 2.0 ELSE -2.0 END * 2.0 ** coalesce(doubled, 0)) AS points,
        avg(CASE WHEN won THEN 2.0 ELSE -2.0 END * 2.0 ** coalesce(doubled, 0)) AS adp,
        sum(x) AS x
    FROM seen
    WHERE $player IS NULL OR player = $player
    GROUP BY rules, deal, player, other
    HAVING bool_or(led) AND NOT bool_and(led)
),

summed AS (
    SELECT
        player,
        other,
        rules,
        count(*) AS decks,
        CAST(sum(wins) AS BIGINT) AS wins,
        CAST(sum(hands) AS BIGINT) AS hands,
        sum(points) / sum(hands) AS adp,
        stddev_samp(adp) / sqrt(count(*)) AS error,
        sum(x) / sum(hands) AS score
    FROM decks
    GROUP BY player, other, rules
)

SELECT
    player,
    other,
    rules,
    decks,
    wins,
    hands,
    rate(wins, hands) AS rate,
    wilson_low(wins, hands) AS low,
    wilson_high(wins, hands) AS high,
    adp,
    error,
    score,
    adp / nullif(error, 0) AS t
FROM summed
ORDER BY rules, decks DESC, player, other
