"""Pages seen before under another URL, exactly or nearly.

Near-duplicates are found as in Manku, Jain & Das Sarma (WWW 2007): two 64-bit sketches that differ in
at most three bits agree in at least one of four 16-bit blocks, so only pages that share a block are compared.
"""

from array import array
from collections import defaultdict

BLOCKS = 4
BLOCK_BITS = 16
BLOCK_MASK = (1 << BLOCK_BITS) - 1
SKETCH_MASK = (1 << 64) - 1


class Duplicates:
    """Remembers the fingerprint and sketch of every kept page, in about 100 bytes a page."""

    def __init__(self, *, distance: int = 3) -> None:
        if not 0 <= distance < BLOCKS:
            raise ValueError(f"distance must be 0 to {BLOCKS - 1}, not {distance}")
        self.distance = distance
        self._exact: dict[int, int] = {}
        self._blocks: list[defaultdict[int, array[int]]] = [
            defaultdict(lambda: array("q")) for _ in range(BLOCKS)
        ]
        self._sketches: dict[int, int] = {}

    def add(self, number: int, fingerprint: int, sketch: int) -> None:
        """Remember a page by its visit's number."""
        if fingerprint:
            self._exact.setdefault(fingerprint, number)
        if sketch:
            self._sketches[number] = sketch & SKETCH_MASK
            for block, key in enumerate(_keys(sketch)):
                self._blocks[block][key].append(number)

    def find(self, fingerprint: int, sketch: int) -> tuple[int, bool] | None:
        """The number of an earlier visit with the same text, and whether it is exactly the same."""
        if fingerprint and fingerprint in self._exact:
            return self._exact[fingerprint], True
        if not sketch:
            return None
        wanted = sketch & SKETCH_MASK
        nearest: tuple[int, int] | None = None
        for block, key in enumerate(_keys(sketch)):
            for number in self._blocks[block].get(key, ()):
                distance = (self._sketches[number] ^ wanted).bit_count()
                if distance <= self.distance and (nearest is None or (distance, number) < nearest):
                    nearest = (distance, number)
        return (nearest[1], False) if nearest else None


def _keys(sketch: int) -> list[int]:
    return [(sketch >> (block * BLOCK_BITS)) & BLOCK_MASK for block in range(BLOCKS)]
