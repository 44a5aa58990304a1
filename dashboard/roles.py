"""What each game calls its roles and its outcomes: 地主 and 农民, 帝主 and 起义军, 庄家 and 闲家."""

from functools import cache

from dashboard.text import TEXTS, language, say
from ingest.batch import builtin
from ingest.faults import Language
from ingest.hand import role_words


@cache
def _words(rules: str | None, spoken: Language) -> tuple[str, str]:
    law = builtin(rules)
    return (
        (TEXTS["landlord"][spoken == "en"], TEXTS["farmer"][spoken == "en"]) if law is None else role_words(law, spoken)
    )


def role(name: str, rules: str | None) -> str:
    """``landlord`` or ``farmer`` in the words of a ruleset's game."""
    landlord, farmer = _words(rules, language())
    return {"landlord": landlord, "farmer": farmer}.get(name, name)


def outcome(name: str, rules: str | None) -> str:
    """How a hand ended, in the words of a ruleset's game."""
    if name not in ("landlord", "farmers"):
        return say(f"outcome.{name}")
    return say(f"outcome.{name}", role=role(name.removesuffix("s"), rules))
