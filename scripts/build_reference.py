"""Writes the reference pages that are read off the code: every command and option, every setting."""

import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import typer

from honeyguide.assemble import TABLES
from honeyguide.cli import app
from honeyguide.config import quoted, settable
from honeyguide.naming import JUDGES, STRATEGIES, find

DOCS = Path(__file__).parent.parent / "docs" / "reference"
MEANINGS = {
    "budget.pages": "pages that servers answered, error pages included",
    "budget.relevant": "pages judged on topic",
    "budget.seconds": "time, over all runs of the crawl",
    "budget.bytes": "bytes of bodies as they came over the wire",
    "crawl.workers": "requests under way at once, each to another host",
    "crawl.stop_when_saturated": "stop when the last 500 pages brought nothing on topic",
    "crawl.obey_nofollow": "leave links marked rel=nofollow alone",
    "crawl.sitemaps": "read the sitemaps that robots.txt files name",
    "reading.processes": "processes that parse and judge; 0 reads in the crawl's own process",
    "reading.patience": "seconds after which a page that is still being read is given up",
    "fetch.headers": "more request headers, as a table",
    "fetch.proxy": "a proxy, such as `http://proxy.example:3128`; it then looks names up",
    "fetch.ca_bundle": "a file of certificate authorities; default: the system's",
    "fetch.limit": "bytes of a body that are read; the rest is cut off and the page marked",
    "fetch.connect_timeout": "seconds to connect",
    "fetch.timeout": "seconds for a whole answer",
    "fetch.stall_timeout": "seconds that an answer may be slower than `stall_speed`",
    "fetch.stall_speed": "bytes per second",
    "fetch.connections": "connections kept open",
    "fetch.longest_retry_after": "seconds of Retry-After that are believed",
    "fetch.max_redirects": "redirects followed for one page",
    "fetch.types": "content types that are read; others are refused before their body",
    "fetch.contact": "mail or web page for webmasters, sent in the user agent",
    "dns.hosts": "addresses of names that no name server need be asked for, as a table",
    "dns.allow_private": "fetch from private and loopback addresses: true, or a list of host names",
    "dns.ttl": "seconds an address is remembered",
    "dns.negative_ttl": "seconds it is remembered that a name does not exist",
    "dns.failure_ttl": "seconds it is remembered that a name server failed",
    "dns.timeout": "seconds to wait for a name server",
    "dns.capacity": "names remembered",
    "dns.nameservers": "name servers to ask; default: the system's",
    "robots.ttl": "seconds a robots.txt is remembered",
    "robots.retry_after": "seconds after which one that could not be read is asked for again",
    "robots.patience": "seconds after which an unreadable robots.txt counts as none (RFC 9309: 30 days)",
    "robots.max_redirects": "redirects followed for robots.txt",
    "robots.limit": "bytes of robots.txt that are read",
    "robots.max_delay": "seconds of Crawl-delay that are obeyed at most",
    "robots.memory": "bytes that remembered rules may take",
    "politeness.delay": "seconds between the end of an answer and the next request to the same host or address",
    "politeness.stretch": "the pause is at least this many times the server's last response time",
    "politeness.longest": "seconds to which a stretched pause is limited",
    "politeness.per_address": "hosts at one address share one turn",
    "politeness.first_back_off": "seconds of the first back-off after 429 or 503 without Retry-After; then doubled",
    "politeness.longest_back_off": "seconds to which doubling is limited",
    "politeness.longest_wait": "seconds of any wait",
    "frontier.revise_every": "fetches after which a strategy that can is asked for fresh scores; 0: never",
    "frontier.revise_top": "waiting links that are scored afresh each time",
    "frontier.tries": "times a page is tried when the failure may pass",
    "frontier.park_after": "failures in a row after which a host is parked",
    "frontier.host_cap": "pages from one host",
    "frontier.domain_cap": "pages from one registered domain",
    "frontier.in_memory": "waiting links held in memory; the rest waits on disk",
    "scope.hosts": "follow links to these hosts only",
    "scope.domains": "follow links to these domains and their subdomains only",
    "scope.prefixes": "follow links that start with one of these only",
    "scope.include": "regular expressions, one of which a URL must match",
    "scope.exclude": "regular expressions, none of which a URL may match",
    "scope.exclude_hosts": "hosts, with their subdomains, that are never asked",
    "scope.skip_types": "file endings that are surely no pages",
    "scope.max_depth": "links from a seed",
    "scope.schemes": "URL schemes that are followed",
    "traps.patience": "visits without yield after which URLs of one open-ended shape are cut off",
    "traps.calendar_patience": "the same for shapes that end in a date",
    "traps.max_segments": "path segments",
    "traps.max_parameters": "query parameters",
    "traps.max_query": "characters of a query",
    "traps.repeats": "times a part of a path may repeat",
    "traps.max_shapes": "shapes remembered",
    "parse.adapter": "the HTML parser: turbohtml or selectolax",
    "parse.extractor": "what finds the main text: turbohtml (faster) or resiliparse",
    "parse.window": "words of context on each side of a link",
    "parse.max_links": "links read from one page",
    "parse.max_text": "characters of main text kept",
    "parse.max_markup": "characters of markup read",
    "parse.schemes": "schemes of the links that are read from HTML; archives of old webs hold ftp and file too",
    "store.near_duplicates": "bits of 64 in which near-duplicates may differ (0 to 3)",
    "store.file_size": "bytes after which a new WARC file is begun",
    "room.min_disk_mb": "the crawl pauses with less free disk",
    "room.min_memory_mb": "the crawl pauses with less free memory",
    "room.every": "seconds between two looks",
    "learning.confident": "also learn from pages that the judge itself is sure of",
    "learning.every": "pages after which it is tried again",
    "learning.at_least": "the score from which a page is surely on topic; the judge's scores must be probabilities",
    "learning.at_most": "the score up to which a page is surely not",
    "learning.most": "sure pages of each kind; never more than there are examples from people",
    "learning.weight": "how much such a page counts as an example; one from a person counts 1",
    "learning.jump": "how far the share of pages on topic may move; else nothing is learned",
    "training.path": "an earlier crawl, or web archives, that the strategy learns from before the crawl starts",
    "search.relevance_weight": "how much a page's relevance adds to what its text scores in a search",
    "search.authority_weight": "how much its authority, by the links of pages on topic, adds",
    "search.seconds_at_end": "seconds that a crawl spends on the search index when it ends; a search does the rest",
    "strategy.apprentice.f": "how much of the score is the page's; the rest is the words'",
    "strategy.apprentice.window": "words on each side of a link that count as near it, stop words left out",
    "strategy.apprentice.smoothing": "how slowly a word is believed: links that are presumed to have had it",
    "strategy.apprentice.independent": "words of a link that count in full; of more, each counts for less",
    "strategy.apprentice.zones": "whether a word beside a link is another one than the same word in it",
    "strategy.apprentice.told": "whether it starts from the topic's examples and background",
    "strategy.best-first.by": "what scores a link: page, anchor or both",
    "strategy.combination.of": "the strategies to mix, joined by +",
    "strategy.combination.by": "mix them by scores or by ranks",
    "strategy.combination.weights": "how much each counts; default: all alike",
    "strategy.combination.every": "pages between two orderings, at least",
    "strategy.distiller.share": "how much being a hub counts beside being relevant",
    "strategy.distiller.every": "pages between two runs of the distiller, at least",
    "strategy.distiller.iterations": "rounds of HITS in each run",
    "strategy.fish-search.depth": "irrelevant pages in a row after which a line dies",
    "strategy.fish-search.width": "links of a page that are followed soon",
    "strategy.fish-search.a": "how many times as many on a relevant page",
    "strategy.guide.every": "pages between two scorings of what is in front, once the crawl is under way",
    "strategy.guide.gamma": "what a page is worth of what lies behind it",
    "strategy.guide.delta": "what is left, after one step, of the relevance of the way",
    "strategy.guide.penalty": "how little the regression trusts few links",
    "strategy.guide.diverse": "what each doubling of the pages that a host gave costs its links; 0: nothing",
    "strategy.guide.weights": "a file of weights that honeyguide fit-guide wrote; default: those of the package",
    "strategy.hcla.k": "dimensions that are kept",
    "strategy.hcla.n": "pages between two orderings, at least (AP's N)",
    "strategy.hcla.terms": "stems that are kept, the most frequent ones",
    "strategy.hcla.anchors": "whether the words in and around links count",
    "strategy.hcla.share": "what the words of a link count beside the links to a page, from 0 to 1",
    "strategy.hcla.links_weight": "how much links count beside words",
    "strategy.hcla.by": "what is sought: examples (if there are any) or query, the name and keywords",
    "strategy.history-path.threshold": "the margin above which a page is relevant; default: the judge decides",
    "strategy.history-path.cutoff": "C: the larger, the slower a path is given up",
    "strategy.history-path.inlinks": "of several linking pages, the nearest or the sum of all",
    "strategy.history-path.add_score": "whether a relevant page adds its relevance",
    "strategy.hits.every": "pages between two orderings, at least",
    "strategy.hits.iterations": "rounds of HITS in each ordering",
    "strategy.keywords-then-pagerank.d": "the damping factor",
    "strategy.keywords-then-pagerank.every": "pages between two orderings, at least",
    "strategy.keywords-then-pagerank.iterations": "rounds of PageRank in each ordering",
    "strategy.link-score.features": "what counts, joined by +: content, context, page, proximity, place",
    "strategy.link-score.rule": "combine levels by product or linear, as a weighted sum",
    "strategy.link-score.weights": "how much each feature counts, in their order; default: GT's",
    "strategy.link-score.learn": "learn weights while crawling: none, on the queue, or on the crawl as it unfolds",
    "strategy.link-score.w": "words on each side of a link that are its context",
    "strategy.link-score.cvalue": "weigh terms by their C-values",
    "strategy.link-score.background": "what is most like the background or off-topic examples belongs nowhere",
    "strategy.link-score.terms_per_level": "terms of a level, those of largest C-value",
    "strategy.link-score.least_cvalue": "the C-value from which a phrase is a term",
    "strategy.link-score.every": "links followed between two searches for weights, at least",
    "strategy.link-score.seed": "where the search for weights starts its random numbers",
    "strategy.learning-anchor.f": "how much of the score is the page's; the rest is the anchor's",
    "strategy.learning-anchor.threshold": "how far from 0 a page's margin must be for its links to be lessons",
    "strategy.learning-anchor.training": "`online`: again and again; `static`: once",
    "strategy.learning-anchor.every": "visits between two trainings online",
    "strategy.learning-anchor.warm_up": "visits before the one static training, if no earlier crawl is given",
    "strategy.learning-anchor.url_words": "whether the words of addresses count with those of anchors",
    "strategy.learning-anchor.lessons": "anchors that are learned from at most, the latest",
    "strategy.matched-anchor.f": "how much of the score is the page's; the rest is the anchor's",
    "strategy.n-best-first.of": "the strategy that says what is best",
    "strategy.n-best-first.n": "pages that are fetched before the queue is ordered again",
    "strategy.pagerank.d": "the damping factor",
    "strategy.pagerank.every": "pages between two orderings, at least (AP's N)",
    "strategy.pagerank.iterations": "rounds in each ordering",
    "strategy.plsi-phits.factors": "hidden factors that words and links are explained by",
    "strategy.plsi-phits.alpha": "how much words count beside links; 1: words only",
    "strategy.plsi-phits.beta": "how far EM is tempered at most; 1: not at all",
    "strategy.plsi-phits.eta": "by what beta is multiplied when EM gains no more",
    "strategy.plsi-phits.share": "the share of a link's words in its score beside that of its target",
    "strategy.plsi-phits.terms": "different words that the model knows",
    "strategy.plsi-phits.pages": "pages of the crawl that it is learned from at most",
    "strategy.plsi-phits.every": "pages between two orderings, at least (AP's N)",
    "strategy.plsi-phits.steps": "steps of EM in each ordering, at most",
    "strategy.plsi-phits.seed": "of the factors' beginnings",
    "strategy.portfolio.of": "the strategies that compete, joined by +",
    "strategy.portfolio.curiosity": "how much a strategy that chose seldom is favoured",
    "strategy.portfolio.memory": "how much an earlier choice counts after each further one",
    "strategy.portfolio.ahead": "links chosen before the first is visited; give it the number of workers",
    "strategy.semantic.variant": "synset (synonyms, with the page), or the anchor by ehrig, ssrm, connected, two-steps",
    "strategy.shark-search.variant": "original, or AP's inherited: no anchors, all ancestors",
    "strategy.shark-search.delta": "how much of its relevance a page passes on",
    "strategy.shark-search.beta": "the share of the anchor beside the words around it",
    "strategy.shark-search.gamma": "the share of what is inherited beside the words",
    "strategy.shark-search.nothing": "relevance up to which a page counts as irrelevant",
    "strategy.context-graph.variant": "plain, with a layer of irrelevant texts, or drop what is unsure of its layer",
    "strategy.context-graph.layers": "how many layers, the relevant pages' included",
    "strategy.context-graph.per_layer": "pages a layer is learned from at most",
    "strategy.context-graph.threshold": "how sure of its layer a page must be with drop",
    "strategy.context-graph.warm_up": "pages fetched breadth-first to find layers in; 0: the branch's levels are",
    "strategy.hmm.variant": "plain, hybrid (with the page) or anchor (with page and anchor)",
    "strategy.hmm.clustering": "k-means, the last cluster for relevant pages, or x-means",
    "strategy.hmm.clusters": "K of k-means, the fewest of x-means",
    "strategy.hmm.neighbours": "training pages that vote for a page's cluster",
    "strategy.hmm.epsilon": "closer probabilities are told apart by the two-step probability",
    "strategy.hmm.relevance": "judge, or centroid as in BT",
    "strategy.hmm.warm_up": "pages fetched breadth-first to learn from",
    "strategy.hmm.seed": "of the clusters' beginnings",
    "strategy.info-spiders.agents": "agents to start with",
    "strategy.info-spiders.population": "agents at the most; the poorest makes room for a child",
    "strategy.info-spiders.alpha": "weight of the net; the page's relevance has the rest",
    "strategy.info-spiders.mu": "how much the best link of a page adds to what led there",
    "strategy.info-spiders.eta": "learning rate of the nets",
    "strategy.info-spiders.theta": "energy from which an agent has a child; it starts with half of it",
    "strategy.info-spiders.cost": "energy that a fetch costs; a page brings its relevance",
    "strategy.info-spiders.noise": "standard deviation by which a child's weights differ",
    "strategy.info-spiders.seed": "of the nets' first weights and the children's noise",
    "strategy.intelligent.content": "weight of the words of the pages that link to a target",
    "strategy.intelligent.url": "weight of the tokens of its URL",
    "strategy.intelligent.links": "weight of the relevance of the pages that link to it",
    "strategy.intelligent.siblings": "weight of the relevance of what the same pages link to",
    "strategy.intelligent.relevance": "score: as relevant as the judge says; judged: relevant or not, as in the work",
    "strategy.intelligent.significance": "standard deviations from chance from which a word or token counts",
    "strategy.intelligent.every": "pages between two orderings of what waits, at the least",
    "strategy.reinforcement.gamma": "what a reward one page later is worth",
    "strategy.reinforcement.bins": "bins into which future rewards are sorted",
    "strategy.reinforcement.warm_up": "pages fetched breadth-first to learn from, without an earlier crawl",
    "strategy.reinforcement.every": "pages between two times of learning, at the least",
    "strategy.random.seed": "another seed, another order",
    "judge.blend.threshold": "pages more probable than this to be on topic are",
    "judge.bm25.b": "how much the length of a page counts against it",
    "judge.bm25.headings_weight": "how often a word of a heading counts once more",
    "judge.bm25.k1": "how much repetitions of a word count",
    "judge.bm25.keywords_weight": "how often a word of the meta keywords counts",
    "judge.bm25.threshold": "pages that score more are on topic; default: from the topic",
    "judge.bm25.title_weight": "how often a word of the title counts",
    "judge.centroid.against": "how much of the background's centroid is taken away",
    "judge.centroid.base_rate": "the share of pages presumed to be on topic",
    "judge.centroid.headings_weight": "how often a word of a heading counts once more",
    "judge.centroid.keywords_weight": "how often a word of the meta keywords counts",
    "judge.centroid.repeats": "whether a word's repetitions count fully, by their logarithm, or once",
    "judge.centroid.threshold": "pages that score more are on topic; default: from held-back examples",
    "judge.centroid.title_weight": "how often a word of the title counts",
    "judge.combination.base_rate": "the share of pages presumed to be on topic",
    "judge.combination.calibration": "how margins become probabilities: platt, isotonic or none",
    "judge.combination.members": "the judges to combine, joined by +",
    "judge.combination.precision": "choose the threshold for this precision; 0: at even odds",
    "judge.combination.weights": "how much each counts; default: all alike",
    "judge.lexical-levels.background": "off-topic examples and background are further levels",
    "judge.lexical-levels.boundary": "a level's score must exceed its boundary score",
    "judge.lexical-levels.cvalue": "weigh terms by C-value (GT eq. 3.7)",
    "judge.lexical-levels.least_cvalue": "the C-value that makes a term",
    "judge.lexical-levels.strict": "a relevant page must also carry the vocabulary of the level above",
    "judge.lexical-levels.terms_per_level": "terms of largest C-value kept for each level",
    "judge.lsi.by": "compare pages with the examples, the query, or both",
    "judge.lsi.headings_weight": "how often a word of a heading counts once more",
    "judge.lsi.k": "dimensions kept",
    "judge.lsi.keywords_weight": "how often a word of the meta keywords counts",
    "judge.lsi.repeats": "whether a word's repetitions count fully, by their logarithm, or once",
    "judge.lsi.threshold": "pages that score more are on topic; default: from held-back examples",
    "judge.lsi.title_weight": "how often a word of the title counts",
    "judge.lsi.vocabulary": "most frequent stems used",
    "judge.minilm.background": "texts of the background that are read; reading them is slow",
    "judge.minilm.threshold": "pages that score more are on topic; default: from held-back examples",
    "judge.naive-bayes.base_rate": "the share of pages presumed to be on topic",
    "judge.naive-bayes.headings_weight": "how often a word of a heading counts once more",
    "judge.naive-bayes.keywords_weight": "how often a word of the meta keywords counts",
    "judge.naive-bayes.smoothing": "what is added to every count",
    "judge.naive-bayes.title_weight": "how often a word of the title counts",
    "judge.nearest.base_rate": "the share of pages presumed to be on topic",
    "judge.nearest.headings_weight": "how often a word of a heading counts once more",
    "judge.nearest.keywords_weight": "how often a word of the meta keywords counts",
    "judge.nearest.repeats": "whether a word's repetitions count fully, by their logarithm, or once",
    "judge.nearest.threshold": "pages that score more are on topic; default: from held-back examples",
    "judge.nearest.title_weight": "how often a word of the title counts",
    "judge.semantic.by": "synset (synonyms), ehrig or ssrm",
    "judge.semantic.least": "similarities below this count as nothing; default: that of the measure",
    "judge.semantic.threshold": "pages that score more are on topic; default: that of the measure",
    "judge.string-matching.headings_weight": "how often a word of a heading counts once more",
    "judge.string-matching.keywords_weight": "how often a word of the meta keywords counts",
    "judge.string-matching.repeats": "whether a word's repetitions count fully, by their logarithm, or once",
    "judge.string-matching.threshold": "pages that score more are on topic; default: from the topic's examples",
    "judge.string-matching.title_weight": "how often a word of the title counts",
    "judge.svm-string-matching.base_rate": "the share of pages presumed to be on topic",
    "judge.svm-string-matching.calibration": "how margins become probabilities: platt, isotonic or none",
    "judge.svm-string-matching.precision": "choose the threshold for this precision; 0: at even odds",
    "judge.svm-string-matching.share": "the share of the machine; the rest is the vocabulary's",
    "judge.svm.base_rate": "the share of pages presumed to be on topic",
    "judge.svm.c": "how much it costs to be on the wrong side",
    "judge.svm.features": "words by the logarithm of their number, or binary",
    "judge.svm.headings_weight": "how often a word of a heading counts once more",
    "judge.svm.keywords_weight": "how often a word of the meta keywords counts",
    "judge.svm.threshold": "the margin above which a page is relevant; default: at even odds",
    "judge.svm.title_weight": "how often a word of the title counts",
    "judge.word-vectors.threshold": "pages that score more are on topic; default: from held-back examples",
    "judge.cosine.threshold": "pages that score more are on topic",
    "judge.cosine.title_weight": "how often a word of the title counts, if the main text says it too",
}
GENERATED = "<!-- Made by make reference from the code; a test fails when it is out of date. -->\n"


