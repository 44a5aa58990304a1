"""The formats of logs that can be read, and what each of them can say (support/NAME.toml).

Knows names and titles. What stands inside a log is known to the module of its format.
"""

import tomllib
from importlib import resources
from typing import Literal

import msgspec


class Support(msgspec.Struct, frozen=True):
    """Whether a format says what a field of the record holds."""

    says: Literal["yes", "no", "derived"]
    """``derived``: not said in so many words, but it follows from what is said."""
    zh: str = ""
    en: str = ""


class Format(msgspec.Struct, frozen=True, kw_only=True):
    """One format of logs."""

    name: str
    title_zh: str
    title_en: str
    note_zh: str = ""
    note_en: str = ""
    """What else must be known of it."""
    needs: tuple[str, ...] = ()
    """Fields of the record that somebody else must say, as ``--rules`` does."""
    accepts: tuple[str, ...] = ()
    """The formats for which this one is another name."""
    fields: dict[str, Support] = {}
    """What it says, by field of the record."""


def _load() -> dict[str, Format]:
    files = [file for file in resources.files("ingest.logs").joinpath("support").iterdir() if file.name[-5:] == ".toml"]
    named = {file.name.removesuffix(".toml"): tomllib.loads(file.read_text("utf-8")) for file in files}
    order = sorted(named, key=lambda name: (name != "native", name))
    return {name: msgspec.convert(named[name] | {"name": name}, Format) for name in order}


FORMATS = _load()
"""Every format, by the name that ``--format`` takes; Fupan's own first."""
