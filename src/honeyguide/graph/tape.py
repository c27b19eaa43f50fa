"""Bytes that only grow in number, on the disk but for the last ones."""

import os
import sys
from collections.abc import Iterable, Iterator
from tempfile import mkstemp
from weakref import finalize

HELD = 1 << 20
"""Bytes that are held in memory before they are put aside."""

_ON_DISK = "/var/tmp"


class Tape:
    """What is appended lies in a temporary file that nobody else sees, and is gone with the process; only the last
    `held` bytes are in memory. Where the disk takes no more, memory does. The file lies in TMPDIR or else in /var/tmp,
    which is on a disk where /tmp may be memory.
    """

    def __init__(self, *, held: int = HELD) -> None:
        self._held = held
        self._last = bytearray()
        self._aside = 0
        self._file = -1

    def __len__(self) -> int:
        return self._aside + len(self._last)

    @property
    def nbytes(self) -> int:
        """What it takes in memory."""
        return len(self._last)

    def append(self, more: bytes) -> None:
        """Add bytes at the end."""
        self._last += more
        if len(self._last) >= self._held:
            self._put_aside()

    def slices(self, starts: Iterable[int], ends: Iterable[int]) -> Iterator[bytes]:
        """The bytes from each start to its end, all of which were appended at one time."""
        for start, end in zip(starts, ends, strict=True):
            if start >= self._aside:
                yield bytes(self._last[start - self._aside : end - self._aside])
            else:
                yield os.pread(self._file, end - start, start)

    def whole(self) -> bytes:
        """All of it."""
        parts = []
        at = 0
        while at < self._aside:
            parts.append(os.pread(self._file, self._aside - at, at))
            at += len(parts[-1])
        return b"".join((*parts, self._last))

    def _put_aside(self) -> None:
        try:
            if self._file < 0:
                self._file, name = mkstemp(prefix="honeyguide-", dir=_folder())
                finalize(self, os.close, self._file)
                os.unlink(name)
            at = 0
            while at < len(self._last):
                at += os.pwrite(self._file, self._last[at:], self._aside + at)
        except OSError:  # what was written beyond `_aside` is never read
            self._held = sys.maxsize
            return
        self._aside += len(self._last)
        self._last.clear()


def _folder() -> str | None:
    """Where a large temporary file should lie; None is where Python would put it."""
    is_ours = "TMPDIR" not in os.environ and os.access(_ON_DISK, os.W_OK)
    return _ON_DISK if is_ours else None
