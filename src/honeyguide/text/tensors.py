"""Arrays in safetensors files: a table of contents in JSON, then the numbers."""

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

_KINDS = {"F16": np.float16, "F32": np.float32, "I64": np.int64}


def read_tensors(data: bytes) -> dict[str, NDArray[Any]]:
    """All arrays of a file by name, not to be written to; ValueError if it is not whole or of another kind."""
    start = 8 + int.from_bytes(data[:8], "little")
    arrays = {}
    for name, entry in json.loads(data[8:start]).items():
        if name != "__metadata__":
            if entry["dtype"] not in _KINDS:
                raise ValueError(f"its numbers are of the kind {entry['dtype']}")
            first, end = entry["data_offsets"]
            numbers = np.frombuffer(data[start + first : start + end], _KINDS[entry["dtype"]])
            arrays[name] = numbers.reshape(entry["shape"])
    return arrays
