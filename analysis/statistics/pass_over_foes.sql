-- name: pass_over_foes
-- title_zh: 放过对手
-- title_en: Passes over opponents
-- kind: rate
-- number: 42
-- part: 不压 | passes
-- whole: 能压 | turns with a legal answer
-- definition_zh: 对手的牌压得过却不压的比率。
-- definition_en: Passes among turns with a legal answer to an opponent's play.
-- minimum: 100

SELECT passed - passed_mate AS part, could - could_mate AS whole
FROM chosen
WHERE could IS NOT NULL
