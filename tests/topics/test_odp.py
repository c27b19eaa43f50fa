import gzip
import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honeyguide.errors import ConfigError
from honeyguide.model import Example
from honeyguide.topics import odp
from honeyguide.topics.odp import levels_to_toml, list_branches, read_branch

HEAD = b'<?xml version="1.0" encoding="UTF-8"?>\n<RDF xmlns:r="http://www.w3.org/TR/RDF/" xmlns="http://dmoz.org/rdf/">\n'
TAIL = b"</RDF>\n"
BRANCH = "Top/Science/Biology/Bioinformatics"


def category(path: str) -> bytes:
    return f'  <Topic r:id="{path}">\n    <catid>1</catid>\n  </Topic>\n'.encode()


def page(path: str, url: str, title: bytes = b"A title", text: bytes = b"What it is") -> bytes:
    return (
        b'  <ExternalPage about="%s">\n    <d:Title>%s</d:Title>\n    <d:Description>%s</d:Description>\n'
        b"    <priority>1</priority>\n    <topic>%s</topic>\n  </ExternalPage>\n"
    ) % (url.encode(), title, text, path.encode())


CONTENT = b"".join(
    (
        HEAD,
        category("Top/Arts"),
        page("Top/Arts", "https://arts.example/"),
        category("Top/Science"),
        page("Top/Science", "https://science.example/", b"Science &amp; so on"),
        page("Top/Science_Fiction", "https://fiction.example/"),
        category("Top/Science/Biology"),
        category(BRANCH),
        page(BRANCH, "https://one.example/?a=1&amp;b=2", b"One", b"Aligns <b>sequences</b>."),
        page(BRANCH, "https://two.example/", b"Two", b""),
        page(BRANCH, "https://three.example/"),
        category(f"{BRANCH}/Companies"),
        page(f"{BRANCH}/Companies", "https://company.example/"),
        TAIL,
    )
)


@pytest.fixture
def dump(tmp_path: Path) -> Path:
    path = tmp_path / "content.rdf.u8"
    path.write_bytes(CONTENT)
    return path


def test_a_branch_has_a_level_for_each_category_the_last_first_and_some_are_empty(dump: Path) -> None:
    levels = read_branch(dump, BRANCH)
    assert [level.name for level in levels] == ["Bioinformatics", "Biology", "Science"]
    assert [len(level.examples) for level in levels] == [3, 0, 1]
    assert levels[0].examples[0] == Example(
        "One. Aligns  sequences .", title="One", url="https://one.example/?a=1&b=2"
    )
    assert levels[0].examples[1].text == "Two"
    assert levels[2].examples[0].title == "Science & so on"


@pytest.mark.parametrize("name", ["Science/Biology/Bioinformatics", f"/{BRANCH}/", f" {BRANCH} "])
def test_a_branch_may_be_written_in_several_ways(dump: Path, name: str) -> None:
    assert read_branch(dump, name) == read_branch(dump, BRANCH)


def test_spaces_stand_for_underscores(dump: Path) -> None:
    assert read_branch(dump, "Science Fiction")[0].name == "Science Fiction"


def test_sub_categories_count_where_they_are_asked_for(dump: Path) -> None:
    assert [example.url for example in read_branch(dump, BRANCH, below=True)[0].examples][3:] == [
        "https://company.example/"
    ]


def test_a_level_holds_no_more_pages_than_asked_for(dump: Path) -> None:
    assert [len(level.examples) for level in read_branch(dump, BRANCH, per_level=2)] == [2, 0, 1]
    with pytest.raises(ConfigError, match="at least one page"):
        read_branch(dump, BRANCH, per_level=0)


def test_a_packed_dump_reads_the_same(dump: Path, tmp_path: Path) -> None:
    packed = tmp_path / "content.rdf.u8.gz"
    packed.write_bytes(gzip.compress(CONTENT[:500]) + gzip.compress(CONTENT[500:]))
    assert read_branch(packed, BRANCH) == read_branch(dump, BRANCH)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(block=st.integers(1, 2000))
