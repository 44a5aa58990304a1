-- name: bombs_stood
-- title_zh: 炸弹站住率
-- title_en: Bombs that stood
-- kind: rate
-- number: 52
-- part: 站住 | stood
-- whole: 炸弹 | bombs
-- definition_zh: 打出的炸弹与火箭中无人再压的比率。
-- definition_en: Of bombs and rockets played: those that nobody beat.
-- minimum: 100

SELECT bombs_stood AS part, bombs + rockets AS whole
FROM chosen
WHERE bombs_stood IS NOT NULL
