import numpy as np
import pytest

from honeyguide.model import Example, Link, Page, Topic
from honeyguide.strategies.link_reader import NEAR, LinkReader
from honeyguide.text.compass import Compass
from honeyguide.text.documents import Documents
from honeyguide.text.embeddings import Embeddings
from honeyguide.text.snippets import LONGEST

URL = "https://site.example/"
FAR = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"


@pytest.fixture(scope="module")
def reader() -> LinkReader:
    return new_reader()


def new_reader() -> LinkReader:
    topic = Topic(
        "dengue fever",
        keywords=("mosquito",),
        examples=(Example("Dengue is a disease that mosquitoes carry.", "Dengue fever"),),
        background=(Example("A parliament is elected every five years.", "Parliament"),),
    )
    documents = Documents()
    embeddings = Embeddings(documents.book)
    return LinkReader(Compass.of(topic, documents, embeddings), documents, embeddings)


def link(anchor: str, context: str) -> Link:
    return Link(URL, anchor=anchor, context=context)


def near(reader: LinkReader, anchor: str, context: str) -> float:
    told, _ = reader.read([link(anchor, context)], [])
    return float(told.near[0])


def meaning(reader: LinkReader, words: str) -> float:
    told, _ = reader.read([link(words, "")], [])
    return float(told.anchor[0])


def test_near_a_link_are_the_whole_words_a_few_steps_from_it(reader: LinkReader) -> None:
    context = f"mosquito {FAR} senate votes Größe here budget tax {FAR} mosquito"
    at = context.index("Größe here")
    around = context[at - NEAR : at + len("Größe here") + NEAR]
    whole = " ".join(around.split(" ")[1:-1])
    found = near(reader, "Größe here", context)
    assert found == pytest.approx(meaning(reader, whole), abs=1e-6)
    assert found != pytest.approx(meaning(reader, around), abs=1e-3)
    assert found != pytest.approx(meaning(reader, context), abs=1e-3)


def test_a_link_that_its_context_lacks_has_only_its_own_words_near_it(reader: LinkReader) -> None:
    assert near(reader, "mosquito nets", FAR) == pytest.approx(meaning(reader, "mosquito nets"), abs=1e-6)
    beyond = f"{'word ' * LONGEST}mosquito nets{' word' * LONGEST}"
    assert near(reader, "mosquito nets", beyond) == pytest.approx(meaning(reader, "mosquito nets"), abs=1e-6)
    assert near(reader, "", "") == 0.0


def test_a_word_that_a_link_begins_within_is_not_near_it_and_one_it_ends_within_is_whole(
    reader: LinkReader,
) -> None:
    found = near(reader, "fever mosqui", "antifever mosquitoes")
    assert found == pytest.approx(meaning(reader, "mosquitoes"), abs=1e-6)


def test_what_a_link_says_does_not_hang_on_what_is_read_along_with_it(reader: LinkReader) -> None:
    links = [
        link("dengue fever", f"{FAR} dengue fever spreads quickly {FAR}"),
        link("", "an image among words"),
        link("état", "un état—major"),
        link("not there", "elsewhere"),
        link("", ""),
    ]
    urls = [f"{URL}dengue/mosquito", URL, f"{URL}news/parliament"]
    together, addresses = reader.read(links, urls)
    for row, one in enumerate(links):
        alone, _ = reader.read([one], [])
        for name in ("vectors", "anchor", "context", "near", "own"):
            assert np.array_equal(getattr(alone, name)[0], getattr(together, name)[row]), name
        stems = together.stems[together.rows == row]
        assert alone.stems.tolist() == stems.tolist()
        assert reader.words(one).tolist() == sorted(set(stems.tolist()))
    for row, url in enumerate(urls):
        _, own = reader.read([], [url])
        assert own.nearness[0] == addresses.nearness[row]
        assert own.words[0] == addresses.words[row]
    assert addresses.words[0] > addresses.words[2]
    assert addresses.nearness[1] == addresses.words[1] == 0.0


def test_the_keywords_of_a_page_do_not_hang_on_what_was_read_before() -> None:
    names = [f"{first}{last}xq" for first in "bdfgklmn" for last in "aeiou"]  # none says more than another
    page = Page(URL, "", " ".join(names))
    first, second = new_reader(), new_reader()
    second.read([link(" ".join(reversed(names)), "")], [])
    assert first.keywords(page, 5).tolist() == second.keywords(page, 5).tolist()


def test_words_that_few_texts_have_are_rare_and_no_words_are_not(reader: LinkReader) -> None:
    told, _ = reader.read([link(words, "") for words in ("flavivirus", "news", "flavivirus news", "")], [])
    rare, common, both, none = told.rarity.tolist()
    assert rare > common > none == 0
    assert both == pytest.approx((rare + common) / 2)
