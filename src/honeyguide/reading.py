"""Reading pages: parsing and judging, in this process or in others.

A page is untrusted and may take for ever or bring its reader down. In another process that costs one page:
the reader is killed, the page becomes an error, and what waited behind it is given to a new reader.
Run as `python -m honeyguide.reading`, this module is such a reader: it gets parser and judge first, then
responses, and answers each in turn.
"""

import asyncio
import contextlib
import pickle
import struct
import sys
from collections import deque
from collections.abc import Callable
from typing import Any, BinaryIO, NamedTuple

from honeyguide.errors import ErrorKind, PageError, ParseError
from honeyguide.model import Page, Response, Verdict
from honeyguide.roles import Judge, Parser

FRAME = struct.Struct("<I")


def read_page(parser: Parser, judge: Judge, response: Response) -> tuple[Page, Verdict]:
    """Parse and judge; whatever a page provokes concerns that page only."""
    try:
        page = parser.parse(response)
        return page, judge.assess(page)
    except PageError:
        raise
    except (RecursionError, MemoryError, ValueError, LookupError, ArithmeticError, TypeError) as error:
        raise ParseError(ErrorKind.PARSE, f"{type(error).__name__}: {error}"[:200]) from error


class InlineReader:
    """Reads in this process: deterministic, nothing to start, no protection against slow pages."""

    def __init__(self, parser: Parser, judge: Judge) -> None:
        self.parser = parser
        self.judge = judge

    async def read(self, response: Response) -> tuple[Page, Verdict]:
        return read_page(self.parser, self.judge, response)

    async def close(self) -> None:
        """Nothing to let go of."""


class Errand(NamedTuple):
    """A page on its way through a reader."""

    frame: bytes
    answer: "asyncio.Future[tuple[Page, Verdict]]"


class ReaderProcess:
    """One reader in a process of its own, answering in the order it was asked."""

    def __init__(self, setup: bytes, *, patience: float, on_death: Callable[["ReaderProcess"], None]) -> None:
        self._setup = setup
        self._patience = patience
        self._on_death = on_death
        self.waiting: deque[Errand] = deque()
        self._process: asyncio.subprocess.Process | None = None
        self._listening: asyncio.Task[None] | None = None
        self._alarm: asyncio.TimerHandle | None = None
        self._gave_up = False

    async def start(self) -> None:
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "honeyguide.reading",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            start_new_session=True,
        )
        self._send(self._setup)
        self._listening = asyncio.create_task(self._listen())

    def ask(self, errand: Errand) -> None:
        self.waiting.append(errand)
        if len(self.waiting) == 1:
            self._watch()
        self._send(errand.frame)

    async def close(self) -> None:
        if self._alarm:
            self._alarm.cancel()
        if self._listening:
            self._listening.cancel()
        if self._process and self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()

    def _send(self, frame: bytes) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.write(FRAME.pack(len(frame)))
        self._process.stdin.write(frame)

    def _watch(self) -> None:
        """Give the page at the head of the line its time, and no more."""
        if self._alarm:
            self._alarm.cancel()
        loop = asyncio.get_running_loop()
        self._alarm = loop.call_later(self._patience, self._lose_patience) if self.waiting else None

    def _lose_patience(self) -> None:
        assert self._process
        self._gave_up = True
        self._fail_head(ErrorKind.PARSE_TIMEOUT, f"took longer than {self._patience:g} s to read")
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()

    def _fail_head(self, kind: ErrorKind, detail: str) -> None:
        if self.waiting:
            errand = self.waiting.popleft()
            if not errand.answer.done():
                errand.answer.set_exception(ParseError(kind, detail))

    async def _listen(self) -> None:
        assert self._process is not None
        assert self._process.stdout is not None
        stream = self._process.stdout
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                (size,) = FRAME.unpack(await stream.readexactly(FRAME.size))
                page, outcome = pickle.loads(await stream.readexactly(size))
                errand = self.waiting.popleft()
                self._watch()
                if errand.answer.done():
                    continue
                if page is None:
                    errand.answer.set_exception(ParseError(*outcome))
                else:
                    errand.answer.set_result((page, outcome))
        if self._alarm:
            self._alarm.cancel()
        if not self._gave_up:
            self._fail_head(ErrorKind.WORKER, "the reader died over this page")
        await self._process.wait()
        self._on_death(self)


class ReaderProcesses:
    """Several readers, each page given to the one with the least to do."""

    def __init__(self, parser: Parser, judge: Judge, *, processes: int = 1, patience: float = 20.0) -> None:
        self._setup = pickle.dumps((parser, judge), pickle.HIGHEST_PROTOCOL)
        self._wanted = processes
        self._patience = patience
        self._readers: list[ReaderProcess] = []
        self._restarts: set[asyncio.Task[None]] = set()

    async def read(self, response: Response) -> tuple[Page, Verdict]:
        while len(self._readers) < self._wanted:
            await self._start()
        frame = pickle.dumps(
            (response.url, response.status, response.headers, response.body), pickle.HIGHEST_PROTOCOL
        )
        answer: asyncio.Future[tuple[Page, Verdict]] = asyncio.get_running_loop().create_future()
        min(self._readers, key=lambda reader: len(reader.waiting)).ask(Errand(frame, answer))
        return await answer

    async def close(self) -> None:
        for task in self._restarts:
            task.cancel()
        await asyncio.gather(*(reader.close() for reader in self._readers))

    async def _start(self) -> ReaderProcess:
        reader = ReaderProcess(self._setup, patience=self._patience, on_death=self._replace)
        self._readers.append(reader)
        await reader.start()
        return reader

    def _replace(self, dead: ReaderProcess) -> None:
        task = asyncio.get_running_loop().create_task(self._hand_over(dead))
        self._restarts.add(task)
        task.add_done_callback(self._restarts.discard)

    async def _hand_over(self, dead: ReaderProcess) -> None:
        self._readers.remove(dead)
        await dead.close()
        heir = await self._start()
        for errand in dead.waiting:
            heir.ask(errand)


def serve(inbox: BinaryIO, outbox: BinaryIO) -> None:
    """Answer one response after the other until the asker is gone."""

    def receive() -> Any:
        head = inbox.read(FRAME.size)
        if len(head) < FRAME.size:
            return None
        return pickle.loads(inbox.read(FRAME.unpack(head)[0]))

    parser, judge = receive()
    while (message := receive()) is not None:
        url, status, headers, body = message
        reply: tuple[Page, Verdict] | tuple[None, tuple[ErrorKind, str]]
        try:
            reply = read_page(parser, judge, Response(url=url, status=status, headers=headers, body=body))
        except PageError as error:
            reply = None, (error.kind, error.detail)
        frame = pickle.dumps(reply, pickle.HIGHEST_PROTOCOL)
        outbox.write(FRAME.pack(len(frame)))
        outbox.write(frame)
        outbox.flush()


if __name__ == "__main__":
    serve(sys.stdin.buffer, sys.stdout.buffer)
