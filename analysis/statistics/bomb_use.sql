-- name: bomb_use
-- title_zh: 炸弹使用率
-- title_en: Bombs used
-- kind: rate
-- number: 50
-- part: 未留在手里 | not kept to the end
-- whole: 拿到的 | held
-- definition_zh: 开打时手中的炸弹与火箭，局终不再在手里的比率（打出或拆开）。
-- definition_en: Of bombs and rockets in hand when play began: those no longer there at the end, played or broken.
-- minimum: 100

SELECT bombs_held - bombs_unplayed AS part, bombs_held AS whole
FROM chosen
WHERE bombs_held IS NOT NULL AND won IS NOT NULL
