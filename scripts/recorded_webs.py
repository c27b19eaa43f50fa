"""The recorded webs that some scripts need, and which of their topics come first."""

import os
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

from honeyguide.errors import ConfigError

WEBS = ("wikispeedia", "webkb")


def corpora_folder() -> Path:
    """The folder that holds the webs."""
    folder = os.environ.get("HONEYGUIDE_CORPORA", "")
    if not folder:
        raise ConfigError("Set HONEYGUIDE_CORPORA to the folder that holds wikispeedia/ and webkb/.")
    return Path(folder)


def first(names: Iterable[str], most: int) -> list[str]:
    """The first so many names by their sha256: as good as drawn by lot, and the same every time."""
    return sorted(set(names), key=lambda name: sha256(name.encode()).hexdigest())[:most]
