-- name: harmful_block
-- title_zh: 顶队友率
-- title_en: Harmful blocks
-- kind: rate
-- number: 44
-- part: 有害 | harmful
-- whole: 压队友 | plays over a mate
-- definition_zh: 压了队友，而队友只剩不多于 2 张，或紧接着被地主压过。
-- definition_en: Of plays over a team mate: those where the mate had at most 2 cards or the landlord beat the play
--   next.
-- minimum: 100

SELECT harmed_mate AS part, could_mate - passed_mate AS whole
FROM chosen
WHERE role = 'farmer' AND could_mate IS NOT NULL
