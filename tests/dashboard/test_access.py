"""Who is let in: only whoever holds the token or the password, and never another site."""

import html
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from serving_crawls import HERE, TOKEN, client_of
from starlette.testclient import TestClient

from honeyguide.dashboard.access import MOST_BODY, Access, host_name, is_local
from honeyguide.dashboard.app import create_app
from honeyguide.dashboard.password import FREE_TRIES, LONGEST_WAIT, MOST_ADDRESSES, Attempts, Password

ASK = "/api/crawls/dengue/requests"


@pytest.fixture
def stranger(finished_crawls: Path) -> Iterator[TestClient]:
    app = create_app(finished_crawls, access=Access(token=TOKEN))
    with TestClient(app, base_url=HERE, follow_redirects=False) as client:
        yield client


def test_the_printed_link_gives_a_cookie_and_the_address_without_the_token(stranger: TestClient) -> None:
    answer = stranger.get(f"/crawls/dengue/?token={TOKEN}&x=1")
    assert answer.status_code == 303
    assert answer.headers["location"] == "/crawls/dengue/?x=1"
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert TOKEN not in cookie
    assert stranger.get("/api/crawls").status_code == 200


def test_a_link_that_another_site_leads_to_goes_on_by_a_page_of_ours(stranger: TestClient) -> None:
    headers = {
        "sec-fetch-site": "cross-site",
        "sec-fetch-mode": "navigate",
        "sec-fetch-dest": "document",
    }
    answer = stranger.get(f"/?token={TOKEN}", headers=headers)
    assert answer.status_code == 200
    assert 'http-equiv="refresh"' in answer.text
    assert "set-cookie" in answer.headers


@pytest.mark.parametrize("path", ["/", "/crawls/dengue/", "/compare", "/reports", "/nothing"])
def test_a_stranger_sees_the_form_and_nothing_else(stranger: TestClient, path: str) -> None:
    answer = stranger.get(path)
    assert answer.status_code == 401
    assert "Sign in" in answer.text
    assert "dengue" not in answer.text.replace("/crawls/dengue/", "")


@pytest.mark.parametrize("path", ["/api/crawls", "/api/openapi.json", "/api/crawls/dengue", "/api/nothing"])
def test_a_stranger_is_told_nothing_by_the_api(stranger: TestClient, path: str) -> None:
    answer = stranger.get(path)
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"
    assert list(answer.json()) == ["detail"]


@pytest.mark.parametrize("token", ["", "x", TOKEN[:-1], TOKEN + "x", TOKEN.upper(), "ü", "\udcff"])
def test_a_wrong_token_lets_nobody_in(stranger: TestClient, token: str) -> None:
    query = token.encode("utf-8", "surrogateescape")
    assert stranger.get("/", params={"token": query}).status_code == 401
    bearer = {"authorization": b"Bearer " + query}
    assert stranger.get("/api/crawls", headers=bearer).status_code == 401
    cookie = {"cookie": Access(token=TOKEN).cookie.encode() + b"=" + query}
    assert stranger.get("/api/crawls", headers=cookie).status_code == 401


def test_the_token_can_be_sent_as_a_header(stranger: TestClient) -> None:
    assert stranger.get("/api/crawls", headers={"authorization": f"Bearer {TOKEN}"}).status_code == 200


def test_a_token_in_the_address_of_the_api_counts_for_nothing(stranger: TestClient) -> None:
    assert stranger.get(f"/api/crawls?token={TOKEN}").status_code == 401


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:8000",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "192.168.1.5",
        "user@127.0.0.1",
        "127.0.0.1/evil",
        "127.0.0.1:x",
        "[::1",
        "",
    ],
)
def test_a_name_that_an_attacker_points_here_is_refused(client: TestClient, host: str) -> None:
    assert client.get("/api/crawls", headers={"host": host}).status_code == 421
    assert client.get("/static/style.css", headers={"host": host}).status_code == 421


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost:9999", "[::1]:8000", "LOCALHOST"])
def test_this_machine_may_be_called_by_all_its_names(client: TestClient, host: str) -> None:
    assert client.get("/api/crawls", headers={"host": host}).status_code == 200


