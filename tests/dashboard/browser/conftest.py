"""A real browser before a real `honeyguide serve`; a page that complains, or asks elsewhere, fails its test.

Skipped where there is no Chromium; `make test-browser` sets HONEYGUIDE_BROWSER=required and fails instead.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, sync_playwright
from serving_crawls import Served, copied, serve

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
HOW = "No Chromium here: install one (apt-get install chromium) and run `make test-browser`."


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


def chromium() -> str | None:
    """Where a Chromium lies on this machine that can be run, which some packages only pretend."""
    named = (
        [os.environ["HONEYGUIDE_CHROMIUM"]]
        if "HONEYGUIDE_CHROMIUM" in os.environ
        else map(shutil.which, NAMES)
    )
    for path in filter(None, named):
        if not subprocess.run([path, "--version"], capture_output=True, timeout=30, check=False).returncode:
            return path
    return None


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """Where Chromium lies; without one the test is skipped, or fails where browsers are required."""
    path = chromium()
    if path is None and os.environ.get("HONEYGUIDE_BROWSER") != "required":
        pytest.skip(HOW)
    assert path is not None, HOW
    return path


@pytest.fixture(scope="module")
def browser(chromium_path: str) -> Iterator[Browser]:
    """One browser for each file: Playwright leaves an event loop running that other tests would trip over."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path, args=list(ARGUMENTS))
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def served(
    chromium_path: str, finished_crawls: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Served]:
    """The application over finished crawls, dengue and dengue-breadth, shared by all tests of a session."""
    folder = copied(finished_crawls, tmp_path_factory.mktemp("served") / "crawls")
    with serve(folder) as served:
        yield served


@pytest.fixture
def serving_folder(chromium_path: str) -> Iterator[Callable[[Path], Served]]:
    """Serves folders of a test's own until it ends."""
    with ExitStack() as stack:
        yield lambda folder: stack.enter_context(serve(folder))


@pytest.fixture
def own_served(serving_folder: Callable[[Path], Served], finished_crawls: Path, tmp_path: Path) -> Served:
    """The application over crawls of a test's own, which it may change."""
    return serving_folder(copied(finished_crawls, tmp_path / "crawls"))


@pytest.fixture
def forgiven() -> list[str]:
    """Patterns of complaints that a test means to bring about, such as `status of 422`; it may add some."""
    return []


@pytest.fixture
def new_page(
    browser: Browser, forgiven: list[str], serving_folder: Callable[[Path], Served]
) -> Iterator[Callable[[Served], Page]]:
    """Opens pages that are signed in; whatever they complain of fails the test at its end.

    It asks for `serving_folder` so that pages are closed before what they show stops being served.
    """
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def open_page(served: Served) -> Page:
        context = browser.new_context(viewport={"width": 1280, "height": 800})
        context.set_default_timeout(15_000)
        contexts.append(context)
        page = context.new_page()
        _listen(page, served, complaints)
        page.goto(served.link)
        return page

    yield open_page
    for context in contexts:
        context.close()
    complaints = [said for said in complaints if not any(re.search(pattern, said) for pattern in forgiven)]
    assert not complaints, "The page complained:\n" + "\n".join(complaints)


@pytest.fixture
def page(new_page: Callable[[Served], Page], served: Served) -> Page:
    """A page that is signed in to `served` and stands at its beginning."""
    return new_page(served)


@pytest.fixture
def own_page(new_page: Callable[[Served], Page], own_served: Served) -> Page:
    """A page that is signed in to `own_served`."""
    return new_page(own_served)


def _listen(page: Page, served: Served, complaints: list[str]) -> None:
    own = urlsplit(served.origin).hostname

    def console(message: ConsoleMessage) -> None:
        # What a snapshot tries and may not do is the point of it; it lies on the other origin.
        at = urlsplit(message.location.get("url", ""))
        in_snapshot = bool(at.netloc) and f"{at.scheme}://{at.netloc}" != served.origin
        if message.type in ("error", "warning") and not in_snapshot:
            complaints.append(f"{message.type}: {message.text} ({message.location.get('url', '')})")

    def request(request: Request) -> None:
        parts = urlsplit(request.url)
        if parts.scheme not in ("data", "blob", "about") and parts.hostname != own:
            complaints.append(f"asked elsewhere: {request.url}")
        elif parts.scheme in ("http", "https") and f"{parts.scheme}://{parts.netloc}" != served.origin:
            is_snapshot = re.fullmatch(r"/[^/]+/\d+/[0-9a-f]{64}", parts.path)
            if request.resource_type != "document" or not is_snapshot:
                complaints.append(f"asked another origin for something that is no snapshot: {request.url}")

    page.on("console", console)
    page.on("pageerror", lambda error: complaints.append(f"uncaught: {error}"))
    page.on("request", request)
