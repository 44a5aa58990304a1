-- name: words_by_standing
-- title_zh: 按已叫分看叫分
-- title_en: Bids by what stood before
-- kind: table
-- number: 16
-- grain: one row per ruleset, standing bid and word
-- column: rules | text | 规则 | Ruleset | 审计所用的规则集 | The ruleset
-- column: standing | text | 已叫 | Standing | 自己第一次表态前已叫到的：- 无人叫、叫分、call、rob | What stood before the first word: - for nothing, a bid, call or rob
-- column: word | text | 表态 | Word | 第一次表态：- 不叫、叫分、call、rob | The first word: - for a pass, a bid, call or rob
-- column: part | count | 次数 | Times | 次数 | Times
-- column: whole | count | 机会 | Opportunities | 已叫相同的全部第一次表态 | All first words with the same standing
-- column: rate | rate | 占比 | Share | 占比 | Share
-- column: low | rate | 下限 | Low | 95% 威尔逊区间下限 | Lower end of the 95 % Wilson interval
-- column: high | rate | 上限 | High | 95% 威尔逊区间上限 | Upper end of the 95 % Wilson interval
-- definition_zh: 各家第一次表态，按此前已叫到什么分开；流局也计。
-- definition_en: What each seat first said, told apart by what stood before it; void hands count.
-- minimum: 100
-- behind: seats
-- behind: words <> ''
-- behind: called_before = $standing
-- behind: split_part(words, ' ', 1) = $word

, said AS (
    SELECT rules, called_before AS standing, split_part(words, ' ', 1) AS word, count(*) AS part
    FROM chosen
    WHERE words <> ''
    GROUP BY ALL
)

SELECT
    rules,
    standing,
    word,
    part,
    CAST(sum(part) OVER (PARTITION BY rules, standing) AS BIGINT) AS whole,
    rate(part, whole) AS rate,
    wilson_low(part, whole) AS low,
    wilson_high(part, whole) AS high
FROM said
ORDER BY rules, standing, word
