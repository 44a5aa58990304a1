-- name: landlord_rate
-- title_zh: 地主率
-- title_en: Landlord rate
-- kind: rate
-- number: 12
-- part: 当地主 | as landlord
-- whole: 打牌的局 | hands played
-- definition_zh: 当地主的局，除以有地主的局。
-- definition_en: Hands as the landlord among hands that had one.
-- minimum: 100

SELECT role = 'landlord' AS part, 1 AS whole
FROM chosen
WHERE role IS NOT NULL
