-- name: bankruptcies
-- title_zh: 破产率
-- title_en: Hands that end at nothing
-- kind: rate
-- number: 119
-- part: 输光 | with nothing left
-- whole: 记有余额的局 | hands with a balance
-- definition_zh: 记有局前余额的局中，重算得分后余额不多于 0 的比率；流局也在内。救济不在记录中，不计。
-- definition_en: Of hands with a balance before them: those after which, with the recomputed score, nothing is left; void
--   hands among them. Relief stands in no record.
-- minimum: 100

SELECT balance_after <= 0 AS part, 1 AS whole
FROM chosen
WHERE balance_after IS NOT NULL
