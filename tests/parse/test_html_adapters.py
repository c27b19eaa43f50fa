"""What every HTML adapter promises."""

from collections.abc import Callable

import pytest

from honeyguide.model import Link, Origin, Page, Place
from honeyguide.parse.html import read_html as read_with_turbohtml
from honeyguide.parse.selectolax_html import read_html as read_with_selectolax

Reader = Callable[..., Page]
URL = "http://bees.test/hives/page.html"


@pytest.fixture(params=[read_with_turbohtml, read_with_selectolax], ids=["turbohtml", "selectolax"])
def read(request: pytest.FixtureRequest) -> Reader:
    reader: Reader = request.param
    return reader


def links(page: Page) -> dict[str, Link]:
    return {link.url: link for link in page.links}


def only(page: Page) -> Link:
    (link,) = page.links
    return link


# Head


def test_the_title_is_squeezed_to_one_line(read: Reader) -> None:
    assert read("<title>\n Honey \n  bees </title>", URL).title == "Honey bees"


def test_a_page_without_a_title_is_called_by_its_metadata_or_its_first_heading(read: Reader) -> None:
    assert read('<meta property="og:title" content="Bees"><h1>Hives</h1>', URL).title == "Bees"
    assert read("<h2>Wax</h2><h1>Hives</h1>", URL).title == "Hives"


def test_headings_come_by_their_rank(read: Reader) -> None:
    page = read("<h2>Wax</h2><h1>The <i>hive</i></h1><h3> </h3><h6>Notes</h6>", URL)
    assert page.headings == ("The hive", "Wax", "Notes")


def test_description_and_keywords_are_read(read: Reader) -> None:
    page = read(
        '<meta name=Description content=" All about  bees "><meta name=keywords content="bees, honey,,wax">',
        URL,
    )
    assert page.description == "All about bees"
    assert page.keywords == ("bees", "honey", "wax")


def test_the_canonical_address_is_resolved(read: Reader) -> None:
    assert read('<link rel="canonical" href="/bees">', URL).canonical == "http://bees.test/bees"
    assert read("<p>none", URL).canonical == ""


def test_the_declared_language_is_kept_as_a_hint(read: Reader) -> None:
    assert read('<html lang="de-AT"><p>x', URL).language == "de-AT"
    assert read('<meta http-equiv="content-language" content="fr"><p>x', URL).language == "fr"


@pytest.mark.parametrize(
    ("markup", "noindex", "nofollow"),
    [
        ("", False, False),
        ('<meta name="robots" content="index, follow">', False, False),
        ('<meta name="robots" content="NOINDEX">', True, False),
        ('<meta name="ROBOTS" content="noarchive,nofollow">', False, True),
        ('<meta name="robots" content="none">', True, True),
        ('<meta name="honeyguide" content="noindex">', True, False),
        ('<meta name="otherbot" content="none">', False, False),
        ('<meta name="robots" content="noindex"><meta name="honeyguide" content="nofollow">', True, True),
    ],
)
def test_rules_for_robots_are_read(read: Reader, markup: str, noindex: bool, nofollow: bool) -> None:
    page = read(markup + "<p>x", URL)
    assert (page.noindex, page.nofollow) == (noindex, nofollow)


# Links: which


def test_links_are_resolved_against_the_page(read: Reader) -> None:
    page = read(
        "<a href=wax.html>a</a><a href=/top>b</a><a href='//other.test/x'>c</a><a href='?q=1'>d</a>", URL
    )
    assert list(links(page)) == [
        "http://bees.test/hives/wax.html",
        "http://bees.test/top",
        "http://other.test/x",
        "http://bees.test/hives/page.html?q=1",
    ]


def test_links_are_resolved_against_the_base_element(read: Reader) -> None:
    page = read("<base href=/other/><a href=wax.html>a</a>", URL)
    assert only(page).url == "http://bees.test/other/wax.html"


def test_what_is_no_page_is_no_link(read: Reader) -> None:
    markup = "<a href=mailto:x@y.test>m</a><a href='javascript:go()'>j</a><a name=here>n</a><a href='ftp://x.test/'>f</a>"
    assert read(markup, URL).links == ()


def test_a_page_does_not_link_to_itself(read: Reader) -> None:
    assert read("<a href='#top'>top</a><a href=page.html>here</a><a href=''>this</a>", URL).links == ()


