"""The replay of a hand: what the component in ``assets/`` is given, scene by scene.

Knows how scenes are called in both languages. Refuses to know rules: scenes come from ``ingest.scenes``. From one seat
the browser is not even sent what that seat cannot know; another view is asked for, not chosen from what is there.
"""

from functools import cache
from importlib import resources
from typing import Any

import streamlit as st
from msgspec import Struct

from dashboard import address
from dashboard.bidi import isolated
from dashboard.text import TEXTS, chosen, language, reading_name, say
from ingest.batch import Judged
from ingest.cards import UnreadableCards, split_cards
from ingest.faults import CATALOGUE, Finding, message, severity
from ingest.hand import Story, role_words
from ingest.record import CALL, PASS, ROB
from ingest.scenes import Option, Scene, scenes, seen_by, sees_bottom

WORDS = (
    "cards no_trump pass trump points standing unjudged must_pass could could_lead not_told and_more too_many "
    "first back start stop next last fault_before fault_after view all_open seen_by link"
).split()
BOMBS = ("bomb", "rocket")
BURYING = ("T509", "T510")
"""What is found as the landlord names trumps and buries, which is no move of the play."""


@cache
def _component() -> Any:
    assets = resources.files("dashboard").joinpath("assets")
    script, faces, style = (
        assets.joinpath(name).read_text("utf-8") for name in ("replay.js", "cards.js", "replay.css")
    )
    return st.components.v2.component(
        "fupan.replay", html='<div class="replay"></div>', css=style, js=f"{faces}\n{script}"
    )


def replay(judged: Judged, ident: str) -> None:
    """The table, to be stepped through. ``ident``: what tells this hand from others on this page."""
    hand = judged.hand
    found = [] if hand is None else scenes(hand)
    if hand is None or not found:
        st.text(say("replay.none"))
        return
    seat = view(hand)
    given = told(judged, hand, found, seat) | {
        "id": f"{ident}-{language()}",
        "move": address.get("move"),
        "view": seat,
    }
    _component()(data=given, key="replay", on_shown_change=_moved)
    st.caption(say("replay.how"))


def _moved() -> None:
    """Somebody stays at a scene: the address says which."""
    shown = st.session_state["replay"].get("shown") or {}
    for word in address.BROWSERS:
        address.put(word, str(shown.get(word, "")))


def view(hand: Story) -> int | None:
    """The seat that the address says one looks from; None where all hands are open."""
    seat = address.get("seat")
    known = hand.dealt is not None and seat.isdecimal() and len(seat) < 3 and int(seat) < len(hand.record.players)
    return int(seat) if known else None


class Reached(Struct, frozen=True):
    """How far a hand has come at the scene that one looks at."""

    calls: int = 0
    plays: int = 0
    bottom: bool = False
    """Whether the landlord has it."""


def reached(hand: Story) -> Reached:
    """How far a hand has come at the scene that the address names; nowhere where it names none."""
    key, calls, plays = address.get("move"), len(hand.calls), len(hand.moves)
    if key in ("bottom", "end"):
        return Reached(calls, plays if key == "end" else 0, bottom=True)
    word = key.removeprefix("a")
    number = int(word) if word.isdecimal() and len(word) < 6 else 0
    if not 0 < number <= (plays if key == word else calls):
        return Reached()
    return Reached(calls, number, bottom=True) if key == word else Reached(number)


def told(judged: Judged, hand: Story, found: list[Scene], seat: int | None = None) -> dict[str, Any]:
    """Everything that is shown of a hand; of one ``seat``, what it can know."""
    landlord, farmer = role_words(hand.rules, language())
    tricks = hand.record.trump is not None
    words = {name: say(f"replay.{name}") for name in WORDS}
    words |= {
        "bottom": say("replay.buried" if tricks else "replay.bottom"),
        "won": say("replay.won", role=farmer),
    }
    bottom = hand.record.buried if tricks else hand.record.bottom
    findings = _by_scene(judged.verdict.findings, found)
    return {
        "words": words,
        "landlord": landlord,
        "trump": hand.record.trump,
        "bottom": _cards(bottom) if seat is None or sees_bottom(seat, hand) else None,
        "seats": [{"name": name_of(each, hand)} for each in range(len(hand.record.players))],
        "scenes": _with_standing([_scene(scene, hand, own, seat) for scene, own in zip(found, findings, strict=True)]),
    }


