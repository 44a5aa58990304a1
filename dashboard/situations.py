"""Situations of the play in words: of the address, and of a sentence. Starters are questions to begin with."""

from msgspec import structs

from analysis.spots import CARDS, COULD, TURNS, WHOSE, Spot
from dashboard import address, roles
from dashboard.text import READINGS, reading_name, say
from ingest.cards import RANKS

WORDS = {
    "turn": TURNS,
    "own": CARDS,
    "foe": CARDS,
    "mate": CARDS,
    "standing": READINGS,
    "rank": RANKS,
    "whose": WHOSE,
    "could": COULD,
}
"""What each part of a situation may be."""
STARTERS: dict[str, dict[str, str]] = {
    "opening": {"role": "landlord", "turn": "lead", "own": "17+"},
    "gate": {"role": "farmer", "position": "up", "turn": "lead", "foe": "2"},
    "feed": {"role": "farmer", "turn": "lead", "mate": "1"},
    "over_mate": {"role": "farmer", "turn": "follow", "whose": "mate", "could": "softly"},
    "two": {"turn": "follow", "standing": "solo", "rank": "2", "could": "softly"},
    "bomb_only": {"turn": "follow", "whose": "foe", "could": "bombs"},
    "last_card": {"turn": "follow", "foe": "1", "whose": "foe", "could": "softly"},
}


def chosen() -> Spot:
    """The situation that the address names; what is none is dropped."""
    found = {key: address.get(key) for key, words in WORDS.items() if address.get(key) in words}
    if found.get("turn") == "lead":
        found = {key: word for key, word in found.items() if key not in ("standing", "rank", "whose", "could")}
    return Spot(**found)


def words(spot: dict[str, str]) -> dict[str, str]:
    """All words of the address of a situation: those that it does not name are taken away."""
    return {key: spot.get(key, "") for key in (*WORDS, "role", "position", "action")}


def here(action: str) -> dict[str, str]:
    """The words of the address of this situation with an action."""
    return structs.asdict(chosen()) | {key: address.get(key) for key in ("exactly", "latest")} | {"action": action}


def action(word: str) -> str:
    """What was played: a pass, a combination, or that with length and rank."""
    if word == "pass":
        return say("hand.pass")
    if word == "nothing":
        return say("spot.no_combination")
    name, *more = word.split(" ")
    if len(more) != 2:
        return reading_name(name)
    length, rank = more
    called = say(f"joker.{rank}") if rank in ("B", "R") else rank.replace("T", "10")
    return f"{reading_name(name)} {called}" + (f" × {length}" if length not in ("1", "") else "")


def role(word: str, rules: str) -> str:
    """What a role is called."""
    return roles.role(word, rules)


def cards(word: str) -> str:
    """A number of cards left."""
    return say("spot.cards", cards=word)


def sentence(spot: Spot) -> str:
    """The situation as a sentence; what it does not narrow is not said."""
    who = (
        roles.role(address.get("role"), address.get("rules") or None)
        if address.get("role") in ("landlord", "farmer")
        else ""
    )
    if address.get("position") in ("down", "up", "across"):
        who = say(f"position.{address.get('position')}")
    parts = [say("spot.say.who", who=who) if who else say("spot.say.anybody")]
    for key, word in structs.asdict(spot).items():
        if word and key not in ("standing", "rank"):
            parts.append(
                say(f"spot.say.{key}", word=say(f"spot.{key}.{word}") if key in ("turn", "whose", "could") else word)
            )
    if spot.standing or spot.rank:
        parts.append(
            say(
                "spot.say.standing",
                word=action(f"{spot.standing} 1 {spot.rank}".strip()) if spot.standing else spot.rank,
            )
        )
    return say("comma_clause").join(parts)