def test_whatever_changes_something_needs_the_header(client: TestClient) -> None:
    del client.headers["x-honeyguide"]
    answer = client.post(ASK, json={"kind": "pause"})
    assert answer.status_code == 403
    assert "X-Honeyguide" in answer.json()["detail"]


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:9999"},
        {"origin": "http://["},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"},
    ],
)
def test_other_sites_change_nothing(client: TestClient, headers: dict[str, str]) -> None:
    assert client.post(ASK, json={"kind": "pause"}, headers=headers).status_code == 403
    assert client.post("/sign-in", data={"password": TOKEN}, headers=headers).status_code == 403
    assert client.get("/api/crawls/dengue/requests").json() == []


@pytest.mark.parametrize("mode", ["no-cors", "cors", "navigate"])
def test_other_sites_read_nothing(client: TestClient, mode: str) -> None:
    headers = {"sec-fetch-site": "same-site", "sec-fetch-mode": mode, "sec-fetch-dest": "iframe"}
    assert client.get("/api/crawls", headers=headers).status_code == 403
    assert client.get("/crawls/dengue/", headers=headers).status_code == 403


def test_no_other_site_is_ever_allowed_by_a_header(client: TestClient) -> None:
    preflight = {"origin": "http://evil.example", "access-control-request-method": "POST"}
    for answer in (client.options(ASK, headers=preflight), client.get("/api/crawls")):
        assert not [name for name in answer.headers if name.startswith("access-control")]
    assert client.options(ASK, headers=preflight).status_code == 403


@pytest.mark.parametrize(
    "path", ["/", "/crawls/dengue/", "/api/crawls", "/nothing", "/static/style.css", "/sign-in"]
)
def test_every_answer_is_sealed(client: TestClient, path: str) -> None:
    headers = client.get(path).headers
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'")
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert headers["cache-control"] == ("no-cache" if path.startswith("/static/") else "no-store")


def test_frames_may_only_show_the_other_origin(finished_crawls: Path) -> None:
    with client_of(finished_crawls, snapshot_port=8123) as client:
        policy = client.get("/", headers={"host": "localhost:8000"}).headers["content-security-policy"]
    assert "frame-src http://localhost:8123;" in policy


def test_no_page_carries_script_or_style_of_its_own(client: TestClient) -> None:
    for path in ("/", "/crawls/dengue/", "/api/docs", "/sign-in", "/nothing"):
        text = client.get(path).text
        assert not re.search(r"<script(?![^>]* src=\"/static/)", text)
        assert not re.search(r"<style|\sstyle=|\son[a-z]+=", text)
        assert not re.search(r"(?:src|href)=\"(?:https?:)?//", text)


