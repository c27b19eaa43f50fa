import pickle
from types import SimpleNamespace

import numpy as np
import pytest

from honeyguide.errors import ConfigError
from honeyguide.text import embeddings as module
from honeyguide.text.documents import Documents
from honeyguide.text.embeddings import SHORT, SIZE, Embeddings
from honeyguide.text.tensors import read_tensors


@pytest.fixture
def documents() -> Documents:
    return Documents()


def cosine(one, other) -> float:
    return float((one * other).sum() / np.sqrt((one * one).sum() * (other * other).sum()))


def test_words_that_mean_much_the_same_lie_close_together(documents):
    king, queen, mosquito = Embeddings(documents.book).vectors(["king", "queen", "mosquito"])
    assert cosine(king, queen) > cosine(king, mosquito) + 0.1


def test_a_word_is_the_mean_of_its_pieces_however_many_words_are_cut_with_it(documents):
    words = ["dengue", "fever", "haemorrhagic", "café", "登革热", "o'brien", "3d", "ﬁne"]
    together = Embeddings(documents.book).vectors(words)
    for word, vector in zip(words, together, strict=True):
        alone = Embeddings(Documents().book).vectors([word])[0]
        assert np.array_equal(alone, vector), word


def test_the_vector_of_a_text_is_the_mean_of_its_words(documents):
    embeddings = Embeddings(documents.book)
    dengue, fever, both = embeddings.vectors(["dengue", "fever", "Dengue: fever, dengue!"])
    assert np.allclose(both, (2 * dengue + fever) / 3, atol=1e-6)
    words = documents.book.numbers("dengue fever")
    assert np.allclose(embeddings.mean(words, np.array([2.0, 1.0])), both, atol=1e-6)


def test_texts_in_a_batch_get_their_own_vectors_and_those_without_words_zeros(documents):
    texts = [
        "dengue",
        "",
        "–",
        "été à Paris",
        " 12 ",
        "x" * 100_000,
        *(f"fever {number}" for number in range(5)),
        "\ud800",
    ]
    embeddings = Embeddings(documents.book)
    together = embeddings.vectors(texts)
    assert together.shape == (len(texts), SIZE)
    for text, vector in zip(texts, together, strict=True):
        assert np.array_equal(embeddings.vectors([text])[0], vector)
    assert not together[1].any()
    assert not together[2].any()
    assert together[3].any()


def test_more_text_than_is_read_at_once_is_read_in_turns(documents):
    texts = ["dengue fever " * 300] * 80
    vectors = Embeddings(documents.book).vectors(texts)
    assert np.allclose(vectors, vectors[0], atol=1e-5)
    assert vectors[-1].any()


def test_a_projection_is_the_product_with_every_words_vector(documents):
    embeddings = Embeddings(documents.book)
    words = documents.book.numbers("dengue fever haemorrhagic shock")
    direction = np.random.default_rng(1).normal(size=SIZE)
    found = embeddings.along(direction).of(words)
    assert np.allclose(found, embeddings.of(words) @ direction, atol=1e-4)
    assert np.allclose(
        embeddings.mean(words, np.ones(len(words)), short=True),
        embeddings.mean(words, np.ones(len(words)))[:SHORT],
        atol=1e-6,
    )


def test_a_wordbook_that_starts_afresh_is_followed(documents):
    embeddings = Embeddings(documents.book)
    before = embeddings.vectors(["malaria parasite", "dengue"])
    documents.book.forget()
    after = embeddings.vectors(["dengue", "malaria parasite"])
    assert np.array_equal(before[0], after[1])
    assert np.array_equal(before[1], after[0])


def test_they_are_the_same_in_another_process(documents):
    embeddings = Embeddings(documents.book)
    direction = np.ones(SIZE)
    sent, along = pickle.loads(pickle.dumps((embeddings, embeddings.along(direction))))
    assert np.array_equal(sent.vectors(["yellow fever"]), embeddings.vectors(["yellow fever"]))
    book = sent._book
    assert np.array_equal(
        along.of(book.numbers("yellow fever")),
        embeddings.along(direction).of(documents.book.numbers("yellow fever")),
    )


def test_no_words_have_no_vectors(documents):
    embeddings = Embeddings(documents.book)
    none = documents.book.numbers("")
    assert embeddings.of(none).shape == (0, SIZE)
    assert not embeddings.mean(none, np.zeros(0)).any()
    assert embeddings.along(np.ones(SIZE)).of(none).shape == (0,)
    assert embeddings.vectors([]).shape == (0, SIZE)


@pytest.mark.parametrize("content", [b"", b"\xff" * 64, b"\x02\0\0\0\0\0\0\0{}"])
def test_damaged_vectors_are_said_in_a_sentence(tmp_path, monkeypatch, content):
    weights = tmp_path / "weights"
    weights.mkdir()
    (weights / "l2_supercat_256.safetensors").write_bytes(content)
    monkeypatch.setattr(
        module, "find_spec", lambda name: SimpleNamespace(submodule_search_locations=[tmp_path])
    )
    with pytest.raises(
        ConfigError, match=r"^The word vectors of the wordllama package cannot be read \(.*\.$"
    ):
        module._resource.__wrapped__()


def test_a_missing_package_is_said_in_a_sentence(monkeypatch):
    monkeypatch.setattr(module, "find_spec", lambda name: None)
    with pytest.raises(ConfigError, match="it is not installed"):
        module._resource.__wrapped__()


def test_numbers_of_an_unknown_kind_are_refused():
    head = b'{"a":{"dtype":"F8","shape":[1],"data_offsets":[0,1]}}'
    with pytest.raises(ValueError, match="F8"):
        read_tensors(len(head).to_bytes(8, "little") + head + b"\0")
