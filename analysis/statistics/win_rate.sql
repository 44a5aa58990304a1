-- name: win_rate
-- title_zh: 胜率
-- title_en: Win rate
-- kind: rate
-- number: 2, 116
-- part: 胜局 | wins
-- whole: 局数 | hands
-- definition_zh: 在胜方的局，除以分出胜负的局；逃跑者负，其余胜。
-- definition_en: Hands on the winning side among hands that were won or lost; who leaves has lost, all others have
--   won.
-- minimum: 100

SELECT won AS part, 1 AS whole
FROM chosen
WHERE won IS NOT NULL