def test_maps_frames_feeds_and_refreshes_are_links_too(read: Reader) -> None:
    page = read(
        "<meta http-equiv=Refresh content=\"3; URL='next.html'\">"
        '<link rel="alternate" type="application/rss+xml" title="News of bees" href="/feed">'
        '<link rel="alternate" hreflang="de" href="/de"><link rel="stylesheet" href="/style.css">'
        '<p>text <map><area href="map.html" alt="The map"></map> <iframe src="inner.html" title="A frame"></iframe>',
        URL,
    )
    found = links(page)
    assert list(found) == [
        "http://bees.test/hives/next.html",
        "http://bees.test/feed",
        "http://bees.test/hives/map.html",
        "http://bees.test/hives/inner.html",
    ]
    assert [link.anchor for link in page.links][1:] == ["News of bees", "The map", "A frame"]
    assert [link.place for link in page.links] == [Place.HEAD, Place.HEAD, Place.BODY, Place.BODY]


def test_a_frame_inside_a_link_is_a_link_too(read: Reader) -> None:
    page = read("<p>one <a href=outer>two <iframe src=inner title=frame></iframe></a> three", URL)
    assert [link.anchor for link in page.links] == ["two", "frame"]


def test_the_frames_of_a_frameset_are_links(read: Reader) -> None:
    page = read("<frameset cols='*,*'><frame src=menu.html><frame src=main.html></frameset>", URL)
    assert list(links(page)) == ["http://bees.test/hives/menu.html", "http://bees.test/hives/main.html"]


def test_a_refresh_that_only_reloads_is_no_link(read: Reader) -> None:
    assert read('<meta http-equiv="refresh" content="30">', URL).links == ()


def test_links_know_their_source_and_origin(read: Reader) -> None:
    link = only(read("<a href=wax.html>wax</a>", URL))
    assert (link.source, link.origin) == (URL, Origin.PAGE)


def test_nofollow_is_kept_with_the_link(read: Reader) -> None:
    page = read("<a rel='external NoFollow' href=a>a</a><a rel=external href=b>b</a>", URL)
    assert [link.nofollow for link in page.links] == [True, False]


def test_an_address_is_nofollow_only_if_all_its_links_are(read: Reader) -> None:
    assert not only(read("<a rel=nofollow href=a>a longer text</a><a href=a>a</a>", URL)).nofollow


def test_an_address_is_linked_once_with_its_richest_anchor_where_it_stood_first(read: Reader) -> None:
    page = read(
        "<a href=wax>wax</a> <a href=hive>hive</a> <a href=wax#x>all about beeswax</a> <a href=wax>w</a>", URL
    )
    assert [(link.url, link.anchor) for link in page.links] == [
        ("http://bees.test/hives/wax", "all about beeswax"),
        ("http://bees.test/hives/hive", "hive"),
    ]


def test_the_number_of_links_is_capped(read: Reader) -> None:
    page = read("".join(f"<a href=p{n}>p</a> " for n in range(100)), URL, max_links=10)
    assert [link.url[-2:] for link in page.links] == [f"p{n}" for n in range(10)]


# Links: their words


def test_an_anchor_is_its_text_across_inline_tags(read: Reader) -> None:
    assert only(read("<a href=wax>\n all <b>bees</b>wax\n </a>", URL)).anchor == "all beeswax"


def test_blocks_inside_an_anchor_do_not_run_into_each_other(read: Reader) -> None:
    markup = "<a href=wax><div>Bees</div><div>Wax</div><table><tr><td>one</td><td>two</td></tr></table></a>"
    assert only(read(markup, URL)).anchor == "Bees Wax one two"


def test_an_image_link_is_called_by_the_image(read: Reader) -> None:
    assert (
        only(read("<a href=wax title=t><img src=i alt=''><img src=j alt='A comb'></a>", URL)).anchor
        == "A comb"
    )


def test_a_link_without_words_is_called_by_its_title_or_label(read: Reader) -> None:
    assert only(read("<a href=wax title='The wax' aria-label=l></a>", URL)).anchor == "The wax"
    assert only(read("<a href=wax aria-label='To the wax'> </a>", URL)).anchor == "To the wax"


def test_a_link_without_any_words_is_called_by_its_address(read: Reader) -> None:
    assert "honey" in only(read("<a href=/making-honey.html></a>", URL)).anchor


def test_the_context_is_the_words_around_a_link_and_its_own(read: Reader) -> None:
    markup = "<p>one two three <b>four</b> five <a href=x>six seven</a> eight<p>nine ten eleven twelve"
    assert only(read(markup, URL, window=3)).context == "three four five six seven eight nine ten"


def test_the_context_ends_where_the_page_ends(read: Reader) -> None:
    assert only(read("<p>one <a href=x>two</a> three", URL)).context == "one two three"


