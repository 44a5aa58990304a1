-- name: under_guard
-- title_zh: 放小牌率
-- title_en: Leaves the gate open
-- kind: rate
-- number: 47
-- part: 6 及以下 | 6 or lower
-- whole: 地主不多于 2 张时领出 | leads with the landlord at 2 cards or fewer
-- definition_zh: 地主不多于 2 张时，地主上家领出 6 及以下的单张或对子的比率。
-- definition_en: Of leads of the farmer before a landlord with at most 2 cards: singles and pairs of rank 6 or
--   lower.
-- minimum: 100

SELECT unguarded AS part, guard_turns AS whole
FROM chosen
WHERE position = 'up' AND guard_turns IS NOT NULL
