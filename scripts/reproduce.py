"""Sets our figures beside the published ones, and says of every published claim whether it holds here.

Needs HONEYGUIDE_CORPORA, a folder with wikispeedia/ and webkb/. What was crawled before is not crawled again.
Prints Markdown.
"""

import argparse
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

for threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(threads, "1")

from recorded_webs import corpora_folder  # noqa: E402
from reproduction import claims, webkb  # noqa: E402
from reproduction.claims import Claim  # noqa: E402
from reproduction.evidence import EFFICIENCY, Evidence, found_within  # noqa: E402
from reproduction.overlap import mean_overlap  # noqa: E402
from reproduction.verdicts import Finding, named  # noqa: E402

from honeyguide.bench import protocol_k, protocol_w  # noqa: E402
from honeyguide.bench.corpus import Corpus  # noqa: E402
from honeyguide.bench.experiment import read_log, run  # noqa: E402
from honeyguide.bench.report.results import Contender  # noqa: E402
from honeyguide.bench.task import Task  # noqa: E402
from honeyguide.cli.bench import parts, progress  # noqa: E402
from honeyguide.errors import UserError  # noqa: E402

TOPICS = (
    "Countries",
    "Everyday_life/Cartoons",
    "Everyday_life/Sports",
    "History/Ancient_History_Classical_History_and_Mythology",
    "IT/Software",
    "People/Human_Scientists",
    "People/Writers_and_critics",
    "Science/Physics/General_Physics",
)
"""Where the claims are checked unless other topics are named: small and large ones of several branches."""


def main(arguments: Sequence[str] | None = None) -> int:
    options = _options(arguments)
    try:
        corpora = corpora_folder()
        w = _topics(corpora / "wikispeedia", options)
        k = _universities(corpora / "webkb", options)
    except UserError as error:
        print(error, file=sys.stderr)
        return 2
    for line in report(w, k):
        print(line)
    return 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--out", type=Path, default=Path("benches/reproduce"), help="folder of the crawls' logs"
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="crawls at a time")
    parser.add_argument(
        "--topics",
        default=str(len(TOPICS)),
        help=f"topics of protocol W: how many, or their names with commas between (default: {len(TOPICS)})",
    )
    parser.add_argument("--categories", default="", help="categories of protocol K (default: all four)")
    parser.add_argument("--pages", type=int, help="fetches per crawl (default: the protocol's own)")
    return parser.parse_args(arguments)


def _topics(folder: Path, options: argparse.Namespace) -> Evidence:
    corpus = Corpus.open(folder)
    wanted = topics(options.topics, _large(corpus))
    tasks = protocol_w.tasks(corpus, topics=wanted, pages=options.pages)
    return crawled(corpus, tasks, claims.CRAWLED, options.out / "w", options.jobs)


def _universities(folder: Path, options: argparse.Namespace) -> Evidence:
    corpus = Corpus.open(folder)
    tasks = protocol_k.tasks(corpus, topics=parts([options.categories]) or None, pages=options.pages)
    return crawled(corpus, tasks, webkb.CRAWLED, options.out / "k", options.jobs)


def topics(wanted: str, known: Iterable[str]) -> list[str]:
    """Topics by their names, or a number of them: the usual ones first, then the others by spelling."""
    if not wanted.isdigit():
        return parts([wanted])
    return list(dict.fromkeys((*TOPICS, *known)))[: int(wanted)]


def _large(corpus: Corpus) -> list[str]:
    return sorted({task.name for task in protocol_w.tasks(corpus, settings=("near",))})


def crawled(
    corpus: Corpus, tasks: Sequence[Task], whom: Sequence[Contender], out: Path, jobs: int
) -> Evidence:
    """All tasks crawled by all contenders, now or before."""
    with progress("crawls") as on_progress:
        run(corpus, tasks, whom, out, jobs=jobs, on_progress=on_progress)
    return Evidence(read_log(file) for file in sorted((out / "crawls").glob("*.json")))


def report(w: Evidence, k: Evidence) -> Iterator[str]:
    """Everything that is printed, line by line."""
    some = w.logs(claims.BREADTH_FIRST)
    names = list(dict.fromkeys(log["topic"] for log in some))
    yield "# Published and ours\n"
    yield f"- Code {some[0]['code_version']}; libraries {some[0]['libraries']}"
    yield f"- Protocol W, {some[0]['budget']} fetches, near and far; topics: {', '.join(names)} ({len(names)})"
    yield f"- Protocol K, the query alone: {len(k.logs(webkb.HCLA))} tasks (a category at a university)"
    yield "- A topic's figure is the mean of its crawls from near and far. Intervals are 95 %, by paired bootstrap"
    yield "  over topics or tasks; those of shares are Wilson's over crawls.\n"
    checked = [(claim, claim.check(w)) for claim in claims.claims()]
    checked += [(claim, claim.check(k)) for claim in webkb.claims()]
    yield "## Claims\n"
    yield "| claim | source | what we found | verdict |"
    yield "|---|---|---|---|"
    for claim, finding in checked:
        yield f"| {claim.text} | {claim.source} | {finding.found} | {finding.verdict} |"
    for claim, finding in checked:
        yield from _details(claim, finding)
    yield "\n## WebKB, beside AP's table 3\n"
    yield from webkb.table(k)
    yield "\nRecall is relative to what can be reached from the department page; AP give neither the number of"
    yield "pages their webs had nor which links they kept, so a difference that all rows share is the web's.\n"
    yield "## Protocol W\n"
    yield from _table(w)
    yield "\n## Overlap: pages that two crawls share, over all pages of both (mean over topics)\n"
    yield from _overlaps(w)


def _details(claim: Claim, finding: Finding) -> Iterator[str]:
    yield f"\n{claim.source}: {claim.text}: **{finding.verdict}**\n"
    for figure in (finding.found, *finding.figures):
        yield f"- {figure}"


def _table(w: Evidence) -> Iterator[str]:
    """Every contender, the best first; GD's figures are by hand after 40,000 fetches of the live web."""
    yield "| strategy [judge] | efficiency (95 %) | near | far | found in the first 100 | GD by hand, % |"
    yield "|---|---|---|---|---|---|"
    for who in sorted(claims.CRAWLED, key=lambda who: -w.mean(who)):
        low, high = w.interval(who)
        near, far = (w.mean(who, EFFICIENCY, setting) for setting in protocol_w.SETTINGS)
        figures = f"{w.mean(who):.3f} ({low:.3f}-{high:.3f}) | {near:.3f} | {far:.3f}"
        found = w.mean(who, found_within(100))
        yield f"| {named(who)} | {figures} | {found:.1f} | {claims.GD_PUBLISHED.get(who, '')} |"


def _overlaps(w: Evidence) -> Iterator[str]:
    whom = (*claims.GD_BEST, claims.OURS, claims.LINK_SCORE, claims.BREADTH_FIRST)
    yield "| | " + " | ".join(who.strategy for who in whom) + " |"
    yield "|---|" + "---|" * len(whom)
    for who, row in zip(whom, mean_overlap(w, whom), strict=True):
        yield f"| {who.strategy} | " + " | ".join(f"{value:.2f}" for value in row) + " |"


if __name__ == "__main__":
    sys.exit(main())
