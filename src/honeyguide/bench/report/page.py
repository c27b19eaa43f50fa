"""The report as one HTML page that needs nothing else: no network, and a script only for sorting tables."""

import base64
import hashlib
from collections.abc import Sequence
from importlib.resources import files
from typing import NamedTuple

from honeyguide.bench.report.axes import ceiling
from honeyguide.bench.report.findings import Findings, Setting
from honeyguide.bench.report.marks import Mark, key, strip
from honeyguide.bench.report.markup import Markup, escaped, joined, tag
from honeyguide.bench.report.svg import Drawing, looks
from honeyguide.bench.report.table_markup import Table
from honeyguide.bench.report.tables import said

WIDE = 600.0
"""A figure wider than this gets a row of its own."""


class Part(NamedTuple):
    """What the report shows of one setting."""

    setting: Setting
    slug: str
    tables: Sequence[Table]
    pairs: Sequence[Table]
    cost: Table
    figures: Sequence[Drawing]
    tasks: Sequence[Drawing]


def page(findings: Findings, facts: Sequence[tuple[str, str]], parts: Sequence[Part]) -> str:
    """The whole page; the same findings give the same bytes."""
    script = files("honeyguide.bench.report").joinpath("report.js").read_text(encoding="utf-8")
    style = files("honeyguide.bench.report").joinpath("report.css").read_text(encoding="utf-8")
    allowed = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{allowed}'"
    head = tag(
        "head",
        Markup('<meta charset="utf-8"/>'),
        tag("meta", http_equiv="Content-Security-Policy", content=policy),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("title", "Honeyguide bench report"),
        tag("style", Markup(style)),
    )
    links = [tag("a", part.setting.name or "results", href=f"#{part.slug}") for part in parts]
    body = tag(
        "body",
        tag(
            "header",
            tag("h1", "Bench report"),
            tag("p", "Strategies compared on recorded webs, by labels that no crawl saw.", class_="lead"),
            tag("dl", *(joined([tag("dt", name), tag("dd", value)]) for name, value in facts)),
            tag("nav", *links, aria_label="Settings") if len(links) > 1 else "",
        ),
        tag("main", *(_part(findings, part) for part in parts)),
        tag("footer", _notes(findings, parts)),
        tag("script", Markup(script)),
    )
    return f'<!DOCTYPE html>\n<html lang="en">{head}{body}</html>\n'


def sentence(findings: Findings, setting: Setting) -> str:
    """What to take home from a setting."""
    leader = findings.leader(setting)
    if leader is None:
        return "Only references were run."
    means = {spread.contender: spread.mean for spread in setting.spreads}
    words = f"{findings.labels[leader]} leads with {_a(said(setting.headline))} of {means[leader]:.3f}"
    rivals = [index for index in means if index != leader and not findings.is_reference(index)]
    if not rivals:
        return f"{words}."
    second = max(rivals, key=lambda index: (means[index], -index))
    pairs = [pair if pair.one == leader else pair.turned() for pair in setting.paired]
    pair = next((pair for pair in pairs if (pair.one, pair.other) == (leader, second)), None)
    words += f", before {findings.labels[second]} with {means[second]:.3f}"
    if pair is None:
        return f"{words}."
    clear = "a clear difference" if pair.p < 0.05 else "not a clear difference"
    return f"{words}: better on {pair.wins} of {pair.tasks} tasks, worse on {pair.losses} (p = {pair.p:.3g}, {clear})."


def _part(findings: Findings, part: Part) -> Markup:
    setting = part.setting
    shown = [
        tag("h2", setting.name or "Results", id=part.slug),
        tag("p", sentence(findings, setting)),
        *(table.html() for table in part.tables),
        tag("h3", "Figures"),
        _legend(findings, setting),
        tag("div", *map(_figure, part.figures), class_="figures"),
    ]
    if part.pairs:
        shown += [tag("h3", "Contender against contender"), part.pairs[0].html()]
        shown += [_more(table) for table in part.pairs[1:]]
    shown += [part.cost.html(), tag("h3", "Topic by topic"), *_tasks(findings, part)]
    return tag("section", *shown, aria_labelledby=part.slug)


def _more(table: Table) -> Markup:
    return tag("details", tag("summary", f"{table.caption} ({len(table.rows)})"), table.html(), class_="more")


def _figure(drawing: Drawing) -> Markup:
    caption = tag("figcaption", drawing.title, tag("span", drawing.note) if drawing.note else "")
    return tag("figure", caption, drawing.inline(), class_="wide" if drawing.width > WIDE else None)


def _legend(findings: Findings, setting: Setting) -> Markup:
    drawn = looks(contender.is_reference for contender in findings.contenders)
    return tag(
        "ul",
        *(
            tag("li", key(drawn[spread.contender]), findings.labels[spread.contender])
            for spread in setting.spreads
        ),
        class_="legend",
    )


def _tasks(findings: Findings, part: Part) -> list[Markup]:
    drawn = looks(contender.is_reference for contender in findings.contenders)
    top = ceiling([run.value for task in part.setting.tasks for run in task.runs])
    scale = tag(
        "span",
        tag("span", "0"),
        tag("span", said(part.setting.headline)),
        tag("span", f"{top:g}"),
        class_="scale",
    )
    head = tag(
        "div",
        "",
        *(tag("span", words) for words in ("", "topic", "targets")),
        scale,
        tag("span", "best"),
        class_="topics-head",
    )
    rows = [head]
    for task, drawing in zip(part.setting.tasks, part.tasks, strict=True):
        marks = [
            Mark(drawn[run.contender], run.value, label=findings.labels[run.contender]) for run in task.runs
        ]
        fair = [run for run in task.runs if not findings.is_reference(run.contender)]
        best = max(fair, key=lambda run: (run.value, -run.contender), default=None)
        name = f"{task.topic} · {task.group}" if task.group else task.topic
        rows.append(
            tag(
                "details",
                tag(
                    "summary",
                    tag("span", name, title=name),
                    tag("span", f"{task.targets}"),
                    strip(marks, top),
                    tag("span", f"{findings.labels[best.contender]} {best.value:.3f}" if best else "–"),
                ),
                tag("figure", drawing.inline()),
                class_="topic",
            )
        )
    return rows


def _notes(findings: Findings, parts: Sequence[Part]) -> Markup:
    references = [label for index, label in enumerate(findings.labels) if findings.is_reference(index)]
    notes = [
        "Intervals and bands are 95 % percentile bootstrap intervals of means over topics. "
        "Bold is the best figure of a column among contenders that do not cheat, or a p below 0.05."
    ]
    if references:
        notes.append(
            f"In grey, to measure the others by, because told what no crawl can know: {', '.join(references)}."
        )
    notes.append(
        "The figures' data are in report.json, the tables in report.md, each figure on its own in figures/."
    )
    return joined(tag("p", escaped(note)) for note in notes)


def _a(words: str) -> str:
    return f"{'an' if words[:1] in 'aeiou' else 'a'} {words}"
