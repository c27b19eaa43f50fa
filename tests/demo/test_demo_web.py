import re
from collections import defaultdict

import pytest
from demo_walk import Found, Walk

from honeyguide.demo.kinds import KINDS
from honeyguide.demo.sites import DEAD
from honeyguide.demo.web import TOPIC, Answer, Entry, Web, addresses, build
from honeyguide.urls import canonical, host_of, origin_of


@pytest.fixture(scope="module")
def web() -> Web:
    return build()


@pytest.fixture(scope="module")
def breadth_first(web: Web) -> Walk:
    return Walk(web).run()


@pytest.fixture(scope="module")
def entries(web: Web) -> dict[str, Entry]:
    return {entry.url: entry for entry in web.manifest}


def ask(web: Web, url: str, attempt: int = 1, **headers: str) -> Answer:
    told = {name.replace("_", "-"): value for name, value in headers.items()}
    return web.answer(host_of(url), url[len(origin_of(url)) :], told, attempt)


def of_kind(web: Web, *kinds: str) -> list[Entry]:
    found = [entry for entry in web.manifest if entry.kind in kinds]
    assert found
    return found


def test_the_web_is_of_the_promised_size(web: Web) -> None:
    assert 400 <= len(web.manifest) <= 700
    assert len(web.hosts) >= 10
    assert len(set(web.hosts.values())) == len(web.hosts)
    assert all(name.endswith(".test") for name in web.hosts)


def test_about_a_sixth_to_a_fifth_of_the_pages_are_on_topic(web: Web) -> None:
    pages = [entry for entry in web.manifest if entry.fetchable and not entry.same_as]
    assert 0.15 <= sum(TOPIC in entry.topics for entry in pages) / len(pages) <= 0.20


def test_every_kind_is_there_and_described(web: Web) -> None:
    assert {entry.kind for entry in web.manifest} == set(KINDS)


def test_urls_in_the_manifest_are_canonical_and_stand_there_once(web: Web) -> None:
    urls = [entry.url for entry in web.manifest]
    assert [canonical(url) for url in urls] == urls
    assert len(set(urls)) == len(urls)


def test_what_is_the_same_as_a_page_is_the_same_as_one_in_the_manifest(entries: dict[str, Entry]) -> None:
    for entry in entries.values():
        if entry.same_as:
            assert entries[entry.same_as].fetchable
            assert not entries[entry.same_as].same_as
            assert entry.topics == entries[entry.same_as].topics


def test_the_same_seed_gives_the_same_web(web: Web) -> None:
    again = build()
    assert again.manifest == web.manifest
    assert {place: each.body for place, each in again.resources.items()} == {
        place: each.body for place, each in web.resources.items()
    }


def test_another_seed_gives_another_web_that_keeps_every_promise(web: Web) -> None:
    other = build(seed=8)
    assert {entry.url for entry in other.manifest} != {entry.url for entry in web.manifest}
    assert {entry.kind for entry in other.manifest} == set(KINDS)
    check_reach(other, Walk(other).run())


def test_the_port_is_in_every_url() -> None:
    moved = build(port=9999)
    assert all(":9999/" in entry.url for entry in moved.manifest)
    assert b":8470" not in b"".join(each.body for each in moved.resources.values())


def test_all_names_can_share_an_address() -> None:
    assert set(addresses(shared=True).values()) == {"127.0.0.1"}
    assert set(addresses(shared=True)) == set(addresses())


def test_a_polite_walk_from_the_seeds_finds_every_fetchable_page_and_nothing_unknown(
    web: Web, breadth_first: Walk
) -> None:
    check_reach(web, breadth_first)


@pytest.mark.parametrize("copies", [-1.0, 1.0])
def test_whoever_follows_no_links_of_duplicates_finds_every_page_whether_it_sees_copies_first_or_last(
    web: Web, entries: dict[str, Entry], copies: float
) -> None:
    originals = {entry.same_as for entry in entries.values()}

    def promise(found: Found, body: bytes) -> float:
        return -copies * (found.url in originals)

    check_reach(web, Walk(web, score=promise, follow_duplicates=False).run())


