"""What stands in charts."""

TEXTS: dict[str, tuple[str, str]] = {
    "chart.total": ("累计", "running total"),
    "chart.score": ("当日", "that day"),
    "chart.value": ("数值", "value"),
    "chart.from": ("下限", "low"),
    "chart.to": ("上限", "high"),
    "chart.hour": ("时", "hour"),
}
