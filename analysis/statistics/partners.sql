-- name: partners
-- title_zh: 队友
-- title_en: Partners
-- kind: table
-- number: 79
-- grain: one row per player, partner and ruleset
-- column: player | text | 玩家 | Player | 玩家编号 | The player's id
-- column: other | text | 对方 | Other | 另一玩家的编号 | The other player's id
-- column: rules | text | 规则 | Ruleset | 审计所用的规则集 | The ruleset
-- column: hands | count | 局数 | Hands | 局数 | Hands
-- column: wins | count | 胜局 | Wins | 胜局 | Wins
-- column: rate | rate | 胜率 | Win rate | 胜率 | Win rate
-- column: low | rate | 下限 | Low | 下限 | Low
-- column: high | rate | 上限 | High | 上限 | High
-- column: mean | number | 场均得分 | Mean score | 本人得分除以底分的平均 | Mean of the player's score over the base
-- definition_zh: 同为农民的局；与“对手”分开统计。
-- definition_en: Hands in which both were farmers; opponents stand in a table of their own.
-- minimum: 30

SELECT
    chosen.player AS player,
    other.player AS other,
    chosen.rules AS rules,
    count(*) AS hands,
    count(*) FILTER (chosen.won) AS wins,
    rate(wins, hands) AS rate,
    wilson_low(wins, hands) AS low,
    wilson_high(wins, hands) AS high,
    avg(chosen.score / chosen.base) AS mean
FROM chosen
JOIN seats AS other ON other.hand = chosen.hand AND other.seat <> chosen.seat
WHERE chosen.won IS NOT NULL AND chosen.role = 'farmer' AND other.role = 'farmer'
GROUP BY chosen.player, other.player, chosen.rules
ORDER BY hands DESC, player, other, rules
