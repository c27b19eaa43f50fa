"""The API keeps what its own description says, whatever is sent to it."""

from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import Case
from schemathesis.specs.openapi.checks import positive_data_acceptance
from serving_crawls import TOKEN, copied
from starlette.testclient import TestClient

from honeyguide.dashboard.access import Access
from honeyguide.dashboard.app import create_app

HEADERS = {"Authorization": f"Bearer {TOKEN}", "x-honeyguide": "1", "host": "127.0.0.1"}
ENDLESS = "/events"
"""Streams do not end by themselves; test_overview.py watches them."""

# A topic that has changed meanwhile, or a word that is no date: what no schema can tell is 422 and a sentence,
# so that well-formed requests may be refused.

STARTS = "/start"
"""Starts a process, so it is only asked of crawls that are not there."""

OPERATIONS = [
    (method.upper(), path)
    for path, methods in create_app(Path(), access=Access()).openapi()["paths"].items()
    for method in methods
]


@pytest.fixture(scope="module")
def described(finished_crawls: Path, tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = copied(finished_crawls, tmp_path_factory.mktemp("fuzzed") / "crawls")
    app = create_app(folder, access=Access(token=TOKEN))
    return schemathesis.openapi.from_asgi("/api/openapi.json", app, headers=HEADERS)


@pytest.mark.parametrize(("method", "path"), OPERATIONS, ids=lambda part: part)
def test_answers_are_as_described(described: Any, method: str, path: str) -> None:
    if path.endswith(ENDLESS):
        pytest.skip("a stream does not end by itself")

    @given(case=described[path][method].as_strategy())
    @settings(
        max_examples=8,
        derandomize=True,
        deadline=None,
        database=None,
        phases=(Phase.explicit, Phase.generate),
        suppress_health_check=list(HealthCheck),
    )
    def check(case: Case) -> None:
        if "crawl" in (case.path_parameters or {}) and not path.endswith(STARTS):
            case.path_parameters["crawl"] = "dengue"
        case.call_and_validate(headers=HEADERS, excluded_checks=[positive_data_acceptance])

    check()


def test_everything_is_described(client: TestClient) -> None:
    schema = client.get("/api/openapi.json").json()
    for path, methods in schema["paths"].items():
        assert path.startswith("/api/")
        for method, call in methods.items():
            assert call.get("summary"), (method, path)
            assert call["security"], (method, path)
            assert {"401", "422"} <= set(call["responses"]), (method, path)


def test_the_description_can_be_read_by_people_and_asks_nobody_else(client: TestClient) -> None:
    page = client.get("/api/docs")
    assert page.status_code == 200
    for path in client.get("/api/openapi.json").json()["paths"]:
        assert path in page.text
    assert "//cdn" not in page.text
