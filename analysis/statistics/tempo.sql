-- name: tempo
-- title_zh: 出牌节奏
-- title_en: Tempo
-- kind: mean
-- number: 60
-- whole: 走完 | hands gone out
-- definition_zh: 走完者用的手数减去起手最少手数的平均（当地主时不计底牌，可为负）。
-- definition_en: For those who went out: mean of plays used less the fewest that shed the dealt hand (a landlord's
--   bottom cards are not in it; may be negative).
-- minimum: 100

SELECT plays - dealt_plays AS x
FROM chosen
WHERE went_out AND dealt_plays IS NOT NULL
