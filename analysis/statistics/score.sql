-- name: score
-- title_zh: 场均得分
-- title_en: Mean score
-- kind: mean
-- number: 5, 6
-- whole: 局数 | hands
-- definition_zh: 重新计算的得分除以底分（规则自有底分的用规则的，只计胜负或牌型分的不除）后的平均；按 role 分即各角色的得分；流局不计。
-- definition_en: Mean of the recomputed score over the base, the ruleset's own where it has one (not divided where only
--   wins or patterns are counted); split by role for the score in each. Void hands don't count.
-- minimum: 100

SELECT score / base AS x
FROM chosen
WHERE score IS NOT NULL AND outcome <> 'void'
