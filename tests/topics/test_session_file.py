"""A browsing session as a file."""

from pathlib import Path

import pytest

from honeyguide.errors import ConfigError
from honeyguide.model import Example, Step
from honeyguide.topics.session import read_session


def test_a_line_is_a_mark_and_a_page_in_the_order_they_were_seen(tmp_path: Path) -> None:
    (tmp_path / "saved page.html").write_text("<p>x</p>")
    file = tmp_path / "session.txt"
    file.write_text(
        "# a search for dengue\n+\thttps://a.org/\nirrelevant https://b.org/\n"
        "Relevant\tsaved page.html\n-\thttps://a.org/\n"
    )
    assert list(read_session(file)) == [
        Step(Example("", url="https://a.org/"), True),
        Step(Example("", url="https://b.org/"), False),
        Step(Example("", url=(tmp_path / "saved page.html").as_uri()), True),
        Step(Example("", url="https://a.org/"), False),
    ]


def test_json_lines_may_carry_the_texts(tmp_path: Path) -> None:
    file = tmp_path / "session.jsonl"
    file.write_text('{"relevant": true, "text": "One", "url": "https://a.org/"}\n')
    assert list(read_session(file)) == [Step(Example("One", url="https://a.org/"), True)]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("https://a.org/\n", "session.txt, line 1: a line is \\+ or - and an address"),
        ("+ https://a.org/\n+\n", "line 2: a line is \\+ or - and an address"),
        ("* https://a.org/\n", "line 1: a line is \\+ or -"),
        ("+ nowhere.html\n", "line 1: there is no file"),
        ("+ folder\n", "line 1: a line names one page, and this one names 2"),
    ],
)
def test_a_line_that_is_no_step_is_named(tmp_path: Path, text: str, sentence: str) -> None:
    (tmp_path / "folder").mkdir()
    for name in "ab":
        (tmp_path / "folder" / name).write_text(name)
    (tmp_path / "session.txt").write_text(text)
    with pytest.raises(ConfigError, match=sentence):
        list(read_session(tmp_path / "session.txt"))
