-- name: tilt
-- title_zh: 上头
-- title_en: Tilt
-- kind: table
-- number: 89
-- grain: one row per player and ruleset
-- column: player | text | 玩家 | Player | 玩家编号 | The player's id
-- column: rules | text | 规则 | Ruleset | 审计所用的规则集 | The ruleset
-- column: losses | count | 大败 | Heavy losses | 输掉不少于底分 12 倍的局 | Hands that lost at least 12 times the base
-- column: hands | count | 其后五局内 | Hands soon after | 大败之后五局以内的局 | Hands among the five after such a loss
-- column: mean_after | number | 其后场均 | Mean after | 这些局得分除以底分的平均 | Mean score over the base in these hands
-- column: others | count | 其余 | Other hands | 其余的局 | All other hands
-- column: mean_else | number | 其余场均 | Mean elsewhere | 其余的局的平均 | Mean in the other hands
-- column: difference | number | 差 | Difference | 前者减后者 | The former less the latter
-- column: error | number | 标准误 | Standard error | 差的标准误 | Standard error of the difference
-- column: turns_after | count | 其后叫牌机会 | Turns to call after | 这些局中无人叫过时的第一次表态 | First words before any call in these hands
-- column: calls_after | count | 其后叫 | Calls after | 其中叫的 | Of these, calls
-- column: after_rate | rate | 其后叫牌率 | Call rate after | 其中叫的比率 | Calls among them
-- column: after_low | rate | 下限 | Low | 95% 威尔逊区间下限 | Lower end of the 95 % Wilson interval
-- column: after_high | rate | 上限 | High | 95% 威尔逊区间上限 | Upper end of the 95 % Wilson interval
-- column: turns_else | count | 其余叫牌机会 | Turns to call elsewhere | 其余的局中无人叫过时的第一次表态 | The same in the other hands
-- column: calls_else | count | 其余叫 | Calls elsewhere | 其中叫的 | Of these, calls
-- column: else_rate | rate | 其余叫牌率 | Call rate elsewhere | 其中叫的比率 | Calls among them
-- column: else_low | rate | 下限 | Low | 95% 威尔逊区间下限 | Lower end of the 95 % Wilson interval
-- column: else_high | rate | 上限 | High | 95% 威尔逊区间上限 | Upper end of the 95 % Wilson interval
-- definition_zh: 只计注明时间且有得分的局，按时间先后，流局不计。得分未去运气（没有基准策略），大败本身不在“其后”之内，除非它
--   紧随另一大败。差异可能只是均值回归之外的偶然，样本小时说明不了什么。
-- definition_en: Dated hands with a score, in order of time, void hands left out. The score is not adjusted for luck, as there
--   is no policy to compare with. A heavy loss counts as after another one where it follows it within five hands.
-- minimum: 100

, played AS (
    SELECT
        player AS player,
        rules AS rules,
        score / base AS x,
        CASE WHEN words <> '' AND called_before = '-' THEN split_part(words, ' ', 1) <> '-' END AS called,
        began,
        hand AS hand,
        seat AS seat
    FROM chosen
    WHERE began IS NOT NULL AND score IS NOT NULL AND outcome <> 'void'
),

placed AS (
    SELECT
        *,
        coalesce(bool_or(x <= -12) OVER (
            PARTITION BY player, rules ORDER BY began, hand, seat ROWS BETWEEN 5 PRECEDING AND 1 PRECEDING
        ), false) AS after
    FROM played
)

SELECT
    player,
    rules,
    count(*) FILTER (x <= -12) AS losses,
    count(*) FILTER (after) AS hands,
    avg(x) FILTER (after) AS mean_after,
    count(*) FILTER (NOT after) AS others,
    avg(x) FILTER (NOT after) AS mean_else,
    mean_after - mean_else AS difference,
    sqrt(
        var_samp(x) FILTER (after) / count(*) FILTER (after)
        + var_samp(x) FILTER (NOT after) / count(*) FILTER (NOT after)
    ) AS error,
    count(called) FILTER (after) AS turns_after,
    count(*) FILTER (after AND called) AS calls_after,
    rate(calls_after, turns_after) AS after_rate,
    wilson_low(calls_after, turns_after) AS after_low,
    wilson_high(calls_after, turns_after) AS after_high,
    count(called) FILTER (NOT after) AS turns_else,
    count(*) FILTER (NOT after AND called) AS calls_else,
    rate(calls_else, turns_else) AS else_rate,
    wilson_low(calls_else, turns_else) AS else_low,
    wilson_high(calls_else, turns_else) AS else_high
FROM placed
GROUP BY player, rules
HAVING count(*) FILTER (x <= -12) > 0
ORDER BY hands DESC, player, rules
