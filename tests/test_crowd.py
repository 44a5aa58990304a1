"""How many pages the server opens, in all and from one address, and what somebody is told who comes too late."""

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient, WebSocketDenialResponse
from starlette.websockets import WebSocket

from dashboard import crowd, gate

HTML = {"accept": "text/html,application/xhtml+xml"}


async def shown(_: object) -> PlainTextResponse:
    return PlainTextResponse("a page")


async def open_page(socket: WebSocket) -> None:
    await socket.accept()
    await socket.receive()


def server() -> Starlette:
    routes = [Route("/{path:path}", shown), WebSocketRoute("/_stcore/stream", open_page)]
    return Starlette(routes=routes, middleware=[Middleware(gate.Gate)])


@pytest.fixture
def limits(monkeypatch):
    """At most five pages, three of one address."""
    monkeypatch.setenv("FUPAN_PAGES", "5")
    monkeypatch.setenv("FUPAN_PAGES_PER_ADDRESS", "3")
    monkeypatch.setenv("FUPAN_ACCESS", "local")


def visits(app: Starlette, host: str = "192.0.2.1", **headers: str) -> TestClient:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return TestClient(app, client=(host, 5), headers=named)


def opened(client: TestClient, stack: list) -> None:
    page = client.websocket_connect("/_stcore/stream")
    page.__enter__()
    stack.append(page)


def closed(stack: list) -> None:
    stack.pop().__exit__(None, None, None)


def refused(client: TestClient) -> str:
    """What a page is told that the server does not open; its address in a browser says the same."""
    with pytest.raises(WebSocketDenialResponse) as found:
        opened(client, [])
    assert found.value.status_code == 503
    read = client.get("/hands", headers=HTML)
    assert (read.status_code, read.text) == (503, found.value.text)
    assert client.get("/static/index.js").text == "a page"
    return read.text


def test_one_address_opens_so_many_pages_and_others_open_theirs(limits):
    app, pages = server(), []
    with visits(app) as one, visits(app, "192.0.2.2") as other:
        for _ in range(3):
            assert one.get("/hands", headers=HTML).text == "a page"
            opened(one, pages)
        assert refused(one) == (
            "从这个地址打开的页面太多（最多 3 个）；请先关掉几个，再刷新。\n"
            "Too many pages are open from this address (at most 3); close some, then load this one again."
        )
        for _ in range(2):
            opened(other, pages)
        assert refused(other) == refused(one)
        assert refused(other) == (
            "已打开的页面太多（最多 5 个）；请稍后再刷新。\n"
            "Too many pages are open (at most 5); please load this one again later."
        )
        closed(pages)
        opened(other, pages)
        while pages:
            closed(pages)
        opened(one, pages)
        closed(pages)


@pytest.mark.parametrize("access", ["proxy", "local_proxy"])
def test_behind_a_proxy_those_count_together_whom_it_names_alike(limits, access, monkeypatch):
    monkeypatch.setenv("FUPAN_ACCESS", access)
    app, pages = server(), []
    with (
        visits(app, x_forwarded_for="198.51.100.7, 203.0.113.1") as one,
        visits(app, x_forwarded_for="203.0.113.2") as other,
    ):
        for _ in range(3):
            opened(one, pages)
        assert "(at most 3)" in refused(one)
        opened(other, pages)
        while pages:
            closed(pages)


def test_behind_a_proxy_that_names_nobody_only_all_pages_count(limits, monkeypatch):
    monkeypatch.setenv("FUPAN_ACCESS", "proxy")
    app, pages = server(), []
    with visits(app) as client:
        for _ in range(5):
            opened(client, pages)
        assert "(at most 5)" in refused(client)
        while pages:
            closed(pages)


@pytest.mark.parametrize(
    ("given", "is_one"),
    [
        (("192.0.2.1", "192.0.2.1"), True),
        (("192.0.2.1", "192.0.2.2"), False),
        (("2001:db8::1", "2001:db8::ffff:1"), True),
        (("2001:db8::1", "2001:db8:0:1::1"), False),
        (("::ffff:192.0.2.1", "192.0.2.1"), True),
        (("fe80::1%eth0", "fe80::2"), True),
        (("unknown", "_hidden"), True),
    ],
)
def test_whoever_has_one_address_of_a_house_has_all(given, is_one, monkeypatch):
    monkeypatch.delenv("FUPAN_ACCESS", raising=False)
    first, second = (
        crowd.address(HTTPConnection({"type": "websocket", "headers": [], "client": (host, 1)})) for host in given
    )
    assert (first == second) is is_one


def test_only_a_proxy_is_believed_about_addresses(monkeypatch):
    monkeypatch.setenv("FUPAN_ACCESS", "login")
    scope = {"type": "websocket", "headers": [(b"x-forwarded-for", b"203.0.113.9")], "client": ("192.0.2.1", 1)}
    assert crowd.address(HTTPConnection(scope)) == "192.0.2.1"


def test_limits_are_those_of_the_command_or_those_that_are_named(limits, monkeypatch):
    assert crowd.most() == crowd.Most(5, 3)
    monkeypatch.delenv("FUPAN_PAGES")
    monkeypatch.delenv("FUPAN_PAGES_PER_ADDRESS")
    assert crowd.most() == crowd.Most(200, 40)
