"""What ``streamlit run`` serves: the dashboard behind its gate. ``fupan dashboard`` starts it.

By hand: ``streamlit run dashboard/serving.py --runner.magicEnabled false -- --store DIR``; the environment variable
``FUPAN_STORE`` does the same.
"""

from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware

from dashboard.gate import Gate

app = st.App(Path(__file__).with_name("app.py"), middleware=[Middleware(Gate)])
