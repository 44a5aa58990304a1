-- name: cards_control
-- title_zh: 牌权率（按牌数）
-- title_en: Cards in tricks won
-- kind: rate
-- number: 59
-- part: 赢得的牌 | cards won
-- whole: 轮次中的牌 | cards in tricks
-- definition_zh: 赢得的轮次里的牌数，除以该局全部完成轮次里的牌数。
-- definition_en: Cards in the tricks won among all cards in the hand's tricks that came to their end.
-- minimum: 100

SELECT cards_won AS part, every_card AS whole
FROM chosen JOIN (SELECT hand, sum(cards_won) AS every_card FROM seats GROUP BY hand) USING (hand)
WHERE cards_won IS NOT NULL
