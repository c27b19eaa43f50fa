"""The texts of examples: read from files, fetched from the web as a crawl does, taken from an earlier crawl."""

import shutil
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from demo_crawl import demo_settings
from handmade_crawl import Made, make_crawl

from honeyguide import crawl, material
from honeyguide.assemble import create, load
from honeyguide.demo.server import ServedWeb, serving
from honeyguide.errors import ConfigError, CrawlError
from honeyguide.material import gather
from honeyguide.model import Example, Level, Step, Topic
from honeyguide.topics.toml import read_topic_file

PAGES = {
    "/robots.txt": ("text/plain", b"User-agent: *\nDisallow: /secret\n"),
    "/good": ("text/html", b"<title>Good</title><main><p>Dengue is spread by mosquitoes.</p></main>"),
    "/other": ("text/html", b"<title>Other</title><main><p>Dengue fever has four serotypes.</p></main>"),
    "/latin": ("text/html; charset=latin-1", "<main><p>La fièvre est élevée.</p></main>".encode("latin-1")),
    "/empty": ("text/html", b"<title>Nothing</title><body></body>"),
    "/picture": ("image/png", b"\x89PNG"),
    "/secret": ("text/html", b"<p>Not for us.</p>"),
}
SETTINGS: dict[str, dict[str, Any]] = {
    "dns": {"allow_private": True},
    "politeness": {"delay": 0.0, "stretch": 0.0},
    "reading": {"processes": 0},
    "fetch": {"contact": "me@example.org"},
}


@dataclass
class Site:
    """A small site on loopback, and what it was asked for by whom."""

    url: str
    asked: list[tuple[str, str]] = field(default_factory=list)


@pytest.fixture
def site() -> Iterator[Site]:
    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            site.asked.append((self.path, self.headers["User-Agent"]))
            if self.path == "/busy":
                self.send_response(503)
                self.send_header("Retry-After", "3000")
                self.end_headers()
                return
            kind, body = PAGES.get(self.path, ("text/html", b""))
            self.send_response(200 if body else 404)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Nothing to say."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Answer) as server:
        site = Site(f"http://127.0.0.1:{server.server_port}")
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield site
        finally:
            server.shutdown()
            thread.join()


def at(url: str, **fields: Any) -> Example:
    return Example("", url=url, **fields)


async def test_pages_are_fetched_as_a_crawl_fetches_them(site: Site) -> None:
    topic = Topic("dengue", examples=(at(f"{site.url}/good"), at(f"{site.url}/latin"), Example("Pasted.")))
    said: list[str] = []
    whole = await gather(topic, SETTINGS, said.append)
    assert whole.examples == (
        Example("Dengue is spread by mosquitoes.", "Good", f"{site.url}/good"),
        Example("La fièvre est élevée.", "", f"{site.url}/latin"),
        Example("Pasted."),
    )
    assert [path for path, _ in site.asked] == ["/robots.txt", "/good", "/latin"]
    assert all(agent.startswith("honeyguide/") and "(+me@example.org)" in agent for _, agent in site.asked)
    assert said == ["Reading 2 examples, 2 from the web."]


