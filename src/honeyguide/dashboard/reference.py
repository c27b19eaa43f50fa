"""The API's description as a page to read, made of the same schema that programs read."""

from typing import Any, NamedTuple

from fastapi import APIRouter, Request
from fastapi.responses import Response

from honeyguide.dashboard.rendering import render

METHODS = ("get", "post", "put", "patch", "delete")

pages = APIRouter()


class Value(NamedTuple):
    """A parameter of a call or a field of a thing."""

    name: str
    type: str
    required: bool
    description: str


class Call(NamedTuple):
    """One method of one address."""

    method: str
    path: str
    summary: str
    description: str
    parameters: tuple[Value, ...]
    body: str
    answer: str


class Thing(NamedTuple):
    """Something that is sent or answered."""

    name: str
    description: str
    fields: tuple[Value, ...]


@pages.get("/api/docs")
def page(request: Request) -> Response:
    """Every call and everything that is said in them."""
    schema = request.app.openapi()
    return render(request, "api.html", calls=list(_calls(schema)), things=list(_things(schema)))


def _calls(schema: dict[str, Any]) -> list[Call]:
    return [
        Call(
            method=method.upper(),
            path=path,
            summary=call.get("summary", ""),
            description=call.get("description", ""),
            parameters=tuple(
                Value(
                    given["name"], _type(given.get("schema", {})), given.get("required", False), _words(given)
                )
                for given in call.get("parameters", ())
            ),
            body=_content(call.get("requestBody", {})),
            answer=next(
                (_content(answer) for code, answer in call["responses"].items() if code.startswith("2")), ""
            ),
        )
        for path, methods in schema["paths"].items()
        for method, call in methods.items()
        if method in METHODS
    ]


def _things(schema: dict[str, Any]) -> list[Thing]:
    return [
        Thing(
            name=name,
            description=thing.get("description", ""),
            fields=tuple(
                Value(field, _type(inner), field in thing.get("required", ()), _words(inner))
                for field, inner in thing.get("properties", {}).items()
            ),
        )
        for name, thing in sorted(schema.get("components", {}).get("schemas", {}).items())
    ]


def _words(given: dict[str, Any]) -> str:
    said: str = given.get("description", "") or given.get("schema", {}).get("description", "")
    return said


def _content(part: dict[str, Any]) -> str:
    return " or ".join(
        _type(media.get("schema", {})) or kind for kind, media in part.get("content", {}).items()
    )


def _type(schema: dict[str, Any]) -> str:
    """A schema in a few words."""
    if reference := schema.get("$ref"):
        return str(reference).rpartition("/")[2]
    for several in ("anyOf", "oneOf", "allOf"):
        if several in schema:
            return " or ".join(dict.fromkeys(_type(one) for one in schema[several]))
    if "const" in schema:
        return repr(schema["const"])
    if "enum" in schema:
        return " or ".join(repr(value) for value in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {})) or 'anything'}"
    return str(schema.get("type", ""))
