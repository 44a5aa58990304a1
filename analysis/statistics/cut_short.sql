-- name: cut_short
-- title_zh: 截断率
-- title_en: Scores cut short
-- kind: rate
-- number: 11
-- part: 被截断 | cut short
-- whole: 局数 | hands
-- definition_zh: 当农民且分出胜负的局中，得分因余额不足而少于每家应付之数（如底分×叫分×倍数）者；只计胜负或牌型分的规则不计。
-- definition_en: Of hands as a farmer that were won or lost: those in which the score is less than what each was to
--   pay, such as base × bid × multiplier, because somebody could not. Not where only wins or patterns are counted.
-- minimum: 100

SELECT abs(score) < unit AS part, 1 AS whole
FROM chosen JOIN (SELECT hand, unit FROM hands) USING (hand)
WHERE role = 'farmer' AND outcome IN ('landlord', 'farmers') AND score IS NOT NULL
    AND hand IN (SELECT hand FROM seats GROUP BY hand HAVING sum(score) = 0)
