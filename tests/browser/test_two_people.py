"""What two people upload: kept, forgotten, named alike, in both languages; what is left when a server ends."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser
from test_login import free_port
from walk import (
    DESK,
    HERE,
    MARKS,
    opened,
    upload,
    wait_until_healthy,
    window_of,
)

pytestmark = MARKS


@contextmanager
def commanded(folder: Path) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """The address and process of ``fupan dashboard``, in a group of its own, whose temporary files lie in a folder."""
    (folder / "temporary").mkdir()
    port = free_port()
    command = [sys.executable, "-m", "fupan", "dashboard", "--store", str(folder / "store"), "--port", str(port)]
    environment = HERE | {"TMPDIR": str(folder / "temporary")}
    process = subprocess.Popen(command, cwd=folder, env=environment, start_new_session=True)
    try:
        wait_until_healthy(f"http://127.0.0.1:{port}")
        yield f"http://127.0.0.1:{port}", process
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait(60)


@pytest.mark.parametrize("ended", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_nothing_of_an_upload_is_left_however_the_server_ends(ended, browser: Browser, tmp_path):
    with commanded(tmp_path) as (address, process), window_of(browser, **DESK) as window:
        upload(opened(window, f"{address}/audit"))
        if ended is signal.SIGKILL:
            os.killpg(process.pid, ended)
        else:
            process.send_signal(ended)
        process.wait(60)
    assert [path.name for path in (tmp_path / "temporary").rglob("*")] == []
