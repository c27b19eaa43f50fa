"""A bench report opened in the application: it may sort its tables, and nothing else."""

from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

PAGE = """<!DOCTYPE html><html><head><title>Honeyguide bench report</title></head><body>
<h1>Bench report</h1><p id="told">not sorted</p>
<script>document.getElementById("told").textContent = "sorted";
try { document.cookie = "a=b"; } catch { document.getElementById("told").textContent += ", no cookies"; }
fetch("https://elsewhere.example/").catch(() => (document.getElementById("told").textContent += ", no network"));
</script>
<p onclick="this.textContent = 'ran'" id="inline">inline</p>
<img src="https://elsewhere.example/pixel.png"><iframe src="https://elsewhere.example/"></iframe>
</body></html>"""


def write_report(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "report.html").write_text(PAGE)


def test_a_report_is_opened_in_a_frame_that_can_do_nothing_else(
    page: Page, served: Any, forgiven: list[str]
) -> None:
    forgiven.append("elsewhere.example")  # the browser tells of what it refuses to ask, too
    refused: list[tuple[str, str | None]] = []
    page.on("requestfailed", lambda request: refused.append((request.url, request.failure)))
    write_report(served.folder / "benches" / "run")
    page.goto(f"{served.origin}/reports")
    page.get_by_role("link", name="benches/run").click()
    frame = page.frame_locator("iframe.report")
    expect(frame.get_by_role("heading", name="Bench report")).to_be_visible()
    expect(frame.locator("#told")).to_have_text("sorted, no cookies, no network")
    frame.locator("#inline").click()
    expect(frame.locator("#inline")).to_have_text("inline")
    assert page.locator("iframe.report").get_attribute("sandbox") == "allow-scripts"
    page.get_by_role("link", name="All reports").click()
    expect(page.get_by_role("heading", name="Bench reports")).to_be_visible()
    assert {why for url, why in refused if "elsewhere.example" in url} == {"csp"}
