-- name: beat_mate
-- title_zh: 压队友率
-- title_en: Beats a team mate
-- kind: rate
-- number: 43
-- part: 压队友 | plays over a mate
-- whole: 能压队友 | turns with an answer to a mate
-- definition_zh: 队友的牌压得过而压了的比率。
-- definition_en: Plays among turns with a legal answer to a team mate's play.
-- minimum: 100

SELECT could_mate - passed_mate AS part, could_mate AS whole
FROM chosen
WHERE role = 'farmer' AND could_mate IS NOT NULL
