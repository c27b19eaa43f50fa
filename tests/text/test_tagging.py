import os
import pickle
import runpy
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from honeyguide.model import Page
from honeyguide.text.documents import Documents
from honeyguide.text.tagging import Kind, Tag, Tagger, guessed

SCRIPT = Path(__file__).parents[2] / "scripts" / "build_tagging.py"
WORDNET = Path(os.environ.get("WNSEARCHDIR", "/usr/share/wordnet"))
LETTERS = {Tag.OTHER: "o", Tag.NOUN: "n", Tag.ADJECTIVE: "a"}


@pytest.fixture(scope="module")
def documents() -> Documents:
    return Documents()


@pytest.fixture(scope="module")
def tagger(documents: Documents) -> Tagger:
    return Tagger(documents.book.words)


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("The mosquito carries a viral disease.", "onooan"),
        ("genetically modified food", "oan"),
        ("Food is modified by genes.", "nooon"),
        ("They plan to run.", "oooo"),
        ("The plan was a long run.", "onooan"),
        ("a study of machine learning", "ononn"),
        ("They study the cell.", "ooon"),
        ("The farmer is feeding a cow.", "onooon"),
        ("This chemical is a known poison.", "onooan"),
        ("chemical industry", "an"),
        ("of the red blood cells", "ooann"),
        ("zorblaxian quuxes and flibberous wugs", "anoan"),
        ("two hundred children saw three wolves", "oonoon"),
    ],
)
def test_words_are_tagged_by_what_stands_beside_them(
    text: str, tags: str, documents: Documents, tagger: Tagger
) -> None:
    found = tagger.tags(documents.read(Page("", text=text)))
    assert "".join(LETTERS[Tag(tag)] for tag in found.tolist()) == tags


def test_punctuation_keeps_words_apart(documents: Documents, tagger: Tagger) -> None:
    def tag_of_last(text: str) -> Tag:
        return Tag(int(tagger.tags(documents.read(Page("", text=text)))[-1]))

    assert tag_of_last("what they run") == Tag.OTHER
    assert tag_of_last("what they do. Plan") == Tag.NOUN
    assert tag_of_last("what they do plan") == Tag.OTHER


def test_endings_tell_what_an_unknown_word_may_be() -> None:
    assert guessed("frobnicously") == Kind.OTHER
    assert guessed("frobnicous") == Kind.ADJECTIVE
    assert guessed("frobnicated") == Kind.PARTICIPLE
    assert guessed("frobnicating") == Kind.GERUND
    assert guessed("frobnication") == Kind.NOUN
    assert guessed("red") == Kind.NOUN


def test_the_lexicon_knows_words_whose_endings_mislead(tagger: Tagger) -> None:
    assert tagger.kind("family") == Kind.NOUN
    assert tagger.kind("hospital") == Kind.NOUN
    assert tagger.kind("red") in (Kind.ADJECTIVE, Kind.ADJECTIVE_OR_NOUN)
    assert tagger.kind("went") == Kind.OTHER
    assert tagger.kind("the") == Kind.DETERMINER


def test_no_stop_word_is_ever_a_noun(documents: Documents, tagger: Tagger) -> None:
    text = " ".join(sorted(documents.tokeniser.stop_words))
    assert not tagger.tags(documents.read(Page("", text=text))).any()


@pytest.mark.parametrize("text", ["", " ", "...", "x", "\ud800", "登革热", "a" * 100, "dengue " * 5000])
def test_any_text_gets_a_tag_for_each_word(text: str, documents: Documents, tagger: Tagger) -> None:
    document = documents.read(Page("", text=text))
    assert len(tagger.tags(document)) == len(document.words)


def test_tags_do_not_depend_on_what_was_read_before(documents: Documents, tagger: Tagger) -> None:
    page = Page("", text="The first sample of a rapidly growing market for modified crops.")
    fresh = Documents()
    fresh.read(Page("", text="market growing crops sample")).words  # noqa: B018 - numbers words otherwise
    assert np.array_equal(Tagger(fresh.book.words).tags(fresh.read(page)), tagger.tags(documents.read(page)))


def test_a_tagger_says_the_same_in_another_process(documents: Documents, tagger: Tagger) -> None:
    there_documents, there = pickle.loads(pickle.dumps((documents, tagger)))
    page = Page("", text="They plan the large modified network of red plants.")
    assert np.array_equal(there.tags(there_documents.read(page)), tagger.tags(documents.read(page)))


def test_the_shipped_lexicon_is_what_its_script_builds() -> None:
    if not (WORDNET / "cntlist.rev").is_file():
        pytest.skip(
            "needs a WordNet 3.0 database, only to build the lexicon anew; WNSEARCHDIR says where it is"
        )
    shipped = files("honeyguide.text").joinpath("tagging-en.txt.gz").read_bytes()
    assert runpy.run_path(str(SCRIPT))["build"](WORDNET) == shipped
