-- name: trick_control
-- title_zh: 牌权率
-- title_en: Tricks won
-- kind: rate
-- number: 59
-- part: 赢得 | won
-- whole: 轮次 | tricks
-- definition_zh: 赢得的轮次（一轮＝一次领出到无人再压，或有人走完）的比率；逃跑时未完的一轮不计。
-- definition_en: Tricks won among the tricks of the hand; a trick goes from a lead to the play that nobody beats or that
--   goes out. One that an escape broke off is none.
-- minimum: 100

SELECT tricks_won AS part, tricks AS whole
FROM chosen
WHERE tricks IS NOT NULL
