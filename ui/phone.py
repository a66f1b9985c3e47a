"""`make phone`: serves the app to the local network and prints its address and QR code in the terminal."""

from __future__ import annotations

import argparse
import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from ui import network
from ui.language import _

ROOT: Final = Path(__file__).resolve().parent.parent
PORT: Final = 8501
#: Ports that are tried one after the other when none is given.
_TRIED: Final = 20
REACH: Final = _(
    "Everybody in the same network (the same Wi-Fi) can then open the app, see all games and change them. Use it at "
    "home or among friends, not in a public network; stop it with Ctrl-C."
)
NO_NETWORK: Final = _(
    "This computer is in no local network, so a phone cannot reach it. Connect it to your Wi-Fi first."
)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m ui.phone", description=__doc__)
    parser.add_argument("--port", type=int, help=f"the port to serve on (default: the first free one from {PORT})")
    options, others = parser.parse_known_args(arguments)
    address = network.local_address()
    if address is None:
        print(NO_NETWORK, file=sys.stderr)
        return 1
    port = options.port or free_port()
    print(announcement(network.url(address, port)), flush=True)
    try:
        return subprocess.run(command(port, others), cwd=ROOT, check=False).returncode
    except KeyboardInterrupt:
        return 0


def announcement(link: str) -> str:
    """What the terminal shows."""
    lines = ("", network.code_for_terminal(link), _("Open this on your phone: {link}").format(link=link), REACH, "")
    return "\n".join(lines)


def command(port: int, others: Sequence[str] = ()) -> list[str]:
    """How the app is started for the local network."""
    options = ["--server.address", "0.0.0.0", "--server.port", str(port), "--server.headless", "true"]
    return [sys.executable, "-m", "streamlit", "run", "app.py", *options, *others]


def free_port(first: int = PORT) -> int:
    """The first port from here on that nobody uses."""
    for port in range(first, first + _TRIED):
        with socket.socket() as tried:
            try:
                tried.bind(("0.0.0.0", port))
            except OSError:
                continue
            return port
    return first


if __name__ == "__main__":
    sys.exit(main())
