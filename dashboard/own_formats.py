"""Formats of people's own: mappings that a session uploads, offered beside the formats that are built in.

Knows how a mapping is taken, and how it is told that one has mistakes. Refuses to know what stands in one. A mapping is
named in the address by its digest, so that a link to a hand is read as it was.
"""

from collections.abc import Callable

import streamlit as st

from dashboard import address, widgets
from dashboard.shelf import shelf, way_of
from dashboard.text import chosen, say
from ingest.logs import FORMATS, BadMapping

LIMIT = 256 << 10
"""Bytes of a mapping."""
_TROUBLE = "mapping-trouble"
"""In the session: the name of the last mapping where it was not taken, and its mistakes where it was read."""


def _mine() -> list[str]:
    """The digests of the mappings of this session; one name stands there once."""
    return st.session_state.setdefault("mappings", [])


def offered() -> list[str]:
    """The digests of the mappings that may be chosen: those of the session, and that of the address."""
    named = way_of("", address.get("as")).format
    return list(dict.fromkeys([*_mine(), *([named] if named and named not in FORMATS else [])]))


def title(name: str) -> str:
    """What a format is called: one of ours, a mapping by its digest or as reports name it, or none that was named."""
    if name in FORMATS:
        return chosen(FORMATS[name].title_zh, FORMATS[name].title_en)
    own = shelf().mapping(name)
    if own is None:
        return name or say("audit.format_told")
    return own.name if name in _mine() else f"{own.name} ({name[:6]})"


def upload(changed: Callable[[], None]) -> None:
    """Where a mapping is uploaded, and what is wrong with the last one. ``changed`` hears that another is used."""
    name, mistakes = st.session_state.get(_TROUBLE, ("", ""))
    with st.expander(say("audit.mapping_own"), expanded=bool(name), icon=":material/draft:"):
        st.file_uploader(
            say("audit.mapping"),
            type="toml",
            max_upload_size=1,
            key="mapping",
            on_change=_taken,
            args=(changed,),
            help=say("audit.mapping_help"),
        )
        st.caption(say("audit.mapping_limit", limit=LIMIT >> 10))
    if mistakes:
        widgets.trouble(say("audit.mapping_wrong"), mistakes)
    elif name:
        widgets.trouble(say("audit.mapping_large", limit=LIMIT >> 10), name)


def _taken(changed: Callable[[], None]) -> None:
    """A mapping was chosen, replaced or taken away: the log is read with it, or no more."""
    file = st.session_state["mapping"]
    st.session_state.pop(_TROUBLE, None)
    if file is None:
        _leave()
    elif file.size > LIMIT:
        st.session_state[_TROUBLE] = file.name, ""
        return
    else:
        try:
            digest = shelf().put_mapping(file.name, file.getvalue())
        except BadMapping as problem:
            st.session_state[_TROUBLE] = file.name, _lines(problem)
            return
        _choose(digest)
    changed()


def _choose(digest: str) -> None:
    """A mapping of a name takes the place of another of that name."""
    own = shelf().mapping(digest)
    others = [each for each in _mine() if (known := shelf().mapping(each)) and own and known.name != own.name]
    st.session_state["mappings"] = [*others, digest]
    address.put("as", digest)


def _leave() -> None:
    if address.get("as") in _mine():
        _mine().remove(address.get("as"))
        address.put("as", "")


def _lines(problem: BadMapping) -> str:
    """Every mistake with its line, as the command line has it."""
    return "\n".join(f"{problem.source}:{each.line}: {each.key}: {each.problem}" for each in problem.mistakes)
