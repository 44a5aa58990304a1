-- name: multiplier_shares
-- title_zh: 倍数分布
-- title_en: Multipliers
-- kind: shares
-- number: 9
-- class: 档 | class
-- part: 座次 | seats
-- whole: 全部座次 | all seats
-- definition_zh: 有得分的局按叫分×倍数分档（三打哈及只计胜负或牌型分的规则不计）：≤3、4–6、7–12、13–24、25–48、49–95、≥96。
-- definition_en: Hands with a score by bid × multiplier, not of 三打哈 nor where only wins or patterns are counted, in classes up to 3, 6, 12, 24, 48, 95 and from 96.
-- once: hand
-- minimum: 100

SELECT
    CASE
        WHEN bid * multiplier <= 3 THEN '1: <= 3'
        WHEN bid * multiplier <= 6 THEN '2: 4-6'
        WHEN bid * multiplier <= 12 THEN '3: 7-12'
        WHEN bid * multiplier <= 24 THEN '4: 13-24'
        WHEN bid * multiplier <= 48 THEN '5: 25-48'
        WHEN bid * multiplier < 96 THEN '6: 49-95'
        ELSE '7: >= 96'
    END AS class,
    1 AS part
FROM chosen
WHERE won IS NOT NULL
    AND spring IS NOT NULL AND balanced
