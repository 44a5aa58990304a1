-- name: sessions
-- title_zh: 场次
-- title_en: Sessions
-- kind: table
-- number: 87, 88
-- grain: one row per player and ruleset
-- column: player | text | 玩家 | Player | 玩家编号 | The player's id
-- column: rules | text | 规则 | Ruleset | 审计所用的规则集 | The ruleset
-- column: hands | count | 局数 | Hands | 注明时间且有得分的局 | Dated hands with a score
-- column: sessions | count | 场次 | Sessions | 相隔不超过 30 分钟的连续对局为一场 | Hands no more than 30 minutes apart are one session
-- column: hands_per_session | number | 每场局数 | Hands per session | 每场局数 | Hands per session
-- column: minutes | number | 每场分钟 | Minutes per session | 从第一局开始到最后一局开始 | From the beginning of the first hand to that of the last
-- column: won | count | 赢的场次 | Sessions won | 得分合计为正的场次 | Sessions with a positive total
-- column: rate | rate | 赢场率 | Rate | 赢场率 | Rate
-- column: low | rate | 下限 | Low | 下限 | Low
-- column: high | rate | 上限 | High | 上限 | High
-- definition_zh: 时间取每局开始的时刻；流局不计。
-- definition_en: Times are those at which hands began. Void hands don't count.
-- minimum: 100

, timed AS (
    SELECT player, rules, won, score / base AS x, began, hand
    FROM chosen
    WHERE began IS NOT NULL AND score IS NOT NULL AND outcome <> 'void'
),

starts AS (
    SELECT
        *,
        coalesce(began - lag(began) OVER (PARTITION BY player, rules ORDER BY began, hand) > INTERVAL 30 MINUTE, true)
            AS fresh
    FROM timed
),

numbered AS (
    SELECT *, sum(fresh::INT) OVER (PARTITION BY player, rules ORDER BY began, hand) AS session
    FROM starts
),

each AS (
    SELECT player, rules, session, count(*) AS hands, sum(x) AS total, max(began) - min(began) AS length
    FROM numbered
    GROUP BY player, rules, session
)

SELECT
    player,
    rules,
    CAST(sum(each.hands) AS BIGINT) AS hands,
    count(*) AS sessions,
    avg(each.hands) AS hands_per_session,
    avg(epoch(length)) / 60 AS minutes,
    count(*) FILTER (total > 0) AS won,
    rate(count(*) FILTER (total > 0), count(*)) AS rate,
    wilson_low(count(*) FILTER (total > 0), count(*)) AS low,
    wilson_high(count(*) FILTER (total > 0), count(*)) AS high
FROM each
GROUP BY player, rules
ORDER BY hands DESC, player, rules
