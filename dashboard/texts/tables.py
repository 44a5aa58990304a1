"""Tables and what stands around them."""

TEXTS: dict[str, tuple[str, str]] = {
    "download_csv": ("下载 CSV", "Download CSV"),
    "interval_help": (
        "括号后为 95% 区间（比率用威尔逊区间）；停在数上看分子与分母。",
        "With the 95 % interval (Wilson for rates); rest on a value for its counts.",
    ),
    "few": ("样本少于 {minimum}", "a sample below {minimum}"),
    "behind": ("看牌局", "hands"),
    "rows": ("共 {count} 行", "{count} rows"),
    "order": ("排序", "Order"),
    "order_given": ("默认排序", "usual order"),
    "yes": ("是", "yes"),
    "no": ("否", "no"),
    "nothing_counted": ("没有可计的局。", "No hands to count."),
}
