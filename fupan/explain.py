"""What a code means, for people: the text of ``fupan explain``."""

from fupan.words import word
from ingest.faults import Fault, Language


def page(fault: Fault, language: Language) -> str:
    """A code's severity, meaning, sentence and the clauses it rests on."""
    chinese = language == "zh"
    head = f"{fault.code} · {fault.title_zh if chinese else fault.title_en}"
    kind = word(f"severity_{fault.severity}", language) + (f" · {word('stops', language)}" if fault.stops else "")
    parts = [head, kind, "", fault.zh if chinese else fault.en, fault.more_zh if chinese else fault.more_en, ""]
    if fault.details:
        parts.append(f"{word('details', language)}: {', '.join(fault.details)}")
    parts.append(f"{word('cites', language)}: {', '.join(fault.clauses)}")
    return "\n".join(parts)
