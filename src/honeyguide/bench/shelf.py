"""A corpus read once: the words of its pages, shared by all judges and topics."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from honeyguide.bench.corpus import Corpus
from honeyguide.model import Example, Level, Topic
from honeyguide.text.documents import Documents


@dataclass(frozen=True)
class Shelf:
    """A corpus with the words of its pages, found once for all judges and topics.

    `examples` are its pages as a judge is told of them; the topics' own are these very objects, so that their
    words are found once too.
    """

    corpus: Corpus
    documents: Documents
    examples: Mapping[str, Example]

    @classmethod
    def of(cls, corpus: Corpus) -> "Shelf":
        """The shelf of a corpus; the words of its pages are found when they are first asked for."""
        examples = {key: Example(page.text, page.title, key) for key, page in corpus.pages.items()}
        # Twice: as pages and as examples. Beyond that, a judge may make up examples of its own.
        return cls(corpus, Documents(remembered=2 * len(corpus.pages) + 20_000), examples)

    def read(self, *, examples: bool) -> "Shelf":
        """Find the words of all pages now, before this process is forked."""
        for text in (*self.corpus.pages.values(), *(self.examples.values() if examples else ())):
            _ = self.documents.read(text).words
        return self

    def own(self, topic: Topic) -> Topic:
        """A topic with this shelf's examples for those that are the same."""

        def ours(examples: Iterable[Example]) -> tuple[Example, ...]:
            return tuple(
                mine if (mine := self.examples.get(example.url)) == example else example
                for example in examples
            )

        return replace(
            topic,
            examples=ours(topic.examples),
            background=ours(topic.background),
            corpus=ours(topic.corpus),
            branch=tuple(Level(level.name, ours(level.examples)) for level in topic.branch),
        )
