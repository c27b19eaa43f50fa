"""The map as a person uses it: moved, zoomed, clicked, or read as a table."""

from typing import Any

from playwright.sync_api import Page, expect


def open_map(page: Page, served: Any) -> None:
    page.goto(f"{served.origin}/crawls/dengue/map")
    expect(page.locator("#rows tr").first).to_be_attached()


def picture(page: Page) -> bytes:
    page.wait_for_timeout(100)  # a frame is painted
    return page.locator("#map").screenshot()


def test_the_map_is_moved_and_zoomed_by_mouse_buttons_and_keys(page: Page, served: Any) -> None:
    open_map(page, served)
    box = page.locator("#map").bounding_box()
    assert box
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    seen = [picture(page)]

    def changed() -> None:
        seen.append(picture(page))
        assert seen[-1] != seen[-2]

    page.mouse.move(*middle)
    page.mouse.wheel(0, -400)
    changed()
    page.mouse.move(middle[0] - 200, middle[1] - 150)
    page.mouse.down()
    page.mouse.move(middle[0] - 60, middle[1] - 90, steps=4)
    page.mouse.up()
    changed()
    page.get_by_role("button", name="Zoom in").click()
    changed()
    page.locator("#map").focus()
    for key in ("ArrowLeft", "ArrowUp", "+", "-", "-"):
        page.keyboard.press(key)
        changed()
    page.get_by_role("button", name="Show everything").click()
    page.mouse.move(5, 5)
    changed()


def test_a_host_is_found_chosen_and_opened(page: Page, served: Any) -> None:
    open_map(page, served)
    page.get_by_label("Find a host").fill("tropical-health.test")
    card = page.locator("#chosen")
    expect(card.get_by_role("heading")).to_have_text("tropical-health.test")
    expect(card).to_contain_text("on topic")
    card.get_by_role("link", name="Open its pages").click()
    expect(page).to_have_url(f"{served.origin}/crawls/dengue/pages?host=tropical-health.test")
    expect(page.locator("#pages tbody tr").first.locator(".c-host")).to_have_text("tropical-health.test")


def test_a_click_on_the_canvas_chooses_what_is_there(page: Page, served: Any) -> None:
    open_map(page, served)
    page.get_by_label("Find a host").fill("tropical-health.test")  # brings it to the middle
    expect(page.locator("#chosen")).to_be_visible()
    page.get_by_role("button", name="Close").click()
    expect(page.locator("#chosen")).to_be_hidden()
    box = page.locator("#map").bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.locator("#chosen").get_by_role("heading")).to_have_text("tropical-health.test")


def test_fewer_and_more_hosts_are_shown_when_asked_for(page: Page, served: Any) -> None:
    page.goto(f"{served.origin}/crawls/dengue/map?count=5")
    expect(page.locator("#map")).to_have_attribute("data-nodes", "5")
    page.get_by_role("button", name="Show more").click()
    expect(page.locator("#map")).to_have_attribute("data-nodes", "10")
    expect(page).to_have_url(f"{served.origin}/crawls/dengue/map?count=10")


def test_the_table_says_the_same(page: Page, served: Any) -> None:
    open_map(page, served)
    page.get_by_text("The same as a table").click()
    rows = page.locator("#rows tr")
    assert str(rows.count()) == page.locator("#map").get_attribute("data-nodes")
    host = rows.first.locator("a").inner_text()
    rows.first.locator("a").click()
    expect(page).to_have_url(f"{served.origin}/crawls/dengue/pages?host={host}")


def test_pages_around_a_page_are_drawn_and_lead_to_each_other(page: Page, served: Any) -> None:
    page.goto(f"{served.origin}/crawls/dengue/pages?sort=relevance&text=dengue+person")
    with page.expect_event("load"):  # its scripts have run then
        page.locator("#pages tbody .c-page a").first.click()
    visit = page.url.rpartition("/")[2]
    with page.expect_event("load"):
        page.get_by_role("link", name="Show on the map").click()
    rows = page.locator("#rows tr")
    expect(rows.first).to_be_visible()
    near = rows.count()
    page.get_by_role("button", name="Two steps").click()
    expect(page).to_have_url(f"{served.origin}/crawls/dengue/map?around={visit}&hops=2")
    expect(page.locator("#state")).to_contain_text("pages")
    expect(page.locator("#rows tr td:nth-child(2)").get_by_text("2", exact=True).first).to_be_visible()
    assert rows.count() > near
    title = rows.nth(1).locator("a").inner_text()
    rows.nth(1).locator("a").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(title)
