"""A topic explained: what it says, what each judge makes of it, what may be mistaken, and what is missing."""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from honeyguide.errors import ConfigError
from honeyguide.judges.lessons import has_others
from honeyguide.model import Example, Level, Reason, Term, Topic
from honeyguide.naming import unfitted_judge
from honeyguide.text.documents import Documents
from honeyguide.text.ontology import Ontology
from honeyguide.topics.examples import untold
from honeyguide.topics.growth import grown, is_english

COMMON = 0.08
"""The share of texts from which on a word says little by itself."""

MANY_SENSES = 6
FEW_EXAMPLES = 5
READ = 50
"""Examples of a kind that are read for their telling words."""


class Word(NamedTuple):
    """A word of the topic's name and keywords, and where else it is said.

    `share` is that of texts at large which say it, 0 if none is known to. `examples` and `background` count the
    texts that say it.
    """

    word: str
    share: float
    senses: int
    examples: int
    background: int


class Opinion(NamedTuple):
    """What a judge looks for, the weightiest first; or what it misses, in a sentence."""

    judge: str
    terms: tuple[Reason, ...] = ()
    missing: str = ""


class Gap(NamedTuple):
    """What a topic does not say, what that means, and how to say it."""

    what: str
    meaning: str
    remedy: str


@dataclass(frozen=True, slots=True)
class Explanation:
    """A topic explained; `grown` is what the judges that need it get beside what the topic says itself."""

    topic: Topic
    words: tuple[Word, ...]
    grown_keywords: tuple[str, ...]
    grown_vocabulary: tuple[Term, ...]
    telling: Mapping[str, tuple[Reason, ...]]
    opinions: tuple[Opinion, ...]
    ambiguities: tuple[str, ...]
    gaps: tuple[Gap, ...]


def explain(topic: Topic, judges: Iterable[Mapping[str, Any]]) -> Explanation:
    """Explain a topic, with the judges that these tables name; nothing is fetched."""
    told = _told(topic)
    documents = Documents.of(topic)
    words = tuple(_words(told, documents))
    growths = _Growths(told)
    return Explanation(
        topic,
        words,
        tuple(word for word in growths.of("keywords").keywords if word not in topic.keywords),
        tuple(term for term in growths.of("vocabulary").vocabulary if term not in topic.vocabulary),
        dict(_telling_parts(told, documents)),
        tuple(_opinion(table, growths, documents) for table in judges),
        tuple(_ambiguities(told, words, documents)),
        tuple(_gaps(topic)),
    )


def telling(examples: Sequence[Example], documents: Documents, *, most: int = 10) -> tuple[Reason, ...]:
    """The words that some texts say more than others do: the mean of their tf * idf."""
    weights: defaultdict[str, float] = defaultdict(float)
    names: dict[str, str] = {}
    some = examples[:READ]
    for example in some:
        bag = documents.read(example).bag()
        stems = documents.book.stem_numbers(bag.numbers)
        amounts = bag.counts * documents.idf.of(stems) / max(1.0, bag.counts.sum())
        words, stem_list = documents.book.words.list, documents.book.stems.list
        for word, stem, amount in zip(bag.numbers.tolist(), stems.tolist(), amounts.tolist(), strict=True):
            if stem:
                weights[stem_list[stem]] += amount / len(some)
                names.setdefault(stem_list[stem], words[word])
    best = sorted(weights.items(), key=lambda item: (-item[1], item[0]))[:most]
    return tuple(Reason(names[stem], amount) for stem, amount in best)


def _told(topic: Topic) -> Topic:
    """The topic without the examples that have no text yet."""

    def those(examples: Iterable[Example]) -> tuple[Example, ...]:
        return tuple(example for example in examples if example.text.strip())

    return replace(
        topic,
        examples=those(topic.examples),
        off_topic=those(topic.off_topic),
        background=those(topic.background),
        corpus=those(topic.corpus),
        branch=tuple(Level(level.name, those(level.examples)) for level in topic.branch),
        session=tuple(step for step in topic.session if step.example.text.strip()),
    )


class _Growths(dict[frozenset[str], Topic]):
    """The topic grown for what judges need; several need the same."""

    def __init__(self, topic: Topic) -> None:
        super().__init__()
        self._topic = topic

    def __missing__(self, needs: frozenset[str]) -> Topic:
        self[needs] = grown(self._topic, needs)
        return self[needs]

    def of(self, part: str) -> Topic:
        """The topic with one part grown, or as it is where that cannot be done."""
        try:
            return self[frozenset((part,))]
        except ConfigError:
            return self._topic


