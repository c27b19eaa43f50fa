"""What comes before any judging: the language of a page, and the rules that a person wrote down."""

from collections.abc import Mapping
from typing import Any, Self

from honeyguide.judges.saved import must_be
from honeyguide.judges.topical import TopicJudge
from honeyguide.model import Page, Reason, Term, Topic, Verdict
from honeyguide.text.documents import Documents
from honeyguide.text.languages import complaint
from honeyguide.text.matching import Matcher

NAME = "screened@1"


class Screened:
    """Lets a judge see only the pages it can judge, and takes a person's word before the judge's.

    A page in a language the topic does not ask for never reaches the judge (GD 11.2): it scores 0. A topic
    that names no language means English; a page whose language is unknown is judged. A page that says one of
    the terms to `reject`, or none of those to `require`, scores 0 too, whatever else it says.
    """

    def __init__(self, judge: TopicJudge) -> None:
        self.judge = judge
        self.needs = judge.needs

    def fit(self, topic: Topic, documents: Documents | None = None) -> Self:
        """Take up a topic, and let the judge do so."""
        documents = documents or Documents.of(topic)
        self.judge.fit(topic, documents)
        self._take(topic.languages or ("en",), topic.reject, topic.require, documents)
        return self

    def assess(self, page: Page) -> Verdict:
        """The relevance of a page, if it may have any."""
        if page.language not in self._languages and (why := complaint(page.language, self._languages)):
            return Verdict(0.0, False, -1.0, "language", (Reason(why, 0.0),), NAME)
        if self._rules and (why := self._broken(page)):
            return Verdict(0.0, False, -1.0, "rule", (Reason(why, 0.0),), NAME)
        return self.judge.assess(page)

    def terms(self) -> list[Reason]:
        """What the judge looks for."""
        return self.judge.terms()

    def state(self) -> Mapping[str, Any]:
        """All that it and the judge know of the topic."""
        return {
            "judge": NAME,
            "languages": self._languages,
            "reject": self._reject,
            "require": self._require,
            "inner": self.judge.state(),
        }

    def restore(self, state: Mapping[str, Any], documents: Documents | None = None) -> Self:
        """Take up what `state` gave, without a topic."""
        must_be(NAME, state)
        documents = documents or Documents()
        self.judge.restore(state["inner"], documents)
        self._take(tuple(state["languages"]), tuple(state["reject"]), tuple(state["require"]), documents)
        return self

    def _take(
        self,
        languages: tuple[str, ...],
        reject: tuple[str, ...],
        require: tuple[str, ...],
        documents: Documents,
    ) -> None:
        self._languages, self._reject, self._require = languages, reject, require
        self._documents = documents
        self._rules = bool(reject or require)
        self._matcher = Matcher([Term(text) for text in (*reject, *require)], documents)

    def _broken(self, page: Page) -> str:
        """Which rule a page breaks, in words; empty if none."""
        said = {match.term for match in self._matcher.find(self._documents.read(page))}
        for number, text in enumerate(self._reject):
            if number in said:
                return f"says {text!r}, which the topic's rules reject"
        if self._require and not any(number >= len(self._reject) for number in said):
            return f"says none of what the topic's rules require: {', '.join(self._require)}"
        return ""