def commands() -> str:
    lines = ["# Commands", "", GENERATED]
    for name, command in _commands(typer.main.get_command(app)):
        arguments = [p for p in command.params if p.param_type_name == "argument"]
        options = [p for p in command.params if p.param_type_name == "option"]
        usage = " ".join(p.metavar or p.name.upper() for p in arguments)
        lines += [
            f"## honeyguide {name}",
            "",
            f"`honeyguide {name} {usage} [OPTIONS]`".replace("  ", " "),
            "",
        ]
        lines += [inspect.cleandoc(command.help or ""), ""]
        if arguments or options:
            lines += ["| argument or option | default | meaning |", "|---|---|---|"]
        for parameter in (*arguments, *options):
            names = ", ".join(f"`{opt}`" for opt in parameter.opts if opt.startswith("-"))
            default = "" if parameter.default in (None, False) else f"`{parameter.default}`"
            label = names or f"`{parameter.metavar or parameter.name.upper()}`"
            lines.append(f"| {label} | {default} | {parameter.help} |")
        lines.append("")
    return "\n".join(lines)


def settings() -> str:
    lines = [
        "# Settings",
        "",
        GENERATED,
        "Every table is a constructor call. In a topic file: `[politeness]` and `delay = 2.0`; on the command line:",
        '`--set politeness.delay=2`; in Python: `settings={"politeness": {"delay": 2.0}}`. Zero means no limit where a',
        "limit is meant.",
        "",
    ]
    for title, prefix, constructors in _sections():
        lines += [f"## {title}", ""]
        if title.startswith(("[strategy]", "[judge]")):
            lines += [(inspect.getdoc(constructors[0]) or "").split("\n\n")[0], ""]
        rows = [
            f"| `{key}` | `{_shown(default)}` | {MEANINGS.get(f'{prefix}.{key}', '')} |"
            for key, default in _defaults(constructors)
        ]
        lines += ["| key | default | meaning |", "|---|---|---|", *rows, ""] if rows else []
    return "\n".join(lines)


