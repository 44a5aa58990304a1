"""Botzone's own words for a match of FightTheLandlord (FTL1) and FightTheLandlord2 (FTL2).

Knows how its judge logs and display logs are written, and gives both as one ``Match``. Refuses to know the record.
Source: logs.md 3.1; a judge log is what Botzone's judge reads and the match download has, a display log is what match
pages show. What players answered is kept as it stands, of whatever type.
"""

from collections.abc import Iterable, Iterator
from decimal import Decimal
from itertools import chain
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Raw, Struct, field

Seat = Annotated[int, Meta(ge=0, le=2)]
OK = "OK"
REFUSED_PASS = "INVALID_PASS"


class Deal(Struct, frozen=True):
    """The deal: FTL1 deals seat 0 twenty cards, three of them public; FTL2 deals seventeen each."""

    allocation: list[list[Any]]
    publiccard: list[Any]


class Scores(Struct, frozen=True):
    """What each seat got; whole numbers in FTL2."""

    seat0: Decimal = field(name="0")
    seat1: Decimal = field(name="1")
    seat2: Decimal = field(name="2")


class Event(Struct, frozen=True):
    """A play as it was shown."""

    player: Seat
    action: Any


class Scene(Struct, frozen=True):
    """One object for the viewer, after one step of the match."""

    allocation: list[list[Any]] | None = None
    publiccard: list[Any] | None = None
    bid: list[Any] | None = None
    """The bids so far, by seat; FTL2 only."""
    landlord: Seat | None = None
    errored: list[Any] | None = None
    """FTL2: per seat the fault for which the judge marked it."""
    error: Any = field(name="errorInfo", default=None)
    """FTL1: the fault that ended the match."""
    event: Event | None = None
    seat0: Decimal | None = field(name="0", default=None)
    seat1: Decimal | None = field(name="1", default=None)
    seat2: Decimal | None = field(name="2", default=None)


class Request(Struct, frozen=True):
    """What the judge asked a player."""

    landlord: Seat | None = None
    finalbid: Any = None


class Output(Struct, frozen=True):
    """What the judge said at one step: ``content`` to the players, ``display`` to the viewer."""

    command: str = ""
    content: Raw = Raw(b"null")
    display: Scene | str | None = None


class Answer(Struct, frozen=True):
    """What a player answered; a verdict other than OK is a program that failed (TLE, RE, …)."""

    response: Any = None
    verdict: str = OK


class Step(Struct, frozen=True):
    """An element of a judge log: an output or an answer, in turn."""

    output: Output | None = None
    seat0: Answer | None = field(name="0", default=None)
    seat1: Answer | None = field(name="1", default=None)
    seat2: Answer | None = field(name="2", default=None)


class Said(Struct, frozen=True):
    """An answer of a player, as it stands, with its place in the log."""

    place: str
    seat: int
    answer: Answer


class JudgeLog(Struct, frozen=True):
    """A judge log with what the match download puts around it. Some copies write ``logs``, and initdata as text."""

    id: Any = field(name="_id", default=None)
    initdata: Raw = Raw()
    log: list[Step] | None = None
    logs: list[Step] | None = None
    players: list[Any] | None = None

    @property
    def steps(self) -> list[Step]:
        """The log under either of its names."""
        return self.log or self.logs or []


class Match(Struct, frozen=True, kw_only=True):
    """What either form tells of a match."""

    id: Any = None
    players: list[Any] | None = None
    deal: Deal | None
    bids: list[Said] = []
    plays: list[Said] = []
    scores: Scores | None = None
    landlord: int | None = None
    final_bid: Any = None
    rest: dict[str, Any] = {}
    """What else it tells."""


_judge_log = msgspec.json.Decoder(JudgeLog)
_steps = msgspec.json.Decoder(list[Step])
_scenes = msgspec.json.Decoder(list[Scene])
_object = msgspec.json.Decoder(dict[str, Raw])
_array = msgspec.json.Decoder(list[Raw])
_requests = msgspec.json.Decoder(dict[str, Request])
_scores = msgspec.json.Decoder(Scores)
_DEAL = frozenset(Deal.__struct_fields__)


def documents(raw: bytes) -> list[bytes]:
    """The matches in a JSON document: itself, or each of an array of them. Raises what decoding raises."""
    if raw.lstrip()[:1] != b"[":
        return [raw]
    parts = [bytes(part) for part in _array.decode(raw)]
    holds_documents = parts and (parts[0][:1] == b"[" or form(parts[0]) == "judge")
    return parts if holds_documents else [raw]


def form(raw: bytes) -> str | None:
    """``judge`` or ``display``, or None for JSON that is neither. Raises what decoding raises."""
    text = raw.lstrip()
    if text[:1] == b"{":
        return "judge" if _object.decode(raw).keys() & {"initdata", "log", "logs"} else None
    parts = _array.decode(raw) if text[:1] == b"[" else []
    first = bytes(parts[0]) if parts else b""
    keys = _object.decode(first).keys() if first[:1] == b"{" else set()
    if "output" in keys:
        return "judge"
    return "display" if keys >= _DEAL else None


