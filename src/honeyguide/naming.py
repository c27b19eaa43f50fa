"""From names to strategies and judges: the built-in ones, then those that installed packages offer."""

import importlib
import inspect
from collections.abc import Callable, Mapping
from importlib.metadata import entry_points
from typing import Any

from honeyguide.config import Tables, construct, merge, parse_use
from honeyguide.errors import ConfigError
from honeyguide.judges.screened import Screened
from honeyguide.judges.topical import TopicJudge
from honeyguide.model import Topic
from honeyguide.roles import Strategy, VisitLog
from honeyguide.topics.growth import grown

STRATEGIES = {
    "apprentice": "honeyguide.strategies.apprentice:Apprentice",
    "backlink": "honeyguide.strategies.backlink:Backlink",
    "best-first": "honeyguide.strategies.best_first:BestFirst",
    "breadth-first": "honeyguide.strategies.breadth_first:BreadthFirst",
    "combination": "honeyguide.strategies.combination:Combination",
    "context-graph": "honeyguide.strategies.context_graph:ContextGraph",
    "depth-first": "honeyguide.strategies.depth_first:DepthFirst",
    "distiller": "honeyguide.strategies.distiller:Distiller",
    "fish-search": "honeyguide.strategies.fish_search:FishSearch",
    "guide": "honeyguide.strategies.guide:Guide",
    "hcla": "honeyguide.strategies.hcla:Hcla",
    "history-path": "honeyguide.strategies.history_path:HistoryPath",
    "hits": "honeyguide.strategies.hits:Hits",
    "hmm": "honeyguide.strategies.hmm:Hmm",
    "info-spiders": "honeyguide.strategies.info_spiders:InfoSpiders",
    "intelligent": "honeyguide.strategies.intelligent:Intelligent",
    "keywords-then-pagerank": "honeyguide.strategies.keywords_then_pagerank:KeywordsThenPageRank",
    "learning-anchor": "honeyguide.strategies.learning_anchor:LearningAnchor",
    "link-score": "honeyguide.strategies.link_score:LinkScore",
    "matched-anchor": "honeyguide.strategies.matched_anchor:MatchedAnchor",
    "n-best-first": "honeyguide.strategies.n_best_first:NBestFirst",
    "pagerank": "honeyguide.strategies.pagerank:PageRank",
    "plsi-phits": "honeyguide.strategies.plsi_phits:PlsiPhits",
    "portfolio": "honeyguide.strategies.portfolio:Portfolio",
    "random": "honeyguide.strategies.random:Random",
    "reinforcement": "honeyguide.strategies.reinforcement:Reinforcement",
    "semantic": "honeyguide.strategies.semantic:Semantic",
    "shark-search": "honeyguide.strategies.shark_search:SharkSearch",
}
JUDGES = {
    "blend": "honeyguide.judges.blend:Blend",
    "bm25": "honeyguide.judges.bm25:Bm25",
    "centroid": "honeyguide.judges.centroid:Centroid",
    "combination": "honeyguide.judges.combination:Combination",
    "cosine": "honeyguide.judges.cosine:Cosine",
    "lexical-levels": "honeyguide.judges.lexical_levels:LexicalLevels",
    "lsi": "honeyguide.judges.lsi:Lsi",
    "minilm": "honeyguide.judges.minilm:MiniLM",
    "naive-bayes": "honeyguide.judges.naive_bayes:NaiveBayes",
    "nearest": "honeyguide.judges.nearest:Nearest",
    "semantic": "honeyguide.judges.semantic:Semantic",
    "string-matching": "honeyguide.judges.string_matching:StringMatching",
    "svm": "honeyguide.judges.svm:Svm",
    "svm-string-matching": "honeyguide.judges.svm_string_matching:svm_string_matching",
    "word-vectors": "honeyguide.judges.word_vectors:WordVectors",
}
DEFAULTS: Tables = {"strategy": {"use": "guide"}, "judge": {"use": "blend"}}
PRESETS = {
    "ss1": ("shark-search:variant=inherited", "cosine"),
    "ss2": ("shark-search:variant=inherited", "bm25"),
    "string-matching": ("best-first:by=page", "string-matching"),
    "string-matching-anchor": ("matched-anchor", "string-matching"),
    "string-matching-history-path": ("history-path", "string-matching"),
    "svm-best-first": ("best-first:by=page", "svm"),
    "svm-history-path": ("history-path", "svm"),
    "svm-string-matching": ("best-first:by=page", "svm-string-matching"),
    "svm-string-matching-anchor": ("matched-anchor", "svm"),
}
"""Well-known pairs of a strategy and a judge, named as a strategy is; a judge that is named beside one wins."""

