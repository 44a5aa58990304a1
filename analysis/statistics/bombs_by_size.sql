-- name: bombs_by_size
-- title_zh: 各种炸弹
-- title_en: Bombs by size
-- kind: table
-- number: 132
-- grain: one row per ruleset and size
-- column: rules | text | 规则 | Ruleset | 审计所用的规则集 | The ruleset
-- column: size | count | 张数 | Cards | 炸弹的张数；王炸按其张数 | Cards of the bomb; the rocket by its own
-- column: reading | text | 牌型 | Combination | bomb 炸弹、rocket 王炸 | bomb or rocket
-- column: bombs | count | 次数 | Bombs | 次数 | Bombs
-- column: hands | count | 局数 | Hands | 打过牌的局 | Hands that were played
-- column: per_hand | number | 每局 | Per hand | 每局 | Per hand
-- definition_zh: 打出的炸弹按张数分；四人两副牌时尤其有用。
-- definition_en: Bombs that were played, by their size; of use for two packs.
-- minimum: 100
-- behind: seats
-- behind: bombs + rockets > 0
-- behind: (hand, seat) IN (SELECT (hand, seat) FROM moves WHERE phase = 'play' AND bomb AND reading = $reading AND
--   CAST(size AS VARCHAR) = $size)

, played AS (
    SELECT rules, count(DISTINCT hand) AS hands
    FROM chosen
    WHERE plays IS NOT NULL AND role IS NOT NULL
    GROUP BY rules
),

thrown AS (
    SELECT rules, size, reading, CAST(sum(bombs) AS BIGINT) AS bombs
    FROM combined
    GROUP BY rules, size, reading
    HAVING sum(bombs) > 0
)

SELECT
    thrown.rules AS rules,
    CAST(size AS BIGINT) AS size,
    reading,
    bombs,
    hands,
    rate(bombs, hands) AS per_hand
FROM thrown
JOIN played ON played.rules = thrown.rules
ORDER BY thrown.rules, size, reading
