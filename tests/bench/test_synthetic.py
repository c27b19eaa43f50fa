import errno
import gzip
import re
import tracemalloc
from collections import Counter, deque
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from warcio.archiveiterator import ArchiveIterator

from honeyguide.bench.labels import read_labels
from honeyguide.bench.synthetic.corpus import SyntheticWeb, write_corpus
from honeyguide.bench.synthetic.plan import Kind
from honeyguide.errors import ConfigError, ResourceError
from honeyguide.judges.cosine import Cosine
from honeyguide.model import Page, Response
from honeyguide.parse.pages import PageParser
from honeyguide.text.tokens import Tokeniser
from honeyguide.urls import canonical, host_of

EVERYTHING = SyntheticWeb(pages=1200, topics=4, tunnels=24, traps=3, trap_length=60, duplicates=0.05, seed=7)


def parsed(web: SyntheticWeb, page: int) -> Page:
    body = web.html(page).encode()
    headers = (("Content-Type", "text/html; charset=utf-8"),)
    return PageParser().parse(Response(web.url(page), 200, headers, body=body, raw=body))


def kinds(web: SyntheticWeb) -> dict[Kind, list[int]]:
    found: dict[Kind, list[int]] = {kind: [] for kind in Kind}
    for page in range(len(web)):
        found[web.plan.spot(page).kind].append(page)
    return found


def off_topic_pages_passed(web: SyntheticWeb, topic: int) -> dict[int, int]:
    """For every page, the fewest pages off topic that must be passed on the way from the topic's seeds."""
    numbers = {web.url(page): page for page in range(len(web))}
    passed = {numbers[url]: 0 for url in web.seeds(topic)}
    waiting = deque(passed)
    while waiting:
        page = waiting.popleft()
        cost = passed[page] + (web.topic_of(page) != topic)
        for target in web.links_of(page):
            if cost < passed.get(target, len(web)):
                passed[target] = cost
                if web.topic_of(page) == topic:
                    waiting.appendleft(target)
                else:
                    waiting.append(target)
    return passed


def reachable(web: SyntheticWeb, start: int, closed: Callable[[int], bool] = lambda page: False) -> set[int]:
    seen, waiting = {start}, [start]
    while waiting:
        for target in web.links_of(waiting.pop()):
            if target not in seen and not closed(target):
                seen.add(target)
                waiting.append(target)
    return seen


def test_a_page_is_the_same_in_whatever_order_pages_are_made() -> None:
    again = SyntheticWeb(pages=1200, topics=4, tunnels=24, traps=3, trap_length=60, duplicates=0.05, seed=7)
    backwards = [again.html(page) for page in reversed(range(len(again)))]
    assert [EVERYTHING.html(page) for page in range(len(EVERYTHING))] == backwards[::-1]
    assert EVERYTHING.digest() == again.digest()


def test_another_seed_makes_another_web() -> None:
    one, other = SyntheticWeb(pages=50, seed=1), SyntheticWeb(pages=50, seed=2)
    assert one.digest() != other.digest()
    assert not {label.label for label in one.labels()} & {label.label for label in other.labels()}


def test_every_address_is_canonical_and_there_once() -> None:
    urls = [EVERYTHING.url(page) for page in range(len(EVERYTHING))]
    assert len(set(urls)) == len(urls)
    assert [canonical(url) for url in urls] == urls


def test_hosts_are_as_many_as_asked_for() -> None:
    assert len({host_of(EVERYTHING.url(page)) for page in range(len(EVERYTHING))}) == 40
    one = SyntheticWeb(pages=100, hosts=1)
    assert len({host_of(one.url(page)) for page in range(100)}) == 1


def test_the_parser_finds_exactly_the_links_that_the_web_says_there_are() -> None:
    for pages in kinds(EVERYTHING).values():
        for page in pages[:20]:
            found = {link.url for link in parsed(EVERYTHING, page).links}
            assert found == {EVERYTHING.url(target) for target in EVERYTHING.links_of(page)}


