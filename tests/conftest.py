"""Fakes, demo crawls, a topic and the command line, which several folders of tests share."""

import gc
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

for folder in ("crawl", "bench", "cli", "judges", "search"):
    sys.path.insert(0, str(Path(__file__).parent / folder))

MOST_GARBAGE = 1 << 18
"""Pages of memory, a gigabyte, that tests may leave behind before somebody sweeps."""

_swept_at = [0]


@pytest.fixture(autouse=True)
def _sweep() -> Iterator[None]:
    """Collect what tests leave in cycles: few objects, so that Python does not hurry, but large arrays."""
    yield
    try:
        held = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return
    if held > _swept_at[0] + MOST_GARBAGE:
        gc.unfreeze()
        gc.collect()
        _swept_at[0] = int(Path("/proc/self/statm").read_text().split()[1])
