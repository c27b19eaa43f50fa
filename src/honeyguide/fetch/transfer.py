"""One curl handle and what it receives: headers and body taken in within bounds, errors explained."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pycurl

from honeyguide.errors import ErrorKind, FetchError, Refusal

_FAILURE_BODY = 64 * 1024  # what is read of an answer that is no success
_MOST_HEADER_BYTES = 64 * 1024
_MOST_HEADERS = 500

# What curl's error numbers mean to a crawl, and whether trying again later may help;
# all others are a server that does not speak the protocol.
_CUT_OFF = frozenset({16, 18, 56, 92})  # HTTP2, PARTIAL_FILE, RECV_ERROR, HTTP2_STREAM
_TIMED_OUT = 28
_MEANINGS: Mapping[int, tuple[ErrorKind, bool]] = {
    5: (ErrorKind.CONNECT, True),  # COULDNT_RESOLVE_PROXY
    7: (ErrorKind.CONNECT, True),  # COULDNT_CONNECT
    16: (ErrorKind.PROTOCOL, True),  # HTTP2
    18: (ErrorKind.PROTOCOL, True),  # PARTIAL_FILE
    _TIMED_OUT: (ErrorKind.TIMEOUT, True),
    35: (ErrorKind.TLS, False),  # SSL_CONNECT_ERROR
    52: (ErrorKind.PROTOCOL, True),  # GOT_NOTHING
    55: (ErrorKind.CONNECT, True),  # SEND_ERROR
    56: (ErrorKind.CONNECT, True),  # RECV_ERROR
    58: (ErrorKind.TLS, False),  # SSL_CERTPROBLEM
    59: (ErrorKind.TLS, False),  # SSL_CIPHER
    60: (ErrorKind.TLS, False),  # PEER_FAILED_VERIFICATION
    61: (ErrorKind.ENCODING, False),  # BAD_CONTENT_ENCODING
    77: (ErrorKind.TLS, False),  # SSL_CACERT_BADFILE
    91: (ErrorKind.TLS, False),  # SSL_INVALIDCERTSTATUS
    92: (ErrorKind.PROTOCOL, True),  # HTTP2_STREAM
    97: (ErrorKind.CONNECT, True),  # PROXY
    100: (ErrorKind.HEADERS, False),  # TOO_LARGE
}


class Transfer:
    """A curl handle used for one request after another, and what the present one has received.

    Curl calls `_on_header` for every header line and `_on_body` for every piece of the body; a
    return value of -1 ends the transfer, and `stopped` or `truncated` then says why.
    """

    def __init__(self, options: Mapping[int, Any]) -> None:
        self.curl = pycurl.Curl()
        for option, value in options.items():
            self.curl.setopt(option, value)
        self.curl.setopt(pycurl.HEADERFUNCTION, self._on_header)
        self.curl.setopt(pycurl.WRITEFUNCTION, self._on_body)
        self._sent: Sequence[bytes] = ()
        self.status = 0
        self.protocol = ""
        self.truncated = ""
        self.stopped: Exception | None = None
        self.limit = 0
        self._accept: Callable[[str], bool] | None = None
        self._lines: list[bytes] = []
        self._pieces: list[bytes] = []
        self._header_bytes = 0
        self._size = 0
        self._complete = False

    def begin(
        self,
        url: str,
        *,
        address: str,
        headers: Sequence[bytes],
        accept: Callable[[str], bool] | None,
        limit: int,
    ) -> None:
        """Make ready for a request that goes to `address` and nowhere else, whatever the URL says."""
        self.status, self.protocol, self.truncated, self.stopped = 0, "", "", None
        self.limit, self._accept = limit, accept
        self._header_bytes, self._size, self._complete = 0, 0, False
        self.curl.setopt(pycurl.URL, url.encode())
        if address:
            self.curl.setopt(
                pycurl.CONNECT_TO, (f"::[{address}]:",) if ":" in address else (f"::{address}:",)
            )
        if headers is not self._sent:
            self.curl.setopt(pycurl.HTTPHEADER, headers)
            self._sent = headers

    def finish(self) -> None:
        """Let go of what was received, so that an idle handle holds no page."""
        self.stopped = self._accept = None
        self._lines.clear()
        self._pieces.clear()

    def close(self) -> None:
        """Give the handle back to curl."""
        self.curl.close()

    @property
    def received(self) -> int:
        """The bytes that have come so far."""
        return self._header_bytes + self._size

    @property
    def headers(self) -> tuple[tuple[str, str], ...]:
        """The headers in order, as latin-1 text."""
        found = []
        for line in self._lines:
            name, _, value = line.decode("latin-1").partition(":")
            found.append((name.strip(), value.strip()))
        return tuple(found)

    @property
    def raw(self) -> bytes:
        """The body as it came over the wire."""
        return b"".join(self._pieces)

    def settle(self, code: int, message: str) -> Exception | None:
        """What curl's error means here: None when the answer is usable all the same."""
        if self.stopped is not None:
            return self.stopped
        if self.truncated:
            return None
        if code in _CUT_OFF and self._complete and self._pieces:
            self.truncated = "disconnect"
            return None
        kind, transient = _MEANINGS.get(code, (ErrorKind.PROTOCOL, False))
        if code == _TIMED_OUT and message.startswith("Connection timed out"):
            kind = ErrorKind.CONNECT
        return FetchError(kind, message, transient=transient)

    def _on_header(self, line: bytes) -> int | None:
        self._header_bytes += len(line)
        if self._header_bytes > _MOST_HEADER_BYTES or len(self._lines) >= _MOST_HEADERS:
            self.stopped = FetchError(ErrorKind.HEADERS, "endless headers")
            return -1
        if self._complete:  # trailers: counted above, of no use
            return None
        if not self.protocol:
            return self._on_status_line(line)
        if line in (b"\r\n", b"\n"):
            return self._on_end_of_headers()
        self._lines.append(line)
        return None

    def _on_status_line(self, line: bytes) -> int | None:
        try:
            protocol, status = line.split(None, 2)[:2]
            self.protocol, self.status = protocol.decode("latin-1"), int(status)
        except ValueError:
            self.stopped = FetchError(ErrorKind.PROTOCOL, "no status line")
            return -1
        return None

    def _on_end_of_headers(self) -> int | None:
        if self.status < 200:  # an interim answer; the real one follows
            self.protocol = ""
            self._lines.clear()
            return None
        self._complete = True
        if not 200 <= self.status < 300:
            self.limit = min(self.limit, _FAILURE_BODY)
        elif self._accept is not None:
            content_type = self._content_type()
            try:
                if self._accept(content_type):
                    return None
                self.stopped = Refusal(ErrorKind.TYPE, content_type[:200])
            except Exception as error:  # curl would print and swallow it
                self.stopped = error
            return -1
        return None

    def _content_type(self) -> str:
        for line in reversed(self._lines):
            if line[:13].lower() == b"content-type:":
                return line[13:].strip().decode("latin-1")
        return ""

    def _on_body(self, piece: bytes) -> int | None:
        room = self.limit - self._size
        if len(piece) > room:
            self._pieces.append(piece[:room])
            self.truncated = "length"
            return -1
        self._pieces.append(piece)
        self._size += len(piece)
        return None
