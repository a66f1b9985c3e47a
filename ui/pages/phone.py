"""The page that says how to open the app on a phone, and who can then reach it."""

from __future__ import annotations

from html import escape
from typing import Final

import streamlit as st

from ui import network, text
from ui.language import _
from ui.phone import NO_NETWORK, PORT, REACH
from ui.style import message

_EVERYWHERE: Final = ("0.0.0.0", "::", "")


def render() -> None:
    """Draw the page."""
    st.title(text.PHONE_TITLE)
    if (st.get_option("server.address") or "") not in _EVERYWHERE:
        st.html(
            message(
                "open",
                _("Only this computer can open the app now."),
                (_("Stop it and start it with 'make phone' to use it on phones in your network."),),
            )
        )
        return
    address = network.local_address()
    if address is None:
        st.html(message("bad", NO_NETWORK))
        return
    link = network.url(address, int(st.get_option("server.port") or PORT))
    st.markdown(_("Point the camera of your phone at this code, or type the address."))
    words = _("QR code of {link}").format(link=link)
    st.html(f'<img class="kd-qr" alt="{escape(words)}" src="{escape(network.code_for_page(link))}">')
    st.code(link, language=None, wrap_lines=True)
    st.html(message("open", _("Who can reach it?"), (REACH,)))
