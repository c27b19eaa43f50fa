"""What a written search means, and what is said of one that means nothing."""

from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up import MadeUpCrawl, mosquitoes

from honeyguide.errors import ConfigError
from honeyguide.search.analysis import Analysers
from honeyguide.search.entry import Entry
from honeyguide.search.fields import sites
from honeyguide.search.index import Index
from honeyguide.search.query import All, AnyOf, Between, Exactly, Node, Not, Words, conditions, parse
from honeyguide.search.results import Request

DENGUE, NETS = "https://www.who.int/dengue", "https://malaria.example/nets"
MUECKEN, ABOUT = "https://de.example/muecken", "https://who.int/about"


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    index = Index.open(tmp_path_factory.mktemp("index"))
    index.update(mosquitoes())
    return index


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("mosquitoes", {DENGUE, NETS}),
        ("MOSQUITO", {DENGUE, NETS}),
        ("mosquito malaria", {NETS}),
        ("mosquito AND malaria", {NETS}),
        ("mosquito OR people", {DENGUE, NETS, ABOUT}),
        ("mosquito NOT malaria", {DENGUE}),
        ("mosquito -malaria", {DENGUE}),
        ("NOT mosquito", {MUECKEN, ABOUT}),
        ("mosquito (malaria OR aegypti)", {DENGUE, NETS}),
        ("malaria OR dengue fever", {NETS, DENGUE}),
        ('"aedes aegypti"', {DENGUE}),
        ('"aegypti aedes"', set()),
        ('"mosquito carries dengue"', {DENGUE}),
        ("title:dengue", {DENGUE}),
        ("text:nets", {NETS}),
        ('heading:"it spreads"', {DENGUE}),
        ("anchor:breakbone", {DENGUE}),
        ("url:muecken", {MUECKEN}),
        ("host:who.int", {DENGUE, ABOUT}),
        ("host:www.who.int", {DENGUE}),
        ("host:int", set()),
        ("host:WHO.int mosquito", {DENGUE}),
        ("lang:de", {MUECKEN}),
        ("language:German", {MUECKEN}),
        ("haus", {MUECKEN}),
        ("relevant:yes", {DENGUE, MUECKEN}),
        ("relevant:no mosquito", {NETS}),
        ("label:health", {DENGUE, MUECKEN}),
        ("NOT label:health", {NETS, ABOUT}),
        ("relevance:0.6..", {DENGUE, MUECKEN}),
        ("relevance:..0.2", {NETS, ABOUT}),
        ("relevance:0.2", {NETS}),
        ("date:2026-01-02", {NETS}),
        ("date:2026-01-02..2026-01-03", {NETS, MUECKEN}),
        ("date:2026-01-03..", {MUECKEN, ABOUT}),
        ("date:..2026-01-01", {DENGUE}),
        ("date:2026", {DENGUE, NETS, MUECKEN, ABOUT}),
        ("date:2025-12", set()),
        ("nowhere", set()),
        ("", {DENGUE, NETS, MUECKEN, ABOUT}),
        ("   ", {DENGUE, NETS, MUECKEN, ABOUT}),
        ('"AND"', {ABOUT}),
        ("dengue: fever", {DENGUE}),
    ],
)
def test_a_search_finds_what_it_says(index: Index, query: str, found: set[str]) -> None:
    results = index.search(Request(query, limit=100))
    assert {hit.url for hit in results.hits} == found
    assert results.total == len(found)


@pytest.mark.parametrize(
    ("query", "complaint"),
    [
        ('"dengue', "quotation mark"),
        ("(dengue", "not closed"),
        ("dengue)", "never opened"),
        ("()", "lacks a word"),
        ("dengue AND", "lacks a word"),
        ("OR dengue", "lacks a word"),
        ("NOT", "lacks a word"),
        ("dengue AND OR fever", "lacks a word"),
        ("site:who.int", "no field site, only title"),
        ("https://who.int/", "no field https"),
        ("title:", "nothing after title:"),
        ("title:(a b)", "nothing after title:"),
        ("mosq*", "wildcard"),
        ("!?", "no letter"),
        ('title:"..."', "no letter"),
        ("relevant:perhaps", "neither"),
        ("relevance:2", "range of numbers"),
        ("relevance:high", "range of numbers"),
        ("relevance:nan", "range of numbers"),
        ("date:yesterday", "no date"),
        ("date:2026-13", "no date"),
        ("date:2026-02-30", "no date"),
        ("date:..", "no date"),
        ("date:0000", "no date"),
        ("(" * 40 + "a" + ")" * 40, "inside each other"),
        ("NOT " * 40 + "a", "inside each other"),
        ("a " * 200, "more than 100"),
        ("a" * 5000, "longer than"),
    ],
)
def test_a_search_that_means_nothing_is_one_sentence(query: str, complaint: str) -> None:
    with pytest.raises(ConfigError) as error:
        parse(query)
    assert complaint in str(error.value)
    assert "\n" not in str(error.value)


def test_not_binds_closest_and_or_least() -> None:
    a, b, c = Words("a"), Words("b"), Words("c")
    assert parse("a b OR NOT c") == AnyOf((All((a, b)), Not(c)))
    assert parse("(a OR b) -title:c") == All((AnyOf((a, b)), Not(Words("c", "title"))))
    assert conditions(parse("a lang:en -b")) == All((Exactly("language", "en"), Not(b)))


