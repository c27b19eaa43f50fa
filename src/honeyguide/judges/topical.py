"""What every judge of this package does beside assessing pages."""

from collections.abc import Mapping
from typing import Any, Protocol, Self

from honeyguide.model import Page, Reason, Topic, Verdict
from honeyguide.text.documents import Documents


class TopicJudge(Protocol):
    """A judge that learns what is wanted from a topic, and can be written down.

    `needs` names the parts of a topic that it cannot do without and that may be grown from the others before
    it is fitted: keywords, examples, background, vocabulary. What nobody can grow, `fit` misses in a sentence.
    """

    @property
    def needs(self) -> tuple[str, ...]: ...

    def fit(self, topic: Topic, documents: Documents | None = None) -> Self:
        """Take up a topic; judges that work together share the words of pages through `documents`."""
        ...

    def assess(self, page: Page) -> Verdict: ...

    def terms(self) -> list[Reason]:
        """What it looks for, the weightiest first, for people to read."""
        ...

    def state(self) -> Mapping[str, Any]:
        """All that it knows of the topic, as plain JSON values and numpy arrays."""
        ...

    def restore(self, state: Mapping[str, Any], documents: Documents | None = None) -> Self:
        """Take up what `state` gave instead of a topic; refuse in one sentence what it cannot read."""
        ...
