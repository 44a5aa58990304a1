"""The filter bar, and what it leaves of the hands."""

TEXTS: dict[str, tuple[str, str]] = {
    "filter.rules": ("规则", "Ruleset"),
    "filter.player": ("玩家", "Player"),
    "filter.player_help": (
        "列出局数最多的玩家；也可以直接输入任何玩家编号。",
        "Players with most hands; any other id can be typed.",
    ),
    "filter.role": ("角色", "Role"),
    "filter.position": ("农民座次", "Farmer's seat"),
    "filter.since": ("起始日", "Since"),
    "filter.until": ("截止日", "Until"),
    "filter.days_help": (
        "按牌局库的时区，含当日；没有日期的局不在任何日期内。",
        "In the store's time zone, the day included; undated hands are in no range.",
    ),
    "filter.table": ("桌号", "Table"),
    "filter.tag": ("标签", "Tag"),
    "filter.bots": ("机器人", "Robots"),
    "filter.more": ("更多筛选{count}", "More filters{count}"),
    "filter.clear": ("清除筛选", "Clear filters"),
    "filter.drop": ("去掉{name}", "drop {name}"),
    "filter.unused": ("本页不按此筛选：{names}", "Not used on this screen: {names}"),
    "filter.strange": (
        "看不懂这些筛选条件，已经去掉（日期如 2026-11-29，标签如 KEY=VALUE）：",
        "These filters were not understood and are dropped (a day is 2026-11-29, a tag KEY=VALUE):",
    ),
    "filter.which.hands": (
        "符合全部筛选条件的局一局也没有。去掉其中一项后的局数：",
        "No hand passes all filters. Hands without one of them:",
    ),
    "filter.which.seats": (
        "符合全部筛选条件的座次一个也没有。去掉其中一项后的座次数：",
        "No seat passes all filters. Seats without one of them:",
    ),
    "filter.which.entries": (
        "符合全部筛选条件的记录一条也没有。去掉其中一项后的记录数：",
        "No entry passes all filters. Entries without one of them:",
    ),
    "filter.which.findings": (
        "符合全部筛选条件的问题一条也没有。去掉其中一项后的问题数：",
        "No finding passes all filters. Findings without one of them:",
    ),
    "filter.none": ("牌局库里没有此处可计的局。", "The store has no hands that count here."),
    "filter.without.hands": ("去掉“{name}”：{count} 局", "without “{name}”: {count} hands"),
    "filter.without.seats": ("去掉“{name}”：{count} 个座次", "without “{name}”: {count} seats"),
    "filter.without.entries": ("去掉“{name}”：{count} 条记录", "without “{name}”: {count} entries"),
    "filter.without.findings": ("去掉“{name}”：{count} 条", "without “{name}”: {count} findings"),
    "bots.human": ("只计真人座位", "seats of people"),
    "bots.only": ("只计机器人座位", "seats of robots"),
    "bots.none": ("无机器人的局", "hands without robots"),
    "comma": ("、", ", "),
    "semicolon": ("；", "; "),
    "used_all": ("计入全部 {used} 局。", "All {used} hands used."),
    "used": (
        "{all} 局中计入 {used} 局，未计 {lost} 局：{reasons}",
        "{used} of {all} hands used, {lost} left out: {reasons}",
    ),
    "used_rest": ("其他 ({count})", "others ({count})"),
}
