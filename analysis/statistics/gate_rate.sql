-- name: gate_rate
-- title_zh: 门板率
-- title_en: Shuts the gate
-- kind: rate
-- number: 46
-- part: T 及以上 | T or higher
-- whole: 有更小可出 | with a lower one possible
-- definition_zh: 地主上家出单张或对子而还有更小的可出时，出 T 及以上的比率。
-- definition_en: Of singles and pairs that the farmer before the landlord played with a lower one possible: T or
--   higher.
-- minimum: 100

SELECT gates AS part, gate_turns AS whole
FROM chosen
WHERE position = 'up' AND gate_turns IS NOT NULL
