-- name: feed_rate
-- title_zh: 送牌率
-- title_en: Feeds a team mate
-- kind: rate
-- number: 45
-- part: 送 | feeds
-- whole: 可送 | leads with a mate at 3 cards or fewer
-- definition_zh: 队友不多于 3 张时领出队友接得住的牌的比率；须知队友的手牌。
-- definition_en: Of leads while a team mate had at most 3 cards: those he could beat; his hand must be known.
-- minimum: 100

SELECT feeds AS part, feed_turns AS whole
FROM chosen
WHERE role = 'farmer' AND feed_turns IS NOT NULL
