"""``fupan dashboard --public`` with a real provider: who comes in, who does not, and what nobody sees before."""

import html
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from urllib.parse import urlencode

import pytest
from joserfc import jwt
from joserfc.jwk import OctKey, RSAKey
from playwright.sync_api import BrowserContext, Page, expect
from provider import CLIENT, SECRET, Provider, providing
from walk import HERE, MARKS, PATIENCE, log, looks_sound, new_page, settled, wait_until_healthy, window_of

from ingest.load import load

pytestmark = MARKS

HOSTILE = "<img/src=x/onerror=alert(1)>$x$:red[x]\"'@club.example"
PEOPLE = {
    "li": {"email": HOSTILE, "email_verified": True, "name": "**x** <b>y</b>"},
    "other": {"email": f"{HOSTILE}.evil", "email_verified": True, "name": "li@club.example"},
    "unverified": {"email": "li@club.example", "email_verified": False},
}
COOKIES = "0123456789abcdef0123456789abcdef"
SECRETS_OF_THE_STORE = ("老王", "=1+1", "u0-1", "g-1", "very-private")
"""Names and ids of players, hands, and the store's folder."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    with providing(PEOPLE, f"http://127.0.0.1:{free_port()}/oauth2callback") as started:
        yield started


@pytest.fixture(scope="module")
def public(provider, tmp_path_factory) -> Iterator[str]:
    """A dashboard that people log in to."""
    folder = tmp_path_factory.mktemp("public")
    (folder / "log.jsonl").write_bytes(log(8))
    load([str(folder / "log.jsonl")], folder / "very-private")
    (folder / ".streamlit").mkdir()
    (folder / ".streamlit" / "secrets.toml").write_text(f"""
