-- name: plays_needed
-- title_zh: 起手手数
-- title_en: Plays needed
-- kind: mean
-- number: 29
-- whole: 局数 | hands
-- definition_zh: 起手牌最少几手出完的平均。
-- definition_en: Mean of the fewest plays that shed the dealt hand.
-- minimum: 100

SELECT dealt_plays AS x
FROM chosen
WHERE dealt_plays IS NOT NULL
