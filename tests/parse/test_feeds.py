import pytest

from honeyguide.errors import ErrorKind, ParseError
from honeyguide.model import Origin
from honeyguide.parse.feeds import read_feed

URL = "http://bees.test/feed"

RSS = """<?xml version="1.0"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel>
<title>News of bees</title><link>http://bees.test/</link><description>All that hums</description>
<item><title>Swarms &amp; hives</title><link>/swarms</link>
<description>&lt;p&gt;Bees &lt;b&gt;swarm&lt;/b&gt; in May.</description></item>
<item><title>Wax</title><link>http://bees.test/wax</link><description>short</description>
<content:encoded><![CDATA[<p>Wax is <a href="x">made</a> by bees.</p><script>no()</script>]]></content:encoded></item>
<item><guid>http://bees.test/making-honey</guid></item>
</channel></rss>"""

ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><title>News of bees</title><subtitle>All that hums</subtitle>
<link rel="self" href="/feed"/><link href="/"/>
<entry><title>Swarms</title><link rel="alternate" href="/swarms"/>
<summary>Bees swarm in May.</summary></entry></feed>"""

RDF = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">
<channel rdf:about="x"><title>News of bees</title><link>http://bees.test/</link>
<description>All that hums</description></channel>
<item rdf:about="http://bees.test/swarms"><title>Swarms</title><link>http://bees.test/swarms</link>
<description>Bees swarm in May.</description></item></rdf:RDF>"""


@pytest.mark.parametrize("feed", [RSS, ATOM, RDF], ids=["rss", "atom", "rdf"])
def test_every_format_has_title_text_and_links(feed: str) -> None:
    page = read_feed(feed, URL)
    assert page.title == "News of bees"
    assert page.description == "All that hums"
    assert "Bees swarm in May." in page.text
    assert [link.url for link in page.links][:2] == ["http://bees.test/", "http://bees.test/swarms"]
    assert {link.origin for link in page.links} == {Origin.FEED}
    assert {link.source for link in page.links} == {URL}


def test_entries_are_called_by_their_titles_and_have_their_text_around_them() -> None:
    links = {link.url: link for link in read_feed(RSS, URL).links}
    swarms = links["http://bees.test/swarms"]
    assert swarms.anchor == "Swarms & hives"
    assert swarms.context == "Swarms & hives Bees swarm in May."
    assert links["http://bees.test/making-honey"].anchor == "making honey"


def test_the_full_content_is_preferred_and_its_markup_stripped() -> None:
    text = read_feed(RSS, URL).text
    assert "Wax is made by bees." in text
    assert "short" not in text
    assert "no()" not in text
    assert "<" not in text


def test_rss_without_a_version_is_read_too() -> None:
    old = "<rss><channel><title>Old</title><item><title>x</title><link>http://bees.test/x</link></item></channel></rss>"
    assert read_feed(old, URL).links[0].url == "http://bees.test/x"


def test_a_feed_that_is_not_well_formed_is_read_all_the_same() -> None:
    broken = RSS.replace("All that hums", "Hum & hum").replace("</channel></rss>", "")
    page = read_feed(broken, URL)
    assert page.title == "News of bees"
    assert "http://bees.test/swarms" in {link.url for link in page.links}


def test_entities_are_neither_expanded_nor_fetched() -> None:
    bomb = '<!ENTITY a "aaaaaaaaaa">' + "".join(
        f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(12)
    )
    doctype = f'<!DOCTYPE rss [{bomb}<!ENTITY secret SYSTEM "file:///etc/hostname">]>'
    page = read_feed(doctype + RSS[22:].replace("All that hums", "&m; &secret;"), URL)
    assert len(page.text) < 1000
    assert "aaaaaaaaaa" not in page.text


def test_entries_and_text_are_capped() -> None:
    item = "<item><title>t</title><link>/x{}</link><description>" + "word " * 100 + "</description></item>"
    feed = '<rss version="2.0"><channel>' + "".join(item.format(n) for n in range(300)) + "</channel></rss>"
    page = read_feed(feed, URL, max_links=20, max_text=5000)
    assert len(page.links) == 20
    assert len(page.text) <= 5000


def test_what_is_no_feed_is_an_error() -> None:
    with pytest.raises(ParseError) as caught:
        read_feed("<html><p>no feed</html>", URL)
    assert caught.value.kind == ErrorKind.PARSE
