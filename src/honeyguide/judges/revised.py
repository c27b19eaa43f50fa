"""A judge that was fitted again during a crawl, and says so in its verdicts."""

from dataclasses import replace

from honeyguide.model import Page, Verdict
from honeyguide.roles import Judge


class Revised:
    """Judges as another judge does, and signs with the revision of the topic it was fitted to: svm@1 r3."""

    def __init__(self, judge: Judge, revision: int) -> None:
        self.judge = judge
        self.revision = revision

    def assess(self, page: Page) -> Verdict:
        """The relevance of a page, and by which revision."""
        verdict = self.judge.assess(page)
        return replace(verdict, judge=f"{verdict.judge} r{self.revision}") if self.revision else verdict
