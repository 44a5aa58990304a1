-- name: mates_strength
-- title_zh: 队友与地主的牌力差
-- title_en: Strength of mates over the landlord
-- kind: mean
-- number: 36
-- whole: 当农民 | as farmer
-- definition_zh: 当农民时，队友起手牌力之和减去地主起手牌力的平均；须知这些手牌，二人斗地主没有队友，不计。
-- definition_en: As a farmer: mean of the strength dealt to his mates less that dealt to the landlord; their hands must be
--   known, and where he has no mate there is none.
-- minimum: 100

SELECT foreign_points - dealt_points AS x
FROM chosen JOIN (
    SELECT
        hand,
        sum(CASE WHEN role = 'farmer' THEN dealt_points ELSE -dealt_points END) AS foreign_points,
        count(*) = count(dealt_points) AND count(*) > 2 AS known
    FROM company
    WHERE role IS NOT NULL
    GROUP BY hand
) USING (hand)
WHERE role = 'farmer' AND known
