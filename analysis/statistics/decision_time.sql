-- name: decision_time
-- title_zh: 决策时间
-- title_en: Decision time
-- kind: ratio
-- number: 94
-- part: 毫秒 | milliseconds
-- whole: 有时间的动作 | timed moves
-- definition_zh: 每次动作的思考毫秒数（距上一动作）的平均。
-- definition_en: Mean milliseconds of thinking per move, since the move before.
-- minimum: 100

SELECT thinking AS part, timed AS whole
FROM chosen
WHERE timed > 0