def check_reach(web: Web, walk: Walk) -> None:
    known = {entry.url: entry for entry in web.manifest}
    had = set(walk.had.values())
    assert {url for url, entry in known.items() if entry.fetchable} - had == set()
    unknown = {found.url for found in walk.links if found.url not in known and not web.is_trap(found.url)}
    assert unknown == set()
    not_pages = {"pdf", "image", "archive", "binary-as-html", "sitemap-only"}
    assert {known[url].kind for url in had if not known[url].fetchable} == not_pages


def test_a_polite_walk_never_asks_what_it_must_not(breadth_first: Walk, entries: dict[str, Entry]) -> None:
    forbidden = {"robots-disallowed", "host-disallowed", "nofollow-only", "dead-host"}
    assert {entries[url].kind for url in breadth_first.asked} & forbidden == set()


def test_what_must_not_be_asked_is_there_all_the_same_and_linked(web: Web, breadth_first: Walk) -> None:
    seen = {found.url for found in breadth_first.links}
    for entry in of_kind(web, "robots-disallowed"):
        assert entry.url in seen
        assert ask(web, entry.url).status == 200


def test_only_off_topic_pages_of_other_sites_lead_into_a_tunnel(
    web: Web, breadth_first: Walk, entries: dict[str, Entry]
) -> None:
    sources = defaultdict(set)
    for found in breadth_first.links:
        sources[found.url].add(found.source)
    for entry in of_kind(web, "tunnel"):
        assert TOPIC in entry.topics
        beyond = {each for each in sources[entry.url] if "breakbone-diary" not in each}
        assert beyond
        assert not any(TOPIC in entries[each].topics for each in beyond)


def test_pages_behind_odd_links_have_no_other_way_in(
    web: Web, breadth_first: Walk, entries: dict[str, Entry]
) -> None:
    ways = defaultdict(set)
    for found in breadth_first.links:
        ways[found.url].add(entries[found.source].same_as or found.source if found.source else "")
    kinds = [kind for kind in KINDS if kind.startswith("linked-")]
    for entry in of_kind(web, *kinds, "feed-only", "sitemap-only"):
        assert len(ways[entry.url]) == 1, entry


def test_a_focused_walk_finds_the_topic_long_before_breadth_first(
    web: Web, breadth_first: Walk, entries: dict[str, Entry]
) -> None:
    def promise(found: Found, body: bytes) -> float:
        text = re.sub(rb"<a .*?</a>", b"", body.lower().rpartition(b"<h1>")[2])
        about = min(text.count(b"dengue"), 8) / 8
        return 2 * about + 3 * ("dengue" in found.words.lower())

    def on_topic(walk: Walk, visits: int) -> int:
        ends = [entries[end] for end in list(walk.had.values())[:visits]]
        return len({entry.same_as or entry.url for entry in ends if TOPIC in entry.topics})

    focused = Walk(web, score=promise).run(limit=250)
    whole = on_topic(breadth_first, len(breadth_first.had))
    assert on_topic(focused, 120) > 2 * on_topic(breadth_first, 120)
    assert on_topic(focused, 250) > 0.7 * whole > 1.5 * on_topic(breadth_first, 250)


def test_the_seeds_are_not_all_on_topic(web: Web, entries: dict[str, Entry]) -> None:
    assert {TOPIC in entries[seed].topics for seed in web.seeds} == {True, False}


