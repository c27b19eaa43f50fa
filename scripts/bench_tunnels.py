"""How much of what lies behind tunnels strategies find: pages on topic that only pages off topic lead to.

Synthetic webs of ten topics, unless told otherwise of 4,000 pages with 200 tunnels of two or three pages off topic in a
row, and five pages on topic behind each; every topic has as many of both lengths. A crawl is told five examples and
starts at them. Prints Markdown: the share of a topic's hidden pages that was found, and the smallest and largest over
topics.
"""

import argparse
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean

for threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(threads, "1")

from honeyguide.bench import protocol_w  # noqa: E402
from honeyguide.bench.corpus import Corpus  # noqa: E402
from honeyguide.bench.replay import replay  # noqa: E402
from honeyguide.bench.synthetic.corpus import SyntheticWeb, write_corpus  # noqa: E402
from honeyguide.bench.synthetic.plan import Kind  # noqa: E402
from honeyguide.bench.task import Task  # noqa: E402
from honeyguide.config import parse_use  # noqa: E402
from honeyguide.naming import fitted_strategy, make_judge  # noqa: E402

LENGTHS = (2, 3)
TOPICS = 10


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--strategies", default="best-first,guide", help="strategies, with commas between")
    parser.add_argument("--pages", type=int, default=1000, help="fetches per crawl")
    parser.add_argument(
        "--webs", type=int, default=4, help="webs, with seeds from 1 on; three topics of each"
    )
    parser.add_argument("--size", type=int, default=4000, help="pages of a web")
    parser.add_argument("--tunnels", type=int, default=200, help="tunnels of a web")
    options = parser.parse_args()
    if options.tunnels <= 0 or options.tunnels % (TOPICS * len(LENGTHS)):
        parser.error(f"--tunnels must be a multiple of {TOPICS * len(LENGTHS)}, so that topics have as many")
    print("| strategy | fetches | found behind tunnels | least | most |\n|---|--:|--:|--:|--:|")
    shares: dict[str, list[float]] = {use: [] for use in options.strategies.split(",")}
    for corpus, task, hidden in tasks(
        options.webs, options.pages, size=options.size, tunnels=options.tunnels
    ):
        for use, found in shares.items():
            found.append(share(corpus, task, hidden, use))
    for use, found in shares.items():
        print(f"| {use} | {options.pages} | {fmean(found):.2f} | {min(found):.2f} | {max(found):.2f} |")


def tasks(webs: int, pages: int, *, size: int, tunnels: int) -> Iterator[tuple[Corpus, Task, frozenset[str]]]:
    """Topics of some webs, and the pages on each that lie behind tunnels."""
    for seed in range(1, webs + 1):
        web = SyntheticWeb(
            pages=size, hosts=60, topics=TOPICS, tunnels=tunnels, tunnel_lengths=LENGTHS, seed=seed
        )
        with tempfile.TemporaryDirectory() as folder:
            write_corpus(Path(folder) / "web", web)
            corpus = Corpus.open(Path(folder) / "web")
        for topic in (0, 4, 7):
            hidden = frozenset(
                web.url(page)
                for page in range(web.pages)
                if web.plan.spot(page).kind is Kind.HIDDEN and web.topic_of(page) == topic
            )
            (task,) = protocol_w.tasks(corpus, settings=("near",), topics=[web.label_of(topic)], pages=pages)
            yield corpus, task, hidden


def share(corpus: Corpus, task: Task, hidden: frozenset[str], use: str) -> float:
    """The share of the hidden pages that a crawl with a strategy finds."""
    trace = replay(
        corpus,
        task,
        lambda: fitted_strategy(parse_use(use), task.topic),
        lambda: make_judge({"use": "blend"}, task.topic),
    )
    return len(hidden.intersection(trace.fetched)) / len(hidden)


if __name__ == "__main__":
    main()
