"""What tantivy complains of, said in our words."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from honeyguide.errors import CrawlError, ResourceError


class DamagedIndex(CrawlError):
    """An index that cannot be read; it can be rebuilt."""


@contextmanager
def reading_index(folder: Path) -> Iterator[None]:
    """Make of whatever tantivy fails with one error: it raises ValueError, and panics over bytes that make no sense."""
    try:
        yield
    except BaseException as error:
        if "No space left" in str(error):
            raise ResourceError(
                f"The disk under {folder} is full; free some space and search again."
            ) from error
        if isinstance(error, ValueError) or type(error).__name__ == "PanicException":
            raise DamagedIndex(
                f"The search index in {folder} is damaged ({error}); remove that folder."
            ) from error
        raise
