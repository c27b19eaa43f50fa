"""Searches that were given a name."""

from pathlib import Path

import pytest

from honeyguide.errors import ConfigError
from honeyguide.search.ranking import Sort
from honeyguide.search.results import Request
from honeyguide.search.saved import SavedSearches


def test_a_search_is_taken_up_as_it_was_saved(tmp_path: Path) -> None:
    saved = SavedSearches(tmp_path / "search" / "saved.toml")
    assert saved.all() == {}
    request = Request(
        'dengue "x\x7fy"',
        hosts=("who.int",),
        languages=("en", "de"),
        relevant=False,
        sort=Sort.NEWEST,
        good=("https://a.example/",),
    )
    saved.put("first", request)
    saved.put("second", Request("fever", page=3, facets=True))
    assert saved.get("first") == request
    assert saved.all() == {"first": request, "second": Request("fever")}
    saved.remove("first")
    assert list(saved.all()) == ["second"]


def test_what_cannot_be_saved_or_found_is_one_sentence(tmp_path: Path) -> None:
    file = tmp_path / "saved.toml"
    saved = SavedSearches(file)
    for name in ("", "a b", "a.b", "[x]", "x" * 61):
        with pytest.raises(ConfigError, match="cannot be a saved search's name"):
            saved.put(name, Request("dengue"))
    with pytest.raises(ConfigError, match="not closed"):
        saved.put("broken", Request("(dengue"))
    with pytest.raises(ConfigError, match="none is saved"):
        saved.get("nothing")
    saved.put("one", Request("dengue"))
    with pytest.raises(ConfigError, match="the saved ones are: one"):
        saved.get("other")
    for text, complaint in (
        ("x", "cannot be read"),
        ("[one]\nsort = 'size'", "sort must be one of"),
        ("[one]\ncolour = 'red'", "has no key colour"),
        ("[one]\nlimit = 'many'", "whole number"),
    ):
        file.write_text(text)
        with pytest.raises(ConfigError, match=complaint):
            saved.get("one")
