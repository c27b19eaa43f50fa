"""Fakes, demo crawls, a topic and the command line, which several folders of tests share."""

import sys
from pathlib import Path

for folder in ("crawl", "bench", "cli", "judges"):
    sys.path.insert(0, str(Path(__file__).parent / folder))
