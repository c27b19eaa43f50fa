import gzip
import pickle
import runpy
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from honeyguide.text.wordnet import WordNet, parts_of_speech

SCRIPT = Path(__file__).parents[2] / "scripts" / "build_wordnet.py"
DICT = Path("/usr/share/wordnet")


@pytest.fixture(scope="module")
def wordnet() -> WordNet:
    return WordNet.load()


@pytest.mark.parametrize(
    ("form", "part", "lemmas"),
    [
        ("dog", "n", ("dog",)),
        ("dogs", "n", ("dog",)),
        ("dogs", "v", ("dog",)),
        ("mosquitoes", "n", ("mosquito",)),
        ("viruses", "n", ("virus",)),
        ("boxes", "n", ("box",)),
        ("churches", "n", ("church",)),
        ("diseases", "n", ("disease",)),
        ("mice", "n", ("mouse",)),
        ("firemen", "n", ("fireman",)),
        ("studies", "n", ("study",)),
        ("news", "n", ("news",)),
        ("axes", "n", ("ax", "axis")),
        ("ran", "v", ("run",)),
        ("biting", "v", ("bite",)),
        ("walked", "v", ("walk",)),
        ("greener", "a", ("green",)),
        ("quickly", "r", ("quickly",)),
        ("lymph nodes", "n", ("lymph node",)),
    ],
)
def test_forms_are_led_back_to_their_lemmas(
    wordnet: WordNet, form: str, part: str, lemmas: tuple[str]
) -> None:
    assert wordnet.bases(form)[part] == lemmas


@pytest.mark.parametrize("word", ["", " ", "qqqs", "qqing", "zzyzx", "登革热", "x" * 100_000, "-", "_", "'s"])
def test_words_that_wordnet_does_not_know_have_no_senses(wordnet: WordNet, word: str) -> None:
    assert wordnet.senses(word) == []
    assert wordnet.bases(word) == {}
    assert wordnet.parts_of_speech(word) == {}


def test_names_of_several_words_are_known_however_they_are_joined(wordnet: WordNet) -> None:
    for name in (
        "red-backed sandpiper",
        "red-backed_sandpiper",
        "aides-de-camp",
        "aides de camp",
        "mother in law",
    ):
        assert wordnet.senses(name), name
    unknown = [name for name in wordnet.lemmas() if not wordnet.senses(name)]
    assert unknown == []


def test_synonyms_share_a_synset(wordnet: WordNet) -> None:
    (dengue,) = wordnet.senses("dengue")
    assert wordnet.names(dengue) == ("breakbone fever", "dandy fever", "dengue", "dengue fever")
    assert wordnet.senses("dengue fever") == [dengue]


def test_senses_come_in_the_order_of_how_common_they_are(wordnet: WordNet) -> None:
    assert "domestic dog" in wordnet.names(wordnet.senses("dog")[0])
    assert wordnet.senses("dog", "v")[0] >= wordnet.nouns


def test_parts_of_speech_are_counted_in_tagged_text() -> None:
    assert parts_of_speech("dog") == {"n": 42, "v": 2}
    assert parts_of_speech("dogs") == parts_of_speech("dog")
    assert parts_of_speech("dengue") == {"n": 0}
    assert set(parts_of_speech("fast")) == set("nvar")


def test_all_of_wordnet_is_there(wordnet: WordNet) -> None:
    assert wordnet.size == 117_659
    assert wordnet.nouns == 82_115
    assert len(list(wordnet.lemmas())) == 147_306
    assert all(wordnet.names(synset) for synset in range(0, wordnet.size, 97))


def test_the_one_top_of_all_nouns_is_entity_and_nothing_goes_round_in_a_circle(wordnet: WordNet) -> None:
    tops = np.setdiff1d(np.arange(wordnet.nouns), wordnet.children)
    assert [wordnet.names(top) for top in tops.tolist()] == [("entity",)]
    left = np.bincount(wordnet.children, minlength=wordnet.size)
    free = np.flatnonzero(left == 0)
    seen = free.size
    while free.size:
        below = wordnet.children[np.isin(wordnet.parents, free)]
        np.subtract.at(left, below, 1)
        free = np.unique(below[left[below] == 0])
        seen += free.size
    assert seen == wordnet.size


def test_another_process_reads_the_file_itself(wordnet: WordNet) -> None:
    assert len(pickle.dumps(wordnet)) < 200
    assert pickle.loads(pickle.dumps(wordnet)) is wordnet


def test_the_licence_goes_with_the_data() -> None:
    shipped = gzip.decompress(files("honeyguide.text").joinpath("wordnet-3.0.txt.gz").read_bytes()).decode()
    assert "# WordNet 3.0 Copyright 2006 by Princeton University.  All rights reserved." in shipped
    assert "# Permission to use, copy, modify and distribute this software and" in shipped


@pytest.mark.skipif(not (DICT / "index.sense").exists(), reason="needs wordnet-base and wordnet-sense-index")
def test_the_shipped_wordnet_is_what_its_script_builds() -> None:
    shipped = files("honeyguide.text").joinpath("wordnet-3.0.txt.gz").read_bytes()
    assert gzip.decompress(runpy.run_path(str(SCRIPT))["build"](DICT)) == gzip.decompress(shipped)
