import numpy as np
import pytest

from honeyguide.strategies.link_reader import WIDTH
from honeyguide.strategies.prospects import COLUMN, LARGEST, SUMS, Prospects, first_of_each
from honeyguide.strategies.signs import COUNT, OF_ADDRESS, OF_LINK
from honeyguide.text.kinds import SENSES

NONE = np.zeros(0)


def hear(
    table: Prospects, rows: np.ndarray, relevance: float, vector: float, *, page: int = 0, sign: int = 1
) -> None:
    figures = {name: np.full(len(rows), relevance) for name in (*SUMS, *LARGEST.values())}
    figures["links"] = np.ones(len(rows))
    better = table.is_better(rows, figures["relevance"])
    table.hear(
        rows,
        figures,
        np.full((len(rows), 2), vector),
        page=page,
        blocks=np.full(len(rows), 10 + page),
        better=better,
        signs=np.full((better.sum(), OF_LINK.stop), sign, np.uint16),
        kinds=np.full((better.sum(), SENSES), 10 * sign, np.int32),
    )


def test_a_url_has_one_row_and_its_address_can_be_had_back() -> None:
    table = Prospects(width=2)
    urls = [f"https://site.example/{number}/ü" for number in range(3000)]
    assert table.rows(urls).tolist() == list(range(3000))
    assert table.rows([urls[7], "https://other.example/", urls[7]]).tolist() == [7, 3000, 7]
    assert table.rows(["https://new.example/"] * 2).tolist() == [3001, 3001]
    assert list(table.urls(np.array([0, 1023, 2999]))) == [urls[0], urls[1023], urls[2999]]
    assert table.find(urls[2999]) == 2999
    assert table.find("https://never.example/") is None
    assert len(table.waiting()) == 3002


def test_the_signs_and_kinds_of_the_most_relevant_page_and_of_the_address_stand() -> None:
    table = Prospects(width=2)
    rows = table.rows(["https://a.example/"])
    table.name(
        rows,
        np.zeros(1),
        np.zeros(1),
        signs=np.full((1, COUNT - OF_LINK.stop), 7, np.uint16),
        kinds=np.full((1, SENSES), 70, np.int32),
    )
    for relevance, sign, kept in ((0.1, 1, 1), (0.0, 3, 1), (0.5, 4, 4), (0.5, 5, 4)):
        hear(table, rows, relevance, 0.0, sign=sign)
        assert table.signs[0, OF_LINK].tolist() == [kept] * OF_LINK.stop
        assert table.kinds[0].tolist() == [10 * kept] * SENSES + [70] * SENSES
    assert set(table.signs[0, OF_ADDRESS].tolist()) == {7}


def test_figures_add_up_and_the_largest_and_second_relevance_stand() -> None:
    table = Prospects(width=2)
    rows = table.rows(["https://a.example/"])
    for page, relevance in enumerate((0.25, 0.75, 0.5)):
        hear(table, rows, relevance, 0.0, page=page)
    known = dict(zip(COLUMN, table.columns[rows[0]].tolist(), strict=True))
    assert (known["links"], known["relevance"], known["best"], known["second"]) == (3, 1.5, 0.75, 0.5)
    assert int(table.pages[rows[0]]) == 1
    assert table.blocks[rows[0]].tolist() == [10, 11, 12, -1]
    for page in (3, 4):
        hear(table, rows, 0.0, 0.0, page=page)
    assert table.blocks[rows[0]].tolist() == [14, 11, 12, 13]


def test_of_urls_that_nothing_is_said_of_what_others_said_stands() -> None:
    # The first URL was heard of twice, with 0.2 and 0.6 for all figures: 0.4 on average, 0.6 at most.
    table = Prospects(width=2)
    rows = table.rows(["https://a.example/", "https://b.example/"])
    hear(table, rows, 0.2, 0.2)
    hear(table, rows, 0.6, 0.6)
    given = {"context": np.array([0.9]), "anchor_words": np.array([0.8])}
    said = table.completed(rows, np.array([False, True]), given, np.full((1, 2), 0.5))
    assert said.figures["context"] == pytest.approx([0.4, 0.9])
    assert said.figures["anchor_words"] == pytest.approx([0.6, 0.8])
    assert said.vectors == pytest.approx(np.array([[0.4, 0.4], [0.5, 0.5]]), abs=1 / 127)
    whole = table.completed(rows[1:], np.array([True]), given, np.full((1, 2), 0.5))
    assert whole.figures is given


def test_the_vector_of_a_url_is_the_mean_of_its_links_to_a_byte() -> None:
    table = Prospects(width=2)
    rows = table.rows(["https://a.example/"])
    for value in (1.0, -0.5, 0.1):
        hear(table, rows, 0.5, value)
    assert table.vectors(rows)[0].tolist() == pytest.approx([0.2, 0.2], abs=1.5 / 127)


def test_restored_it_knows_the_same_rows() -> None:
    first, second = Prospects(width=2), Prospects(width=2)
    rows = first.rows([f"https://site.example/{number}" for number in range(1500)])
    hear(first, rows, 0.5, 0.5)
    first.waits[3] = False
    second.restore(first.state())
    assert second.rows(["https://site.example/9", "https://site.example/new"]).tolist() == [9, 1500]
    assert np.array_equal(second.columns[:1500], first.columns[:1500])
    assert 3 not in second.waiting().tolist()
    assert list(second.urls(np.array([1499]))) == ["https://site.example/1499"]


@pytest.mark.parametrize("folder", ["articles", "articles/" + "in-a-folder-with-a-long-name/" * 10])
def test_a_url_takes_less_than_400_bytes_also_when_the_table_has_just_grown(folder: str) -> None:
    table = Prospects(width=WIDTH)
    urls = [f"https://www.site-{n % 97}.example/{folder}/page-{n}" for n in range(140_000)]
    for first in range(0, len(urls), 500):
        table.rows(urls[first : first + 500])
        if first >= 70_000:  # the first 65,536 go into the table of hashes together
            assert table.nbytes < 400 * len(table)


@pytest.mark.parametrize(("count", "most"), [(5, 5), (300, 20), (20_000, 50), (20_000, 19_000)])
def test_the_best_are_those_that_score_highest_or_are_queued_in_front_however_many_there_are(
    count: int, most: int
) -> None:
    table = Prospects(width=2)
    rows = table.rows([f"https://site.example/{number}" for number in range(count + 3)])[3:]
    scores = np.random.default_rng(count + most).permutation(count)
    for order in (scores, np.sort(scores), np.where(np.arange(count) % 64, scores, 2 * count - scores)):
        table.scores[rows] = np.where(order % 2, order, -1)
        table.queued[rows] = np.where(order % 2, -1, order)
        highest = np.maximum(table.scores, table.queued)
        best = table.best(rows, most)
        assert len(set(best.tolist())) == most
        assert sorted(highest[best].tolist()) == sorted(order.tolist())[-most:]


@pytest.mark.parametrize(
    ("most", "expected"),
    [(1, [3, 1, 5]), (2, [3, 4, 1, 0, 5]), (3, [3, 4, 1, 0, 2, 5]), (9, [3, 4, 1, 0, 2, 5])],
)
def test_the_first_of_each_group_are_found_the_best_of_all_first(most: int, expected: list[int]) -> None:
    groups = np.array([7, 7, 7, 2, 2, 5], np.int32)
    scores = np.array([0.3, 0.5, 0.2, 0.9, 0.7, 0.1])
    assert first_of_each(groups, scores, most).tolist() == expected
    assert first_of_each(groups[:0], scores[:0], most).tolist() == []
