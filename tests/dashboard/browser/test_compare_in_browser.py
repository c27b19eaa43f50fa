"""Two crawls compared as a person does it."""

from typing import Any

from playwright.sync_api import Page, expect


def test_two_crawls_are_chosen_and_laid_side_by_side(page: Page, served: Any) -> None:
    page.goto(served.origin)
    with page.expect_event("load"):  # its scripts have run then
        page.get_by_role("link", name="Compare").click()
    expect(page.locator("#figures")).to_contain_text("Harvest rate")
    expect(page.locator("#chart canvas")).to_be_visible()
    page.get_by_role("button", name="Share").click()
    expect(page.locator("#chart-title")).to_contain_text("Share of pages")
    expect(page.locator("#overlap")).to_contain_text("both")
    page.get_by_role("button", name="Only dengue-breadth").click()
    expect(page.locator("#list tr").first.locator("td").nth(2)).to_have_text("–")
    page.get_by_role("button", name="Only dengue", exact=True).click()
    expect(page.locator("#list tr").first.locator("td").nth(3)).to_have_text("–")
    link = page.locator("#list a").first.get_attribute("href") or ""
    assert link.startswith("/crawls/dengue/pages/")
    page.get_by_label("One crawl").select_option("dengue-breadth")
    expect(page).to_have_url(f"{served.origin}/compare?one=dengue-breadth&other=dengue-breadth")
    expect(page.locator("#figures thead")).to_contain_text("dengue-breadth")
