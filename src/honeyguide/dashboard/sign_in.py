"""Signing in with the password, or with the token where there is none, and signing out."""

import math
from urllib.parse import parse_qs

from anyio import CapacityLimiter
from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response
from starlette.concurrency import run_in_threadpool

from honeyguide.dashboard.access import Access, is_local, same
from honeyguide.dashboard.password import Attempts
from honeyguide.dashboard.rendering import render

MOST_FORM = 8192
MOST_CHECKS = 2

pages = APIRouter()
api = APIRouter()


@pages.get("/sign-in")
def form(request: Request) -> Response:
    """The form."""
    return _form(request, "/", "")


@pages.post("/sign-in")
async def sign_in(request: Request) -> Response:
    """Check what was given; wrong guesses make the next ones wait, without anybody else waiting."""
    access: Access = request.app.state.access
    attempts: Attempts = request.app.state.attempts
    body = await request.body()
    fields = parse_qs(body[:MOST_FORM].decode("utf-8", "replace"), max_num_fields=8)
    given, target = fields.get("password", [""])[0], fields.get("target", ["/"])[0]
    target = target if is_local(target) else "/"
    address = request.client.host if request.client else ""
    wait = attempts.wait(address)
    if wait:
        answer = _form(request, target, f"Too many wrong tries; wait {math.ceil(wait)} s.", status=429)
        answer.headers["retry-after"] = str(math.ceil(wait))
        return answer
    if not await _is_right(request, access, given):
        return _form(request, target, "That is not it.", status=401)
    attempts.forget(address)
    done = RedirectResponse(target, status_code=303)
    access.let_in(done)
    return done


@pages.post("/sign-out")
def sign_out(request: Request) -> Response:
    """Take the cookie back."""
    access: Access = request.app.state.access
    answer = RedirectResponse("/sign-in", status_code=303)
    answer.delete_cookie(access.cookie, path="/", httponly=True, samesite="strict")
    return answer


async def _is_right(request: Request, access: Access, given: str) -> bool:
    if access.password is None:
        return same(given.strip(), access.token)
    limiter: CapacityLimiter = request.app.state.password_checks
    async with limiter:
        return await run_in_threadpool(access.password.matches, given)


def _form(request: Request, target: str, wrong: str, *, status: int = 200) -> Response:
    return render(
        request, "sign_in.html", status=status, target=target, wrong=wrong, access=request.app.state.access
    )
