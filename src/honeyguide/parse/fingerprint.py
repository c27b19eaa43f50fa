"""Two numbers that tell whether pages say the same: one exactly, one nearly."""

import numpy as np
import numpy.typing as npt
import xxhash
from rensa import RMinHash

_SPACE = b" \t\n\r\v\f"
_LOWER = bytes(range(256)).lower()

_SEED = 20_100
_SHORTEST = 250
"""With fewer bytes than some fifty words have, likeness means nothing."""
_LONGEST = 16_384
"""Pages that agree in so many bytes are alike enough."""
_FIRST_HALF = np.uint64(0x9E3779B97F4A7C15)
_SECOND_HALF = np.uint64(0xC2B2AE3D27D4EB4F)
_HIGH_TO_LOW = np.uint64(32)


def fingerprint(text: str) -> int:
    """A signed 64-bit hash that ignores white space and the case of ASCII letters; 0 when there is no text."""
    return _fingerprint(_plain(text))


def sketch(text: str) -> int:
    """A signed 64-bit sketch: texts that are nine tenths alike differ in about three bits; 0 when too short.

    The lowest bits of 64 MinHash values (b-bit minwise hashing, Li & König 2010, b = 1), so two texts of
    Jaccard similarity J differ in 32 (1 - J) bits on average. What is compared are runs of 16 bytes (three
    words of English, five characters of Chinese) without white space.
    """
    return _sketch(_plain(text))


def fingerprint_and_sketch(text: str) -> tuple[int, int]:
    """Both at once, which is cheaper."""
    plain = _plain(text)
    return _fingerprint(plain), _sketch(plain)


def _fingerprint(plain: bytes) -> int:
    return _signed(xxhash.xxh3_64_intdigest(plain)) if plain else 0


def _sketch(plain: bytes) -> int:
    if len(plain) < _SHORTEST:
        return 0
    hashes = _shingles(plain[:_LONGEST])
    rows = RMinHash.digest_matrix_from_flat_token_hashes(hashes, [0, len(hashes)], 64, _SEED).to_rows()
    return _signed(sum((value & 1) << place for place, value in enumerate(rows[0])))


def _plain(text: str) -> bytes:
    return text.encode("utf-8", "replace").translate(_LOWER, _SPACE)


def _shingles(plain: bytes) -> npt.NDArray[np.uint64]:
    """Hashes of the runs of 16 bytes that start anywhere, made of the numbers that 8 bytes are."""
    # A view of one number for every byte, each of which shares seven bytes with the next.
    numbers = np.ndarray((len(plain) - 7,), "<u8", plain, strides=(1,)).copy()
    hashes: npt.NDArray[np.uint64] = numbers[8:] * _SECOND_HALF
    numbers *= _FIRST_HALF
    hashes += numbers[:-8]
    hashes ^= hashes >> _HIGH_TO_LOW
    return hashes


def _signed(unsigned: int) -> int:
    return unsigned - (1 << 64) if unsigned >> 63 else unsigned
