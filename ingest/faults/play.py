"""P4xx: what is wrong with the plays and passes of a climbing game, and with turns and cards in any game.

Knows how to say it; combinations and comparison live in ``ingest.rules``.
"""

from ingest.faults.catalogue import Fault


def _types(game: str, *numbers: int | str) -> tuple[str, ...]:
    return tuple(f"{game}-T{number}" for number in numbers)


_COMBINATIONS = (
    *_types("A", *range(1, 13), "13a", "13b"),
    *_types("B", *range(1, 17)),
    *_types("E", *range(1, 6), "6a", "6b", *range(7, 10), "10a", "10b", 11),
    *_types("G", *range(1, 11), "11a", "11b", "12a", "12b"),
)
_COMBINATIONS_OF_PROGRAMS = ("BZ-R2", "BZ-R3", "BV-R2", "OS-R2", "RL-R1", "DZ-R2")

FAULTS: tuple[Fault, ...] = (
    Fault(
        code="P401",
        phase="play",
        stops=True,
        title_zh="出牌轮次错误",
        title_en="out of turn",
        zh="出牌次序不对：应轮到座位 {expected}，出牌的却是座位 {actual}。",
        en="The move is out of turn: seat {expected} was to move, seat {actual} did.",
        details=("expected", "actual"),
        clauses=("U-R1", "U-R3", "A-R14", "B-R6", "C-R7", "D-Q1", "E-R19", "F-R21", "G-R12"),
        more_zh=(
            "地主先出，然后按座位顺序；其余各家都不出之后，由最后出牌的一家重新领出；三打哈由每轮最大的一家领出。谁该出"
            "牌已无从确定，复盘到此为止，不算分，后面的出牌不再判断。"
        ),
        more_en=(
            "The landlord leads and the others follow in order of seats; when all others have passed, the last to have "
            "played leads again; in sandaha the winner of each trick leads. Whose turn it is can no longer be told, so "
            "the replay ends here without scores and later moves are not judged."
        ),
    ),
    Fault(
        code="P402",
        phase="play",
        stops=True,
        title_zh="出了手中没有的牌",
        title_en="card not held",
        zh="出了 {cards}，手中却没有 {missing}。",
        en="{cards} was played, but the seat does not hold {missing}.",
        details=("cards", "missing"),
        clauses=("U-R8",),
        more_zh=(
            "所出的牌须在发到的手牌里，地主另有底牌，且尚未出过；没有写花色的牌按点数和张数核对。手牌没有公开的座位"
            "（D207）可以持有别处没有出现的任何牌。复盘到此为止，不算分。"
        ),
        more_en=(
            "A card played has to be one that was dealt to the seat, or taken with the bottom, and not played before; "
            "cards written without a suit are checked by rank and count. A hidden hand (D207) may "
            "hold whatever nobody else showed. The replay ends here without scores."
        ),
    ),
    Fault(
        code="P403",
        phase="play",
        title_zh="不成牌型",
        title_en="not a combination",
        zh="{cards} 在本规则下不成牌型。",
        en="{cards} is not a combination of this ruleset.",
        details=("cards",),
        clauses=(*_COMBINATIONS, "A-R11", "B-R10", "D-R5", *_COMBINATIONS_OF_PROGRAMS),
        more_zh=(
            "各规则集承认的牌型不同，例如四人斗地主没有三带一。牌照样离手，复盘继续；这手牌成为桌面上要压的牌但不算任何"
            "牌型，因此下一手只核对是否成牌型，不因前一家的错而受牵连（U-R16）。"
        ),
        more_en=(
            "Rulesets differ in the combinations they know; four-player has no trio with a single, for one. The cards "
            "leave the hand and the replay goes on: they become the standing play without a reading, so the next play "
            "is checked for being a combination only and is not charged for this slip (U-R16)."
        ),
    ),
    Fault(
        code="P404",
        phase="play",
        title_zh="压不过上家的牌",
        title_en="does not beat the standing play",
        zh="{cards} 压不过桌面上的 {standing}。",
        en="{cards} does not beat the standing play {standing}.",
        details=("cards", "standing"),
        clauses=("U-R4", "U-R5", "U-R10", "A-R12", "A-R13", "B-R8", "B-R9", "D-R6", "E-R18", "E-Q8", "G-R14", "OS-R4"),
        more_zh=(
            "除炸弹和王炸外，须牌型相同、张数相同且更大，一样大不算；一手牌有几种读法时，只要有一种压得过就合法。牌照样"
            "离手，这手牌以其全部读法成为桌面上要压的牌，复盘继续（U-R16）。"
        ),
        more_en=(
            "Bombs and the rocket aside, only a higher play of the same type and number of cards beats, and equal "
            "never does; of a play with several readings one that beats is enough. The cards leave the hand and become "
            "the standing play with all their readings, and the replay goes on (U-R16)."
        ),
    ),
    Fault(
        code="P405",
        phase="play",
        title_zh="领出时不出",
        title_en="pass when leading",
        zh="轮到领出，却选择了不出。",
        en="A pass was made when it was time to lead.",
        clauses=("U-R1", "U-R6"),
        more_zh="开局的地主和每一轮的领出者必须出牌，只有跟牌的人才能不出。复盘继续，领出权转给下一个座位（U-R16）。",
        more_en=(
            "Whoever leads a trick has to play; only those who follow may pass. The replay goes on and the lead passes "
            "to the next seat (U-R16)."
        ),
    ),
    Fault(
        code="P406",
        phase="play",
        title_zh="牌局结束后还有动作",
        title_en="move after the end",
        zh="牌局已经结束，之后仍有 {move}。",
        en="{move} stands after the hand had ended.",
        details=("move",),
        clauses=("U-R1", "U-R6"),
        more_zh="有人出完牌，牌局即告结束，此后不再有出牌或不出。结束之后的动作不生效，得分按结束时计算。",
        more_en=(
            "The hand ends at once when a player has no cards left, and neither play nor pass may follow. Moves after "
            "the end are not applied; the scores are those at the end."
        ),
    ),
    Fault(
        code="P407",
        phase="play",
        stops=True,
        title_zh="牌局没有打完",
        title_en="unfinished hand",
        zh="牌局没有打完，各家还剩 {left} 张。",
        en="The hand is not finished; cards left: {left}.",
        details=("left",),
        clauses=("U-R1", "U-R6"),
        more_zh=(
            "出牌写到最后仍没有一家出完，记录也没有写明逃跑、投降或荒牌（end）。胜负未定，不算分。此项不属于某一手牌。"
        ),
        more_en=(
            "The plays end with cards in every hand, and the record names no escape, surrender or void hand (end). "
            "There is no winner and no score. The finding is about no single move."
        ),
    ),
    Fault(
        code="P408",
        severity="note",
        phase="play",
        title_zh="炸弹超过限额",
        title_en="more bombs than allowed",
        zh="已出 {count} 个炸弹，而按其叫牌最多 {limit} 个。",
        en="{count} bombs were played; the farmer's bid allows {limit}.",
        details=("count", "limit"),
        clauses=("E-R13", "E-Q6"),
        more_zh=(
            "平台规则按农民的叫牌限制炸弹个数，却没有给出数字；这里采用：不叫或叫 1 档的 1 个，叫 2 档的 2 个，叫 3 档"
            "而被抢走地主的 3 个，未轮到叫牌的和地主不限，王炸也算。这手牌照样有效，只有规则集明令限制时才算过错。"
        ),
        more_en=(
            "The platform text limits a farmer's bombs by his bid but prints no numbers; taken here are 1 after a pass "
            "or a 1, 2 after a 2, 3 after a 3 that was robbed, none for the landlord and whoever was not reached, the "
            "rocket counting as a bomb. The play stands; it is a fault only where the ruleset enforces the limit."
        ),
    ),
    Fault(
        code="P409",
        phase="play",
        title_zh="所报牌型不符",
        title_en="declared reading does not fit",
        zh="所报牌型 {declared} 不是这手牌的读法；可有的读法：{readings}。",
        en="The declared reading {declared} is not one of these cards; their readings: {readings}.",
        details=("declared", "readings"),
        clauses=("U-R11",),
        more_zh=(
            "一手牌可能有几种读法，来源可以在牌后注明其中一种；所注明的不在其中。是牌型名称但不适用于这手牌才属此类，不"
            "认识的名称是 R105。复盘继续。"
        ),
        more_en=(
            "Cards can have several readings and a source may declare one behind them; the declared one is not among "
            "them. A name that no combination has is R105. The replay goes on."
        ),
    ),
    Fault(
        code="P410",
        severity="note",
        phase="play",
        title_zh="依本规则集裁定才合法",
        title_en="legal by a ruling",
        zh="{cards} 合法，但只是依本规则集对未明之处的裁定：{switches}。",
        en="{cards} is legal, but only by this ruleset's ruling on an open point: {switches}.",
        details=("cards", "switches"),
        clauses=("U-R14", "A-Q4", "B-Q6", "D-Q5", "E-Q8", "E-Q9", "E-Q10", "G-Q9", "G-Q10"),
        more_zh=(
            "规则原文没有说清，例如带牌可否相同、可否带双王，本规则集从宽；换成严格的带牌规定就不合法。每手牌只提示一"
            "次，不算过错，复盘继续。pagat 本身即为严格，各程序的规则集以程序为准，均不提示。"
        ),
        more_en=(
            "The text leaves a point open, such as equal kickers or both jokers as kickers, and the ruleset is "
            "permissive; under the strict profile the play would not be legal. The note comes once per play, is no "
            "fault and changes nothing. pagat is strict itself and the foreign rulesets follow their programs: they "
            "never raise it."
        ),
    ),
    Fault(
        code="P411",
        phase="play",
        stops=True,
        title_zh="同一动作连记两次",
        title_en="same move twice",
        zh="{move} 接连记了两次。",
        en="{move} stands twice in succession.",
        details=("move",),
        clauses=("record.md 4", "record.md 5"),
        more_zh=(
            "同一座位的同一动作紧接着又出现一次，多半是日志重复写入，而不是抢着出牌。复盘从不删改动作，因此到此为止，不"
            "算分。"
        ),
        more_en=(
            "The same action of the same seat follows itself directly, which looks like a log that wrote it twice "
            "rather than like a move out of turn. An audit never drops a move, so the replay ends here without scores."
        ),
    ),
    Fault(
        code="P412",
        phase="play",
        title_zh="能压而不出",
        title_en="pass though able to beat",
        zh="规则要求能压必压，手中有 {cards} 可压 {standing}，却选择了不出。",
        en="The rules force whoever can beat to do so; {cards} would beat {standing}, but the seat passed.",
        details=("cards", "standing"),
        clauses=("A-Q11", "U-R1"),
        more_zh=(
            "一般规则允许任意不出，只有规则集写明能压必压（trick.must_beat）时才查。所列是手中最小的一种压法。只查手牌全部"
            "公开的座位；炸弹有限额时，农民不必出炸弹；桌面上的牌不成牌型（P403）时也不查。复盘继续。"
        ),
        more_en=(
            "Most games let anyone pass; this is checked only where the ruleset says that one who can beat must "
            "(trick.must_beat). The cards named are the cheapest answer in the hand. Only hands that are wholly known "
            "are checked; where bombs are limited a farmer need not bomb; and nobody has to answer cards that are no "
            "combination (P403). The replay goes on."
        ),
    ),
)
