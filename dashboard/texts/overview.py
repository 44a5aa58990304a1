"""The store at a glance."""

TEXTS: dict[str, tuple[str, str]] = {
    "overview.entries": ("全部记录", "entries"),
    "overview.undated": ("其中无日期 {count} 条。", "{count} of them are undated."),
    "overview.undated_left_out": (
        "另有 {count} 条没有日期，不在所选日期内。",
        "{count} undated entries are in no range of days and left out.",
    ),
    "overview.all_undated": ("牌谱没有记录日期。", "The logs tell no dates."),
    "overview.days": ("日期范围", "Days"),
    "overview.days_help": ("北京时间，含首尾两日；留空为全部。", "In Asia/Shanghai, both ends included; empty: all."),
    "overview.day": ("日期", "day"),
    "overview.per_day": ("每日局数", "Hands per day"),
    "overview.rulesets": ("各规则", "By ruleset"),
}
