"""Settings are constructor calls."""

import tomllib
from collections.abc import Mapping, Sequence
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honeyguide.config import construct, merge, parse_assignment, parse_use, resolved, to_toml
from honeyguide.errors import ConfigError


class Kettle:
    """Something with settings."""

    def __init__(
        self,
        water: int,
        *,
        heat: float = 1.0,
        lid: bool = True,
        label: str = "",
        colours: Sequence[str] = (),
        marks: Mapping[str, str] | None = None,
        size: Literal["small", "large"] = "small",
    ) -> None:
        if heat < 0:
            raise ValueError("heat cannot be negative")
        self.all = (water, heat, lid, label, colours, marks, size)


def test_a_table_is_a_constructor_call() -> None:
    kettle = construct(Kettle, {"heat": 2, "colours": ["red"], "marks": {"a": "b"}}, 5, name="kettle")
    assert kettle.all == (5, 2.0, True, "", ("red",), {"a": "b"}, "small")


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        (
            {"heart": 1},
            r"\[kettle\] has no key heart; the keys are: heat, lid, label, colours, marks, size\.",
        ),
        ({"heat": "hot"}, r"kettle\.heat must be a number, not 'hot'\."),
        ({"lid": 1}, r"kettle\.lid must be true or false, not 1\."),
        ({"size": "huge"}, r"kettle\.size must be one of small, large, not 'huge'\."),
        ({"colours": 5}, r"kettle\.colours must be a list, not 5\."),
        ({"marks": 5}, r"kettle\.marks must be a table, not 5\."),
        ({"heat": -1}, r"\[kettle\]: heat cannot be negative\."),
    ],
)
def test_a_wrong_setting_gets_one_sentence(table: dict[str, object], sentence: str) -> None:
    with pytest.raises(ConfigError, match=sentence):
        construct(Kettle, table, 5, name="kettle")


def test_defaults_are_filled_in_from_the_signature() -> None:
    assert resolved(Kettle, {"heat": 3}) == {
        "heat": 3,
        "lid": True,
        "label": "",
        "colours": (),
        "size": "small",
    }


@pytest.mark.parametrize(
    ("text", "tables"),
    [
        ("politeness.delay=2", {"politeness": {"delay": 2}}),
        ("scope.domains=['a.org', 'b.org']", {"scope": {"domains": ["a.org", "b.org"]}}),
        ("fetch.contact=me@example.org", {"fetch": {"contact": "me@example.org"}}),
        ("crawl.sitemaps=true", {"crawl": {"sitemaps": True}}),
    ],
)
def test_assignments_read_values_as_toml_does(text: str, tables: dict[str, object]) -> None:
    assert parse_assignment(text) == tables


@pytest.mark.parametrize("text", ["delay=2", "politeness.delay", "=", "a.=1"])
def test_a_malformed_assignment_says_how_to_write_it(text: str) -> None:
    with pytest.raises(ConfigError, match=r"table\.key=value"):
        parse_assignment(text)


def test_a_name_may_carry_parameters() -> None:
    assert parse_use("best-first:by=anchor,weight=0.5") == {
        "use": "best-first",
        "by": "anchor",
        "weight": 0.5,
    }
    with pytest.raises(ConfigError, match="key=value"):
        parse_use("best-first:anchor")


def test_a_table_that_uses_something_else_starts_afresh() -> None:
    merged = merge({"strategy": {"use": "best-first", "by": "page"}}, {"strategy": {"use": "random"}})
    assert merged == {"strategy": {"use": "random"}}


VALUES = st.recursive(
    st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text("abc- é", min_size=1), inner, max_size=3)
    ),
    max_leaves=5,
)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(
    st.dictionaries(
        st.sampled_from(["topic", "fetch"]), st.dictionaries(st.text("abc_é ", min_size=1), VALUES)
    )
)
def test_what_is_written_as_toml_is_read_back_the_same(tables: dict[str, dict[str, object]]) -> None:
    assert tomllib.loads(to_toml(tables)) == tables
