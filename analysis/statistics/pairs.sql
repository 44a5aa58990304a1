-- name: pairs
-- title_zh: 队友与对手
-- title_en: Partners and opponents
-- kind: table
-- number: 79, 80, 82
-- grain: one row per player, other player, both roles and ruleset
-- column: player | text | 玩家 | Player | 玩家编号 | The player's id
-- column: other | text | 对方 | Other | 另一玩家的编号 | The other player's id
-- column: rules | text | 规则 | Ruleset | 审计所用的规则集 | The ruleset
-- column: role | text | 角色 | Role | 本人的角色：landlord 地主、farmer 农民 | The player's own role: landlord or farmer
-- column: other_role | text | 对方角色 | Other's role | 对方的角色；同为 farmer 即队友，其余为对手 | The other's role; partners where both are farmers, else opponents
-- column: hands | count | 局数 | Hands | 局数 | Hands
-- column: wins | count | 胜局 | Wins | 胜局 | Wins
-- column: rate | rate | 胜率 | Win rate | 胜率 | Win rate
-- column: low | rate | 下限 | Low | 95% 威尔逊区间下限 | Lower end of the 95 % Wilson interval
-- column: high | rate | 上限 | High | 95% 威尔逊区间上限 | Upper end of the 95 % Wilson interval
-- column: mean | number | 场均得分 | Mean score | 本人得分除以底分的平均 | Mean of the player's score over the base
-- column: error | number | 标准误 | Standard error | 场均得分的标准误 | Standard error of the mean
-- definition_zh: 分出胜负的局中与每位同桌玩家的胜率与得分，按双方角色分行：同为农民是队友，一为地主一为农民是对手，
--   两者从不合计；一人坐两座的，每座各计。苦主（某一对手处失分最多）即对手各行中场均最低者。
-- definition_en: Win rate and score with everybody at the same table, of hands that were won or lost, by the roles of both:
--   two farmers are partners, a landlord and a farmer opponents, and the two are never added up; somebody at two seats
--   counts at each. The nemesis is the opponent with the lowest mean.
-- minimum: 30
-- behind: seats
-- behind: won IS NOT NULL AND role IS NOT NULL
-- behind: hand IN (SELECT theirs.hand FROM seats AS theirs WHERE theirs.player = $other AND theirs.role =
--   $other_role)

, summed AS (
    SELECT
        player,
        other,
        rules,
        role,
        other_role,
        CAST(sum(hands) AS BIGINT) AS hands,
        CAST(sum(wins) AS BIGINT) AS wins,
        CAST(sum(scored) AS BIGINT) AS scored,
        sum(total) AS total,
        sum(squares) AS squares
    FROM mated
    GROUP BY player, other, rules, role, other_role
    HAVING sum(hands) > 0
)

SELECT
    player,
    other,
    rules,
    role,
    other_role,
    hands,
    wins,
    rate(wins, hands) AS rate,
    wilson_low(wins, hands) AS low,
    wilson_high(wins, hands) AS high,
    rate(total, scored) AS mean,
    CASE WHEN scored > 1
        THEN sqrt(greatest(squares - total * total / scored, 0) / (scored - 1) / scored) END AS error
FROM summed
ORDER BY hands DESC, player, other, rules, role, other_role
