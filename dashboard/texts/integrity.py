"""The screens of integrity."""

TEXTS: dict[str, tuple[str, str]] = {
    "integrity": ("公正检查", "Integrity"),
    "integrity.lead_in": (
        "检查只说哪里值得看、凭什么、依据多少局，并列出可查的局与无辜的解释；对任何人都不下结论。",
        "Screens say where to look, why and on how many hands, with hands to look at and what would make it harmless. "
        "They are no verdict on anybody.",
    ),
    "integrity.which": ("检查", "Screen"),
    "integrity.what": ("这项检查看什么、不看什么", "What this screen looks at, and what not"),
    "integrity.score": ("分值", "score"),
    "integrity.adjusted": ("校正后的 p", "adjusted p"),
    "integrity.evidence": ("可查的局：", "Hands to look at:"),
    "integrity.innocent": ("无辜的解释：", "What would make it harmless:"),
    "integrity.look": ("值得看", "worth a look"),
    "integrity.unsure": ("说不准", "cannot be told"),
    "integrity.clear": ("无异常", "nothing odd"),
    "integrity.unscored": ("没有可计分的行。", "No row has a score."),
    "integrity.running": ("正在检查……", "Checking…"),
    "integrity.none": ("没有可检查的局。", "There are no hands to check."),
    "integrity.all": ("全部结果", "All rows"),
}
