-- name: spring_made
-- title_zh: 春天率
-- title_en: Springs made
-- kind: rate
-- number: 61
-- part: 春天 | springs
-- whole: 当地主 | as landlord
-- definition_zh: 当地主打完的局中，农民一张未出的比率。
-- definition_en: Of hands as landlord that were played out: those in which no farmer played.
-- minimum: 100

SELECT coalesce(spring, false) AND won AS part, 1 AS whole
FROM chosen
WHERE role = 'landlord' AND outcome IN ('landlord', 'farmers') AND spring IS NOT NULL
