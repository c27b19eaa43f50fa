"""How the crawler introduces itself."""

from honeyguide.version import __version__

PRODUCT = "honeyguide"
"""The token that robots.txt files name us by."""


def user_agent(*, contact: str = "") -> str:
    """An honest name, with a page or address to write to when one is known."""
    return f"{PRODUCT}/{__version__} (+{contact})" if contact else f"{PRODUCT}/{__version__}"
