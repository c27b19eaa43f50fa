"""Labelling as a person does: one key for each page, and a look at what came of it."""

from typing import Any

from playwright.sync_api import Page, expect

from honeyguide.opening import open_collection
from honeyguide.store.labels import read_labels


def title_of(page: Page) -> str:
    """The title on the screen; while pages are fetched, that of the last one is there, but hidden."""
    expect(page.locator("#title")).to_be_visible()
    return page.locator("#title").text_content() or ""


def said(served: Any) -> list[bool | None]:
    with open_collection(served.folder / "dengue") as collection:
        return [label.relevant for label in read_labels(collection.connection)]


def test_pages_are_labelled_by_keys_taken_back_and_learned(own_page: Page, own_served: Any) -> None:
    page, served = own_page, own_served
    page.goto(f"{served.origin}/crawls/dengue/label")
    page.get_by_label("Your name").fill("ada")
    page.keyboard.press("Tab")
    first = title_of(page)
    page.locator("#page").click()
    page.keyboard.press("y")
    expect(page.locator("#title")).not_to_have_text(first)
    second = title_of(page)
    page.keyboard.press("n")
    expect(page.locator("#title")).not_to_have_text(second)
    expect(page.locator("#labels")).to_contain_text("1 page on topic, 1 off topic")
    page.keyboard.press("b")
    expect(page.locator("#title")).to_have_text(second)
    expect(page.locator("#labels")).to_contain_text("1 page on topic, 0 off topic")
    page.keyboard.press("u")
    expect(page.locator("#title")).not_to_have_text(second)
    page.get_by_role("button", name="Off topic").click()
    expect(page.locator("#labels tbody")).to_contain_text("ada")
    expect(page.locator("#learning")).to_contain_text("Harvest estimate", timeout=60_000)
    expect(page.locator("#learning")).to_contain_text("when the crawl is resumed")
    assert said(served) == [True, None, False]
    page.reload()
    expect(page.get_by_label("Your name")).to_have_value("ada")


def test_the_hand_check_is_drawn_labelled_and_told(own_page: Page, own_served: Any) -> None:
    page, served = own_page, own_served
    page.goto(f"{served.origin}/crawls/dengue/label")
    page.get_by_label("Random sample").check()
    expect(page.locator("#nothing-title")).to_have_text("No sample is drawn yet")
    page.locator("#size").fill("6")
    page.get_by_role("button", name="Draw a sample").click()
    seen = set()
    for key in "ynyyny":
        seen.add(title_of(page) + (page.locator("#address").text_content() or ""))
        before = page.locator("#address").text_content() or ""
        page.locator("#page").click()
        page.keyboard.press(key)
        if len(seen) < 6:
            expect(page.locator("#address")).not_to_have_text(before)
    assert len(seen) == 6
    expect(page.locator("#nothing-text")).to_contain_text("the whole sample")
    expect(page.locator("#check-figures")).to_contain_text("You have labelled 6 of 6 pages")
    expect(page.locator("#check-figures")).to_contain_text("66.7 %")
    expect(page.locator("#check-figures")).to_contain_text("judge and people agree")


def test_the_space_bar_shows_more_and_typing_a_name_labels_nothing(page: Page, served: Any) -> None:
    page.goto(f"{served.origin}/crawls/dengue-breadth/label")
    title_of(page)
    page.get_by_label("Diverse").check()
    title_of(page)
    page.get_by_label("Your name").fill("yny")
    page.get_by_label("Your name").press("n")
    expect(page.locator("#undo")).to_be_disabled()
    for _ in range(30):
        if page.locator("#more").is_visible():
            break
        page.locator("#page").click()
        page.keyboard.press("s")
    length = len(page.locator("#text").text_content() or "")
    page.locator("#more").click()
    page.locator("#page").click()
    for _ in range(4):
        page.keyboard.press(" ")
    assert len(page.locator("#text").text_content() or "") > length
