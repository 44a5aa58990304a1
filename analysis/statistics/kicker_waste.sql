-- name: kicker_waste
-- title_zh: 带牌浪费
-- title_en: Wasted kickers
-- kind: rate
-- number: 56
-- part: 带 2 或王 | with a two or a joker
-- whole: 有更小可带 | with a lower one left
-- definition_zh: 带牌的出牌中，还有更小的牌可带却带了 2 或王的比率。
-- definition_en: Of plays with kickers while a lower card was left for it: those with a two or a joker.
-- minimum: 100

SELECT kickers_wasted AS part, kicker_turns AS whole
FROM chosen
WHERE kicker_turns IS NOT NULL
