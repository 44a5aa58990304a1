-- name: first_out
-- title_zh: 跑牌率
-- title_en: First out
-- kind: rate
-- number: 57
-- part: 先走完 | went out
-- whole: 农民胜 | farmer wins
-- definition_zh: 当农民的胜局中由自己走完的比率。
-- definition_en: Of hands won as a farmer: those in which this player went out.
-- minimum: 100

SELECT went_out AS part, 1 AS whole
FROM chosen
WHERE role = 'farmer' AND won AND outcome = 'farmers' AND went_out IS NOT NULL
