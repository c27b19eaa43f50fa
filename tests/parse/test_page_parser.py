import pickle
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honeyguide.errors import ConfigError, ErrorKind, ParseError
from honeyguide.model import Origin, Page, Response
from honeyguide.parse.pages import PageParser

URL = "http://bees.test/page"
PROSE = "Honey bees gather nectar from flowers and carry it to the hive, where it becomes honey. "


def response(body: bytes | str, content_type: str = "text/html", *headers: tuple[str, str]) -> Response:
    data = body.encode() if isinstance(body, str) else body
    return Response(url=URL, status=200, headers=(("Content-Type", content_type), *headers), body=data)


def parse(body: bytes | str, content_type: str = "text/html", *headers: tuple[str, str]) -> Page:
    return PageParser().parse(response(body, content_type, *headers))


def refused(body: bytes | str, content_type: str = "text/html") -> ErrorKind:
    with pytest.raises(ParseError) as caught:
        parse(body, content_type)
    return caught.value.kind


def test_a_page_has_everything_a_page_should_have() -> None:
    page = parse(f"<title>Bees</title><p>{PROSE * 8}<a href=/wax>beeswax</a>", "text/html; charset=utf-8")
    assert page.url == URL
    assert page.title == "Bees"
    assert page.language == "en"
    assert page.charset == "UTF-8"
    assert page.content_type == "text/html"
    assert page.fingerprint != 0
    assert page.sketch != 0
    assert [(link.url, link.source) for link in page.links] == [("http://bees.test/wax", URL)]


@pytest.mark.parametrize(
    ("text", "codec", "language"),
    [
        ("蜜蜂从花中采集花蜜，带回蜂巢酿成蜂蜜，这是一个关于蜜蜂的中文网页。", "gb2312", "zh"),
        ("蜜蜂从花中采集花蜜，带回蜂巢酿成蜂蜜，这是一个关于蜜蜂的中文网页。", "gbk", "zh"),
        ("蜜蜂從花中採集花蜜，帶回蜂巢釀成蜂蜜，這是一個關於蜜蜂的中文網頁。", "big5", "zh"),
        ("ミツバチは花の蜜を集めて巣に運び、そこで蜂蜜を作ります。", "shift_jis", "ja"),
        ("ミツバチは花の蜜を集めて巣に運び、そこで蜂蜜を作ります。", "euc_jp", "ja"),
        ("Пчёлы собирают нектар с цветов и несут его в улей, где он становится мёдом. ", "koi8_r", "ru"),
        ("Пчёлы собирают нектар с цветов и несут его в улей, где он становится мёдом. ", "cp1251", "ru"),
        ("Οι μέλισσες συλλέγουν νέκταρ από τα λουλούδια και φτιάχνουν μέλι. ", "iso8859_7", "el"),
        ("النحل يجمع الرحيق من الأزهار ويصنع منه العسل في الخلية. ", "cp1256", "ar"),
    ],
)
@pytest.mark.parametrize("announced", [True, False])
def test_pages_of_the_world_are_read_in_their_language(
    text: str, codec: str, language: str, announced: bool
) -> None:
    label = {"cp1251": "windows-1251", "cp1256": "windows-1256"}.get(codec, codec).replace("8859_", "-8859-")
    header = f"text/html; charset={label.replace('_', '-')}" if announced else "text/html"
    markup = f"<html><title>{text[:10]}</title><body><p>{text * 6}</p><a href=/x>{text[:8]}</a></body></html>"
    page = parse(markup.encode(codec), header)
    assert page.title == text[:10].strip()
    assert text.strip() in page.text
    assert page.language == language
    assert page.links[0].anchor == text[:8].strip()


def test_plain_text_is_read_as_text() -> None:
    page = parse("Notes\nSee http://hives.test/x", "text/plain")
    assert (page.title, page.content_type, len(page.links)) == ("Notes", "text/plain", 1)


def test_html_that_is_sent_as_text_is_read_as_html() -> None:
    page = parse("<!DOCTYPE html><title>Bees</title><a href=/x>x</a>", "text/plain")
    assert (page.title, page.content_type, len(page.links)) == ("Bees", "text/html", 1)


