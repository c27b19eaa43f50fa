"""What goes wrong, said in one sentence: as JSON below /api, as a page elsewhere, never as a traceback."""

import sqlite3
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from honeyguide.dashboard.crawls import NotFound
from honeyguide.dashboard.rendering import render
from honeyguide.errors import UserError

SENTENCES = {404: "There is nothing at this address.", 405: "This address cannot be used in this way."}


class Problem(BaseModel):
    """What went wrong."""

    detail: str


PROBLEMS: dict[int | str, dict[str, Any]] = {
    401: {"model": Problem, "description": "Not signed in."},
    403: {"model": Problem, "description": "The request came from another site, or without X-Honeyguide."},
    404: {"model": Problem, "description": "There is no such thing."},
    413: {"model": Problem, "description": "The request is too large."},
    422: {"model": Problem, "description": "The request cannot be carried out as it is."},
    503: {"model": Problem, "description": "The crawl cannot be read or written just now."},
}


def say_failures(app: FastAPI) -> None:
    """Make an application say its failures this way."""

    @app.exception_handler(NotFound)
    def not_found(request: Request, error: NotFound) -> Response:
        return answer(request, 404, str(error))

    @app.exception_handler(UserError)
    def to_mend(request: Request, error: UserError) -> Response:
        return answer(request, 422, str(error))

    @app.exception_handler(sqlite3.DatabaseError)
    def database(request: Request, error: sqlite3.DatabaseError) -> Response:
        return answer(request, 503, f"The crawl's database cannot be read just now ({error}).")

    @app.exception_handler(RequestValidationError)
    def invalid(request: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        if first["loc"][0] == "path" and not is_api(request):
            return answer(request, 404, SENTENCES[404])
        place = " ".join(str(part) for part in first["loc"][1:]) or str(first["loc"][0])
        return answer(request, 422, f"{place[:80]}: {first['msg']}.")

    @app.exception_handler(HTTPException)
    def refused(request: Request, error: HTTPException) -> Response:
        reply = answer(request, error.status_code, SENTENCES.get(error.status_code, str(error.detail)))
        reply.headers.update(error.headers or {})
        return reply


def unexpected(request: Request) -> Response:
    """What is said of something that nobody thought of."""
    return answer(request, 500, "Something went wrong here; the crawl itself is not affected.")


def is_api(request: Request) -> bool:
    """Whether a program asks, and not a person."""
    path: str = request.scope["path"]
    return path.startswith("/api/")


def answer(request: Request, status: int, sentence: str) -> Response:
    """A failure, as whoever asked can read it."""
    if is_api(request):
        return JSONResponse({"detail": sentence}, status_code=status)
    return render(request, "error.html", status=status, sentence=sentence, code=status)