def test_the_context_of_an_image_link_has_the_words_it_is_called_by(read: Reader) -> None:
    assert (
        only(read("<p>one two <a href=x><img alt='a comb'></a> three", URL, window=2)).context
        == "one two a comb three"
    )


def test_contexts_of_neighbours_overlap(read: Reader) -> None:
    page = read("<p>a <a href=x>b</a> c <a href=y>d</a> e", URL, window=2)
    assert [link.context for link in page.links] == ["a b c d", "b c d e"]


def test_words_far_from_links_do_not_get_into_contexts(read: Reader) -> None:
    far = " ".join(f"far{n}" for n in range(2000))
    page = read(f"<p><a href=x>first</a> near {far} close <a href=y>second</a>", URL, window=2)
    assert [link.context for link in page.links] == ["first near far0", "far1999 close second"]


def test_contexts_hold_no_scripts_and_no_styles(read: Reader) -> None:
    page = read("<p>one <script>var a = 1</script><style>p{}</style> <a href=x>two</a> three", URL)
    assert only(page).context == "one two three"


def test_cells_of_tables_are_words_apart(read: Reader) -> None:
    page = read("<table><tr><td>one</td><td><a href=x>two</a></td><td>three</td></tr></table>", URL)
    assert only(page).context == "one two three"


def test_a_script_without_spaces_is_measured_in_characters(read: Reader) -> None:
    page = read(f"<p>{'蜂' * 300}<a href=x>蜂蜜</a>{'巢' * 300}", URL, window=10)
    assert only(page).anchor == "蜂蜜"
    assert only(page).context == "蜂" * 20 + "蜂蜜" + "巢" * 20


def test_a_giant_word_is_cut_short(read: Reader) -> None:
    page = read(f"<p>{'a' * 100_000} <a href=x>{'b' * 100_000}</a> <a href=y>c</a>", URL)
    assert all(len(link.anchor) <= 400 and len(link.context) <= 1000 for link in page.links)


def test_a_giant_anchor_is_cut_short_and_the_text_kept(read: Reader) -> None:
    page = read(f"<p>before <a href=x>{'honey bees '.strip()} {'word ' * 5000}</a> after all", URL)
    link = only(page)
    assert link.anchor.startswith("honey bees word")
    assert len(link.anchor) <= 400
    assert "before" in link.context
    assert "after all" in link.context
    assert page.text.count("word") == 5000


def test_marks_of_our_own_in_a_page_do_no_harm(read: Reader) -> None:
    page = read("<p>a &#1;0&#2;&#1;m(&#2;\x01x(\x02 b <a href=x>c</a> d &#1;7)&#2; e", URL)
    assert [link.url for link in page.links] == ["http://bees.test/hives/x"]
    assert "d" in page.text


# Links: their places


@pytest.mark.parametrize(
    ("markup", "place"),
    [
        ("<p>{}</p>", Place.BODY),
        ("<ul><li><p>{}</ul>", Place.LIST),
        ("<nav><ul><li>{}</ul></nav>", Place.NAVIGATION),
        ("<div role=navigation>{}</div>", Place.NAVIGATION),
        ("<div class='box main-menu'>{}</div>", Place.NAVIGATION),
        ("<div class=leftSidebar>{}</div>", Place.NAVIGATION),
        ("<div id=topnav>{}</div>", Place.NAVIGATION),
        ("<ol class=breadcrumbs><li>{}</ol>", Place.NAVIGATION),
        ("<aside>{}</aside>", Place.NAVIGATION),
        ("<header><p>{}</header>", Place.HEADER),
        ("<div id=header>{}</div>", Place.HEADER),
        ("<header><nav>{}</nav></header>", Place.HEADER),
        ("<footer>{}</footer>", Place.FOOTER),
        ("<div class=site-footer>{}</div>", Place.FOOTER),
        ("<article><header>{}</header></article>", Place.BODY),
        ("<article><footer>{}</footer></article>", Place.BODY),
        ("<article><nav>{}</nav></article>", Place.NAVIGATION),
        ("<div class='unavailable canavan'>{}</div>", Place.BODY),
        ("<div class=has-sidebar>{}</div>", Place.BODY),
        ("<div class=headerless>{}</div>", Place.BODY),
    ],
)
def test_a_link_knows_its_place(read: Reader, markup: str, place: Place) -> None:
    page = read(
        markup.format("<a href=x>link</a>")
        + "<main><p>"
        + "Some other text, for a change. " * 20
        + "</main>",
        URL,
    )
    assert only(page).place == place


def test_what_holds_the_content_is_no_menu_whatever_it_is_called(read: Reader) -> None:
    prose = "<p>" + "Bees, of all insects, are the ones that make honey. " * 20
    page = read(f"<div class=menu><main><a href=x>bees</a>{prose}{prose}</main></div>", URL)
    assert only(page).place == Place.BODY
    assert "honey" in page.text


