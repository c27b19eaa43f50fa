"""The other origin: archived pages, made inert, at addresses that only the application can write.

It listens on a port of its own, so that a browser keeps it apart from everything else, and it knows no
cookies: an address carries a signature that was made for one page of one crawl by this very process.
"""

import hashlib
import hmac
import json
import secrets
from dataclasses import dataclass, field
from urllib.parse import quote

from fastapi import Request
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from honeyguide.dashboard.access import Access, host_name, netloc
from honeyguide.dashboard.crawls import Crawls
from honeyguide.dashboard.report_frame import PLACE, framed_report
from honeyguide.dashboard.snapshot import inert_html
from honeyguide.errors import UserError

POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"


@dataclass(frozen=True, slots=True)
class Signature:
    """Signs the addresses of snapshots with a key that nobody else has."""

    key: bytes = field(default_factory=lambda: secrets.token_bytes(32), repr=False)

    def of(self, crawl: str, visit: int) -> str:
        said = json.dumps([crawl, visit]).encode()
        return hmac.new(self.key, said, hashlib.sha256).hexdigest()

    def is_right(self, crawl: str, visit: int, given: str) -> bool:
        return hmac.compare_digest(self.of(crawl, visit).encode(), given.encode("utf-8", "surrogatepass"))


def snapshot_url(request: Request, crawl: str, visit: int) -> str:
    """Where the snapshot of a visit can be seen; empty when nobody listens there."""
    access: Access = request.app.state.access
    signature: Signature = request.app.state.signature
    if not access.snapshot_port:
        return ""
    host = netloc(host_name(request.headers["host"]) or "127.0.0.1")
    name = quote(crawl, safe="")
    return f"http://{host}:{access.snapshot_port}/{name}/{visit}/{signature.of(crawl, visit)}"


def create_snapshot_app(crawls: Crawls, *, access: Access, signature: Signature) -> Starlette:
    """The application of the other origin; the only thing it does is to show one page, or one report."""

    async def show(request: Request) -> Response:
        name = host_name(request.headers.get("host", ""))
        crawl, visit = request.path_params["crawl"], request.path_params["visit"]
        if name is None or not access.knows(name):
            return _sealed(HTMLResponse("", status_code=421))
        if not signature.is_right(crawl, visit, request.path_params["signature"]):
            return _sealed(HTMLResponse("", status_code=404))
        try:
            if crawl == PLACE:
                report, policy = await run_in_threadpool(framed_report, crawls, visit)
                return _sealed(HTMLResponse(report), policy)
            text = await run_in_threadpool(inert_html, crawls.get(crawl), visit)
        except UserError as error:
            return _sealed(Response(str(error), status_code=404, media_type="text/plain; charset=utf-8"))
        return _sealed(HTMLResponse(text))

    return Starlette(routes=[Route("/{crawl:str}/{visit:int}/{signature:str}", show)])


def _sealed(response: Response, policy: str = POLICY) -> Response:
    response.headers.update(
        {
            "content-security-policy": policy,
            "x-content-type-options": "nosniff",
            "referrer-policy": "no-referrer",
            "cross-origin-opener-policy": "same-origin",
            "cross-origin-resource-policy": "same-origin",
            "cache-control": "no-store",
        }
    )
    return response
