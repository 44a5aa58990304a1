-- name: cut_short
-- title_zh: 截断率
-- title_en: Scores cut short
-- kind: rate
-- number: 11
-- part: 被截断 | cut short
-- whole: 局数 | hands
-- definition_zh: 当农民且分出胜负的局中，得分因封顶或有人余额不足而少于应付之数（底分×叫分×各倍数之积，平分的规则再除以农民数）
--   者；只计胜负或牌型分的规则不计。
-- definition_en: Of hands as a farmer that were won or lost: those in which the score is less than his due (base × bid ×
--   the product of all factors, divided among the farmers where they share), because it is capped or somebody could not
--   pay. Not where only wins or patterns are counted.
-- minimum: 100

SELECT abs(score) < due AS part, 1 AS whole
FROM chosen
WHERE role = 'farmer' AND due IS NOT NULL AND score IS NOT NULL