SUITED = {
    "history-path": "svm",
    "learning-anchor": "svm",
    "link-score": "lexical-levels",
    "semantic": "semantic",
}
"""Strategies that need another judge than the default: its margins are their thresholds', or its terms are theirs."""


def names(builtin: Mapping[str, str], group: str) -> dict[str, str]:
    """The built-in implementations of a role, then those that installed packages offer."""
    found = {point.name: point.value for point in entry_points(group=f"honeyguide.{group}")}
    return {**found, **builtin}


def find(builtin: Mapping[str, str], group: str, name: object) -> Callable[..., Any]:
    """The class behind a name."""
    known = names(builtin, group)
    if not isinstance(name, str) or name not in known:
        raise ConfigError(f"{name!r} is none of the {group}, which are: {', '.join(sorted(known))}.")
    module, _, attribute = known[name].partition(":")
    made: Callable[..., Any] = getattr(importlib.import_module(module), attribute)
    return made


def with_preset(tables: Mapping[str, Mapping[str, Any]]) -> Tables:
    """Settings with a preset's name taken for what it stands for; what is said beside it holds."""
    named = dict(tables.get("strategy", {}))
    use = named.pop("use", None)
    if not isinstance(use, str) or use not in PRESETS:
        return merge(tables)
    strategy, judge = map(parse_use, PRESETS[use])
    return merge({"judge": judge}, tables, {"strategy": strategy | named})


def suited_judge(use: str) -> str:
    """The judge that suits a strategy or a preset best, as it is named on the command line."""
    name = parse_use(use)["use"]
    default: str = DEFAULTS["judge"]["use"]
    return PRESETS[name][1] if name in PRESETS else SUITED.get(name, default)


def make_strategy(table: Mapping[str, Any]) -> Strategy:
    """The strategy a table names, with its parameters."""
    table = with_preset({"strategy": table})["strategy"]
    made: Strategy = _named(find(STRATEGIES, "strategies", table["use"]), table, "strategy", _strategy_of)
    return made


def fitted_strategy(table: Mapping[str, Any], topic: Topic, log: VisitLog | None = None) -> Strategy:
    """The strategy a table names, fitted to a topic and, if there is one, to an earlier crawl."""
    strategy = make_strategy(table)
    return strategy.fit(grown(topic, strategy.needs), log)


def _strategy_of(spec: str) -> Strategy:
    return make_strategy(parse_use(spec))


def _judge_of(spec: str) -> TopicJudge:
    return unfitted_judge(parse_use(spec)).judge


def _named(make: Callable[..., Any], table: Mapping[str, Any], name: str, inner: Callable[[str], Any]) -> Any:
    """What a table names; one that is made of others by their names gets the means to make them."""
    injected = {"make": inner} if "make" in inspect.signature(make).parameters else {}
    return construct(make, table, name=name, **injected)


def make_judge(table: Mapping[str, Any], topic: Topic) -> Screened:
    """The judge a table names, fitted to a topic."""
    judge = unfitted_judge(table)
    return judge.fit(grown(topic, judge.needs))


def unfitted_judge(table: Mapping[str, Any]) -> Screened:
    """The judge a table names, before it knows any topic."""
    return Screened(_named(find(JUDGES, "judges", table["use"]), table, "judge", _judge_of))
