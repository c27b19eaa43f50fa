"""How judges are asked, whoever wrote them."""

from dataclasses import replace

from honeyguide.model import Page, Verdict
from honeyguide.roles import Judge


def assessed(judge: Judge, page: Page) -> Verdict:
    """What a judge says of a page. Relevance lies between 0 and 1, whatever it makes of it; what is no number is 0."""
    verdict = judge.assess(page)
    if 0.0 <= verdict.score <= 1.0:
        return verdict
    return replace(verdict, score=float(verdict.score > 1.0))
