-- name: over_taking
-- title_zh: 大牌压小
-- title_en: Over-taking
-- kind: rate
-- number: 55
-- part: 大 5 点以上 | by 5 ranks
-- whole: 压牌 | answers
-- definition_zh: 压牌（炸弹除外）中，以大 5 点以上的单张、对子或三张去压，而手中有整组更小的可用。
-- definition_en: Of answers other than bombs: singles, pairs and trios that beat by 5 ranks where a whole smaller
--   one was held.
-- minimum: 100

SELECT leaps AS part, answers_softly AS whole
FROM chosen
WHERE answers_softly IS NOT NULL
