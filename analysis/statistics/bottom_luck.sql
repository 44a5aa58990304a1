-- name: bottom_luck
-- title_zh: 底牌增益
-- title_en: Luck of the bottom cards
-- kind: mean
-- number: 31
-- whole: 当地主 | as landlord
-- definition_zh: 当地主时，加底牌后的牌力减去之前的牌力的平均。
-- definition_en: As landlord: mean of the strength with the bottom cards less the strength without.
-- minimum: 100

SELECT taken_points AS x
FROM chosen
WHERE taken_points IS NOT NULL
