"""How strategies do when they are told nothing but words, and with ever more example pages.

Needs HONEYGUIDE_CORPORA, a folder with wikispeedia/ and webkb/. On wikispeedia topics of protocol W are crawled, and
at every number of examples from the same seeds for the same pages: those of the topic less as many as it is ever told.
On webkb the 16 tasks of protocol K are, whose examples are pages of other universities. With --vocabulary all are told
the words and phrases that tell most as well, of as many examples as any is told. Every strategy has the judge that
suits it. Prints Markdown. Stopped and started again with the same --out, it goes on where it was.
"""

import argparse
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

for threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(threads, "1")

from recorded_webs import WEBS, chosen, corpora_folder, first  # noqa: E402

from honeyguide.bench import protocol_k, protocol_w  # noqa: E402
from honeyguide.bench.corpus import Corpus  # noqa: E402
from honeyguide.bench.experiment import run  # noqa: E402
from honeyguide.bench.report.axes import written  # noqa: E402
from honeyguide.bench.report.figures import Frame, Series, curves  # noqa: E402
from honeyguide.bench.report.markup import joined, tag  # noqa: E402
from honeyguide.bench.report.plots import CROWD  # noqa: E402
from honeyguide.bench.report.results import Contender, read_results  # noqa: E402
from honeyguide.bench.report.svg import WIDTH, Drawing, looks, text  # noqa: E402
from honeyguide.bench.report.tables import said  # noqa: E402
from honeyguide.bench.task import Task  # noqa: E402
from honeyguide.cli.bench import parts, progress, split_uses  # noqa: E402
from honeyguide.errors import ConfigError, UserError  # noqa: E402
from honeyguide.model import Term, Topic  # noqa: E402
from honeyguide.naming import suited_judge  # noqa: E402
from honeyguide.statistics import bootstrap_interval, paired  # noqa: E402
from honeyguide.text.booleans import plain  # noqa: E402
from honeyguide.text.tokens import Tokeniser  # noqa: E402
from honeyguide.topics.growth import grown  # noqa: E402

TITLE = 26.0
"""The room above a web's curves."""

Tasks = Mapping[int, Sequence[Task]]
"""What is crawled with each number of examples."""


class Plan(NamedTuple):
    """What to measure, as the command line says."""

    webs: Sequence[str]
    uses: Sequence[str]
    counts: Sequence[int]
    vocabulary: int
    setting: str
    topics: str
    smallest: int
    pages: int
    jobs: int
    out: Path


class Mean(NamedTuple):
    """A mean and its 95 % bootstrap interval."""

    value: float
    low: float
    high: float


class Measured(NamedTuple):
    """What came of one web: how it was crawled, and for each strategy and number of examples what it scored.

    `figure` is the name of what sums up a crawl, `over` says how many crawls a mean is of; all values are in the order
    of the same tasks.
    """

    web: str
    crawled: str
    figure: str
    over: str
    values: Mapping[tuple[str, int], Sequence[float]]

    def mean(self, use: str, count: int) -> Mean:
        values = self.values[use, count]
        return Mean(fmean(values), *bootstrap_interval(values))


def main(arguments: Sequence[str] | None = None) -> int:
    options = _options(arguments)
    try:
        plan = planned(options)
        if options.picture and not options.picture.absolute().parent.is_dir():
            raise ConfigError(f"There is no folder {options.picture.absolute().parent} for the picture.")
        corpora = corpora_folder()
        opened = {web: Corpus.open(corpora / web) for web in plan.webs}
        found = []
        for web, corpus in opened.items():
            found.append(measure(web, corpus, plan))
            print("\n".join(lines(found[-1], plan)), flush=True)
        if options.picture:
            _write(options.picture, picture(found, plan).file())
    except UserError as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("Stopped; run the same command again to go on.", file=sys.stderr)
        return 130
    return 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--webs", default=",".join(WEBS), help="webs, with commas between")
    parser.add_argument(
        "--strategies",
        default="guide,best-first,best-first:by=anchor",
        help="strategies, with commas between; the first is set beside each of the others",
    )
    parser.add_argument("--examples", default="0,1,2,5,10,20", help="numbers of examples (0: words only)")
    parser.add_argument(
        "--vocabulary", type=int, default=0, metavar="TERMS", help="terms that every crawl is told as well"
    )
    parser.add_argument("--setting", default="near", help="where crawls of protocol W start: near or far")
    parser.add_argument(
        "--topics",
        default="12",
        help="topics of protocol W: their names with commas between, or how many, the first by the sha256 of "
        "their names",
    )
    parser.add_argument("--smallest", type=int, default=60, help="pages that such a topic has at least")
    parser.add_argument("--pages", type=int, default=1000, help="fetches per crawl of protocol W")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="crawls at a time")
    parser.add_argument("--out", type=Path, default=Path("benches/examples"), help="folder of the results")
    parser.add_argument("--picture", type=Path, metavar="FILE.svg", help="also draw the means as curves")
    return parser.parse_args(arguments)


