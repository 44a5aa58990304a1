-- name: bombs_by_cards_left
-- title_zh: 出炸时机与胜负
-- title_en: When bombs are played, and who wins
-- kind: table
-- number: 52
-- grain: one row per ruleset, role and cards in hand
-- column: rules | text | 规则 | Ruleset | 审计所用的规则集 | The ruleset
-- column: role | text | 角色 | Role | 出炸者的角色 | Role of who played it
-- column: cards | text | 手中张数 | Cards in hand | 出炸前手中的张数，含炸弹 | Cards in hand before the bomb, itself included
-- column: bombs | count | 炸弹 | Bombs | 打出的炸弹与火箭 | Bombs and rockets played
-- column: stood | count | 站住 | Stood | 其中无人再压的 | Of these, those that nobody beat
-- column: decided | count | 分出胜负 | Decided | 所在局分出胜负的 | Of bombs, those in hands that were won or lost
-- column: wins | count | 胜 | Wins | 其中出炸者一方胜的 | Of these, those whose player won
-- column: rate | rate | 胜率 | Win rate | 胜率 | Win rate
-- column: low | rate | 下限 | Low | 下限 | Low
-- column: high | rate | 上限 | High | 上限 | High
-- definition_zh: 每个打出的炸弹或火箭计一次，按出炸前手中的张数分；一局两炸计两次。只说结果，不说该不该炸。
-- definition_en: Every bomb or rocket played counts once, by the cards in hand before it; two of one hand count twice.
--   It tells how such hands ended, not whether a bomb was right.
-- minimum: 100
-- kept: rules

, bombs AS (
    SELECT
        hand,
        seat,
        index,
        CAST(string_split(left_before, ' ')[seat + 1] AS SMALLINT) AS held,
        lead(index) OVER later AS next_index,
        lead(answered) OVER later AS next_answered
    FROM moves
    WHERE bomb AND phase = 'play' AND hand IN (SELECT hand FROM chosen)
    WINDOW later AS (PARTITION BY hand ORDER BY index)
),

thrown AS (
    SELECT
        chosen.rules AS rules,
        chosen.role AS role,
        chosen.won AS won,
        held,
        NOT coalesce(next_answered = bombs.seat AND next_index < bombs.index + hands.players, false) AS stood
    FROM bombs
    JOIN chosen ON chosen.hand = bombs.hand AND chosen.seat = bombs.seat
    JOIN hands ON hands.hand = bombs.hand
    WHERE chosen.role IS NOT NULL
)

SELECT
    rules,
    role,
    CASE
        WHEN held <= 5 THEN '01-05'
        WHEN held <= 10 THEN '06-10'
        WHEN held <= 15 THEN '11-15'
        ELSE '16+'
    END AS cards,
    count(*) AS bombs,
    count(*) FILTER (stood) AS stood,
    count(won) AS decided,
    count(*) FILTER (won) AS wins,
    rate(wins, decided) AS rate,
    wilson_low(wins, decided) AS low,
    wilson_high(wins, decided) AS high
FROM thrown
GROUP BY rules, role, cards
ORDER BY rules, role, cards
