-- name: anti_spring_made
-- title_zh: 反春率
-- title_en: Anti-springs made
-- kind: rate
-- number: 63
-- part: 反春 | anti-springs
-- whole: 当农民 | as farmer
-- definition_zh: 当农民打完的局中，地主只出过一手而农民胜的比率。
-- definition_en: Of hands as farmer that were played out: wins in which the landlord made exactly one play.
-- once: hand
-- minimum: 100

SELECT coalesce(anti_spring, false) AS part, 1 AS whole
FROM chosen
WHERE role = 'farmer' AND outcome IN ('landlord', 'farmers') AND anti_spring IS NOT NULL
