"""Honeyguide: a topic-focused web crawler.

>>> from honeyguide import Topic, crawl
>>> for visit in crawl(Topic("dengue fever", seeds=("https://example.org/",)), pages=100):
...     print(visit.url, visit.relevant)
"""

from typing import TYPE_CHECKING, Any

from honeyguide.model import Topic, Visit
from honeyguide.version import __version__

if TYPE_CHECKING:
    from honeyguide.api import crawl
    from honeyguide.searching import SearchEngine

__all__ = ["SearchEngine", "Topic", "Visit", "__version__", "crawl"]


def __getattr__(name: str) -> Any:
    """What crawls and searches is loaded when first asked for: importing the package stays light."""
    if name == "crawl":
        from honeyguide.api import crawl

        return crawl
    if name == "SearchEngine":
        from honeyguide.searching import SearchEngine

        return SearchEngine
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
