"""A vocabulary as a file, in its own format and in Combine's."""

import time
from contextlib import suppress
from pathlib import Path

import pytest

from honeyguide.errors import ConfigError
from honeyguide.model import Term
from honeyguide.topics.vocabulary import read_vocabulary


def read(folder: Path, text: str) -> list[Term]:
    (folder / "terms.txt").write_text(text, encoding="utf-8")
    return list(read_vocabulary(folder / "terms.txt"))


def test_a_line_is_a_weight_and_a_term(tmp_path: Path) -> None:
    assert read(
        tmp_path,
        """\
# What counts, and how much.
 50\tdengue fever

+30  dengue AND (vaccine OR "vector control") NOT malaria
10.5 mosquito*        # every word that begins so
5 "E = mc2"           #without a blank
0,5  C# programming
-20  malaria          = diseases
−5   "typhoid"  #
""",
    ) == [
        Term("dengue fever", 50.0),
        Term('dengue AND (vaccine OR "vector control") NOT malaria', 30.0),
        Term("mosquito*", 10.5),
        Term('"E = mc2"', 5.0),
        Term("C# programming", 0.5),
        Term("malaria", -20.0, "diseases"),
        Term('"typhoid"', -5.0),
    ]


def test_the_format_of_combine_is_told_by_its_colon(tmp_path: Path) -> None:
    assert read(
        tmp_path,
        """\
# Engineering Index
50: optical glass=B.16, D.14.22
30: optical @and glass=D
20 : horticultur? =A
15: horticultur? plant? @and hydroponic?=A.1
-10000: shop=X
7: car @or motor car @not toy car=C
9: (car @or motor car) @and not fast=C
5: AND @and "gate"=E
4: e=mc2=P
3: no class
""",
    ) == [
        Term('"optical glass"', 50.0, "B.16, D.14.22"),
        Term("optical AND glass", 30.0, "D"),
        Term("horticultur*", 20.0, "A"),
        Term('"horticultur* plant*" AND hydroponic*', 15.0, "A.1"),
        Term("shop", -10000.0, "X"),
        Term('car OR "motor car" NOT "toy car"', 7.0, "C"),
        Term('(car OR "motor car") AND "not fast"', 9.0, "C"),
        Term('"AND" AND gate', 5.0, "E"),
        Term("e=mc2", 4.0, "P"),
        Term('"no class"', 3.0),
    ]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "terms.txt holds no term"),
        ("# only a remark\n", "terms.txt holds no term"),
        (
            "50 dengue\nmalaria\n",
            "terms.txt, line 2: a line is a weight and a term, such as: 50 dengue fever; this",
        ),
        ("5O dengue\n", "line 1: a line is a weight and a term"),
        ("50\n", "line 1: a line is a weight and a term"),
        ("50 dengue AND\n", "line 1: The term 'dengue AND' has nothing where a word should stand."),
        ("50 (dengue\n", "line 1: The term '(dengue' lacks a \")\"."),
        ('50 "dengue\n', "line 1: The term '\"dengue' opens a quote"),
        ("50 2024\n", "line 1: The term '2024' has no word to look for"),
        ("50 NOT malaria\n", "line 1: The term 'NOT malaria' only says what a page must not say"),
        ("50: optical @and =D\n", "line 1: The term 'optical AND' has nothing"),
        ("50: hor?icult=D\n", "line 1: the ? in 'hor?icult' must stand at the end of a word."),
        (f"{'9' * 400} dengue\n", "must be a number that is finite"),
        ("50 a = b = c\n", "line 1: a line has one label, after one =; this one is '50 a = b = c'."),
        ('50 a = b "c"\n', "line 1: a line has one label, after one ="),
    ],
)
def test_a_line_that_says_nothing_is_named(tmp_path: Path, text: str, sentence: str) -> None:
    with pytest.raises(ConfigError) as raised:
        read(tmp_path, text)
    assert sentence in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    "line", ["50 " + "a " * 500 + "AND", "9" * 400 + " " + "a" * 999, "50: x" + "?a" * 500, "a" * 999]
)
def test_a_long_term_is_not_repeated_in_full(tmp_path: Path, line: str) -> None:
    with pytest.raises(ConfigError) as raised:
        read(tmp_path, line)
    assert len(str(raised.value).removeprefix(str(tmp_path))) < 250


def test_an_encoding_that_cannot_be_read_is_named_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "terms.txt").write_bytes(b"50 dengue\n20 fi\xe8vre\n")
    with pytest.raises(ConfigError, match=r"terms.txt, line 2: this is not UTF-8; save the file in UTF-8\."):
        list(read_vocabulary(tmp_path / "terms.txt"))


def test_a_long_line_without_an_end_is_read_in_no_time(tmp_path: Path) -> None:
    began = time.perf_counter()
    for text in ("5 " + "a " * 100_000, "5 a" + "= " * 100_000, "5 a" + " #" * 50_000 + "x", "1" * 100_000):
        with suppress(ConfigError):
            read(tmp_path, text)
    assert time.perf_counter() - began < 5.0
