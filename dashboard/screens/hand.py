"""One hand: of the store, where every list of hands leads, or of an uploaded log."""

import streamlit as st

from analysis import lookups
from dashboard import address, links, store, widgets
from dashboard.hand_view import show_hand
from dashboard.shelf import Gone, Way, shelf, way_of
from dashboard.text import say
from dashboard.upload import Audit, again


def _number(word: str) -> int:
    """A number of the address; -1 where it is none."""
    return int(word) if word.isdecimal() and len(word) < 19 else -1


def _of_store() -> None:
    warehouse = widgets.opened()
    if warehouse is None:
        return
    number = _number(address.get("hand"))
    kept = store.ask(warehouse, lookups.raw_record, number)
    if kept is None:
        widgets.empty(say("hand.unknown"))
        return
    show_hand(again(kept), f"store-{number}")


def _of_upload(digest: str) -> None:
    """A hand of an uploaded log, with the ways to its neighbours."""
    upload = shelf().get(digest)
    if upload is None:
        widgets.empty(say("audit.gone"), say("audit.gone_more"))
        return
    way = way_of(address.get("under"), address.get("as"))
    try:
        with st.spinner(say("audit.running")):
            audit = shelf().audit(upload, way)
    except Gone:
        widgets.empty(say("audit.mapping_gone"), say("audit.mapping_gone_more"))
        return
    place = _number(address.get("place")) - 1
    if not 0 <= place < len(audit.verdicts):
        widgets.empty(say("hand.unknown"))
        return
    _neighbours(audit, place, way)
    show_hand(audit.hand(place), f"{digest[:12]}-{way.rules}-{way.format}-{place}")


def _neighbours(audit: Audit, place: int, way: Way) -> None:
    """How one looks at a hand, masked or from one seat, one looks at its neighbours."""
    words = {"log": audit.upload.digest, "under": way.rules or "", "as": way.format or ""}
    looks = {key: address.get(key) for key in (address.MASK, "seat")}
    count, verdicts = len(audit.verdicts), audit.verdicts
    found = next((n for n in range(place + 1, count) if verdicts[n].findings), None)
    ways = (
        (say("audit.before"), "chevron_left", place - 1 if place else None),
        (say("audit.next"), "chevron_right", place + 1 if place + 1 < count else None),
        (say("audit.next_found"), "flag", found),
    )
    with st.container(horizontal=True):
        links.button("audit", say("audit.back", name=say("audit")), "arrow_upward", **words)
        for label, icon, to in ways:
            links.button("hand", label, icon, disabled=to is None, **words, **looks, **_at(to))


def _at(place: int | None) -> dict[str, int]:
    return {} if place is None else {"place": place + 1}


st.title(say("hand"))
if address.get("log"):
    _of_upload(address.get("log"))
else:
    _of_store()
