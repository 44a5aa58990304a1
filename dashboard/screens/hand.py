"""One hand of the store, audited again: where every list of hands leads."""

import streamlit as st

from analysis import lookups
from dashboard import address, store, widgets
from dashboard.hand_view import show_hand
from dashboard.text import say
from dashboard.upload import again


def _screen() -> None:
    warehouse = widgets.opened()
    if warehouse is None:
        return
    wanted = address.get("hand")
    number = int(wanted) if wanted.isdecimal() and len(wanted) < 19 else -1
    kept = store.ask(warehouse, lookups.raw_record, number)
    if kept is None:
        widgets.empty(say("hand.unknown"))
        return
    show_hand(again(kept), f"store-{number}")


st.title(say("hand"))
_screen()
