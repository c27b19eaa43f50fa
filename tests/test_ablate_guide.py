"""What evidence is worth to guide is shown by a script, of which the parts are tried without the recorded webs."""

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "scripts"))

import ablate_guide
from fit_guide import write_weights

from honeyguide.strategies.promises import FEATURES, GROUPS, shipped, weights_in


def test_every_group_of_features_is_left_out_once(tmp_path: Path) -> None:
    (name, whole), *others = ablate_guide.variants()
    assert name == ablate_guide.ALL
    assert np.array_equal(weights_in(write_weights(tmp_path / "all.json", whole)), shipped())
    for (name, rows), (group, features) in zip(others, GROUPS.items(), strict=True):
        assert name == f"without {group}"
        left = weights_in(write_weights(tmp_path / "left.json", rows)).weights
        for at, feature in enumerate(FEATURES):
            assert left[at] == (0.0 if feature in features else shipped().weights[at])


def test_what_is_lost_is_said_with_an_interval() -> None:
    lines = list(ablate_guide.table("zoo", {ablate_guide.ALL: [0.5, 0.7], "without words": [0.3, 0.5]}))
    assert lines[1] == "| all | 0.600 |  |"
    assert lines[2] == "| without words | 0.400 | -0.200 (-0.200 to -0.200) |"


def test_without_recorded_webs_it_says_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("HONEYGUIDE_CORPORA", raising=False)
    assert ablate_guide.main([]) == 2
    assert capsys.readouterr().err.startswith("Set HONEYGUIDE_CORPORA to the folder")


def test_a_web_that_it_does_not_know_is_told_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HONEYGUIDE_CORPORA", str(tmp_path))
    assert ablate_guide.main(["--webs", "webkb,zoo"]) == 2
    assert capsys.readouterr().err == "'zoo' is no web of this measurement; they are wikispeedia, webkb.\n"