@pytest.mark.parametrize("content_type", ["text/xml", "application/rss+xml", "text/html", "text/plain", ""])
def test_a_feed_is_read_as_a_feed_whatever_it_is_sent_as(content_type: str) -> None:
    feed = f'<rss version="2.0"><channel><title>{PROSE}</title><item><link>/x</link></item></channel></rss>'
    page = parse(feed, content_type)
    assert page.content_type == "application/xml"
    assert page.language == "en"
    assert [link.origin for link in page.links] == [Origin.FEED]


def test_a_sitemap_is_a_page_of_links() -> None:
    page = parse("<urlset><url><loc>http://bees.test/making-honey</loc></url></urlset>", "application/xml")
    assert [(link.url, link.anchor, link.origin) for link in page.links] == [
        ("http://bees.test/making-honey", "making honey", Origin.SITEMAP)
    ]


def test_what_is_no_text_is_refused_for_its_type() -> None:
    assert refused(b"\x89PNG\r\n\x1a\n" + bytes(500)) is ErrorKind.TYPE
    assert refused(bytes(range(256)) * 10) is ErrorKind.TYPE
    assert refused("<html>", "image/png") is ErrorKind.TYPE
    assert refused("{}", "application/json") is ErrorKind.TYPE
    assert refused("<catalogue/>", "text/xml") is ErrorKind.TYPE


def test_an_empty_body_is_an_empty_page() -> None:
    page = parse(b"")
    assert (page.text, page.links, page.fingerprint, page.sketch, page.language) == ("", (), 0, 0, "")


def test_headers_add_links_and_a_canonical_address() -> None:
    page = parse(
        "<a href=/2>the second page</a>",
        "text/html",
        ("Link", '</2>; rel="next", </3>; rel="last"'),
        ("link", "</own>; rel=canonical"),
    )
    assert page.canonical == "http://bees.test/own"
    assert [(link.url, link.origin) for link in page.links] == [
        ("http://bees.test/2", Origin.PAGE),
        ("http://bees.test/3", Origin.HEADER),
    ]


def test_headers_add_rules_for_robots() -> None:
    page = parse("<meta name=robots content=nofollow>", "text/html", ("X-Robots-Tag", "otherbot: none"))
    assert (page.noindex, page.nofollow) == (False, True)
    page = parse("<p>x", "text/html", ("x-robots-tag", "honeyguide: noindex"))
    assert (page.noindex, page.nofollow) == (True, False)
    assert parse("words", "text/plain", ("X-Robots-Tag", "none")).noindex


def test_the_content_language_header_helps_where_there_is_little_text() -> None:
    assert parse("<p>Ok", "text/html", ("Content-Language", "nl-BE")).language == "nl"


def test_the_title_helps_to_tell_the_language_of_a_page_with_little_text() -> None:
    title = "Honigbienen sammeln Nektar und tragen ihn in den Stock"
    assert parse(f"<title>{title}</title><p>Ja").language == "de"


def test_the_same_text_in_another_frame_has_the_same_fingerprint() -> None:
    one = parse(f"<nav><a href=/a>Home</a></nav><article><p>{PROSE * 20}</p></article>")
    other = parse(f"<header>Bees!</header><article><p>{PROSE * 20}</p></article><footer>2026</footer>")
    assert one.fingerprint == other.fingerprint
    assert one.sketch == other.sketch


@pytest.mark.parametrize("options", [{"adapter": "lxml"}, {"extractor": "readability"}])
def test_unknown_adapters_and_extractors_are_named_with_those_there_are(options: dict[str, str]) -> None:
    with pytest.raises(ConfigError, match="turbohtml"):
        PageParser(**options)  # type: ignore[arg-type]


