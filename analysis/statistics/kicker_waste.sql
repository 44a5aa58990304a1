-- name: kicker_waste
-- title_zh: 带牌浪费
-- title_en: Wasted kickers
-- kind: rate
-- number: 56
-- part: 带 2 或王 | with a two or a joker
-- whole: 有 2 以下可带 | with one below two left
-- definition_zh: 带牌的出牌中，手里还留着 2 以下的牌可换作所带的牌；其中带了 2 或王的比率。
-- definition_en: Of plays with kickers while a card below two stayed in the hand that could have been carried instead:
--   those with a two or a joker.
-- minimum: 100

SELECT kickers_wasted AS part, kicker_turns AS whole
FROM chosen
WHERE kicker_turns IS NOT NULL
