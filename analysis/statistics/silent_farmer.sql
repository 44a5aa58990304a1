-- name: silent_farmer
-- title_zh: 独自未出
-- title_en: Silent while the mate played
-- kind: rate
-- number: 65
-- part: 一张未出 | no play
-- whole: 当农民 | as farmer
-- definition_zh: 当农民且有队友、打完的局中，自己一手未出而队友出过的比率。
-- definition_en: Of hands as farmer with a mate that were played out: those in which this player made no play though a
--   mate did.
-- minimum: 100

SELECT plays = 0 AND NOT spring AS part, 1 AS whole
FROM chosen
WHERE position IS NOT NULL AND outcome IN ('landlord', 'farmers') AND spring IS NOT NULL
