-- name: hands_per_day
-- title_zh: 每日局数
-- title_en: Hands per day
-- grain: one row per day and ruleset; the day is null for undated hands
-- parameters: rules since until
-- column: day | day | 日期 | Day | 按牌局库时区的日期；无时间的局为空 | Day in the time zone of the store; null for undated hands
-- column: rules | text | 规则 | Ruleset | 审计所用的规则集 | The ruleset that the hands were audited under
-- column: hands | count | 局数 | Hands | 入库的记录数，含不可读的行 | Entries of the logs, unreadable lines included
-- column: clean | count | 无误 | Clean | 没有违规的局 | Hands without a fault
-- column: faulty | count | 有误 | Faulty | 有违规的局 | Hands with a fault
-- column: unreadable | count | 不可读 | Unreadable | 不成记录的行 | Lines that are no record
-- column: void | count | 荒牌 | Void | 无误的局中无人叫牌的局 | Clean hands in which nobody bid
-- definition_zh: 按开局的日期（牌局库的时区）统计入库的全部记录。给出 since 或 until 时，无时间的局不计入。
-- definition_en: All entries of the store by the day, in its time zone, on which the hand began. With since or until,
--   undated hands are left out.
-- minimum: 0
-- behind: hands
-- behind: day = TRY_CAST($day AS DATE)

SELECT
    day,
    rules,
    CAST(sum(hands) AS BIGINT) AS hands,
    CAST(coalesce(sum(hands) FILTER (verdict = 'clean'), 0) AS BIGINT) AS clean,
    CAST(coalesce(sum(hands) FILTER (verdict = 'faulty'), 0) AS BIGINT) AS faulty,
    CAST(coalesce(sum(hands) FILTER (verdict = 'unreadable'), 0) AS BIGINT) AS unreadable,
    CAST(coalesce(sum(hands) FILTER (verdict = 'clean' AND outcome = 'void'), 0) AS BIGINT) AS void
FROM days
WHERE ($rules IS NULL OR rules = $rules)
    AND ($since IS NULL OR day >= CAST($since AS DATE))
    AND ($until IS NULL OR day <= CAST($until AS DATE))
GROUP BY day, rules
ORDER BY day NULLS FIRST, rules NULLS FIRST
