-- name: pass_when_could
-- title_zh: 能压不压
-- title_en: Passes with a legal answer
-- kind: rate
-- number: 40
-- part: 不压 | passes
-- whole: 能压 | turns with a legal answer
-- definition_zh: 手中有合法的压牌（含炸弹）却不出的比率；须知自己的手牌。
-- definition_en: Passes among turns with a legal answer, bombs included; one's own hand must be known.
-- minimum: 100

SELECT passed AS part, could AS whole
FROM chosen
WHERE could IS NOT NULL
