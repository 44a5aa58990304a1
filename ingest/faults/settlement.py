"""S6xx: where the result that a log claims is not the one the rules give.

Knows how to say it; winners, multipliers and scores are reckoned in ``ingest.rules``.
"""

from ingest.faults.catalogue import Fault

_SCORING = (
    "A-R16",
    "B-Q2",
    "C-Q1",
    "D-R9",
    "D-R10",
    "E-R16",
    *(f"E-R{number}" for number in range(21, 30)),
    "F-R19",
    "F-R20",
    "F-R31",
    "G-R15",
    "G-R16",
    "G-R17",
    "BZ-R4",
    "BV-R3",
    "OS-R6",
    "RL-R2",
    "DZ-R3",
)

_CLAIMED = {"multiplier": ("倍数", "multiplier"), "bid": ("叫分", "bid")}
_UNSETTLED = {
    "unfinished": ("没有打完", "the hand was not played to its end"),
    "bid": ("记录里没有叫牌，不知底分", "the record has no auction, so that the bid is not known"),
    "redouble": ("规则集有加倍，而记录里没有这一项", "the ruleset has 加倍, which no field of a record tells"),
    "balances": ("规则集要求计入各家余额，而记录没有写全", "the ruleset needs every balance, and the record lacks one"),
    "maybe_forced": (
        "庄家手牌没有公开，不知其是否被插后强制叫牌",
        "the landlord's hand is hidden, and he may have been forced to bid after a 插",
    ),
    "no_landlord": ("地主产生之前有人离开", "somebody left before there was a landlord"),
}

