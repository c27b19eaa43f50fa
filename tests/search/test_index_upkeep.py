"""An index follows its crawl: what is new, what is gone, what is damaged."""

import logging
import shutil
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up import MadeUpCrawl, mosquitoes

from honeyguide.search.index import Index
from honeyguide.search.links import Standing
from honeyguide.search.results import Request
from honeyguide.search.upkeep import BATCH, Shelf, Upkeep

URLS = tuple(f"https://site-{number}.example/page" for number in range(5))
WORDS = ("dengue", "mosquito", "fever", "river", "the")


def urls(index: Index, query: str = "") -> list[str]:
    return sorted(hit.url for hit in index.search(Request(query, limit=0)).hits)


def test_only_visits_since_the_last_one_are_read(tmp_path: Path) -> None:
    crawl = mosquitoes()
    index = Index.open(tmp_path)
    assert len(index) == 0
    assert index.update(crawl)
    assert (len(index), index.visit, crawl.read) == (4, 4, 4)
    assert index.update(crawl)
    assert crawl.read == 4
    crawl.add("https://new.example/", "dengue again")
    index.update(crawl)
    assert crawl.read == 5
    assert "https://new.example/" in urls(index, "dengue")


def test_a_page_that_was_fetched_again_replaces_itself(tmp_path: Path) -> None:
    crawl = mosquitoes()
    index = Index.open(tmp_path)
    index.update(crawl)
    index.update(crawl.add("https://malaria.example/nets", "nothing but ticks", title="Ticks"))
    assert urls(index, "ticks") == ["https://malaria.example/nets"]
    assert "https://malaria.example/nets" not in urls(index, "mosquito")
    assert len(index) == 4


def test_a_failure_keeps_the_page_and_noindex_takes_it_away(tmp_path: Path) -> None:
    crawl = mosquitoes()
    index = Index.open(tmp_path)
    index.update(crawl.fail("https://malaria.example/nets"))
    assert "https://malaria.example/nets" in urls(index)
    index.update(crawl.add("https://malaria.example/nets", "a net", noindex=True))
    assert "https://malaria.example/nets" not in urls(index)


def test_a_duplicate_is_found_under_one_address_only(tmp_path: Path) -> None:
    crawl = mosquitoes().add(
        "https://copy.example/", "dengue fever", duplicate_of="https://www.who.int/dengue"
    )
    index = Index.open(tmp_path)
    index.update(crawl)
    assert urls(index, "dengue") == ["https://www.who.int/dengue"]


def test_anchors_of_later_pages_are_found_too(tmp_path: Path) -> None:
    crawl = mosquitoes()
    index = Index.open(tmp_path)
    index.update(crawl)
    assert urls(index, "breakbone") == ["https://www.who.int/dengue"]
    crawl.add("https://fan.example/", "see", to=(("https://www.who.int/dengue", "dandy fever"),))
    index.update(crawl)
    assert urls(index, "dandy") == ["https://www.who.int/dengue"]
    assert urls(index, "anchor:fever") == ["https://www.who.int/dengue"]
    assert index.entry("https://www.who.int/dengue").anchors == ("breakbone fever", "dandy fever")


@given(
    st.lists(
        st.tuples(
            st.sampled_from(URLS),
            st.lists(st.sampled_from(WORDS), max_size=6),
            st.booleans(),
            st.sampled_from(URLS),
            st.sampled_from(WORDS),
        ),
        max_size=12,
    ),
    st.integers(0, 12),
)
@settings(max_examples=15, deadline=None, derandomize=True)
def test_an_index_that_grew_is_the_same_as_one_rebuilt(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, list[str], bool, str, str]], when: int
) -> None:
    crawl = MadeUpCrawl()
    for url, words, relevant, target, anchor in steps:
        crawl.add(url, " ".join(words), relevance=0.4 + 0.5 * relevant, to=((target, anchor),))
    grown = Index.open(tmp_path_factory.mktemp("grown"))
    grown.update(crawl.until(when))
    grown.update(crawl)
    rebuilt = Index.open(tmp_path_factory.mktemp("rebuilt"))
    rebuilt.update(crawl)
    assert urls(grown) == urls(rebuilt) == sorted({step[0] for step in steps})
    for url in urls(rebuilt):
        assert grown.entry(url) == rebuilt.entry(url)
    # Searches without words score by what pages are, so that even scores and order are the same.
    one, other = (index.search(Request("", facets=True)) for index in (grown, rebuilt))
    assert (one.hits, one.facets) == (other.hits, other.facets)
    for word in WORDS:
        assert urls(grown, word) == urls(rebuilt, word)


