"""A branch of a web directory as folders in folders."""

from pathlib import Path

import pytest

from honeyguide.errors import ConfigError
from honeyguide.model import Example, Level
from honeyguide.topics.branch import read_branch


def make(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def test_the_deepest_folder_is_the_topic_and_a_level_may_be_empty(tmp_path: Path) -> None:
    folder = make(
        tmp_path / "branch",
        {
            "Science/science.html": "<p>science</p>",
            "Science/Biology/Bioinformatics/b.txt": "sequences",
            "Science/Biology/Bioinformatics/urls.txt": "# good ones\nhttps://a.org/\n\nhttps://b.org/\n",
        },
    )
    deepest = folder / "Science" / "Biology" / "Bioinformatics"
    assert read_branch(folder, "topic.toml, line 3") == (
        Level(
            "Bioinformatics",
            (
                Example("", url=(deepest / "b.txt").as_uri()),
                Example("", url="https://a.org/"),
                Example("", url="https://b.org/"),
            ),
        ),
        Level("Biology"),
        Level("Science", (Example("", url=(folder / "Science" / "science.html").as_uri()),)),
    )


def test_the_outermost_folder_is_a_level_if_it_holds_examples(tmp_path: Path) -> None:
    folder = make(tmp_path / "Top", {"top.txt": "all", "Science/s.txt": "science"})
    assert [level.name for level in read_branch(folder, "here")] == ["Science", "Top"]


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        ({"A/a.txt": "a", "B/b.txt": "b"}, "here: a branch is one folder in the other, and .* holds A and B"),
        ({"A/B/.hidden": "b"}, "here: no folder of the branch .* holds an example"),
        ({"A/a.txt": "  "}, "here: the file .*a.txt is empty"),
        ({"A/urls.txt": "example.org\n"}, r"urls.txt, line 1: 'example.org' is not a web address"),
        ({"/".join("x" * 60) + "/a.txt": "a"}, "more than 50 folders deep"),
    ],
)
def test_what_is_no_branch_is_said_to_be_none(tmp_path: Path, files: dict[str, str], sentence: str) -> None:
    with pytest.raises(ConfigError, match=sentence):
        read_branch(make(tmp_path / "branch", files), "here")


def test_a_branch_that_is_nowhere(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="here: there is no folder"):
        read_branch(tmp_path / "nowhere", "here")
