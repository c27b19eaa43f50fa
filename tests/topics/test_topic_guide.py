"""The guide to writing a topic shows every form, and every form it shows works."""

import re
from pathlib import Path

import pytest

from honeyguide.topics.toml import EXAMPLES, KEYS, read_topic_file
from honeyguide.topics.vocabulary import read_vocabulary

GUIDE = (Path(__file__).parents[2] / "docs" / "how-to" / "write-a-topic.md").read_text(encoding="utf-8")
TOPICS = [block for block in re.findall(r"```toml\n(.*?)```", GUIDE, re.DOTALL) if "topic" in block]
FILES = {
    block.split("\n", 1)[0].removeprefix("# "): block.split("\n", 1)[1]
    for block in re.findall(r"```text\n(.*?)```", GUIDE, re.DOTALL)
}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    for name in ("pages/fact-sheet.html", "other/a.txt", "library/b.txt", "branch/Science/Biology/c.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("<p>text</p>")
    (tmp_path / "labelled.jsonl").write_text('{"text": "text"}\n')
    (tmp_path / "crawls" / "earlier").mkdir(parents=True)
    (tmp_path / "crawls" / "earlier" / "crawl.db").touch()
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize("block", TOPICS)
def test_every_topic_in_the_guide_can_be_read(home: Path, block: str) -> None:
    if "name =" not in block or block.startswith("[["):
        block = f'[topic]\nname = "x"\n{block.removeprefix("[topic]")}'
    (home / "topic.toml").write_text(block, encoding="utf-8")
    topic, _ = read_topic_file(home / "topic.toml")
    named = [key for key in KEYS if re.search(rf"^{key} =", block, re.MULTILINE)]
    assert named
    for key in named if "[[topic.level]]" not in block else ["branch"]:
        assert getattr(topic, key), key


def test_every_key_and_every_file_is_shown(home: Path) -> None:
    shown = "\n".join(TOPICS)
    for key in KEYS:
        assert re.search(rf"^{key} =|\[topic\.{key}\]", shown, re.MULTILINE), key
    assert set(EXAMPLES) <= set(KEYS)
    assert set(FILES) == {"terms.txt", "combine.txt", "diseases.obo", "session.txt"}
    assert len(list(read_vocabulary(home / "terms.txt"))) == 5
    assert [term.label for term in read_vocabulary(home / "combine.txt")] == ["B.16, D.14.22", "D", "X"]
