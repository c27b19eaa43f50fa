"""The recorded webs that some scripts need, and which of their topics come first."""

import os
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

from honeyguide.cli.bench import parts
from honeyguide.errors import ConfigError

WEBS = ("wikispeedia", "webkb")


def corpora_folder() -> Path:
    """The folder that holds the webs."""
    folder = os.environ.get("HONEYGUIDE_CORPORA", "")
    if not folder:
        raise ConfigError("Set HONEYGUIDE_CORPORA to the folder that holds wikispeedia/ and webkb/.")
    return Path(folder)


def chosen(webs: str) -> list[str]:
    """The webs that somebody named, with commas between."""
    names = parts([webs])
    if strange := [web for web in names if web not in WEBS]:
        raise ConfigError(f"{strange[0]!r} is no web of this measurement; they are {', '.join(WEBS)}.")
    return list(dict.fromkeys(names))


def first(names: Iterable[str], most: int) -> list[str]:
    """The first so many names by their sha256: as good as drawn by lot, and the same every time."""
    return sorted(set(names), key=lambda name: sha256(name.encode()).hexdigest())[:most]
