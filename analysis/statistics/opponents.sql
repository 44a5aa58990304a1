-- name: opponents
-- title_zh: 对手
-- title_en: Opponents
-- kind: table
-- number: 80, 82
-- grain: one row per player, opponent, role and ruleset
-- column: player | text | 玩家 | Player | 玩家编号 | The player's id
-- column: other | text | 对方 | Other | 另一玩家的编号 | The other player's id
-- column: rules | text | 规则 | Ruleset | 审计所用的规则集 | The ruleset
-- column: role | text | 角色 | Role | 本人的角色：landlord 地主、farmer 农民 | The player's own role: landlord or farmer
-- column: hands | count | 局数 | Hands | 局数 | Hands
-- column: wins | count | 胜局 | Wins | 胜局 | Wins
-- column: rate | rate | 胜率 | Win rate | 胜率 | Win rate
-- column: low | rate | 下限 | Low | 下限 | Low
-- column: high | rate | 上限 | High | 上限 | High
-- column: mean | number | 场均得分 | Mean score | 本人得分除以底分的平均 | Mean of the player's score over the base
-- definition_zh: 一方为地主、另一方为农民的局，按本人的角色分开。
-- definition_en: Hands in which one was the landlord and the other a farmer, told apart by the player's own role.
-- minimum: 30

SELECT
    chosen.player AS player,
    other.player AS other,
    chosen.rules AS rules,
    chosen.role AS role,
    count(*) AS hands,
    count(*) FILTER (chosen.won) AS wins,
    rate(wins, hands) AS rate,
    wilson_low(wins, hands) AS low,
    wilson_high(wins, hands) AS high,
    avg(chosen.score / chosen.base) AS mean
FROM chosen
JOIN seats AS other ON other.hand = chosen.hand AND other.seat <> chosen.seat
WHERE chosen.won IS NOT NULL AND chosen.role <> other.role
GROUP BY chosen.player, other.player, chosen.rules, chosen.role
ORDER BY hands DESC, player, other, rules, role
