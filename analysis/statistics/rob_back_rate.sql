-- name: rob_back_rate
-- title_zh: 反抢率
-- title_en: Robs back
-- kind: rate
-- number: 15
-- part: 反抢 | robs
-- whole: 被抢后表态 | turns after being robbed
-- definition_zh: 叫定地主的一家被抢后最后表态时，抢回来的比率；各家只说一次的规则没有这一轮。
-- definition_en: Of the last turns of whoever had called, after somebody robbed him: robs. Where each speaks once there is
--   no such turn.
-- minimum: 100

SELECT last_robs AS part, last_turns AS whole
FROM chosen
WHERE last_turns IS NOT NULL
