-- name: call_rate
-- title_zh: 叫地主率
-- title_en: Call rate
-- kind: rate
-- number: 13
-- part: 叫 | calls
-- whole: 无人叫过时表态 | first words before any call
-- definition_zh: 轮到表态而此前无人叫过时，叫（或叫分）的比率；只计各家第一次表态。
-- definition_en: Of first words in an auction said before anybody had called: calls and bids.
-- minimum: 100

SELECT split_part(words, ' ', 1) <> '-' AS part, 1 AS whole
FROM chosen
WHERE words <> '' AND called_before = '-'
