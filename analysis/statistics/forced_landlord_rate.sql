-- name: forced_landlord_rate
-- title_zh: 强制地主率
-- title_en: Forced landlords
-- kind: rate
-- number: 19
-- part: 未叫而当 | without a call
-- whole: 当地主 | as landlord
-- definition_zh: 当地主的局中，自己没有叫过牌、由规则指定的比率。
-- definition_en: Of hands as landlord: those in which he had only passed and the rules named him.
-- minimum: 100

SELECT replace(replace(words, '-', ''), ' ', '') = '' AS part, 1 AS whole
FROM chosen
WHERE role = 'landlord' AND words <> ''
