"""Texts about anything, presumed to be off topic when a topic comes without texts that are."""

import gzip
import json
from importlib.resources import files

from honeyguide.model import Example


def background_pages() -> tuple[Example, ...]:
    """The passages of an encyclopedia that come with the package; they are English."""
    data = files("honeyguide.text").joinpath("background-pages-en.jsonl.gz").read_bytes()
    _, *lines = map(json.loads, gzip.decompress(data).decode().splitlines())
    return tuple(Example(line["text"], line["title"]) for line in lines)
