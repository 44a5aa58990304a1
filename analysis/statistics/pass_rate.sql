-- name: pass_rate
-- title_zh: 过牌率
-- title_en: Pass rate
-- kind: rate
-- number: 39
-- part: 过牌 | passes
-- whole: 跟牌的机会 | turns to follow
-- definition_zh: 轮到跟牌时不出的比率。
-- definition_en: Passes among turns to follow.
-- minimum: 100

SELECT passes AS part, follows AS whole
FROM chosen
WHERE follows IS NOT NULL
