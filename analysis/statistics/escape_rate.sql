-- name: escape_rate
-- title_zh: 逃跑率
-- title_en: Escapes
-- kind: rate
-- number: 99
-- part: 逃跑 | escapes
-- whole: 局数 | hands
-- definition_zh: 有地主的局中逃跑的比率。
-- definition_en: Of hands with a landlord: those that this player left.
-- minimum: 100

SELECT
    (hand, seat) IN (SELECT (hand, CAST(ended[8:] AS SMALLINT)) FROM hands WHERE ended LIKE 'escape:%') AS part,
    1 AS whole
FROM chosen
WHERE role IS NOT NULL
