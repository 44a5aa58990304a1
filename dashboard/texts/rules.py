"""The law of the rulesets."""

TEXTS: dict[str, tuple[str, str]] = {
    "rules": ("规则", "Rules"),
    "rules.lead_in": (
        "每个规则集的全部参数；不同之处加底色。",
        "Every parameter of a ruleset; differences are marked.",
    ),
    "rules.beside_parent": (
        "与它所继承的 {parent} 并列；不同之处加底色。",
        "Beside {parent}, which it extends; differences are marked.",
    ),
    "rules.with": ("与之并列", "Beside"),
    "rules.with_none": ("选其他规则", "choose others"),
    "rules.show": ("显示", "Show"),
    "rules.all": ("全部参数", "all parameters"),
    "rules.differing": ("只看不同", "differences only"),
    "rules.search": ("查找参数", "Find a parameter"),
    "rules.none": ("没有这样的参数，或两者相同。", "No such parameter, or no difference."),
    "rules.parameter": ("参数", "parameter"),
    "rules.meaning": ("含义", "meaning"),
    "rules.sheet": ("参数", "Parameters"),
    "rules.try": ("试牌", "Try cards"),
    "rules.try_help": (
        "3–9 T J Q K A 2，小王 B，大王 R；花色 S H C D 写在前面，可不写（三打哈须写）。例：3334、S3H3、BR。",
        "3–9 T J Q K A 2, small joker B, big joker R; suits S H C D in front, optional but for 三打哈. "
        "Examples: 3334, S3H3, BR.",
    ),
    "rules.cards": ("要出的牌", "Cards to play"),
    "rules.standing": ("桌上的牌（可空）", "What stands (may be empty)"),
    "rules.trump": ("主", "Trump"),
    "rules.nothing": ("不成牌型", "no combination"),
    "rules.beats": ("压得过", "beats it"),
    "rules.not": ("压不过", "does not beat it"),
    "rules.refused": ("看不懂这些牌：", "These cards cannot be read:"),
}
