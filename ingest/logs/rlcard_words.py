"""RLCard's own words for a game of doudizhu: trajectories, states (``raw_obs``) and perfect information.

Knows how people write down what ``env.run()``, ``env.reset()`` and ``env.get_perfect_information()`` give, and gives
any of it as one ``Game`` of views. Refuses to know the record. Source: RLCard 0.2.8 and 1.0.1 … 1.2.0; logs.md 3.4.
"""

import re
from collections.abc import Iterator
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta, Raw, Struct, field

from ingest.cards import RANKS
from ingest.logs.entry import refused

Seat = Annotated[int, Meta(ge=0, le=2)]
Trace = list[tuple[Seat, Any]]
"""Every move so far: who, and the ranks played, low to high, or ``pass``."""
Hands = tuple[list[str] | None, ...]
"""The cards of each seat, None where they are not shown."""

HIDDEN: Hands = (None, None, None)
PASSED = "pass"
FACES = {suit + rank: suit + rank for suit in "SHDC" for rank in RANKS[:13]} | {
    "BJ": "B",
    "RJ": "R",
    "B": "B",
    "R": "R",
}
"""Cards as RLCard writes them with their suits; BJ is the black, small joker."""


class Observation(Struct, frozen=True):
    """What a seat is shown (``raw_obs``)."""

    trace: Trace
    seat: Seat = field(name="self")
    current_hand: str
    landlord: Seat | None = None
    seen_cards: str | None = None
    """The landlord's three cards; RLCard 1.0 and later takes out those that he has played."""
    initial_hand: str | None = None
    """The hand dealt; RLCard 0.2 only."""


class Table(Struct, frozen=True):
    """Perfect information, or what somebody has put together in its words."""

    trace: Trace | None = None
    action_record: Trace | None = None
    landlord: Seat | None = None
    seen_cards: str | None = None
    initial_hands: list[Any] | None = None
    initial_hand: list[Any] | None = None
    hands: list[Any] | None = None
    hand_cards_with_suit: list[Any] | None = None
    hand_cards: list[Any] | None = None


class View(Struct, frozen=True):
    """What is shown at one moment of a game."""

    place: str
    trace: Trace
    hands: Hands = HIDDEN
    """The hands once the moves of the trace were played."""
    doubtful: Hands = HIDDEN
    """Hands of which the source does not say whether they are those dealt or what is left of them."""
    seen: list[str] | None = None
    landlord: int | None = None


class Game(Struct, frozen=True, kw_only=True):
    """One game as it was saved."""

    views: list[View]
    payoffs: Raw | None = None
    rewards: list[Raw] = []
    """What the last move of each seat brought, if the game ended with it; in reorganised trajectories."""
    winner: Raw | None = None
    id: Raw | None = None
    rest: dict[str, Raw] = {}
    """What else was saved with it."""


_object = msgspec.json.Decoder(dict[str, Raw])
_array = msgspec.json.Decoder(list[Raw])
_T = TypeVar("_T")

_OPENING = re.compile(rb"[\[{\s]*")
_STATE = frozenset(("obs", "legal_actions", "raw_obs", "raw_legal_actions", "action_record"))
_OBSERVATION = frozenset(
    ("deck", "seen_cards", "landlord", "trace", "played_cards", "self", "initial_hand", "current_hand", "others_hand",
     "num_cards_left", "actions", "action_record")
)  # fmt: skip
_TABLE = frozenset((*Table.__struct_fields__, "current_player", "legal_actions"))
_DEALT = ("initial_hands", "initial_hand")
_DOUBTFUL = ("hands", "hand_cards_with_suit", "hand_cards")


def as_object(raw: bytes) -> dict[str, Raw]:
    """An object, value by value; empty for anything else. May raise what decoding raises."""
    return _object.decode(raw) if raw[:1] == b"{" else {}


def as_array(raw: bytes) -> list[bytes]:
    """An array, element by element; empty for anything else. May raise what decoding raises."""
    return [bytes(part) for part in _array.decode(raw)] if raw[:1] == b"[" else []


def is_path(raw: bytes) -> bool:
    """Whether this is what one seat went through: states and actions in turn, or transitions."""
    opening = _OPENING.match(raw)[0].translate(None, b" \t\r\n")  # type: ignore[index]
    return opening == b"[{" or (opening == b"[[{" and _is_transition(as_array(as_array(raw)[0])))


