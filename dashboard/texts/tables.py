"""Tables and what stands around them."""

TEXTS: dict[str, tuple[str, str]] = {
    "download_csv": ("下载 CSV", "Download CSV"),
    "few": ("样本少于 {minimum}", "a sample below {minimum}"),
    "rows": ("共 {count} 行", "{count} rows"),
    "order": ("排序", "Order"),
    "order_given": ("默认排序", "usual order"),
    "yes": ("是", "yes"),
    "no": ("否", "no"),
    "nothing_counted": ("没有可计的局。", "No hands to count."),
}
