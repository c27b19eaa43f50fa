import pytest

from honeyguide.parse.directives import Directives, addressed_to_us, read_directives
from honeyguide.parse.headers import read_robots_tag


@pytest.mark.parametrize(
    ("values", "wanted"),
    [
        ([], Directives()),
        (["all"], Directives()),
        (["noindex"], Directives(noindex=True)),
        (["NoFollow "], Directives(nofollow=True)),
        (["noarchive, noindex,nofollow"], Directives(True, True)),
        (["none"], Directives(True, True)),
        (["noindex", "nofollow"], Directives(True, True)),
        (["noindexing"], Directives()),
    ],
)
def test_lists_of_directives_are_read_together(values: list[str], wanted: Directives) -> None:
    assert read_directives(values) == wanted


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("noindex", "noindex"),
        ("noindex, nofollow", "noindex, nofollow"),
        ("honeyguide: noindex", " noindex"),
        ("HoneyGuide : noindex, nofollow", " noindex, nofollow"),
        ("otherbot: noindex", ""),
        ("unavailable_after: 25 Jun 2010 15:00:00 PST", "unavailable_after: 25 Jun 2010 15:00:00 PST"),
        ("noindex, max-snippet: 3", "noindex, max-snippet: 3"),
    ],
)
def test_a_line_for_another_robot_is_not_for_us(line: str, wanted: str) -> None:
    assert addressed_to_us(line) == wanted


def test_every_robots_tag_of_a_response_counts() -> None:
    assert read_robots_tag(["otherbot: none", "honeyguide: nofollow"]) == Directives(nofollow=True)
    assert read_robots_tag(["noindex", "honeyguide: nofollow"]) == Directives(True, True)
    assert read_robots_tag([]) == Directives()
