"""Model files as a bad disk or a curious hand would leave them."""

from __future__ import annotations

from pathlib import Path

DAMAGES = ("truncated", "altered", "missing")


def damage(path: Path, how: str) -> None:
    """Cut a file in half, change one bit of it, or take it away."""
    content = bytearray(path.read_bytes())
    if how == "missing":
        path.unlink()
    elif how == "truncated":
        path.write_bytes(content[: len(content) // 2])
    else:
        content[len(content) // 2] ^= 1
        path.write_bytes(content)
