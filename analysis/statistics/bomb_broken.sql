-- name: bomb_broken
-- title_zh: 拆炸率
-- title_en: Broken bombs
-- kind: rate
-- number: 54
-- part: 拆了 | broken
-- whole: 有炸弹的局 | hands with a bomb
-- definition_zh: 开打时有炸弹或火箭的局中，拆开打过的比率：打后余下的不成炸弹，或留下单王。四张整个当四带二打出不算拆。
-- definition_en: Of hands that held a bomb or rocket when play began: those in which a part of one was played. A bomb
--   or rocket spent as a whole, such as a quad with two cards, is not broken.
-- minimum: 100

SELECT bombs_broken > 0 AS part, 1 AS whole
FROM chosen
WHERE bombs_held > 0 AND bombs_broken IS NOT NULL