def _is_transition(step: list[bytes]) -> bool:
    """Whether this is a step as RLCard reorganises them: state, action, reward, next state, whether it was the last."""
    return len(step) == 5 and step[3][:1] == b"{" and step[4] in (b"true", b"false")


def is_trajectories(parts: list[bytes]) -> bool:
    """Whether these are the paths of seats 0, 1 and 2; of one that never moved there may be nothing."""
    if len(parts) != 3 or not all(part[:1] == b"[" for part in parts):
        return False
    paths = [(seat, part) for seat, part in enumerate(parts) if as_array(part)]
    return bool(paths) and all(is_path(path) and _is_of(path, seat) for seat, path in paths)


def _is_of(path: bytes, seat: int) -> bool:
    """Whether the first state of a path is what this seat was shown, as far as it says whose it is."""
    first = as_array(path)[0]
    told = as_object(as_array(first)[0] if first[:1] == b"[" else first)
    observation = as_object(bytes(told["raw_obs"])) if "raw_obs" in told else told
    return bytes(observation.get("self", b"")) == b"%d" % seat or ("self" not in observation and "obs" in told)


def is_run(parts: list[bytes]) -> bool:
    """Whether these are what ``env.run()`` gives: trajectories and payoffs."""
    first, second = map(as_array, parts) if len(parts) == 2 else ([], [])
    return is_trajectories(first) and not is_trajectories(second)


def game(raw: bytes) -> Game:
    """Read one game, however it was saved. Raises ``Unreadable`` and what decoding raises."""
    parts, told = as_array(raw), as_object(raw)
    if is_run(parts):
        return _of_trajectories(parts[0], "[0]", {"payoffs": Raw(parts[1])})
    if is_trajectories(parts):
        return _of_trajectories(raw, "", {})
    if is_path(raw):
        return _game({}, frozenset(), list(views(raw, "")), _rewards([raw]))
    if "trajectories" in told:
        return _of_trajectories(bytes(told["trajectories"]), "trajectories", told)
    if told:
        known = _STATE if "raw_obs" in told else _OBSERVATION if "current_hand" in told else _TABLE
        return _game(told, known, list(_of_object(raw, "")))
    raise refused("R112", reason="not a game of RLCard")


def _game(told: dict[str, Raw], known: frozenset[str], views: list[View], rewards: list[Raw] | None = None) -> Game:
    names = {"payoffs", "winner_id", "id", "game_id", *known}
    return Game(
        views=views,
        payoffs=told.get("payoffs"),
        rewards=rewards or [],
        winner=told.get("winner_id"),
        id=told.get("id", told.get("game_id")),
        rest={name: value for name, value in told.items() if name not in names},
    )


def _of_trajectories(raw: bytes, place: str, told: dict[str, Raw]) -> Game:
    paths = as_array(raw)
    if not is_trajectories(paths):
        raise refused("R103", field=place, reason="not the trajectories of three seats")
    found = [view for seat, path in enumerate(paths) for view in views(path, f"{place}[{seat}]")]
    return _game(told, frozenset(("trajectories",)), found, _rewards(paths))


def views(path: bytes, place: str) -> Iterator[View]:
    """The states of a path. Actions, of which the trace tells as well, rewards and what is done are passed over."""
    for number, part in enumerate(as_array(path)):
        yield from _of_object(part, f"{place}[{number}]")
        for inner, step in enumerate(as_array(part)):
            yield from _of_object(step, f"{place}[{number}][{inner}]")


def _rewards(paths: list[bytes]) -> list[Raw]:
    """What the last transition of each path brought, if it was the end of the game."""
    last = [as_array(steps[-1]) if (steps := as_array(path)) else [] for path in paths]
    return [Raw(step[2]) for step in last if len(step) == 5 and step[4] == b"true"]


def _of_object(raw: bytes, place: str) -> Iterator[View]:
    """The view of a state, of its observation alone, or of perfect information; with it, the moves recorded beside."""
    told = as_object(raw)
    if "raw_obs" in told:
        yield from _observed(bytes(told["raw_obs"]), f"{place}.raw_obs")
    elif "current_hand" in told:
        yield from _observed(raw, place)
    elif told.keys() & _STATE and "trace" not in told and not told.keys() & {*_DEALT, *_DOUBTFUL}:
        raise refused("R102", field=f"{place}.raw_obs".lstrip("."))
    elif told:
        yield from _tabled(typed(raw, Table, place), place)
        return
    if "action_record" in told:
        at = f"{place}.action_record"
        yield View(place=at, trace=typed(bytes(told["action_record"]), Trace, at))


