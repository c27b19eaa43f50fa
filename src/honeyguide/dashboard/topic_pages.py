"""Pages of a collection found by their addresses, to become examples of its topic."""

from honeyguide.dashboard.crawls import CrawlAtHand
from honeyguide.dashboard.kept import Kept
from honeyguide.dashboard.topic_edit import FindPage
from honeyguide.errors import ConfigError, UserError
from honeyguide.model import Example
from honeyguide.store.collection import Collection
from honeyguide.store.pages import at_visits
from honeyguide.urls import canonical, url_hash

NEWEST = """
SELECT MAX(v.id) FROM urls u JOIN visits v ON v.url = u.id
WHERE u.hash = ? AND u.url = ? AND v.error IS NULL AND v.unchanged = 0
"""


def page_finder(crawl: CrawlAtHand, kept: Kept, collection: Collection) -> FindPage:
    """Finds the pages of a crawl that were kept, as examples."""

    def find(url: str) -> Example:
        address = canonical(url)
        if address is None:
            raise ConfigError(f"{url[:200]!r} is not a web address.")
        visit = _indexed(crawl, kept, address) or _visited(collection, address)
        for row in at_visits(collection.connection, [visit] if visit else []):
            page = kept.pages.of(collection, row)
            if page is not None and page.text.strip():
                return Example(page.text, page.title, row["address_url"])
        raise ConfigError(f"This crawl has not kept {address[:300]}; paste its text instead.")

    return find


def _indexed(crawl: CrawlAtHand, kept: Kept, address: str) -> int:
    """The visit by the search index, which finds it at once; 0 if it is not in there."""
    try:
        return kept.engines.of(crawl.folder).engine.index.entry(address).visit
    except UserError:
        return 0


def _visited(collection: Collection, address: str) -> int:
    found = collection.connection.execute(NEWEST, (url_hash(address), address)).fetchone()
    return int(found[0] or 0)