async def test_every_part_of_a_topic_is_filled_and_keeps_its_order(site: Site, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("<title>Saved</title><main><p>Saved earlier.</p></main>")
    (tmp_path / "notes.txt").write_text("Notes on dengue\n\nIt is a disease.")
    saved, notes = (tmp_path / "page.html").as_uri(), (tmp_path / "notes.txt").as_uri()
    topic = Topic(
        "dengue",
        examples=(at(saved, title="My title", weight=0.5),),
        off_topic=(at(notes),),
        background=(at(f"{site.url}/good"), at(saved)),
        corpus=(at(f"{site.url}/good"),),
        branch=(Level("Dengue", (at(f"{site.url}/other"),)), Level("Diseases")),
        session=(Step(at(saved), False), Step(at(f"{site.url}/good"), True)),
    )
    whole = await gather(topic, SETTINGS)
    good = Example("Dengue is spread by mosquitoes.", "Good", f"{site.url}/good")
    page = Example("Saved earlier.", "Saved", saved)
    assert whole == Topic(
        "dengue",
        examples=(page._replace(title="My title", weight=0.5),),
        off_topic=(Example("Notes on dengue\n\nIt is a disease.", "Notes on dengue", notes),),
        background=(good, page),
        corpus=(good,),
        branch=(
            Level("Dengue", (Example("Dengue fever has four serotypes.", "Other", f"{site.url}/other"),)),
            Level("Diseases"),
        ),
        session=(Step(page, False), Step(good, True)),
    )
    assert sum(path == "/good" for path, _ in site.asked) == 1


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("{site}/missing", "status: 404 Not Found"),
        ("{site}/secret", "robots"),
        ("{site}/picture", "type: image/png"),
        ("{site}/empty", "there is no text in it"),
        ("{site}/busy", "status: 503 Service Unavailable"),
        ("http://127.0.0.1:1/", "connect"),
        ("http://[/", "that is not a web address"),
        ("ftp://a.org/", "that is not a web address"),
        ("{folder}/binary.dat", "type: binary data"),
        ("{folder}/gone.html", "it cannot be read: No such file or directory"),
        ("{folder}", "holds no crawl"),
    ],
)
async def test_a_page_that_cannot_be_had_is_left_out_unless_it_is_the_only_one(
    site: Site, tmp_path: Path, address: str, reason: str
) -> None:
    (tmp_path / "binary.dat").write_bytes(b"%PDF-1.7 " + bytes(1000))
    address = address.format(site=site.url, folder=tmp_path)
    alone = Topic("dengue", examples=(at(address),), off_topic=(Example("x"),))
    with pytest.raises(ConfigError) as raised:
        await gather(alone, SETTINGS)
    said = str(raised.value)
    assert said.startswith(f"No example could be read: {address} (")
    assert reason in said
    assert said.endswith(".")
    assert "\n" not in said
    losses: list[str] = []
    whole = await gather(
        replace(alone, examples=(at(address), Example("kept"))), SETTINGS, on_loss=losses.append
    )
    assert whole.examples == (Example("kept"),)
    (loss,) = losses
    assert loss.startswith(f"One example is left out: {address} (")
    assert reason in loss


async def test_private_addresses_are_refused_as_in_a_crawl(site: Site) -> None:
    with pytest.raises(ConfigError, match="private-address"):
        await gather(Topic("x", off_topic=(at(f"{site.url}/good"),)), SETTINGS | {"dns": {}})
    assert site.asked == []


async def test_a_level_or_a_session_of_which_nothing_is_left_is_an_error(site: Site) -> None:
    with pytest.raises(ConfigError, match="No example of the level Biology could be read: "):
        await gather(
            Topic("x", branch=(Level("a", (Example("a"),)), Level("Biology", (at(f"{site.url}/no"),)))),
            SETTINGS,
        )
    missing = tuple(Step(at(f"{site.url}/no{number}"), True) for number in range(5))
    with pytest.raises(ConfigError, match=r"No page of the session could be read: .*, and 2 more\."):
        await gather(Topic("x", session=missing), SETTINGS)


