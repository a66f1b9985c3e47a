"""Cells that look at each other: where they lie, and that plain arrays say what the trained network says."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.kingdoms import side_by_side
from vision.attention import HEADS, PLACES, REACH, Attention, places_of

ROW = 2 * REACH + 1
ITSELF = PLACES // 2


def test_a_cell_lies_at_its_place_as_seen_from_another() -> None:
    places = places_of(side_by_side(6, columns=3))
    assert (np.diag(places) == ITSELF).all()
    assert places[0, 1] == ITSELF + 1
    assert places[0, 3] == ITSELF + ROW
    assert places[4, 0] == ITSELF - ROW - 1


def test_places_are_seen_by_the_squares_whatever_the_camera_does() -> None:
    quads = side_by_side(12, columns=4)
    expected = places_of(quads)
    turned = np.stack([-quads[..., 1], quads[..., 0]], axis=-1) * 0.1 - 50
    sheared = quads @ np.array([[1.0, 0.3], [-0.2, 0.6]])
    rng = np.random.default_rng(2)
    shaken = quads + rng.normal(0, 0.03 * 60, quads.shape)
    for seen in (turned, sheared, shaken):
        assert np.array_equal(places_of(seen), expected)


def test_the_same_squares_seen_a_quarter_turned_have_their_places_turned() -> None:
    quads = side_by_side(12, columns=4)
    rows, columns = np.divmod(places_of(quads), ROW) - np.array(REACH)
    again = np.divmod(places_of(np.roll(quads, -1, axis=1)), ROW) - np.array(REACH)
    # The corner that was top right is now top left: what lay to the right lies above.
    assert np.array_equal(again[0], -columns)
    assert np.array_equal(again[1], rows)


def test_what_is_far_away_is_as_far_as_anything_counts() -> None:
    places = places_of(side_by_side(15, columns=15))
    assert places[0, REACH] == places[0, REACH + 1] == places[0, 14] == ITSELF + REACH


def test_a_square_without_area_has_a_place_too() -> None:
    quads = side_by_side(4)
    quads[1] = quads[1, 0]
    places = places_of(quads)
    assert ((places >= 0) & (places < PLACES)).all()


def some_attention(seed: int = 1, inputs: int = 6, width: int = 8, outputs: int = 3) -> Attention:
    rng = np.random.default_rng(seed)
    sizes = {"enter": (width, inputs), "leave": (outputs, width)}
    sizes |= {f"layer_0_{name}": (width, width) for name in ("query", "key", "value", "mix")}
    sizes |= {"layer_0_widen": (2 * width, width), "layer_0_narrow": (width, 2 * width)}
    arrays = {}
    for name, shape in sizes.items():
        arrays[f"{name}_weight"] = rng.normal(0, 0.5, shape).astype(np.float32)
        arrays[f"{name}_bias"] = rng.normal(0, 0.5, shape[0]).astype(np.float32)
    for name in ("layer_0_before", "layer_0_after", "last"):
        arrays[f"{name}_weight"] = rng.normal(1, 0.1, width).astype(np.float32)
        arrays[f"{name}_bias"] = rng.normal(0, 0.1, width).astype(np.float32)
    arrays["layer_0_places"] = rng.normal(0, 1, (HEADS, PLACES)).astype(np.float32)
    return Attention(arrays)


def test_a_cell_is_told_by_the_others_and_by_where_they_lie() -> None:
    attention = some_attention()
    rng = np.random.default_rng(3)
    cells, quads = rng.normal(0, 1, (6, 6)), side_by_side(6, columns=3)
    said = attention.outputs(cells, places_of(quads))
    other = cells.copy()
    other[5] += 1
    assert not np.allclose(attention.outputs(other, places_of(quads))[0], said[0])
    assert not np.allclose(attention.outputs(cells, places_of(side_by_side(6, columns=6)))[0], said[0])


def test_the_order_of_the_cells_does_not_matter() -> None:
    attention = some_attention()
    rng = np.random.default_rng(3)
    cells, quads = rng.normal(0, 1, (9, 6)), side_by_side(9, columns=3)
    order = rng.permutation(9)
    expected = attention.outputs(cells, places_of(quads))[order]
    assert np.allclose(attention.outputs(cells[order], places_of(quads[order])), expected, atol=1e-5)


def test_arrays_survive_their_file_in_half_precision() -> None:
    attention = some_attention()
    again = Attention.from_bytes(attention.to_bytes())
    assert again.layers == attention.layers == 1
    assert again.arrays.keys() == attention.arrays.keys()
    for name, values in attention.arrays.items():
        assert np.allclose(again.arrays[name], values, rtol=1e-3)
    assert Attention.from_bytes(again.to_bytes()).to_bytes() == again.to_bytes()


@pytest.mark.training
def test_plain_arrays_say_what_the_trained_network_says() -> None:
    import torch

    from vision.kingdom_reader import KNOWN
    from vision.training.kingdom_net import WIDTH, KingdomNet, attention_of

    torch.manual_seed(4)
    net = KingdomNet().eval()
    for parameter in net.parameters():
        torch.nn.init.normal_(parameter, 0, 0.1)
    rng = np.random.default_rng(5)
    cells = rng.normal(0, 1, (20, WIDTH + KNOWN)).astype(np.float32)
    places = places_of(side_by_side(20, columns=5))
    # Rows that are not there change nothing for the others.
    padded = torch.zeros(1, 23, WIDTH + KNOWN)
    padded[0, :20] = torch.from_numpy(cells)
    there = torch.arange(23)[None] < 20
    wide = torch.zeros(1, 23, 23, dtype=torch.int64)
    wide[0, :20, :20] = torch.from_numpy(places)
    with torch.no_grad():
        expected = net.together(padded[..., :WIDTH], padded[..., WIDTH:], wide, there)[0, :20].numpy()
    assert np.abs(expected).max() > 0.1
    assert np.allclose(attention_of(net).outputs(cells, places), expected, atol=1e-3)
