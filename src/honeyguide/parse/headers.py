"""What HTTP headers say about a page: Link (RFC 8288) and X-Robots-Tag."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from honeyguide.model import Link, Origin, Place
from honeyguide.parse.directives import Directives, addressed_to_us, read_directives
from honeyguide.parse.head import squeeze
from honeyguide.urls import canonical, words_of

_MAX_LENGTH = 16_384
_MAX_LINKS = 100

# Relations that lead to other pages, as opposed to styles, fonts, licences and interfaces.
_LEADING_NAMES = (
    "alternate appendix chapter collection contents first glossary index item last next prev previous related "
    "section start subsection up"
)
_LEADING = frozenset(_LEADING_NAMES.split())
_READABLE = (
    "text/",
    "application/xhtml",
    "application/rss",
    "application/atom",
    "application/rdf",
    "application/xml",
)

_links = re.compile(
    r"<([^<>]{0,4096})>((?:\s*;\s*[^\s=;,\"]+(?:\s*=\s*(?:\"(?:[^\"\\]|\\.)*\"|[^\s\";,]*))?)*)"
).finditer
_parameters = re.compile(r";\s*([^\s=;,\"]+)(?:\s*=\s*(?:\"((?:[^\"\\]|\\.)*)\"|([^\s\";,]*)))?").finditer
_unescape = re.compile(r"\\(.)").sub


class LinkHeaders(NamedTuple):
    """What Link headers give: pages this one leads to, and the address it says it has."""

    links: tuple[Link, ...] = ()
    canonical: str = ""


def read_link_headers(lines: Iterable[str], url: str) -> LinkHeaders:
    """The links of a response's Link headers that lead to pages."""
    found: dict[str, Link] = {}
    own = ""
    for target, parameters in _targets(lines):
        address = canonical(target, url)
        if address is None or parameters.get("anchor"):
            continue
        relations = set(parameters.get("rel", "").lower().split())
        if "canonical" in relations:
            own = own or address
        if relations & _LEADING and _is_readable(parameters.get("type", "")) and address != url:
            label = squeeze(parameters.get("title")) or words_of(address)
            nofollow = "nofollow" in relations
            found.setdefault(
                address, Link(address, url, label, label, Place.HEAD, "", Origin.HEADER, nofollow)
            )
    return LinkHeaders(tuple(found.values()), own)


def read_robots_tag(lines: Iterable[str]) -> Directives:
    """What a response's X-Robots-Tag headers ask of us."""
    return read_directives([addressed_to_us(line[:_MAX_LENGTH]) for line in lines])


def header_lines(headers: Sequence[tuple[str, str]], name: str) -> list[str]:
    """The values of a header, one for each time it was sent."""
    return [value for key, value in headers if key.lower() == name]


def _targets(lines: Iterable[str]) -> Iterable[tuple[str, dict[str, str]]]:
    count = 0
    for line in lines:
        for match in _links(line[:_MAX_LENGTH]):
            parameters: dict[str, str] = {}
            for name, quoted, plain in (found.groups() for found in _parameters(match[2])):
                parameters.setdefault(name.lower(), _unescape(r"\1", quoted) if quoted else plain or "")
            yield match[1].strip(), parameters
            count += 1
            if count == _MAX_LINKS:
                return


def _is_readable(content_type: str) -> bool:
    return not content_type or content_type.lower().startswith(_READABLE)
