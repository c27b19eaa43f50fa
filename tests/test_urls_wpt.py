"""The web platform's own tests for URLs, at the layer we parse with and through `canonical`."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from honeyguide.urls import _parse, canonical, canonical_all

FOLDER = os.environ.get("HONEYGUIDE_CONFORMANCE", "")

pytestmark = pytest.mark.skipif(not FOLDER, reason="HONEYGUIDE_CONFORMANCE names no folder with wpt/")


def cases(name: str) -> list[dict[str, Any]]:
    entries = json.loads((Path(FOLDER) / "wpt" / name).read_text(encoding="utf-8"))
    return [entry for entry in entries if isinstance(entry, dict)]


def test_every_address_is_parsed_as_the_standard_says() -> None:
    known = cases("urltestdata.json")
    assert len(known) > 500
    wrong = [
        (case["input"], case["base"], found, case.get("href"))
        for case in known
        if (found := _parse(case["input"], case["base"] or "")) != case.get("href")
    ]
    assert wrong == []


def test_every_host_name_is_mapped_as_the_standard_says() -> None:
    wrong = []
    for case in cases("toascii.json"):
        found = _parse(f"https://{case['input']}/x")
        expected = case["output"] and f"https://{case['output']}/x"
        if found != expected:
            wrong.append((case["input"], found, expected))
    assert wrong == []


def test_canonical_takes_every_case_and_refuses_every_failure() -> None:
    for case in cases("urltestdata.json"):
        url = canonical(case["input"], case["base"])
        assert canonical_all([case["input"]], case["base"] or "") == [url]
        if case.get("failure") and case["base"] is None:
            assert url is None
        if url is not None:
            assert canonical(url) == url
