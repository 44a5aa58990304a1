-- name: anti_spring_suffered
-- title_zh: 被反春率
-- title_en: Anti-springs suffered
-- kind: rate
-- number: 64
-- part: 被反春 | anti-springs
-- whole: 当地主 | as landlord
-- definition_zh: 当地主打完的局中被反春的比率。
-- definition_en: Of hands as landlord that were played out: losses after exactly one play.
-- minimum: 100

SELECT coalesce(anti_spring, false) AS part, 1 AS whole
FROM chosen
WHERE role = 'landlord' AND outcome IN ('landlord', 'farmers') AND anti_spring IS NOT NULL
