"""Who may use the application, and from where.

A request is let in when it names a host that is this machine, does not come from another site, and carries
the session's cookie or the token. Whatever changes something also carries the header X-Honeyguide, which
no page of another site can send. Every answer says that nothing of it may be framed, sniffed or kept.
"""

import hashlib
import hmac
import ipaddress
import logging
import secrets
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from fastapi import HTTPException, Request
from fastapi.responses import JSONResponse, RedirectResponse, Response
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from honeyguide.dashboard.failures import unexpected
from honeyguide.dashboard.password import Password
from honeyguide.dashboard.rendering import render

LOG = logging.getLogger(__name__)
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
OPEN = frozenset({"/sign-in"})
FORMS = frozenset({"/sign-in", "/sign-out"})
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
HEADER = "x-honeyguide"
MOST_BODY = 8 << 20


@dataclass(frozen=True, slots=True)
class Access:
    """What lets a request in: the token of this process, or a password that its owner chose."""

    token: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)
    password: Password | None = field(default=None, repr=False)
    names: frozenset[str] = LOOPBACK
    any_address: bool = False
    """Whether a Host that is a plain address is believed, as it must be when bound to all of them."""
    snapshot_port: int = 0

    @property
    def session(self) -> str:
        """The value of the cookie of whoever is signed in."""
        return hmac.new(self.token.encode(), b"session", hashlib.sha256).hexdigest()

    @property
    def cookie(self) -> str:
        """Cookies do not tell ports apart, so every process names its own."""
        return "honeyguide-" + hashlib.sha256(self.token.encode()).hexdigest()[:12]

    def knows(self, name: str) -> bool:
        """Whether a Host header names this machine; a name that an attacker points here does not."""
        if name in self.names:
            return True
        return self.any_address and _is_address(name)

    def admits(self, request: Request) -> bool:
        """Whether a request proves that it may come in."""
        scheme, _, bearer = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and same(bearer.strip(), self.token):
            return True
        return same(request.cookies.get(self.cookie, ""), self.session)

    def let_in(self, response: Response) -> None:
        """Give the session's cookie."""
        response.set_cookie(self.cookie, self.session, httponly=True, samesite="strict", path="/")


