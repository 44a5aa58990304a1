-- name: pass_when_could_softly
-- title_zh: 能压不压（炸弹除外）
-- title_en: Passes with an answer other than bombs
-- kind: rate
-- number: 41
-- part: 不压 | passes
-- whole: 能压 | turns with an answer
-- definition_zh: 手中有炸弹和火箭以外的合法压牌却不出的比率。
-- definition_en: Passes among turns with a legal answer that is neither bomb nor rocket.
-- minimum: 100

SELECT passed_softly AS part, could_softly AS whole
FROM chosen
WHERE could_softly IS NOT NULL
