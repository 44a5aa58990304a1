"""Questions of people's own."""

TEXTS: dict[str, tuple[str, str]] = {
    "questions": ("自由查询", "Custom questions"),
    "questions.lead": (
        "用一条 SELECT 语句向牌局库提问。只能读所列的表，写不了任何东西；"
        "最多 {seconds:g} 秒、{rows} 行、{megabytes} MB。",
        "Ask the store with one SELECT. Only the tables named here can be read and nothing can be written; {seconds:g} "
        "seconds, {rows} rows and {megabytes} MB at most.",
    ),
    "questions.example": ("从例子开始", "Start from an example"),
    "questions.example_none": ("选一个例子……", "choose one…"),
    "questions.sql": ("问题（SQL）", "Question (SQL)"),
    "questions.sql_help": ("Ctrl+Enter 也可以提交。", "Ctrl+Enter asks, too."),
    "questions.ask": ("查询", "Ask"),
    "questions.asking": ("正在查询……", "Asking…"),
    "questions.empty": ("还没有提问", "No question yet"),
    "questions.empty_more": (
        "写一条 SELECT，或者从上面的例子开始。网址里带着问题，可以收藏或发给别人。",
        "Write a SELECT or start from an example. The address holds the question, so it can be kept and sent.",
    ),
    "questions.not_answered": ("没有得出结果", "Not answered"),
    "questions.said": ("数据库的原话", "What the database said"),
    "questions.rows": ("{count} 行，用时 {seconds:.2f} 秒", "{count} rows in {seconds:.2f} s"),
    "questions.cut_rows": (
        "只取了前 {count} 行，请用 WHERE、LIMIT 或汇总来缩小范围。",
        "Cut off after {count} rows: narrow it with WHERE, LIMIT or sums.",
    ),
    "questions.cut_size": (
        "结果太大，只取了前 {count} 行，请少取几列或先汇总。",
        "The answer is too large: cut off after {count} rows. Take fewer columns, or sums.",
    ),
    "questions.none": ("没有符合条件的行。", "No row matches."),
    "questions.tables": ("表与列", "Tables and columns"),
    "questions.find": ("查找列", "Find a column"),
    "questions.find_help": ("列名或说明中的文字", "part of a name or of its meaning"),
    "questions.found": ("没有这样的列。", "No such column."),
    "questions.past": (
        "被更正的牌局（fupan load --replace）在 past_hands、past_seats、past_moves、past_findings、past_raw、"
        "past_mismatches 里，列相同。另有函数 rate(k, n)、wilson_low(k, n)、wilson_high(k, n)：比率与 95% 区间。",
        "Hands that were replaced (fupan load --replace) are in past_hands, past_seats, past_moves, past_findings, "
        "past_raw and past_mismatches, with the same columns. Functions: rate(k, n), wilson_low(k, n) and "
        "wilson_high(k, n), a rate and its 95 % interval.",
    ),
    "questions.page": ("本页 {first}–{last} 行", "rows {first}–{last}"),
    "download_parquet": ("下载 Parquet", "Download Parquet"),
    "download_json": ("下载 JSON", "Download JSON"),
}
