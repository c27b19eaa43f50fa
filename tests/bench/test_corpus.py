"""Corpora: opened, cached, asked, and replayed as the crawls they were."""

import asyncio
import os
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest
from demo_crawl import crawl_demo
from made_archive import record, redirect, revisit, write

from honeyguide.bench import parsed as parsed_module
from honeyguide.bench.corpus import Corpus, Label, read_labels
from honeyguide.bench.recording import record_crawl
from honeyguide.bench.survey import survey
from honeyguide.demo.server import ServedWeb, serving
from honeyguide.errors import ConfigError, ErrorKind, FetchError, ParseError
from honeyguide.fetch.archives import SCHEMES
from honeyguide.fetch.offline import OfflineFetcher, OfflineWeb
from honeyguide.model import Page, Response
from honeyguide.parse.pages import PageParser

A, B, C, D = (f"http://a.test/{name}" for name in "abcd")
FTP = "ftp://f.test/pub/x"
GIF = "http://a.test/image"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Four pages: a links to b, itself and out; b through a redirect to c, to a dead end and to ftp; c nowhere."""
    folder = tmp_path / "corpus"
    folder.mkdir()
    records = [
        record(
            A, b"<title>A</title><p>Words <a href=b>to b</a> <a href=a>self</a> <a href=//out.test/>out</a>"
        ),
        record(B, f'<p><a href=old>to c</a> <a href="{FTP}">ftp</a> <a href=gone>gone</a>'.encode()),
        record("http://A.test:80/c", b"<p>The end. <a href=b>back</a> <a href=b#x>back again</a>"),
        record(FTP, b"<p>A listing. <a href=y>file</a>"),
        record(GIF, b"GIF89a\0\0", headers=["Content-Type: image/gif"]),
        redirect("http://a.test/old", C),
        redirect("http://a.test/gone", D),
    ]
    write(folder / "web.warc.gz", records)
    (folder / "labels.tsv").write_text(
        f"url\ttopic\n{A}\tLetters\n{B}\tLetters\n{B}\tBees\nhttp://x.test/\tLost\n"
    )
    return folder


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


def never(*_: object) -> NoReturn:
    raise AssertionError("parsed again")


def files(cache: Path) -> list[Path]:
    return sorted(cache.glob("*.pages"))


def test_a_corpus_knows_its_pages_labels_and_links(folder: Path, cache: Path) -> None:
    corpus = Corpus.open(folder, cache=cache)
    assert list(corpus.pages) == [A, B, C, FTP]
    assert corpus.pages[A].title == "A"
    assert corpus.labels[2] == Label(B, "Bees")
    assert dict(corpus.redirects) == {"http://a.test/old": C}
    assert corpus.inside(A) == (B,)
    assert corpus.inside(B) == (C, FTP)
    assert corpus.inside(C) == (B,)
    assert corpus.inside(D) == ()


def test_urls_are_found_however_they_are_spelt(folder: Path, cache: Path) -> None:
    corpus = Corpus.open(folder, cache=cache)
    assert corpus.canonical("HTTP://a.test:80/./c#part") == C
    assert corpus.canonical("ftp://F.test/pub/x") == FTP
    assert corpus.canonical("http://a.test/old") == "http://a.test/old"
    assert corpus.canonical(D) == ""
    assert corpus.canonical("no address at all") == ""


def test_cached_pages_are_the_pages_that_the_parser_makes(folder: Path, cache: Path) -> None:
    fresh = Corpus.open(folder, cache=cache)
    cached = Corpus.open(folder, cache=cache)
    bodies = OfflineFetcher(fresh.web)
    for url in fresh.pages:
        page = PageParser(schemes=SCHEMES).parse(asyncio.run(bodies.fetch(url)))
        assert page == fresh.pages[url] == cached.pages[url]


def test_fetcher_and_parser_replay_without_reading_the_archive(folder: Path, cache: Path) -> None:
    corpus = Corpus.open(folder, cache=cache)
    response = asyncio.run(corpus.fetcher().fetch("http://a.test/old"))
    assert corpus.parser().parse(response) is corpus.pages[C]
    with pytest.raises(FetchError, match="miss"):
        asyncio.run(corpus.fetcher(within={A}).fetch(B))
    with pytest.raises(ParseError) as caught:
        corpus.parser().parse(asyncio.run(corpus.fetcher().fetch(GIF)))
    assert caught.value.kind is ErrorKind.TYPE
    assert caught.value.detail == "image/gif"


def test_pages_are_parsed_once(folder: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[int, int]] = []
    first = Corpus.open(folder, cache=cache, on_progress=lambda done, total: told.append((done, total)))
    assert told == [(5, 5)]
    monkeypatch.setattr(parsed_module, "parse_part", never)
    again = Corpus.open(folder, cache=cache, on_progress=never)
    assert again.digest == first.digest
    assert again.failures == first.failures == {GIF: ("type", "image/gif")}


def test_other_labels_make_another_digest_but_need_no_parsing(
    folder: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = Corpus.open(folder, cache=cache)
    monkeypatch.setattr(parsed_module, "parse_part", never)
    (folder / "labels.tsv").write_text(f"url\ttopic\n{A}\tOther\n")
    assert Corpus.open(folder, cache=cache).digest != first.digest


def test_an_archive_that_changed_is_parsed_again_and_so_is_everything_when_the_parser_changed(
    folder: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = Corpus.open(folder, cache=cache)
    write(folder / "web.warc.gz", [record(A, b"<title>New</title>")])
    changed = Corpus.open(folder, cache=cache)
    assert changed.pages[A].title == "New"
    assert changed.digest != first.digest
    before = files(cache)
    monkeypatch.setattr(parsed_module, "parser_version", lambda: "another version")
    Corpus.open(folder, cache=cache)
    after = files(cache)
    assert len(before) == len(after) == 2  # the file of the old version is gone
    assert before != after


@pytest.mark.parametrize("damage", ["empty", "cut", "flipped", "other", "long"])
def test_a_damaged_cache_is_made_again(folder: Path, cache: Path, damage: str) -> None:
    first = Corpus.open(folder, cache=cache)
    (file,) = files(cache)
    good = file.read_bytes()
    bad = {
        "empty": b"",
        "cut": good[:-10],
        "flipped": good[:-50] + bytes([good[-50] ^ 255]) + good[-49:],
        "other": b"something else altogether" * 9,
        "long": good[:32] + b"\xff" * 8 + good[40:],
    }
    file.write_bytes(bad[damage])
    (cache / "digests.json").write_text("[1, 2]")
    assert Corpus.open(folder, cache=cache).pages == first.pages
    assert file.read_bytes() == good


def test_a_cache_that_cannot_be_written_is_done_without(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    assert len(Corpus.open(folder, cache=tmp_path / "file" / "cache").pages) == 4


def test_many_pages_are_parsed_by_several_processes_with_the_same_outcome(tmp_path: Path) -> None:
    folder = tmp_path / "many"
    folder.mkdir()
    pages = [record(f"{A}{n}", f"<title>{n}</title><a href=a{n + 1}>next</a>".encode()) for n in range(620)]
    write(folder / "x.warc.gz", pages)
    told: list[int] = []
    corpus = Corpus.open(folder, cache=tmp_path / "cache", on_progress=lambda done, total: told.append(done))
    assert [page.title for page in corpus.pages.values()] == [str(n) for n in range(620)]
    assert told[-1] == 620
    assert corpus.inside(f"{A}5") == (f"{A}6",)


def test_the_cache_lies_where_the_user_keeps_caches(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    Corpus.open(folder)
    assert len(files(tmp_path / "xdg" / "honeyguide" / "corpora")) == 1


def test_a_corpus_can_be_opened_again_by_another_process(folder: Path, cache: Path) -> None:
    corpus = Corpus.open(folder, cache=cache)
    reopen = pickle.dumps(corpus.reopen)
    assert len(reopen) < 1000
    again = pickle.loads(reopen)()
    assert (again.digest, again.labels, again.pages) == (corpus.digest, corpus.labels, corpus.pages)


def test_a_single_archive_and_one_without_labels_can_be_opened(folder: Path, cache: Path) -> None:
    labels = folder / "labels.tsv"
    assert Corpus.open(folder / "web.warc.gz", cache=cache).labels == ()
    assert len(Corpus.open(folder / "web.warc.gz", labels=labels, cache=cache).labels) == 4
    labels.unlink()
    corpus = Corpus.open(folder, cache=cache)
    assert (corpus.labels, len(corpus.pages)) == ((), 4)


def test_folders_that_hold_no_corpus_are_errors_in_words(tmp_path: Path, cache: Path) -> None:
    with pytest.raises(ConfigError, match="There is no folder"):
        Corpus.open(tmp_path / "missing", cache=cache)
    with pytest.raises(ConfigError, match="holds no web archive"):
        Corpus.open(tmp_path, cache=cache)
    (tmp_path / "x.warc.gz").write_bytes(b"not gzip at all")
    with pytest.raises(ConfigError, match=r"x.warc.gz is damaged or no web archive"):
        Corpus.open(tmp_path, cache=cache)
    assert files(cache) == []


def test_labels_have_two_or_three_columns(tmp_path: Path) -> None:
    file = tmp_path / "labels.tsv"
    file.write_bytes("\ufeffurl\tcategory\tuniversity\r\nhttp://a.test/é\tcourse\tcornell\r\n\r\n".encode())
    assert read_labels(file) == (Label("http://a.test/é", "course", "cornell"),)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"", "line 1"),
        (b"http://a.test/\tBees\n", "line 1"),
        (b"url\n", "line 1"),
        (b"url\ta\tb\tc\n", "line 1"),
        (b"url\ttopic\nhttp://a.test/\tBees\nhttp://b.test/\n", "line 3: there must be 2 cells"),
        (b"url\ttopic\nhttp://a.test/\tBees\tmore\n", "line 2"),
        (b"url\ttopic\n\tBees\n", "line 2"),
        (b"url\ttopic\nhttp://a.test/\t\n", "line 2"),
        (b"url\ttopic\nhttp://a.test/\t\xff\xfe\n", "UTF-8"),
    ],
)
def test_wrong_labels_are_told_by_file_and_line(tmp_path: Path, text: bytes, message: str) -> None:
    file = tmp_path / "wrong.tsv"
    file.write_bytes(text)
    with pytest.raises(ConfigError, match=rf"wrong\.tsv.*{message}"):
        read_labels(file)
    with pytest.raises(ConfigError, match="cannot be read"):
        read_labels(tmp_path / "missing.tsv")


def test_a_survey_counts_what_is_there(folder: Path, cache: Path) -> None:
    figures = survey(Corpus.open(folder, cache=cache))
    assert (figures.pages, figures.redirects, figures.unreadable, figures.hosts) == (4, 1, 1, 2)
    assert figures.recorded == {"pages": 5, "redirects": 2}
    assert (figures.links_inside, figures.links_out, figures.unlinked) == (4, 3, 1)
    assert (figures.reach_most, figures.reach_median) == (1.0, 0.75)
    assert [(row.label, row.pages, row.linked) for row in figures.labels] == [
        ("Letters", 2, 1),
        ("Bees", 1, 1),
    ]
    assert figures.strays == 1


@pytest.fixture(scope="module")
def web() -> Iterator[ServedWeb]:
    with serving() as web:
        yield web


@pytest.fixture(scope="module")
def crawled(web: ServedWeb, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("crawled") / "crawl"
    crawl_demo(web, folder, pages=80)
    return folder


def test_a_crawl_replays_as_the_pages_it_fetched(crawled: Path, tmp_path: Path) -> None:
    from honeyguide.opening import open_collection

    recording = record_crawl(crawled, tmp_path / "corpus")
    corpus = Corpus.open(tmp_path / "corpus", cache=tmp_path / "cache")
    with open_collection(crawled) as collection:
        visits = [visit for visit in collection.log() if visit.page and visit.response]
        relevant = {visit.response.url for visit in visits if visit.relevant and visit.response}
    assert len(visits) > 50
    for visit in visits:
        assert visit.response
        response = asyncio.run(OfflineFetcher(corpus.web).fetch(visit.response.url))
        assert response.raw == visit.response.raw
        assert _essence(corpus.parser().parse(response)) == _essence(visit.page)
    assert recording.labels == len(relevant) > 0
    assert {label.url for label in corpus.labels} == relevant
    assert {label.label for label in corpus.labels} == {"dengue fever"}


def _essence(page: Page | None) -> tuple[object, ...]:
    assert page
    return page.url, page.title, page.text, page.language, page.charset, page.links


def test_what_a_crash_left_behind_the_last_commit_is_not_copied(crawled: Path, tmp_path: Path) -> None:
    copy = tmp_path / "crawl"
    copy.mkdir()
    (copy / "topic").mkdir()
    for name in ("crawl.db", "config.toml", "topic/1.toml", "pages-00001.warc.gz"):
        (copy / name).write_bytes((crawled / name).read_bytes())
    with (copy / "pages-00001.warc.gz").open("ab") as file:
        file.write(b"\x1f\x8bhalf a record")
    record_crawl(copy, tmp_path / "corpus")
    assert len(Corpus.open(tmp_path / "corpus", cache=tmp_path / "cache").pages) > 50


def test_a_crawl_without_pages_and_a_folder_in_use_are_refused_in_words(
    crawled: Path, tmp_path: Path
) -> None:
    from honeyguide.errors import CrawlError

    (tmp_path / "file").write_text("x")
    with pytest.raises(ConfigError, match="not an empty folder"):
        record_crawl(crawled, tmp_path)
    with pytest.raises(CrawlError, match="holds no crawl"):
        record_crawl(tmp_path, tmp_path / "out")


REAL = os.environ.get("HONEYGUIDE_CORPORA")


@pytest.mark.skipif(not REAL, reason="HONEYGUIDE_CORPORA names no folder with the real corpora")
@pytest.mark.parametrize(
    ("name", "pages", "redirects", "hosts", "inside", "labels"),
    [("wikispeedia", 5232, 0, 1, 136_421, 2887), ("webkb", 8264, 1371, 605, 15_913, 8268)],
)
def test_the_real_corpora_have_the_figures_they_are_known_by(
    name: str, pages: int, redirects: int, hosts: int, inside: int, labels: int
) -> None:
    corpus = Corpus.open(Path(REAL or "") / name)
    figures = survey(corpus)
    assert (figures.pages, figures.redirects, figures.hosts) == (pages, redirects, hosts)
    assert figures.links_inside == inside
    assert (len(corpus.labels), figures.strays) == (labels, 0)


def test_a_response_never_recorded_is_no_page(folder: Path, cache: Path) -> None:
    with pytest.raises(ParseError, match="never parsed"):
        Corpus.open(folder, cache=cache).parser().parse(Response(D, 200))


@pytest.mark.parametrize("in_memory", [True, False])
async def test_a_page_whose_body_was_archived_under_another_address_is_a_page(
    tmp_path: Path, in_memory: bool
) -> None:
    same, unchanged = "identical-payload-digest", "server-not-modified"
    one, copy, lost = (f"http://a.test/{name}" for name in ("one", "copy", "lost"))
    records = [
        revisit(copy, same, one),
        record(one, b"<p>The body."),
        revisit(one, same, one),
        revisit(lost, same, "http://elsewhere.test/"),
        revisit("http://a.test/304", unchanged, one, status="304 Not Modified"),
    ]
    web = OfflineWeb.open([write(tmp_path / "web.warc.gz", records)], in_memory=in_memory)
    assert sorted(web.urls()) == [copy, one]
    assert web.recorded["pages"] == 2
    assert (await OfflineFetcher(web).fetch(copy)).body == b"<p>The body."
