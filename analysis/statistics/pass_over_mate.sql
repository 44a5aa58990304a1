-- name: pass_over_mate
-- title_zh: 让队友
-- title_en: Passes over a team mate
-- kind: rate
-- number: 42
-- part: 不压 | passes
-- whole: 能压队友 | turns with an answer to a mate
-- definition_zh: 队友的牌压得过而不压的比率。
-- definition_en: Passes among turns with a legal answer to a team mate's play.
-- minimum: 100

SELECT passed_mate AS part, could_mate AS whole
FROM chosen
WHERE role = 'farmer' AND could_mate IS NOT NULL
