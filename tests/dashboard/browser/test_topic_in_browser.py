"""Editing a topic as a person does: suggestions taken, the edit tried out, applied and undone."""

from typing import Any

from playwright.sync_api import Page, expect

from honeyguide.topics.folder import read_topic


def test_an_edit_is_made_tried_out_applied_and_undone(own_page: Page, own_served: Any) -> None:
    page, served = own_page, own_served
    page.goto(f"{served.origin}/crawls/dengue/topic")
    expect(page.locator("#revision")).to_have_text("revision 1")
    expect(page.locator("#explained")).to_contain_text("Not said", timeout=30_000)
    page.get_by_label("Add a keyword").fill("garden")
    page.keyboard.press("Enter")
    page.get_by_placeholder("Term", exact=True).fill("garden")
    page.get_by_role("button", name="Add term").click()
    page.get_by_role("button", name="to the vocabulary").first.click(timeout=30_000)
    page.get_by_role("button", name="is off topic").first.click()
    expect(page.locator("#changes")).to_have_text("3 parts changed")
    page.get_by_role("button", name="Preview").click()
    expect(page.locator("#preview .verdict")).to_be_visible(timeout=60_000)
    expect(page.locator("#preview")).to_contain_text("would become relevant")
    page.get_by_placeholder("What and why").fill("gardens are on topic too")
    page.get_by_role("button", name="Apply").click()
    expect(page.locator("#revision")).to_have_text("revision 2")
    expect(page.locator("#history")).to_contain_text("gardens are on topic too")
    topic = read_topic(served.folder / "dengue")
    assert topic.keywords == ("garden",)
    assert len(topic.vocabulary) == 2
    assert topic.off_topic[0].text
    page.get_by_role("button", name="Undo to here").click()
    expect(page.locator("#revision")).to_have_text("revision 3")
    assert read_topic(served.folder / "dengue").keywords == ()


def test_texts_are_pasted_levels_made_and_everything_discarded(page: Page, served: Any) -> None:
    page.goto(f"{served.origin}/crawls/dengue/topic")
    expect(page.locator("#judge")).to_have_text("judged by blend")
    page.locator("[data-add=examples]").click()
    page.get_by_label("Title").fill("<b>Pasted</b>")
    page.get_by_label("Text", exact=True).fill("A text about dengue fever that somebody has pasted.")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.locator("#examples")).to_contain_text("<b>Pasted</b>")
    page.get_by_placeholder("Name of a level").fill("Infectious diseases")
    page.get_by_role("button", name="Add level").click()
    expect(page.locator("#levels")).to_contain_text("Infectious diseases the topic itself")
    page.get_by_role("button", name="Discard").click()
    expect(page.locator("#actions")).to_be_hidden()
    expect(page.locator("#examples li")).to_have_count(0)


def test_an_edit_that_cannot_be_read_is_said_and_can_still_be_mended(
    page: Page, served: Any, forgiven: list[str]
) -> None:
    forgiven.append("status of 422")
    page.goto(f"{served.origin}/crawls/dengue/topic")
    expect(page.locator("#revision")).to_have_text("revision 1")
    page.get_by_placeholder("Term", exact=True).fill("  ")
    page.get_by_role("button", name="Add term").click()
    expect(page.locator("#changes")).to_be_hidden()
    page.get_by_placeholder("Term", exact=True).fill("dengue AND (")
    page.get_by_role("button", name="Add term").click()
    page.get_by_role("button", name="Preview").click()
    expect(page.locator("#notice")).to_contain_text("has nothing where a word should stand")
    page.get_by_role("button", name="Discard").click()  # the notice must not lie on it
    expect(page.locator("#changes")).to_be_hidden()
