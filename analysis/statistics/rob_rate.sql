-- name: rob_rate
-- title_zh: 抢地主率
-- title_en: Rob rate
-- kind: rate
-- number: 14
-- part: 抢 | robs
-- whole: 可抢的表态 | answers to a call
-- definition_zh: 别人叫定之后的表态中，抢地主的比率。
-- definition_en: Of answers after somebody else had called or bid the most: robs.
-- minimum: 100

SELECT
    len(list_filter(string_split(words, ' '), lambda word: word = 'rob')) AS part,
    len(string_split(words, ' ')) - CASE WHEN called_before IN ('call', 'rob', '3') THEN 0 ELSE 1 END AS whole
FROM chosen
WHERE words <> '' AND rules IN (SELECT rules FROM hands WHERE robs > 0)
