"""Short texts read as one."""

from hypothesis import given, settings
from hypothesis import strategies as st

from honeyguide.model import Page
from honeyguide.text.documents import Documents
from honeyguide.text.snippets import LONGEST, SnippetReader

WORDS = st.sampled_from(
    ["dengue", "Fever", "the", "", "mosquito-borne", "登革热", "élan", "x" * 50, "’s", "\ud800", "7"]
)
TEXTS = st.lists(st.lists(WORDS, max_size=8).map(" ".join), max_size=20)


def rows_of(reader: SnippetReader, texts: list[str]) -> list[list[int]]:
    found = reader.read(texts)
    return [found.stems[found.rows == row].tolist() for row in range(len(texts))]


@settings(max_examples=60, deadline=None, derandomize=True)
@given(TEXTS)
def test_together_texts_are_read_as_each_by_itself(texts: list[str]) -> None:
    reader = SnippetReader(Documents())
    assert rows_of(reader, texts) == [rows_of(reader, [text])[0] for text in texts]


def test_a_stem_has_the_same_number_whatever_was_read_before() -> None:
    one, other = SnippetReader(Documents()), SnippetReader(Documents())
    other.read(["many other words come first"])
    assert rows_of(one, ["dengue fever"]) == rows_of(other, ["dengue fever"])
    assert rows_of(one, ["mosquitoes"]) == rows_of(one, ["mosquito"])


def test_words_start_where_they_stand_in_their_own_text() -> None:
    found = SnippetReader(Documents()).read(["über dengue", "the virus"])
    assert found.rows.tolist() == [0, 0, 1]
    assert found.starts.tolist() == [0, 6, 4]


def test_more_texts_than_fit_into_one_reading_are_all_read() -> None:
    texts = [f"word {'é' * 30} dengue" * 30 for _ in range(400)]
    rows = rows_of(SnippetReader(Documents()), texts)
    assert all(row == rows[0] for row in rows)
    assert rows[0]


def test_a_text_without_end_is_cut() -> None:
    (row,) = rows_of(SnippetReader(Documents()), ["dengue " * LONGEST])
    assert 0 < len(row) <= LONGEST // 7 + 1


def test_a_page_is_read_as_its_title_and_the_beginning_of_its_text() -> None:
    reader = SnippetReader(Documents())
    page = Page("https://a.example/", "Dengue", f"The mosquito {'x ' * 100}fever")
    assert (
        reader.read_page(page, 15).tolist()
        == rows_of(reader, ["dengue mosquito"])[0][:2] + rows_of(reader, ["x"])[0]
    )
    assert len(reader.read_page(Page("https://a.example/"), 15)) == 0


def test_nothing_is_read_from_nothing() -> None:
    assert len(SnippetReader(Documents()).read([]).rows) == 0
