-- name: dead_bomb
-- title_zh: 憋炸率
-- title_en: Dead bombs
-- kind: rate
-- number: 51
-- part: 憋炸 | with one unplayed
-- whole: 有炸而负 | lost hands with a bomb
-- definition_zh: 负局且拿过炸弹的局中，局终仍有炸弹在手的比率。
-- definition_en: Of lost hands in which a bomb or the rocket was held: those that ended with one in hand.
-- minimum: 100

SELECT bombs_unplayed > 0 AS part, 1 AS whole
FROM chosen
WHERE bombs_held > 0 AND NOT won
