"""One page as a person reads it: text with reasons, snapshot, links, way, label."""

from typing import Any

from playwright.sync_api import Page, expect

from honeyguide.opening import open_collection
from honeyguide.store.labels import read_labels


def open_best(page: Page, served: Any) -> None:
    """The page of the highest relevance that is no seed."""
    page.goto(f"{served.origin}/crawls/dengue/pages?sort=relevance&text=dengue+person")
    with page.expect_event("load"):  # its scripts have run then
        page.locator("#pages tbody .c-page a").first.click()
    expect(page.locator(".page-text")).to_be_visible()


def test_reasons_light_up_in_the_text(page: Page, served: Any) -> None:
    open_best(page, served)
    expect(page.locator(".verdict")).to_contain_text("on topic")
    assert page.locator(".page-text mark").count() > 3
    number = page.locator(".page-text mark").first.get_attribute("data-reason")
    page.locator(f'.reasons tr[data-reason="{number}"]').hover()
    assert page.locator(".page-text mark.lit").count() > 0
    page.get_by_role("heading", level=1).hover()
    expect(page.locator(".page-text mark.lit")).to_have_count(0)


def test_the_snapshot_is_shown_inert_from_another_origin(page: Page, served: Any) -> None:
    open_best(page, served)
    page.get_by_role("tab", name="Snapshot").click()
    frame = page.locator("#snapshot")
    expect(frame).to_have_attribute("sandbox", "")
    inside = page.frame_locator("#snapshot")
    expect(inside.locator("h1").first).to_be_visible()
    assert inside.locator("a[title]").count() > 0
    assert inside.locator("[href], [src], script, form").count() == 0
    source = frame.get_attribute("src") or ""
    assert source.startswith("http://127.0.0.1:")
    assert not source.startswith(served.origin + "/")
    page.get_by_role("tab", name="Text").click()
    expect(page.locator(".page-text")).to_be_visible()


def test_links_follow_with_their_scores_and_lead_on(page: Page, served: Any) -> None:
    open_best(page, served)
    expect(page.locator("#count-out")).not_to_be_empty()
    out = page.locator("#links-out tr")
    assert out.count() > 3
    expect(page.locator("#links-out .chip").filter(has_text="visited").first).to_be_visible()
    page.get_by_role("tab", name="To this page").click()
    into = page.locator("#links-in tr")
    assert into.count() > 0
    title = into.first.locator("a").inner_text()
    into.first.locator("a").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(title)


def test_the_way_from_a_seed_is_a_picture_that_can_be_followed(page: Page, served: Any) -> None:
    open_best(page, served)
    picture = page.locator("#why")
    expect(picture).to_be_visible()
    assert picture.locator("circle").count() >= 2
    expect(picture).to_contain_text("score")
    expect(page.locator("section", has=page.locator("#why-title"))).to_contain_text("the words of the link")
    picture.locator("a").first.click()
    expect(page.locator("section", has=page.locator("#why-title"))).to_contain_text("It is a seed")


def test_a_label_is_written_and_taken_back(own_page: Page, own_served: Any) -> None:
    page, served = own_page, own_served
    open_best(page, served)

    def labels() -> list[tuple[str, bool | None]]:
        with open_collection(served.folder / "dengue") as collection:
            return [(label.annotator, label.relevant) for label in read_labels(collection.connection)]

    page.get_by_label("You are").fill("ada")
    page.get_by_role("button", name="Off topic").click()
    expect(page.locator("#labels")).to_contain_text("off topic said ada")
    assert labels() == [("ada", False)]
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#labels")).not_to_contain_text("ada")
    assert labels() == []
    page.get_by_role("button", name="Unsure").click()
    expect(page.locator("#labels")).to_contain_text("unsure")
    page.reload()
    expect(page.locator("#labels")).to_contain_text("unsure said ada")