FAULTS: tuple[Fault, ...] = (
    Fault(
        code="S601",
        phase="settlement",
        title_zh="胜者不符",
        title_en="winners differ",
        zh="胜者应为座位 {expected}；日志记为座位 {actual}。",
        en="The winners are seats {expected}; the log claims {actual}.",
        details=("expected", "actual"),
        clauses=("U-R6", "U-R13", "F-R31"),
        more_zh=(
            "先出完牌的一方获胜，胜者包括该方所有座位，农民获胜须全部写上；三打哈以闲家得分是否低于庄分定胜负。有人逃跑"
            "时，其余各家都是胜者。"
        ),
        more_en=(
            "The side of whoever goes out first wins, and a claim names all its seats, so all farmers win together; in "
            "sandaha the landlord wins if the points taken stay below his bid. After an escape the winners are all but "
            "the one who left."
        ),
    ),
    Fault(
        code="S602",
        phase="settlement",
        title_zh="倍数或叫分不符",
        title_en="multiplier or bid differs",
        zh="{field}应为 {expected}，日志记为 {actual}。",
        en="The {field} should be {expected}; the log claims {actual}.",
        details=("field", "expected", "actual"),
        words={"field": _CLAIMED},
        clauses=_SCORING,
        more_zh=(
            "倍数（multiplier）是规则所列各项之积，不含底分和叫分；规则没有列出的项目一律不翻倍，例如 platform 中炸弹不"
            "翻倍。叫分（bid）以叫牌结果为准，没有叫分的玩法算 1。"
        ),
        more_en=(
            "The multiplier is the product of the factors that the ruleset lists, without base and bid; what it does "
            "not list doubles nothing, such as a bomb in platform. The bid is the auction's, and 1 where the game has "
            "none."
        ),
    ),
    Fault(
        code="S603",
        phase="settlement",
        title_zh="得分不符",
        title_en="scores differ",
        zh="得分应为 {expected}；日志记为 {actual}。",
        en="The scores should be {expected}; the log claims {actual}.",
        details=("expected", "actual"),
        clauses=_SCORING,
        more_zh=(
            "得分按底分 × 叫分 × 倍数重新计算，并按规则处理逃跑和积分不足；出牌有误但复盘未停的，按记录的出牌计算。三打"
            "哈的庄分不参与相乘。"
        ),
        more_en=(
            "Scores are reckoned anew from base × bid × multiplier, with the ruleset's provisions for escapes and "
            "short balances; where plays were faulty but the replay went on, from the moves as recorded. In sandaha "
            "the bid is no factor."
        ),
    ),
    Fault(
        code="S604",
        phase="settlement",
        title_zh="得分之和不为零",
        title_en="scores do not sum to zero",
        zh="日志所记各家得分之和为 {sum}，不是零。",
        en="The scores the log claims sum to {sum}, not to zero.",
        details=("sum",),
        clauses=("RL-R2", "BV-R3"),
        more_zh=(
            "一方所得即另一方所失，各家得分之和应为零。rlcard 和 botzone-v1 的程序自有算法，其和不为零，不作此核对。"
        ),
        more_en=(
            "What one side gains the other loses, so the scores of a hand sum to zero. The programs behind rlcard and "
            "botzone-v1 pay otherwise: it is not raised there."
        ),
    ),
    Fault(
        code="S605",
        phase="settlement",
        title_zh="积分余额不符",
        title_en="balances differ",
        zh="积分余额应为 {expected}；日志记为 {actual}。",
        en="The balances should be {expected}; the log claims {actual}.",
        details=("expected", "actual"),
        clauses=("E-R25", "E-R26", "E-R27"),
        more_zh=(
            "局后余额应等于局前余额加本局得分，余额未知的座位不核对；平台中积分不足者扣到所余为止。局前余额与同一玩家在"
            "同一桌上一局的局后余额不一致，中间又没有记录能解释，也属此类。"
        ),
        more_en=(
            "The balance after a hand is the balance before it plus the score, checked where it is known; in platform "
            "nobody pays more than he has. It is also raised where the balance before a hand is not the one after the "
            "same player's last hand at the same table and nothing between explains it."
        ),
    ),
    Fault(
        code="S606",
        phase="settlement",
        title_zh="积分不足却入局",
        title_en="balance below the minimum",
        zh="入局时积分为 {balance}，低于本桌下限 {minimum}。",
        en="The balance of {balance} was below the table's minimum of {minimum}.",
        details=("balance", "minimum"),
        clauses=("E-R3",),
        more_zh="平台要求开局时积分不少于底分的 3 倍，恰好 3 倍即可；余额未知时不核对。得分照常计算。",
        more_en=(
            "In platform a player needs at least three times the base when a hand begins, and exactly that is enough; "
            "unknown balances are not checked. The scores are reckoned as usual."
        ),
    ),
    Fault(
        code="S607",
        severity="note",
        phase="settlement",
        title_zh="无法算分",
        title_en="score cannot be computed",
        zh="凭这份记录无法算分：{reason}。",
        en="The score cannot be computed from this record: {reason}.",
        details=("reason",),
        words={"reason": _UNSETTLED},
        clauses=("E-Q16",),
        more_zh=(
            "牌局没有规则可据以结算的结局，例如地主未定就有人逃跑。scores 为 null，所记的结果不作核对；提示本身不算过"
            "错。"
        ),
        more_en=(
            "The hand has no end that the rules settle, such as an escape before there was a landlord. The scores are "
            "null and claimed ones are not compared; the note by itself is no fault."
        ),
    ),
    Fault(
        code="S608",
        severity="note",
        phase="settlement",
        title_zh="另一种理解得分不同",
        title_en="another reading of the rules",
        zh="规则若按另一种理解（{switch} = {value}），得分为 {scores}。",
        en="Under another reading of the rules ({switch} = {value}) the scores would be {scores}.",
        details=("switch", "value", "scores"),
        clauses=("U-R15", "E-Q2", "E-Q4", "G-Q4", "G-Q5"),
        more_zh=(
            "规则原文不明而恰好影响本局得分时才提示：platform 中抢过地主后农民逃跑，platform 与 platform-full 中此前荒"
            "牌不止一局，call-score 与 call-rob 中的王炸，call-rob 中的抢地主。核对仍以本规则集为准，提示不算过错。"
        ),
        more_en=(
            "It is raised only where an unclear point changes this very hand: a farmer's escape after a rob in "
            "platform, more than one void hand before it in platform and platform-full, a rocket in call-score and "
            "call-rob, a rob in call-rob. Claims are still compared with the ruleset as it stands; the note is no "
            "fault."
        ),
    ),
)
