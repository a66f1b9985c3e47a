"""How fast networks learn as a run goes on, and the running mean of their weights."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytestmark = pytest.mark.training


def test_the_rate_rises_shortly_and_then_falls_to_next_to_nothing() -> None:
    from vision.training.steps import LEAST_RATE, share_of_rate

    shares = [share_of_rate(progress, 0.1) for progress in np.linspace(0, 1, 101)]
    assert shares[0] == shares[-1] == LEAST_RATE
    assert shares[10] == max(shares) == 1
    assert (np.diff(shares[:11]) > 0).all()
    assert (np.diff(shares[10:]) <= 0).all()
    assert shares[55] == pytest.approx(0.5)


def test_the_mean_follows_the_weights_and_takes_over_counters() -> None:
    import torch

    from vision.training.steps import follow

    mean = {"weight": torch.zeros(2), "steps": torch.tensor(3)}
    follow(mean, {"weight": torch.tensor([1.0, -2.0]), "steps": torch.tensor(9)}, 0.25)
    assert mean["weight"].tolist() == [0.25, -0.5]
    assert mean["steps"].item() == 9


def test_the_rate_that_is_set_holds_for_all_weights() -> None:
    import torch

    from vision.training.steps import set_rate

    groups = [{"params": [torch.zeros(1, requires_grad=True)]} for _ in range(2)]
    optimizer = torch.optim.SGD(groups, lr=1.0)
    set_rate(optimizer, 0.25)
    assert [group["lr"] for group in optimizer.param_groups] == [0.25, 0.25]


def test_a_run_goes_on_from_its_own_state_only(tmp_path: Path) -> None:
    import torch

    from vision.training.steps import kept_state, save_state

    path = tmp_path / "runs" / "net.pt"
    assert kept_state(path, "ours") == {}
    save_state(path, {"recipe": "ours", "epoch": 2, "net": {"weight": torch.ones(3)}})
    kept = kept_state(path, "ours")
    assert kept["epoch"] == 2 and kept["net"]["weight"].tolist() == [1, 1, 1]
    assert kept_state(path, "another") == {}
    assert [file.name for file in path.parent.iterdir()] == ["net.pt"]
