"""What stands before Streamlit's server: what it hands out, takes in and is told before a page has asked who is there.

Knows the server's paths, its cookie, the messages of a page, and how much uploads and pages may take. Refuses to know
what pages show: to whom is ``dashboard.login``'s.
"""

import json
import re
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

import streamlit as st
from google.protobuf.message import DecodeError
from msgspec import Struct
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from streamlit.auth_util import get_cookie_with_chunks
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.runtime import get_instance
from streamlit.runtime.uploaded_file_manager import UploadedFileManager
from streamlit.web.server.server_util import get_cookie_secret
from streamlit.web.server.starlette.starlette_app_utils import decode_signed_value
from streamlit.web.server.starlette.starlette_server_config import USER_COOKIE_NAME

from dashboard import login
from dashboard.crowd import Crowd, address, most

Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]

OPEN = ("/_stcore/health", "/_stcore/host-config", "/_stcore/stream")
"""What a browser needs to draw the page on which people log in."""
CLOSED = ("/_stcore/", "/media/", "/component/", "/app/")
"""Where uploads, downloads and figures about the server lie; the rest is the program's own scripts and pictures."""
HEARD = ("rerun_script", "stop_script", "app_heartbeat", "file_urls_request", "deferred_file", "dataframe_chunk")
"""Messages of our pages. Others would empty every cache of the server, uploads included, or tell of its folders."""
FILES = 8
"""Uploaded files that one open page may have; the pages have two places for one file each."""
ROOM = 8
"""Times the largest upload that all uploads together may take in memory."""
_UPLOAD = re.compile("/_stcore/upload_file/([^/]+)/([^/]+)")


FULL = 503
"""What is answered to one more page than may be open."""


class Refusal(Struct, frozen=True):
    """A request that is not answered, before any of its body is read."""

    status: int
    said: str


class Gate:
    """Stands before Streamlit's server (ASGI)."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._crowd = Crowd(most())
        self._coming: dict[int, int] = {}
        """Bytes of the uploads that are being read, by the request."""

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        match scope["type"]:
            case "websocket":
                await self._page(scope, receive, send)
            case "http":
                await self._request(scope, receive, hanging_up(send))
            case _:
                await self._app(scope, receive, send)

    async def _page(self, scope: Message, receive: Receive, send: Send) -> None:
        """A page that is open, for as long as it is."""
        whence = address(HTTPConnection(scope))
        said = self._crowd.refusal(whence)
        if said:
            await PlainTextResponse(said, FULL)(scope, receive, send)
            return
        with self._crowd.page(whence):
            await self._app(scope, heard(receive), send)

    async def _request(self, scope: Message, receive: Receive, send: Send) -> None:
        refusal = self._refusal(HTTPConnection(scope))
        if refusal is not None:
            await PlainTextResponse(refusal.said, refusal.status)(scope, receive, send)
            return
        try:
            await self._app(scope, receive, send)
        finally:
            self._coming.pop(id(scope), None)

    def _refusal(self, asked: HTTPConnection) -> Refusal | None:
        said = self._crowd.refusal(address(asked)) if is_visit(asked) else ""
        if said:
            return Refusal(FULL, said)
        path = asked.scope["path"].removeprefix(f"/{st.get_option('server.baseUrlPath').strip('/')}".rstrip("/"))
        if login.is_wanted() and is_closed(path) and not login.may_come_in(claims(asked)):
            return Refusal(403, "Log in first.")
        upload = _UPLOAD.fullmatch(path)
        if upload is None or asked.scope["method"] != "PUT":
            return None
        return self._of_upload(asked, *upload.groups())

    def _of_upload(self, asked: HTTPConnection, session: str, file: str) -> Refusal | None:
        limit = int(st.get_option("server.maxUploadSize")) << 20
        size = announced(asked.headers.get("content-length"), limit)
        held = _held()
        if size > limit:
            return Refusal(413, f"A log has at most {limit >> 20} MB.")
        if len({*held.get(session, {}), file}) > FILES:
            return Refusal(429, f"A page has at most {FILES} files at once.")
        if size + _bytes(held) + sum(self._coming.values()) > ROOM * limit:
            return Refusal(507, "Too much is being uploaded at once; try again in a few minutes.")
        self._coming[id(asked.scope)] = size
        return None


def hanging_up(send: Send) -> Send:
    """End the connection with a refusal: the server would else read on to the end of a body that nobody wants."""

    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start" and message["status"] >= 400:
            message = message | {"headers": [*message.get("headers", ()), (b"connection", b"close")]}
        await send(message)

    return sent


def heard(receive: Receive) -> Receive:
    """Pass on what our pages say, and drop what else a program may send."""

    async def passed() -> Message:
        while True:
            message = await receive()
            if is_heard(message.get("bytes") or b""):
                return message

    return passed


def is_heard(sent: bytes) -> bool:
    """Whether a message may be passed on; one that is none ends the connection, by the server's own word."""
    try:
        message = BackMsg.FromString(sent)
    except DecodeError:
        return True
    kind = message.WhichOneof("type")
    if kind == "backend_operation_request":
        kind = message.backend_operation_request.WhichOneof("payload")
    return kind is None or kind in HEARD


def is_visit(asked: HTTPConnection) -> bool:
    """Whether somebody opens a page: what is answered he reads; the connection that the page makes he does not see."""
    return asked.scope["method"] == "GET" and "text/html" in asked.headers.get("accept", "")


def is_closed(path: str) -> bool:
    """Whether a path gives something away, or takes something in."""
    return path.startswith(CLOSED) and path not in OPEN


def claims(asked: HTTPConnection) -> Message:
    """What the provider said of the person whose cookie this is; nothing where nobody has logged in."""

    def signed(name: str) -> bytes | None:
        value = asked.cookies.get(name)
        return None if value is None else decode_signed_value(get_cookie_secret(), name, value.encode("latin-1"))

    found = get_cookie_with_chunks(signed, USER_COOKIE_NAME)
    return json.loads(found) if found else {}


def announced(length: str | None, limit: int) -> int:
    """Bytes of an upload as it announces them; what announces none may be as large as any."""
    return int(length) if length is not None and re.fullmatch("[0-9]{1,18}", length) else limit


def _held() -> dict[str, dict[str, Any]]:
    """The files that the server keeps in memory, by page and name."""
    manager: UploadedFileManager = get_instance().uploaded_file_mgr
    return manager.file_storage  # type: ignore[attr-defined]


def _bytes(held: dict[str, dict[str, Any]]) -> int:
    files: Iterable[dict[str, Any]] = list(held.values())
    return sum(len(file.data) for each in files for file in list(each.values()))
