"""Who may reach the dashboard: this machine alone, unless a login or a proxy makes sure who is looking."""

import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from dashboard.login import may_enter
from fupan import access as rules
from fupan.access import access
from fupan.cli import app
from fupan.questions import Refused
from fupan.serve import settings
from ingest.store.publish import create

AUTH = """
[auth]
redirect_uri = "https://fupan.example.org/oauth2callback"
cookie_secret = "0123456789abcdef0123456789abcdef"
client_id = "a"
client_secret = "b"
server_metadata_url = "https://login.example.org/.well-known/openid-configuration"
"""


@pytest.fixture
def with_authlib(monkeypatch):
    monkeypatch.setattr(rules.importlib.util, "find_spec", lambda _: object())


def asked(tmp_path: Path, secrets: str | None, *, public: bool = True, behind_proxy: bool = False) -> rules.Access:
    path = tmp_path / "secrets.toml"
    if secrets is not None:
        path.write_text(secrets, "utf-8")
    return access(public=public, behind_proxy=behind_proxy, secrets=[path], language="en")


def test_only_this_machine_unless_more_is_asked_for(tmp_path):
    granted = asked(tmp_path, None, public=False)
    assert granted == rules.Access("127.0.0.1", "local")
    flags = settings(granted, 8501, 50)
    assert flags[flags.index("--server.address") + 1] == "127.0.0.1"
    assert flags[flags.index("--server.maxUploadSize") + 1] == "50"
    assert flags.count("--server.allowedHosts") == 2


@pytest.mark.parametrize("kind", ["local", "login", "proxy", "local_proxy"])
def test_the_server_sends_no_statistics_no_traces_of_errors_and_has_no_other_way_in(kind):
    flags = settings(rules.Access("127.0.0.1", kind), 8501, 50)
    told = dict(zip(flags[::2], flags[1::2], strict=True))
    assert told["--browser.gatherUsageStats"] == "false"
    assert told["--client.showErrorDetails"] == "none"
    assert told["--server.enableAgentApi"] == "false"


def test_a_login_opens_it(tmp_path, with_authlib):
    assert asked(tmp_path, AUTH) == rules.Access("0.0.0.0", "login")
    own = AUTH.replace('client_id = "a"', "[auth.own]\nclient_id = 'a'")
    assert asked(tmp_path, own).kind == "login"


@pytest.mark.parametrize(
    ("secrets", "said"),
    [
        (None, r"no \[auth\]"),
        ("", r"no \[auth\]"),
        ("auth = 3", r"no \[auth\]"),
        (AUTH.replace("client_id", "other"), "auth.client_id"),
        (AUTH.replace('"b"', '" "'), "auth.client_secret"),
        (AUTH.replace("redirect_uri", "uri"), "auth.redirect_uri"),
        (AUTH.replace("0123456789abcdef0123456789abcdef", "short"), "32 characters"),
        (AUTH + "[auth.other]\nclient_id = 'a'", "auth.other.client_secret"),
        ("[auth", "secrets.toml"),
    ],
)
def test_half_a_login_opens_nothing(tmp_path, with_authlib, secrets, said):
    with pytest.raises(Refused, match=said):
        asked(tmp_path, secrets)


def test_a_login_needs_its_libraries(tmp_path, monkeypatch):
    for missing in rules.LIBRARIES:
        monkeypatch.setattr(
            rules.importlib.util, "find_spec", lambda name, gone=missing: None if name == gone else name
        )
        with pytest.raises(Refused, match="Authlib"):
            asked(tmp_path, AUTH)


