-- name: spring_conceded
-- title_zh: 被春率
-- title_en: Springs conceded
-- kind: rate
-- number: 62
-- part: 被春 | springs
-- whole: 当农民 | as farmer
-- definition_zh: 当农民打完的局中被春天的比率。
-- definition_en: Of hands as farmer that were played out: those lost without a farmer's play.
-- once: hand
-- minimum: 100

SELECT coalesce(spring, false) AND NOT won AS part, 1 AS whole
FROM chosen
WHERE role = 'farmer' AND outcome IN ('landlord', 'farmers') AND spring IS NOT NULL
