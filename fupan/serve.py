"""The dashboard's server: Streamlit in a process of its own, for this machine only."""

import importlib.util
import os
import signal
import socket
import subprocess
import sys
import time
import webbrowser
from pathlib import Path

ADDRESS = "127.0.0.1"
PATIENCE = 30.0
"""Seconds in which a server should answer before a browser is opened on it."""

SETTINGS = {
    "server.address": ADDRESS,
    "server.headless": "true",
    "server.maxUploadSize": "200",
    "browser.gatherUsageStats": "false",
    "runner.magicEnabled": "false",
    "client.toolbarMode": "minimal",
}


def serve(store: Path, port: int, language: str | None, *, open_browser: bool) -> int:
    """Serve the dashboard on a store until it is stopped; its exit status."""
    found = importlib.util.find_spec("dashboard")
    assert found is not None
    assert found.origin is not None
    script = Path(found.origin).with_name("app.py")
    flags = [flag for key, value in SETTINGS.items() for flag in (f"--{key}", value)]
    environment = {**os.environ, "FUPAN_STORE": str(store)} | ({"FUPAN_LANG": language} if language else {})
    command = [sys.executable, "-m", "streamlit", "run", str(script), "--server.port", str(port), *flags]
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with subprocess.Popen(command, env=environment) as server:
        try:
            if open_browser and _answers(port, server):
                webbrowser.open(f"http://{ADDRESS}:{port}")
            return server.wait()
        except KeyboardInterrupt:
            server.terminate()
            return 0


def _answers(port: int, server: subprocess.Popen[bytes]) -> bool:
    """Wait until the server takes connections; False if it ends or takes too long."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and server.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex((ADDRESS, port)) == 0:
                return True
        time.sleep(0.2)
    return False
