-- name: rolling
-- title_zh: 滚动均分
-- title_en: Rolling means
-- kind: table
-- number: 92
-- grain: one row per player, ruleset and dated hand
-- column: player | text | 玩家 | Player | 玩家编号 | The player's id
-- column: rules | text | 规则 | Ruleset | 审计所用的规则集 | The ruleset
-- column: hands | count | 第几局 | Hands so far | 到此局为止的局数 | Hands up to this one
-- column: day | day | 日期 | Day | 日期 | Day
-- column: score | number | 得分 | Score | 此局得分除以底分 | Score of this hand over the base
-- column: total | number | 累计 | Total | 到此局为止的累计 | Running total
-- column: last_100 | number | 近 100 局 | Last 100 | 最近 100 局的平均；不足则为空 | Mean of the last 100 hands; null before there are so many
-- column: last_300 | number | 近 300 局 | Last 300 | 最近 300 局的平均 | Mean of the last 300 hands
-- column: last_1000 | number | 近 1000 局 | Last 1000 | 最近 1000 局的平均 | Mean of the last 1000 hands
-- definition_zh: 只计注明时间且有得分的局，按时间先后；流局不计。宜给出玩家。
-- definition_en: Dated hands with a score in order of time, void hands left out; to be asked of one player.
-- minimum: 0

, played AS (
    SELECT
        player AS player,
        rules AS rules,
        day AS day,
        score / base AS x,
        row_number() OVER (PARTITION BY player, rules ORDER BY began, hand, seat) AS place
    FROM chosen
    WHERE began IS NOT NULL AND score IS NOT NULL AND outcome <> 'void'
)

SELECT
    player,
    rules,
    place AS hands,
    day,
    x AS score,
    sum(x) OVER (PARTITION BY player, rules ORDER BY place) AS total,
    CASE WHEN place >= 100 THEN avg(x) OVER (
        PARTITION BY player, rules ORDER BY place ROWS BETWEEN 99 PRECEDING AND CURRENT ROW
    ) END AS last_100,
    CASE WHEN place >= 300 THEN avg(x) OVER (
        PARTITION BY player, rules ORDER BY place ROWS BETWEEN 299 PRECEDING AND CURRENT ROW
    ) END AS last_300,
    CASE WHEN place >= 1000 THEN avg(x) OVER (
        PARTITION BY player, rules ORDER BY place ROWS BETWEEN 999 PRECEDING AND CURRENT ROW
    ) END AS last_1000
FROM played
ORDER BY player, rules, place
