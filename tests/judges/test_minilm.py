from dataclasses import replace
from importlib.util import find_spec

import numpy as np
import pytest
from topic_of_dengue import NEAR, OFF, ON, TOPIC

from honeyguide.errors import ConfigError
from honeyguide.judges.minilm import MiniLM
from honeyguide.model import Page
from honeyguide.text import minilm as model

installed = pytest.mark.skipif(
    find_spec(model.PACKAGE) is None, reason="the extra 'embeddings' is not installed"
)


def test_without_the_extra_it_says_what_to_install(monkeypatch):
    monkeypatch.setattr(model, "find_spec", lambda name: None)
    monkeypatch.setattr(model, "_model", model._model.__wrapped__)
    with pytest.raises(
        ConfigError,
        match=r"^The minilm judge needs an extra: pip install 'honeyguide\[embeddings\]', or without PyTorch",
    ):
        MiniLM().fit(TOPIC)


def test_settings_that_cannot_be_are_refused():
    with pytest.raises(ConfigError, match="threshold must lie between 0 and 1"):
        MiniLM(threshold=-1)
    with pytest.raises(ConfigError, match="background must be 2 texts or more"):
        MiniLM(background=1)


@installed
def test_its_vectors_are_those_of_the_model_run_by_pytorch():
    # The first numbers that PyTorch gives before the vector is made 1 long.
    pytorch = np.array([5.41010201e-01, 6.43181562e-01, 3.37639935e-02])
    found = model.encode("Each sentence is converted")
    assert np.allclose(found[:3] / found[0], pytorch / pytorch[0], rtol=1e-4)
    assert np.isclose((found * found).sum(), 1)


@installed
def test_texts_that_mean_the_same_lie_closer_than_others():
    one, same, other = map(model.encode, ("A man eats pasta.", "Somebody has noodles.", "Shares fell today."))
    assert one @ same > one @ other + 0.2


@installed
@pytest.mark.parametrize("topic", [TOPIC, replace(TOPIC, examples=())])
def test_pages_come_in_the_order_in_which_they_mean_the_topic(topic):
    judge = MiniLM().fit(topic)
    twin = MiniLM().restore(judge.state())
    on, near, off = map(judge.assess, (ON, NEAR, OFF))
    assert on.margin > near.margin > off.margin
    assert on.relevant
    assert sum(reason.amount for reason in on.reasons) == pytest.approx(on.score, abs=1e-6)
    assert [twin.assess(page) for page in (ON, NEAR, OFF)] == [on, near, off]


@installed
def test_awkward_pages_are_read():
    judge = MiniLM().fit(TOPIC)
    assert judge.assess(Page(url="")).score == 0
    for text in ("x" * 2_000_000, "\ud800 dengue", "登革热" * 10_000, "\x00"):
        assert 0 <= judge.assess(Page(url="", text=text)).score <= 1