@pytest.mark.parametrize("adapter", ["turbohtml", "selectolax"])
@pytest.mark.parametrize("extractor", ["turbohtml", "resiliparse"])
def test_every_adapter_goes_with_every_extractor(adapter: str, extractor: str) -> None:
    parser = PageParser(adapter=adapter, extractor=extractor, window=2, max_links=1)
    page = parser.parse(response(f"<article><p>{PROSE * 30}</p></article><a href=/a>a</a><a href=/b>b</a>"))
    assert page.text.count("nectar") == 30
    assert len(page.links) == 1


def test_a_parser_can_be_sent_to_another_process() -> None:
    parser = pickle.loads(pickle.dumps(PageParser(window=3, extractor="resiliparse")))
    assert parser.window == 3
    page = parser.parse(response(PROSE * 3))
    assert pickle.loads(pickle.dumps(page)) == page


def test_threads_do_not_get_in_each_others_way() -> None:
    pages = [response(f"<title>{n}</title><p>{PROSE * (n % 7)}<a href=/{n}>link {n}</a>") for n in range(200)]
    parser = PageParser()
    expected = [parser.parse(page) for page in pages]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(parser.parse, pages)) == expected


TAGS = (
    "<a href=x>|<a href='//:'>|</a>|<b>|</b>|<p>|<table>|<td>|<li>|<nav>|<main>|<base href=q>|<base href='http://['>"
    "|<meta charset=utf-16>|<meta http-equiv=refresh content=0;x>|<template>|<svg>|<math>|<select>|<frameset>"
    "|<frame src=y>|<iframe src=z>|<script>|</script>|<style>|<!--|-->|<![CDATA[|]]>|<?xml?>|<rss>|<item>|<link>"
    "|<feed>|<urlset>|<loc>|&amp;|&#0;|&#1;0&#2;|&#xD800;|\0|\x01m(\x02|\ufffe|蜂|ä|<area href=w>|<img alt=i>|word "
    "|<plaintext>|<title>|<textarea>|</p>|</table>|<object>|<html lang=xx->|<body class=menu>|<h1>|<header>|\t|\n"
)
MARKUP = st.lists(st.sampled_from(TAGS.split("|")), max_size=40).map("".join)


def parse_or_error(parser: PageParser, given_response: Response) -> Page | ParseError:
    try:
        return parser.parse(given_response)
    except ParseError as error:
        return error


@settings(max_examples=300, deadline=None, derandomize=True)
@given(
    body=st.one_of(st.binary(max_size=400), MARKUP.map(str.encode)),
    content_type=st.sampled_from(
        ["text/html", "text/plain", "text/xml", "", "text/html; charset=gbk", "text/html; charset=utf-16"]
    ),
    adapter=st.sampled_from(["turbohtml", "selectolax"]),
    extractor=st.sampled_from(["turbohtml", "resiliparse"]),
)
def test_no_bytes_provoke_anything_but_a_parse_error(
    body: bytes, content_type: str, adapter: str, extractor: str
) -> None:
    outcome = parse_or_error(PageParser(adapter=adapter, extractor=extractor), response(body, content_type))
    if isinstance(outcome, ParseError):
        assert outcome.kind in (ErrorKind.TYPE, ErrorKind.PARSE)
        assert outcome.__cause__ is None, "nobody foresaw this error"
    else:
        pickle.dumps(outcome)
        for text in (outcome.title, outcome.text, *(link.context for link in outcome.links)):
            text.encode("utf-8")


def test_a_compressed_sitemap_is_read_and_other_compressed_files_are_refused() -> None:
    import gzip

    sitemap = b"<urlset><url><loc>http://example.org/only-here</loc></url></urlset>"
    headers = (("Content-Type", "application/gzip"),)
    url = "http://example.org/sitemap.xml.gz"
    page = PageParser().parse(Response(url, 200, headers, gzip.compress(sitemap)))
    assert [(link.url, link.origin) for link in page.links] == [("http://example.org/only-here", "sitemap")]
    for other in (gzip.compress(b"a tarball"), b"\x1f\x8b broken", gzip.compress(b"http:" * 1000)):
        with pytest.raises(ParseError) as caught:
            PageParser().parse(Response(url, 200, headers, other))
        assert caught.value.kind is ErrorKind.TYPE
