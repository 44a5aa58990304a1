"""Who may reach the dashboard: this machine alone, or others once somebody makes sure who they are.

Knows Streamlit's own login (OpenID Connect) and proxies that ask for one. Refuses to open the dashboard to a network
where neither is set up.
"""

import importlib.util
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

from fupan.questions import Refused
from fupan.words import word
from ingest.faults import Language

HERE = "127.0.0.1"
EVERYWHERE = "0.0.0.0"
SHARED = ("redirect_uri", "cookie_secret")
OF_PROVIDER = ("client_id", "client_secret", "server_metadata_url")
"""What Streamlit asks for in ``[auth]``: for all providers, and of each."""
LIBRARIES = ("authlib", "httpx2")
"""Modules that Streamlit's login is made with; the second is how the provider is asked."""
LETTERS = 32
"""Characters of the shortest secret that signs cookies."""


class Access(Struct, frozen=True):
    """How the dashboard is reached."""

    address: str
    """What the server listens on."""
    kind: Literal["local", "login", "proxy", "local_proxy"]


def access(*, public: bool, behind_proxy: bool, secrets: Iterable[Path], language: Language) -> Access:
    """What the options ask for. Raises ``Refused`` where people from elsewhere would be let in unseen."""
    if behind_proxy:
        return Access(EVERYWHERE, "proxy") if public else Access(HERE, "local_proxy")
    if not public:
        return Access(HERE, "local")
    problem = login_problem(_read(secrets), language)
    if problem:
        raise Refused(f"{word('public_refused', language)}\n{problem}")
    return Access(EVERYWHERE, "login")


def secret_files() -> list[Path]:
    """Where Streamlit looks for its secrets; what stands in the later one counts."""
    return [folder / ".streamlit" / "secrets.toml" for folder in (Path.home(), Path.cwd())]


def _read(secrets: Iterable[Path]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for path in secrets:
        if path.is_file():
            try:
                found |= tomllib.loads(path.read_text("utf-8"))
            except (OSError, ValueError) as problem:
                raise Refused(f"{path}: {problem}") from None
    return found


def login_problem(secrets: Mapping[str, Any], language: Language) -> str:
    """Why nobody could log in with these secrets; nothing where all is set up."""
    auth = secrets.get("auth")
    if not isinstance(auth, dict):
        return word("auth_none", language)
    missing = [f"auth.{key}" for key in SHARED if not _is_text(auth.get(key))]
    providers = {name: given for name, given in auth.items() if isinstance(given, dict)}
    if not providers:
        missing += [f"auth.{key}" for key in OF_PROVIDER if not _is_text(auth.get(key))]
    for name, given in providers.items():
        missing += [f"auth.{name}.{key}" for key in OF_PROVIDER if not _is_text(given.get(key))]
    if missing:
        return word("auth_missing", language, keys=", ".join(missing))
    if len(auth["cookie_secret"]) < LETTERS:
        return word("auth_short", language, letters=LETTERS)
    return "" if all(map(importlib.util.find_spec, LIBRARIES)) else word("auth_library", language)


def who_may_enter(secrets: Iterable[Path], language: Language) -> str:
    """Whom a login lets in: those that ``[fupan] allowed`` names, or anybody whom the provider knows."""
    names = allowed(_read(secrets))
    return word("access_allowed", language, names=", ".join(names)) if names else word("access_anybody", language)


def allowed(secrets: Mapping[str, Any]) -> list[str]:
    """Addresses (``li@example.org``) and whole domains (``@example.org``) that may enter; all where none is named."""
    own = secrets.get("fupan")
    names = own.get("allowed", []) if isinstance(own, dict) else []
    return [str(name) for name in names] if isinstance(names, list) else [str(names)]


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())
