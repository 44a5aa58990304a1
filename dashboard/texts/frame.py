"""The frame: menu, store, what every screen may have to say."""

TEXTS: dict[str, tuple[str, str]] = {
    "product": ("复盘 · 斗地主牌局核对", "Fupan · 斗地主 hands reviewed"),
    "language": ("语言 Language", "Language 语言"),
    "overview": ("总览", "Overview"),
    "audit": ("上传复盘", "Audit a log"),
    "findings": ("问题查询", "Findings"),
    "menu.store": ("牌局库", "Store"),
    "menu.review": ("复盘", "Review"),
    "menu.people": ("玩家与策略", "Players and strategy"),
    "menu.integrity": ("公正", "Integrity"),
    "menu.law": ("统计与规则", "Statistics and rules"),
    "hands": ("牌局", "Hands"),
    "hand": ("一局牌", "One hand"),
    "store": ("牌局库", "Store"),
    "as_of": ("数据版本 {version}", "Data version {version}"),
    "no_store": (
        "还没有选定牌局库。仍可上传牌谱复盘；启动时加上 `--store 目录` 才能保存和统计。",
        "No store was chosen. Logs can be audited all the same; with `--store DIR` hands are kept and counted.",
    ),
    "store_missing": (
        "牌局库还不存在或是空的。请上传牌谱后存入，或运行 `fupan load 牌谱 --store 目录`。",
        "The store does not exist yet or is empty. Upload a log and keep it, or run `fupan load LOG --store DIR`.",
    ),
    "store_unreadable": ("牌局库无法读取：", "The store cannot be read:"),
    "failed": ("查询没有完成：", "The query did not finish:"),
    "go_audit": ("去上传牌谱", "Upload a log"),
    "no_hands": ("还没有牌局", "No hands yet"),
    "crowd.all": (
        "已打开的页面太多（最多 {pages} 个）；请稍后再刷新。",
        "Too many pages are open (at most {pages}); please load this one again later.",
    ),
    "crowd.address": (
        "从这个地址打开的页面太多（最多 {pages} 个）；请先关掉几个，再刷新。",
        "Too many pages are open from this address (at most {pages}); close some, then load this one again.",
    ),
    "broken": (
        "这一页出了错，已记入服务器日志。",
        "Something went wrong on this page; the server's log has the details.",
    ),
}
