-- name: jokers_dealt
-- title_zh: 起手王数
-- title_en: Jokers dealt
-- kind: mean
-- number: 30
-- whole: 局数 | hands
-- definition_zh: 起手王的张数的平均；三人一副牌的期望是 0.6296，流局也在内。
-- definition_en: Mean number of jokers dealt; 0.6296 is due of one pack for three, void hands among
--   them.
-- minimum: 100

SELECT dealt_jokers AS x
FROM chosen
WHERE dealt_jokers IS NOT NULL
