"""Uploading a log."""

TEXTS: dict[str, tuple[str, str]] = {
    "audit.lead": (
        "上传一份牌谱，逐局核对发牌、叫牌、出牌与得分。",
        "Upload a log: deal, auction, plays and score of every hand are checked.",
    ),
    "audit.file": ("牌谱文件", "Log file"),
    "audit.file_help": (
        "Fupan 牌谱（JSON Lines）及其他支持的格式；可用 .gz、.zst 或 .zip 压缩。",
        "Fupan records (JSON Lines) and the other formats that can be read; .gz, .zst and .zip too.",
    ),
    "audit.formats": ("能读的格式", "Formats that can be read"),
    "audit.rules": ("规则", "Rules"),
    "audit.rules_own": ("按牌谱所写", "as the log says"),
    "audit.rules_help": (
        "牌谱没有写规则时，请在这里选定；选定后整份牌谱都按它核对。",
        "Choose here when the log names none; the whole log is then audited by it.",
    ),
    "audit.running": ("正在复盘……", "Auditing…"),
    "audit.progress": ("已核对 {count} 局", "{count} hands audited"),
    "audit.empty": ("还没有上传牌谱", "No log uploaded yet"),
    "audit.kept_before": ("上次上传的牌谱仍在这里：", "The log uploaded last is still here:"),
    "audit.file_is": ("文件：", "File:"),
    "audit.records": ("记录", "records"),
    "audit.filter_verdict": ("结论", "Verdict"),
    "audit.filter_code": ("代码", "Code"),
    "audit.filter_id": ("局号包含", "Hand id contains"),
    "audit.table": ("逐局结论", "Verdicts"),
    "audit.shown": ("共 {count} 局符合，本页 {first}–{last}", "{count} hands match, {first}–{last} on this page"),
    "audit.choose": ("查看一局", "Look at a hand"),
    "audit.choose_help": ("也可以点选上表中的一行。", "Or click a row of the table above."),
    "audit.line": ("第 {line} 行", "line {line}"),
    "audit.report_csv": ("复盘报告 CSV", "Report as CSV"),
    "audit.report_json": ("复盘报告 JSON Lines", "Report as JSON Lines"),
    "audit.report_help": (
        "整份牌谱的报告；JSON Lines 与 `fupan audit --json` 完全相同。",
        "The report on the whole log; the JSON Lines are those of `fupan audit --json`.",
    ),
    "audit.keep": ("存入牌局库", "Keep in the store"),
    "audit.keep_help": ("同一局只存一次。", "Each hand is kept once."),
    "audit.keeping": ("正在存入……", "Keeping…"),
    "audit.kept": (
        "已存入 {stored} 条；库中原有 {known} 条；牌谱内重复 {repeated} 条。",
        "{stored} kept; {known} were in the store already; {repeated} repeat another of this log.",
    ),
    "audit.keep_failed": ("没有存入：", "Not kept:"),
    "audit.no_store": ("启动时加上 `--store 目录` 才能存入。", "Start with `--store DIR` to keep hands."),
}
