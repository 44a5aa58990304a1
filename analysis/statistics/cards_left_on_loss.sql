-- name: cards_left_on_loss
-- title_zh: 剩牌
-- title_en: Cards left on a loss
-- kind: mean
-- number: 58
-- whole: 负局 | lost hands
-- definition_zh: 打完而负的局中剩牌的平均；三打哈人人打完，不计。
-- definition_en: Mean number of cards left in hands that were lost and played out; not of 三打哈, where nobody has any left.
-- minimum: 100

SELECT cards_left AS x
FROM chosen
WHERE NOT won AND outcome IN ('landlord', 'farmers') AND cards_left IS NOT NULL AND spring IS NOT NULL
