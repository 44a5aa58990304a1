-- name: score
-- title_zh: 场均得分
-- title_en: Mean score
-- kind: mean
-- number: 5, 6
-- whole: 局数 | hands
-- definition_zh: 重新计算的得分除以底分后的平均；按 role 分即各角色的得分。
-- definition_en: Mean of the recomputed score over the base; split by role for the score in each.
-- minimum: 100

SELECT score / base AS x
FROM chosen
WHERE score IS NOT NULL