def _with_standing(told: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Every scene with what the cards stand for that are to be beaten."""
    stands = ""
    for scene in told:
        stands = scene["reading"] if scene["cards"] else stands
        scene["stands"] = stands
    return told


def _cards(text: str | None) -> list[str] | None:
    try:
        return None if text is None else split_cards(text)
    except UnreadableCards:
        return None


def key_of(phase: str, index: int | None) -> str:
    """What the address calls a scene: 17 is the seventeenth play, a2 the second word of the auction."""
    return phase if index is None else f"{'a' if phase == 'auction' else ''}{index + 1}"


AS_TOLD = "phase seat cards thrown judged hands left table owner more landlord bid trick trick_points points".split()
"""What the component is given as the scene has it."""


def _scene(whole: Scene, hand: Story, findings: list[Finding], seat: int | None) -> dict[str, Any]:
    """One scene as the component draws it, with what was found at it."""
    scene = whole if seat is None else seen_by(whole, seat, hand)
    reading = _reading(scene.readings)
    return {name: getattr(scene, name) for name in AS_TOLD} | {
        "key": key_of(scene.phase, scene.index),
        "title": _title(scene),
        "told": _told(scene, hand, reading),
        "said": "" if scene.word is None else _word(scene.word),
        "reading": reading,
        "trick_title": "" if scene.trick is None else say("replay.trick", number=scene.trick),
        "bomb": any(name in BOMBS for name, _ in scene.readings),
        "bottom_shown": scene.phase in ("bottom", "play") and scene.landlord is not None,
        "lead": all(cards is None for place, cards in enumerate(scene.table) if place != scene.seat),
        "options": None if scene.options is None else [_option(option) for option in scene.options],
        "not_told": whole.options is not None and scene.options is None,
        "worth": _worth(scene),
        "findings": [_finding(each, seat) for each in findings],
    }


def _option(option: Option) -> dict[str, Any]:
    return {"cards": option.cards, "reading": _reading([option.reading] if option.reading else [])}


def _by_scene(findings: list[Finding], found: list[Scene]) -> list[list[Finding]]:
    """What was found, scene by scene."""
    places = [(place_of(each, found), each) for each in findings]
    return [[each for place, each in places if place == number] for number in range(len(found))]


def place_of(finding: Finding, found: list[Scene]) -> int | None:
    """The scene at which something was found; None where it is about no part of the hand.

    What is about no single move stands where its phase ends: of an auction at its last word, of the play, the claim and
    the score at the end of the hand; what was buried, where it was.
    """
    phase = "bottom" if finding.code in BURYING else CATALOGUE[finding.code].phase
    if finding.index is not None:
        known = ((scene.phase, scene.index) == (phase, finding.index) for scene in found)
        return next((number for number, is_it in enumerate(known) if is_it), None)
    if phase in ("auction", "bottom"):
        return max(number for number, scene in enumerate(found) if scene.phase in ("deal", phase))
    return {"deal": 0, "play": len(found) - 1, "settlement": len(found) - 1}.get(phase)


def _finding(finding: Finding, seat: int | None) -> dict[str, str]:
    fault = CATALOGUE[finding.code]
    title = chosen(fault.title_zh, fault.title_en)
    said = {"code": finding.code, "severity": severity(finding), "title": title}
    return said | {"message": message(finding, language()) if may_tell(finding, seat) else say("replay.not_said")}


def may_tell(finding: Finding, seat: int | None) -> bool:
    """Whether a seat may read the sentence of a finding: one about others names what they hold."""
    return seat is None or finding.seat == seat or CATALOGUE[finding.code].phase == "settlement"


def _title(scene: Scene) -> str:
    number = 0 if scene.index is None else scene.index + 1
    key = {"auction": "call", "play": "move", "bottom": "takes"}.get(scene.phase, "deal")
    return say(f"replay.{key}", number=number)


def _told(scene: Scene, hand: Story, reading: str) -> str:
    """One sentence about a scene."""
    if scene.phase == "deal" or scene.seat is None:
        return say("replay.told_deal")
    name = name_of(scene.seat, hand)
    if scene.phase == "bottom":
        return say("replay.told_buried" if hand.record.trump else "replay.told_bottom", name=name)
    if scene.phase == "auction":
        return f"{name} {_word(scene.word or PASS)}"
    if not scene.cards:
        return say("replay.told_pass", name=name)
    return say("replay.told_play", name=name, what=reading or say("replay.told_cards", count=len(scene.cards)))


def name_of(seat: int, hand: Story) -> str:
    """What a seat's player is called, fit to stand among other words."""
    players = hand.record.players
    known = seat < len(players)
    return isolated(players[seat].name or players[seat].id) if known else say("seat", seat=seat)


def _word(word: str) -> str:
    words = {PASS: say("hand.no_bid"), CALL: say("hand.call"), ROB: say("hand.rob")}
    return words.get(word) or say("hand.bid", bid=word)


def _reading(readings: list[tuple[str, int]]) -> str:
    names = [reading_name(name) + (f" ×{length}" if length > 1 else "") for name, length in readings]
    return " / ".join(dict.fromkeys(names))


def _worth(scene: Scene) -> dict[str, Any] | None:
    """What is multiplied so far."""
    total = scene.unit if scene.unit is not None else scene.multiplier
    if not scene.terms or total is None:
        return None
    terms = [{"name": _term(term.name, term.count), "value": term.value} for term in scene.terms]
    return {"terms": terms, "total": total, "title": say("replay.multiplier" if scene.unit is None else "replay.unit")}


def _term(name: str, count: int | None) -> str:
    key = f"factor.{name}"
    return (say(key) if key in TEXTS else name) + (f" ({count})" if count is not None else "")
