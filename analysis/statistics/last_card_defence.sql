-- name: last_card_defence
-- title_zh: 报单防守率
-- title_en: Defence against the last cards
-- kind: rate
-- number: 48
-- part: 防守 | defended
-- whole: 对手 1 或 2 张时领出 | leads against 1 or 2 cards
-- definition_zh: 对手剩 1 张（或 2 张）而自己另有牌型可领时，不领单张（或对子）的比率；对手有剩 1 张的也有剩 2 张的，只看单张。
-- definition_en: Of leads against an opponent with 1 card (2 cards) where another shape was possible: those that are
--   no single (no pair); against opponents with 1 and with 2, no single.
-- minimum: 100

SELECT alert_kept AS part, alert_turns AS whole
FROM chosen
WHERE alert_turns IS NOT NULL
