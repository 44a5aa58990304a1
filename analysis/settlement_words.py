"""What kinds of mismatch and the switches that would explain them are called, in both languages.

Knows words only. Source of the kinds: statistics.md 4.2.
"""

KINDS: dict[str, tuple[str, str]] = {
    "S01": ("底分", "base score"),
    "S02": ("叫分", "bid or call value"),
    "S03": ("抢地主加倍", "rob doublings"),
    "S04": ("炸弹数", "bomb count"),
    "S05": ("王炸", "rocket"),
    "S06": ("春天漏计或多计", "spring missing or extra"),
    "S07": ("反春的定义", "anti-spring"),
    "S08": ("各家自己的加倍", "doubles of each player"),
    "S09": ("明牌、底牌、荒番、级数等倍数", "open hand, marker, void hands, levels"),
    "S10": ("正负或角色颠倒", "sign or role swapped"),
    "S11": ("胜方", "winner side"),
    "S12": ("合计不为零", "not zero-sum"),
    "S13": ("服务费计入得分", "a fee inside the result"),
    "S14": ("封顶", "cap"),
    "S15": ("积分不足", "insufficient balance"),
    "S16": ("逃跑或投降", "escape or surrender"),
    "S17": ("取整", "rounding"),
    "S18": ("币种或单位混用", "currencies mixed"),
    "S19": ("余额不连续", "balance chain broken"),
    "S22": ("荒牌却有得分", "a void hand was paid"),
    "S23": ("千篇一律的记分", "constant or placeholder claim"),
    "S24": ("有结果而记录不足以核对", "a claim that the log cannot prove"),
    "?": ("无已知解释", "no known explanation"),
}
"""The kinds that a record can show. S20 and S21 need settlement rows and snapshots that no record has."""

SWITCHES: dict[str, tuple[str, str]] = {
    "score.base": ("底分按 {}", "the base taken as {}"),
    "score.bid_factor": ("叫分按 {} 相乘", "the bid multiplied as {}"),
    "rob.factor": ("每次抢地主乘 {}", "a rob times {}"),
    "rob.mode": ("多次抢地主按 {}", "robs put together as {}"),
    "score.bomb_factor": ("每个炸弹乘 {}", "a bomb times {}"),
    "score.combine": ("各项按 {} 合并", "factors put together as {}"),
    "score.rocket_factor": ("王炸乘 {}", "the rocket times {}"),
    "score.spring_factor": ("春天乘 {}", "spring times {}"),
    "score.anti_spring_factor": ("反春乘 {}", "anti-spring times {}"),
    "void.factor": ("荒番乘 {}", "a void hand times {}"),
    "void.mode": ("多次荒番按 {}", "void hands put together as {}"),
    "score.marker_factor": ("标记牌为王乘 {}", "a joker as marker times {}"),
    "open.factor": ("摊打乘 {}", "an open hand times {}"),
    "score.cap": ("封顶 {}", "a cap of {}"),
    "balance.enforce": ("积分不足按 {}", "short balances taken as {}"),
    "escape.farmer_multipliers": ("农民逃跑的倍数按 {}", "a farmer's escape multiplied as {}"),
    "escape.split": ("逃跑赔付按 {} 分", "an escape split as {}"),
    "direct50.factor": ("五十分开叫乘 {}", "an opening of 50 times {}"),
    "direct50.applies": ("五十分开叫按 {}", "an opening of 50 applies as {}"),
    "direct50.survives_overbid": ("开叫被压后仍加倍：{}", "the opening doubles after an overbid: {}"),
    "levels.lost": ("垮庄级数 {}", "levels lost of {}"),
    "levels.kept": ("打成级数 {}", "levels kept of {}"),
    "thresholds.inclusive": ("垮庄界限含本数：{}", "limits of losing inclusive: {}"),
    "xiaoguang_below.inclusive": ("小光界限含本数：{}", "limit of small win inclusive: {}"),
    "surrender.level_high": ("高庄分投降 {} 级", "surrender at a high bid worth {}"),
    "surrender.level_low": ("低庄分投降 {} 级", "surrender at a low bid worth {}"),
    "facts.base": ("底分记为 {}", "a base of {}"),
    "facts.bid": ("叫分记为 {}", "a bid of {}"),
    "facts.robs": ("抢地主记为 {} 次", "{} robs counted"),
    "facts.bombs": ("炸弹记为 {} 个", "{} bombs counted"),
    "facts.rockets": ("王炸记为 {} 个", "{} rockets counted"),
    "facts.spring": ("没有春天却计春天", "spring counted though there was none"),
    "facts.anti_spring": ("没有反春却计反春", "anti-spring counted though there was none"),
    "facts.open": ("摊打记为 {}", "open hand taken as {}"),
    "facts.landlord": ("座位 {} 当作地主", "seat {} taken for the landlord"),
    "facts.sign": ("正负号颠倒", "the sign turned round"),
    "facts.winner": ("胜负颠倒", "the winners turned round"),
    "facts.escape": ("逃跑当作普通输局", "an escape settled as a plain loss"),
    "facts.winnings": ("输赢不超过自带积分", "nobody wins or loses more than he brought"),
    "facts.bottom": ("抠底分不计", "points of the bottom left out"),
    "double": ("农民各自的倍数 {}", "farmers settled at {}"),
    "fee.each": ("每家扣 {}", "{} taken from every seat"),
    "fee.winner": ("赢家扣 {}", "{} taken from each winner"),
    "fee.percent": ("赢家扣 {}%", "{} % taken from winners"),
    "rounding": ("余数 {} 分给了别家", "a remainder of {} given to others"),
    "currency": ("单位相差 {}", "another unit of money: {}"),
    "claim.constant": ("不同的局都记 {}", "hands of different worth all claimed as {}"),
}
"""What a claim would rest on, with the value in its place."""

INNOCENT: dict[str, tuple[str, str]] = {
    "law": (
        "该处用的是另一套规则：用相应的规则集重新核对即可",
        "the source plays by another law: audit it under a ruleset that says so",
    ),
    "fact": (
        "日志漏记或多记了一步，或转换格式时出错",
        "the log lost or doubled a move, or was converted badly",
    ),
    "money": (
        "日志记的是扣费、换算或加倍之后的钱，不是得分",
        "the log tells money after fees, conversion or doubling, and not scores",
    ),
    "none": ("规则或日志有此处不知道的内容", "the rules or the log hold something that is not known here"),
}
"""What would make a mismatch harmless."""


def kind_words(kind: str | None) -> tuple[str, str]:
    """The name of a kind; of None that there is no explanation."""
    return KINDS.get(kind or "?", ("", ""))


def switch_words(switch: str | None, value: str | None) -> tuple[str, str] | None:
    """What a claim would rest on; None where no switch is told."""
    if switch is None:
        return None
    zh, en = SWITCHES.get(switch, (f"{switch} = {{}}", f"{switch} = {{}}"))
    return zh.format(value), en.format(value)


def innocent_words(switch: str | None) -> tuple[str, str]:
    """What would make it harmless."""
    if switch is None:
        return INNOCENT["none"]
    if switch.startswith("facts."):
        return INNOCENT["fact"]
    return INNOCENT["law" if "." in switch and not switch.startswith(("fee.", "claim.")) else "money"]