def test_no_page_leads_to_itself_or_out_of_the_web() -> None:
    for page in range(len(EVERYTHING)):
        targets = EVERYTHING.links_of(page)
        assert page not in targets
        assert len(set(targets)) == len(targets)
        assert all(0 <= target < len(EVERYTHING) for target in targets)


@pytest.mark.parametrize("locality", [0.3, 0.6, 0.9])
def test_as_many_links_stay_on_topic_as_locality_says(locality: float) -> None:
    web = SyntheticWeb(pages=4000, topics=5, locality=locality, hubs=0.0)
    stays = [
        web.topic_of(page) == web.topic_of(target) for page in range(4000) for target in web.links_of(page)
    ]
    assert sum(stays) / len(stays) == pytest.approx(locality, abs=0.03)


def test_topics_have_the_sizes_asked_for() -> None:
    web = SyntheticWeb(pages=1000, topics=(1, 2, 7))
    assert Counter(label.label for label in web.labels()) == {
        web.label_of(0): 100,
        web.label_of(1): 200,
        web.label_of(2): 700,
    }


def test_numbers_of_links_and_words_keep_their_bounds_and_most_are_small() -> None:
    web = SyntheticWeb(pages=2000, topics=1, links=(5, 50), words=(50, 500), hubs=0.0)
    degrees = sorted(len(web.links_of(page)) for page in range(2000))
    assert degrees[-1] <= 50
    assert degrees[1000] <= 12
    assert degrees[-20] >= 25
    words = [len(re.sub("<.*?>", " ", web.html(page)).split()) for page in range(200)]
    assert min(words) < 250 < 700 < max(words) < 2000


def test_hubs_are_lists_of_many_links() -> None:
    web = SyntheticWeb(pages=2000, topics=2, hubs=0.1, hub_links=60, links=(4, 8))
    hubs = [page for page in range(2000) if web.is_hub(page)]
    assert len(hubs) / 2000 == pytest.approx(0.1, abs=0.03)
    assert all(len(web.links_of(page)) > 40 for page in hubs)
    assert all(web.html(page).count("<li>") == len(web.links_of(page)) for page in hubs)
    assert all(link.place == "list" for link in parsed(web, hubs[0]).links)


def test_some_pages_of_a_topic_are_famous() -> None:
    web = SyntheticWeb(pages=2000, topics=2)
    fame = Counter(target for page in range(2000) for target in web.links_of(page))
    assert fame[0] > 20 * sorted(fame.values())[1000]


def test_every_page_can_be_reached_from_any_other() -> None:
    for start in (0, 500, EVERYTHING.plan.ordinary - 1):
        assert reachable(EVERYTHING, start) == set(range(len(EVERYTHING)))


@pytest.mark.parametrize("lengths", [(1,), (2,), (3,), (1, 2, 3)])
def test_pages_behind_tunnels_are_had_by_passing_exactly_so_many_pages_off_topic(
    lengths: tuple[int, ...],
) -> None:
    web = SyntheticWeb(pages=900, topics=3, tunnels=18, tunnel_lengths=lengths, hidden=4, duplicates=0.05)
    for topic in range(3):
        passed = off_topic_pages_passed(web, topic)
        for length in lengths:
            hidden = web.behind_tunnels(topic, length)
            assert len(hidden) == 4 * 18 // 3 // len(lengths)
            assert {passed[page] for page in range(len(web)) if web.url(page) in hidden} == {length}
        ordinary = [page for page in range(web.plan.ordinary) if web.topic_of(page) == topic]
        assert {passed[page] for page in ordinary} == {0}


def test_no_way_leads_around_any_passage() -> None:
    plan = EVERYTHING.plan
    for tunnel in range(plan.tunnels):
        for step in range(plan.tunnel_length(tunnel)):
            passage = plan.passage(tunnel, step)
            left = reachable(EVERYTHING, 0, closed=passage.__eq__)
            assert not left & set(plan.hidden_pages(tunnel))
            assert len(left) > 0.98 * len(EVERYTHING)


