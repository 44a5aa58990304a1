"""What a person asks of a store on the command line: filters, the name of a statistic, a file with a question.

Knows how they are written, and says in one line what is wrong with them. Refuses to know what they mean.
"""

from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path

from analysis.catalogue import statistics
from analysis.questions import LETTERS, Refusal
from fupan.questions import Refused
from fupan.words import word
from ingest.faults import Language
from ingest.logs.encodings import encoding_of

EMPTY_IDS = {"player": "player", "table": "table_id"}
"""Filters whose value a record may leave empty, and the column in which that stands."""
_LONGEST = 4 * LETTERS
"""Bytes of the longest question."""


def filters(given: Sequence[str], language: Language) -> dict[str, str]:
    """``KEY=VALUE`` by key. Raises ``Refused`` for what is written otherwise, twice or without a value."""
    found: dict[str, str] = {}
    for text in given:
        key, equals, value = text.partition("=")
        if not equals:
            raise Refused(word("filter_form", language, given=text))
        if key in found:
            raise Refused(word("filter_twice", language, filter=key, first=found[key], second=value))
        if not value:
            more = word("filter_empty_id", language, column=EMPTY_IDS[key]) if key in EMPTY_IDS else ""
            raise Refused(word("filter_empty", language, filter=key) + more)
        found[key] = value
    return found


def unknown(name: str, store: Path, language: Language) -> str:
    """What to say where no statistic has this name: those that may be meant, by name or title."""
    spelt = {title.lower(): each.name for each in statistics().values() for title in (each.title_zh, each.title_en)}
    spelt |= {each: each for each in statistics()}
    found = dict.fromkeys(spelt[near] for near in get_close_matches(name.lower(), spelt, 3, 0.5))
    near = word("near", language, names=", ".join(found)) if found else ""
    return word("unknown_statistic", language, name=name, near=near, store=store)


def question(path: Path, language: Language) -> str:
    """The text of a file with a question. Raises ``Refused``, and ``FileNotFoundError``."""
    try:
        with path.open("rb") as stream:
            text = stream.read(_LONGEST + 1)
    except FileNotFoundError:
        raise
    except IsADirectoryError:
        raise Refused(word("sql_folder", language, path=path)) from None
    except OSError as problem:
        raise Refused(word("sql_unread", language, path=path, why=problem.strerror)) from None
    if len(text) > _LONGEST:
        raise Refused(Refusal("long", limit=LETTERS).sentence(language))
    try:
        return text.decode("utf-8-sig")
    except UnicodeDecodeError:
        told = encoding_of(text)
        like = word("sql_like", language, encoding=told) if told else ""
        raise Refused(word("sql_encoding", language, path=path, like=like)) from None
