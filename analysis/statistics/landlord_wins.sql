-- name: landlord_wins
-- title_zh: 当地主的胜率
-- title_en: Win rate as landlord
-- kind: rate
-- number: 3
-- part: 胜局 | wins
-- whole: 局数 | hands
-- definition_zh: 当地主的胜局，除以实际当地主且分出胜负的局（不是总局数的三分之一）。
-- definition_en: Wins as the landlord among the hands as landlord that were won or lost, counted and not taken to be
--   a third of all.
-- minimum: 100

SELECT won AS part, 1 AS whole
FROM chosen
WHERE role = 'landlord' AND won IS NOT NULL
