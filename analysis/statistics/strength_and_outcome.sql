-- name: strength_and_outcome
-- title_zh: 牌力与结果
-- title_en: Strength and outcome
-- kind: table
-- number: 20, 21
-- grain: one row per ruleset and strength
-- column: rules | text | 规则 | Ruleset | 审计所用的规则集 | The ruleset
-- column: points | number | 牌力 | Strength | 起手牌力 | Strength of the dealt hand
-- column: hands | count | 座次 | Seats | 知道手牌且有地主的座次 | Seats whose hand is known, of hands with a landlord
-- column: words | count | 表态 | First words | 其中表过态的座次 | Of these, seats that spoke
-- column: calls | count | 叫 | Calls | 第一次表态是叫的座次 | Of these, first words that were calls
-- column: call_rate | rate | 叫牌率 | Call rate | 叫除以表态 | Calls among first words
-- column: call_low | rate | 叫牌率下限 | Call low | 95% 威尔逊区间下限 | Lower end of the 95 % Wilson interval
-- column: call_high | rate | 叫牌率上限 | Call high | 95% 威尔逊区间上限 | Upper end of the 95 % Wilson interval
-- column: landlords | count | 当地主 | Landlords | 当地主 | Landlords
-- column: wins | count | 地主胜 | Wins | 其中胜的 | Of these, wins
-- column: rate | rate | 地主胜率 | Win rate as landlord | 地主胜率 | Win rate as landlord
-- column: low | rate | 下限 | Low | 下限 | Low
-- column: high | rate | 上限 | High | 上限 | High
-- definition_zh: 按起手牌力看叫牌率与当地主的胜率；只与同规则集相比。
-- definition_en: Call rate and win rate as landlord by the strength of the dealt hand; to be compared within a ruleset only.
-- minimum: 100
-- behind: seats
-- behind: dealt_points IS NOT NULL AND role IS NOT NULL
-- behind: CAST(dealt_points AS VARCHAR) = $points

SELECT
    rules,
    CAST(dealt_points AS BIGINT) AS points,
    count(*) AS hands,
    count(*) FILTER (seat_words <> '') AS words,
    count(*) FILTER (seat_words <> '' AND split_part(seat_words, ' ', 1) <> '-') AS calls,
    rate(calls, count(*) FILTER (seat_words <> '')) AS call_rate,
    wilson_low(calls, count(*) FILTER (seat_words <> '')) AS call_low,
    wilson_high(calls, count(*) FILTER (seat_words <> '')) AS call_high,
    count(*) FILTER (role = 'landlord' AND won IS NOT NULL) AS landlords,
    count(*) FILTER (role = 'landlord' AND won) AS wins,
    rate(wins, landlords) AS rate,
    wilson_low(wins, landlords) AS low,
    wilson_high(wins, landlords) AS high
FROM (SELECT rules, role, won, dealt_points, words AS seat_words FROM chosen)
WHERE dealt_points IS NOT NULL AND role IS NOT NULL
GROUP BY rules, dealt_points
ORDER BY rules, dealt_points
