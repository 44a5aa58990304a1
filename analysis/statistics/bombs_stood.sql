-- name: bombs_stood
-- title_zh: 炸弹站住率
-- title_en: Bombs that stood
-- kind: rate
-- number: 52
-- part: 站住 | stood
-- whole: 炸弹 | bombs
-- definition_zh: 打出的炸弹与火箭中，该轮最后由己方（自己或队友）收下的比率；没有打完的一轮不算收下。
-- definition_en: Of bombs and rockets played: those whose trick was taken by the own side, the player or a mate; nobody takes a
--   trick that was left before its end.
-- minimum: 100

SELECT bombs_stood AS part, bombs + rockets AS whole
FROM chosen
WHERE bombs_stood IS NOT NULL
