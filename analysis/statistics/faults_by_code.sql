-- name: faults_by_code
-- title_zh: 各类发现
-- title_en: Findings by code
-- grain: one row per ruleset, code and severity
-- parameters: rules since until
-- column: rules | text | 规则 | Ruleset | 审计所用的规则集；读不出时为空 | The ruleset; null where a line does not tell it
-- column: code | text | 编号 | Code | 发现的编号 | Code of the finding
-- column: severity | text | 级别 | Severity | fault 违规、note 提示 | fault or note
-- column: findings | count | 发现数 | Findings | 此编号出现的次数 | How often it was found
-- column: hands | count | 局数 | Hands | 有此发现的记录数 | Entries with such a finding
-- column: entries | count | 全部 | Entries | 同一规则的全部记录数 | All entries of the ruleset
-- column: rate | rate | 占比 | Share | 有此发现的记录占全部的比例 | Share of entries with such a finding
-- column: low | rate | 下限 | Low | 95% 威尔逊区间下限 | Lower end of the 95 % Wilson interval
-- column: high | rate | 上限 | High | 95% 威尔逊区间上限 | Upper end of the 95 % Wilson interval
-- definition_zh: 入库的全部记录中每个编号出现的次数与涉及的记录数，违规与提示都计。R108（同一局再次出现）所指的记录不入库，
--   不在此表。
-- definition_en: How often each code was found among all entries of the store, faults and notes alike. R108, the same
--   hand again, is about no entry of its own and not counted here.
-- minimum: 30
-- behind: hands
-- behind: hand IN (SELECT hand FROM findings WHERE code = $code AND severity = $severity)
-- cells: entries told

WITH entries AS (
    SELECT rules, day, count(*) AS entries
    FROM hands
    GROUP BY rules, day
),

told AS (
    SELECT hands.rules, hands.day, code, severity, count(*) AS findings, count(DISTINCT hand) AS hands
    FROM findings
    JOIN hands USING (hand)
    GROUP BY ALL
),

totals AS (
    SELECT rules, CAST(sum(entries) AS BIGINT) AS entries
    FROM entries
    WHERE ($rules IS NULL OR rules = $rules)
        AND ($since IS NULL OR day >= CAST($since AS DATE))
        AND ($until IS NULL OR day <= CAST($until AS DATE))
    GROUP BY rules
),

found AS (
    SELECT rules, code, severity, CAST(sum(findings) AS BIGINT) AS findings, CAST(sum(hands) AS BIGINT) AS hands
    FROM told
    WHERE ($rules IS NULL OR rules = $rules)
        AND ($since IS NULL OR day >= CAST($since AS DATE))
        AND ($until IS NULL OR day <= CAST($until AS DATE))
    GROUP BY rules, code, severity
)

SELECT
    found.rules,
    code,
    severity,
    findings,
    hands,
    entries,
    rate(hands, entries) AS rate,
    wilson_low(hands, entries) AS low,
    wilson_high(hands, entries) AS high
FROM found
JOIN totals ON found.rules IS NOT DISTINCT FROM totals.rules
ORDER BY hands DESC, code, found.rules NULLS FIRST, severity
