"""The report of a bench: complete, self-contained, the same every time, and unmoved by hostile names."""

import base64
import csv
import hashlib
import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import fake_bench
import numpy as np
import pytest
import turbohtml

from honeyguide.bench.report.analysis import analyse, bootstrap_band
from honeyguide.bench.report.results import read_results
from honeyguide.bench.report.writing import slugs, write_report
from honeyguide.errors import ConfigError
from honeyguide.statistics import bootstrap_interval

HOSTILE = "</script></title><img src=http://evil.test/x onerror=alert(1)>'\"|`&\x00\x1b ../../../up"


@pytest.fixture(scope="module")
def by_budget(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Protocol W: 6 topics, 4 strategies and 2 references, 2 settings."""
    folder = fake_bench.make_bench(tmp_path_factory.mktemp("w"))
    write_report(folder)
    return folder


@pytest.fixture(scope="module")
def by_recall(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Protocol K: 2 categories on 3 webs, until nothing is left."""
    folder = fake_bench.make_bench(
        tmp_path_factory.mktemp("k"),
        settings=("query",),
        topics=("course", "student"),
        groups=("cornell", "texas", "wisconsin"),
        budget=0,
    )
    write_report(folder)
    return folder


@pytest.fixture
def small(tmp_path: Path) -> Path:
    return fake_bench.make_bench(tmp_path / "bench", topics=("a", "b"), settings=("near",), budget=100)


def parsed(folder: Path) -> "turbohtml.Document":
    return turbohtml.parse((folder / "report.html").read_text(encoding="utf-8"))


def table_of(folder: Path, name: str) -> list[dict[str, str]]:
    with (folder / name).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def shown_rows(folder: Path, heading: str, caption: str) -> dict[str, list[str]]:
    """The cells of a table in a setting's section, by the name of the row."""
    for section in parsed(folder).select("section"):
        if section.select_one("h2").text.strip() != heading:
            continue
        for table in section.select("table"):
            if table.select_one("caption").text.strip() == caption:
                return {
                    row.select_one("th").text.strip(): [cell.text.strip() for cell in row.select("td")]
                    for row in table.select("tbody tr")
                }
    raise AssertionError(f"no table {caption} in {heading}")


def test_the_means_are_those_of_summary_csv(by_budget: Path) -> None:
    checked = 0
    for line in table_of(by_budget, "summary.csv"):
        cells = shown_rows(by_budget, line["setting"], "Means over topics")[line["strategy"]]
        figures = {
            name: float(value) for name, value in line.items() if name not in ("strategy", "judge", "setting")
        }
        assert cells[0] == f"{figures['topics']:.0f}"
        efficiency = [f"{figures[f'efficiency{end}']:.3f}" for end in ("", "_low", "_high")]
        assert re.findall(r"[\d.]+", cells[1]) == efficiency
        rest = [name for name in figures if name.startswith(("recall", "harvest", "near", "similarity"))]
        assert cells[2:] == [f"{figures[name]:.3f}" for name in rest]
        cost = shown_rows(by_budget, line["setting"], "What it cost")[line["strategy"]]
        assert cost == [
            f"{figures['misses']:,.1f}",
            f"{figures['cpu_ms_per_page']:,.2f}",
            f"{figures['cpu_us_per_link']:,.2f}",
            f"{figures['peak_mb']:,.1f}",
        ]
        checked += 1
    assert checked == 12


def test_each_against_the_leader_is_what_paired_csv_says(by_budget: Path) -> None:
    pairs = [row for row in table_of(by_budget, "paired.csv") if row["role"] == "best"]
    assert len(pairs) == 10
    for row in pairs:
        shown = shown_rows(by_budget, row["setting"], f"{row['against']} against each other one")
        cells = shown[f"{row['against']} − {row['strategy']}"]
        difference, low, high = (float(figure) for figure in re.findall(r"[-+][\d.]+", cells[0]))
        assert difference == pytest.approx(-float(row["difference"]), abs=6e-4)
        assert (low, high) == (
            pytest.approx(-float(row["high"]), abs=6e-3),
            pytest.approx(-float(row["low"]), abs=6e-3),
        )
        assert cells[1:4] == [row["losses"], row["wins"], row["ties"]]
        assert float(cells[4]) == pytest.approx(float(row["p"]), abs=6e-4)


def test_precision_is_told_for_every_category_and_drawn_over_recall(by_recall: Path) -> None:
    for line in table_of(by_recall, "summary.csv"):
        over = "all categories" if line["category"] == "all" else line["category"]
        cells = shown_rows(by_recall, "query", f"Means: {over}")[line["strategy"]]
        levels = [f"{kind}_{level}" for kind in ("precision", "f1") for level in (10, 50, 100)]
        assert cells[0] == line["topics"]
        assert cells[1:7] == [f"{float(line[name]):.3f}" for name in levels]
        assert cells[7].startswith(f"{float(line['mean_precision']):.3f}")
    titles = [drawn.text for drawn in parsed(by_recall).select("figure svg title")]
    assert "Precision by recall: course (query)" in titles
    assert "Precision by recall: student (query)" in titles
    assert not any("Recall by fetch" in title for title in titles)


def test_precision_curves_meet_the_table_at_its_levels(by_recall: Path) -> None:
    data = json.loads((by_recall / "report.json").read_text())
    for line in table_of(by_recall, "summary.csv"):
        if line["category"] == "all":
            continue
        number = next(n for n, one in enumerate(data["contenders"]) if one["strategy"] == line["strategy"])
        curves = data["settings"][0]["precision"][line["category"]]
        curve = next(one for one in curves if one["contender"] == number)
        at = dict(zip(curve["x"], curve["mean"], strict=True))
        assert at[0.1] == pytest.approx(float(line["precision_10"]), abs=1e-4)
        assert at[0.5] == pytest.approx(float(line["precision_50"]), abs=1e-4)


def test_curves_pass_through_the_recall_and_harvest_of_the_table(by_budget: Path) -> None:
    data = json.loads((by_budget / "report.json").read_text())
    labels = [one["strategy"] for one in data["contenders"]]
    lines = {(row["setting"], row["strategy"]): row for row in table_of(by_budget, "summary.csv")}
    for setting in data["settings"]:
        for kind in ("recall", "harvest"):
            assert len(setting[kind]) == len(labels)
            for curve in setting[kind]:
                line = lines[setting["name"], labels[curve["contender"]]]
                at = dict(zip(curve["x"], curve["mean"], strict=True))
                for fetches in (100, 300, 1000):
                    assert at[fetches] == pytest.approx(float(line[f"{kind}_{fetches}"]), abs=1e-4)
                assert all(
                    low <= mean + 1e-4 and mean <= high + 1e-4
                    for low, mean, high in zip(curve["low"], curve["mean"], curve["high"], strict=True)
                )


def test_a_band_is_as_wide_as_the_interval_of_each_point() -> None:
    values = np.random.default_rng(3).uniform(size=(30, 2))
    low, high = bootstrap_band(values)
    for column in range(2):
        interval = bootstrap_interval(values[:, column])
        assert (low[column], high[column]) == pytest.approx(tuple(interval), abs=0.01)


def test_overlap_is_the_share_of_pages_that_two_have_in_common(small: Path) -> None:
    findings = analyse(read_results(small))
    setting = findings.settings[0]
    logs = [json.loads(file.read_text()) for file in sorted((small / "crawls").glob("*.json"))]
    one, other = (findings.contenders[index].strategy for index in setting.overlap_of[:2])
    shares = []
    for topic in ("a", "b"):
        pages = {log["strategy"]: set(log["fetched"]) for log in logs if log["topic"] == topic}
        shares.append(len(pages[one] & pages[other]) / len(pages[one] | pages[other]))
    assert setting.overlap[0][1] == setting.overlap[1][0] == pytest.approx(sum(shares) / 2, abs=1e-4)
    assert setting.overlap[0][0] == 1


def test_a_crawl_that_ended_early_keeps_its_last_value(tmp_path: Path) -> None:
    folder = fake_bench.make_bench(tmp_path / "b", topics=("a",), settings=("near",), budget=100)
    file = sorted((folder / "crawls").glob("*.json"))[0]
    log = json.loads(file.read_text())
    log |= {"fetched": log["fetched"][:10], "relevance": log["relevance"][:10], "hits": [2, 5], "targets": 4}
    file.write_text(json.dumps(log))
    findings = analyse(read_results(folder))
    number = next(n for n, one in enumerate(findings.contenders) if one.strategy == log["strategy"])
    recall = next(curve for curve in findings.settings[0].recall if curve.contender == number)
    harvest = next(curve for curve in findings.settings[0].harvest if curve.contender == number)
    assert recall.mean[-1] == recall.mean[5] == 0.5
    assert harvest.mean[-1] == 0.2


@pytest.mark.parametrize("kind", ["by_budget", "by_recall"])
def test_the_page_needs_nothing_from_outside(kind: str, request: pytest.FixtureRequest) -> None:
    folder = request.getfixturevalue(kind)
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert not re.search(r"(?:https?:)?//[a-z]", page)
    assert "url(" not in page
    assert "@import" not in page
    document = parsed(folder)
    for element in document.select("*"):
        assert not {"src", "srcset", "xlink:href", "action", "data"} & set(element.attrs)
        assert not any(name.startswith("on") for name in element.attrs)
        assert element.attrs.get("href", "#").startswith("#")
    assert len(document.select("script")) == 1
    assert not document.select("link, iframe, img, object, embed, base")
    script = document.select_one("script").text
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = document.select_one("meta[http-equiv]").attrs["content"]
    assert policy == f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"


def test_the_page_can_be_read_without_seeing_it_or_running_scripts(by_budget: Path) -> None:
    document = parsed(by_budget)
    assert document.select_one("html").attrs["lang"] == "en"
    for table in document.select("table"):
        assert table.select_one("caption").text.strip()
        assert all(head.attrs["scope"] == "col" for head in table.select("thead th"))
        assert all(row.select_one("th").attrs["scope"] == "row" for row in table.select("tbody tr"))
    ids = [element.attrs["id"] for element in document.select("[id]")]
    assert len(ids) == len(set(ids))
    figures = document.select("svg[role=img]")
    assert len(figures) == 2 * (7 + 6)
    for figure in figures:
        assert set(figure.attrs["aria-labelledby"].split()) <= set(ids)
    assert all("hidden" not in element.attrs for element in document.select("*"))
    topics = [row.select_one("span").text for row in document.select("details.topic summary")]
    assert sorted(topics) == sorted(fake_bench.TOPICS * 2)


def test_each_figure_also_lies_there_on_its_own(by_budget: Path) -> None:
    files = sorted((by_budget / "figures").iterdir())
    assert len(files) == 2 * (7 + 6)
    for file in files:
        root = ET.fromstring(file.read_bytes())
        assert float(root.get("width") or 0) > 100
        assert not re.search(r"href|url\(|@import", file.read_text())


def test_the_same_results_give_the_same_bytes(by_budget: Path, tmp_path: Path) -> None:
    again = fake_bench.make_bench(tmp_path / "again")
    write_report(again)
    made = sorted(
        file.relative_to(again) for file in again.rglob("*") if file.suffix in (".html", ".md", ".svg")
    )
    assert len(made) > 20
    for file in [*made, Path("report.json")]:
        assert (again / file).read_bytes() == (by_budget / file).read_bytes(), file


def test_hostile_names_are_only_ever_text(tmp_path: Path) -> None:
    folder = fake_bench.make_bench(
        tmp_path / "bench",
        strategies={HOSTILE: 2.0, "plain": 1.0},
        judges=(HOSTILE + " judge",),
        settings=(HOSTILE, HOSTILE.upper()),
        topics=(HOSTILE, HOSTILE + "!"),
        groups=(HOSTILE,),
        budget=50,
    )
    for file in (folder / "crawls").glob("*.json"):
        file.write_text(json.dumps(json.loads(file.read_text()) | {"group": "half a sign: \ud800"}))
    write_report(folder)
    document = parsed(folder)
    assert not document.select("img")
    assert len(document.select("script")) == 1
    assert not any(name.startswith("on") for element in document.select("*") for name in element.attrs)
    assert "<img" in document.select_one("h2").text
    for file in (folder / "figures").iterdir():
        assert ET.fromstring(file.read_bytes()).tag.endswith("svg")
        assert re.fullmatch(r"[a-z0-9-]+\.svg", file.name)
    assert {file.name for file in tmp_path.iterdir()} == {"bench"}
    for line in (folder / "report.md").read_text(encoding="utf-8").splitlines():
        assert not re.search(r"(?<!\\)<", line)
    json.loads((folder / "report.json").read_text(encoding="utf-8"))


def test_many_contenders_get_a_panel_each_and_all_stay_told_apart(tmp_path: Path) -> None:
    folder = fake_bench.make_bench(
        tmp_path,
        strategies={f"strategy-{n}": 1 + n / 4 for n in range(9)},
        judges=("cosine", "svm"),
        settings=("near",),
        topics=("a", "b"),
        budget=60,
    )
    write_report(folder)
    names = {file.stem for file in (folder / "figures").iterdir()}
    assert {"near-recall-panels", "near-harvest-panels"} <= names
    assert "strategy-8 + svm" in shown_rows(folder, "near", "Means over topics")


def test_one_crawl_alone_makes_a_report(tmp_path: Path) -> None:
    folder = fake_bench.make_bench(
        tmp_path, strategies={"only": 1.0}, settings=("near",), topics=("a",), budget=20, references=False
    )
    assert write_report(folder) == folder / "report.html"
    assert "only leads" in (folder / "report.md").read_text()


def test_a_setting_without_judge_scores_or_hits_is_drawn_all_the_same(small: Path) -> None:
    for file in (small / "crawls").glob("*.json"):
        log = json.loads(file.read_text())
        log |= {"relevance": [], "hits": [], "fetched": [], "targets": 0}
        file.write_text(json.dumps(log))
    write_report(small)


def test_the_markdown_has_every_table(by_budget: Path) -> None:
    text = (by_budget / "report.md").read_text(encoding="utf-8")
    assert "# Bench report" in text
    assert "## near" in text
    assert "## far" in text
    for caption in ("Means over topics", "What it cost", "Efficiency on every topic"):
        assert text.count(f"**{caption}**") == 2
    tables = re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE)
    for table in tables:
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in table.splitlines()}) == 1


