"""honeyguide fit-guide: weights of guide for one's own kind of crawls, and crawls that use them."""

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from command_line import honeyguide
from demo_crawl import crawl_demo, demo_settings
from handmade_crawl import Made, make_crawl

from honeyguide.assemble import create
from honeyguide.demo.server import ServedWeb, serving
from honeyguide.errors import ConfigError, CrawlError
from honeyguide.model import Topic
from honeyguide.opening import settings_of
from honeyguide.refitting import observed, refit, sources
from honeyguide.strategies.promises import FEATURES, weights_in


@pytest.fixture(scope="module")
def web() -> Iterator[ServedWeb]:
    with serving() as web:
        yield web


@pytest.fixture(scope="module")
def crawl(web: ServedWeb, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("fit") / "crawl"
    crawl_demo(web, folder, pages=60, delay=0.01, judge={"use": "cosine"}, reading={"processes": 0})
    return folder


@pytest.fixture(scope="module")
def weights(crawl: Path) -> Path:
    file = crawl.parent / "own.json"
    said = honeyguide("fit-guide", crawl, "--out", file).stdout
    assert "moments of 1 crawl" in said
    assert f"--strategy guide:weights={file}" in said
    assert all(name in said for name in FEATURES)
    return file


def test_weights_are_fitted_to_a_crawl_and_say_to_which(crawl: Path, weights: Path) -> None:
    table = json.loads(weights.read_text(encoding="utf-8"))
    assert table["version"] == 1
    assert table["topics"] == ["dengue fever"]
    assert table["sources"]["crawls"] == [crawl.name]
    assert len(table["digest"]) == 64
    assert (weights_in(str(weights)).deviations > 0).all()
    again = observed(crawl, visits=10_000)
    assert refit([again]).table(sources([crawl], [again])) == table
    fewer = observed(crawl, visits=30)
    assert len(fewer.looks) < len(again.looks)
    assert sources([crawl], [fewer]) != table["sources"]


def test_a_crawl_uses_weights_of_ones_own(
    web: ServedWeb, weights: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(weights.parent)
    settings = demo_settings(web, strategy="guide", pages=5, delay=0.01)
    settings["strategy"]["weights"] = weights.name
    create(tmp_path / "crawl", Topic("dengue fever", seeds=web.seeds), settings)
    assert settings_of(tmp_path / "crawl")["strategy"]["weights"] == str(weights)
    monkeypatch.chdir(tmp_path)
    honeyguide("resume", "crawl")


def test_a_topic_file_names_weights_beside_it(web: ServedWeb, weights: Path, tmp_path: Path) -> None:
    (tmp_path / "own.json").write_bytes(weights.read_bytes())
    file = tmp_path / "dengue.toml"
    file.write_text(
        f'[topic]\nname = "dengue fever"\nseeds = ["{web.seeds[0]}"]\n[strategy]\nuse = "guide"\nweights = "own.json"\n'
        f"[dns]\nallow_private = true\n[dns.hosts]\n"
        + "".join(f'"{name}" = "{address}"\n' for name, address in web.hosts.items())
    )
    honeyguide("crawl", file, "--pages", 2, "--out", tmp_path / "crawl")
    config = tomllib.loads((tmp_path / "crawl" / "config.toml").read_text(encoding="utf-8"))
    assert config["strategy"]["weights"] == str(tmp_path / "own.json")


def test_weights_that_are_missing_or_broken_are_told_of_before_anything_is_made(tmp_path: Path) -> None:
    (tmp_path / "broken.json").write_text("{")
    for name, sentence in (
        ("none.json", "cannot be read: No such file"),
        ("broken.json", "holds no weights"),
    ):
        file, folder = tmp_path / name, tmp_path / "crawl"
        arguments = ("dengue", "--seed", "http://127.0.0.1:9/", "--strategy", f"guide:weights={file}")
        done = honeyguide("crawl", *arguments, "--out", folder, "--contact", "a@b.example", code=2)
        assert sentence in done.stderr
        assert not folder.exists()
    settings = {"strategy": {"use": "guide", "weights": str(tmp_path / "none.json")}}
    with pytest.raises(ConfigError, match=r"none\.json cannot be read"):
        create(tmp_path / "crawl", Topic("dengue", seeds=("http://127.0.0.1:9/",)), settings)


def test_what_cannot_be_fitted_to_is_told_of_in_a_sentence(crawl: Path, tmp_path: Path) -> None:
    assert "holds no crawl" in honeyguide("fit-guide", tmp_path, code=2).stderr
    done = honeyguide("fit-guide", crawl, "--out", tmp_path / "no" / "w.json", code=2)
    assert "there is no folder" in done.stderr

    def made(name: str, relevant: list[bool]) -> Path:
        pages = [Made(f"https://site{n}.example/{n}", says, f"Page {n}") for n, says in enumerate(relevant)]
        return make_crawl(tmp_path / name, pages)

    for folder, sentence in (
        (made("small", [True, False]), "small has 2 pages, too few"),
        (made("on", [True] * 40), "All pages of .*on are on topic"),
        (made("off", [False] * 40), "All pages of .*off are off topic"),
        (made("apart", [True, False] * 20), "At no moment"),
    ):
        with pytest.raises(CrawlError, match=rf"{sentence}.*\.$"):
            observed(folder, visits=100)