def planned(options: argparse.Namespace) -> Plan:
    """What the options ask for, if it can be done."""
    webs, uses = chosen(options.webs), split_uses([options.strategies])
    counts = parts([options.examples])
    if strange := [count for count in counts if not (count.isdecimal() and len(count) <= 4)]:
        raise ConfigError(f"{strange[0]!r} is no number of examples.")
    if not (webs and uses and counts):
        raise ConfigError("There is nothing to measure: name webs, strategies and numbers of examples.")
    if options.vocabulary < 0 or (options.vocabulary and not any(map(int, counts))):
        raise ConfigError("A vocabulary of some terms is grown from example pages: give --examples above 0.")
    if options.jobs < 1:
        raise ConfigError(f"{options.jobs} crawls at a time are none; --jobs is 1 or more.")
    return Plan(
        webs=webs,
        uses=uses,
        counts=sorted(set(map(int, counts))),
        vocabulary=options.vocabulary,
        setting=options.setting,
        topics=options.topics,
        smallest=options.smallest,
        pages=options.pages,
        jobs=options.jobs,
        out=options.out,
    )


def measure(web: str, corpus: Corpus, plan: Plan) -> Measured:
    """Crawl one web with every number of examples, as far as that has not been done, and gather the figures."""
    tasks = tasks_of_k(corpus, plan.counts) if web == "webkb" else tasks_of_w(corpus, plan)
    if plan.vocabulary:
        tasks = with_vocabulary(tasks, plan.vocabulary)
    entrants = [Contender(use, suited_judge(use)) for use in plan.uses]
    every = [task for own in tasks.values() for task in own]
    with progress(f"crawls of {web}") as on_progress:
        run(corpus, every, entrants, plan.out / web, jobs=plan.jobs, on_progress=on_progress)
    count_of = {task.setting: count for count, own in tasks.items() for task in own}
    values: dict[tuple[str, int], list[float]] = {}
    crawls = read_results(plan.out / web).crawls
    for crawl in sorted(crawls, key=lambda crawl: crawl.task):
        values.setdefault((crawl.contender.strategy, count_of[crawl.setting]), []).append(crawl.value)
    number = len(next(iter(values.values())))
    if web == "webkb":
        crawled = "Protocol K, until nothing is left; a task is a category at a university."
        return Measured(web, crawled, crawls[0].headline, f"{number} tasks", values)
    budget = f"{plan.pages:,} fetches per crawl" if plan.pages else "until nothing is left"
    crawled = f"Protocol W, {plan.setting}, {budget}."
    return Measured(web, crawled, crawls[0].headline, f"{number} topics", values)


def tasks_of_w(corpus: Corpus, plan: Plan) -> Tasks:
    """Topics of protocol W; whatever a crawl is told, it starts at the same pages and looks for the same ones."""
    design = protocol_w.Design(smallest=plan.smallest, pages=plan.pages)
    draw = partial(protocol_w.tasks, corpus, design=design)
    names: Sequence[str] = parts([plan.topics])
    if plan.topics.isdecimal():
        large = [task.name for task in draw(settings=["near"], examples=0)]
        names = first(large, int(plan.topics))
    # Near seeds are drawn from the examples, so with few of them there would be few seeds.
    most = max(design.seeds, *plan.counts)
    whole = draw(settings=[plan.setting], topics=names, examples=most)
    return {
        count: [
            _told_less(task, fewer, count)
            for task, fewer in zip(whole, draw(settings=["near"], topics=names, examples=count), strict=True)
        ]
        for count in plan.counts
    }


def _told_less(task: Task, fewer: Task, count: int) -> Task:
    """A task whose crawl is told what another's is, but for where to start."""
    return replace(
        task,
        setting=f"{task.setting}, {told(count)}",
        topic=replace(fewer.topic, seeds=task.topic.seeds),
        settings={**task.settings, "examples": count, "held_back": task.settings["examples"]},
    )


def tasks_of_k(corpus: Corpus, counts: Sequence[int]) -> Tasks:
    """The tasks of protocol K."""
    return {count: protocol_k.tasks(corpus, examples=count) for count in counts}


