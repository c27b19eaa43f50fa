"""honeyguide report on a crawl, as a person uses it."""

import json
from functools import partial
from pathlib import Path

import pytest
from command_line import honeyguide
from handmade_crawl import Made, make_crawl

URLS = [f"http://{host}.test/{number}" for number in range(60) for host in ("a", "b")]


report = partial(honeyguide, "report")


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    return make_crawl(tmp_path / "crawl", [Made(url, url in URLS[:50]) for url in URLS])


def labels(tmp_path: Path, rows: list[str]) -> Path:
    file = tmp_path / "labels.tsv"
    file.write_text("\n".join(["url\ttopic", *rows]) + "\n")
    return file


def test_a_crawl_is_scored_with_labels(crawl: Path, tmp_path: Path) -> None:
    targets = [*URLS[:30], *URLS[110:], "http://c.test/never"]
    file = labels(tmp_path, [f"{url}\tFevers" for url in targets])
    figures = json.loads(report(crawl, "--labels", file, "--json").stdout)
    assert (figures["fetched"], figures["found"], figures["labelled"], figures["hosts"]) == (120, 40, 41, 2)
    assert figures["harvest"] == {"100": 0.3, "120": pytest.approx(40 / 120)}
    assert figures["recall"] == {"100": pytest.approx(30 / 41), "120": pytest.approx(40 / 41)}
    assert 0.5 < figures["efficiency"] < 1
    assert figures["scores"]["median"] == pytest.approx(0.1)
    shown = report(crawl, "--labels", file).stdout
    assert "40 of 41 labelled pages" in shown
    assert "0.300" in shown


def test_of_several_labels_one_must_be_chosen(crawl: Path, tmp_path: Path) -> None:
    file = labels(tmp_path, [f"{URLS[0]}\tFevers", f"{URLS[1]}\tBirds"])
    assert "--topic" in report(crawl, "--labels", file, code=2).stderr
    assert "no label 'Fish'" in report(crawl, "--labels", file, "--topic", "Fish", code=2).stderr
    chosen = report(crawl, "--labels", file, "--topic", "Birds", "--json").stdout
    assert json.loads(chosen)["labelled"] == 1


def test_a_crawl_needs_labels_and_only_a_crawl_takes_them(crawl: Path, tmp_path: Path) -> None:
    assert "--labels" in report(crawl, code=2).stderr
    file = labels(tmp_path, [f"{URLS[0]}\tFevers"])
    assert "holds no crawl" in report(tmp_path, "--labels", file, code=2).stderr
