"""The wording: one catalogue that is up to date, and another language that takes over."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from ui import text
from ui.catalogue import CATALOGUE, catalogue, messages
from ui.language import DOMAIN, translation


def test_the_catalogue_is_up_to_date() -> None:
    assert CATALOGUE.read_text("utf-8") == catalogue(), "run python -m ui.catalogue"


def test_messages_and_plurals_are_collected() -> None:
    source = '_("One")\nngettext("{n} square", "{n} squares", 3)\nother("no")'
    assert [message for _line, message in messages(source)] == [("One", None), ("{n} square", "{n} squares")]


def test_a_message_that_cannot_be_collected_is_refused() -> None:
    with pytest.raises(ValueError, match="plain text"):
        list(messages('_(f"{name} wins")'))


def test_another_language_takes_over(tmp_path: Path) -> None:
    words = {"": "Content-Type: text/plain; charset=UTF-8\n", "Rules": "Regeln"}
    folder = tmp_path / "de" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / f"{DOMAIN}.mo").write_bytes(compiled(words))
    assert translation("de", tmp_path).gettext("Rules") == "Regeln"
    assert translation("fr", tmp_path).gettext("Rules") == "Rules"
    assert translation(None, tmp_path).gettext("Rules") == "Rules"


def compiled(words: dict[str, str]) -> bytes:
    """A catalogue in the binary form of gettext."""
    keys = sorted(words)
    strings = [key.encode() for key in keys] + [words[key].encode() for key in keys]
    start = 28 + 16 * len(keys)
    tables, data = b"", b""
    for string in strings:
        tables += struct.pack("<II", len(string), start + len(data))
        data += string + b"\0"
    return struct.pack("<7I", 0x950412DE, 0, len(keys), 28, 28 + 8 * len(keys), 0, start) + tables + data


@pytest.mark.parametrize(
    "typed", ["**bold**", "[a](b)", "# title", "`code`", "$x$", "<b>", "a_b_c", "1. one", "- x", "~~s~~", "|a|b|"]
)
def test_signs_of_markdown_are_shown_as_they_are(typed: str) -> None:
    shown = text.plain(typed)
    assert shown.replace("\\", "") == typed
    assert shown != typed


def test_colons_make_no_pictures_and_no_colours() -> None:
    assert ":red[" not in text.plain(":red[x]")
    assert ":smile:" not in text.plain(":smile:")


def test_long_names_are_cut_on_small_buttons() -> None:
    assert len(text.short("x" * 80)) <= 18
