"""A crawl watched from its start to its end, labelled, paused and resumed, without reloading once."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from demo_crawl import demo_settings
from playwright.sync_api import Page, expect

from honeyguide.assemble import create
from honeyguide.demo.server import serving
from honeyguide.model import Topic
from honeyguide.opening import open_collection
from honeyguide.store.folder import is_being_written

PAGES = 140
PATIENCE = 60_000


@pytest.fixture
def slow_crawl(chromium_path: str, tmp_path: Path) -> Iterator[Path]:
    """A crawl that was never started, of the demo web, polite enough to be watched."""
    folder = tmp_path / "crawls" / "live"
    with serving() as web:
        settings = demo_settings(web, strategy="best-first", pages=PAGES, delay=0.9)
        create(folder, Topic("dengue fever", seeds=web.seeds), settings)
        yield folder
        deadline = time.monotonic() + 30
        while is_being_written(folder) and time.monotonic() < deadline:
            time.sleep(0.1)


def number(page: Page, name: str) -> int:
    return int(page.locator(f"#{name}").inner_text().replace(",", ""))


def wait_for_pages(page: Page, more_than: int) -> None:
    """Look at the page until it says so; its policy lets nobody evaluate conditions inside of it."""
    deadline = time.monotonic() + PATIENCE / 1000
    while number(page, "pages") <= more_than:
        assert time.monotonic() < deadline, "no more pages arrived"
        page.wait_for_timeout(100)


def test_a_crawl_is_started_watched_paused_resumed_labelled_and_ends(
    slow_crawl: Path, new_page: Callable[[Any], Page], serving_folder: Callable[[Path], Any]
) -> None:
    served = serving_folder(slow_crawl.parent)
    page = new_page(served)
    with page.expect_event("load"):  # its scripts have run then
        page.get_by_role("link", name="live").click()
    page.evaluate("window.neverReloaded = true")
    expect(page.locator("#pages")).to_have_text("0")

    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.locator("#health")).to_have_text("running", timeout=PATIENCE)
    wait_for_pages(page, 5)
    expect(page.locator("#harvest-chart canvas")).to_be_visible()

    page.get_by_role("button", name="Pause").click()
    expect(page.locator("#health")).to_have_text("paused", timeout=PATIENCE)
    expect(page.get_by_role("button", name="Resume")).to_be_visible()
    page.wait_for_timeout(1500)  # what was in flight comes home
    paused_at = number(page, "pages")
    page.wait_for_timeout(2500)
    assert number(page, "pages") == paused_at

    page.get_by_role("button", name="Resume").click()
    expect(page.locator("#health")).to_have_text("running", timeout=PATIENCE)
    wait_for_pages(page, paused_at)

    labelling = new_page(served)
    labelling.goto(f"{served.origin}/crawls/live/label")
    for key in "ynyn":
        expect(labelling.locator("#yes")).to_be_enabled(timeout=PATIENCE)
        title = labelling.locator("#address").inner_text()
        labelling.keyboard.press(key)
        expect(labelling.locator("#address")).not_to_have_text(title, timeout=PATIENCE)
    expect(page.locator("#lessons li").first).to_contain_text("links moved", timeout=PATIENCE)

    page.get_by_role("button", name="Raise budget").click()
    page.get_by_label("Pages", exact=True).fill(str(PAGES + 10))
    page.get_by_role("button", name="Set budget").click()
    expect(page.locator("#requests li").first).to_contain_text(f"Budget: {PAGES + 10} pages.")
    expect(page.locator("#requests")).not_to_contain_text("not answered yet", timeout=PATIENCE)

    expect(page.locator("#health")).to_have_text("budget spent", timeout=PATIENCE)
    expect(page.get_by_role("button", name="Start again")).to_be_visible()
    with open_collection(slow_crawl) as collection:
        status = collection.status()
    assert status.pages >= PAGES + 10
    expect(page.locator("#pages")).to_have_text(f"{status.pages:,}")
    expect(page.locator("#relevant")).to_have_text(f"{status.relevant:,}")
    assert page.evaluate("window.neverReloaded")
