"""The rulebook."""

TEXTS: dict[str, tuple[str, str]] = {
    "rulebook": ("规则书", "Rulebook"),
    "rulebook.lead": (
        "各规则逐条的约定，依原文收录（英文，引文为中文原文）。",
        "The agreed law of every ruleset, clause by clause, word for word.",
    ),
    "rulebook.none": ("这里没有收录规则书。", "The rulebook is not here."),
    "rulebook.chapter": ("章节", "Chapter"),
    "rulebook.open": ("在规则书中查看", "Open in the rulebook"),
}
