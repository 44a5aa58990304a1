-- name: win_rate_by_role
-- title_zh: 各角色胜率
-- title_en: Win rate by role
-- grain: one row per player, ruleset, role and position
-- parameters: player rules since until role
-- column: player | text | 玩家 | Player | 玩家编号 | The player's id
-- column: rules | text | 规则 | Ruleset | 审计所用的规则集 | The ruleset
-- column: role | text | 角色 | Role | landlord 地主、farmer 农民 | landlord or farmer
-- column: position | text | 位置 | Position | 农民的位置：down 地主下家、up 地主上家、across 对家；地主与二人斗地主为空 | Of a farmer: down next after the landlord, up just before, across; null for landlords and for two players
-- column: wins | count | 胜局 | Wins | 在胜方的局 | Hands on the winning side
-- column: hands | count | 局数 | Hands | 分出胜负的局 | Hands that were won or lost
-- column: rate | rate | 胜率 | Win rate | 胜局除以局数 | Wins among hands
-- column: low | rate | 下限 | Low | 95% 威尔逊区间下限 | Lower end of the 95 % Wilson interval
-- column: high | rate | 上限 | High | 95% 威尔逊区间上限 | Upper end of the 95 % Wilson interval
-- column: excluded | count | 未计 | Left out | 因有误而未计入的局 | Hands left out because they are faulty
-- definition_zh: 只计无误且分出胜负的局（逃跑也算：逃跑者负，其余胜）；荒牌不计。有误的局列在“未计”，其中无胜负的也在内。
-- definition_en: Only clean hands that were won or lost; after an escape the one who left has lost and all others have
--   won. Void hands don't count. Faulty hands are counted as left out, also where nobody won.
-- minimum: 100
-- behind: seats
-- behind: role IS NOT NULL AND won IS NOT NULL

SELECT
    player,
    rules,
    role,
    position,
    count(*) FILTER (verdict = 'clean' AND won) AS wins,
    count(*) FILTER (verdict = 'clean' AND won IS NOT NULL) AS hands,
    rate(wins, hands) AS rate,
    wilson_low(wins, hands) AS low,
    wilson_high(wins, hands) AS high,
    count(*) FILTER (verdict <> 'clean') AS excluded
FROM seats
WHERE role IS NOT NULL
    AND ($player IS NULL OR player = $player)
    AND ($rules IS NULL OR rules = $rules)
    AND ($role IS NULL OR role = $role)
    AND ($since IS NULL OR day >= CAST($since AS DATE))
    AND ($until IS NULL OR day <= CAST($until AS DATE))
GROUP BY player, rules, role, position
ORDER BY hands DESC, player, rules, role DESC, position
