"""The logic of the page that scores a typed kingdom, run without a browser."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from streamlit.testing.v1 import AppTest

from engine import Kingdom, KingdominoError, score, verify
from tests.ui.pages import html, opened, points, words
from ui import text
from ui.pages.typed import EXAMPLES


@pytest.fixture
def app() -> AppTest:
    return opened("typed")


def markup(app: AppTest) -> set[str]:
    """The names of all elements and attributes the page draws by itself."""
    found: set[str] = set()

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            found.update([tag, *(name for name, _ in attrs)])

    Reader().feed(html(app))
    return found


def entered(app: AppTest, typed: str) -> AppTest:
    return app.text_area(key="kingdom").set_value(typed).run()


def test_the_page_opens_with_an_example_and_its_score(app: AppTest) -> None:
    assert not app.exception
    assert points(app) == 47
    assert "8 squares × 2 crowns" in words(app)
    assert "could have been built by the rules" in words(app)


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_fills_the_field_and_is_scored(app: AppTest, name: str) -> None:
    next(button for button in app.button if button.label == name).click().run()
    assert app.text_area(key="kingdom").value == EXAMPLES[name]
    assert points(app) == score(Kingdom.from_notation(EXAMPLES[name])).total


def test_exactly_the_example_with_a_mistake_is_illegal() -> None:
    legal = {name: verify(Kingdom.from_notation(notation)).legal for name, notation in EXAMPLES.items()}
    assert [name for name, verdict in legal.items() if not verdict] == ["With a mistake"]


def test_a_mistake_is_named_with_its_squares(app: AppTest) -> None:
    entered(app, EXAMPLES["With a mistake"])
    assert "not every domino was laid by the rules" in words(app)
    assert "row 2, column 4 and row 2, column 5" in words(app)


def test_bonuses_are_added_with_their_reason(app: AppTest) -> None:
    entered(app, EXAMPLES["Castle in the middle"])
    plain = points(app)
    for toggle in app.toggle:
        toggle.set_value(True)
    app.run()
    assert points(app) == plain + 15
    assert "The castle is in the middle" in words(app)


def test_a_size_that_does_not_fit_is_a_problem(app: AppTest) -> None:
    entered(app, EXAMPLES["7×7 duel"])
    assert "could have been built by the rules" in words(app)
    app.radio[0].set_value(5).run()
    assert "7 squares wide; at most 5" in words(app)


@pytest.mark.parametrize("typed", ["x", "wf/w", "w0", "C1", "3w", "w" * 5_000, "/".join(["w" * 16] * 16)])
def test_a_bad_kingdom_gives_a_sentence_and_no_score(app: AppTest, typed: str) -> None:
    entered(app, typed)
    assert not app.exception
    assert "kd-bad" in html(app)
    assert "kd-points" not in html(app)


def test_the_sentence_is_the_engines_own(app: AppTest) -> None:
    with pytest.raises(KingdominoError) as refused:
        Kingdom.from_notation("wf/xw")
    assert str(refused.value) in words(entered(app, "wf/xw"))


@pytest.mark.parametrize("typed", ["", "  \n "])
def test_an_empty_field_asks_for_a_kingdom(app: AppTest, typed: str) -> None:
    assert text.NOTHING_YET in words(entered(app, typed))


@pytest.mark.parametrize("typed", ["C", ".", "?", "CC", "w?C", "w3C", "w", ".C./...", "C" * 15, "wwwwwwwwwwwwwww"])
def test_any_kingdom_that_can_be_held_is_shown(app: AppTest, typed: str) -> None:
    entered(app, typed)
    assert not app.exception
    assert text.UNEXPECTED not in words(app)
    assert "kd-board" in html(app)


@pytest.mark.parametrize("typed", ["<script>alert(1)</script>", "<img src=x onerror=alert(1)>", '"><b>'])
def test_what_was_typed_is_shown_as_text(app: AppTest, typed: str) -> None:
    entered(app, typed)
    assert not markup(app) & {"script", "b", "onerror"}
    assert "".join(typed.split()) in words(app)


def test_a_chosen_territory_stands_out(app: AppTest) -> None:
    before = html(app)
    app.selectbox[0].set_value(app.selectbox[0].options[1]).run()
    assert not app.exception
    assert html(app) != before


def test_a_failure_of_the_program_gives_a_sentence_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("a defect")

    monkeypatch.setattr("ui.pages.typed.assess", fail)
    app = opened("typed")
    assert not app.exception
    assert text.UNEXPECTED in words(app)
    assert "a defect" not in words(app)
