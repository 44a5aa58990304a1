-- name: bomb_rate
-- title_zh: 炸弹率
-- title_en: Bombs per hand
-- kind: ratio
-- number: 49
-- part: 炸弹与火箭 | bombs and rockets
-- whole: 局数 | hands
-- definition_zh: 每局打出的炸弹与火箭；三打哈无炸弹，不计。
-- definition_en: Bombs and rockets played per hand; not of 三打哈, which has none.
-- minimum: 100

SELECT bombs + rockets AS part, 1 AS whole
FROM chosen
WHERE bombs IS NOT NULL AND role IS NOT NULL AND spring IS NOT NULL
