"""Judges that were saved with a crawl, and whether this version can still read them."""

from collections.abc import Mapping
from typing import Any

from honeyguide.errors import ConfigError


def must_be(name: str, state: Mapping[str, Any]) -> None:
    """Refuse a state that another judge, or another version of this one, has written."""
    wrote = state.get("judge", "an unnamed judge")
    if wrote != name:
        raise ConfigError(
            f"The judge saved with this crawl is {wrote}, and this version of Honeyguide reads {name}; "
            "start a new crawl, or open it with the version that made it."
        )