def test_pages_behind_tunnels_are_on_topic_and_passages_are_not() -> None:
    labels = {label.url: label.label for label in EVERYTHING.labels()}
    for topic in range(4):
        for length in (1, 2, 3):
            hidden = EVERYTHING.behind_tunnels(topic, length)
            assert hidden
            assert {labels[url] for url in hidden} == {EVERYTHING.label_of(topic)}
    passages = kinds(EVERYTHING)[Kind.PASSAGE]
    assert len(passages) == 8 * (1 + 2 + 3)
    assert not {EVERYTHING.url(page) for page in passages} & set(labels)


def test_passages_as_far_from_the_end_speak_alike_and_say_no_word_of_a_topic() -> None:
    web = SyntheticWeb(pages=600, topics=2, tunnels=6, overlap=0.5, anchor_quality=0.0)
    plan = web.plan

    def words(page: int) -> set[str]:
        return set(re.findall(r"\b(?:[^\Waeiou][aiou]){3}\b", parsed(web, page).text.lower()))

    topical = {word for page in range(plan.ordinary) for word in words(page)}
    ends = [words(plan.passage(tunnel, plan.tunnel_length(tunnel) - 1)) for tunnel in range(6)]
    assert all(ends)
    assert not set.union(*ends) & topical
    assert all(ends[0] & other for other in ends)


def test_calendars_are_long_chains_that_all_pages_of_their_host_lead_into() -> None:
    days = kinds(EVERYTHING)[Kind.CALENDAR]
    assert len(days) == 3 * 60
    entries = {host_of(EVERYTHING.url(day)): day for day in days[::60]}
    for page in range(EVERYTHING.plan.ordinary):
        entry = entries.get(host_of(EVERYTHING.url(page)))
        assert entry is None or entry in EVERYTHING.links_of(page)
    for day in days[:59]:
        assert day + 1 in EVERYTHING.links_of(day)
        assert sum(target not in days for target in EVERYTHING.links_of(day)) == 1
    assert days[59] + 1 not in EVERYTHING.links_of(days[59])
    assert re.fullmatch(r"http://\w+\.test/calendar/\d{4}/\d\d/\d\d/", EVERYTHING.url(days[0]))
    assert len({EVERYTHING.html(day) for day in days}) == len(days)


def test_copies_say_the_same_elsewhere_and_are_linked_to() -> None:
    copies = kinds(EVERYTHING)[Kind.COPY]
    assert len(copies) == 60
    for copy in copies:
        original = EVERYTHING.plan.spot(copy).number
        assert EVERYTHING.html(copy) == EVERYTHING.html(original)
        assert EVERYTHING.url(copy) != EVERYTHING.url(original)
        assert EVERYTHING.topic_of(copy) == EVERYTHING.topic_of(original)
    linked = {target for page in range(len(EVERYTHING)) for target in EVERYTHING.links_of(page)}
    assert linked >= set(copies)


@pytest.mark.parametrize("quality", [0.0, 0.4, 1.0])
def test_as_many_anchors_name_their_targets_topic_as_anchor_quality_says(quality: float) -> None:
    web = SyntheticWeb(pages=600, topics=3, anchor_quality=quality, vocabulary=50, overlap=0.0)
    words: list[set[str]] = [set(), set(), set()]
    for page in range(600):
        words[web.topic_of(page) or 0] |= set(parsed(web, page).title.lower().split())
    numbers = {web.url(page): page for page in range(600)}
    named = [
        bool(words[web.topic_of(numbers[link.url]) or 0] & set(link.anchor.split()))
        for page in range(0, 600, 5)
        for link in parsed(web, page).links
    ]
    assert sum(named) / len(named) == pytest.approx(quality, abs=0.05)


@pytest.mark.parametrize("overlap", [0.0, 0.25, 0.5])
def test_neighbouring_topics_share_words_and_others_do_not(overlap: float) -> None:
    web = SyntheticWeb(
        pages=400, topics=4, vocabulary=40, overlap=overlap, focus=(0.9, 0.9), anchor_quality=0
    )
    words: list[set[str]] = [set() for _ in range(4)]
    for page in range(400):
        words[web.topic_of(page) or 0] |= set(
            re.findall(r"\b(?:[^\Waeiou][aiou]){3}\b", web.html(page).lower())
        )
    assert [len(each) for each in words] == [40] * 4
    assert [len(words[topic] & words[topic + 1]) for topic in range(3)] == [40 * overlap] * 3
    assert not words[0] & words[2]