def test_a_proxy_answers_for_who_comes(tmp_path):
    assert asked(tmp_path, None, public=False, behind_proxy=True) == rules.Access("127.0.0.1", "local_proxy")
    assert asked(tmp_path, None, behind_proxy=True) == rules.Access("0.0.0.0", "proxy")


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_command_does_not_start_and_says_why(tmp_path, monkeypatch, lang):
    monkeypatch.setattr(rules.Path, "home", lambda: tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("fupan.commands.stores.serve", lambda *_, **__: pytest.fail("started"))
    answer = CliRunner().invoke(app, ["dashboard", "--store", str(tmp_path), "--public", "--lang", lang])
    assert isinstance(answer.exception, Refused)
    assert "[auth]" in str(answer.exception)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], "Only this machine"),
        (["--behind-proxy"], "Only a proxy on this machine"),
        (["--behind-proxy", "--public"], "the proxy must do so"),
        (["--public"], "Only: @example.org"),
    ],
)
def test_the_command_says_who_can_enter(tmp_path, monkeypatch, with_authlib, options, said):
    (tmp_path / ".streamlit").mkdir()
    (tmp_path / ".streamlit" / "secrets.toml").write_text(AUTH + '[fupan]\nallowed = ["@example.org"]', "utf-8")
    monkeypatch.setattr(rules.Path, "home", lambda: tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("fupan.commands.stores.serve", lambda *_, **__: 0)
    answer = CliRunner().invoke(app, ["dashboard", "--store", str(tmp_path), "--lang", "en", *options])
    assert said in answer.stderr


@pytest.mark.parametrize(
    ("claims", "allowed", "enters"),
    [
        ({"email": "li@example.org"}, [], True),
        ({}, [], True),
        ({"email": "Li@Example.org"}, ["@example.org"], True),
        ({"email": "li@example.org"}, ["li@example.org"], True),
        ({"email": "li@evil-example.org"}, ["@example.org"], False),
        ({"email": "li@example.org.evil"}, ["@example.org"], False),
        ({"email": "li@sub.example.org"}, ["@example.org"], False),
        ({"email": "x@evil.org@example.org"}, ["@example.org"], False),
        ({"email": "x@evil.org @example.org"}, ["@example.org"], False),
        ({"email": "@example.org"}, ["@example.org"], False),
        ({"email": "\u212aim@example.org"}, ["kim@example.org"], False),
        ({"email": ["li@example.org"]}, ["@example.org"], False),
        ({"email": None}, ["@example.org"], False),
        ({"name": "li@example.org"}, ["@example.org"], False),
        ({"email": "x@example.org"}, ["li@example.org", "", "@"], False),
    ],
)
def test_only_those_who_are_named_may_enter(claims, allowed, enters):
    assert may_enter({"email_verified": True} | claims, allowed) is enters
    assert may_enter({"email_verified": "true"} | claims, allowed) is enters


@pytest.mark.parametrize(
    ("said", "enters", "trusted"),
    [(None, False, True), (False, False, False), ("false", False, False), ("", False, False), (1, False, False)],
)
def test_an_address_counts_that_its_provider_has_verified(said, enters, trusted):
    """``trusted``: where an operator says that his provider's addresses are those of whom they name (Entra)."""
    claims = {"email": "li@example.org"} | ({} if said is None else {"email_verified": said})
    assert may_enter(claims, ["@example.org"]) is enters
    assert may_enter(claims, ["@example.org"], trusted=True) is trusted


def test_the_server_listens_where_it_says_and_refuses_other_names(tmp_path):
    create(tmp_path / "store")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "fupan", "dashboard", "--store", str(tmp_path / "store"), "--port", str(port)]
    with (
        (tmp_path / "log").open("wb") as log,
        subprocess.Popen(command, stdout=log, stderr=log) as server,
    ):
        try:
            assert _status(port, f"localhost:{port}", patience=90) == 101
            assert _status(port, "evil.example.org") in (400, 403)
        finally:
            server.terminate()
            server.wait(20)


HANDSHAKE = (
    "GET /_stcore/stream HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)


def _status(port: int, host: str, patience: float = 5) -> int:
    """What the server answers to a page that wants to speak to it, under a name."""
    deadline = time.monotonic() + patience
    while True:
        try:
            with socket.create_connection(("127.0.0.1", port), 5) as line:
                line.sendall(f"{HANDSHAKE}Host: {host}\r\nOrigin: http://{host}\r\n\r\n".encode())
                return int(line.recv(64).split()[1])
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.3)
