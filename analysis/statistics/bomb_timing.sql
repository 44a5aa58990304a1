-- name: bomb_timing
-- title_zh: 炸弹时机
-- title_en: Timing of bombs
-- kind: ratio
-- number: 52
-- part: 手中的牌 | cards in hand
-- whole: 炸弹 | bombs
-- definition_zh: 打出炸弹或火箭时手中的牌数（含该炸弹）的平均。
-- definition_en: Mean number of cards in hand when a bomb or rocket was played, itself included.
-- minimum: 100

SELECT bomb_cards_left AS part, bombs + rockets AS whole
FROM chosen
WHERE bomb_cards_left IS NOT NULL
