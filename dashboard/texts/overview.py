"""The store at a glance."""

TEXTS: dict[str, tuple[str, str]] = {
    "overview.entries": ("全部记录", "entries"),
    "overview.undated": ("全部记录中无日期 {count} 条。", "{count} entries are undated."),
    "overview.undated_left_out": (
        "另有 {count} 条没有日期，不在所选日期内。",
        "{count} undated entries are in no range of days and left out.",
    ),
    "overview.all_undated": ("牌谱没有记录日期。", "The logs tell no dates."),
    "overview.day": ("日期", "day"),
    "overview.per_day": ("每日局数", "Hands per day"),
    "overview.rulesets": ("各规则", "By ruleset"),
    "overview.faulty_share": ("有误 {share}。", "{share} faulty."),
    "overview.damage": (
        "牌局库有损坏的文件，所在的批次不计；请运行 fupan store repair：",
        "The store has damaged files, whose batches are left out; run fupan store repair:",
    ),
    "overview.share": ("有误占比", "share faulty"),
    "overview.table": ("看表", "As a table"),
    "overview.to.findings": ("逐条查看问题", "Look at findings"),
    "overview.to.integrity": ("公正检查", "Screens of integrity"),
    "overview.to.player": ("看玩家", "Look at players"),
    "overview.to.strategy": ("看策略", "Look at strategy"),
}
