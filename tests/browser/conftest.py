"""A dashboard on a small store, and a browser to look at it with."""

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright
from walk import APP, CHROMIUM, FLAGS, HERE, LOOKS, PATIENCE, Look, log, wait_until_healthy, window_of

from fupan.access import Access
from fupan.serve import settings
from ingest.load import load

UPLOAD = 3
"""Megabytes of the largest log that the server takes."""


@contextmanager
def serving(store: Path, upload: int = 200) -> Iterator[str]:
    """The address of a dashboard on a store."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    flags = [*settings(Access("127.0.0.1", "local"), port, upload), "--server.fileWatcherType", "none"]
    command = [sys.executable, "-m", "streamlit", "run", str(APP), *flags, "--", "--store", str(store)]
    with (store.parent / "server.log").open("wb") as output:
        process = subprocess.Popen(command, cwd=store.parent, env=HERE, stdout=output, stderr=output)
    try:
        wait_until_healthy(f"http://127.0.0.1:{port}")
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(60)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a dashboard on a store of forty lines."""
    folder = tmp_path_factory.mktemp("dashboard")
    (folder / "log.jsonl").write_bytes(log(40))
    load([str(folder / "log.jsonl")], folder / "store")
    with serving(folder / "store", UPLOAD) as address:
        yield address


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def context(browser: Browser) -> Look:
    """A browser window of some look, made once: what it has loaded once it does not load again."""
    return cache(lambda look: window_of(browser, **LOOKS[look]))
