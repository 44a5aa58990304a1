"""D2xx: what is wrong with the cards before anybody acts.

Knows how to say that hands, bottom, marker or first speaker contradict the pack and the deal; not how to find it.
"""

from ingest.faults.catalogue import Fault

_CARD_COUNTS = ("A-R3", "B-R1", "B-R5", "C-R2", "D-R1", "E-R5", "F-R1", "G-R2", "F-R15")
_PACKS = ("A-R1", "B-R1", "C-R1", "D-R1", "E-R4", "F-R1", "G-R1")

FAULTS: tuple[Fault, ...] = (
    Fault(
        code="D201",
        phase="deal",
        stops=True,
        title_zh="手牌张数不对",
        title_en="wrong hand size",
        zh="发到的手牌应为 {expected} 张，记录为 {actual} 张。",
        en="The hand dealt should have {expected} cards; the record has {actual}.",
        details=("expected", "actual"),
        clauses=_CARD_COUNTS,
        more_zh=(
            "hands 写的是拿底牌之前各家发到的牌，地主也一样；张数须与规则相符。没有公开的手牌（null）不在此列，见 D20"
            "7。复盘到此为止，不算分。"
        ),
        more_en=(
            "The field hands holds what each seat was dealt before the bottom cards, the landlord's seat included, and "
            "the rules fix how many cards that is. A hand that was not revealed (null) is D207 instead. The replay "
            "ends here without scores."
        ),
    ),
    Fault(
        code="D202",
        phase="deal",
        stops=True,
        title_zh="底牌张数不对",
        title_en="wrong number of bottom cards",
        zh="{field} 应为 {expected} 张，记录为 {actual} 张。",
        en="The field {field} should have {expected} cards; the record has {actual}.",
        details=("field", "expected", "actual"),
        clauses=_CARD_COUNTS,
        more_zh=(
            "指底牌（bottom）、废牌（dead）、帝主所拿的底牌（taken）或三打哈庄家埋的牌（buried）。帝主可拿 0 到 6 张，"
            "其余张数由规则定死。复盘到此为止，不算分。"
        ),
        more_en=(
            "This concerns the bottom cards (bottom), the cards out of play (dead), what the landlord of emperor took "
            "(taken) or what the landlord of sandaha buried (buried). Any number from 0 to 6 may be taken; the other "
            "numbers are fixed. The replay ends here without scores."
        ),
    ),
    Fault(
        code="D203",
        phase="deal",
        stops=True,
        title_zh="同一张牌过多",
        title_en="card too often",
        zh="{card} 出现 {count} 次，整副牌只有 {limit} 张。",
        en="{card} stands {count}×; the pack has it {limit}×.",
        details=("card", "count", "limit"),
        clauses=_PACKS,
        more_zh=(
            "把各家手牌、底牌和废牌合在一起，某张牌多于牌里应有的张数；两副牌的玩法里每张牌有两张。没有写花色的牌按点数"
            "计。复盘到此为止，不算分。"
        ),
        more_en=(
            "Hands, bottom and dead cards together hold a card more often than the pack does; games with two packs "
            "have each card twice. Cards written without a suit are counted by rank. The replay ends here without "
            "scores."
        ),
    ),
    Fault(
        code="D204",
        phase="deal",
        stops=True,
        title_zh="牌里没有这张牌",
        title_en="card not in the pack",
        zh="本玩法的牌里没有 {card}。",
        en="This game's pack does not have {card}.",
        details=("card",),
        clauses=_PACKS,
        more_zh="牌的写法读得懂，但这个玩法不用这张牌，例如三打哈去掉了 3 和 4。复盘到此为止，不算分。",
        more_en=(
            "The card can be read, but this game is played without it, as sandaha is without the 3s and 4s. The replay "
            "ends here without scores."
        ),
    ),
    Fault(
        code="D205",
        phase="deal",
        title_zh="标记牌在底牌中",
        title_en="marker in the bottom",
        zh="标记牌 {card} 在底牌里，规则不允许。",
        en="The marker {card} lies in the bottom, which the rules forbid.",
        details=("card",),
        clauses=("E-R5",),
        more_zh="平台玩法扣底牌时不得扣下标记牌，因为它的持有者要先叫牌。复盘继续，其余过错照样找出。",
        more_en=(
            "In platform the bottom cards are set aside without the marker, whose holder has to bid first. The replay "
            "goes on and collects whatever else is wrong."
        ),
    ),
    Fault(
        code="D206",
        phase="deal",
        title_zh="首叫者不对",
        title_en="wrong first speaker",
        zh="应由座位 {expected} 先叫，记录为座位 {actual}。",
        en="Seat {expected} should speak first; the record has seat {actual}.",
        details=("expected", "actual"),
        clauses=("A-R5", "A-Q9", "D-R3", "E-R6", "F-R12", "BZ-R1", "OS-R1"),
        more_zh=(
            "先叫的人与规则所定的不同，例如 first 与拿到明牌（标记牌）的座位不一致。叫牌没有从 first 所写的座位开始，则"
            "是 A301。复盘继续。"
        ),
        more_en=(
            "The first to speak is not the one the rules name, as when first contradicts the seat that was dealt the "
            "marker. An auction that does not begin at the seat written in first is A301 instead. The replay goes on."
        ),
    ),
    Fault(
        code="D207",
        severity="note",
        phase="deal",
        title_zh="有暗牌，无法核对持牌",
        title_en="hidden cards",
        zh="座位 {seats} 的牌没有公开，无法核对其是否持有所出的牌。",
        en="The cards of seats {seats} are hidden; whether they held what they played cannot be checked.",
        details=("seats",),
        clauses=("record.md 2",),
        more_zh=(
            "来源没有给出这些座位的手牌（null）。出牌次序、牌型和大小照常核对，只是不核对是否持有，本提示不算过错。"
        ),
        more_en=(
            "The source did not reveal the hands of these seats (null). Order, combinations and comparison are checked "
            "as usual, possession is not; the note by itself is no fault."
        ),
    ),
    Fault(
        code="D208",
        phase="deal",
        stops=True,
        title_zh="所拿的牌不在底牌中",
        title_en="taken card not in the bottom",
        zh="帝主拿走的 {card} 不在底牌里。",
        en="The landlord took {card}, which is not in the bottom.",
        details=("card",),
        clauses=("B-R5",),
        more_zh=(
            "帝主从 6 张底牌里任意挑牌，也可以一张不拿；taken 里有一张底牌中没有的牌，他的手牌便无法确定。复盘到此为"
            "止，不算分。"
        ),
        more_en=(
            "The landlord of emperor picks any of the six bottom cards, or none; taken names one that is not among "
            "them, so his hand is not known. The replay ends here without scores."
        ),
    ),
)
