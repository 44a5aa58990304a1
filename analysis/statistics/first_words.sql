-- name: first_words
-- title_zh: 叫分分布
-- title_en: First words in the auction
-- kind: shares
-- number: 16
-- class: 表态 | word
-- part: 次数 | times
-- whole: 全部表态 | all first words
-- definition_zh: 各家在叫牌中的第一次表态：-（不叫）、叫分、call、rob。
-- definition_en: What each seat first said in the auction: - (pass), a bid, call or rob.
-- minimum: 100

SELECT split_part(words, ' ', 1) AS class, 1 AS part
FROM chosen
WHERE words <> ''
