"""How much a crawl may spend."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Budget:
    """What ends a crawl: whichever of these is spent first; 0 means no limit."""

    pages: int = 1000
    relevant: int = 0
    seconds: float = 0.0
    bytes: int = 0