def test_robots_files_are_as_varied_as_hosts(web: Web) -> None:
    def robots(host: str, attempt: int = 1) -> Answer:
        return web.answer(host, "/robots.txt", attempt=attempt)

    assert robots("green-balcony.test").status == 404
    assert [robots("brass-band.test", attempt).status for attempt in (1, 2)] == [500, 200]
    assert b"Crawl-delay: 0.2" in robots("mosquito-watch.test").body
    assert b"Disallow: /\n" in robots("no-entry.test").body
    assert b"Sitemap: http://goal-kick.test:8470/sitemap.xml" in robots("goal-kick.test").body


def test_busy_pages_answer_at_the_second_try(web: Web) -> None:
    for entry in of_kind(web, "retry-503", "retry-429"):
        first = ask(web, entry.url)
        assert first.status == int(entry.kind.removeprefix("retry-"))
        assert dict(first.headers)["Retry-After"] == "1"
        assert ask(web, entry.url, attempt=2).status == 200


def test_known_pages_are_not_sent_again(web: Web) -> None:
    for entry in of_kind(web, "page")[:20]:
        headers = dict(ask(web, entry.url).headers)
        unchanged = ask(web, entry.url, if_none_match=headers["ETag"])
        assert (unchanged.status, unchanged.body) == (304, b"")
        assert ask(web, entry.url, if_modified_since=headers["Last-Modified"]).status == 304
        assert ask(web, entry.url, if_none_match='"other"').status == 200


def test_redirects_lead_where_the_manifest_says_or_nowhere(web: Web, entries: dict[str, Entry]) -> None:
    for entry in entries.values():
        if entry.kind.startswith("redirect-"):
            answer, url, hops = ask(web, entry.url), entry.url, 0
            while answer.status in (301, 302, 308) and hops < 5:
                url = canonical(dict(answer.headers)["Location"], url) or ""
                if host_of(url) not in web.hosts:
                    break
                answer, hops = ask(web, url), hops + 1
            if entry.same_as:
                assert url == entry.same_as
            else:
                assert host_of(url) not in web.hosts or hops == 5 or entries[url].kind == "robots-disallowed"


def test_private_addresses_are_offered_in_redirects(web: Web) -> None:
    places = {dict(ask(web, entry.url).headers)["Location"] for entry in of_kind(web, "redirect-private")}
    assert "http://10.0.0.1/" in places


@pytest.mark.parametrize("door", ["trap-calendar", "trap-session", "trap-path", "trap-query"])
def test_a_trap_never_ends_and_never_repeats_itself(web: Web, door: str) -> None:
    for entry in of_kind(web, door):
        url, asked = entry.url, set()
        bodies = set()
        for _ in range(30):
            asked.add(url)
            answer = ask(web, url)
            assert answer.status == 200
            assert (
                b"dengue"
                not in re.sub(rb'href="[^"]*"|<nav>.*</nav>|<footer>.*</footer>', b"", answer.body).lower()
            )
            bodies.add(answer.body)
            hrefs = re.findall(r'<li><a href="([^"]*)"', answer.body.decode().partition("<h1>")[2])
            # Spelt as the page spells it: canonical URLs lose their session ids.
            url = next(
                spelt
                for href in reversed(hrefs)
                for spelt in [join(url, href.replace("&amp;", "&"))]
                if spelt not in asked
            )
        assert len(asked) == len(bodies) == 30
        assert web.is_trap(url)


def join(url: str, href: str) -> str:
    return origin_of(url) + href if href.startswith("/") else url[: url.rindex("/") + 1] + href


def test_nothing_ordinary_is_a_trap(web: Web) -> None:
    assert {entry.kind for entry in web.manifest if web.is_trap(entry.url)} == {
        kind for kind in KINDS if kind.startswith("trap-")
    }


def test_exact_copies_are_exact_and_near_copies_nearly(web: Web) -> None:
    for entry in of_kind(web, "duplicate-exact", "duplicate-near", "duplicate-mirror", "duplicate-index"):
        copy, original = (text_of(ask(web, url)) for url in (entry.url, entry.same_as))
        if entry.kind == "duplicate-near":
            assert copy != original
            copy, original = (re.sub(r'<p class="date">[^<]*', "", text) for text in (copy, original))
        assert copy == original