def test_no_two_words_have_the_same_stem() -> None:
    web = SyntheticWeb(pages=500, topics=500, vocabulary=100, overlap=0.0)
    words = [word for topic in range(500) for word in (web.topic(topic).name + " ").split()]
    words += [word for topic in range(500) for word in web.topic(topic).keywords]
    assert len(words) == 5000
    assert len({tuple(Tokeniser().stems(word)) for word in words}) == 5000


def test_the_words_of_a_topic_are_zipfs() -> None:
    web = SyntheticWeb(pages=300, topics=1, focus=(1.0, 1.0), anchor_quality=0.0)
    counts = Counter(word for page in range(300) for word in parsed(web, page).text.lower().split())
    first, second = web.topic(0).name.split()
    tenth = web.topic(0).keywords[-1]
    assert counts[first] / counts[second] == pytest.approx(2, rel=0.1)
    assert counts[first] / counts[tenth] == pytest.approx(10, rel=0.2)


def test_pages_pass_for_english_and_a_judge_can_tell_most_of_them_apart() -> None:
    right = wrong = english = 0
    judge = Cosine().fit(EVERYTHING.topic(1))
    pages = range(0, len(EVERYTHING), 7)
    for number in pages:
        page = parsed(EVERYTHING, number)
        english += page.language == "en"
        relevant = judge.assess(page).relevant
        right += relevant and EVERYTHING.topic_of(number) == 1
        wrong += relevant and EVERYTHING.topic_of(number) != 1
    assert english > 0.95 * len(pages)
    assert right > 0.7 * sum(EVERYTHING.topic_of(number) == 1 for number in pages)
    assert wrong < right


def test_a_page_of_a_web_of_a_million_is_made_without_the_others() -> None:
    web = SyntheticWeb(pages=1_000_000, topics=100, tunnels=3000, traps=10, trap_length=5000, duplicates=0.02)
    tracemalloc.start()
    for page in (0, 500_000, 999_999):
        assert web.html(page).endswith("</html>\n")
        assert web.links_of(page)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 500_000


