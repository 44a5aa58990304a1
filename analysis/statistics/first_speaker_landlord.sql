-- name: first_speaker_landlord
-- title_zh: 首叫者当地主率
-- title_en: First speakers that become landlord
-- kind: rate
-- number: 4.3
-- part: 当地主 | landlord
-- whole: 首叫 | first to speak
-- definition_zh: 先表态的一家当上地主的比率，有地主的局。
-- definition_en: Of hands with a landlord: those in which the first to speak became it.
-- minimum: 100

SELECT role = 'landlord' AS part, 1 AS whole
FROM chosen
WHERE first_speaker AND role IS NOT NULL
