"""What stands at an address, and what a request for it is answered with."""

import gzip
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from email.utils import formatdate
from typing import NamedTuple

import brotli
from xxhash import xxh3_64_hexdigest

HTML = "text/html; charset=utf-8"
_EPOCH = 1_700_000_000
_YEAR = 365 * 86_400

Headers = tuple[tuple[str, str], ...]


class Answer(NamedTuple):
    """A response: `delay` seconds pass before it, `pause` between its `pieces`; `cut` closes it early."""

    status: int
    headers: Headers
    body: bytes = b""
    delay: float = 0.0
    pieces: int = 1
    pause: float = 0.0
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Resource:
    """A page or file, with everything peculiar about how its host serves it.

    The first `failures` requests get `failing` instead. `coding` is used where the client takes it,
    `claims` is a Content-Encoding that is not true.
    """

    body: bytes = b""
    status: int = 200
    content_type: str = HTML
    headers: Headers = ()
    coding: str = ""
    claims: str = ""
    delay: float = 0.0
    pieces: int = 1
    pause: float = 0.0
    cut: bool = False
    failures: int = 0
    failing: int = 503
    packed: dict[str, bytes] = field(default_factory=dict, init=False, compare=False)
    """The body as sent, by content coding: compressed when first asked for."""

    @property
    def etag(self) -> str:
        return f'"{xxh3_64_hexdigest(self.body)}"'

    @property
    def last_modified(self) -> str:
        return formatdate(_EPOCH + int(xxh3_64_hexdigest(self.body), 16) % _YEAR, usegmt=True)

    def answer(self, headers: Mapping[str, str], attempt: int = 1) -> Answer:
        """What a request with these headers (names in lower case) gets at its n-th attempt."""
        if attempt <= self.failures:
            later = (("Content-Type", "text/plain"), ("Retry-After", "1"))
            return Answer(self.failing, later, b"Please come back in a moment.\n", self.delay)
        if self.status != 200:
            return Answer(
                self.status, (("Content-Type", self.content_type), *self.headers), self.body, self.delay
            )
        validators = (("ETag", self.etag), ("Last-Modified", self.last_modified))
        if self._is_known(headers):
            return Answer(304, validators, delay=self.delay)
        told: Headers = (("Content-Type", self.content_type), *validators, *self.headers)
        if self.claims:
            told += (("Content-Encoding", self.claims),)
        coding = self.coding if _takes(headers, self.coding) else ""
        if coding:
            told += (("Content-Encoding", coding.removesuffix("-raw")), ("Vary", "Accept-Encoding"))
        return Answer(200, told, self._packed(coding), self.delay, self.pieces, self.pause, self.cut)

    def _is_known(self, headers: Mapping[str, str]) -> bool:
        if tags := headers.get("if-none-match"):
            return any(tag.strip().removeprefix("W/") in (self.etag, "*") for tag in tags.split(","))
        return headers.get("if-modified-since") == self.last_modified

    def _packed(self, coding: str) -> bytes:
        if coding not in self.packed:
            self.packed[coding] = _CODINGS[coding](self.body)
        return self.packed[coding]


def _takes(headers: Mapping[str, str], coding: str) -> bool:
    offered = headers.get("accept-encoding", "")
    return coding.removesuffix("-raw") in (each.partition(";")[0].strip() for each in offered.split(","))


_CODINGS: Mapping[str, Callable[[bytes], bytes]] = {
    "": bytes,
    "gzip": lambda body: gzip.compress(body, mtime=0),
    "br": lambda body: bytes(brotli.compress(body, quality=5)),
    "deflate": zlib.compress,
    "deflate-raw": lambda body: zlib.compress(body, wbits=-15),
}
