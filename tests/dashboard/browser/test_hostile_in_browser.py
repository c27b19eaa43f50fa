"""Pages that mean harm, in the collection: nothing of them runs, is fetched, or leads away.

Everything they ask for lies on a server of this machine that counts; everything they run would change the title.
"""

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from serving_crawls import copied

from honeyguide.model import Response
from honeyguide.store.folder import DATABASE
from honeyguide.store.labels import LabelBook
from honeyguide.store.schema import connect
from honeyguide.store.warc import Archive
from honeyguide.urls import url_hash

RUN = "document.title='owned';parent.document.title='owned';top.location='EVIL/top'"
BODY = f"""<!doctype html><html><head><base href="EVIL/"><title>x</title>
<meta http-equiv="refresh" content="0;url=EVIL/refresh"><meta http-equiv="content-security-policy" content="">
<link rel="stylesheet" href="EVIL/style.css"><link rel="prefetch" href="EVIL/prefetch">
<link rel="icon" href="EVIL/icon">
<link rel="preconnect" href="EVIL"><link rel="dns-prefetch" href="EVIL">
<script>{RUN}</script><script src="EVIL/script.js"></script><script type="module">import "EVIL/module.js"</script>
<style>@import url("EVIL/import.css"); body {{ background: url("EVIL/background") }}
@font-face {{ src: url("EVIL/font") }}
</style></head><body onload="{RUN}" onpageshow="{RUN}" background="EVIL/body">
<h1>Dengue fever and mosquitoes</h1><p id="said">A text about dengue fever that a reader wants.</p>
<img src="EVIL/img" srcset="EVIL/srcset 2x" onerror="{RUN}" alt="picture"><img src=x onerror={RUN}>
<a href="javascript:{RUN}" ping="EVIL/ping" id="js">script link</a> <a href="EVIL/link" target="_top">web link</a>
<a href="data:text/html,<script>{RUN}</script>">data link</a>
<iframe src="EVIL/frame"></iframe><iframe srcdoc="<script>{RUN}</script><img src=EVIL/srcdoc>"></iframe>
<object data="EVIL/object"></object><embed src="EVIL/embed">
<video src="EVIL/video" poster="EVIL/poster" autoplay></video>
<audio src="EVIL/audio" autoplay></audio><form action="EVIL/form" id=f><input name=q autofocus onfocus="{RUN}"><button>
Send</button></form><svg onload="{RUN}"><script>{RUN}</script><image href="EVIL/svg" /><use href="EVIL/use#x" />
<foreignObject><iframe src="EVIL/foreign"></iframe></foreignObject>
<animate onbegin="{RUN}" attributeName=x dur=1s /></svg>
<math><mtext><table><mglyph><style><img src="EVIL/math" onerror="{RUN}"></style></mglyph></table></mtext></math>
<noscript><p title="</noscript><img src=EVIL/noscript onerror={RUN}>"></noscript>
<p style="background:url(EVIL/inline);position:fixed;inset:0;z-index:9999">styled</p>
<details open ontoggle="{RUN}"><summary>more</summary>hidden</details><marquee onstart="{RUN}">m</marquee>
<template><img src="EVIL/template"></template><textarea><script>{RUN}</script></textarea>
<!--><img src="EVIL/comment" onerror="{RUN}"> --><div><b><i>unclosed <table><td>tags"""
ODD = (
    "\u202e<script>document.title='owned'</script>\"'><img src=EVIL/title onerror=document.title='owned'>"
    "\u0007\u2028{{7*7}}${7*7}"
)
ADDRESS = "https://evil.example/%3Cscript%3E/a'b(c)?q=%22%3E%3Cimg%20src=x%20onerror=alert(1)%3E&javascript:alert(1)"


