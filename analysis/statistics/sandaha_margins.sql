-- name: sandaha_margins
-- title_zh: 余分
-- title_en: Margins of 三打哈
-- kind: table
-- number: 125, 126
-- grain: one row per ruleset and bid
-- column: rules | text | 规则 | Ruleset | 审计所用的规则集 | The ruleset
-- column: bid | count | 叫分 | Bid | 叫分 | Bid
-- column: hands | count | 局数 | Hands | 算出分的局 | Hands whose points were counted
-- column: margin | number | 余分 | Margin | 闲家得分减叫分的平均；负为庄家打成 | Mean of the points of the three less the bid; negative where the contract was made
-- column: error | number | 标准误 | Standard error | 余分的标准误 | Standard error of the margin
-- column: points | number | 捡分 | Points taken | 三家捡分的平均，不含扣底 | Mean of the points in tricks of the three, without the bottom
-- column: bottom | number | 埋分 | Points buried | 埋牌中分数的平均 | Mean of the points among the buried cards
-- definition_zh: 只有三打哈。
-- definition_en: 三打哈 only.
-- minimum: 100
-- behind: seats
-- behind: hand IN (SELECT hand FROM hands WHERE trick_points IS NOT NULL AND CAST(bid AS VARCHAR) = $bid)

SELECT
    hands.rules AS rules,
    hands.bid AS bid,
    count(*) AS hands,
    avg(trick_points + bottom_points * bottom_factor - hands.bid) AS margin,
    stddev_samp(trick_points + bottom_points * bottom_factor) / sqrt(count(*)) AS error,
    avg(trick_points) AS points,
    avg(bottom_points) AS bottom
FROM hands
WHERE hand IN (SELECT hand FROM chosen) AND trick_points IS NOT NULL AND hands.bid IS NOT NULL
GROUP BY hands.rules, hands.bid
ORDER BY hands.rules, hands.bid
