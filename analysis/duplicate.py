"""复式: hands whose very deal, every seat's cards the same, was played at another table too (statistics.md 2.10).

Knows SQL text. Refuses to know what such hands are compared by.
"""

DEALT_AGAIN = """
CREATE OR REPLACE MACRO dealt_again(law, first_day, last_day) AS TABLE
WITH known AS (
    SELECT hand, rules, deal_digest AS deal
    FROM hands
    WHERE counted
        AND verdict = 'clean'
        AND deal_digest IS NOT NULL
        AND (law IS NULL OR rules = law)
        AND (first_day IS NULL OR day >= CAST(first_day AS DATE))
        AND (last_day IS NULL OR day <= CAST(last_day AS DATE))
),

several AS (
    SELECT rules, deal
    FROM known
    GROUP BY rules, deal
    HAVING count(*) > 1
)

SELECT known.hand AS hand, known.rules AS rules, known.deal AS deal
FROM known
JOIN several ON several.rules = known.rules AND several.deal = known.deal
"""
"""Clean hands of a ruleset within some days, null for all: ``hand``, ``rules``, ``deal``. Needs the view ``hands``."""
