-- name: overcall_rate
-- title_zh: 压叫率
-- title_en: Overcall rate
-- kind: rate
-- number: 17
-- part: 压叫 | overcalls
-- whole: 已有人叫而未到顶 | turns after a bid that is not the best
-- definition_zh: 已有人叫分而还能叫得更好时（三打哈为更低），每次表态中再叫的比率。
-- definition_en: Of all turns in the bidding after a bid that can still be gone beyond (in 三打哈 below): bids.
-- minimum: 100

SELECT overbids AS part, bid_turns AS whole
FROM chosen
WHERE bid_turns IS NOT NULL
