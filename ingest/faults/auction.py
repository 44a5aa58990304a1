"""A3xx: what is wrong with bidding, calling and robbing, and with the landlord that comes out of it.

Knows how to say it in the words of each game's auction; not how an auction runs.
"""

from ingest.faults.catalogue import Fault

_VOID = {
    "void_but_played": ("无人叫牌，却打了牌", "nobody bid, and yet cards were played"),
    "void_not_said": ("无人叫牌，记录却没有写荒牌", "nobody bid, and the record does not say that the hand is void"),
    "landlord_chosen": (
        "已有人叫到地主，记录却写荒牌",
        "a landlord was found, and the record says that the hand is void",
    ),
    "landlord_forced": (
        "规则指定了地主，记录却写荒牌",
        "the rules make a landlord, and the record says that the hand is void",
    ),
}

FAULTS: tuple[Fault, ...] = (
    Fault(
        code="A301",
        phase="auction",
        stops=True,
        title_zh="叫牌轮次错误",
        title_en="auction out of turn",
        zh="叫牌次序不对：应轮到座位 {expected}，行动的却是座位 {actual}。",
        en="The auction is out of turn: seat {expected} was to speak, seat {actual} did.",
        details=("expected", "actual"),
        clauses=("A-R6", "A-R7", "C-R4", "D-R3", "E-R8", "E-R14", "E-Q5", "F-R12", "G-R4", "G-R7"),
        more_zh=(
            "叫牌、抢地主按座位顺序进行；叫牌没有从 first 所写的座位开始，也属此类。三打哈里不叫的人本局不再轮到，平台"
            "的抢地主从地主的下家开始。复盘到此为止，不算分。"
        ),
        more_en=(
            "Bids and robs go round in order of seats; an auction that does not begin at the seat written in first is "
            "this fault too. In sandaha whoever passed is left out for the rest of the auction, and in platform the "
            "robs begin with the seat after the landlord. The replay ends here without scores."
        ),
    ),
    Fault(
        code="A302",
        phase="auction",
        stops=True,
        title_zh="此时不能这样叫",
        title_en="impossible auction word",
        zh="此时不能叫“{word}”，可选的只有：{possible}。",
        en='"{word}" is not possible here; possible are: {possible}.',
        details=("word", "possible"),
        clauses=("A-R6", "C-R4", "D-R3", "E-R8", "E-R14", "F-R13", "G-R4", "G-R7"),
        more_zh=(
            "用语本身认得，但在本规则集或此时的叫牌中不存在：例如叫抢模式里已有人叫地主仍叫地主，或三打哈叫了不是 5 的"
            "倍数的分。不认识的用语是 R105。复盘到此为止，不算分。"
        ),
        more_en=(
            "The word is known but does not exist in this ruleset or at this point, such as a call after somebody has "
            "called in call-rob, or a bid in sandaha that is no multiple of 5. Unknown words are R105. The replay ends "
            "here without scores."
        ),
    ),
    Fault(
        code="A303",
        phase="auction",
        stops=True,
        title_zh="叫牌没有压过前面",
        title_en="insufficient bid",
        zh="叫 {bid} 没有压过前面叫的 {last}。",
        en="The bid {bid} does not go beyond the last bid {last}.",
        details=("bid", "last"),
        clauses=("A-R6", "E-R9", "F-R13", "G-R7", "BZ-R1"),
        more_zh="后叫的必须高过前面所有的叫牌；三打哈往下叫，至少要低 5 分。与前面相同也不行。复盘到此为止，不算分。",
        more_en=(
            "A bid has to be higher than every bid before it; in sandaha bids go down, by 5 at least. An equal bid "
            "does not do. The replay ends here without scores."
        ),
    ),
    Fault(
        code="A304",
        phase="auction",
        title_zh="叫牌结束后还有动作",
        title_en="action after the auction",
        zh="叫牌已经结束，之后仍有“{word}”。",
        en='"{word}" stands after the auction had ended.',
        details=("word",),
        clauses=("A-R7", "C-R4", "D-Q1", "E-R10", "E-R14", "F-R14", "F-R15", "G-R4", "G-R8"),
        more_zh=(
            "地主已定或已荒牌，记录里却还有叫牌动作，例如叫了 3 分之后再叫；平台中无人抢地主时，原定地主的应答也属此"
            "类。叫牌结果以结束时为准，复盘继续。"
        ),
        more_en=(
            "The landlord was settled or the hand void, yet the record lists another action, such as a bid after a 3; "
            "in platform also an answer of the provisional landlord when nobody robbed. The auction's result is the "
            "one at its end, and the replay goes on."
        ),
    ),
    Fault(
        code="A305",
        phase="auction",
        stops=True,
        title_zh="叫牌没有结束",
        title_en="unfinished auction",
        zh="记录里的叫牌没有结束。",
        en="The auction in the record is not finished.",
        clauses=("A-R7", "C-R4", "C-R5", "D-Q1", "E-R11", "F-R15", "G-R4", "G-R8"),
        more_zh=(
            "动作写完时，按规则还有人要叫，地主未定，也不是荒牌。平台里末尾缺少的抢地主应答视为不抢，不算未结束。复盘到"
            "此为止，不算分。"
        ),
        more_en=(
            "The listed actions end while somebody still has to speak, with neither a landlord nor a void hand. In "
            "platform, rob answers missing at the end mean no rob and leave nothing unfinished. The replay ends here "
            "without scores."
        ),
    ),
    Fault(
        code="A306",
        phase="auction",
        title_zh="地主与叫牌结果不符",
        title_en="landlord differs from the auction",
        zh="按叫牌，地主应为座位 {expected}，日志记为座位 {actual}。",
        en="By the auction the landlord is seat {expected}; the log claims seat {actual}.",
        details=("expected", "actual"),
        clauses=("A-R9", "C-R4", "E-R11", "E-R15", "F-R15", "F-R16", "G-R5", "G-R8"),
        more_zh="日志自报的地主（三打哈为庄家）与叫牌、抢地主得出的不是同一人。复盘以叫牌结果继续。",
        more_en=(
            "The landlord the log claims is not the one that bids and robs lead to. The replay goes on with the "
            "auction's landlord."
        ),
    ),
    Fault(
        code="A307",
        phase="auction",
        title_zh="必叫而未叫",
        title_en="missing forced bid",
        zh="手中有 {count} 张按规则必叫的牌，却没有叫到 {floor}。",
        en="A hand with {count} cards that oblige to bid did not bid, though the rules demand a bid of {floor}.",
        details=("count", "floor"),
        clauses=("F-R18", "F-Q7"),
        more_zh=(
            "三打哈中，发到的 21 张里有 7 张或更多常主（王、2、7）的人，在自己没叫过、也无人叫到 50 或更低时不得不叫；"
            "叫过一次后便自由了。斗地主规则集若设 auction.must_bid_max，持双王或四张 2 的人必须叫到最高分。复盘继续。"
        ),
        more_en=(
            "In sandaha a player dealt seven or more fixed trumps (jokers, 2s and 7s) may not pass while he has not "
            "bid and nobody has bid 50 or less; after one bid he is free. The ruleset of a climbing game may oblige "
            "who holds both jokers or four 2s to bid the most (auction.must_bid_max). The replay goes on."
        ),
    ),
    Fault(
        code="A308",
        severity="note",
        phase="auction",
        title_zh="不叫的人抢了地主",
        title_en="rob after a pass",
        zh="叫牌时不叫，却抢了地主。",
        en="A player who had passed in the bidding robbed.",
        clauses=("E-Q5",),
        more_zh=(
            "平台规则对不叫者能否抢地主说法不一。规则集允许（rob.eligibility = all）时只作提示，不允许（not_passed）时"
            "算错误。无论哪种，这次抢地主有效，照常翻倍。"
        ),
        more_en=(
            "The platform text contradicts itself on whether a player who passed may rob. Where the ruleset allows it "
            "(rob.eligibility = all) this is a note, where it does not (not_passed) a fault. Either way the rob counts "
            "and doubles like any other."
        ),
    ),
    Fault(
        code="A309",
        phase="auction",
        stops=True,
        title_zh="荒牌与叫牌不符",
        title_en="void hand contradicts the auction",
        zh="是否荒牌与叫牌结果不符：{reason}。",
        en="Whether the hand is void contradicts the auction: {reason}.",
        details=("reason",),
        words={"reason": _VOID},
        clauses=("A-R8", "C-R5", "D-Q1", "E-R12", "F-R16", "G-R6", "G-R9", "BZ-R1", "OS-R1"),
        more_zh=(
            "记为荒牌（end 为 void），叫牌却定出了地主，或规则强制产生地主；又或无人叫牌本应荒牌，却照样打了或没有记为"
            "荒牌。两者孰真无从断定，复盘到此为止，不算分。"
        ),
        more_en=(
            "Either the hand is recorded as void although the auction gave a landlord or the rules force one, or "
            "nobody bid and the hand was played or not recorded as void. Which of the two is true cannot be told, so "
            "the replay ends here without scores."
        ),
    ),
    Fault(
        code="A310",
        phase="auction",
        title_zh="连续荒牌数不符",
        title_en="wrong number of void hands before",
        zh="连续荒牌数应为 {expected}，记录为 {actual}。",
        en="The number of void hands directly before should be {expected}; the record has {actual}.",
        details=("expected", "actual"),
        clauses=("E-R12", "G-Q8"),
        more_zh=(
            "voids 与同一桌前面的记录对不上，同一桌的记录按文件中的次序相接。只有荒牌影响后面牌局的规则集才作此核对。复"
            "盘继续。"
        ),
        more_en=(
            "The field voids does not agree with the records before it at the same table, which follow one another in "
            "file order. It is checked only in rulesets where void hands bear on later ones. The replay goes on."
        ),
    ),
)
