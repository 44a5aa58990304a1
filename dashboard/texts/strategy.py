"""Strategy: what works."""

TEXTS: dict[str, tuple[str, str]] = {
    "strategy": ("策略", "Strategy"),
    "strategy.bids": ("叫与抢", "Bids"),
    "strategy.leads": ("领出", "Leads"),
    "strategy.passing": ("压与过", "Play and pass"),
    "strategy.bombs": ("炸弹", "Bombs"),
    "strategy.landlords": ("地主与牌力", "Landlords by strength"),
    "strategy.strength": (
        "横轴为起手牌力：大小王、2 与炸弹计分，减去打完所需的手数；只在同一规则内相比。点旁的竖线为 95% 区间。",
        "Across: strength of the dealt hand, jokers, twos and bombs less the plays needed to shed it; within one "
        "ruleset only. Lines at the points are 95 % intervals.",
    ),
    "strategy.points": ("起手牌力", "strength dealt"),
    "strategy.by_role": ("各角色", "By role"),
    "strategy.spots": ("看具体局面里怎么打", "See what is played in a situation"),
    "strategy.one_ruleset": (
        "不同规则不混算；以下为局数最多的 {rules}。",
        "Rulesets are not mixed; this is {rules}, which has most hands.",
    ),
}