class Guard:
    """Stands before the application: lets requests in or not, and seals what goes out."""

    def __init__(self, app: ASGIApp, *, access: Access) -> None:
        self._app = app
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        request = Request(scope)
        sealed = self._sealed(request, send)
        answer = self._refusal(request) or self._by_token(request) or self._stranger(request)
        if answer is not None:
            await answer(scope, receive, sealed)
        else:
            await self._carefully(request, _bounded(receive, MOST_BODY), sealed)

    async def _carefully(self, request: Request, receive: Receive, send: Send) -> None:
        """Whatever nobody thought of is logged here and said in a sentence there."""
        began = False

        async def watched(message: Message) -> None:
            nonlocal began
            began = True
            await send(message)

        try:
            await self._app(request.scope, receive, watched)
        except Exception:
            LOG.exception("%s %s failed", request.method, path_of(request))
            if began:
                raise
            await unexpected(request)(request.scope, receive, send)

    def _refusal(self, request: Request) -> Response | None:
        """Why a request is not even looked at."""
        hosts = request.headers.getlist("host")
        name = host_name(hosts[0]) if len(hosts) == 1 else None
        if name is None or not self._access.knows(name):
            return _refuse(421, "This address is not one of this application; open the link that it printed.")
        if not _is_own(request):
            return _refuse(403, "Requests of other sites are refused.")
        if request.method not in SAFE and path_of(request) not in FORMS and not request.headers.get(HEADER):
            return _refuse(403, "Whatever changes something must carry the header X-Honeyguide.")
        length = request.headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > MOST_BODY:
            return _refuse(413, f"A request may hold {MOST_BODY:,} bytes.")
        return None

    def _by_token(self, request: Request) -> Response | None:
        """Whoever comes by the printed link gets the cookie and the address without the token."""
        token = request.query_params.get("token")
        if token is None or request.method != "GET" or path_of(request).startswith("/api/"):
            return None
        if not same(token, self._access.token):
            return None
        target = _without_token(request)
        answer: Response
        if request.headers.get("sec-fetch-site", "none") in ("none", "same-origin"):
            answer = RedirectResponse(target, status_code=303)
        else:  # A strict cookie does not follow a redirect that another site began; a page of ours goes on.
            answer = render(request, "signed_in.html", target=target)
        self._access.let_in(answer)
        return answer

    def _stranger(self, request: Request) -> Response | None:
        path = path_of(request)
        if path in OPEN or path.startswith("/static/") or self._access.admits(request):
            return None
        if path.startswith("/api/"):
            answer = _refuse(401, "Sign in first, or send the token as: Authorization: Bearer TOKEN.")
            answer.headers["www-authenticate"] = "Bearer"
            return answer
        target = _without_token(request)
        return render(request, "sign_in.html", status=401, target=target, wrong="", access=self._access)

    def _sealed(self, request: Request, send: Send) -> Send:
        headers = self._headers(request)

        async def seal(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = MutableHeaders(scope=message)
                for name, value in headers.items():
                    given.setdefault(name, value)
            await send(message)

        return seal

    def _headers(self, request: Request) -> dict[str, str]:
        name = host_name(request.headers.get("host", ""))
        frames = "'none'"
        if self._access.snapshot_port and name and self._access.knows(name):
            frames = f"http://{netloc(name)}:{self._access.snapshot_port}"
        is_static = path_of(request).startswith("/static/")
        return {
            "content-security-policy": (
                "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
                f"connect-src 'self'; font-src 'self'; frame-src {frames}; form-action 'self'; "
                "base-uri 'none'; frame-ancestors 'none'"
            ),
            "x-content-type-options": "nosniff",
            "x-frame-options": "DENY",
            "referrer-policy": "no-referrer",
            "cross-origin-opener-policy": "same-origin",
            "cross-origin-resource-policy": "same-origin",
            "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
            "cache-control": "no-cache" if is_static else "no-store",
        }


def path_of(request: Request) -> str:
    """The path as the router sees it, which a question mark in disguise cannot cut short."""
    path: str = request.scope["path"]
    return path


def same(given: str, right: str) -> bool:
    """Whether two secrets are the same, in a time that does not tell how nearly."""
    return hmac.compare_digest(given.encode("utf-8", "surrogatepass"), right.encode())


def host_name(header: str) -> str | None:
    """The name in a Host header, without its port and in lower case; None when it is none."""
    try:
        parts = urlsplit(f"//{header}")
        _ = parts.port
    except ValueError:
        return None
    if parts.username is not None or parts.path or parts.query or parts.fragment:
        return None
    return parts.hostname


def netloc(name: str) -> str:
    """A name as it stands in a URL."""
    return f"[{name}]" if ":" in name else name


def is_local(target: str) -> bool:
    """Whether a path stays in this application when a browser goes there."""
    return target.startswith("/") and not target.startswith(("//", "/\\")) and target.isprintable()


def _without_token(request: Request) -> str:
    """What was asked for, to go there once the cookie is given."""
    clean = request.url.remove_query_params("token")
    target = clean.path + (f"?{clean.query}" if clean.query else "")
    return target if is_local(target) else "/"


def _is_own(request: Request) -> bool:
    """Whether a request comes from a page of ours, from a person, or from a program."""
    origin = request.headers.get("origin")
    site = request.headers.get("sec-fetch-site", "none")
    if origin == "null" and site == "same-origin":
        origin = None  # a form of ours, which says no referrer and so no origin either
    # The scheme is left out: behind a server that speaks TLS, it is not the one that was asked for here.
    if origin is not None and origin.lower().partition("://")[2] != request.headers["host"].lower():
        return False
    if site in ("same-origin", "none"):
        return True
    # A link on another site may lead here, but only as a page that is looked at.
    return (
        request.method == "GET"
        and not path_of(request).startswith("/api/")
        and request.headers.get("sec-fetch-mode") == "navigate"
        and request.headers.get("sec-fetch-dest") == "document"
    )


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _refuse(status: int, sentence: str) -> Response:
    return JSONResponse({"detail": sentence}, status_code=status)


def _bounded(receive: Receive, most: int) -> Receive:
    """Stops reading a request that says too little about its length."""
    read = 0

    async def bounded() -> Message:
        nonlocal read
        message = await receive()
        read += len(message.get("body", b""))
        if read > most:
            raise HTTPException(413, f"A request may hold {most:,} bytes.")
        return message

    return bounded
