-- name: rockets_dealt
-- title_zh: 起手火箭率
-- title_en: Rockets dealt
-- kind: rate
-- number: 30
-- part: 火箭 | rockets
-- whole: 局数 | hands
-- definition_zh: 起手即有火箭的局；三人一副牌的期望是 0.0950，流局也在内。
-- definition_en: Hands dealt with the rocket; 0.0950 is due of one pack for three, void hands among
--   them.
-- minimum: 100

SELECT dealt_rocket AS part, 1 AS whole
FROM chosen
WHERE dealt_rocket IS NOT NULL
