-- name: twos_dealt
-- title_zh: 起手 2 的张数
-- title_en: Twos dealt
-- kind: mean
-- number: 30
-- whole: 局数 | hands
-- definition_zh: 起手 2 的张数的平均；三人一副牌的期望是 1.2593，流局也在内。
-- definition_en: Mean number of twos dealt; 1.2593 is due of one pack for three, void hands among
--   them.
-- minimum: 100

SELECT dealt_twos AS x
FROM chosen
WHERE dealt_twos IS NOT NULL
