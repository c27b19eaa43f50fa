"""The overview as a person uses it."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import Page, expect
from serving_crawls import copied

from honeyguide.opening import open_collection


def test_the_link_opens_the_list_and_leaves_no_token_in_the_address(page: Page, served: Any) -> None:
    expect(page.get_by_role("heading", name="Crawls")).to_be_visible()
    assert page.url == f"{served.origin}/"
    page.get_by_role("link", name="dengue", exact=True).click()
    expect(page.get_by_role("heading", name="dengue fever")).to_be_visible()


def test_the_overview_shows_the_crawl_in_figures_and_pictures(page: Page, served: Any) -> None:
    with open_collection(served.folder / "dengue") as collection:
        status = collection.status()
    page.goto(f"{served.origin}/crawls/dengue/")
    expect(page.locator("#pages")).to_have_text(f"{status.pages:,}")
    expect(page.locator("#relevant")).to_have_text(f"{status.relevant:,}")
    expect(page.locator("#waiting")).to_have_text(f"{status.waiting:,}")
    expect(page.locator("#sentence")).to_have_text(status.sentence)
    expect(page.locator("#harvest-chart canvas")).to_be_visible()
    assert page.locator("#queue-chart span").count() > 0
    first = page.locator("#hosts tbody tr").first
    expect(first).to_contain_text(status.hosts[0].name)
    for kind, _ in status.errors:
        expect(page.locator("#errors")).to_contain_text(kind)


def test_another_crawl_is_a_choice_away(page: Page, served: Any) -> None:
    page.goto(f"{served.origin}/crawls/dengue/")
    page.get_by_role("combobox", name="Crawl").select_option("dengue-breadth")
    page.wait_for_url("**/crawls/dengue-breadth/")
    expect(page.locator("#pages")).to_have_text("60")


def test_a_host_is_blocked_from_its_row_with_the_keyboard(page: Page, served: Any) -> None:
    page.goto(f"{served.origin}/crawls/dengue-breadth/")
    button = page.locator("#hosts tbody tr button").first
    host = (button.get_attribute("aria-label") or "").removeprefix("Block ")
    button.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name="Block a host")).to_be_visible()
    expect(page.get_by_role("textbox", name="Host")).to_have_value(host)
    page.get_by_role("textbox", name="Host").press("Enter")
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.locator("#notice")).to_contain_text(f"Asked to block {host}.")
    expect(page.locator("#requests")).to_contain_text(f"Block {host}.")
    expect(page.locator("#requests")).to_contain_text("has not answered yet")


def test_what_is_asked_for_wrongly_is_said_and_nothing_is_lost(
    page: Page, served: Any, forgiven: list[str]
) -> None:
    forgiven.append("status of 422")
    page.goto(f"{served.origin}/crawls/dengue-breadth/")
    page.get_by_role("button", name="Raise budget").click()
    page.get_by_role("button", name="Set budget").click()
    dialog = page.get_by_role("dialog", name="Raise the budget")
    expect(dialog.locator("#notice")).to_contain_text("budget")  # outside of it nobody would see or hear it
    expect(dialog).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()


def test_a_crawl_that_is_deleted_while_it_is_shown_says_so(
    finished_crawls: Path,
    tmp_path: Path,
    serving_folder: Callable[[Path], Any],
    new_page: Callable[[Any], Page],
    forgiven: list[str],
) -> None:
    forgiven.append("status of 404")
    served = serving_folder(copied(finished_crawls, tmp_path / "crawls"))
    page = new_page(served)
    page.goto(f"{served.origin}/crawls/dengue/")
    expect(page.locator("#harvest-chart canvas")).to_be_visible()
    shutil.rmtree(served.folder / "dengue")
    expect(page.locator("#notice")).to_contain_text("There is no crawl of this name here.")


def test_whoever_is_signed_out_meanwhile_is_told(page: Page, served: Any, forgiven: list[str]) -> None:
    forgiven.append("status of 401")
    page.goto(f"{served.origin}/crawls/dengue/pages?relevant=yes")
    page.context.clear_cookies()
    page.locator("thead button, thead a").first.click()
    expect(page.locator("#notice")).to_contain_text("You are not signed in any more")


def test_seeds_are_added_one_on_a_line(page: Page, served: Any) -> None:
    page.goto(f"{served.origin}/crawls/dengue-breadth/")
    page.get_by_role("button", name="Add seeds").click()
    page.get_by_label("Web addresses, one on a line").fill("http://one.test/\nhttp://two.test/")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.locator("#requests")).to_contain_text("Add 2 seeds.")


def test_a_stranger_must_sign_in_and_then_goes_on_to_where_they_wanted(browser: Any, served: Any) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{served.origin}/crawls/dengue/")
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    page.get_by_label("Token").fill("a guess")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_have_text("That is not it.")
    page.get_by_label("Token").fill(served.token)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="dengue fever")).to_be_visible()
    context.close()


def test_another_site_cannot_steer_by_a_form_or_by_script(browser: Any, served: Any) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto(served.link)
    target = f"{served.origin}/api/crawls/dengue/requests"
    other = served.origin.replace("127.0.0.1", "localhost")
    page.goto(f"{other}/static/icon.svg")
    outcome = page.evaluate(
        """async (target) => {
            const options = {method: "POST", credentials: "include", headers: {"x-honeyguide": "1",
                "content-type": "application/json"}, body: JSON.stringify({kind: "stop"})};
            try { return (await fetch(target, options)).status; } catch (error) { return String(error); }
        }""",
        target,
    )
    assert "Failed to fetch" in str(outcome)
    asked = Request(target, headers={"authorization": f"Bearer {served.token}"})
    assert b'"stop"' not in urlopen(asked).read()
    context.close()


def test_everything_can_be_reached_with_the_tabulator(page: Page, served: Any) -> None:
    page.goto(f"{served.origin}/crawls/dengue/")
    reached = set()
    for _ in range(24):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.textContent.trim()"))
    assert {"To the content", "Pages", "Search", "Raise budget", "Add seeds", "Block a host"} <= reached


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_is_dark_on_light_or_light_on_dark(page: Page, served: Any, scheme: Any) -> None:
    page.emulate_media(color_scheme=scheme)
    page.goto(f"{served.origin}/crawls/dengue/")
    colours = page.evaluate(
        "(() => { const style = getComputedStyle(document.body); return [style.color, style.backgroundColor]; })()"
    )
    ink, paper = (sum(map(int, re.findall(r"\d+", colour)[:3])) for colour in colours)
    assert (ink < paper) == (scheme == "light")


def test_a_tablet_shows_everything_without_scrolling_sideways(page: Page, served: Any) -> None:
    page.set_viewport_size({"width": 820, "height": 1180})
    for path in ("/", "/crawls/dengue/", "/api/docs"):
        page.goto(f"{served.origin}{path}")
        assert page.evaluate("document.documentElement.scrollWidth") <= 820
