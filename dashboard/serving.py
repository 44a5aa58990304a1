"""What ``streamlit run`` serves: the dashboard behind its gate. ``fupan dashboard`` starts it.

By hand: ``streamlit run dashboard/serving.py --runner.magicEnabled false -- --store DIR``; the environment variable
``FUPAN_STORE`` does the same.
"""

import os
import signal
import sys
import threading
from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware

from dashboard.gate import Gate


def _end_when_let_go() -> None:
    """End with the program that holds the other end of standard input, however that ends: killed, too."""
    sys.stdin.buffer.read()
    os.kill(os.getpid(), signal.SIGTERM)


if os.environ.pop("FUPAN_HELD", ""):
    threading.Thread(target=_end_when_let_go, daemon=True).start()

app = st.App(Path(__file__).with_name("app.py"), middleware=[Middleware(Gate)])