async def test_a_host_that_wants_to_be_left_alone_is_given_up(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(material, "PATIENCE", 0.3)
    addresses = [f"{site.url}/{name}" for name in ("busy", "good", "other")]
    losses: list[str] = []
    topic = Topic("x", examples=(*map(at, addresses), Example("kept")))
    assert (await gather(topic, SETTINGS, on_loss=losses.append)).examples == (Example("kept"),)
    assert [path for path, _ in site.asked] == ["/robots.txt", "/busy"]
    assert "kept us waiting for more than 0.3 seconds" in losses[1]
    assert "kept us waiting" in losses[2]


async def test_settings_that_cannot_work_are_said_before_anything_is_fetched(site: Site) -> None:
    with pytest.raises(ConfigError, match="has no key dealy"):
        await gather(Topic("x", examples=(at(f"{site.url}/good"),)), SETTINGS | {"politeness": {"dealy": 1}})
    assert site.asked == []


async def test_an_example_without_text_or_address_is_refused() -> None:
    with pytest.raises(ConfigError, match="neither a text nor an address"):
        await gather(Topic("x", examples=(Example(" "),)), {})


async def test_a_topic_that_has_all_its_texts_is_left_as_it_is() -> None:
    topic = Topic("x", examples=(Example("text"),))
    said: list[str] = []
    assert await gather(topic, {}, said.append) is topic
    assert said == []


async def test_progress_is_told_now_and_then(tmp_path: Path) -> None:
    files = [tmp_path / f"{number}.txt" for number in range(25)]
    for file in files:
        file.write_text(f"Text of {file.name}")
    topic = Topic("x", examples=tuple(at(file.as_uri()) for file in files))
    said: list[str] = []
    assert len((await gather(topic, SETTINGS, said.append)).examples) == 25
    assert said == ["Reading 25 examples.", "10 of 25 are read.", "20 of 25 are read."]


async def test_readers_in_other_processes_read_examples_too(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<main><p>In another process.</p></main>")
    topic = Topic("x", examples=(at(str(tmp_path / "a.html")),))
    whole = await gather(topic, SETTINGS | {"reading": {"processes": 1}})
    assert whole.examples[0].text == "In another process."


async def test_an_earlier_crawl_gives_its_pages_on_topic(tmp_path: Path) -> None:
    folder = make_crawl(
        tmp_path / "earlier",
        [
            Made("https://a.org/", True, "A", "Dengue is a disease."),
            Made("https://b.org/", False, "B", "Football is a game."),
            Made("https://c.org/", True, "C", "Mosquitoes spread it."),
        ],
    )
    topic = await gather(Topic("x", examples=(at(folder.as_uri()),)), SETTINGS)
    assert topic.examples == (
        Example("Dengue is a disease.", "A", "https://a.org/"),
        Example("Mosquitoes spread it.", "C", "https://c.org/"),
    )
    empty = make_crawl(tmp_path / "empty", [Made("https://b.org/", False)])
    with pytest.raises(ConfigError, match="this crawl has no pages on topic"):
        await gather(Topic("x", examples=(at(empty.as_uri()),)), SETTINGS)


@pytest.mark.parametrize("fault", ["no archive", "damaged archive", "damaged database"])
async def test_an_earlier_crawl_that_is_damaged_is_said_to_be(tmp_path: Path, fault: str) -> None:
    folder = make_crawl(tmp_path / "earlier", [Made("https://a.org/", True, "A", "Dengue is a disease.")])
    for archive in folder.rglob("*.warc.gz"):
        if fault == "no archive":
            archive.unlink()
        elif fault == "damaged archive":
            archive.write_bytes(b"\x00" * archive.stat().st_size)
    if fault == "damaged database":
        with closing(sqlite3.connect(folder / "crawl.db")) as database:
            (root,) = database.execute("SELECT rootpage FROM sqlite_master WHERE name = 'visits'").fetchone()
            (size,) = database.execute("PRAGMA page_size").fetchone()
        data = bytearray((folder / "crawl.db").read_bytes())
        data[(root - 1) * size : root * size] = b"\xff" * size
        (folder / "crawl.db").write_bytes(data)
    with pytest.raises(
        ConfigError, match=r"No example could be read: .*the crawl cannot be read: "
    ) as raised:
        await gather(Topic("x", examples=(at(folder.as_uri()),)), SETTINGS)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("address", ["file:///" + "x" * 400, "file:///a%00b", "file://[/a", "y" * 5000])
async def test_a_file_that_cannot_be_named_is_an_example_that_cannot_be_read(address: str) -> None:
    with pytest.raises(ConfigError, match="No example could be read"):
        await gather(Topic("x", examples=(at(address),)), SETTINGS)


def test_a_crawl_is_not_made_of_examples_without_texts(tmp_path: Path) -> None:
    topic = Topic("dengue", seeds=("https://a.org/",), examples=(at("https://b.org/"),))
    with pytest.raises(ConfigError, match=r"'https://b\.org/' has no text yet"):
        create(tmp_path / "c", topic, {})
    assert not (tmp_path / "c").exists()


def test_a_topic_that_no_file_can_hold_leaves_no_folder(tmp_path: Path) -> None:
    topic = Topic("dengue", seeds=("https://a.org/",), keywords=("half \udcff",))
    with pytest.raises(ConfigError, match="holds half a character"):
        create(tmp_path / "c", topic, {})
    assert not (tmp_path / "c").exists()


@pytest.fixture(scope="module")
def web() -> Iterator[ServedWeb]:
    with serving() as web:
        yield web


async def test_from_python_addresses_are_enough_even_in_a_running_event_loop(
    web: ServedWeb, tmp_path: Path
) -> None:
    settings = demo_settings(web, strategy="best-first", pages=5, delay=0.01)
    topic = Topic("dengue fever", seeds=web.seeds, examples=tuple(map(at, web.seeds)))
    visits = list(crawl(topic, out=tmp_path / "c", settings=settings))
    assert sum(visit.status > 0 for visit in visits) == 5
    kept = load(tmp_path / "c")[0]
    assert [example.url for example in kept.examples] == list(web.seeds)
    assert all(example.text and example.title for example in kept.examples)


async def test_a_folder_that_is_taken_is_said_to_be_before_anything_is_fetched(
    site: Site, tmp_path: Path
) -> None:
    (tmp_path / "thesis.txt").write_text("do not lose me")
    topic = Topic("x", seeds=("https://a.org/",), examples=(at(f"{site.url}/good"),))
    with pytest.raises(CrawlError, match="not an empty folder"):
        crawl(topic, out=tmp_path, settings=SETTINGS)
    assert site.asked == []


def test_a_crawl_needs_nothing_outside_its_folder(web: ServedWeb, tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / "pages").mkdir(parents=True)
    (home / "branch" / "Health" / "Dengue").mkdir(parents=True)
    (home / "pages" / "a.html").write_text("<main><p>Dengue fever is a disease.</p></main>")
    (home / "branch" / "Health" / "Dengue" / "b.txt").write_text("Dengue.")
    (home / "terms.txt").write_text("50 dengue fever\n-20 malaria\n")
    (home / "session.txt").write_text("+ pages/a.html\n")
    (home / "o.obo").write_text("format-version: 1.2\n\n[Term]\nid: X:1\nname: fever\n")
    (home / "topic.toml").write_text(
        '[topic]\nname = "dengue fever"\nexamples = ["pages"]\nbranch = "branch"\n'
        'vocabulary = "terms.txt"\nsession = "session.txt"\nontology = "o.obo"\n'
    )
    topic, _ = read_topic_file(home / "topic.toml")
    settings = demo_settings(web, strategy="best-first", pages=3, delay=0.01)
    first = crawl(topic, seeds=web.seeds, out=tmp_path / "c", settings=settings)
    before = load(tmp_path / "c")[0]
    assert len(list(first)) >= 3
    shutil.rmtree(home)
    moved = tmp_path / "moved"
    (tmp_path / "c").rename(moved)
    assert load(moved)[0] == before
    assert before.examples[0].text == "Dengue fever is a disease."
    assert before.branch[0].examples[0].text == "Dengue."
    assert (before.session, before.ontology, before.vocabulary) != ((), (), ())
    again = crawl("dengue fever", out=moved, pages=6)
    assert sum(visit.status > 0 for visit in again) == 3
