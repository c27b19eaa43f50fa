"""What a page tells robots: not to index it, not to follow its links."""

from collections.abc import Iterable
from typing import NamedTuple

PRODUCT = "honeyguide"
"""The name under which rules can be addressed to this crawler alone."""

# Directives that carry a value after a colon; any other word before a colon names a robot.
_WITH_VALUES = ("unavailable_after", "max-snippet", "max-image-preview", "max-video-preview")


class Directives(NamedTuple):
    """Whether a page asks not to be indexed, and its links not to be followed."""

    noindex: bool = False
    nofollow: bool = False


def read_directives(values: Iterable[str]) -> Directives:
    """What lists of directives such as "noindex, nofollow" or "none" ask for, taken together."""
    words = {word.strip().lower() for value in values for word in value.split(",")}
    everything = "none" in words
    return Directives(everything or "noindex" in words, everything or "nofollow" in words)


def addressed_to_us(line: str) -> str:
    """The directives of an X-Robots-Tag line that concern us; "" when it names another robot."""
    name, colon, rest = line.partition(":")
    name = name.strip().lower()
    if not colon or "," in name or name in _WITH_VALUES:
        return line
    return rest if name == PRODUCT else ""
