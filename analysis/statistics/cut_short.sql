-- name: cut_short
-- title_zh: 截断率
-- title_en: Scores cut short
-- kind: rate
-- number: 11
-- part: 被截断 | cut short
-- whole: 局数 | hands
-- definition_zh: 当农民且分出胜负的局中，得分因余额不足而少于底分×叫分×倍数者。
-- definition_en: Of hands as a farmer that were won or lost: those in which the score is less than base × bid ×
--   multiplier, because somebody could not pay.
-- minimum: 100

SELECT abs(score) < base * bid * multiplier AS part, 1 AS whole
FROM chosen
WHERE role = 'farmer' AND outcome IN ('landlord', 'farmers') AND score IS NOT NULL AND multiplier IS NOT NULL