def test_names_become_safe_and_stay_different() -> None:
    assert slugs(["../../etc", "etc", "A b", "", "!"]) == ["etc", "etc-2", "a-b", "unnamed", "unnamed-2"]


def _no_folder(folder: Path) -> None:
    for file in sorted(folder.rglob("*"), reverse=True):
        file.rmdir() if file.is_dir() else file.unlink()
    folder.rmdir()


def _no_logs(folder: Path) -> None:
    for file in (folder / "crawls").iterdir():
        file.unlink()


def _edit(folder: Path, **values: object) -> None:
    file = next(iter(sorted((folder / "crawls").glob("*.json"))))
    file.write_text(json.dumps(json.loads(file.read_text()) | values))


SPOILT = {
    "no folder": (_no_folder, "is not a folder"),
    "no tables": (lambda folder: (folder / "summary.csv").unlink(), "summary.csv cannot be read"),
    "no crawls": (_no_logs, "holds no finished crawls"),
    "no lines": (
        lambda folder: (folder / "summary.csv").write_text("strategy,judge,setting\n"),
        "holds no finished crawls",
    ),
    "another table": (lambda folder: (folder / "summary.csv").write_text("a,b\n1,2\n"), "no column strategy"),
    "bytes": (
        lambda folder: (folder / "summary.csv").write_bytes(b"\xff\xfe\x00"),
        "summary.csv cannot be read",
    ),
    "half a log": (
        lambda folder: (folder / "crawls" / "x.json").write_text('{"fetched": ['),
        "is not a crawl log",
    ),
    "a list": (lambda folder: (folder / "crawls" / "x.json").write_text("[1]"), "is not a crawl log"),
    "hits out of order": (lambda folder: _edit(folder, hits=[3, 2]), "hits"),
    "no number": (lambda folder: _edit(folder, budget="many"), "many"),
    "no targets": (lambda folder: _edit(folder, targets=None), "is not a crawl log"),
    "no metrics": (lambda folder: _edit(folder, metrics=None), "is not a crawl log"),
    "a strange setting": (
        lambda folder: (folder / "summary.csv").write_text("strategy,judge,setting\nx,y,nowhere\n"),
        "'nowhere', of which there is no crawl",
    ),
    "a stranger": (
        lambda folder: (folder / "summary.csv").write_text("strategy,judge,setting\nx,y,near\n"),
        "of which there is no crawl",
    ),
}


