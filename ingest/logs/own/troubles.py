"""What could not be read of a hand: of which kind it is, where it stands, what stands there.

Knows which finding says so. Refuses to know how anything is read.
"""

from typing import Any

import msgspec

from ingest.faults import Finding

SHOWN = 80
"""Letters shown of what could not be read."""
KEPT = 20
"""Troubles told of one hand; what has more is wrong throughout."""


class Trouble(msgspec.Struct, frozen=True):
    """One thing of a hand that could not be read."""

    kind: str
    """``card`` ``seat`` ``word`` ``number`` ``time`` ``missing`` ``row`` ``shape`` ``text``."""
    code: str
    field: str = ""
    """The field of the record, ``plays[12].cards``."""
    text: str = ""
    """What stands there."""
    reason: str = ""
    line: int = 0
    """The line or row, 0 for that of the hand."""

    @property
    def finding(self) -> Finding:
        """How an audit says it."""
        field = f"{self.field} ({self.line})" if self.line else self.field
        details = {"field": field, "text": self.text, "reason": self.reason or self.text}
        wanted = {"R102": ("field",), "R103": ("field", "reason"), "R105": ("field", "text")}.get(
            self.code, ("reason",)
        )
        return Finding(self.code, details={name: details[name] for name in wanted})


class Unread(Exception):
    """Something of a hand that could not be read."""

    def __init__(self, kind: str, code: str, *, text: Any = "", reason: str = "", field: str = "") -> None:
        super().__init__(kind, text, reason)
        self.trouble = Trouble(kind, code, field=field, text=shown(text), reason=reason)


def unreadable(kind: str, text: Any) -> Unread:
    """A card, a seat or a word that nobody knows (R105)."""
    return Unread(kind, "R105", text=text)


def impossible(kind: str, text: Any, reason: str) -> Unread:
    """A value that no field can have (R103)."""
    return Unread(kind, "R103", text=text, reason=f"{reason}: {shown(text)}")


def missing() -> Unread:
    """A place of the mapping that the source does not have (R102)."""
    return Unread("missing", "R102")


def shown(given: Any) -> str:
    """What stands in the source, in one short line."""
    if isinstance(given, str):
        return given[:SHOWN]
    try:
        return msgspec.json.encode(given, enc_hook=str).decode()[:SHOWN]
    except (TypeError, ValueError, RecursionError):
        return str(given)[:SHOWN]
