"""T5xx: what is wrong with leading, following, throwing, burying and naming trumps in 三打哈.

Knows how to say it in the words of that game; suit classes and tractors live in ``ingest.rules``.
"""

from ingest.faults.catalogue import Fault

_FOLLOWING = ("F-R24", "F-Q22", "F-Q23")
_THROWING = ("F-R27", "F-Q19", "F-Q20", "F-Q21")
_BOTTOM_AND_TRUMP = ("F-R15", "F-R4")

FAULTS: tuple[Fault, ...] = (
    Fault(
        code="T501",
        phase="play",
        stops=True,
        title_zh="没有跟首家花色",
        title_en="led suit not followed",
        zh="没有跟足首家的花色：应出 {must}，却出了 {played}。",
        en="The led suit was not followed: due {must}, played {played}.",
        details=("must", "played"),
        clauses=("F-R23",),
        more_zh=(
            "手中有首家所出一门的牌就必须跟，不够时全部出完，再用别的牌补足。主牌自成一门：王、2、7 和主花色的牌都不属"
            "副牌。复盘到此为止，不算分。"
        ),
        more_en=(
            "Cards of the led class have to be played as far as they are held; only what is missing may be filled with "
            "others. All trumps are one class: jokers, 2s, 7s and the trump suit belong to no side suit. The replay "
            "ends here without scores."
        ),
    ),
    Fault(
        code="T502",
        phase="play",
        stops=True,
        title_zh="有对不出对",
        title_en="held pair not played",
        zh="手中有对却没有出对：应出 {must}，却出了 {played}。",
        en="A pair that was held was not played: due {must}, played {played}.",
        details=("must", "played"),
        clauses=_FOLLOWING,
        more_zh=(
            "首家出对，手中同门有对就必须出对，拖拉机里的对也要拆出；首家出拖拉机而没有拖拉机的，也须尽量出对。甩牌中的"
            "对同样有此约束。复盘到此为止，不算分。"
        ),
        more_en=(
            "When a pair is led, a pair of that class has to be played if held, even out of a tractor; when a tractor "
            "is led and none is held, as many pairs as possible. Pairs within a throw bind alike. The replay ends here "
            "without scores."
        ),
    ),
    Fault(
        code="T503",
        phase="play",
        stops=True,
        title_zh="有拖拉机不出拖拉机",
        title_en="held tractor not played",
        zh="手中有拖拉机却没有出：应出 {must}，却出了 {played}。",
        en="A tractor that was held was not played: due {must}, played {played}.",
        details=("must", "played"),
        clauses=_FOLLOWING,
        more_zh=(
            "首家出拖拉机，手中同门有拖拉机就必须出；只有较短的拖拉机也得先出，再用对和别的牌补足。甩牌中的拖拉机同样有"
            "此约束。复盘到此为止，不算分。"
        ),
        more_en=(
            "When a tractor is led, a tractor of that class has to be played if held; a shorter one too, filled up "
            "with pairs and then with other cards. Tractors within a throw bind alike. The replay ends here without "
            "scores."
        ),
    ),
    Fault(
        code="T504",
        phase="play",
        stops=True,
        title_zh="跟牌张数不对",
        title_en="wrong number of cards played",
        zh="本轮应出 {expected} 张，却出了 {actual} 张。",
        en="The trick takes {expected} cards from each; {actual} were played.",
        details=("expected", "actual"),
        clauses=("F-R23",),
        more_zh="每家出牌的张数须与首家相同，三打哈里没有过牌一说。复盘到此为止，不算分。",
        more_en=(
            "Everybody plays as many cards as the leader; there is no passing in sandaha. The replay ends here without "
            "scores."
        ),
    ),
    Fault(
        code="T505",
        phase="play",
        stops=True,
        title_zh="首家出牌不合规",
        title_en="not a legal lead",
        zh="{cards} 不能作为首家出牌。",
        en="{cards} is not a legal lead.",
        details=("cards",),
        clauses=("F-R22",),
        more_zh=(
            "首家只能出单张、对、拖拉机，或甩主牌；对是花色点数全同的两张，6677 与 7788 不是拖拉机。复盘到此为止，不算"
            "分。"
        ),
        more_en=(
            "A lead is a single, a pair, a tractor or a throw of trumps; a pair is two identical cards, and 6677 and "
            "7788 are no tractors. The replay ends here without scores."
        ),
    ),
    Fault(
        code="T506",
        phase="play",
        stops=True,
        title_zh="甩副牌",
        title_en="side suit thrown",
        zh="{cards} 是甩副牌，规则只许甩主牌。",
        en="{cards} throws a side suit; only trumps may be thrown.",
        details=("cards",),
        clauses=_THROWING,
        more_zh=(
            "一次出几组同门的牌叫甩牌，三打哈只能甩主牌，原文中甩副牌的例子只用来说明甩牌失败。复盘到此为止，不算分。"
        ),
        more_en=(
            "Several components of one class led at once are a throw, and sandaha allows it with trumps only; the "
            "side-suit examples in its text explain failing throws. The replay ends here without scores."
        ),
    ),
    Fault(
        code="T507",
        phase="play",
        stops=True,
        title_zh="甩牌成败不符",
        title_en="wrong outcome of a throw",
        zh="甩牌 {cards} 的成败记录不对，别家能压过的部分为：{failing}。",
        en="The throw {cards} is recorded with the wrong outcome; components that another seat can beat: {failing}.",
        details=("cards", "failing"),
        clauses=_THROWING,
        more_zh=(
            "甩牌的每一组都不能被任何一家单独压过，否则甩牌失败。有一组压得过却记为成功，或没有一组压得过却记为失败，都"
            "属此类。复盘到此为止，不算分。"
        ),
        more_en=(
            "A throw succeeds when no other seat by itself can beat any of its components. It is recorded as good "
            "though one can be beaten, or as failed though none can. The replay ends here without scores."
        ),
    ),
    Fault(
        code="T508",
        phase="play",
        stops=True,
        title_zh="甩牌失败后出错牌",
        title_en="wrong cards after a failed throw",
        zh="甩牌失败后应出 {expected}，却出了 {actual}。",
        en="After the failed throw {expected} was to be led; {actual} was.",
        details=("expected", "actual"),
        clauses=_THROWING,
        more_zh="甩牌失败后，必须出别家压得过的各组中最小的一组；一样小时取张数少的。复盘到此为止，不算分。",
        more_en=(
            "After a failed throw the lowest of the components that another seat can beat has to be led, of equally "
            "low ones the one with fewer cards. The replay ends here without scores."
        ),
    ),
    Fault(
        code="T509",
        phase="play",
        stops=True,
        title_zh="埋底不对",
        title_en="wrong buried cards",
        zh="埋下的 {cards} 不是庄家手中的八张牌。",
        en="The buried cards {cards} are not eight cards of the landlord's hand.",
        details=("cards",),
        clauses=_BOTTOM_AND_TRUMP,
        more_zh=(
            "庄家拿底牌后从手牌和底牌共 29 张中埋下 8 张；埋下的牌他并没有，或张数不对，便不知他手中有什么。此项不属于"
            "某一手牌，复盘到此为止，不算分。"
        ),
        more_en=(
            "The landlord takes the bottom and buries eight of the 29 cards he then holds; cards he did not hold, or "
            "another number, leave his hand unknown. The finding is about no single move, and the replay ends here "
            "without scores."
        ),
    ),
    Fault(
        code="T510",
        phase="play",
        stops=True,
        title_zh="没有定主",
        title_en="no trump named",
        zh="打了牌，却没有记录主牌花色或无主。",
        en="The hand was played, but neither a trump suit nor no-trump is recorded.",
        clauses=_BOTTOM_AND_TRUMP,
        more_zh=(
            "庄家拿底后宣布主牌花色，或打无主（NT）；没有这一项，跟牌和大小都无从判断。此项不属于某一手牌，复盘到此为"
            "止，不算分。"
        ),
        more_en=(
            "After taking the bottom the landlord names a trump suit, or none (NT); without it neither following nor "
            "comparison can be judged. The finding is about no single move, and the replay ends here without scores."
        ),
    ),
)
