-- name: open_rate
-- title_zh: 摊打率
-- title_en: Open play
-- kind: rate
-- number: 27
-- part: 摊打 | open
-- whole: 当地主 | as landlord
-- definition_zh: 当地主的局中宣布摊打的比率；规则没有摊打的不计。
-- definition_en: Of hands as landlord: those in which open play was declared. Not where the rules have none.
-- minimum: 100

SELECT open AS part, 1 AS whole
FROM chosen
WHERE role = 'landlord' AND open IS NOT NULL
