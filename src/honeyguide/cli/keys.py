"""What a person presses: single keys from a terminal, the first letter of each line from anything else."""

import os
from types import TracebackType
from typing import Any, TextIO

QUIT = "q"
NOTHING = ""


class Keys:
    """Answers in lower case, one at a time; the end of the input is q, a key that is no letter is empty."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._terminal = stream.isatty()
        self._before: list[Any] = []

    def __enter__(self) -> "Keys":
        if self._terminal:
            import termios
            import tty

            self._before = termios.tcgetattr(self._stream)
            tty.setcbreak(self._stream)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._before:
            import termios

            termios.tcsetattr(self._stream, termios.TCSADRAIN, self._before)

    def next(self) -> str:
        """Wait for an answer."""
        if not self._terminal:
            line = self._stream.readline()
            return line.strip()[:1].lower() if line else QUIT
        # All at once: the end of what an arrow key sends must not be taken for another key.
        pressed = os.read(self._stream.fileno(), 64)
        if not pressed or pressed[:1] == b"\x04":
            return QUIT
        key = pressed.decode("utf-8", "replace")[0].lower()
        return key if key.isalpha() else NOTHING
