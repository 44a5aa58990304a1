"""The catalogue of findings: what each code means, which clause it cites, how it is said in Chinese and English.

Knows words, not rules: whether something is a fault is decided in ``ingest.rules`` and ``ingest.audit``.
"""

from collections.abc import Iterable, Mapping
from string import Formatter
from typing import Any, Literal

import msgspec

from ingest.faults.reasons import in_chinese

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
    words: Mapping[str, Mapping[str, tuple[str, str]]] = {}
    """By detail what it is told as, in Chinese and English, where it is one of some words of ours."""
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
    if not fault.words.keys() <= set(fault.details):
        raise ValueError(f"{fault.code}: words are declared for details that it does not carry")
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
    words = {name: _told(fault, name, details.get(name), language) for name in fault.details}
    return (fault.zh if language == "zh" else fault.en).format_map(words)


def _told(fault: Fault, name: str, value: Any, language: Language) -> str:
    """A detail as it stands in the sentence: a word or a reason of ours in the language, what a log says as it is."""
    if not isinstance(value, str):
        return _word(value)
    said = fault.words.get(name, {}).get(value)
    if said is not None:
        return said[LANGUAGES.index(language)]
    return in_chinese(value) if name == "reason" and language == "zh" else value


def _word(value: Any) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(map(_word, value)) if value else "∅"
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_word(item)}" for key, item in value.items())
    return "-" if value is None else str(value)
