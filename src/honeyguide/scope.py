"""Where a crawl may go: hosts, domains, patterns, file types, depth. Says why when it may not."""

import re
from collections.abc import Iterator, Sequence

from honeyguide.errors import ConfigError
from honeyguide.urls import canonical, host_of

_PICTURES = "ai avif bmp dwg eps gif heic ico jpe jpeg jpg png psd svg svgz tif tiff webp"
_SOUND_AND_FILM = (
    "aac avi f4v flac flv m3u m4a m4v mid midi mkv mov mp3 mp4 mpeg mpg ogg ogv opus rm swf wav webm wma wmv"
)
_OFFICE = (
    "csv doc docm docx dvi ics key kml kmz numbers odg odp ods odt pages pdf pps ppsx ppt pptm pptx ps pub "
    "rtf vcf vcs wps xls xlsm xlsx"
)
_ARCHIVES = "7z apk bz2 deb dmg gz img iso jar lz4 msi pkg rar rpm tar tgz torrent xz z zip zst"
_MACHINERY = "bin class css dat db eot exe js json map mjs otf so sqlite ttf wasm woff woff2"

NOT_PAGES = tuple(f"{_PICTURES} {_SOUND_AND_FILM} {_OFFICE} {_ARCHIVES} {_MACHINERY}".split())
"""File extensions that are surely not pages to read."""


class Scope:
    """Which URLs belong to a crawl; given hosts, domains or prefixes, a URL must be in one of them."""

    def __init__(
        self,
        *,
        hosts: Sequence[str] = (),
        domains: Sequence[str] = (),
        prefixes: Sequence[str] = (),
        include: Sequence[str] = (),
        exclude: Sequence[str] = (),
        exclude_hosts: Sequence[str] = (),
        skip_types: Sequence[str] = NOT_PAGES,
        max_depth: int = 0,
        schemes: Sequence[str] = ("http", "https"),
    ) -> None:
        self._hosts = frozenset(_host(name) for name in _listed("hosts", hosts))
        self._domains = frozenset(_host(name) for name in _listed("domains", domains))
        self._prefixes = tuple(url for prefix in _listed("prefixes", prefixes) for url in _prefix(prefix))
        self._bounded = bool(self._hosts or self._domains or self._prefixes)
        self._include = [_pattern(text) for text in _listed("include", include)]
        self._exclude = [_pattern(text) for text in _listed("exclude", exclude)]
        self._exclude_hosts = frozenset(_host(name) for name in _listed("exclude_hosts", exclude_hosts))
        self._skip_types = frozenset(name.lower().lstrip(".") for name in _listed("skip_types", skip_types))
        self._max_depth = max_depth
        self._schemes = tuple(f"{scheme.lower()}:" for scheme in _listed("schemes", schemes))

    def refuses(self, url: str, depth: int = 0) -> str:
        """Why a canonical URL is out of scope, in a few words; "" when it is in."""
        if 0 < self._max_depth < depth:
            return f"deeper than {self._max_depth} links"
        if not url.startswith(self._schemes):
            return f"scheme {url.partition(':')[0]} not in scope"
        if self._exclude_hosts and _within(host_of(url), self._exclude_hosts):
            return f"host {host_of(url)} excluded"
        if self._bounded and not self._holds(url):
            return (
                "host not in scope" if not self._prefixes else "not under a host, domain or prefix in scope"
            )
        kind = _type_of(url)
        if kind and kind in self._skip_types:
            return f"file type .{kind}"
        for pattern in self._exclude:
            if pattern.search(url):
                return f"excluded by pattern {pattern.pattern}"
        if self._include and not any(pattern.search(url) for pattern in self._include):
            return "matches no pattern to include"
        return ""

    def _holds(self, url: str) -> bool:
        host = host_of(url)
        return host in self._hosts or _within(host, self._domains) or url.startswith(self._prefixes)


def _within(host: str, domains: frozenset[str]) -> bool:
    """Whether a host is one of these domains or below one."""
    while host not in domains:
        host = host.partition(".")[2]
        if not host:
            return False
    return True


def _type_of(url: str) -> str:
    """The file extension a path ends in, in lower case; a compressed sitemap is XML."""
    path = url.partition("?")[0]
    dot = path.rfind(".")
    name = path.rfind("/")
    # The page about a picture is a page: wikis call it /wiki/File:Cat.jpg.
    if dot < name or path.find(":", name) > 0:
        return ""
    kind = path[dot + 1 :].lower()
    return "xml" if kind == "gz" and path[:dot].lower().endswith(".xml") else kind


def _listed(setting: str, values: Sequence[str]) -> Iterator[str]:
    if isinstance(values, str):
        raise ConfigError(f'The scope\'s {setting} must be a list: write {setting} = ["{values}"].')
    yield from values


def _host(name: str) -> str:
    url = canonical(f"http://{name}/")
    if url is None or "*" in name or url.count("/") != 3:
        raise ConfigError(f'"{name}" in the scope is not a host name such as "example.org".')
    return host_of(url)


def _prefix(prefix: str) -> list[str]:
    """The URLs a prefix stands for: one without a scheme stands for both."""
    spellings = [prefix] if "://" in prefix else [f"http://{prefix}", f"https://{prefix}"]
    urls = [canonical(spelling) for spelling in spellings]
    if None in urls:
        raise ConfigError(
            f'"{prefix}" in the scope is not a prefix of web addresses such as "example.org/docs/".'
        )
    return [url for url in urls if url]


def _pattern(text: str) -> re.Pattern[str]:
    try:
        return re.compile(text)
    except re.error as error:
        raise ConfigError(
            f'The pattern "{text}" in the scope is not a regular expression: {error}.'
        ) from error
