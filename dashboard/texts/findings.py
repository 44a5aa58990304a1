"""What was found in the store."""

TEXTS: dict[str, tuple[str, str]] = {
    "findings.source": ("文件名包含", "File contains"),
    "findings.place": ("文件:行", "file:line"),
    "findings.choose": ("查看所在的一局", "Look at the hand"),
    "findings.shown": ("共 {count} 条，本页 {first}–{last}", "{count} findings, {first}–{last} on this page"),
    "findings.none": ("库中没有发现任何问题。", "Nothing was found in this store."),
    "findings.none_match": ("没有符合条件的问题。", "No finding matches."),
    "findings.no_record": ("这条问题没有单独存下的记录。", "No record of its own was kept for this finding."),
    "findings.again": (
        "以下是按同一规则重新核对这一条记录的结果；与其他记录有关的问题只列在上表。",
        "This record audited again under the same rules; findings that concern other records stand in the table only.",
    ),
}
