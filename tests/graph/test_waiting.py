"""The table of what a crawl has heard of and what waits."""

import numpy as np

from honeyguide.errors import ErrorKind
from honeyguide.graph.waiting import Waiting
from honeyguide.model import Candidate, Link, Page, Visit


def visit(url: str, targets: str, *, final: str = "") -> Visit:
    page = Page(final or url, links=tuple(Link(target, url) for target in targets))
    return Visit(Candidate(Link(url), 0.0), page=page)


def names(waiting: Waiting) -> list[str]:
    return [waiting.url(number) for number in np.flatnonzero(waiting.waits).tolist()]


def test_what_was_found_waits_until_it_is_visited_refused_or_has_failed() -> None:
    waiting = Waiting(every=1)
    assert waiting.see(visit("a", "bcdb")) == [1, 2, 3, 1]
    waiting.see(visit("b", "a"))
    waiting.forget("c")
    assert names(waiting) == ["d"]
    waiting.see(Visit(Candidate(Link("d"), 0.0), error=ErrorKind.TIMEOUT))
    assert names(waiting) == []


def test_where_a_visit_was_redirected_to_does_not_wait_whenever_a_link_leads_there() -> None:
    waiting = Waiting(every=1)
    waiting.see(visit("a", "bx"))
    waiting.see(visit("b", "y", final="z"))
    waiting.see(visit("c", "z"))
    assert names(waiting) == ["x", "y"]


def test_only_what_waits_and_has_moved_is_told() -> None:
    waiting = Waiting(every=1)
    numbers = waiting.see(visit("a", "bcd"))
    waiting.tell(numbers, np.array([1.0, 2.0, 3.0]))
    waiting.forget("d")
    assert list(waiting.order(np.array([0.0, 1.0, 5.0, 6.0]))) == [("c", 5.0)]
    assert list(waiting.order(np.array([0.0, 1.0, 5.0, 7.0]))) == []


def test_all_orderings_together_touch_each_page_a_bounded_number_of_times() -> None:
    waiting, touched, pages = Waiting(every=5), 0, 2000
    for number in range(pages):
        waiting.see(visit(f"page {number}", ""))
        if waiting.is_due:
            touched += waiting.pages
            list(waiting.order(np.zeros(len(waiting.graph))))
    assert touched <= 21 * pages
