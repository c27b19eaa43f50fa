"""Searching as a person does: typing, narrowing, marking, saving."""

from typing import Any

from playwright.sync_api import Page, expect


def search_for(page: Page, served: Any, words: str, crawl: str = "dengue") -> None:
    page.goto(f"{served.origin}/crawls/{crawl}/search")
    page.get_by_role("searchbox").fill(words)
    with page.expect_event("load"):  # its scripts have run then
        page.keyboard.press("Enter")
    expect(page.locator(".hit").first).to_be_visible()


def open_search(page: Page, served: Any) -> None:
    """Come to the screen and wait until everything is indexed."""
    page.goto(f"{served.origin}/crawls/dengue/search")
    page.wait_for_function(
        """async () => {
            const state = await (await fetch("/api/crawls/dengue/search/index")).json();
            return state.pages > 0 && state.behind === 0;
        }""",
        timeout=60_000,
    )
    page.reload()


def test_words_are_typed_found_and_narrowed(page: Page, served: Any) -> None:
    open_search(page, served)
    search_for(page, served, "dengue mosquito")
    expect(page.locator(".hit mark").first).to_be_visible()
    host = page.locator(".facet", has_text="Host").locator("a").first
    wanted = (host.locator(".clip").text_content() or "").strip()
    host.click()
    expect(page).to_have_url(f"{served.origin}/crawls/dengue/search?q=dengue+mosquito&host={wanted}")
    for address in page.locator(".hit-address").all_text_contents():
        assert wanted in address
    page.locator(".facet a[aria-current]").click()
    expect(page.locator(".facet a[aria-current]")).to_have_count(0)


def test_marked_answers_make_another_search(page: Page, served: Any) -> None:
    open_search(page, served)
    search_for(page, served, "dengue")
    page.locator(".hit").nth(0).get_by_text("Good", exact=True).click()
    page.locator(".hit").nth(1).get_by_text("Bad", exact=True).click()
    expect(page.locator("#marked")).to_have_text("1 good, 1 bad")
    page.locator(".hit").nth(1).get_by_text("Good", exact=True).click()
    expect(page.locator("#marked")).to_have_text("2 good, 0 bad")
    page.get_by_role("button", name="Search again with these").click()
    expect(page.locator(".terms .chip").first).to_be_visible()
    page.get_by_role("link", name="More like this").first.click()
    expect(page.locator(".like-line")).to_be_visible()


def test_a_search_is_saved_opened_and_forgotten(page: Page, served: Any) -> None:
    open_search(page, served)
    search_for(page, served, "vaccine")
    page.get_by_role("button", name="Save search").click()
    page.get_by_label("Name").fill("vaccines")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("link", name="vaccines")).to_be_visible()
    page.goto(f"{served.origin}/crawls/dengue/search")
    with page.expect_event("load"):
        page.get_by_role("link", name="vaccines").click()
    expect(page.get_by_role("searchbox")).to_have_value("vaccine")
    page.get_by_role("button", name="Forget the search vaccines").click()
    expect(page.get_by_role("link", name="vaccines")).to_have_count(0)


def test_the_keyboard_comes_back_to_the_box_and_mistakes_are_said(page: Page, served: Any) -> None:
    open_search(page, served)
    search_for(page, served, "dengue")
    page.locator("h1").first.evaluate("() => document.activeElement.blur()")
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox")).to_be_focused()
    page.get_by_role("searchbox").fill('"never closed')
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("quotation mark that is not closed")


def test_what_was_found_can_be_downloaded(page: Page, served: Any) -> None:
    open_search(page, served)
    search_for(page, served, "dengue")
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV").click()
    assert download.value.suggested_filename == "dengue-search.csv"
