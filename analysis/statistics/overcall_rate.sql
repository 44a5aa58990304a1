-- name: overcall_rate
-- title_zh: 压叫率
-- title_en: Overcall rate
-- kind: rate
-- number: 17
-- part: 压叫 | overcalls
-- whole: 已有人叫 1 或 2 分 | turns after a bid of 1 or 2
-- definition_zh: 别人已叫 1 分或 2 分时，第一次表态叫得更高的比率。
-- definition_en: Of first words after another had bid 1 or 2: higher bids.
-- minimum: 100

SELECT split_part(words, ' ', 1) IN ('2', '3') AS part, 1 AS whole
FROM chosen
WHERE words <> '' AND called_before IN ('1', '2')