@pytest.fixture
def counting_server() -> Iterator[tuple[str, list[str]]]:
    """A server that notes every request, and its address."""
    asked: list[str] = []

    class Counting(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(200)
            self.end_headers()

        do_POST = do_GET

        def log_message(self, *_: object) -> None:
            """Nobody reads it."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Counting)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", asked
    server.shutdown()
    thread.join()
    server.server_close()


def add_hostile_page(folder: Path, evil: str) -> int:
    """Add the page to a crawl, with odd text wherever text of the web can be."""
    body, odd = BODY.replace("EVIL", evil).encode(), ODD.replace("EVIL", evil)
    archive = Archive(folder)
    headers = (("Content-Type", "text/html; charset=utf-8"), ("Link", f"<{evil}/header>; rel=preload"))
    place = archive.write(Response(ADDRESS, 200, headers, body, body, fetched_at=2e9))
    archive.close()
    connection = connect(folder / DATABASE)
    (last_url,) = connection.execute("SELECT MAX(id) FROM urls").fetchone()
    (last_host,) = connection.execute("SELECT MAX(id) FROM hosts").fetchone()
    (visit,) = connection.execute("SELECT MAX(id) + 1 FROM visits").fetchone()
    url = last_url + 1
    with connection:
        connection.execute("BEGIN")
        connection.execute(
            "INSERT INTO hosts (id, name, domain, visits, relevant) VALUES (?, ?, 'evil.example', 1, 1)",
            (last_host + 1, odd[:200]),
        )
        connection.execute(
            "INSERT INTO urls (id, hash, url, host, state, score, depth, source, anchor, context, place, parts) "
            "VALUES (?, ?, ?, ?, 'visited', 0.9, 1, 1, ?, ?, 'body', ?)",
            (url, url_hash(ADDRESS), ADDRESS, last_host + 1, odd, odd, json.dumps({odd: 0.4, "anchor": 0.5})),
        )
        connection.execute(
            "INSERT INTO visits (id, url, at, status, detail, final, title, language, content_type, charset, length, "
            "words, relevance, margin, relevant, label, reasons, judge, queue_score, queue_parts, address, truncated, "
            "duplicate_of, warc, warc_offset, warc_length) "
            "VALUES (?,?,?,200,?,?,?,?,?,?,?,9,1,1,1,?,?,?,0.9,?,?,?,?,?,?,?)",
            (
                visit, url, 2e9, odd, f"javascript:{RUN}", odd, odd, "text/html", odd, len(body), odd,
                json.dumps([[f"its meaning: dengue, {odd}", 0.7], [odd, -0.1]]), odd, json.dumps({odd: 0.4}),
                odd, odd, f"javascript:{RUN}", *place,
            ),
        )  # fmt: skip
        connection.executemany(
            "INSERT INTO links VALUES (?, ?, ?, ?, ?)",
            [(visit - 1, url_hash(ADDRESS), odd, "body", ""), (visit, url_hash(ADDRESS), odd, odd, odd)],
        )
    connection.close()
    with LabelBook(folder) as book:
        book.write(ADDRESS, visit, True, odd)
    return int(visit)


def test_a_hostile_page_does_nothing_on_any_screen(
    finished_crawls: Path,
    tmp_path: Path,
    counting_server: tuple[str, list[str]],
    serving_folder: Callable[[Path], Any],
    new_page: Callable[[Any], Page],
) -> None:
    evil, asked = counting_server
    root = copied(finished_crawls, tmp_path / "crawls")
    visit = add_hostile_page(root / "dengue", evil)
    served = serving_folder(root)
    page = new_page(served)
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    page.on("popup", lambda popup: dialogs.append(popup.url))
    here = f"{served.origin}/crawls/dengue"

    def stays(address: str) -> None:
        page.wait_for_timeout(400)  # whatever wants to happen has the time to
        assert page.url == address
        assert page.title() != "owned"

    page.goto(f"{here}/pages")
    expect(page.locator("#pages tbody tr").first).to_have_attribute("data-visit", str(visit))
    expect(page.locator("#pages tbody tr").first).to_contain_text("<script>document.title='owned'</script>")
    stays(f"{here}/pages")
    page.get_by_role("button", name="Relevance", exact=True).click()  # rows made by the script now
    expect(page.locator(f'#pages tr[data-visit="{visit}"]')).to_contain_text("<script>")
    stays(f"{here}/pages?sort=relevance")

    page.goto(f"{here}/pages/{visit}")
    expect(page.locator(".page-text")).to_contain_text("A text about dengue fever that a reader wants.")
    expect(page.locator(".reasons")).to_contain_text("<script>")
    expect(page.locator("#links-out tr")).to_have_count(1)
    expect(page.locator("#labels")).to_contain_text("<script>")
    stays(f"{here}/pages/{visit}")
    assert page.locator("#main :is(script, img, iframe[srcdoc], [onerror])").count() == 0

    page.get_by_role("tab", name="Snapshot").click()
    inside = page.frame_locator("#snapshot")
    expect(inside.locator("h1")).to_have_text("Dengue fever and mosquitoes")
    inside.locator("a", has_text="web link").click()
    inside.locator("a", has_text="script link").click()
    stays(f"{here}/pages/{visit}")
    assert (
        inside.locator(
            "script, iframe, object, embed, form, input, svg, math, style:not(head style), meta[http-equiv]"
        ).count()
        == 0
    )
    assert inside.locator("[src], [href], [style], [onclick], [onerror]").count() == 0
    assert len(page.frames) == 2

    page.goto(page.locator("#snapshot").get_attribute("src") or "")  # the snapshot by itself is no better
    page.wait_for_timeout(400)
    assert page.title() == "Snapshot"

    page.goto(f"{here}/map")
    expect(page.locator("#rows tr").first).to_be_attached()
    page.get_by_text("The same as a table").click()
    expect(page.locator("#rows")).to_contain_text("<script>")
    stays(f"{here}/map")
    page.goto(f"{here}/map?around={visit}")
    expect(page.locator("#rows")).to_contain_text("<script>")
    stays(f"{here}/map?around={visit}")

    for screen in ("", "search?q=dengue", "label", "topic"):
        page.goto(f"{here}/{screen}")
        page.wait_for_timeout(800)
        assert page.url.startswith(f"{here}/")
        assert page.title() != "owned"
    assert asked == []
    assert dialogs == []


def test_odd_names_are_shown_without_what_turns_them_around(
    finished_crawls: Path,
    tmp_path: Path,
    serving_folder: Callable[[Path], Any],
    new_page: Callable[[Any], Page],
) -> None:
    root = copied(finished_crawls, tmp_path / "crawls")
    visit = add_hostile_page(root / "dengue", "https://evil.example")
    served = serving_folder(root)
    page = new_page(served)
    page.goto(f"{served.origin}/crawls/dengue/pages/{visit}")
    text = page.locator("#main").inner_text() + page.title()
    assert "{{7*7}}${7*7}" in text
    assert not set(text) & set("\u202e\u2028\u0007")
    with page.expect_download() as started:
        page.goto(f"{served.origin}/crawls/dengue/pages")
        page.get_by_role("link", name="Download as CSV").click()
    assert started.value.suggested_filename == "dengue-pages.csv"