def _words(topic: Topic, documents: Documents) -> Iterable[Word]:
    tokeniser, background = documents.tokeniser, documents.background
    ontology = Ontology.of(topic.ontology) if topic.ontology else Ontology.wordnet()
    text = "\n".join((topic.name, *topic.keywords))
    words: dict[str, str] = {}
    for word in tokeniser.tokens(text):
        if stem := tokeniser.stem(word):
            words.setdefault(stem, word)
    said_in = {kind: _said(getattr(topic, kind), documents) for kind in ("examples", "background")}
    for stem, word in words.items():
        yield Word(
            word,
            math.exp(-background.idf(stem)) if stem in background else 0.0,
            len(ontology.senses(word)),
            said_in["examples"].get(stem, 0),
            said_in["background"].get(stem, 0),
        )


def _said(examples: Iterable[Example], documents: Documents) -> dict[str, int]:
    """How many of some texts say each stem."""
    said: defaultdict[str, int] = defaultdict(int)
    for example in examples:
        numbers = documents.read(example).stems().numbers
        for number in numbers.tolist():
            said[documents.book.stems.list[number]] += 1
    return said


def _telling_parts(topic: Topic, documents: Documents) -> Iterable[tuple[str, tuple[Reason, ...]]]:
    parts = {
        "examples": topic.examples,
        "off_topic": topic.off_topic,
        "session": tuple(step.example for step in topic.session if step.relevant),
        **{f"level {number}": level.examples for number, level in enumerate(topic.branch, 1)},
    }
    return ((name, telling(examples, documents)) for name, examples in parts.items() if examples)


def _opinion(table: Mapping[str, Any], growths: _Growths, documents: Documents) -> Opinion:
    try:
        judge = unfitted_judge(table)
        return Opinion(table["use"], tuple(judge.fit(growths[frozenset(judge.needs)], documents).terms()))
    except ConfigError as error:
        return Opinion(table["use"], missing=str(error))


def _ambiguities(topic: Topic, words: Sequence[Word], documents: Documents) -> Iterable[str]:
    """What a person who reads the topic may not expect of the words in it, a sentence each."""
    for keyword in topic.keywords:
        if not documents.tokeniser.stems(keyword):
            yield f"No judge looks for the keyword {keyword!r}: it holds nothing but stop words and numbers."
    for word in words:
        if word.share >= COMMON:
            yield f"{word.word!r} is a common word: about {word.share:.0%} of texts say it."
        elif not word.share:
            yield f"{word.word!r} is in no word list of ours: a rare name, or misspelt?"
        if word.senses >= MANY_SENSES:
            yield f"{word.word!r} means many things: it has {word.senses} senses."
        if topic.background and word.background > len(topic.background) / 4:
            yield (
                f"{word.word!r} stands in {word.background} of the {len(topic.background)} background texts, "
                "which are presumed off topic."
            )
        if len(topic.examples) >= FEW_EXAMPLES and not word.examples:
            yield f"{word.word!r} is said by none of the {len(topic.examples)} examples."
    for term in topic.vocabulary:
        if any(other.text == term.text and other is not term for other in topic.vocabulary):
            yield f"The vocabulary has {term.text!r} more than once."


def _gaps(topic: Topic) -> Iterable[Gap]:
    waiting = sum(1 for _ in untold(topic))
    if waiting:
        yield Gap(
            f"{waiting} {'text' if waiting == 1 else 'texts'}",
            "examples that are addresses so far; a crawl reads them when it starts",
            "--fetch reads them now",
        )
    if not topic.seeds:
        yield Gap("seeds", "a crawl has nowhere to start", 'seeds = ["https://..."], or --seed URL')
    if not topic.keywords:
        yield Gap(
            "keywords", "the name's words alone are looked for", 'keywords = ["..."], or --keyword WORD'
        )
    if len(topic.examples) < FEW_EXAMPLES:
        number = len(topic.examples) or "no"
        yield Gap(
            "examples" if not topic.examples else "more examples",
            f"judges that learn have {number} page{'' if number == 1 else 's'} on topic to learn from",
            'examples = ["https://...", "pages/*.html"], or --example URL',
        )
    if not topic.off_topic:
        yield Gap(
            "pages off topic",
            "nothing says where the topic ends",
            'off_topic = ["https://..."], or --off-topic URL',
        )
    if not (has_others(topic) or is_english(topic)):
        yield Gap(
            "background",
            "nothing says what pages in its languages are usually like, so examples cannot be learned from",
            'background = ["folder"]: any pages in its languages',
        )
    if not topic.vocabulary:
        yield Gap(
            "vocabulary",
            "terms are grown from the examples, if there are any",
            'vocabulary = {"exact phrase" = 50, "word*" = 10, "other" = -20}, or --vocabulary FILE',
        )
    if not topic.branch:
        yield Gap("branch", "judges by levels have none", 'branch = "folder", or --branch DIR')
    if not topic.languages:
        yield Gap("languages", "English is presumed", 'languages = ["en"]')