[auth]
redirect_uri = "{provider.back}"
cookie_secret = "{COOKIES}"
client_id = "{CLIENT}"
client_secret = "{SECRET}"
server_metadata_url = "{provider.address}/.well-known/openid-configuration"
[fupan]
allowed = ["@club.example"]
""")
    address = provider.back.removesuffix("/oauth2callback")
    command = [sys.executable, "-m", "fupan", "dashboard", "--store", "very-private", "--public"]
    with (folder / "server.log").open("wb") as output:
        process = subprocess.Popen(
            [*command, "--port", address.rpartition(":")[2]], cwd=folder, env=HERE, stdout=output, stderr=output
        )
    try:
        wait_until_healthy(address)
        yield address
    finally:
        process.terminate()
        process.wait(60)


@pytest.fixture(scope="module")
def window(browser) -> Iterator[BrowserContext]:
    """Made once: what a browser has loaded it does not load again."""
    with window_of(browser, locale="zh-CN") as context:
        yield context


@pytest.fixture
def somebody(window) -> BrowserContext:
    """A browser that nobody has logged in with."""
    window.clear_cookies()
    return window


class Heard(list[bytes]):
    """Everything that a server has told a page: documents, and messages over its socket."""

    def __init__(self, page: Page) -> None:
        page.on("websocket", lambda socket: socket.on("framereceived", self._message))

    def _message(self, message: str | bytes) -> None:
        self.append(message if isinstance(message, bytes) else message.encode())

    def tells(self) -> list[str]:
        """What was told of the store."""
        told = b"".join(self)
        assert told
        return [secret for secret in SECRETS_OF_THE_STORE if secret.encode() in told]


def enter(context: BrowserContext, public: str, name: str, screen: str) -> tuple[Page, Heard]:
    """A page of somebody who wanted to see a screen and has told the provider that he is this."""
    page = new_page(context)
    heard = Heard(page)
    page.goto(f"{public}/{screen}")
    expect(page.get_by_role("heading", name="请先登录")).to_be_visible()
    assert page.get_by_test_id("stSidebarNavItems").count() == 0
    assert heard.tells() == []
    page.get_by_role("button", name="登录").click()
    page.get_by_role("button", name=name, exact=True).click()
    page.wait_for_url(re.compile(re.escape(public)))
    settled(page)
    return page, heard


def leave(page: Page) -> None:
    page.get_by_role("button", name="退出").click()
    expect(page.get_by_role("heading", name="请先登录")).to_be_visible()
    for _ in range(50):  # the page that asks to log in may stand before the answer that takes the cookie is there
        if not logged_in(page):
            break
        page.wait_for_timeout(100)
    assert not logged_in(page)
    page.close()


def logged_in(page: Page) -> list[str]:
    """The cookies that say who somebody is."""
    return [each["name"] for each in page.context.cookies() if each["name"].startswith("_streamlit_user")]


def runs_nothing_of(page: Page) -> None:
    """Nothing went wrong, and no address has become an element or a formula."""
    looks_sound(page)
    assert page.locator("img[src=x], .katex").count() == 0


def test_somebody_with_a_hostile_address_logs_in_sees_the_dashboard_and_leaves_again(public, provider, somebody):
    page, heard = enter(somebody, public, "li", "hands")
    sidebar = page.get_by_test_id("stSidebar")
    expect(sidebar.get_by_text(HOSTILE, exact=True)).to_be_visible()
    expect(sidebar.get_by_text("very-private")).to_be_visible()
    page.get_by_role("link", name="牌局", exact=True).click()
    expect(page.get_by_role("heading", name="牌局", exact=True)).to_be_visible()
    expect(page.get_by_text("g-1", exact=True).first).to_be_attached()
    runs_nothing_of(page)
    assert {"g-1", "very-private"} <= set(heard.tells())
    cookies = "; ".join(f"{each['name']}={each['value']}" for each in somebody.cookies())
    assert answer(public, "/media/0.csv", Cookie=cookies)[0] == 404
    leave(page)
    assert (provider.refused, provider.tokens) == ([], 1)  # nobody has been told of before


def test_who_is_not_allowed_sees_no_byte_of_the_store_and_may_leave(public, somebody):
    page, heard = enter(somebody, public, "other", "player?player=u0-1&lang=zh")
    expect(page.get_by_role("heading", name="这个账号不在允许之列")).to_be_visible()
    expect(page.get_by_text(f"已登录：{PEOPLE['other']['email']}", exact=True)).to_be_visible()
    runs_nothing_of(page)
    assert heard.tells() == []
    cookies = "; ".join(f"{each['name']}={each['value']}" for each in somebody.cookies())
    assert answer(public, "/media/0.csv", Cookie=cookies)[0] == 403
    leave(page)


def answer(public: str, path: str, method: str = "GET", **headers: str) -> tuple[int, bytes]:
    """What the server answers to somebody who has no browser."""
    body = b"x" if method == "PUT" else None
    request = urllib.request.Request(f"{public}{path}", body, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE / 1000) as told:
            return told.status, told.read()
    except urllib.error.HTTPError as refused:
        return refused.code, refused.read()


class Visitor:
    """Somebody without a browser, who keeps cookies and follows where he is sent."""

    def __init__(self, public: str) -> None:
        self._public = public
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())

    def enter(self, name: str) -> None:
        """Go to the provider as the button of the page does, and say who one is."""
        claims = {"provider": "default", "exp": int(time.time()) + 60}
        wanted = jwt.encode({"alg": "HS256"}, claims, OctKey.import_key(COOKIES))
        with self._opener.open(f"{self._public}/auth/login?provider={wanted}") as asked:
            kept = re.findall("name='(.*?)' value='(.*?)'", asked.read().decode())
            where = asked.url
        form = {key: html.unescape(value) for key, value in kept} | {"name": name}
        with self._opener.open(where, urlencode(form).encode()) as told:
            assert told.url == f"{self._public}/"

    def status(self, path: str) -> int:
        try:
            with self._opener.open(f"{self._public}{path}") as told:
                return told.status
        except urllib.error.HTTPError as refused:
            return refused.code


@pytest.mark.parametrize(("name", "status"), [("li", 404), ("unverified", 403), ("other", 403)])
def test_the_server_hands_out_nothing_to_who_is_not_allowed(name, status, public, provider):
    visitor = Visitor(public)
    assert visitor.status("/media/0.csv") == 403
    visitor.enter(name)
    assert visitor.status("/media/0.csv") == status
    assert not provider.refused


def test_what_a_provider_did_not_say_lets_nobody_in(public, provider, monkeypatch):
    """A token that somebody else has signed, one for another program, one that is over, one for another visit."""
    sound = provider.token
    other = RSAKey.generate_key(2048, {"use": "sig", "alg": "RS256", "kid": provider.key.kid})

    def forged(key: RSAKey, **claims: object) -> Callable[[str, str], str]:
        return lambda name, nonce: provider.signed(name, nonce, key, claims)

    for token in (
        forged(other), forged(provider.key, aud="other"), forged(provider.key, exp=1), forged(provider.key, nonce="x"),
        forged(provider.key, iss="http://evil.example"), lambda *_: sound("li", "x").rpartition(".")[0] + ".",
    ):  # fmt: skip
        monkeypatch.setattr(provider, "token", token)
        visitor = Visitor(public)
        visitor.enter("li")
        assert visitor.status("/media/0.csv") == 403


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("PUT", "/_stcore/upload_file/a/b"), ("DELETE", "/_stcore/upload_file/a/b"), ("GET", "/media/0.csv"),
        ("GET", "/_stcore/metrics"), ("GET", "/%5Fstcore/metrics"), ("GET", "/_stcore/agent/openapi.json"),
        ("POST", "/_stcore/agent/interact"), ("POST", "/_stcore/agent/mcp"), ("GET", "/component/x/y"),
    ],
)  # fmt: skip
def test_the_server_gives_nothing_and_takes_nothing_before_a_login(method, path, public):
    assert answer(public, path, method) == (403, b"Log in first.")
    assert answer(public, path, method, Cookie="_streamlit_user=forged; _streamlit_user_1=x")[0] == 403


def test_what_is_open_before_a_login_says_nothing_of_the_store(public):
    for path in ("/", "/hands", "/_stcore/health", "/_stcore/host-config", "/auth/login", "/auth/login?provider=x"):
        status, told = answer(public, path)
        assert status == 200
        assert not [secret for secret in SECRETS_OF_THE_STORE if secret.encode() in told]
