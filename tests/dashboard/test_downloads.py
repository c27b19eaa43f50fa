"""Names of downloads."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from honeyguide.dashboard.downloads import attachment, safe_name


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("dengue.csv", "dengue.csv"),
        ("../../etc/passwd", "_._etc_passwd"),
        ("C:\\evil.exe", "C__evil.exe"),
        ("report\u202egpj.exe", "reportgpj.exe"),
        ('a"b\r\nSet-Cookie: x=1.csv', "a_bSet-Cookie_ x=1.csv"),
        (".bashrc", "bashrc"),
        ("...", "download"),
        ("", "download"),
        ("дэнге.jsonl", "дэнге.jsonl"),
    ],
)
def test_a_download_gets_a_safe_name(name: str, safe: str) -> None:
    assert safe_name(name) == safe


def test_all_letters_of_a_name_reach_a_browser_that_can_read_them() -> None:
    header = attachment("дэнге 1.csv")["content-disposition"]
    assert header == (
        "attachment; filename=\"1.csv\"; filename*=UTF-8''%D0%B4%D1%8D%D0%BD%D0%B3%D0%B5%201.csv"
    )


@settings(deadline=None, derandomize=True, max_examples=200)
@given(some.text(max_size=300))
def test_no_name_breaks_the_header(name: str) -> None:
    header = attachment(name)["content-disposition"]
    assert header.isascii()
    assert header.isprintable()
    assert header.count('"') == 2
    assert not set(safe_name(name)) & set('/\\:*?"<>|\r\n\0')
    assert len(safe_name(name)) <= 140