def test_what_was_stopped_goes_on_where_it_was(tmp_path: Path) -> None:
    crawl = MadeUpCrawl()
    for number in range(BATCH + 50):
        crawl.add(f"https://a.example/{number}", "dengue")
    index = Index.open(tmp_path)
    assert not index.update(crawl, stop=lambda: crawl.read > BATCH + 10)
    assert BATCH <= index.visit < BATCH + 50
    assert len(index) == index.visit
    assert index.update(crawl)
    assert len(index) == BATCH + 50


def test_a_crash_between_two_batches_loses_and_doubles_nothing(tmp_path: Path) -> None:
    class Dies(MadeUpCrawl):
        def links(self, until: int):  # type: ignore[no-untyped-def]
            return iter(())

        def after(self, number: int):  # type: ignore[no-untyped-def]
            for visit in super().after(number):
                if self.read == BATCH + 7:
                    raise KeyboardInterrupt
                yield visit

    crawl = Dies()
    for number in range(BATCH + 20):
        crawl.add(f"https://a.example/{number}", "dengue")
    with pytest.raises(KeyboardInterrupt):
        Index.open(tmp_path).update(crawl)
    index = Index.open(tmp_path)
    assert (index.visit, len(index)) == (BATCH, BATCH)
    index.update(crawl)
    assert len(index) == len(urls(index)) == BATCH + 20


def test_visits_that_were_committed_but_not_noted_are_indexed_once(tmp_path: Path) -> None:
    index = Index.open(tmp_path)
    index.update(mosquitoes())
    Shelf(tmp_path, logging.getLogger())._note(1)
    index.update(mosquitoes())
    assert len(index) == 4
    assert index.visit == 4


def harm(folder: Path, how: str) -> None:
    if how == "other version":
        (folder / "state.json").write_text('{"version": 0, "visit": 4}')
    elif how == "no list of segments":
        (folder / "index" / "meta.json").unlink()
    elif how == "senseless list of segments":
        (folder / "index" / "meta.json").write_text("{")
    elif how == "senseless state":
        (folder / "state.json").write_text("[")
    elif how == "of a longer crawl":
        (folder / "state.json").write_text('{"version": 1, "visit": 400}')
    else:
        file = next((folder / "index").glob(f"*.{how}"))
        shorter = folder / "shorter"
        shorter.write_bytes(file.read_bytes()[:-40])
        shorter.replace(file)  # a file cut short in place ends a process that has it mapped


@pytest.mark.parametrize(
    "how",
    [
        "other version",
        "no list of segments",
        "senseless list of segments",
        "senseless state",
        "of a longer crawl",
        "term",
        "store",
        "fast",
    ],
)
def test_an_index_of_no_use_is_rebuilt_with_one_line_in_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, how: str
) -> None:
    Index.open(tmp_path).update(mosquitoes())
    harm(tmp_path, how)
    with caplog.at_level(logging.INFO):
        index = Index.open(tmp_path)
        index.update(mosquitoes())
    assert len(index) == 4
    assert urls(index, "dengue") == ["https://www.who.int/dengue"]
    assert len(caplog.records) == 1
    assert "rebuilt" in caplog.text


def test_a_first_index_says_nothing(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO):
        Index.open(tmp_path / "search").update(mosquitoes())
    assert not caplog.records


def test_what_links_say_is_worked_out_again_where_it_is_lost(tmp_path: Path) -> None:
    Index.open(tmp_path).update(mosquitoes())
    known = Standing.load(tmp_path / "links.npz")
    (tmp_path / "links.npz").write_bytes(b"PK\3\4 no archive")
    Index.open(tmp_path).update(mosquitoes())
    again = Standing.load(tmp_path / "links.npz")
    np.testing.assert_array_equal(known.authority, again.authority)
    np.testing.assert_array_equal(known.digests, again.digests)


def test_while_another_process_updates_what_is_there_is_searched(tmp_path: Path) -> None:
    crawl = mosquitoes()
    index = Index.open(tmp_path)
    index.update(crawl)
    crawl.add("https://new.example/", "dengue again")
    other = Shelf(tmp_path, logging.getLogger())
    with other._alone() as alone:
        assert alone
        assert not index.update(crawl)
        assert urls(index, "dengue") == ["https://www.who.int/dengue"]
        assert urls(Index.open(tmp_path), "dengue") == ["https://www.who.int/dengue"]
    assert index.update(crawl)
    assert len(urls(index, "dengue")) == 2


def test_whoever_searches_keeps_what_it_opened_while_the_index_is_rebuilt(tmp_path: Path) -> None:
    index = Index.open(tmp_path)
    index.update(mosquitoes())
    shutil.rmtree(tmp_path / "index")
    assert urls(index, "dengue") == ["https://www.who.int/dengue"]


def test_seconds_at_the_end_of_a_crawl_are_not_below_zero() -> None:
    with pytest.raises(ValueError, match="below 0"):
        Upkeep(seconds_at_end=-1)
