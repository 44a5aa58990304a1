"""Tables and what stands around them."""

TEXTS: dict[str, tuple[str, str]] = {
    "download_csv": ("下载 CSV", "Download CSV"),
    "sample": ("样本", "sample"),
    "few": ("少于 {minimum}", "below {minimum}"),
    "interval": ("95% 区间", "95 % interval"),
    "interval_help": ("威尔逊区间", "Wilson interval"),
    "nothing_counted": ("没有可计的局。", "No hands to count."),
    "first_rows": (
        "显示前 {shown} 行，共 {count} 行；下载文件含全部。",
        "First {shown} of {count} rows; the download has all.",
    ),
}
