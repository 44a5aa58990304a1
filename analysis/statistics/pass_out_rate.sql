-- name: pass_out_rate
-- title_zh: 流局率
-- title_en: Passed out
-- kind: rate
-- number: 18, 115
-- part: 流局座次 | seats of void hands
-- whole: 座次 | seats
-- definition_zh: 无人叫牌而作废的局所占比率；流局只在叫牌类统计里计入。
-- definition_en: Hands that nobody wanted among all that were dealt; they count in statistics of the auction only.
-- once: hand
-- minimum: 100

SELECT outcome = 'void' AS part, 1 AS whole
FROM chosen
WHERE outcome IS NOT NULL
