-- name: verdicts
-- title_zh: 审计结论
-- title_en: Verdicts
-- grain: one row per ruleset, verdict and outcome
-- parameters: rules since until
-- column: rules | text | 规则 | Ruleset | 审计所用的规则集；读不出时为空 | The ruleset; null where a line does not tell it
-- column: verdict | text | 结论 | Verdict | clean 无误、faulty 有误、unreadable 不可读 | clean, faulty or unreadable
-- column: outcome | text | 结局 | Outcome | 地主胜、农民胜、荒牌等；不可读时为空 | How the hand ended; null when unreadable
-- column: hands | count | 局数 | Hands | 记录数 | Entries of the logs
-- column: rate | rate | 占比 | Share | 占同一规则全部记录的比例 | Share of all entries of the ruleset
-- column: low | rate | 下限 | Low | 95% 威尔逊区间下限 | Lower end of the 95 % Wilson interval
-- column: high | rate | 上限 | High | 95% 威尔逊区间上限 | Upper end of the 95 % Wilson interval
-- definition_zh: 入库的全部记录按规则、结论与结局计数。同一局重复出现只计一次（R108 另列于发现）。
-- definition_en: All entries of the store by ruleset, verdict and outcome. The same hand again counts once (R108 is
--   listed among the findings).
-- minimum: 30
-- behind: hands
-- behind: verdict = $verdict
-- behind: outcome = $outcome

WITH counted AS (
    SELECT rules, verdict, outcome, CAST(sum(hands) AS BIGINT) AS hands
    FROM days
    WHERE ($rules IS NULL OR rules = $rules)
        AND ($since IS NULL OR day >= CAST($since AS DATE))
        AND ($until IS NULL OR day <= CAST($until AS DATE))
    GROUP BY ALL
),

shared AS (
    SELECT *, CAST(sum(hands) OVER (PARTITION BY rules) AS BIGINT) AS everything
    FROM counted
)

SELECT
    rules,
    verdict,
    outcome,
    hands,
    rate(hands, everything) AS rate,
    wilson_low(hands, everything) AS low,
    wilson_high(hands, everything) AS high
FROM shared
ORDER BY rules NULLS FIRST, verdict, outcome NULLS FIRST
