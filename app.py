"""The app: `make app`, or `streamlit run app.py`. Only the frame is here; the pages are in `ui/pages`."""

from __future__ import annotations

import streamlit as st

from ui import text
from ui.pages import pages
from ui.style import CSS

st.set_page_config(page_title=text.APP_NAME, page_icon="👑", layout="wide")
page = st.navigation(pages(), position="top")
st.html(CSS)
page.run()
st.caption(text.NOTICE)