@pytest.mark.parametrize("spoilt", SPOILT)
def test_a_folder_that_is_not_a_bench_gets_a_sentence(small: Path, spoilt: str) -> None:
    spoil, sentence = SPOILT[spoilt]
    spoil(small)
    with pytest.raises(ConfigError, match=sentence) as raised:
        write_report(small)
    assert str(raised.value).endswith(".")
    assert "\n" not in str(raised.value)


def test_the_command_writes_the_report_and_says_where(small: Path) -> None:
    command = [sys.executable, "-m", "honeyguide", "report"]
    done = subprocess.run([*command, str(small)], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert str(small / "report.html") in done.stdout.replace("\n", "")
    failed = subprocess.run(
        [*command, str(small / "no")], capture_output=True, text=True, timeout=60, check=False
    )
    assert failed.returncode == 2
    assert "is not a folder" in failed.stderr


def test_a_judges_scores_are_also_boxes_with_a_few_of_their_outliers(by_budget: Path) -> None:
    data = json.loads((by_budget / "report.json").read_text())
    for setting in data["settings"]:
        assert len(setting["score_spreads"]) == len(data["contenders"])
        for spread in setting["score_spreads"]:
            five = [spread[name] for name in ("low", "first", "median", "third", "high")]
            assert five == sorted(five)
            assert len(spread["outliers"]) <= 40
    assert (by_budget / "figures" / "near-score-boxes.svg").exists()


def test_a_crawl_log_of_an_unknown_kind_is_a_sentence(tmp_path: Path) -> None:
    folder = fake_bench.make_bench(tmp_path / "b", topics=("a",), settings=("near",), budget=20)
    file = next((folder / "crawls").iterdir())
    file.write_text(json.dumps({**json.loads(file.read_text()), "figure": "luck"}))
    with pytest.raises(ConfigError, match="luck"):
        write_report(folder)