def _observed(raw: bytes, place: str) -> Iterator[View]:
    shown: Observation = typed(raw, Observation, place)
    if shown.initial_hand is not None:
        at = f"{place}.initial_hand"
        yield View(place=at, trace=[], hands=_at(shown.seat, _cards(shown.initial_hand, at)))
    yield View(
        place=place,
        trace=shown.trace,
        hands=_at(shown.seat, _cards(shown.current_hand, f"{place}.current_hand")),
        seen=_seen(shown.seen_cards, place),
        landlord=shown.landlord,
    )


def _at(seat: int, cards: list[str]) -> Hands:
    return tuple([cards if place == seat else None for place in range(3)])


def _tabled(shown: Table, place: str) -> Iterator[View]:
    trace = shown.action_record if shown.trace is None else shown.trace
    if trace is None:
        raise refused("R102", field=f"{place}.trace".lstrip("."))
    if shown.action_record is not None:
        yield View(place=f"{place}.action_record", trace=shown.action_record)
    if (dealt := _hands(shown, _DEALT, place)) is not HIDDEN:
        yield View(place=place, trace=[], hands=dealt)
    yield View(
        place=place,
        trace=trace,
        doubtful=_hands(shown, _DOUBTFUL, place),
        seen=_seen(shown.seen_cards, place),
        landlord=shown.landlord,
    )


def _seen(cards: str | None, place: str) -> list[str] | None:
    return None if cards is None else _cards(cards, f"{place}.seen_cards")


def _hands(shown: Table, names: tuple[str, ...], place: str) -> Hands:
    """The hands under the first of these names that is there; those under the others must hold the same ranks."""
    given = [(name, hands) for name in names if (hands := getattr(shown, name)) is not None]
    found = [
        tuple([_hand(hand, f"{place}.{name}[{seat}]") for seat, hand in enumerate(hands)]) for name, hands in given
    ]
    for (name, _), hands in zip(given, found, strict=True):
        if len(hands) != 3:
            raise refused("R103", field=f"{place}.{name}".lstrip("."), reason=f"{len(hands)} hands for 3 players")
        if list(map(_ranks, hands)) != list(map(_ranks, found[0])):
            raise refused("R103", field=f"{place}.{name}".lstrip("."), reason=f"not the cards of {given[0][0]}")
    return found[0] if found else HIDDEN


def _ranks(cards: list[str] | None) -> list[str]:
    return sorted(card[-1] for card in cards or ())


def _hand(given: Any, place: str) -> list[str] | None:
    joined = " ".join(given) if isinstance(given, list) and all(isinstance(card, str) for card in given) else given
    return None if given is None else _cards(joined, place)


def _cards(given: Any, place: str) -> list[str]:
    """Cards: ranks alone, or with suits and a space between. Raises ``Unreadable`` (R105)."""
    if not isinstance(given, str):
        raise unreadable(place, given)
    tokens = given.split(" ") if given else []
    suited = len(tokens) > 1 or "_with_suit" in place or (given in FACES and given not in ("BJ", "RJ"))
    if suited and all(token in FACES or (len(token) == 1 and token in RANKS) for token in tokens):
        return [FACES.get(token, token) for token in tokens]
    return list(ranks(given, place))


def ranks(given: Any, place: str) -> str:
    """Ranks alone, as RLCard writes what is played. Raises ``Unreadable`` (R105)."""
    if not isinstance(given, str) or not all(card in RANKS for card in given):
        raise unreadable(place, given)
    return given


def unreadable(place: str, given: Any) -> Exception:
    """What to raise for cards or a move that cannot be read (R105)."""
    return refused("R105", field=place.lstrip("."), text=shown(given))


def shown(given: Any) -> str:
    """The beginning of a value as JSON has it."""
    return msgspec.json.encode(given).decode()[:80]


def typed(raw: bytes, kind: type[_T] | Any, place: str) -> _T:
    """Decode a part of a document. Raises ``Unreadable``: R102 for a field that is missing, R103."""
    try:
        return msgspec.json.decode(raw, type=kind)
    except msgspec.ValidationError as problem:
        what, _, path = str(problem).partition(" - at `")
        at = place + path.rstrip("`").removeprefix("$")
        if what.startswith("Object missing required field `"):
            raise refused("R102", field=f"{at}.{what.split('`')[1]}".lstrip(".")) from None
        raise refused("R103", field=at.lstrip("."), reason=what) from None
