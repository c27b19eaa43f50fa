"""What each kind of evidence is worth to the strategy guide: crawls without it, beside crawls with all of them.

Needs HONEYGUIDE_CORPORA, a folder with wikispeedia/ and webkb/. Guide crawls some topics of protocol W, near and far,
and the 16 tasks of protocol K with 5 examples; once with the weights of the package, and once for every group of
features with their weights at 0. Prints Markdown: the means, and what leaving a group out changes, with 95 %
intervals over crawls.
"""

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean

from fit_guide import Work, crawl_works, read_work, tasks_of, together, write_weights
from recorded_webs import WEBS, chosen, corpora_folder

from honeyguide.bench.corpus import Corpus
from honeyguide.errors import UserError
from honeyguide.statistics import paired
from honeyguide.strategies.promises import FEATURES, GROUPS, shipped

ALL = "all"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--topics", default="12", help="topics of protocol W, as for fit_guide.py (default: 12)"
    )
    parser.add_argument("--webs", default=",".join(WEBS), help="webs, with commas between")
    parser.add_argument("--pages", type=int, default=1000, help="fetches per crawl of protocol W")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="crawls at a time")
    options = parser.parse_args(arguments)
    try:
        with tempfile.TemporaryDirectory(prefix="ablate-guide-") as aside:
            for line in ablate(corpora_folder(), Path(aside), options):
                print(line, flush=True)
    except UserError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def ablate(corpora: Path, aside: Path, options: argparse.Namespace) -> Iterator[str]:
    """Crawl with and without, and say what came of it, web by web."""
    webs = chosen(options.webs)
    files = {
        name: write_weights(aside / f"{number}.json", rows) for number, (name, rows) in enumerate(variants())
    }
    for web in webs:
        corpus = Corpus.open(corpora / web)
        tasks = tasks_of(corpus, web, options.topics, options.pages)
        found = {}
        for name, file in files.items():
            works = [
                Work(own, file, aside / f"{web}-{number}", is_observed=False)
                for number, own in enumerate(together(tasks))
            ]
            crawl_works(corpus, works, options.jobs)
            found[name] = [crawl.figure for work in works for crawl in read_work(work)]
        yield from table(web, found)


def variants() -> Iterator[tuple[str, Mapping[str, Sequence[float]]]]:
    """The weights of the package, whole and without each group of features."""
    rows = dict(zip(FEATURES, zip(*(column.tolist() for column in shipped()), strict=True), strict=True))
    yield ALL, rows
    for name, group in GROUPS.items():
        yield (
            f"without {name}",
            {feature: (*row[:2], 0.0 if feature in group else row[2]) for feature, row in rows.items()},
        )


def table(web: str, found: Mapping[str, Sequence[float]]) -> Iterator[str]:
    """The figures of one web, and what is lost without each group."""
    whole = found[ALL]
    yield f"\n| {web}, {len(whole)} crawls | mean | change |\n|---|--:|---|"
    for name, figures in found.items():
        change = paired(figures, whole)
        told = f"{change.difference:+.3f} ({change.low:+.3f} to {change.high:+.3f})" if name != ALL else ""
        yield f"| {name} | {fmean(figures):.3f} | {told} |"


if __name__ == "__main__":
    sys.exit(main())
