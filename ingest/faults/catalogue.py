"""The catalogue of findings: what each code means, which clause it cites, how it is said in Chinese and English.

Knows words, not rules: whether something is a fault is decided in ``ingest.rules`` and ``ingest.audit``.
"""

from collections.abc import Iterable, Mapping
from string import Formatter
from typing import Any, Literal

import msgspec

from ingest.faults.decoding import in_chinese

Severity = Literal["fault", "note"]
Phase = Literal["record", "deal", "auction", "play", "settlement"]
Language = Literal["zh", "en"]
LANGUAGES: tuple[Language, ...] = ("zh", "en")


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """One declaration of the catalogue (record.md 6)."""

    code: str
    severity: Severity = "fault"
    phase: Phase
    stops: bool = False
    """Whether no defined state is left and the replay ends here (■ in record.md 6)."""
    title_zh: str
    title_en: str
    """What is wrong, in a few words without details."""
    zh: str
    en: str
    """The sentence; ``{name}`` stands for a detail."""
    details: tuple[str, ...] = ()
    """The details a finding of this code carries."""
    clauses: tuple[str, ...] = ()
    """The clauses of the rulebook that it rests on (rules.md 11), or sections of the contract (``record.md 2``)."""
    more_zh: str = ""
    more_en: str = ""
    """A paragraph for ``fupan explain`` and the code's page."""


class Finding(msgspec.Struct, frozen=True, gc=False):
    """One thing an audit found."""

    code: str
    index: int | None = None
    """Number of the move within its phase, from 0; None for what is about no single move."""
    seat: int | None = None
    details: dict[str, Any] = {}
    enforced: bool = False
    """A note that is a fault under this hand's ruleset (P408, A308)."""


def register(*groups: Iterable[Fault]) -> dict[str, Fault]:
    """Join the declarations of all phases. Raises ``ValueError`` for a code declared twice or a careless sentence."""
    catalogue: dict[str, Fault] = {}
    for fault in (fault for group in groups for fault in group):
        if fault.code in catalogue:
            raise ValueError(f"{fault.code} is declared twice")
        _check_sentences(fault)
        catalogue[fault.code] = fault
    return catalogue


def _check_sentences(fault: Fault) -> None:
    for sentence in (fault.zh, fault.en):
        unknown = _placeholders(sentence) - set(fault.details)
        if unknown:
            raise ValueError(f"{fault.code}: the sentence names details that it does not carry: {sorted(unknown)}")
    if _placeholders(fault.zh) != _placeholders(fault.en):
        raise ValueError(f"{fault.code}: the Chinese and the English sentence name different details")


def _placeholders(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


def say(fault: Fault, details: Mapping[str, Any], language: Language) -> str:
    """The sentence of a finding in one language."""
    words = {name: _word(details.get(name), language) for name in fault.details}
    return (fault.zh if language == "zh" else fault.en).format_map(words)


def _word(value: Any, language: Language) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(_word(item, language) for item in value) if value else "∅"
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_word(item, language)}" for key, item in value.items())
    if value is None:
        return "-"
    if not isinstance(value, str):
        return str(value)
    said = REASONS.get(value)
    if said is not None:
        return said[0 if language == "zh" else 1]
    return in_chinese(value) if language == "zh" else value


REASONS: dict[str, tuple[str, str]] = {
    "void_but_played": ("无人叫牌，却打了牌", "nobody bid, and yet cards were played"),
    "void_not_said": ("无人叫牌，记录却没有写荒牌", "nobody bid, and the record does not say that the hand is void"),
    "landlord_chosen": (
        "已有人叫到地主，记录却写荒牌",
        "a landlord was found, and the record says that the hand is void",
    ),
    "landlord_forced": (
        "规则指定了地主，记录却写荒牌",
        "the rules make a landlord, and the record says that the hand is void",
    ),
    "unfinished": ("没有打完", "the hand was not played to its end"),
    "bid": ("记录里没有叫牌，不知底分", "the record has no auction, so that the bid is not known"),
    "redouble": ("规则集有加倍，而记录里没有这一项", "the ruleset has 加倍, which no field of a record tells"),
    "balances": ("规则集要求计入各家余额，而记录没有写全", "the ruleset needs every balance, and the record lacks one"),
    "maybe_forced": (
        "庄家手牌没有公开，不知其是否被插后强制叫牌",
        "the landlord's hand is hidden, and he may have been forced to bid after a 插",
    ),
    "no_landlord": ("地主产生之前有人离开", "somebody left before there was a landlord"),
}
"""Reasons that a detail names by a word, as people are told them."""