def test_dates_are_whole_days_in_utc() -> None:
    node = parse("date:2024-02")
    assert isinstance(node, Between)
    assert node.low == datetime(2024, 2, 1, tzinfo=UTC).timestamp()
    assert node.high == datetime(2024, 3, 1, tzinfo=UTC).timestamp()


@given(st.text(max_size=60))
@settings(max_examples=300, deadline=None, derandomize=True)
def test_whatever_is_typed_is_a_search_or_a_sentence(query: str) -> None:
    with suppress(ConfigError):
        Request(query).node()


def test_whatever_is_typed_can_be_asked(index: Index) -> None:
    for query in (
        "\ud800 dengue",
        "\x00",
        "a\x00b",
        "ﬁ",
        "e\u0301",
        "🦟 dengue",
        "title:\x1b[31m",
        "中文 dengue",
        "'",
        "-",
    ):
        with suppress(ConfigError):
            index.search(query)


WORDS = ("dengue", "mosquitoes", "mosquito", "fevers", "river", "häuser")
atoms = st.one_of(
    st.sampled_from(WORDS),
    st.tuples(st.sampled_from(WORDS), st.sampled_from(WORDS)).map(lambda pair: f'"{pair[0]} {pair[1]}"'),
    st.sampled_from(WORDS).map(lambda word: f"title:{word}"),
    st.sampled_from(["lang:de", "relevant:yes", "host:b.example", "relevance:0.3..0.7", "date:2026-01-02.."]),
)
searches = st.recursive(
    atoms,
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda pair: f"({pair[0]} OR {pair[1]})"),
        st.tuples(inner, inner).map(lambda pair: f"({pair[0]} {pair[1]})"),
        inner.map(lambda one: f"(NOT {one})"),
    ),
    max_leaves=5,
)


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> tuple[Index, list[Entry]]:
    crawl = MadeUpCrawl()
    for number in range(40):
        words = [WORDS[(number * step + number // step) % len(WORDS)] for step in (1, 2, 3, 5)]
        crawl.add(
            f"https://{'abc'[number % 3]}.example/{number}",
            " ".join(words[: number % 5]),
            title=words[3],
            language="de" if number % 4 == 0 else "en",
            relevance=number / 40,
        )
    index = Index.open(tmp_path_factory.mktemp("many"))
    index.update(crawl)
    return index, [entry for visit in crawl.visits if (entry := Entry.of(visit))]


@given(searches)
@settings(max_examples=150, deadline=None, derandomize=True)
def test_every_result_matches_and_every_match_is_a_result(
    many: tuple[Index, list[Entry]], query: str
) -> None:
    index, entries = many
    results = index.search(Request(query, limit=100))
    node = parse(query)
    assert {hit.url for hit in results.hits} == {entry.url for entry in entries if matches(entry, node)}
    scores = [hit.score for hit in results.hits]
    assert scores == sorted(scores, reverse=True)


def matches(entry: Entry, node: Node) -> bool:
    """Whether a page matches, worked out the slow way."""
    match node:
        case Words(text, field):
            analysers = Analysers()
            fields = {"title": entry.title, "text": entry.text, "address": entry.url.rpartition("/")[2]}
            return any(
                contains(analysers.of(entry.language).analyze(value), list(form))
                for name, value in fields.items()
                if field in (name, "")
                for form in analysers.forms(text, ("de", "en"))
            )
        case Exactly("site", value):
            return value in sites(entry.host)
        case Exactly(name, value):
            return bool(getattr(entry, name) == value)
        case Between(name, low, high, with_high):
            number = getattr(entry, name)
            under = high is None or number < high or (with_high and number == high)
            return (low is None or number >= low) and under
        case All(parts):
            return all(matches(entry, part) for part in parts)
        case AnyOf(parts):
            return any(matches(entry, part) for part in parts)
        case Not(part):
            return not matches(entry, part)


def contains(words: list[str], phrase: list[str]) -> bool:
    return any(words[place : place + len(phrase)] == phrase for place in range(len(words)))


def test_a_host_is_in_its_domains_and_an_address_in_none() -> None:
    assert sites("a.b.who.int") == ["a.b.who.int", "b.who.int", "who.int"]
    assert sites("www.example.co.uk") == ["www.example.co.uk", "example.co.uk"]
    for host in ("192.168.0.1", "[::1]", "localhost", "who.int"):
        assert sites(host) == [host]


def test_scripts_without_spaces_are_found_by_any_of_their_words(tmp_path: Path) -> None:
    index = Index.open(tmp_path)
    index.update(
        MadeUpCrawl()
        .add("https://zh.example/", "登革热由蚊子传播", language="zh")
        .add("https://th.example/", "ไข้เลือดออกมียุงเป็นพาหะ", language="th")
        .add("https://hi.example/", "डेंगू बुखार मच्छर से फैलता है", language="hi")
    )
    assert [hit.url for hit in index.search("蚊子").hits] == ["https://zh.example/"]
    assert index.search("子蚊").total == 0
    assert [hit.url for hit in index.search("ยุง").hits] == ["https://th.example/"]
    assert [hit.url for hit in index.search("मच्छर").hits] == ["https://hi.example/"]