def with_vocabulary(tasks: Tasks, terms: int) -> Tasks:
    """The same tasks, told so many terms as well: those that the examples of the task that has most say."""
    listed = [_terms_of(task.topic, terms) for task in tasks[max(tasks)]]
    return {
        count: [_told_terms(task, known) for task, known in zip(own, listed, strict=True)]
        for count, own in tasks.items()
    }


def _terms_of(topic: Topic, most: int) -> tuple[Term, ...]:
    """The heaviest words and phrases of a topic's grown vocabulary."""
    terms = plain(grown(topic, ["vocabulary"]).vocabulary, Tokeniser())
    return tuple(sorted(terms, key=lambda term: -term.weight)[:most])


def _told_terms(task: Task, terms: tuple[Term, ...]) -> Task:
    return replace(
        task,
        setting=f"{task.setting}, {len(terms)} terms",
        topic=replace(task.topic, vocabulary=terms),
        settings={**task.settings, "vocabulary": [list(term) for term in terms]},
    )


def told(count: int) -> str:
    """What a crawl is told."""
    return "words only" if not count else f"{count} example{'s' * (count > 1)}"


def lines(found: Measured, plan: Plan) -> Iterator[str]:
    """The tables of one web."""
    yield f"## {found.web}\n"
    if plan.vocabulary:
        yield f"Every crawl is told a vocabulary of {plan.vocabulary} terms as well.\n"
    yield (
        f"{found.crawled} {said(found.figure).capitalize()}, means over {found.over} with 95 % bootstrap intervals "
        "over these.\n"
    )
    yield f"| strategy | {' | '.join(map(told, plan.counts))} |"
    yield f"|---|{'--:|' * len(plan.counts)}"
    for use in plan.uses:
        means = [found.mean(use, count) for count in plan.counts]
        cells = [f"{mean.value:.3f} ({mean.low:.3f} to {mean.high:.3f})" for mean in means]
        yield f"| {use} | {' | '.join(cells)} |"
    yield ""
    leader, *others = plan.uses
    if 0 in plan.counts and others:
        yield f"With words only, {leader} less another:\n"
        yield "| other | difference | wins | losses | ties |\n|---|--:|--:|--:|--:|"
        for use in others:
            pair = paired(found.values[leader, 0], found.values[use, 0])
            gain = f"{pair.difference:+.3f} ({pair.low:+.3f} to {pair.high:+.3f})"
            yield f"| {use} | {gain} | {pair.wins} | {pair.losses} | {pair.ties} |"
        yield ""


def picture(found: Sequence[Measured], plan: Plan) -> Drawing:
    """The means of every web as curves, one web below the other; with few strategies, with their intervals."""
    drawn, height = [], 0.0
    for one in found:
        own = _curves(one, plan)
        inside = tag("g", own.body, transform=f"translate(0 {TITLE:g})")
        drawn.append(tag("g", text(own.title, 8, TITLE / 2), inside, transform=f"translate(0 {height:g})"))
        height += TITLE + own.height
    description = (
        f"With {', '.join(map(told, plan.counts))}. {' '.join(_in_words(one, plan) for one in found)}"
    )
    return Drawing("examples", "What example pages add to words", description, WIDTH, height, joined(drawn))


def _curves(found: Measured, plan: Plan) -> Drawing:
    has_bands = len(plan.uses) <= CROWD
    series = []
    for use, look in zip(plan.uses, looks(False for _ in plan.uses), strict=True):
        values, lows, highs = zip(*(found.mean(use, count) for count in plan.counts), strict=True)
        curve = Series(use, look, range(len(values)), values)
        series.append(curve._replace(low=lows, high=highs) if has_bands else curve)

    def count_at(place: float, _: Sequence[float]) -> str:
        return str(plan.counts[int(place)]) if place in range(len(plan.counts)) else ""

    figure = said(found.figure)
    title = f"{found.web}: {figure}, mean over {found.over}{' with 95 % interval' if has_bands else ''}"
    frame = Frame("example pages given", figure, x_ticks=count_at, y_ticks=written)
    return curves(found.web, title, "", series, frame)


def _in_words(found: Measured, plan: Plan) -> str:
    return " ".join(
        f"{found.web}, {use}: {', '.join(f'{found.mean(use, count).value:.2f}' for count in plan.counts)}."
        for use in plan.uses
    )


def _write(file: Path, svg: str) -> None:
    try:
        file.write_text(svg, encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"{file} cannot be written: {error.strerror}.") from error


if __name__ == "__main__":
    sys.exit(main())
