-- name: lead_length
-- title_zh: 领出张数
-- title_en: Cards per lead
-- kind: ratio
-- number: 38
-- part: 领出的牌 | cards led
-- whole: 领出 | leads
-- definition_zh: 领出的牌数除以领出次数。
-- definition_en: Cards led over leads.
-- minimum: 100

SELECT lead_cards AS part, leads AS whole
FROM chosen
WHERE leads IS NOT NULL
