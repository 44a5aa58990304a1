-- name: role_neutral_win_rate
-- title_zh: 均衡胜率
-- title_en: Role-neutral win rate
-- kind: table
-- number: 7
-- grain: one row per player and ruleset
-- column: player | text | 玩家 | Player | 玩家编号 | The player's id
-- column: rules | text | 规则 | Ruleset | 审计所用的规则集 | The ruleset
-- column: landlord_hands | count | 地主局 | As landlord | 当地主且分出胜负的局 | Hands as landlord that were won or lost
-- column: landlord_rate | rate | 地主胜率 | Landlord win rate | 地主胜率 | Landlord win rate
-- column: farmer_hands | count | 农民局 | As farmer | 当农民且分出胜负的局 | Hands as farmer that were won or lost
-- column: farmer_rate | rate | 农民胜率 | Farmer win rate | 农民胜率 | Farmer win rate
-- column: hands | count | 局数 | Hands | 两种角色中较少的局数 | The fewer of the two
-- column: rate | rate | 均衡胜率 | Rate | 两种胜率的平均；缺一种则为空 | Mean of the two; null where one is missing
-- column: low | rate | 下限 | Low | 由两种胜率的威尔逊区间合成的 95% 下限 | Lower 95 % limit put together from the Wilson intervals of the two
-- column: high | rate | 上限 | High | 同上，上限 | Upper 95 % limit in the same way
-- definition_zh: 地主胜率与农民胜率各占一半，与当地主的次数无关。区间按 Newcombe 由两者的威尔逊区间合成。
-- definition_en: Half the win rate as landlord and half that as farmer, however often each role was played. The interval is
--   put together from the Wilson intervals of both, after Newcombe.
-- minimum: 100
-- behind: seats
-- behind: won IS NOT NULL AND role IS NOT NULL

SELECT
    player,
    rules,
    count(*) FILTER (role = 'landlord') AS landlord_hands,
    rate(count(*) FILTER (role = 'landlord' AND won), landlord_hands) AS landlord_rate,
    count(*) FILTER (role = 'farmer') AS farmer_hands,
    rate(count(*) FILTER (role = 'farmer' AND won), farmer_hands) AS farmer_rate,
    least(landlord_hands, farmer_hands) AS hands,
    (landlord_rate + farmer_rate) / 2 AS rate,
    rate - sqrt(
        (landlord_rate - wilson_low(count(*) FILTER (role = 'landlord' AND won), landlord_hands)) ** 2
        + (farmer_rate - wilson_low(count(*) FILTER (role = 'farmer' AND won), farmer_hands)) ** 2
    ) / 2 AS low,
    rate + sqrt(
        (wilson_high(count(*) FILTER (role = 'landlord' AND won), landlord_hands) - landlord_rate) ** 2
        + (wilson_high(count(*) FILTER (role = 'farmer' AND won), farmer_hands) - farmer_rate) ** 2
    ) / 2 AS high
FROM chosen
WHERE won IS NOT NULL AND role IS NOT NULL
GROUP BY player, rules
ORDER BY hands DESC, player, rules
