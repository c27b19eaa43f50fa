"""Fakes and demo crawls that several folders of tests share."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "crawl"))
sys.path.insert(0, str(Path(__file__).parent / "bench"))
