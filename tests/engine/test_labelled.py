"""Every labelled kingdom of the data folder: it parses, round-trips, scores its points and can be cut."""

from __future__ import annotations

from typing import Any

import pytest

from engine import Kingdom, Rules, score, verify

pytestmark = pytest.mark.data

# The labelled kingdoms in which a player placed a domino against the rules.
ILLEGAL = {
    *("photos/mat_1.jpg", "photos/mat_2.jpg"),
    *(f"boards/{number}.jpg" for number in ("02", "06", "12", "16", "33", "36", "37", "40")),
}


def labels() -> dict[str, dict[str, Any]]:
    from vision.data import board_labels, photo_labels

    photos = {f"photos/{name}": label for name, label in photo_labels().items()}
    return photos | {f"boards/{name}": label for name, label in board_labels().items()}


def rules(label: dict[str, Any]) -> Rules:
    return Rules(size=label.get("size", 5))


def test_there_are_90_labelled_kingdoms() -> None:
    assert len(labels()) == 90


def test_every_labelled_kingdom_parses_and_round_trips() -> None:
    for name, label in labels().items():
        assert (name, Kingdom.from_notation(label["notation"]).notation) == (name, label["notation"])


def test_every_labelled_kingdom_scores_its_points() -> None:
    for name, label in labels().items():
        assert (name, score(Kingdom.from_notation(label["notation"])).points) == (name, label["points"])


def test_every_labelled_kingdom_can_be_cut_into_dominoes_of_the_box() -> None:
    for name, label in labels().items():
        verdict = verify(Kingdom.from_notation(label["notation"]), rules(label))
        assert (name, verdict.tileable, verdict.exact) == (name, True, True)


def test_exactly_the_ten_known_kingdoms_were_not_built_by_the_rules() -> None:
    illegal = {
        name
        for name, label in labels().items()
        if not verify(Kingdom.from_notation(label["notation"]), rules(label)).legal
    }
    assert illegal == ILLEGAL


def test_the_problem_of_an_illegal_kingdom_is_its_connection() -> None:
    for name, label in labels().items():
        codes = [problem.code for problem in Kingdom.from_notation(label["notation"]).status(rules(label))]
        assert (name, codes) == (name, ["illegal_connection"] if name in ILLEGAL else [])
