-- name: bomb_use
-- title_zh: 炸弹使用率
-- title_en: Bombs used
-- kind: rate
-- number: 50
-- part: 打出 | played
-- whole: 拿到的 | held
-- definition_zh: 开打时手中的炸弹与火箭（地主含底牌），作为炸弹打出的比率；拆开打的、留在手里的不算打出。
-- definition_en: Of bombs and rockets in hand when play began, the bottom included: those played as such, neither broken nor
--   kept to the end.
-- minimum: 100

SELECT bombs + rockets AS part, bombs_held AS whole
FROM chosen
WHERE bombs_held IS NOT NULL AND won IS NOT NULL