def setting_names() -> set[str]:
    return {
        f"{prefix}.{key}" for _, prefix, constructors in _sections() for key, _ in _defaults(constructors)
    }


def command_names() -> list[str]:
    return [name for name, _ in _commands(typer.main.get_command(app))]


def _commands(group: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Every command with its whole name; a group stands for the commands in it, unless it is one itself."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            if command.invoke_without_command:
                yield prefix + name, command
            yield from _commands(command, f"{prefix}{name} ")
        else:
            yield prefix + name, command


def _sections() -> Iterator[tuple[str, str, tuple[Callable[..., Any], ...]]]:
    for name, constructors in TABLES.items():
        yield f"[{name}]", name, constructors
    for title, group, builtin in (("strategy", "strategies", STRATEGIES), ("judge", "judges", JUDGES)):
        for use in sorted(builtin):
            yield f'[{title}] use = "{use}"', f"{title}.{use}", (find(builtin, group, use),)


def _defaults(constructors: tuple[Callable[..., Any], ...]) -> Iterator[tuple[str, Any]]:
    for make in constructors:
        for key, parameter in settable(make).items():
            yield key, parameter.default


def _shown(value: object) -> str:
    text = quoted(value) if isinstance(value, str | bool) else "{}" if value is None else repr(value)
    text = "[" + text[1:-1].rstrip(",") + "]" if isinstance(value, tuple) else text
    return text if len(text) <= 60 else f"{text[:57]}..."


PAGES = {"commands.md": commands, "settings.md": settings}

if __name__ == "__main__":
    for file, make in PAGES.items():
        (DOCS / file).write_text(make(), encoding="utf-8")
