"""Names and notes: any letters, tidied; control characters and what is too long are refused with a sentence."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store import COLOURS, Store, StoreError, clean_name, clean_note
from store.text import clean_colour, name_key
from tests.store.samples import game

HOSTILE = [
    "<script>alert('x')</script>",
    "'; DROP TABLE players; --",
    '"quoted" and \\ back',
    "%s %(name)s :name ? {name}",
    "=HYPERLINK(1)",
    "👩‍👩‍👧‍👦 family",
    "עברית ועוד",
    "مرحبا",
    "𝔘𝔫𝔦𝔠𝔬𝔡𝔢",
    "e\u0301 decomposed",
    "\u202eright to left override",
    "a" * 80,
]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_comes_back_as_it_was_typed(store: Store, name: str) -> None:
    saved = store.games.add(game((name, "Bob"), note=name * 3))
    expected = unicodedata.normalize("NFC", name)
    assert store.games.open(saved.id).seats[0].player.name == expected
    assert store.games.page().games[0].note == unicodedata.normalize("NFC", name * 3)
    assert expected in {player.name for player in store.players.all()}


@pytest.mark.parametrize("name", ["", "   ", "\u200d", "\u200b\u2060", "\u0301"])
def test_a_name_that_cannot_be_seen_is_refused(name: str) -> None:
    with pytest.raises(StoreError, match="at least one letter"):
        clean_name(name)


@pytest.mark.parametrize("name", ["a\x00b", "a\nb", "a\x1b[31m", "a\x7fb", "a\x85b", "a\ud800b"])
def test_a_name_with_a_control_character_is_refused(name: str) -> None:
    with pytest.raises(StoreError, match="cannot hold"):
        clean_name(name)


@pytest.mark.parametrize("name", ["a" * 81, "a" * 10_000, "e\u0301" * 81])
def test_a_name_of_more_than_80_letters_is_refused(name: str) -> None:
    with pytest.raises(StoreError, match="at most 80 letters"):
        clean_name(name)


def test_letters_and_their_accents_count_as_one() -> None:
    assert clean_name("e\u0301" * 80) == "é" * 80


def test_blanks_around_a_name_go_and_those_inside_become_one() -> None:
    assert clean_name("  Ada \u3000 Lovelace\t ") == "Ada Lovelace"


@pytest.mark.parametrize("value", [None, 3, b"Ada", ["Ada"]])
def test_only_a_text_is_a_name(value: object) -> None:
    with pytest.raises(StoreError, match="is a text"):
        clean_name(value)


def test_a_note_may_be_empty_and_have_lines() -> None:
    assert clean_note("") == ""
    assert clean_note(" one\r\ntwo\n\tthree \n") == "one\ntwo\n\tthree"


@pytest.mark.parametrize("note", ["a" * 2_001, "a" * 1_000_000, "\x00", "a\rb"])
def test_a_note_too_long_or_with_control_characters_is_refused(note: str) -> None:
    with pytest.raises(StoreError):
        clean_note("x" + note)


def test_names_that_differ_in_capitals_have_one_key() -> None:
    assert name_key("STRASSE") == name_key("Straße")
    assert name_key("ada") != name_key("adá")


@pytest.mark.parametrize("colour", [*COLOURS, None])
def test_the_colours_of_the_castles_are_taken(colour: str | None) -> None:
    assert clean_colour(colour) == colour


@pytest.mark.parametrize("colour", ["red", "", "Pink", 3])
def test_other_colours_are_refused(colour: object) -> None:
    with pytest.raises(StoreError, match="A castle is"):
        clean_colour(colour)


@given(st.text(max_size=400))
def test_a_name_is_either_refused_or_tidy_for_good(text: str) -> None:
    try:
        name = clean_name(text)
    except StoreError:
        return
    assert clean_name(name) == name
    assert 1 <= len(name) <= 80
    assert len(name_key(name).encode()) <= 4 * 240
    assert not any(unicodedata.category(letter) in ("Cc", "Cs") for letter in name)