def test_links_of_one_block_share_a_path(read: Reader) -> None:
    page = read(
        "<div id=content><ul><li><a href=a>a</a></ul><p>x"
        "<ul><li><a href=b>b</a> <a href=c>c</a><li><i><a href=d>d</a></i></ul></div>",
        URL,
    )
    assert [link.path for link in page.links] == [
        "div#content/ul[1]/li[1]",
        "div#content/ul[2]/li[1]",
        "div#content/ul[2]/li[1]",
        "div#content/ul[2]/li[2]",
    ]


def test_names_of_single_things_are_not_names_of_blocks(read: Reader) -> None:
    page = read(
        "<div id=list><div id=post-12><a href=a>a</a></div><div id=post-13><a href=b>b</a></div></div>", URL
    )
    assert [link.path for link in page.links] == ["div#list/div[1]", "div#list/div[2]"]


def test_paths_stay_short_in_deep_pages(read: Reader) -> None:
    page = read("<section><div>" * 60 + "<a href=x>x</a>", URL)
    assert len(only(page).path) < 120


# Text


def test_the_text_is_the_content_without_menus_header_and_footer(read: Reader) -> None:
    prose = "Bees, of all insects, are the ones that make honey in their hives. "
    page = read(
        "<header>Astronomy Club</header><nav><a href=/>Astronomy home</a></nav><div class=sidebar>Astronomy stars</div>"
        f"<p>{prose * 4}</p><p>{prose * 4}</p><footer>Astronomy Club, all rights reserved</footer>",
        URL,
    )
    assert page.text.count("honey") == 8
    assert "Astronomy" not in page.text


def test_a_header_that_names_the_topic_on_a_page_with_little_text_stays_out(read: Reader) -> None:
    page = read("<div id=header>Astronomy Club</div><p>Our bees.</p><div id=footer>Astronomy</div>", URL)
    assert page.text == "Our bees."


def test_the_words_of_links_are_part_of_the_text(read: Reader) -> None:
    page = read("<p>Bees make <a href=x>honey</a> and <a href=y>wax</a>.", URL)
    assert page.text == "Bees make honey and wax."


def test_links_do_not_run_into_the_words_around_them(read: Reader) -> None:
    assert (
        read("<p>honey<a href=x> bees </a>make <a href=y><i>wax</i></a>, too", URL).text
        == "honey bees make wax, too"
    )
    cards = "".join(f"<a href=/{n}><div>card{n}</div></a>" for n in range(3))
    assert read(cards, URL).text.split() == ["card0", "card1", "card2"]


def test_a_link_in_the_middle_of_a_word_does_not_break_it(read: Reader) -> None:
    assert "beekeepers" in read("<p>All <a href=x>bee</a>keepers", URL).text


def test_text_is_capped(read: Reader) -> None:
    assert len(read("<p>" + "word " * 1000, URL, max_text=100).text) <= 100


def test_markup_is_capped(read: Reader) -> None:
    page = read("<p>" + "word " * 1000 + "<a href=x>late</a>", URL, max_markup=500)
    assert page.links == ()


def test_an_empty_document_is_an_empty_page(read: Reader) -> None:
    page = read("", URL)
    assert (page.url, page.title, page.text, page.links) == (URL, "", "", ())


def test_reading_twice_gives_the_same_page(read: Reader) -> None:
    markup = "<title>t</title><nav><a href=a>a</a></nav><p>one <a href=b>b</a> two <a href=c><img alt=i></a>"
    assert read(markup, URL) == read(markup, URL)


def test_both_extractors_find_the_content(read: Reader) -> None:
    prose = "<p>" + "Bees, of all insects, are the ones that make honey in their hives. " * 8 + "</p>"
    markup = f"<body><nav><a href=/>Astronomy</a></nav><article>{prose * 4}</article><footer>Imprint</footer>"
    for extractor in ("turbohtml", "resiliparse"):
        page = read(markup, URL, extractor=extractor)
        assert page.text.count("honey") == 32
        assert "Astronomy" not in page.text


def test_a_link_that_is_itself_part_of_a_menu_keeps_its_own_words(read: Reader) -> None:
    page = read('<p>Before <a class="header__link" href="/x">Herb and garden</a> after</p>', URL)
    link = only(page)
    assert link.anchor == "Herb and garden"
    assert link.context.split() == ["Before", "Herb", "and", "garden", "after"]
    assert not any(sign in link.anchor + link.context + page.text for sign in "\x01\x02")
