"""Plain text: the first line is the title, and bare addresses are links."""

import re

from honeyguide.model import Page
from honeyguide.parse.contexts import MarkedText, instead, without_signs
from honeyguide.parse.head import squeeze
from honeyguide.parse.links import Found, body_links, one_for_each
from honeyguide.parse.places import PAGE
from honeyguide.urls import canonical

_addresses = re.compile(r"\bhttps?://[^\s<>\"'`\\^{}|]{1,2048}", re.IGNORECASE).finditer
_NOT_AT_END = ".,;:!?*_~]"


def read_plain(
    text: str, url: str, *, window: int = 25, max_links: int = 2_000, max_text: int = 200_000
) -> Page:
    """What a text says and the addresses it names."""
    text = without_signs(text[:max_text]).replace("\0", "")
    found: list[Found] = []
    pieces: list[str] = []
    done = 0
    for match in _addresses(text):
        written = _without_punctuation(match[0])
        address = canonical(written)
        if address is None or address == url:
            continue
        # The address itself says little; its words will stand in its place.
        pieces += text[done : match.start()], instead(str(len(found)))
        done = match.start() + len(written)
        found.append(Found(address, "", "", "", PAGE))
        if len(found) >= max_links:
            break
    marked = MarkedText("".join((*pieces, text[done:])), {}, window=window)
    body = text.strip()
    return Page(
        url=url,
        title=squeeze(body.partition("\n")[0]),
        text=body,
        links=one_for_each(body_links(found, marked, url), max_links),
    )


def _without_punctuation(address: str) -> str:
    """An address without the punctuation of the sentence it stands in."""
    address = address.rstrip(_NOT_AT_END)
    if address.endswith(")") and "(" not in address:
        address = address.rstrip(")" + _NOT_AT_END)
    return address
