"""The app: `make app`, or `streamlit run app.py`. Only the frame is here; the pages are in `ui/pages`."""

from __future__ import annotations

import logging

import streamlit as st

from ui import text
from ui.pages import score
from ui.style import message

st.set_page_config(page_title=text.APP_NAME, page_icon="👑", layout="wide")
page = st.navigation([st.Page(score.render, title=text.SCORE_TITLE, default=True)], position="hidden")
try:
    page.run()
except Exception:
    # A person at the table gets a sentence; whoever runs the app gets the details.
    logging.getLogger(__name__).exception("The page failed.")
    st.html(message("bad", text.UNEXPECTED))
st.caption(text.NOTICE)
