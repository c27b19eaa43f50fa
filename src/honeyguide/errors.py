"""Everything that can go wrong, as one tree.

HoneyguideError
├── UserError                 a person can mend it: one sentence, exit code 2
│   ├── ConfigError           a topic, option or setting is wrong
│   ├── CrawlError            a crawl folder cannot be used as asked
│   └── ResourceError         the machine ran out of something; the crawl is saved and can be resumed
└── PageError                 concerns one page only; becomes a Visit with an error
    ├── FetchError            the page could not be fetched (may be transient)
    ├── Refusal               the page may not or should not be fetched
    └── ParseError            the page was fetched and could not be read
"""

from enum import StrEnum


class ErrorKind(StrEnum):
    """Why a page was not had, as stored with the visit and counted in reports."""

    DNS = "dns"
    CONNECT = "connect"
    TLS = "tls"
    TIMEOUT = "timeout"
    STALLED = "stalled"
    PROTOCOL = "protocol"
    HEADERS = "headers"
    REDIRECTS = "redirects"
    STATUS = "status"
    ENCODING = "encoding"
    TYPE = "type"
    ROBOTS = "robots"
    ROBOTS_UNREACHABLE = "robots-unreachable"
    PRIVATE = "private-address"
    SCOPE = "scope"
    KNOWN = "known"
    TRAP = "trap"
    CAP = "host-cap"
    PARKED = "host-parked"
    PARSE = "parse"
    PARSE_TIMEOUT = "parse-timeout"
    WORKER = "worker"
    MISS = "miss"


class HoneyguideError(Exception):
    """The root of every error this package raises on purpose."""


class UserError(HoneyguideError):
    """Something a person can mend; its text is one sentence that says what and how."""


class ConfigError(UserError):
    """A topic, an option or a setting is wrong."""


class CrawlError(UserError):
    """A crawl folder cannot be used as asked: missing, locked, damaged, of another kind."""


class ResourceError(UserError):
    """Disk or memory ran out; what was committed is safe and the crawl can be resumed."""


class PageError(HoneyguideError):
    """Concerns one page only; the loop turns it into a Visit."""

    def __init__(self, kind: ErrorKind, detail: str = "") -> None:
        super().__init__(f"{kind}: {detail}" if detail else str(kind))
        self.kind = kind
        self.detail = detail


class FetchError(PageError):
    """The page could not be fetched; when transient, trying again later may help."""

    def __init__(
        self, kind: ErrorKind, detail: str = "", *, transient: bool = False, status: int = 0
    ) -> None:
        super().__init__(kind, detail)
        self.transient = transient
        self.status = status


class Refusal(PageError):
    """The page may not be fetched (robots, address) or should not be (scope, trap, type)."""


class ParseError(PageError):
    """The page was fetched and could not be read."""
