"""`honeyguide serve`: how it is started and ended, and the other origin beside it."""

import re
import signal
import socket
import threading
import time
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import pytest
from command_line import honeyguide
from demo_crawl import demo_settings
from serving_crawls import TOKEN, serve
from starlette.testclient import TestClient

from honeyguide.assemble import create
from honeyguide.dashboard.access import Access
from honeyguide.dashboard.app import create_app
from honeyguide.dashboard.rendering import TEMPLATES
from honeyguide.dashboard.snapshots import Signature, create_snapshot_app
from honeyguide.demo.server import serving
from honeyguide.model import Topic
from honeyguide.opening import open_collection
from honeyguide.store.folder import is_being_written


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "example.org"])
def test_nothing_but_this_machine_without_a_password(tmp_path: Path, host: str) -> None:
    done = honeyguide("serve", tmp_path, "--host", host, "--no-open", code=2)
    assert "needs a password" in done.stderr


def test_a_short_password_is_none(tmp_path: Path) -> None:
    file = tmp_path / "password"
    file.write_text("short\n")
    done = honeyguide("serve", tmp_path, "--host", "0.0.0.0", "--password-file", file, "--no-open", code=2)
    assert "too short" in done.stderr
    done = honeyguide("serve", tmp_path, "--password-file", tmp_path / "none", "--no-open", code=2)
    assert "cannot be read" in done.stderr


def test_a_folder_that_is_not_there_is_a_sentence(tmp_path: Path) -> None:
    done = honeyguide("serve", tmp_path / "nothing", "--no-open", code=2)
    assert "is no folder" in done.stderr


def test_a_port_that_is_taken_is_a_sentence(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = honeyguide("serve", tmp_path, "--port", port, "--no-open", code=2)
    assert f"Port {port} of 127.0.0.1 cannot be used" in done.stderr


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT])
def test_it_prints_a_link_and_ends_at_once_though_somebody_watches(
    finished_crawls: Path, ending: signal.Signals
) -> None:
    with serve(finished_crawls) as served:
        assert served.origin.startswith("http://127.0.0.1:")
        headers = {"authorization": f"Bearer {served.token}"}
        watching = urlopen(Request(f"{served.origin}/api/crawls/dengue/events", headers=headers), timeout=10)
        assert watching.readline() == b"retry: 2000\n"
        rest = threading.Thread(target=watching.read, daemon=True)
        rest.start()
        began = time.monotonic()
        served.process.send_signal(ending)
        served.process.wait(timeout=10)
        assert time.monotonic() - began < 5
        rest.join(timeout=5)
        assert not rest.is_alive()


def test_a_password_opens_it_wider(finished_crawls: Path) -> None:
    password = {"HONEYGUIDE_PASSWORD": "honey and wax"}
    with serve(finished_crawls, "--host", "0.0.0.0", environment=password) as served:
        assert served.origin.startswith("http://127.0.0.1:")
        port = urlsplit(served.link).port
        with pytest.raises(HTTPError) as refused:
            urlopen(f"http://127.0.0.2:{port}/", timeout=10)
        assert refused.value.code == 401
        assert b"Password" in refused.value.read()
        refused.value.close()


def test_a_crawl_that_it_started_goes_on_when_it_is_killed(tmp_path: Path) -> None:
    folder = tmp_path / "live"
    with serving() as web:
        settings = demo_settings(web, strategy="breadth-first", pages=40, delay=0.2)
        create(folder, Topic("dengue fever", seeds=web.seeds), settings)
        with serve(tmp_path) as served:
            assert served.origin.startswith("http://127.0.0.1:")
            headers = {"authorization": f"Bearer {served.token}", "x-honeyguide": "1"}
            start = Request(f"{served.origin}/api/crawls/live/start", headers=headers, method="POST")
            assert urlopen(start, timeout=30).status == 202
            assert is_being_written(folder)
            served.process.kill()
            served.process.wait()
        deadline = time.monotonic() + 60
        while is_being_written(folder) and time.monotonic() < deadline:
            time.sleep(0.1)
    with open_collection(folder) as collection:
        status = collection.status()
    assert status.health == "budget spent"
    assert status.pages >= 40


# The other origin


@pytest.fixture
def other_origin(finished_crawls: Path) -> TestClient:
    access = Access(token=TOKEN, snapshot_port=8001)
    app = create_app(finished_crawls, access=access)
    beside = create_snapshot_app(app.state.crawls, access=access, signature=Signature(key=b"key"))
    return TestClient(beside, base_url="http://127.0.0.1:8001")


def test_a_snapshot_is_shown_to_whoever_has_its_signed_address(other_origin: TestClient) -> None:
    answer = other_origin.get(f"/dengue/1/{Signature(key=b'key').of('dengue', 1)}")
    assert answer.status_code == 200
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("sandbox; default-src 'none';")
    assert "script" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/dengue/1/",
        f"/dengue/1/{Signature(key=b'other').of('dengue', 1)}",
        f"/dengue/2/{Signature(key=b'key').of('dengue', 1)}",
        f"/dengue-breadth/1/{Signature(key=b'key').of('dengue', 1)}",
        "/dengue/1/%C3%BC",
        "/static/style.css",
        "/api/crawls",
    ],
)
def test_nothing_else_is_there(other_origin: TestClient, path: str) -> None:
    assert other_origin.get(path).status_code == 404


def test_what_cannot_be_shown_is_a_sentence_without_markup(other_origin: TestClient) -> None:
    answer = other_origin.get(f"/dengue/999999/{Signature(key=b'key').of('dengue', 999999)}")
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert answer.headers["content-security-policy"].startswith("sandbox;")


def test_a_name_that_an_attacker_points_there_is_refused(other_origin: TestClient) -> None:
    path = f"/dengue/1/{Signature(key=b'key').of('dengue', 1)}"
    assert other_origin.get(path, headers={"host": "evil.example"}).status_code == 421


# What is served


def test_every_file_that_a_page_names_is_there_and_none_comes_from_elsewhere() -> None:
    static = TEMPLATES.parent / "static"
    for template in TEMPLATES.glob("*.html"):
        text = template.read_text(encoding="utf-8")
        for name in re.findall(r"(?:src|href)=\"/static/([^\"{]+)\"", text):
            assert (static / name).is_file(), f"{template.name} names {name}"
        assert not re.search(r"(?:src|href)=\"(?:https?:)?//", text), template.name
    for script in static.glob("*.js"):
        for name in re.findall(r"from \"\./([^\"]+)\"", script.read_text(encoding="utf-8")):
            assert (static / name).is_file(), f"{script.name} imports {name}"