def match(raw: bytes, form: str) -> Match:
    """Read one document of this form. Raises what decoding raises."""
    if form == "display":
        return _displayed(_scenes.decode(raw))
    if raw.lstrip()[:1] == b"[":
        return _judged(JudgeLog(log=_steps.decode(raw)), {})
    return _judged(_judge_log.decode(raw), _object.decode(raw))


def _judged(log: JudgeLog, around: dict[str, Raw]) -> Match:
    outputs = [step.output for step in log.steps if step.output]
    scenes = [output.display for output in outputs if isinstance(output.display, Scene)]
    asked = [output.content for output in outputs if output.command == "request"]
    requests = [request for content in asked for request in _requests.decode(content).values()]
    finish = next((_scores.decode(output.content) for output in outputs if output.command == "finish"), None)
    answers = list(_answers(log.steps))
    bids = next((i for i, said in enumerate(answers) if not isinstance(said.answer.response, int)), len(answers))
    return Match(
        id=log.id,
        players=log.players,
        deal=_dealt(bytes(log.initdata)) or _shown_deal(scenes),
        bids=answers[:bids],
        plays=answers[bids:],
        scores=finish,
        landlord=_last(chain((r.landlord for r in requests), (scene.landlord for scene in scenes))),
        final_bid=_last(request.finalbid for request in requests),
        rest=_beside(around) | _marks(scenes),
    )


def _answers(steps: list[Step]) -> Iterator[Said]:
    """What the players answered. An element that is neither output nor answer counts as an answer of nothing."""
    for number, step in enumerate(steps):
        answers = [answer for answer in enumerate((step.seat0, step.seat1, step.seat2)) if answer[1]]
        if step.output is None and not answers:
            yield Said(f"log[{number}]", 0, Answer())
        for seat, answer in answers:
            yield Said(f"log[{number}].{seat}", seat, answer or Answer())


def _displayed(scenes: list[Scene]) -> Match:
    bids = _last(scene.bid for scene in scenes) or []
    last = scenes[-1]
    return Match(
        deal=_shown_deal(scenes),
        bids=[Said(f"bid[{seat}]", seat, Answer(bid)) for seat, bid in enumerate(bids)],
        plays=list(_shown_plays(scenes)),
        scores=_shown_scores(last),
        landlord=_last(scene.landlord for scene in scenes),
        rest=_marks(scenes),
    )


def _shown_plays(scenes: list[Scene]) -> Iterator[Said]:
    """The plays shown. In place of one that FTL1 refused it shows an empty one, which is no pass and left out."""
    for number, scene in enumerate(scenes):
        if scene.event and (scene.error in (None, REFUSED_PASS) or scene.event.action):
            yield Said(f"[{number}].event.action", scene.event.player, Answer(scene.event.action))


def _shown_scores(scene: Scene) -> Scores | None:
    if scene.seat0 is None or scene.seat1 is None or scene.seat2 is None:
        return None
    return Scores(scene.seat0, scene.seat1, scene.seat2)


def _shown_deal(scenes: list[Scene]) -> Deal | None:
    dealt = ((scene.allocation, scene.publiccard) for scene in scenes)
    return next((Deal(hands, public) for hands, public in dealt if hands is not None and public is not None), None)


def _dealt(initdata: bytes) -> Deal | None:
    """The deal in initdata, if it is there: a match may be made from a seed alone."""
    given = _initdata(initdata)
    return msgspec.json.decode(given, type=Deal) if _object.decode(given).keys() >= _DEAL else None


def _initdata(initdata: bytes) -> bytes:
    """Initdata as a JSON object, which some copies write as a text."""
    inner = msgspec.json.decode(initdata) if initdata[:1] == b'"' else None
    given = inner.encode() if isinstance(inner, str) else initdata
    try:
        _object.decode(given)
    except msgspec.DecodeError:
        return b"{}"
    return given


def _beside(around: dict[str, Raw]) -> dict[str, Any]:
    """What the download says beside the log, and initdata beside the deal (the seed)."""
    everything = around | _object.decode(_initdata(bytes(around.get("initdata", b""))))
    mapped = {*JudgeLog.__struct_encode_fields__, *_DEAL}
    return {name: value for name, value in everything.items() if name not in mapped}


def _marks(scenes: list[Scene]) -> dict[str, Any]:
    """The faults that the judge saw."""
    marks = {"errored": _last(scene.errored for scene in scenes), "errorInfo": _last(scene.error for scene in scenes)}
    return {name: mark for name, mark in marks.items() if mark is not None and mark != [None, None, None]}


def _last(values: Iterable[Any]) -> Any:
    """The last of these that is not None."""
    return next((value for value in reversed(list(values)) if value is not None), None)