def test_a_corpus_is_read_back_by_another_tool(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    web = SyntheticWeb(pages=600, topics=3, tunnels=3, traps=1, duplicates=0.02)
    assert (
        write_corpus(tmp_path / "web", web, on_progress=lambda done, total: told.append((done, total))) == 600
    )
    assert told == [(500, 600), (600, 600)]
    (path,) = (tmp_path / "web").glob("*.warc.gz")
    with path.open("rb") as file:
        records = []
        for record in ArchiveIterator(file, check_digests="raise"):
            body = record.content_stream().read()
            if record.rec_type == "response":
                records.append((record.rec_headers.get_header("WARC-Target-URI"), body.decode()))
                assert record.http_headers.get_statuscode() == "200"
    assert records == [(web.url(page), web.html(page)) for page in range(600)]
    assert read_labels(tmp_path / "web" / "labels.tsv") == tuple(web.labels())


def test_every_record_is_a_gzip_member_of_its_own(tmp_path: Path) -> None:
    write_corpus(tmp_path / "web", SyntheticWeb(pages=20))
    data = (tmp_path / "web" / "pages-00001.warc.gz").read_bytes()
    members = [start.start() for start in re.finditer(rb"\x1f\x8b\x08", data)]
    whole = [start for start in members if _opens_a_record(data[start:])]
    assert len(whole) == 1 + 20


def _opens_a_record(data: bytes) -> bool:
    try:
        return gzip.GzipFile(fileobj=BytesIO(data)).read(9) == b"WARC/1.1\r"
    except (OSError, EOFError):
        return False


def test_the_same_web_makes_the_same_files(tmp_path: Path) -> None:
    for name in ("one", "two"):
        write_corpus(tmp_path / name, SyntheticWeb(pages=100, tunnels=3, duplicates=0.1, seed=3))
    for file in ("pages-00001.warc.gz", "labels.tsv"):
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()


def test_memory_does_not_grow_with_the_pages_written(tmp_path: Path) -> None:
    peaks: list[int] = []
    for pages in (200, 200, 900):
        web = SyntheticWeb(pages=pages, topics=3, words=(20, 60))
        tracemalloc.start()
        write_corpus(tmp_path / f"{len(peaks)}", web)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[2] < peaks[1] + 200_000


def test_a_folder_that_holds_something_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(ConfigError, match="not empty"):
        write_corpus(tmp_path, SyntheticWeb(pages=10))
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_what_was_not_finished_is_no_corpus(tmp_path: Path) -> None:
    def interrupt(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_corpus(tmp_path / "web", SyntheticWeb(pages=600), on_progress=interrupt)
    assert not (tmp_path / "web" / "labels.tsv").exists()


def test_a_full_disk_is_told_in_a_sentence(tmp_path: Path) -> None:
    def fill(done: int, total: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(ResourceError, match="disk is full"):
        write_corpus(tmp_path / "web", SyntheticWeb(pages=10), on_progress=fill)


def test_a_place_that_cannot_be_written_is_told_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match="cannot be written"):
        write_corpus(tmp_path / "file" / "web", SyntheticWeb(pages=10))


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"pages": 9}, "pages must lie"),
        ({"topics": 0}, "topics must be"),
        ({"topics": (1, 0)}, "topics must be"),
        ({"locality": 1.5}, "locality"),
        ({"traps": 41}, "traps"),
        ({"tunnels": 3, "tunnel_lengths": (4,)}, "tunnel_lengths"),
        ({"tunnel_lengths": ()}, "tunnel_lengths"),
        ({"links": (9, 3)}, "links"),
        ({"pages": 20, "traps": 1}, "too few"),
        ({"pages": 20, "topics": 21}, "too few"),
        ({"pages": 100, "topics": 10, "tunnels": 30, "hidden": 1}, "tunnels"),
        ({"topics": 2000}, "words"),
    ],
)
def test_a_web_that_cannot_be_made_is_refused_in_a_sentence(wrong: dict[str, object], sentence: str) -> None:
    with pytest.raises(ConfigError, match=sentence):
        SyntheticWeb(**wrong)  # type: ignore[arg-type]


@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    pages=st.integers(10, 300),
    hosts=st.integers(1, 50),
    topics=st.one_of(st.integers(1, 8), st.lists(st.integers(1, 9), min_size=1, max_size=5)),
    tunnels=st.integers(0, 5),
    lengths=st.lists(st.integers(1, 3), min_size=1, max_size=3),
    hidden=st.integers(1, 4),
    traps=st.integers(0, 2),
    trap_length=st.integers(1, 400),
    duplicates=st.floats(0, 0.5),
    locality=st.floats(0, 1),
    seed=st.integers(),
)
def test_whatever_the_parameters_a_web_hangs_together(
    pages: int,
    hosts: int,
    topics: int | list[int],
    tunnels: int,
    lengths: list[int],
    hidden: int,
    traps: int,
    trap_length: int,
    duplicates: float,
    locality: float,
    seed: int,
) -> None:
    try:
        web = SyntheticWeb(
            pages=pages,
            hosts=hosts,
            topics=topics,
            tunnels=tunnels,
            tunnel_lengths=lengths,
            hidden=hidden,
            traps=traps,
            trap_length=trap_length,
            duplicates=duplicates,
            locality=locality,
            words=(5, 20),
            seed=seed,
        )
    except ConfigError:
        return
    assert len({web.url(page) for page in range(pages)}) == pages
    assert all(0 <= target < pages for page in range(pages) for target in web.links_of(page))
    hidden_pages = sum(
        len(web.behind_tunnels(topic, length)) for topic in range(web.topics) for length in (1, 2, 3)
    )
    assert hidden_pages == tunnels * hidden
    missed = {web.plan.spot(page).kind for page in set(range(pages)) - reachable(web, 0)}
    assert missed <= {Kind.CALENDAR}  # of a host that has no other page
    for page in range(0, pages, 17):
        assert web.html(page).endswith("</html>\n")
