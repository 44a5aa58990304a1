"""The sentences of the command line, in Chinese and English."""

import os
from collections.abc import Sequence
from itertools import pairwise

from ingest.faults import LANGUAGES, Language

_WORDS: dict[str, tuple[str, str]] = {
    "compiling": (
        "本机首次使用：正在编译快速路径，约一分钟（以后不再需要；fupan warm-up 可事先编译）",
        "First use on this machine: compiling the fast path, about a minute (once; fupan warm-up does it ahead)",
    ),
    "refused_ruleset": (
        "--rules：没有名为 {name} 的规则集；现有 {known}",
        "--rules: no ruleset {name}; there are {known}",
    ),
    "refused_game": ("--rules：{name} 是另一种玩法", "--rules: {name} is another game"),
    "refused_file": ("{name}：没有这个文件或文件夹", "{name}: no such file or folder"),
    "refused_memory": (
        "{problem}（读日志时要记住的内容写不下去：磁盘满了吗？）",
        "{problem} (what is remembered while logs are read: is the disk full?)",
    ),
    "refused_ours": (
        "程序自身的错误，请报告：{problem}（FUPAN_DEBUG=1 会显示更多）",
        "a mistake of our own, please report it: {problem} (FUPAN_DEBUG=1 shows more)",
    ),
    "compiled": ("快速路径已编译", "the fast path is compiled"),
    "no_numba": (
        "没有安装 Numba（fast 附加包），或不许它编译：一切照常，但较慢",
        "Numba (the fast extra) is not installed, or may not compile: all works, slower",
    ),
    "again": (
        "重新审核 {hands} 局，结论不同的有 {changes} 局",
        "{hands} hands audited again, {changes} are told otherwise",
    ),
    "other_scores": ("得分不同", "scores differ"),
    "unknown_law": (
        "库里有些牌局是按自定规则审核的（{names}），请用 --rules 指明规则",
        "the store has hands audited under rules of one's own ({names}): name rules with --rules",
    ),
    "no_combination": ("不是牌型", "no combination"),
    "beats": ("可以", "yes"),
    "does_not_beat": ("不可以", "no"),
    "ruleset_sound": ("规则文件无误", "no mistakes"),
    "unknown_code": ("没有这个代码", "no such code"),
    "compacted": ("原有 {before} 批，现有 {after} 批", "{before} batches before, {after} now"),
    "upgrade_room": (
        "新的文件约需 {needed}（旧的文件再留一小时），磁盘还有 {free}",
        "the new files take about {needed}, beside the old ones for an hour; the disk has {free}",
    ),
    "upgrade_none": ("已是今天的格式（第 {version} 版）", "the store is one of today's (version {version})"),
    "upgraded": (
        "第 {before} 版已成为第 {now} 版：{hands:,} 行重新审核，结论不同的有 {changed:,} 行",
        "version {before} is version {now} now: {hands:,} rows audited anew, {changed:,} are told otherwise",
    ),
    "upgrade_repeated": (
        "{count:,} 行是当时没有认出的同一局，改列为重复（R108）",
        "{count:,} rows are the same hand again, which was not recognised then, and are listed so (R108)",
    ),
    "upgrade_rules": (
        "{hands:,} 局所用的规则 {rules} 与当时不完全相同",
        "{hands:,} hands: the rules {rules} are not letter for letter those of the time",
    ),
    "upgrade_law": (
        "库里有些牌局是按自定规则审核的（{names}），请用 --rules 文件 指明，每种一次",
        "the store has hands audited under rules of one's own ({names}): name each with --rules FILE",
    ),
    "prepared": ("已存好 {answers} 项答案", "{answers} answers are kept"),
    "dashboard_at": ("看板地址", "dashboard at"),
    "access_local": ("只有本机能打开。", "Only this machine can open it."),
    "access_login": (
        "本机所在网络都能打开；须经 secrets.toml 中 [auth] 的登录（OIDC）。{who}",
        "Open to the network of this machine; people log in with the provider of [auth] in secrets.toml (OIDC). {who}",
    ),
    "access_anybody": (
        "凡登录服务放行的人都能进入；用 [fupan] allowed 限定。",
        "Whoever the provider lets in may enter; [fupan] allowed narrows that.",
    ),
    "access_allowed": ("只许：{names}。", "Only: {names}."),
    "access_proxy": (
        "本机所在网络都能打开，而看板自己不查身份：请让代理先行认证，并挡住其他来路。",
        "Open to the network of this machine, and the dashboard asks nobody who he is: the proxy must do so, and no "
        "other way may lead here.",
    ),
    "access_local_proxy": (
        "只有本机的代理能打开，看板自己不查身份：请让代理先行认证。",
        "Only a proxy on this machine reaches it, and the dashboard asks nobody who he is: the proxy must do so.",
    ),
    "public_refused": (
        "--public：没有设好登录，不会对外开放。请设好登录；若前面的代理会认证，请加上 --behind-proxy"
        "（见 docs/dashboard.md）。",
        "--public: no login is set up, so the dashboard is not opened to others. Set one up, or say --behind-proxy "
        "where a proxy asks people who they are (docs/dashboard.md).",
    ),
    "auth_none": ("secrets.toml 里没有 [auth]。", "secrets.toml has no [auth]."),
    "auth_missing": ("secrets.toml 缺少：{keys}", "secrets.toml lacks: {keys}"),
    "auth_short": (
        "auth.cookie_secret 太短，至少 {letters} 个字符。",
        "auth.cookie_secret is too short: {letters} characters at least.",
    ),
    "auth_library": (
        "没有安装登录所需的 Authlib：pip install 'fupan[login]'",
        "Authlib, which logging in needs, is not installed: pip install 'fupan[login]'",
    ),
    "hands": ("局", "hands"),
    "clean": ("合规", "clean"),
    "faulty": ("有问题", "faulty"),
    "unreadable": ("无法读取", "unreadable"),
    "notes": ("提示", "notes"),
    "by_code": ("按代码", "by code"),
    "more": ("另有 {count} 条未列出（--json 列出全部）", "{count} more not shown (--json lists all)"),
    "nothing": ("没有找到任何一局", "no hands found"),
    "move": ("第 {index} 手", "move {index}"),
    "seat": ("座位 {seat}", "seat {seat}"),
    "bid_move": ("叫牌第 {index} 次", "call {index}"),
    "times": ("×{count}", "×{count}"),
    "multiplier": ("倍数", "multiplier"),
    "unit": ("每家输赢", "unit"),
    "scores": ("得分", "scores"),
    "no_scores": ("这些事实不足以算分", "no scores from these facts"),
    "severity_fault": ("错误", "fault"),
    "severity_note": ("提示", "note"),
    "stops": ("复盘到此为止", "the replay ends here"),
    "cites": ("依据", "rests on"),
    "details": ("细节", "details"),
    "passed_over": ("略过 {count} 个：", "passed over {count}:"),
    "more_files": ("另有 {count} 个文件", "{count} more files"),
    "no_format": ("格式不明", "not a log"),
    "repeated": ("重复", "repeated"),
    "replaced": ("替换", "replaced"),
    "refused": ("未收", "refused"),
    "continued": ("上次已读过", "read the last time"),
    "mapping_sound": ("格式描述无误", "no mistakes"),
    "own_read": ("{hands} 局，其中没能读成记录的 {unread} 处", "hands: {hands}; not read: {unread}"),
    "own_found": ("在多少局中有值：", "Hands in which each key has a value:"),
    "own_moves": ("叫牌与出牌的条数：", "Rows that are calls and plays:"),
    "own_unused": (
        "描述没有用到的列或键（及出现的局数）：",
        "Columns and keys that nothing reads, and hands that have them:",
    ),
    "own_troubles": ("没能读懂的内容：", "What could not be read:"),
    "own_records": ("前几局读成的记录：", "The first hands as records:"),
    "own_first": ("首见于", "first at"),
    "own_card": ("牌", "card"),
    "own_seat": ("座位", "seat"),
    "own_word": ("用语", "word"),
    "own_number": ("数", "number"),
    "own_time": ("时间", "time"),
    "own_missing": ("缺少的字段", "missing field"),
    "own_row": ("行", "row"),
    "own_shape": ("内容", "value"),
    "own_text": ("文本", "text"),
    "own_file": ("文件", "file"),
    "read": ("读取", "read"),
    "stored": ("新存入", "stored"),
    "known": ("已有", "known before"),
    "store_sound": (
        "全部完好：{batches} 批，{hands:,} 行",
        "everything is as it was written: batches {batches}, rows {hands:,}",
    ),
    "store_damaged": (
        "仓库有损坏；修复：fupan store repair --store {store}",
        "the store is damaged: fupan store repair --store {store}",
    ),
    "damage_missing": ("文件不见了", "the file is missing"),
    "damage_size": ("长度与写入时不同", "it has another length than when it was written"),
    "damage_bytes": ("内容与写入时不同", "its bytes are not those that were written"),
    "damage_rows": ("其中的行与其他文件矛盾", "its rows contradict other files"),
    "damage_depends": ("它替换了损坏批次中的局", "it took the place of hands in a damaged batch"),
    "left_out_batches": (
        "已略去损坏的批次：{batches}；修复：fupan store repair --store {store}",
        "damaged batches are left out: {batches}; mend it with fupan store repair --store {store}",
    ),
    "put_aside": ("已移到一边：{folder}", "put aside: {folder}"),
    "load_again": (
        "少了 {hands:,} 行。请重新载入（文件:首行-末行，条数）：",
        "{hands:,} rows are gone. Load again (file:first-last line, entries):",
    ),
    "more_logs": ("另有 {count} 个文件，名字已失", "{count} more logs, whose names are lost"),
    "nothing_to_repair": ("没有需要修复的", "nothing needs repair"),
    "filter_form": ("--where {given}：要写成 KEY=VALUE", "--where {given}: KEY=VALUE"),
    "filter_twice": (
        "--where {filter} 给了两次（{first}、{second}），只能给一个值",
        "--where {filter} is given twice ({first}, {second}): one value only",
    ),
    "filter_empty": (
        "--where {filter}= 没有值；不按它筛选就不要写",
        "--where {filter}= has no value; leave it out to narrow nothing",
    ),
    "filter_empty_id": (
        "；编号为空的，用 --sql 查：WHERE {column} = ''",
        "; an id that is empty is asked for with --sql: WHERE {column} = ''",
    ),
    "filter_of_nothing": ("--where 要有统计的名称", "--where narrows a statistic: name one"),
    "filter_unknown": (
        "--where {filter}：{name} 可用的筛选是 {possible}",
        "--where {filter}: {name} can be narrowed by {possible}",
    ),
    "unknown_statistic": (
        "没有名为 {name} 的统计{near}；fupan stats --store {store} 列出全部",
        "unknown statistic: {name}{near}; fupan stats --store {store} lists all",
    ),
    "near": ("（是不是 {names}？）", " (did you mean {names}?)"),
    "sql_alone": ("--sql 单独使用，不能加统计名或 --where", "--sql stands alone, without a statistic and --where"),
    "sql_limits": ("--rows 与 --seconds 只用于 --sql", "--rows and --seconds go with --sql only"),
    "sql_folder": (
        "--sql {path}：是文件夹，不是写有问题的文件",
        "--sql {path}: is a folder, not a file with a question",
    ),
    "sql_unread": ("--sql {path}：不能读（{why}）", "--sql {path}: cannot be read ({why})"),
    "sql_encoding": (
        "--sql {path}：不是 UTF-8{like}，请另存为 UTF-8",
        "--sql {path}: is not UTF-8{like}; save it as UTF-8",
    ),
    "sql_like": ("，像是 {encoding}", ", but looks like {encoding}"),
    "extends": ("基于", "extends"),
    "marked": (
        "攀升类玩法各规则集的不同之处（* 与所基于的规则集不同）：",
        "Where the climbing games differ (* from the parent):",
    ),
    "bomb": ("炸弹", "bombs"),
    "rocket": ("王炸", "rocket"),
    "spring": ("春天", "spring"),
    "anti_spring": ("反春天", "anti-spring"),
    "void": ("荒番", "void hands before"),
    "marker": ("标记牌为王", "marker is a joker"),
    "open": ("摊打", "open play"),
    "rob": ("抢地主", "robs"),
    "level": ("级别", "level"),
    "opening": ("叫 50 分起翻倍", "opened at 50 or less"),
}


def word(key: str, language: Language, **values: object) -> str:
    """A word or sentence in one language."""
    return _WORDS[key][0 if language == "zh" else 1].format_map(values)


def language_asked_for(words: Sequence[str]) -> Language:
    """The language that ``--lang`` among the words of a command names, else that of the system."""
    named = [after for before, after in pairwise(words) if before == "--lang"]
    named += [each.removeprefix("--lang=") for each in words if each.startswith("--lang=")]
    told = [each for each in LANGUAGES if each in named]
    return told[0] if told else language_of_system()


def language_of_system() -> Language:
    """Chinese where the environment says so, else English."""
    spoken = next((os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), "")
    return "zh" if spoken.startswith("zh") else "en"
