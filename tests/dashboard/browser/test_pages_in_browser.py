"""The table of pages as a person uses it: filters, orders, keys, a file."""

import csv
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

SHOWN = 50


def open_table(page: Page, served: Any, query: str = "") -> None:
    page.goto(f"{served.origin}/crawls/dengue/pages{query}")


def relevances(page: Page) -> list[float]:
    cells = page.locator("#pages tbody .c-relevance span:not(.visually-hidden)").all_inner_texts()
    return [float(text) for text in cells if text != "–"]


def test_a_person_filters_and_sorts_and_can_pass_the_address_on(page: Page, served: Any) -> None:
    open_table(page, served)
    rows = page.locator("#pages tbody tr")
    expect(rows).to_have_count(SHOWN)
    page.get_by_label("Topic").select_option("on topic")
    expect(page.locator("#count")).not_to_contain_text("123 of")
    page.get_by_role("button", name="Relevance", exact=True).click()
    expect(page.locator("th.c-relevance")).to_have_attribute("aria-sort", "descending")
    expect(page).to_have_url(f"{served.origin}/crawls/dengue/pages?relevant=yes&sort=relevance")
    expect(page.locator("#pages")).not_to_have_attribute("aria-busy", "true")
    falling = relevances(page)
    assert falling == sorted(falling, reverse=True)
    page.get_by_role("button", name="Relevance", exact=True).click()
    expect(page.locator("th.c-relevance")).to_have_attribute("aria-sort", "ascending")
    expect(page.locator("#pages")).not_to_have_attribute("aria-busy", "true")
    expect(rows.first.locator(".c-relevance")).not_to_contain_text("1.00")
    shared = page.url
    titles = rows.locator(".c-page a").all_inner_texts()
    page.goto("about:blank")
    page.goto(shared)
    expect(page.get_by_label("Topic")).to_have_value("yes")
    assert rows.locator(".c-page a").all_inner_texts() == titles  # drawn by the server as by the script
    page.get_by_role("button", name="Clear filters").click()
    expect(page.get_by_label("Topic")).to_have_value("")
    expect(rows).to_have_count(SHOWN)


def test_more_rows_come_when_asked_for_until_there_are_no_more(page: Page, served: Any) -> None:
    open_table(page, served)
    more = page.get_by_role("button", name="Show more")
    more.click()
    expect(page.locator("#pages tbody tr")).to_have_count(2 * SHOWN)
    more.click()
    expect(more).to_be_hidden()
    numbers = [row.get_attribute("data-visit") for row in page.locator("#pages tbody tr").all()]
    assert len(set(numbers)) == len(numbers) > 2 * SHOWN


def test_the_keyboard_is_enough(page: Page, served: Any) -> None:
    open_table(page, served)
    page.keyboard.press("/")
    page.keyboard.type("dengue")
    expect(page.locator("#scanned")).to_contain_text("Looked through")
    expect(page).to_have_url(f"{served.origin}/crawls/dengue/pages?text=dengue")
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    links = page.locator("#pages tbody .c-page a")
    expect(links.first).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(links.nth(1)).to_be_focused()
    page.keyboard.press("k")
    expect(links.first).to_be_focused()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    title = links.first.inner_text()
    links.first.focus()
    with page.expect_event("load"):  # its scripts have run then
        page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text(title)
    page.locator("#back").click()
    expect(page).to_have_url(f"{served.origin}/crawls/dengue/pages?text=dengue")


def test_going_on_with_j_past_the_last_row_fetches_more(page: Page, served: Any) -> None:
    open_table(page, served)
    links = page.locator("#pages tbody .c-page a")
    links.nth(SHOWN - 1).focus()
    page.keyboard.press("j")
    expect(page.locator("#pages tbody tr")).to_have_count(2 * SHOWN)
    expect(links.nth(SHOWN)).to_be_focused()


def test_what_is_shown_can_be_had_as_a_file(page: Page, served: Any, tmp_path: Path) -> None:
    open_table(page, served, "?relevant=yes")
    with page.expect_download() as started:
        page.get_by_role("link", name="Download as CSV").click()
    download = started.value
    assert download.suggested_filename == "dengue-pages.csv"
    download.save_as(tmp_path / "pages.csv")
    with (tmp_path / "pages.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert {row["relevant"] for row in rows} == {"1"}


def test_filters_that_nothing_fits_say_what_to_do(page: Page, served: Any) -> None:
    open_table(page, served)
    page.get_by_label("Host").fill("nobody.test")
    expect(page.locator("#nothing")).to_contain_text("No page fits these filters")
    page.get_by_role("button", name="Clear filters").click()
    expect(page.locator("#nothing")).to_be_hidden()
