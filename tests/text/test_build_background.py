import gzip
import runpy
from importlib.resources import files
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "build_background.py"


def test_the_shipped_background_is_what_its_script_builds() -> None:
    pytest.importorskip("wordfreq", reason="needed only to build the background anew")
    shipped = files("honeyguide.text").joinpath("background-en.txt.gz").read_bytes()
    script = runpy.run_path(str(SCRIPT))
    assert gzip.decompress(script["build"]()) == gzip.decompress(shipped)
