-- name: bombs_dealt
-- title_zh: 起手炸弹数
-- title_en: Bombs dealt
-- kind: mean
-- number: 30
-- whole: 局数 | hands
-- definition_zh: 起手炸弹数的平均，不含火箭；三人一副牌的期望是 0.0978，流局也在内。
-- definition_en: Mean number of bombs dealt, rockets apart; 0.0978 is due of one pack for three, void hands among
--   them.
-- minimum: 100

SELECT dealt_bombs AS x
FROM chosen
WHERE dealt_bombs IS NOT NULL
