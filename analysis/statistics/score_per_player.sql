-- name: score_per_player
-- title_zh: 玩家得分
-- title_en: Score per player
-- grain: one row per player and ruleset
-- parameters: player rules since until role
-- column: player | text | 玩家 | Player | 玩家编号 | The player's id
-- column: rules | text | 规则 | Ruleset | 审计所用的规则集 | The ruleset
-- column: hands | count | 局数 | Hands | 有得分的局 | Hands with a score
-- column: score | number | 总分 | Score | 重算得分之和；超出 64 位则为空 | Sum of the recomputed scores; null beyond 64 bits
-- column: mean | number | 场均 | Mean | 每局得分除以底分后的平均 | Mean of score divided by base
-- column: error | number | 标准误 | Standard error | 场均的标准误；不足两局为空 | Standard error of the mean; null below two hands
-- column: excluded | count | 未计 | Left out | 因有误而未计入的局 | Hands left out because they are faulty
-- definition_zh: 只计无误且能重算得分的局，荒牌得 0 分、不计入。总分是分数本身；场均先除以底分，不同底分的局才可相比。
--   标准误按局独立计算，同一场内的局并不完全独立，实际误差偏大。给出角色时只计该角色的局。
-- definition_en: Only clean hands with a recomputed score; void hands don't count. The sum is of scores as they are; the
--   mean is of scores divided by base (底分), so that hands of different bases compare. The standard error takes hands as
--   independent, which hands of one session are not quite.
-- minimum: 100
-- behind: seats
-- behind: score IS NOT NULL AND outcome <> 'void'

SELECT
    player,
    rules,
    count(*) FILTER (verdict = 'clean') AS hands,
    TRY_CAST(coalesce(sum(score) FILTER (verdict = 'clean'), 0) AS BIGINT) AS score,
    avg(score / base) FILTER (verdict = 'clean') AS mean,
    CASE
        WHEN count(*) FILTER (verdict = 'clean') > 1
            THEN stddev_samp(score / base) FILTER (verdict = 'clean') / sqrt(count(*) FILTER (verdict = 'clean'))
    END AS error,
    count(*) FILTER (verdict <> 'clean') AS excluded
FROM seats
WHERE (verdict <> 'clean' OR score IS NOT NULL)
    AND outcome <> 'void'
    AND ($player IS NULL OR player = $player)
    AND ($rules IS NULL OR rules = $rules)
    AND ($role IS NULL OR role = $role)
    AND ($since IS NULL OR day >= CAST($since AS DATE))
    AND ($until IS NULL OR day <= CAST($until AS DATE))
GROUP BY player, rules
ORDER BY hands DESC, player, rules
