"""The dashboard's server: Streamlit in a process of its own, reached as ``access`` says."""

import importlib.util
import os
import signal
import socket
import subprocess
import sys
import time
import webbrowser
from pathlib import Path

from msgspec import Struct

from fupan.access import HERE, Access

LOCAL = ("localhost", HERE)
"""The names under which a browser on this machine asks for it."""
UPLOAD = 200
"""Megabytes of the largest log that may be uploaded, unless others are named."""
PATIENCE = 30.0
"""Seconds in which a server should answer before a browser is opened on it."""

SETTINGS = {
    "server.headless": "true",
    "browser.gatherUsageStats": "false",
    "runner.magicEnabled": "false",
    "client.toolbarMode": "minimal",
    "client.showErrorDetails": "none",
    "server.enableAgentApi": "false",
}


class Taken(Struct, frozen=True):
    """How much the server takes."""

    upload: int = UPLOAD
    """Megabytes of the largest log."""
    pages: int | None = None
    """Pages that are open at once; None: as many as the server opens by itself."""
    pages_per_address: int | None = None
    """The same from one address."""


USUAL = Taken()


def settings(access: Access, port: int, upload: int) -> list[str]:
    """Streamlit's options. ``upload``: megabytes of the largest log."""
    own = {"server.address": access.address, "server.port": str(port), "server.maxUploadSize": str(upload)}
    flags = [flag for key, value in (SETTINGS | own).items() for flag in (f"--{key}", value)]
    if access.kind == "local":  # a page elsewhere must not reach this machine under a name of its own
        flags += [flag for host in LOCAL for flag in ("--server.allowedHosts", host)]
    return flags


def serve(
    store: Path,
    port: int,
    language: str | None,
    *,
    access: Access,
    taken: Taken = USUAL,
    open_browser: bool,
) -> int:
    """Serve the dashboard on a store until it is stopped; its exit status."""
    found = importlib.util.find_spec("dashboard")
    assert found is not None
    assert found.origin is not None
    script = Path(found.origin).with_name("serving.py")
    environment = {**os.environ, "FUPAN_STORE": str(store), "FUPAN_ACCESS": access.kind, "FUPAN_HELD": "stdin"}
    told = {"FUPAN_LANG": language, "FUPAN_PAGES": taken.pages}
    told |= {"FUPAN_PAGES_PER_ADDRESS": taken.pages_per_address}
    environment |= {name: str(value) for name, value in told.items() if value}
    command = [sys.executable, "-m", "streamlit", "run", str(script), *settings(access, port, taken.upload)]
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with subprocess.Popen(command, env=environment, stdin=subprocess.PIPE) as server:
        try:
            if open_browser and _answers(port, server):
                webbrowser.open(f"http://{HERE}:{port}")
            return server.wait()
        except KeyboardInterrupt:
            server.terminate()
            return 0


def _answers(port: int, server: subprocess.Popen[bytes]) -> bool:
    """Wait until the server takes connections; False if it ends or takes too long."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and server.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex((HERE, port)) == 0:
                return True
        time.sleep(0.2)
    return False