def text_of(answer: Answer) -> str:
    return re.sub(r'href="[^"]*"', "", answer.body.decode())


def test_parameters_come_in_any_order_and_campaign_tags_change_nothing(web: Web) -> None:
    host = "health-desk.test"
    one, other = (web.answer(host, f"/view?{query}") for query in ("id=12&lang=en", "lang=en&id=12"))
    assert one.status == 200
    assert one.body == other.body
    for entry in of_kind(web, "tracked"):
        assert ask(web, entry.url + "?utm_source=letter").body == ask(web, entry.url).body


def test_texts_in_old_charsets_read_well_in_the_right_one(web: Web) -> None:
    texts = {
        ("ru", "koi8-r"): "Лихорадка денге",
        ("ja", "shift_jis"): "デング熱",
        ("el", "iso-8859-7"): "Δάγκειος",
        ("ar", "windows-1256"): "حمى الضنك",
        ("zh", "gb2312"): "登革热",
        ("tw", "big5"): "登革熱",
        ("fr", "iso-8859-1"): "piqûre",
    }
    for (language, charset), words in texts.items():
        body = web.answer("world-voices.test", f"/{language}/dengue").body
        assert words in body.decode(charset)
        with pytest.raises(UnicodeDecodeError):
            body.decode("utf-8")


def test_charset_declarations_are_right_missing_or_lies(web: Web) -> None:
    for entry in of_kind(web, "language", "charset-declared", "charset-missing", "charset-lying"):
        answer = ask(web, entry.url)
        said = re.findall(
            r"charset=\"?([\w-]+)", dict(answer.headers)["Content-Type"] + answer.body.decode("latin-1")
        )
        if entry.kind == "charset-missing":
            assert said == []
        elif entry.kind == "charset-declared":
            assert answer.body.decode(said[0])
        elif entry.kind == "language":
            assert set(said) == {"utf-8"}


def test_the_portal_promises_the_topic_on_every_page_and_writes_of_other_things(web: Web) -> None:
    for entry in of_kind(web, "portal"):
        html = ask(web, entry.url).body.decode()
        assert "Dengue Fever Information Portal" in html
        assert TOPIC not in entry.topics
        text = re.search(r"<h1>(.*)<h2>Related", html, re.DOTALL)
        assert text is None or "dengue" not in re.sub("<a .*?</a>", "", text[1]).lower()


def test_binaries_say_they_are_html(web: Web) -> None:
    for entry in of_kind(web, "binary-as-html"):
        answer = ask(web, entry.url)
        assert dict(answer.headers)["Content-Type"].startswith("text/html")
        assert b"<html" not in answer.body[:500]


def test_the_bomb_is_small_on_the_wire_and_large_in_memory(web: Web) -> None:
    (bomb,) = of_kind(web, "bomb")
    packed = ask(web, bomb.url, accept_encoding="gzip")
    assert len(packed.body) < 100_000
    assert len(ask(web, bomb.url).body) > 20_000_000


def test_nobody_answers_for_the_dead_host(web: Web) -> None:
    assert set(web.hosts) >= DEAD
    assert not any(host in DEAD and target != "/images/photo.png" for host, target in web.resources)


def test_prose_has_no_slot_left_open_and_no_sentence_broken(web: Web) -> None:
    for entry in of_kind(web, "page"):
        html = ask(web, entry.url).body.decode()
        text = re.sub("<style.*?</style>", "", html)
        assert "{" not in text, entry.url
        for paragraph in re.findall(r"<p>(.*?)</p>", text.partition("h1>")[2], re.DOTALL)[:-1]:
            assert paragraph[0].isupper() or paragraph[0] in "<&{0123456789", paragraph
            assert paragraph.rstrip()[-1] in ".?!:>", paragraph
