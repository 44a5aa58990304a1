-- name: dealt_strength
-- title_zh: 起手牌力
-- title_en: Strength dealt
-- kind: mean
-- number: 28
-- whole: 局数 | hands
-- definition_zh: 起手牌力的平均：大王 4、小王 3、每张 2 为 2、每个炸弹 4、火箭再加 2，减去最少出完的手数。只与同规则集相比。
-- definition_en: Mean strength of the dealt hand: 4 for the big joker, 3 for the small, 2 for each two, 4 for each
--   bomb, 2 more for the rocket, less the fewest plays that shed it. To be compared within a ruleset only.
-- minimum: 100

SELECT dealt_points AS x
FROM chosen
WHERE dealt_points IS NOT NULL
