"""R1xx: what keeps a line of a log from being a record of a hand, or a hand from being counted.

Knows the form of records only; cards and rules come with the later phases.
"""

from ingest.faults.catalogue import Fault

FAULTS: tuple[Fault, ...] = (
    Fault(
        code="R101",
        phase="record",
        stops=True,
        title_zh="不是 JSON 对象",
        title_en="not a JSON object",
        zh="这一行不是 JSON 对象：{reason}。",
        en="The line is not a JSON object: {reason}.",
        details=("reason",),
        clauses=("record.md 2",),
        more_zh=(
            "日志每行应为一局，写成一个 JSON 对象；这一行读不出对象。该行判为 unreadable，不再复盘，其余各行照常读取。"
        ),
        more_en=(
            "A log holds one hand a line, written as a JSON object, and this line does not parse as one. The line is "
            "unreadable and nothing of it is replayed; the other lines are read as usual."
        ),
    ),
    Fault(
        code="R102",
        phase="record",
        stops=True,
        title_zh="缺少必填字段",
        title_en="missing field",
        zh="缺少必填字段 {field}。",
        en="The required field {field} is missing.",
        details=("field",),
        clauses=("record.md 2",),
        more_zh=(
            "记录缺少一个必填字段，例如 id 或 players。该行判为 unreadable，不再复盘；没有写规则集的情形另记为 R104。"
        ),
        more_en=(
            "The record lacks a field that every record needs, such as id or players. The line is unreadable and is "
            "not replayed; a ruleset that is not given is R104 instead."
        ),
    ),
    Fault(
        code="R103",
        phase="record",
        stops=True,
        title_zh="字段类型或取值不对",
        title_en="wrong type or impossible value",
        zh="字段 {field} 的类型或取值不对：{reason}。",
        en="The field {field} has the wrong type or an impossible value: {reason}.",
        details=("field", "reason"),
        clauses=("record.md 2",),
        more_zh=(
            '字段的类型不符，或取了不可能的值。整数须是精确的整数，1.5、"3" 和 true 都不算。该行判为 unreadable，不再复'
            "盘。"
        ),
        more_en=(
            "The field holds something of another type, or a value it can never have. Whole numbers are exact: 1.5, "
            '"3" and true are none. The line is unreadable and is not replayed.'
        ),
    ),
    Fault(
        code="R104",
        phase="record",
        stops=True,
        title_zh="规则集未知或未给出",
        title_en="no known ruleset",
        zh="规则集未知或未给出：{given}。",
        en="The ruleset is unknown or not given: {given}.",
        details=("given",),
        clauses=("record.md 2",),
        more_zh=(
            "规则集可写在记录的 rules 字段里，也可在命令行上为整个文件指定；这里两处都没有，或名称不认识。没有规则便无"
            "从判断，该行判为 unreadable。"
        ),
        more_en=(
            "A ruleset is named in the record's rules field or on the command line for a whole file; here neither "
            "names one, or the name is unknown. Without rules nothing can be judged, so the line is unreadable."
        ),
    ),
    Fault(
        code="R105",
        phase="record",
        stops=True,
        title_zh="牌或着法读不懂",
        title_en="unreadable cards or moves",
        zh="字段 {field} 中的“{text}”读不懂。",
        en='"{text}" in the field {field} cannot be read.',
        details=("field", "text"),
        clauses=("record.md 3", "record.md 4"),
        more_zh=(
            "牌的写法或着法的写法中有认不出的内容，不认识的叫牌用语和牌型名称也在此列；任何字符都不会被悄悄跳过。该行判"
            "为 unreadable。能读懂、但这副牌里没有的牌记为 D204。"
        ),
        more_en=(
            "A card text or a move text holds something that is neither a card nor a move; unknown auction words and "
            "reading names count too, and no character is ever skipped silently. The line is unreadable. A card that "
            "can be read but is not in this game's pack is D204."
        ),
    ),
    Fault(
        code="R106",
        severity="note",
        phase="record",
        title_zh="未知字段",
        title_en="unknown field",
        zh="记录里有未知字段 {field}。",
        en="The record has an unknown field {field}.",
        details=("field",),
        clauses=("record.md 2",),
        more_zh="字段不在记录格式之内。内容照样保留，但不参与判断；每个文件只提示一次，不影响结论。",
        more_en=(
            "The field is not part of the record format. It is kept but plays no part in the audit; it is reported "
            "once per file and leaves the verdict as it is."
        ),
    ),
    Fault(
        code="R107",
        phase="record",
        stops=True,
        title_zh="最后一行被截断",
        title_en="last line cut off",
        zh="文件的最后一行被截断。",
        en="The last line of the file is cut off.",
        clauses=("record.md 2",),
        more_zh="文件在一行的中途结束，例如日志还在写入，或传输中断。只有这最后一行判为 unreadable，前面各行照常复盘。",
        more_en=(
            "The file ends in the middle of a line, as when a log is still being written or a transfer broke off. Only "
            "that last line is unreadable; the lines before it are audited as usual."
        ),
    ),
    Fault(
        code="R108",
        severity="note",
        phase="record",
        title_zh="同一局重复",
        title_en="same hand again",
        zh="同一局已在 {source} 第 {line} 行出现过。",
        en="The same hand already stands in {source}, line {line}.",
        details=("source", "line"),
        clauses=("record.md 2", "record.md 8"),
        more_zh="玩家、牌和着法与先前一局完全相同。编号和文件名不参与比较。这一局只计一次，提示本身不算过错。",
        more_en=(
            "Players, cards and moves are those of a hand read before; the file it stands in is not compared. The hand "
            "is counted once, and the note by itself is no fault."
        ),
    ),
    Fault(
        code="R109",
        phase="record",
        stops=True,
        title_zh="同一编号内容不同",
        title_en="same id, different content",
        zh="编号与 {source} 第 {line} 行相同，内容却不同。",
        en="The id is that of {source}, line {line}, but the content differs.",
        details=("source", "line"),
        clauses=("record.md 2", "record.md 8"),
        more_zh=(
            "id 在同一来源内必须唯一，这里同一 id 下有两局不同的牌。无法断定哪一局才是真的，后出现的一行判为 unreadabl"
            "e。"
        ),
        more_en=(
            "An id is unique within its source, and here it stands for two different hands. Which of them is meant "
            "cannot be told, so the later line is unreadable."
        ),
    ),
    Fault(
        code="R110",
        phase="record",
        stops=True,
        title_zh="人数不对",
        title_en="wrong number of players",
        zh="人数不对：本规则为 {expected} 人，记录为 {actual} 人。",
        en="The number of players is wrong: the ruleset has {expected}, the record has {actual}.",
        details=("expected", "actual"),
        clauses=("A-R3", "B-R1", "C-R1", "D-R1", "E-R1", "F-R1", "G-R1"),
        more_zh=(
            "记录的人数与规则集不符：二人斗地主两人，四人斗地主和三打哈四人，其余内置规则集三人。记录本身读得懂，判为 "
            "faulty；复盘到此为止，不算分。"
        ),
        more_en=(
            "The record seats another number of players than the ruleset: two in two-player, four in four-player and "
            "sandaha, three in the other built-in ones. The record can be read, so it is faulty; the replay ends here "
            "without scores."
        ),
    ),
    Fault(
        code="R111",
        phase="record",
        stops=True,
        title_zh="文字编码无法识别",
        title_en="unreadable encoding",
        zh="文字编码无法读取：{reason}。",
        en="The text's encoding cannot be read: {reason}.",
        details=("reason",),
        clauses=("record.md 2",),
        more_zh=(
            "日志应为 UTF-8 文本，这里的字节读不成文字。猜着读会悄悄改掉姓名和编号，因此判为 unreadable。"
            "若知道文件的编码，请用 --encoding 指明，如 --encoding gb18030。"
        ),
        more_en=(
            "A Fupan log is UTF-8, and these bytes do not read as text. Guessing would silently change names and ids, "
            "so what they hold is unreadable. Who knows what the file is can say so: --encoding gb18030."
        ),
    ),
    Fault(
        code="R112",
        phase="record",
        stops=True,
        title_zh="文件格式无法识别",
        title_en="unknown file format",
        zh="文件格式无法识别：{reason}。",
        en="The file's format is not recognised: {reason}.",
        details=("reason",),
        clauses=("record.md 2", "record.md 7"),
        more_zh="文件不像任何一种能读的日志，也没有指明格式或所指明的格式不符。文件内的牌局一局也没有复盘。",
        more_en=(
            "The file looks like none of the log formats that can be read, and no fitting format was named for it. "
            "None of its hands is audited."
        ),
    ),
    Fault(
        code="R113",
        phase="record",
        severity="note",
        title_zh="不是 UTF-8",
        title_en="not UTF-8",
        zh="文件按 {encoding} 读入。",
        en="The file was read as {encoding}.",
        details=("encoding",),
        clauses=("record.md 2",),
        more_zh=(
            "日志应为 UTF-8；这个文件不是，按所列编码转成 UTF-8 后读入，每个文件提示一次。若姓名显示有误，请用 "
            "--encoding 指明编码。"
        ),
        more_en=(
            "Logs are UTF-8. This file is not, and was turned from the encoding named here before it was read; it is "
            "said once per file. Where names look wrong, --encoding says what the file is."
        ),
    ),
)
