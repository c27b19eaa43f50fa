"""The hand check: what is drawn, what comes back from spreadsheets, and what it says."""

import csv
from collections import Counter
from pathlib import Path

import pytest
from handmade_crawl import Made, make_crawl

from honeyguide.bench.recapture import recapture, relevant_pages
from honeyguide.bench.sample import Drawn, draw, read_opinions, verdicts, write_sample
from honeyguide.errors import ConfigError, CrawlError
from honeyguide.handcheck import Opinion, report
from honeyguide.opening import open_collection
from honeyguide.statistics import wilson

YES, NO, UNSURE = Opinion.YES, Opinion.NO, Opinion.UNSURE


def url(number: int) -> str:
    return f"https://site.example/{number}"


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Forty pages, every fourth judged on topic, then a duplicate and a page that asks not to be kept."""
    words = " ".join(f"word{number}" for number in range(100))
    pages = [
        Made(url(number), number % 4 == 0, f"Page {number}", words, fingerprint=number + 1)
        for number in range(40)
    ]
    odd = [Made(url(98), False, fingerprint=1), Made(url(99), True, noindex=True)]
    return make_crawl(tmp_path_factory.mktemp("sample") / "crawl", [*pages, *odd])


def drawn(crawl: Path, n: int, **options: object) -> list[Drawn]:
    with open_collection(crawl) as collection:
        return draw(collection, n, **options)[0]  # type: ignore[arg-type]


def labelled(file: Path, *lines: str, head: str = "url,label,annotator", encoding: str = "utf-8") -> Path:
    file.write_text("\n".join((head, *lines)) + "\n", encoding=encoding)
    return file


def test_a_sample_holds_pages_and_not_what_the_judge_said(crawl: Path) -> None:
    sample = drawn(crawl, 10)
    assert [page.number for page in sample] == list(range(1, 11))
    assert len({page.url for page in sample}) == 10
    for page in sample:
        assert page.title == f"Page {page.url.rpartition('/')[2]}"
        assert page.text.startswith("word0 word1 ")
        assert len(page.text.split()) == 60
        assert (page.label, page.annotator) == ("", "")
    assert set(Drawn._fields) == {"number", "url", "title", "text", "label", "annotator"}


def test_duplicates_and_pages_that_may_not_be_kept_are_not_drawn(crawl: Path) -> None:
    assert {page.url for page in drawn(crawl, 1000)} == {url(number) for number in range(40)}
    assert {page.url for page in drawn(crawl, 1000, only_relevant=True)} == {url(4 * k) for k in range(10)}
    with open_collection(crawl) as collection:
        assert draw(collection, 3)[1] == 40
        assert len(verdicts(collection)) == 40


def test_the_seed_decides_what_is_drawn(crawl: Path) -> None:
    assert drawn(crawl, 8, seed=3) == drawn(crawl, 8, seed=3)
    assert drawn(crawl, 8, seed=3) != drawn(crawl, 8, seed=4)


def test_every_page_is_as_likely_as_any_other_and_in_any_place(crawl: Path) -> None:
    first, chosen = Counter[str](), Counter[str]()
    with open_collection(crawl) as collection:
        for seed in range(200):
            pages, _ = draw(collection, 5, seed=seed)
            first[pages[0].url] += 1
            chosen.update(page.url for page in pages)
    assert len(chosen) == 40
    assert all(8 < number < 45 for number in chosen.values())
    assert max(first.values()) < 16


def test_cells_are_short_clean_and_no_formula(tmp_path: Path) -> None:
    odd = make_crawl(
        tmp_path / "crawl",
        [
            Made(url(1), True, "=HYPERLINK(evil)", "登革热是一种由蚊子传播的疾病" * 200),
            Made(url(2), True, "@SUM(1)\nof  lines", "a\x07b \u202e c"),
        ],
    )
    file = tmp_path / "sample.csv"
    write_sample(file, sorted(drawn(odd, 2), key=lambda page: page.url))
    with file.open(encoding="utf-8-sig", newline="") as stream:
        first, second = csv.DictReader(stream)
    assert first["title"] == "'=HYPERLINK(evil)"
    assert len(first["text"]) == 600
    assert second["title"] == "'@SUM(1) of lines"
    assert second["text"].isprintable()
    assert list(first) == ["number", "url", "title", "text", "label", "annotator"]


def test_a_file_that_may_hold_labels_is_never_written_over(tmp_path: Path) -> None:
    file = tmp_path / "sample.csv"
    file.write_text("hours of work")
    with pytest.raises(CrawlError, match="may hold labels"):
        write_sample(file, [])
    assert file.read_text() == "hours of work"
    with pytest.raises(CrawlError, match="cannot be written"):
        write_sample(tmp_path / "nowhere" / "sample.csv", [])


def test_a_crawl_whose_archive_is_gone_is_said_to_be_one(tmp_path: Path) -> None:
    crawl = make_crawl(tmp_path / "crawl", [Made(url(1), True)])
    for file in crawl.glob("*.warc.gz"):
        file.unlink()
    with pytest.raises(CrawlError, match="archive"):
        drawn(crawl, 1)


@pytest.mark.parametrize(
    ("said", "opinion"),
    [("yes", YES), (" YES ", YES), ("on", YES), ("1", YES), ("no", NO), ("Off", NO), ("0", NO),
     ("unsure", UNSURE), ("?", UNSURE), ("", None), ("  ", None)],
)  # fmt: skip
def test_labels_are_read_in_every_spelling(tmp_path: Path, said: str, opinion: Opinion | None) -> None:
    file = labelled(tmp_path / "anna.csv", f"{url(1)},{said},")
    assert read_opinions([file]) == {"anna": {url(1): opinion}}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_whatever_a_spreadsheet_made_of_the_file_is_read(tmp_path: Path, encoding: str, mark: str) -> None:
    rows = (mark.join((url(1), "yes", "Zoë")), mark.join((url(2), "", "Zoë")), mark.join(("", "", "")))
    file = labelled(
        tmp_path / "x.csv", *rows, head=mark.join(("URL", "Label", "Annotator")), encoding=encoding
    )
    assert read_opinions([file]) == {"Zoë": {url(1): YES, url(2): None}}


def test_annotators_are_told_apart_by_column_by_row_or_by_file(tmp_path: Path) -> None:
    rows = labelled(tmp_path / "rows.csv", f"{url(1)},yes,Ada", f"{url(1)},no,Bob")
    assert read_opinions([rows]) == {"Ada": {url(1): YES}, "Bob": {url(1): NO}}
    columns = labelled(tmp_path / "columns.csv", f"{url(1)},yes,no", head="url,label Ada,Label Bob")
    assert read_opinions([columns]) == read_opinions([rows])
    named_once = labelled(tmp_path / "once.csv", f"{url(1)},yes,Ada", f"{url(2)},no,")
    assert read_opinions([named_once]) == {"Ada": {url(1): YES, url(2): NO}}
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    twins = [labelled(tmp_path / name / "s.csv", f"{url(1)},{name == 'a':d},") for name in ("a", "b")]
    assert sorted(theirs[url(1)] or "" for theirs in read_opinions(twins).values()) == [NO, YES]


@pytest.mark.parametrize(
    ("head", "line", "sentence"),
    [
        ("url,label,annotator", f"{url(1)},perhaps,", "line 2: 'perhaps' is no label"),
        ("page,label,annotator", f"{url(1)},yes,", "line 1: there is no column url"),
        ("url,verdict,annotator", f"{url(1)},yes,", "line 1: there is no column label"),
        ("", "", "no column url and no column label"),
        ("url,label,annotator", f"{url(1)},yes,\n{url(1)},no,", "line 3: bad says no of"),
        ("url,label,annotator", "x" * 200_000 + ",yes,", "line 2: this is not a table"),
    ],
)
def test_a_wrong_file_is_named_with_the_line(tmp_path: Path, head: str, line: str, sentence: str) -> None:
    file = labelled(tmp_path / "bad.csv", line, head=head)
    with pytest.raises(ConfigError) as caught:
        read_opinions([file])
    assert f"{file}, " in str(caught.value)
    assert sentence in str(caught.value)


def test_a_missing_file_and_a_folder_are_said_to_be_so(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="There is no file"):
        read_opinions([tmp_path / "nowhere.csv"])
    with pytest.raises(ConfigError, match="cannot be read"):
        read_opinions([tmp_path])


JUDGED = {url(number): number < 4 for number in range(10)}
ADA = {url(k): said for k, said in enumerate((YES, YES, YES, NO, YES, NO, NO, UNSURE))}
BOB = {url(k): said for k, said in enumerate((YES, YES, NO, NO, YES, NO))}


def test_one_annotator_gives_precision_and_the_judges_errors() -> None:
    figures = report({"Ada": {**ADA, url(8): None}}, JUDGED)
    assert (figures.drawn, figures.people.labelled) == (9, 8)
    assert (figures.people.yes, figures.people.no, figures.people.unsure) == (4, 3, 1)
    assert figures.people.precision is not None
    assert figures.people.precision.value == pytest.approx(4 / 7)
    assert (figures.people.precision.low, figures.people.precision.high) == wilson(4, 7)
    assert figures.agreements == ()
    judge = figures.judge
    assert judge is not None
    # of the seven sure pages the judge calls 0-3 on topic: three rightly; it misses 4
    assert (judge.pages, judge.harvest) == (10, 0.4)
    assert judge.labelled_pages == 7
    assert judge.share == pytest.approx(4 / 7)
    assert judge.precision is not None
    assert judge.recall is not None
    assert (judge.precision.value, judge.recall.value) == (0.75, 0.75)
    assert judge.agreement.raw == pytest.approx(5 / 7)
    # by chance (4 * 4 + 3 * 3) / 49
    assert judge.agreement.kappa == pytest.approx((5 / 7 - 25 / 49) / (1 - 25 / 49))


def test_two_annotators_are_compared_where_both_have_labelled() -> None:
    figures = report({"Ada": ADA, "Bob": BOB}, JUDGED)
    (pair,) = figures.agreements
    assert (pair.first, pair.second, pair.pages) == ("Ada", "Bob", 6)
    assert pair.raw == pytest.approx(5 / 6)
    # Ada 4 yes 2 no, Bob 3 yes 3 no: by chance (4 * 3 + 2 * 3) / 36 = 1/2
    assert pair.kappa == pytest.approx((5 / 6 - 0.5) / 0.5)
    # the page they are split on is unsure, as is the one Ada is unsure of
    assert (figures.people.yes, figures.people.no, figures.people.unsure) == (3, 3, 2)
    assert [count.who for count in figures.annotators] == ["Ada", "Bob"]


def test_the_opinion_of_most_is_that_of_the_people() -> None:
    said = {"a": {url(1): YES}, "b": {url(1): YES}, "c": {url(1): NO}, "d": {url(1): UNSURE}}
    assert report(said, JUDGED).people.yes == 1


def test_without_pages_that_the_judge_refused_its_recall_is_not_known() -> None:
    judge = report({"Ada": {url(0): YES, url(1): NO}}, JUDGED).judge
    assert judge is not None
    assert judge.recall is None
    assert judge.precision is not None
    assert judge.agreement.kappa == 0.0


def test_only_unsure_labels_leave_the_judge_alone() -> None:
    figures = report({"Ada": {url(0): UNSURE}}, JUDGED)
    assert figures.judge is None
    assert figures.people.precision is None


def test_pages_of_another_crawl_are_counted_and_a_whole_sample_of_them_is_an_error() -> None:
    figures = report({"Ada": {**ADA, "https://gone.example/": YES}}, JUDGED)
    assert figures.strangers == 1
    assert figures.judge is not None
    assert figures.judge.labelled_pages == 7
    with pytest.raises(ConfigError, match="drawn from another"):
        report({"Ada": {"https://gone.example/": YES}}, JUDGED)


def test_a_sample_without_labels_says_so() -> None:
    with pytest.raises(ConfigError, match=r"Nothing is labelled yet: .* 2 pages"):
        report({"Ada": {url(0): None, url(1): None}}, JUDGED)


def test_relevant_pages_are_known_by_where_they_were_found_in_the_end(tmp_path: Path) -> None:
    crawl = make_crawl(
        tmp_path / "crawl",
        [
            Made(url(1), True, final="https://other.example/a"),
            Made(url(2), True, fingerprint=5),
            Made(url(3), False, fingerprint=6),
            Made(url(4), True, fingerprint=5),
        ],
    )
    with open_collection(crawl) as collection:
        assert relevant_pages(collection) == {"https://other.example/a", url(2)}


def test_two_crawls_say_how_much_both_missed() -> None:
    figures = recapture(set(map(url, range(10))), set(map(url, range(5, 20))))
    assert (figures.first, figures.second, figures.both) == (10, 15, 5)
    assert figures.total == pytest.approx(28.333, abs=1e-3)
    assert figures.first_recall.value == pytest.approx(10 / 28.333, abs=1e-4)
    assert figures.joint_recall.value == pytest.approx(20 / 28.333, abs=1e-4)
    for recall in (figures.first_recall, figures.second_recall, figures.joint_recall):
        assert 0 < recall.low < recall.value < recall.high <= 1
