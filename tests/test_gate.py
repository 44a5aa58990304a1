"""What stands before the dashboard's server: paths that are closed before a login, messages that are not heard."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg

from dashboard import gate


def awaited(coroutine: Coroutine) -> object:
    """What a coroutine comes to, in a thread of its own: Playwright keeps a loop in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()


@pytest.mark.parametrize(
    ("path", "closed"),
    [
        ("/", False), ("/hands", False), ("/static/index.js", False), ("/auth/login", False),
        ("/_stcore/stream", False),
        ("/_stcore/health", False), ("/_stcore/health/", True), ("/_stcore/anything-new", True), ("/media/x", True),
    ],
)  # fmt: skip
def test_what_tells_of_the_store_or_takes_something_in_is_closed_before_a_login(path, closed):
    assert gate.is_closed(path) is closed


def told(kind: str) -> bytes:
    """A message of some kind, as a page sends it."""
    message = BackMsg()
    if kind in ("deferred_file", "install_skills", "dismiss_skills_nudge", "dataframe_chunk"):
        getattr(message.backend_operation_request, kind).SetInParent()
    else:
        field = BackMsg.DESCRIPTOR.fields_by_name[kind]
        setattr(message, kind, True) if field.message_type is None else getattr(message, kind).SetInParent()
    return message.SerializeToString()


def kinds() -> list[str]:
    """Every message that the server knows."""
    own = [field.name for field in BackMsg.DESCRIPTOR.oneofs_by_name["type"].fields]
    operation = BackMsg.DESCRIPTOR.fields_by_name["backend_operation_request"].message_type
    more = [field.name for field in operation.oneofs_by_name["payload"].fields]
    return [name for name in own + more if name != "backend_operation_request"]


def test_the_server_hears_what_our_pages_say_and_nothing_else():
    assert {kind for kind in kinds() if gate.is_heard(told(kind))} == set(gate.HEARD)
    assert not gate.is_heard(told("clear_cache"))


def test_a_message_that_is_not_heard_is_dropped_and_the_next_one_comes():
    sent = [
        {"type": "websocket.connect"},
        {"type": "websocket.receive", "bytes": told("clear_cache")},
        {"type": "websocket.receive", "bytes": b"\xff"},
        {"type": "websocket.receive", "bytes": None, "text": "x"},
        {"type": "websocket.receive", "bytes": told("load_git_info")},
        {"type": "websocket.disconnect"},
    ]

    async def all_of_them() -> list[dict]:
        waiting = iter(sent)

        async def receive() -> dict:
            return next(waiting)

        passed = gate.heard(receive)
        return [await passed() for _ in range(4)]

    assert awaited(all_of_them()) == [sent[0], sent[2], sent[3], sent[5]]
