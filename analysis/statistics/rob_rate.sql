-- name: rob_rate
-- title_zh: 抢地主率
-- title_en: Rob rate
-- kind: rate
-- number: 14
-- part: 抢 | robs
-- whole: 可抢的表态 | turns to rob
-- definition_zh: 别人叫过、自己可抢时，抢地主的比率；规则没有抢地主的不计，无人抢的也有一行。
-- definition_en: Of turns at which another had called and to rob was legal: robs. Not where the rules have no robbing;
--   where nobody robbed the rate is 0.
-- minimum: 100

SELECT robs AS part, rob_turns AS whole
FROM chosen
WHERE rob_turns IS NOT NULL
