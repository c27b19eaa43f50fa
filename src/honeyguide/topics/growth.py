"""A topic grown: what a judge needs and nobody wrote down, worked out from what somebody did.

Examples come from the topic's own level of a branch, or from the pages of a session that were marked.
Background comes from the texts that ship with the package, less those that may be about the topic. Keywords
and vocabulary are what the examples say and other texts do not (see `topics.telling`). In a grown vocabulary
a phrase weighs more than a boolean term, and that more than a word (GD 4.2).
"""

from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import replace

from honeyguide.errors import ConfigError
from honeyguide.model import Example, Term, Topic
from honeyguide.text.background_pages import background_pages
from honeyguide.text.documents import Documents
from honeyguide.text.vectors import Query
from honeyguide.topics.telling import Telling, Told

FEWEST_OTHERS = 20
"""Texts off topic or presumed so, below which the shipped ones are added: fewer do not tell what is usual."""

ON_TOPIC = 0.1
"""The cosine to the topic's words from which a shipped text may be about it."""

REMEMBERED = 1000

KEYWORDS = 10
WORDS = 120
PHRASES = 40
AGAINST = 20

WORD_WEIGHT, BOOLEAN_WEIGHT, PHRASE_WEIGHT = 20.0, 30.0, 60.0
"""What the strongest of each kind weighs."""

RARE = 8.0
"""The inverse document frequency from which a word of the name counts in full."""


def grown(topic: Topic, needs: Iterable[str]) -> Topic:
    """The topic with the parts that are needed and missing filled in, as far as the others allow."""
    wanted = {need for need in needs if need == "background" or not getattr(topic, need)}
    if not wanted:
        return topic
    if not topic.examples:
        topic = replace(topic, examples=_examples(topic))
    # Words are counted first and phrases then, so the texts are read once and remembered.
    with closing(Documents(remembered=REMEMBERED)) as documents:
        others = _background(topic, documents)
        telling = Telling(topic.examples, (*others, *topic.off_topic), documents)
        return replace(
            topic,
            background=others if "background" in wanted else topic.background,
            keywords=tuple(_keywords(topic, telling, documents)) if "keywords" in wanted else topic.keywords,
            vocabulary=(
                tuple(_vocabulary(topic, telling, others, documents))
                if "vocabulary" in wanted
                else topic.vocabulary
            ),
        )


def is_english(topic: Topic) -> bool:
    """Whether pages in English are looked for, as they are unless other languages are named."""
    return not topic.languages or any(language.startswith("en") for language in topic.languages)


def _examples(topic: Topic) -> tuple[Example, ...]:
    own = topic.branch[0].examples if topic.branch else ()
    return own or tuple(step.example for step in topic.session if step.relevant)


def _background(topic: Topic, documents: Documents) -> tuple[Example, ...]:
    """The topic's own background, with the shipped texts if there is little of it."""
    own = topic.background or tuple(step.example for step in topic.session if not step.relevant)
    if len(own) + len(topic.off_topic) >= FEWEST_OTHERS or not is_english(topic):
        return own
    return (*own, *_unrelated(topic, documents))


def _unrelated(topic: Topic, documents: Documents) -> Iterable[Example]:
    """The shipped texts, less those that may be about the topic."""
    try:
        query = Query.of(topic, documents)
    except ConfigError:
        # A topic may be named by words that say nothing, and known by its examples.
        return background_pages()
    return (text for text in background_pages() if query.cosine(f"{text.title}\n{text.text}") <= ON_TOPIC)


def _keywords(topic: Topic, telling: Telling, documents: Documents) -> list[str]:
    if not topic.examples:
        plain = [term for term in topic.vocabulary if term.weight > 0 and _is_plain(term.text)]
        return [term.text for term in sorted(plain, key=lambda term: -term.weight)[:KEYWORDS]]
    known = set(documents.tokeniser.stems(topic.name))
    words = [word.text for word in telling.words]
    return [word for word in words if documents.tokeniser.stem(word) not in known][:KEYWORDS]


def _is_plain(text: str) -> bool:
    return not set(text) & set('*()"') and not set(text.split()) & {"AND", "OR", "NOT"}


def _vocabulary(
    topic: Topic, telling: Telling, others: tuple[Example, ...], documents: Documents
) -> list[Term]:
    terms = _given(topic, documents)
    if topic.examples:
        terms += _weighed(telling.phrases[:PHRASES], PHRASE_WEIGHT)
        terms += _weighed(telling.words[:WORDS], WORD_WEIGHT)
        against = Telling(topic.off_topic, (*topic.examples, *others), documents)
        terms += _weighed(against.words[:AGAINST], -WORD_WEIGHT)
    # Of two terms that mean the same, the one that was given goes first.
    unlike: dict[tuple[str, ...], Term] = {}
    for term in terms:
        phrase = "" if " AND " in term.text else "phrase"
        unlike.setdefault((phrase, *documents.tokeniser.stems(term.text)), term)
    return list(unlike.values())


def _given(topic: Topic, documents: Documents) -> list[Term]:
    """The topic's name and keywords: as phrases, all words of one anywhere in a page, and each word alone."""
    terms = []
    idf = documents.background.idf
    for text in (topic.name, *topic.keywords):
        words = [word for word in documents.tokeniser.tokens(text) if documents.tokeniser.stem(word)]
        if len(words) > 1:
            terms.append(Term(" ".join(documents.tokeniser.tokens(text)), PHRASE_WEIGHT))
            terms.append(Term(" AND ".join(dict.fromkeys(words)), BOOLEAN_WEIGHT))
        terms += [
            Term(word, WORD_WEIGHT * min(1.0, idf(documents.tokeniser.stem(word)) / RARE)) for word in words
        ]
    return terms


def _weighed(found: Sequence[Told], heaviest: float) -> list[Term]:
    return [Term(text, round(heaviest * strength / found[0].strength, 2)) for text, strength in found]
