import math
import pickle
from pathlib import Path

import pytest

from honeyguide.errors import ConfigError
from honeyguide.text.background import Background
from honeyguide.text.tokens import Tokeniser


@pytest.fixture(scope="module")
def english() -> Background:
    return Background.load()


def test_the_background_of_a_corpus_is_the_logarithm_of_documents_per_document_holding_a_stem() -> None:
    background = Background.from_counts({"dengu": 10, "fever": 100, "the": 1000}, 1000)
    assert background.idf("dengu") == pytest.approx(math.log(100))
    assert background.idf("fever") == pytest.approx(math.log(10))
    assert background.idf("the") == 0
    assert background.idfs(["fever", "dengu"]).tolist() == pytest.approx([math.log(10), math.log(100)])


def test_a_stem_never_seen_is_as_rare_as_one_seen_once() -> None:
    background = Background.from_counts({"once": 1, "never": 0}, 1000)
    assert background.idf("unheard") == background.idf("never") == background.idf("once") == math.log(1000)


def test_asking_does_not_make_the_background_grow() -> None:
    background = Background.from_counts({"a": 1}, 10)
    background.idf("b")
    assert len(background) == 1
    assert "b" not in background


def test_counts_that_cannot_be_give_no_negative_weight() -> None:
    assert Background.from_counts({"odd": 20}, 10).idf("odd") == 0


def test_a_background_of_nothing_is_refused() -> None:
    with pytest.raises(ConfigError, match="at least one document"):
        Background.from_counts({}, 0)


def test_the_shipped_background_knows_how_common_english_words_are(english: Background) -> None:
    stems = Tokeniser(stop_words=frozenset()).stems("the year country computer fever asthma dengue")
    idfs = english.idfs(stems).tolist()
    assert idfs == sorted(idfs)
    assert idfs[0] == 0
    assert english.idf("qzxjvk") == english.rarest == 10.6


def test_the_shipped_weights_are_those_of_a_document_of_500_words(english: Background) -> None:
    # wordfreq: dengue 8.51e-7 (its only form); 1 - exp(-8.51e-7 * 500) = 4.255e-4; ln(1/4.255e-4) = 7.762
    assert english.idf("dengu") == pytest.approx(7.762, abs=0.026)


def test_the_shipped_background_is_large_and_small_enough(english: Background) -> None:
    assert 50_000 < len(english) < 100_000


def test_a_background_can_be_sent_to_another_process() -> None:
    sent = pickle.loads(pickle.dumps(Background.from_counts({"a": 2}, 10)))
    assert sent.idf("a") == math.log(5)
    assert sent.idf("b") == math.log(10)


def test_a_background_of_texts_counts_the_texts_that_hold_a_stem() -> None:
    texts = ["Dengue fever. Dengue!", "A fever", "Roses", "More roses"]
    background = Background.from_texts(texts, Tokeniser())
    assert background.idf("dengu") == pytest.approx(math.log(4))
    assert background.idf("fever") == pytest.approx(math.log(2))
    assert background.idf("unheard") == pytest.approx(math.log(4))


def test_a_background_written_down_is_read_again(tmp_path: Path) -> None:
    background = Background.from_counts({"dengu": 10, "fever": 100, "rash": 100}, 1000)
    background.write(tmp_path / "one.gz")
    again = Background.read(tmp_path / "one.gz")
    assert again.idfs(["dengu", "fever", "rash", "unheard"]).tolist() == pytest.approx(
        [math.log(100), math.log(10), math.log(10), math.log(1000)], abs=0.006
    )
    assert len(again) == 3
    again.write(tmp_path / "two.gz")
    assert (tmp_path / "one.gz").read_bytes() == (tmp_path / "two.gz").read_bytes()


def test_a_background_may_be_written_by_hand(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text("# mine\n2.5\tdengu fever\n9\t\n")
    background = Background.read(path)
    assert background.idfs(["fever", "else"]).tolist() == [2.5, 9.0]


@pytest.mark.parametrize("line", ["dengu", "high\tdengu", "-1\tdengu", "nan\tdengu", "inf\tdengu"])
def test_a_line_that_is_no_weight_and_stems_is_refused_with_its_number(tmp_path: Path, line: str) -> None:
    path = tmp_path / "mine.txt"
    path.write_text(f"1.0\tfever\n{line}\n")
    with pytest.raises(ConfigError, match=r"mine\.txt, line 2: a line is a weight, a tab and the stems"):
        Background.read(path)


@pytest.mark.parametrize("data", [b"\x1f\x8bbroken", b"\xff\xfe\x00", None])
def test_a_background_that_cannot_be_read_is_refused_in_a_sentence(
    tmp_path: Path, data: bytes | None
) -> None:
    path = tmp_path / "mine.txt"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(ConfigError, match=r"The background .*mine\.txt cannot be read"):
        Background.read(path)
