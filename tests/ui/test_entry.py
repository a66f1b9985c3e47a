"""From typed text to an assessment: what is tidied, what is refused, what the engine is asked."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import Kingdom, KingdominoError, NotationError
from ui.entry import MAX_TYPED, assess, tidied


@pytest.mark.parametrize(
    "typed",
    ["wf1/Cl", "  wf1/Cl\n", "wf1\nCl", "wf1/\nCl/", "w f1\nC l", "wf1\r\n\r\nCl", "w\tf1 / C l"],
)
def test_rows_may_stand_on_lines_of_their_own_and_blanks_do_not_count(typed: str) -> None:
    assert tidied(typed) == "wf1/Cl"


def test_what_the_engine_prints_can_be_pasted_back() -> None:
    kingdom = Kingdom.from_notation("l1ff1ff/lg2ggf/w1wggC/s2ww1ww/s1wwm3m1")
    assert tidied(str(kingdom)) == kingdom.notation


def test_a_text_too_long_for_a_kingdom_is_refused_with_its_length() -> None:
    with pytest.raises(NotationError, match="1,000,000 characters"):
        tidied("w" * 1_000_000)


def test_the_largest_kingdom_with_blanks_may_be_typed() -> None:
    typed = "\n".join(" ".join(["w1"] * 15) for _ in range(15))
    assert len(typed) <= MAX_TYPED
    assert Kingdom.from_notation(tidied(typed)).width == 15


@given(st.text(alphabet="wflgsmC.?123/ \n<&x", max_size=40))
def test_any_text_is_assessed_or_refused_with_our_own_error(typed: str) -> None:
    try:
        found = assess(tidied(typed), None, True, True)
    except KingdominoError as error:
        assert str(error)
    else:
        assert found.kingdom.notation == tidied(typed)


def test_without_a_size_a_kingdom_of_five_squares_across_is_5x5() -> None:
    assert assess("Cf1w", None, False, False).rules.size == 5
    assert assess("Cf1wwww", None, False, False).rules.size == 7
    assert assess("Cf1w", 7, False, False).rules.size == 7


def test_bonuses_count_only_when_asked_for() -> None:
    middle = "l1llll/fg2ll1f/wgClf1/s2gw1ll/sm2mm2s"
    plain = assess(middle, None, False, False).score.total
    assert assess(middle, None, True, False).score.total == plain + 10
    assert assess(middle, None, False, True).score.total == plain + 5
