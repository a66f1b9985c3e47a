"""The address under which others in the local network reach this computer, and its QR code. Nothing is sent for it."""

from __future__ import annotations

import io
import ipaddress
import socket
from typing import Final

import segno

# Connecting a datagram socket sends nothing: the system only chooses the interface it would use. These addresses lie
# in the networks of homes; the last one is reserved for documents and stands for the way out.
_TARGETS: Final = ("192.168.255.254", "10.255.255.254", "172.31.255.254", "192.0.2.1")
_PORT: Final = 9
_BORDER: Final = 2
_SCALE: Final = 8


def local_address() -> str | None:
    """This computer's address in its local network, or None if it is in none."""
    found = [address for target in _TARGETS if (address := _source(target)) is not None]
    private = [address for address in found if ipaddress.ip_address(address).is_private]
    return next(iter(private or found), None)


def _source(target: str) -> str | None:
    """The own address from which a packet to the target would leave."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
            asked.connect((target, _PORT))
            address = str(asked.getsockname()[0])
    except OSError:
        return None
    parsed = ipaddress.ip_address(address)
    return None if parsed.is_loopback or parsed.is_unspecified else address


def url(address: str, port: int) -> str:
    """What a phone opens."""
    return f"http://{address}:{port}"


def code_for_page(link: str) -> str:
    """The QR code as an address that a page can show."""
    return segno.make(link, micro=False).svg_data_uri(scale=_SCALE, border=_BORDER, light="#fff")


def code_for_terminal(link: str) -> str:
    """The QR code in letters."""
    out = io.StringIO()
    segno.make(link, micro=False).terminal(out, border=_BORDER, compact=True)
    return out.getvalue()