def test_a_request_that_is_too_long_is_not_read(client: TestClient) -> None:
    def endless() -> Iterator[bytes]:
        for _ in range(MOST_BODY // 65536 + 2):
            yield b"x" * 65536

    assert client.post(ASK, content=b"x" * (MOST_BODY + 1)).status_code == 413
    assert client.post(ASK, content=endless()).status_code == 413


def test_a_failure_says_a_sentence_and_never_where_in_the_program(finished_crawls: Path) -> None:
    app = create_app(finished_crawls, access=Access(token=TOKEN))

    @app.get("/api/broken")
    def broken() -> None:
        raise ZeroDivisionError("secret place")

    headers = {"authorization": f"Bearer {TOKEN}"}
    with TestClient(app, base_url=HERE, headers=headers) as client:
        answer = client.get("/api/broken")
    assert answer.status_code == 500
    assert "secret" not in answer.text
    assert answer.headers["content-security-policy"]


# The password


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def guarded(finished_crawls: Path) -> Iterator[TestClient]:
    access = Access(token=TOKEN, password=Password("honey and wax"), any_address=True)
    app = create_app(finished_crawls, access=access)
    app.state.attempts = Attempts(clock=Clock())
    with TestClient(app, base_url="http://192.168.1.5:8000", follow_redirects=False) as client:
        yield client


def test_the_password_lets_in(guarded: TestClient) -> None:
    assert guarded.get("/api/crawls").status_code == 401
    answer = guarded.post("/sign-in", data={"password": "honey and wax", "target": "/crawls/dengue/"})
    assert answer.status_code == 303
    assert answer.headers["location"] == "/crawls/dengue/"
    assert guarded.get("/api/crawls").status_code == 200
    assert guarded.post("/sign-out").status_code == 303
    assert guarded.get("/api/crawls").status_code == 401


@pytest.mark.parametrize("target", ["/crawls/dengue/pages?relevant=yes&sort=host", "/crawls/a%3Fb%23c/"])
def test_signing_in_leads_back_to_what_was_asked_for(guarded: TestClient, target: str) -> None:
    form = guarded.get(f"{target}&token=wrong" if "?" in target else target).text
    given = html.unescape(re.findall('name="target" value="([^"]*)"', form)[0])
    answer = guarded.post("/sign-in", data={"password": "honey and wax", "target": given})
    assert answer.headers["location"] == target


@pytest.mark.parametrize("target", ["//evil.example", "/\\evil.example", "https://evil.example", "/a\r\nb"])
def test_signing_in_never_leads_elsewhere(guarded: TestClient, target: str) -> None:
    answer = guarded.post("/sign-in", data={"password": "honey and wax", "target": target})
    assert answer.headers["location"] == "/"
    assert not is_local(target)


def test_guessing_gets_slower_and_slower(guarded: TestClient) -> None:
    clock: Any = guarded.app.state.attempts._clock  # type: ignore[attr-defined]
    for _ in range(FREE_TRIES):
        assert guarded.post("/sign-in", data={"password": "guess"}).status_code == 401
    answer = guarded.post("/sign-in", data={"password": "honey and wax"})
    assert answer.status_code == 429
    assert answer.headers["retry-after"] == "1"
    clock.now += 1.0
    assert guarded.post("/sign-in", data={"password": "guess"}).status_code == 401
    clock.now += 1.0
    assert guarded.post("/sign-in", data={"password": "honey and wax"}).status_code == 429
    clock.now += 1.0
    assert guarded.post("/sign-in", data={"password": "honey and wax"}).status_code == 303
    assert guarded.post("/sign-in", data={"password": "guess"}).status_code == 401


def test_waiting_is_bounded_and_so_is_what_is_remembered() -> None:
    clock = Clock()
    attempts = Attempts(clock=clock)
    for _ in range(40):
        clock.now += LONGEST_WAIT
        assert attempts.wait("10.0.0.1") == 0.0
    assert attempts.wait("10.0.0.1") == LONGEST_WAIT
    for number in range(MOST_ADDRESSES + 10):
        attempts.wait(f"2001:db8:{number:x}::1")
    assert len(attempts._wrong) == MOST_ADDRESSES


def test_one_holder_of_many_addresses_counts_as_one() -> None:
    attempts = Attempts(clock=Clock())
    for number in range(FREE_TRIES):
        assert attempts.wait(f"2001:db8::{number:x}") == 0.0
    assert attempts.wait("2001:db8::ffff:1") > 0.0


def test_a_password_is_kept_as_a_hash() -> None:
    password = Password("honey and wax")
    assert password.matches("honey and wax")
    assert not password.matches("honey and wax ")
    assert "honey" not in repr(vars(password))
    assert "honey" not in repr(Access(password=password))


def test_an_access_does_not_show_its_token() -> None:
    assert TOKEN not in repr(Access(token=TOKEN))


def test_every_process_has_a_token_of_its_own() -> None:
    assert Access().token != Access().token
    assert len(Access().token) >= 40


@pytest.mark.parametrize(
    ("header", "name"),
    [
        ("Example.org:80", "example.org"),
        ("[::1]:80", "::1"),
        ("a b", "a b"),
        ("a@b", None),
        ("a/b", None),
        ("a?b", None),
        ("a:99999", None),
    ],
)
def test_names_are_read_out_of_host_headers(header: str, name: str | None) -> None:
    assert host_name(header) == name


@pytest.mark.parametrize(
    "path",
    ["/sign-in%3f/../api/crawls", "/static/../api/crawls", "/static%2f..%2fapi%2fcrawls", "//api/crawls"],
)
def test_no_spelling_of_an_address_slips_past_the_guard(stranger: TestClient, path: str) -> None:
    answer = stranger.get(path)
    assert answer.status_code in (401, 404)
    assert "dengue-breadth" not in answer.text
