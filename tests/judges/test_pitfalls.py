"""Pages that take judges in: other languages in every encoding, sites named after the topic, empty pages."""

import pytest
from pages_of_the_world import DECLARED, PARAGRAPHS, page_in
from topic_of_dengue import WHOLE_TOPIC as TOPIC

from honeyguide.judges.screened import Screened
from honeyguide.model import Page, Response
from honeyguide.naming import JUDGES, make_judge
from honeyguide.parse.pages import PageParser

HEADER = """\
<header><a href="/"><img src="/logo.png" alt="Dengue Fever Information Portal"></a>
<p class="site-title"><a href="/">Dengue Fever Information Portal</a></p>
<p class="site-description">All about dengue fever and the mosquito Aedes aegypti</p></header>
"""
MENU = "".join(
    f'<li><a href="/{number}">{words}</a></li>'
    for number, words in enumerate(
        (
            "What is dengue fever?",
            "Dengue symptoms",
            "Severe dengue and dengue haemorrhagic fever",
            "The dengue virus and its serotypes",
            "The mosquito Aedes aegypti",
            "Dengue vaccine",
            "Dengue cases by country",
            "Mosquito control against dengue",
            "Dengue news",
            "Dengue research",
            "Dengue for travellers",
            "Ask a doctor about dengue fever",
        )
    )
)
FOOTER = """\
<footer><p>&copy; Dengue Fever Information Portal. <a href="/about">About the dengue portal</a> |
<a href="/contact">Contact the dengue portal</a> | <a href="/mosquito">Mosquito Aedes aegypti</a></p></footer>
"""
FOOTBALL = """\
<p>The home side took the lead after a quarter of an hour, when the young winger cut in from the left and
curled the ball into the far corner. The visitors had most of the play for the rest of the half, but their
two forwards were caught offside again and again, and the goalkeeper had little to do but collect long
passes. After the break the coach brought on a third defender, and the match became slow and cautious.</p>
<p>With ten minutes left a free kick from thirty metres struck the post, and the crowd, which had been quiet
since the interval, began to sing. The equaliser came in added time: a corner, a header at the near post, and
the whole bench ran on to the pitch. Both managers said afterwards that a draw was fair, and that their
players would rest on Sunday before the cup tie in the middle of the week. The league table has not changed
at the top, where three clubs are level on points and only the goals scored keep them apart.</p>
<p>Tickets for the return match go on sale on Monday. Members of the club may buy two each, and children under
twelve pay half the price if they come with a grown-up and sit in the stand behind the northern goal.</p>
"""
GARDENING = """\
<p>Tomatoes like a warm wall and a deep soil that was dug over in autumn. Sow the seeds in March on a
windowsill, prick out the seedlings when they have two true leaves, and plant them outside only when the
nights are mild. Tie each stem to a cane, pinch out the side shoots every week, and feed the plants as soon
as the first fruits have set. A thick layer of straw or grass clippings keeps the roots cool and the weeds
down.</p>
<p>Beans and lettuce can share a bed: the lettuce is cut before the beans have grown tall enough to shade it.
Roses are pruned in early spring, just above a bud that points outwards, and the cuttings go on the compost
heap together with kitchen peelings and dry leaves. Turn the heap twice a year and it will be ready for the
borders when the tulips have faded. Hedges are best trimmed on a cloudy day, so that the fresh cuts do not
scorch.</p>
<p>In October lift the dahlias, shake the earth from the tubers and store them in a dry box in the cellar. Plant
garlic before the first frost, cover the strawberries with fleece, clean and oil the spades, and order the
catalogues of seeds for the year to come.</p>
"""
DENGUE_PROPER = """\
<p>Dengue fever is a disease that a virus causes and the mosquito Aedes aegypti carries from one patient to the
next. Some days after the bite the patient has a high fever, a headache, pain behind the eyes and in the
joints, and often a rash. Most patients recover within a week. In severe dengue, once called dengue
haemorrhagic fever, plasma leaks from the vessels, and bleeding and shock may follow.</p>
<p>The dengue virus has four serotypes, and infection with a second serotype raises the risk of severe dengue.
There is no cure, but with careful treatment few patients die. A vaccine against dengue is given in countries
where the virus is common. Mosquito control keeps dengue away: empty standing water, where the mosquito
breeds, use nets and repellents, and report cases of dengue fever to the health service.</p>
"""


def parsed(body: bytes, content_type: str = "text/html") -> Page:
    return PageParser().parse(
        Response("https://site.example/page", 200, (("Content-Type", content_type),), body)
    )


def on_portal(title: str, main: str) -> Page:
    """A page as the portal on dengue fever frames all its pages."""
    head = f"<title>{title} | Dengue Fever Information Portal</title>"
    return parsed(
        f"<!doctype html><html lang=en><head><meta charset=utf-8>{head}</head><body>{HEADER}"
        f"<nav><ul>{MENU}</ul></nav><main><article><h1>{title}</h1>{main}</article></main>"
        f"<aside><h3>Dengue fever</h3><ul>{MENU}</ul></aside>{FOOTER}</body></html>".encode()
    )


@pytest.fixture(scope="module", params=[name for name in JUDGES if name != "minilm"])
def judge(request: pytest.FixtureRequest) -> Screened:
    return make_judge({"use": request.param}, TOPIC)


@pytest.mark.parametrize("declared", DECLARED)
@pytest.mark.parametrize("codec", PARAGRAPHS)
def test_the_language_of_a_page_is_known_in_whatever_encoding(codec: str, declared: str) -> None:
    language, paragraph = PARAGRAPHS[codec]
    assert len(paragraph) >= 300
    page = parsed(*page_in(codec, declared))
    assert page.language == language
    assert paragraph[:40] in page.text


def test_language_comes_first(judge: Screened) -> None:
    for codec in PARAGRAPHS:
        for declared in DECLARED:
            verdict = judge.assess(parsed(*page_in(codec, declared)))
            assert (verdict.score, verdict.relevant, verdict.label) == (0.0, False, "language"), codec


@pytest.mark.parametrize(
    ("title", "main"), [("Late goal saves a point", FOOTBALL), ("The kitchen garden", GARDENING)]
)
def test_a_site_named_after_the_topic_has_pages_on_other_things(
    judge: Screened, title: str, main: str
) -> None:
    page = on_portal(title, main)
    assert len(page.text.split()) >= 200
    assert "Dengue" in page.title
    verdict = judge.assess(page)
    assert not verdict.relevant, verdict
    proper = judge.assess(on_portal("Dengue fever", DENGUE_PROPER))
    assert proper.relevant, proper
    assert verdict.score < proper.score


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b" \n ",
        b"<html></html>",
        b"<!doctype html><html lang=en><title></title><body><main></main></body></html>",
        b"<html><body><script>var topic = 'dengue fever';</script><!-- dengue fever --></body></html>",
    ],
)
def test_an_empty_page_is_never_relevant(judge: Screened, body: bytes) -> None:
    page = parsed(body)
    assert page.text == ""
    assert not judge.assess(page).relevant


def test_a_page_that_was_never_parsed_is_never_relevant(judge: Screened) -> None:
    for language in ("", "en"):
        assert not judge.assess(Page("https://site.example/dengue-fever", language=language)).relevant
