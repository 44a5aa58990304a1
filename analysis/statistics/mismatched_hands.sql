-- name: mismatched_hands
-- title_zh: 结算不符的局
-- title_en: Hands whose claim differs
-- grain: one row per hand and way in which its claim differs, or explanation of it
-- parameters: rules since until table
-- column: hand | count | 局 | Hand | 仓库中的编号 | Running number in the store
-- column: rules | text | 规则 | Ruleset | 审计所用的规则集 | The ruleset
-- column: source | text | 文件 | File | 记录所在的文件 | The file
-- column: line | count | 行 | Line | 文件的行 | Line of the file
-- column: id | text | 编号 | Id | 记录的编号 | The record's id
-- column: table_id | text | 桌 | Table | 房间、桌或比赛 | Room, table or match
-- column: day | day | 日期 | Day | 仓库时区的日期 | Day in the time zone of the store
-- column: kind | text | 种类 | Kind | S01 至 S24；空为无已知解释 | S01 to S24; null where nothing known explains it
-- column: switch | text | 开关 | Switch | 能使记分相符的开关 | The switch that would make the claim right
-- column: value | text | 值 | Value | 该开关所需的值 | The value that it would need
-- column: claimed | text | 所记 | Claimed | 所记的得分或其他数，按座位 | What is claimed, seats in order
-- column: recomputed | text | 重算 | Recomputed | 按规则应为 | What the rules give
-- column: difference | number | 相差 | Difference | 各家得分之差的绝对值之和 | Absolute differences of the scores of all seats, added up
-- definition_zh: 逐局列出所记结果与重算的不同，以及每一个单独改动便能恰好得出所记得分的开关。
-- definition_en: Hand by hand what is claimed otherwise than the rules give, and every switch that alone gives
--   exactly the claimed scores.
-- minimum: 0

SELECT
    hand,
    rules,
    source,
    line,
    id,
    table_id,
    day,
    kind,
    switch,
    value,
    claimed,
    recomputed,
    CAST(difference AS DOUBLE) AS difference
FROM mismatches
JOIN hands USING (hand)
WHERE counted
    AND ($rules IS NULL OR rules = $rules)
    AND ($since IS NULL OR day >= CAST($since AS DATE))
    AND ($until IS NULL OR day <= CAST($until AS DATE))
    AND ($table IS NULL OR table_id = $table)
ORDER BY hand, kind NULLS LAST, switch NULLS FIRST, value
