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
-- column: stood | count | 站住 | Stood | 其中该轮由己方收下的 | Of these, those whose trick the own side took
-- column: decided | count | 分出胜负 | Decided | 所在局分出胜负的 | Of bombs, those in hands that were won or lost
-- column: wins | count | 胜 | Wins | 其中出炸者一方胜的 | Of these, those whose player won
-- column: rate | rate | 胜率 | Win rate | 胜率 | Win rate
-- column: low | rate | 下限 | Low | 下限 | Low
-- column: high | rate | 上限 | High | 上限 | High
-- definition_zh: 每个打出的炸弹或火箭计一次，按出炸前手中的张数分；一局两炸计两次。只说结果，不说该不该炸。
-- definition_en: Every bomb or rocket played counts once, by the cards in hand before it; two of one hand count twice.
--   It tells how such hands ended, not whether a bomb was right.
-- minimum: 100
-- behind: seats
-- behind: role IS NOT NULL AND bombs_at > 0
-- behind: (bombs_at >> 4 * (list_position(['01-05', '06-10', '11-15', '16+'], $cards) - 1)) & 15 > 0

, held (place, cards) AS (VALUES (0, '01-05'), (1, '06-10'), (2, '11-15'), (3, '16+')),

thrown AS (
    SELECT
        rules,
        role,
        won,
        cards,
        (bombs_at >> 4 * place) & 15 AS bombs,
        (bombs_stood_at >> 4 * place) & 15 AS stood
    FROM chosen, held
    WHERE role IS NOT NULL AND (bombs_at >> 4 * place) & 15 > 0
)

SELECT
    rules,
    role,
    cards,
    CAST(sum(bombs) AS BIGINT) AS bombs,
    CAST(sum(stood) AS BIGINT) AS stood,
    CAST(coalesce(sum(bombs) FILTER (won IS NOT NULL), 0) AS BIGINT) AS decided,
    CAST(coalesce(sum(bombs) FILTER (won), 0) AS BIGINT) AS wins,
    rate(wins, decided) AS rate,
    wilson_low(wins, decided) AS low,
    wilson_high(wins, decided) AS high
FROM thrown
GROUP BY rules, role, cards
ORDER BY rules, role, cards
