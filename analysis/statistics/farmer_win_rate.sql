-- name: farmer_win_rate
-- title_zh: 农民胜率
-- title_en: Win rate as a farmer
-- kind: rate
-- number: 4
-- part: 胜局 | wins
-- whole: 局数 | hands
-- definition_zh: 当农民的胜局，除以当农民且分出胜负的局；按 position 分可比较地主上家与下家。
-- definition_en: Wins as a farmer among hands as a farmer that were won or lost; split by position to tell the
--   farmer before the landlord from the one after.
-- once: hand
-- minimum: 100

SELECT won AS part, 1 AS whole
FROM chosen
WHERE role = 'farmer' AND won IS NOT NULL
