"""A bench's report: a page to look at, tables to paste, data to draw again, figures for papers."""

import json
import re
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from honeyguide.bench.report.analysis import analyse
from honeyguide.bench.report.findings import Findings
from honeyguide.bench.report.page import Part, page, sentence
from honeyguide.bench.report.plots import setting_figures, task_figure
from honeyguide.bench.report.results import Results, read_results
from honeyguide.bench.report.tables import cost_table, paired_tables, summary_tables, task_table
from honeyguide.errors import ConfigError


def write_report(folder: Path) -> Path:
    """Write report.html, report.md, report.json and figures/ into a bench's folder; the page's path is returned."""
    results = read_results(folder)
    findings = analyse(results)
    facts = _facts(results, findings)
    parts = _parts(findings)
    try:
        (folder / "figures").mkdir(exist_ok=True)
        for part in parts:
            for drawing in (*part.figures, *part.tasks):
                _write(folder / "figures" / f"{drawing.name}.svg", drawing.file())
        _write(folder / "report.json", _data(findings))
        _write(folder / "report.md", _markdown(findings, facts, parts))
        _write(folder / "report.html", page(findings, facts, parts))
    except OSError as error:
        raise ConfigError(f"The report cannot be written to {folder}: {error.strerror}.") from error
    return folder / "report.html"


def slugs(names: Sequence[str]) -> list[str]:
    """A short name for each that is safe in a file's name and in a link, no two the same."""
    made: list[str] = []
    for name in names:
        slug = re.sub(r"[^a-z0-9]+", "-", name.lower())[:60].strip("-") or "unnamed"
        same, number = slug, 2
        while slug in made:
            slug, number = f"{same}-{number}", number + 1
        made.append(slug)
    return made


def _parts(findings: Findings) -> list[Part]:
    parts = []
    for setting, slug in zip(findings.settings, slugs([one.name for one in findings.settings]), strict=True):
        tasks = slugs([f"{task.topic} {task.group}" for task in setting.tasks])
        parts.append(
            Part(
                setting,
                slug,
                summary_tables(findings, setting),
                paired_tables(findings, setting),
                cost_table(findings, setting),
                setting_figures(findings, setting, slug),
                [
                    task_figure(findings, task, f"{slug}-topic-{name}")
                    for task, name in zip(setting.tasks, tasks, strict=True)
                ],
            )
        )
    return parts


def _facts(results: Results, findings: Findings) -> list[tuple[str, str]]:
    """What was compared; no date, so that the same results give the same report."""
    crawls = results.crawls
    budgets = sorted({crawl.budget for crawl in crawls})
    judges = sorted({crawl.contender.judge for crawl in crawls})
    tasks = {(crawl.setting, *crawl.task) for crawl in crawls}
    return [
        ("Protocol", ", ".join(results.facts["protocol"]) or "–"),
        ("Contenders", ", ".join(findings.labels)),
        ("Judge" if len(judges) == 1 else "Judges", ", ".join(judges)),
        ("Settings", ", ".join(setting.name for setting in findings.settings)),
        ("Crawls", f"{len(crawls):,} over {len(tasks):,} tasks"),
        (
            "Budget",
            ", ".join(f"{budget:,} fetches" if budget else "until nothing is left" for budget in budgets),
        ),
        ("Corpus", ", ".join(results.facts["corpus_digest"]) or "–"),
        ("Code", ", ".join(results.facts["code_version"]) or "–"),
    ]


def _data(findings: Findings) -> str:
    data = asdict(findings)
    data["contenders"] = [
        {**contender._asdict(), "label": label, "reference": contender.is_reference}
        for contender, label in zip(findings.contenders, findings.labels, strict=True)
    ]
    del data["labels"]
    return json.dumps(data, ensure_ascii=True, allow_nan=False, indent=None, separators=(",", ":")) + "\n"


def _markdown(findings: Findings, facts: Sequence[tuple[str, str]], parts: Sequence[Part]) -> str:
    lines = ["# Bench report", "", *(f"- {name}: {_plain(value)}" for name, value in facts), ""]
    for part in parts:
        lines += [f"## {_plain(part.setting.name)}", "", _plain(sentence(findings, part.setting)), ""]
        for table in (*part.tables, *part.pairs, part.cost, task_table(findings, part.setting)):
            lines += [table.markdown()]
    return "\n".join(lines)


def _plain(text: str) -> str:
    return re.sub(r"([\\`*_\[\]<>|])", r"\\\1", " ".join(text.split()))


def _write(file: Path, text: str) -> None:
    file.write_text(text, encoding="utf-8", errors="replace", newline="\n")