def test_where_blocks_end_makes_no_difference(block: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("odp") / "content.rdf.u8"
    path.write_bytes(CONTENT)
    whole = read_branch(path, BRANCH, below=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(odp, "BLOCK", block)
        # The head must be seen at once, as it is with blocks of megabytes.
        if block >= len(HEAD):
            assert read_branch(path, BRANCH, below=True) == whole
            assert list(list_branches(path)) == [
                "Top/Arts",
                "Top/Science",
                "Top/Science/Biology",
                BRANCH,
                f"{BRANCH}/Companies",
            ]


def test_broken_characters_bare_ampersands_and_endless_lines_are_survived(tmp_path: Path) -> None:
    path = tmp_path / "content.rdf.u8"
    long = b"word " * 100_000
    path.write_bytes(
        HEAD
        + page(
            "Top/Science",
            "https://a.example/",
            b"R&D & caf\xe9 \xff\xfe",
            b"a\x00b\x0bc &lt;i&gt;d&lt;/i&gt; &bogus;",
        )
        + b"<broken <<< tag & \x01 \xc3( >\n"
        + page("Top/Science", "https://b.example/", b"Long", long)
        + TAIL
    )
    (level,) = read_branch(path, "Top/Science")
    assert level.examples[0].title == "R&D & caf\ufffd \ufffd\ufffd"
    assert level.examples[0].text.endswith("a b c  d  &bogus;")
    assert len(level.examples[1].text) > 400_000


def test_categories_with_letters_of_other_languages_are_found(tmp_path: Path) -> None:
    path = tmp_path / "content.rdf.u8"
    name = "Top/World/Espa\u00f1ol/R&D"
    path.write_bytes(HEAD + page(name.replace("&", "&amp;"), "https://a.example/") + TAIL)
    assert [len(level.examples) for level in read_branch(path, name)] == [1, 0, 0]


@pytest.mark.parametrize(
    ("asked", "meant"),
    [("Top/Science/Biology/Bioinformatic", BRANCH), ("Top/Arts/Bioinformatics", BRANCH)],
)
def test_a_branch_that_does_not_exist_is_refused_with_names_that_come_near(
    dump: Path, asked: str, meant: str
) -> None:
    with pytest.raises(ConfigError, match=f"has no category {asked}; did you mean {meant}"):
        read_branch(dump, asked)


def test_a_branch_with_half_a_character_is_refused(dump: Path) -> None:
    with pytest.raises(ConfigError, match="half a character"):
        read_branch(dump, "Top/Sci\udcffence")
    with pytest.raises(ConfigError, match="half a character"):
        list(list_branches(dump, "Top/\ud800"))


def test_a_branch_without_a_name_is_refused(dump: Path) -> None:
    for name in ("", "/", "Top"):
        with pytest.raises(ConfigError, match="names no branch"):
            read_branch(dump, name)


def test_what_is_no_dump_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "content.rdf.u8"
    with pytest.raises(ConfigError, match="There is no file"):
        read_branch(path, BRANCH)
    for data, sentence in {
        b"": "is empty",
        b"<html>no</html>" * 10_000: "is no dump",
        CONTENT[:-20]: f"cut short: it ends at byte {len(CONTENT) - 20} without </RDF>",
        gzip.compress(CONTENT)[:-30]: "cannot be read after byte",
        b"\x1f\x8b" + CONTENT: "cannot be read after byte 0",
    }.items():
        path.write_bytes(data)
        with pytest.raises(ConfigError, match=sentence):
            read_branch(path, BRANCH)


def test_an_entry_that_is_not_whole_is_refused_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "content.rdf.u8"
    whole = page("Top/Science", "https://a.example/")
    broken = {
        b"    <topic>Top/Science</topic>\n": "line 9: <topic> stands in no whole <ExternalPage>",
        whole.replace(b"</ExternalPage>", b""): "line 13: <topic> stands in no whole",
        whole.replace(b' about="https://a.example/"', b""): "line 9: <ExternalPage> has no address",
    }
    for part, sentence in broken.items():
        path.write_bytes(HEAD + whole + part + whole + TAIL)
        with pytest.raises(ConfigError, match=sentence):
            read_branch(path, "Top/Science")


def test_an_entry_without_end_does_not_fill_the_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(odp, "LONGEST_ENTRY", 10_000)
    monkeypatch.setattr(odp, "BLOCK", 5_000)
    path = tmp_path / "content.rdf.u8"
    path.write_bytes(HEAD + b'<ExternalPage about="https://a.example/">' + b"x" * 50_000 + TAIL)
    with pytest.raises(ConfigError, match="line 3: <ExternalPage> has no end"):
        read_branch(path, "Top/Science")


def test_progress_is_told_to_the_end(dump: Path) -> None:
    told: list[tuple[int, int]] = []
    read_branch(dump, BRANCH, progress=lambda done, size: told.append((done, size)))
    assert told == [(len(CONTENT), len(CONTENT))]


def test_branches_are_listed_by_how_they_start(dump: Path) -> None:
    assert list(list_branches(dump, "Top/Science/B")) == [
        "Top/Science/Biology",
        BRANCH,
        f"{BRANCH}/Companies",
    ]


def test_levels_are_written_as_a_topic_file_reads_them(dump: Path) -> None:
    levels = read_branch(dump, BRANCH)
    tables = tomllib.loads(levels_to_toml(levels))["topic"]["level"]
    assert [table["name"] for table in tables] == [level.name for level in levels]
    assert [
        [Example(example["text"], example["title"], example["url"]) for example in table["examples"]]
        for table in tables
    ] == [list(level.examples) for level in levels]
