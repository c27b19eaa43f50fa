"""Reading pages: parsing and judging, in this process or in others.

A page is untrusted and may take for ever or bring its reader down. In another process that costs one page:
the reader is killed, the page becomes an error, and what waited behind it is given to a new reader.
Run as `python -m honeyguide.reading`, this module is such a reader: it gets parser and judge first, then
responses, and answers each in turn. A judge that has learned follows the same way, so that every page given
to a reader after it is judged by it.
"""

import asyncio
import contextlib
import gc
import os
import pickle
import struct
import sys
from collections import deque
from typing import Any, BinaryIO, NamedTuple

from honeyguide.errors import ConfigError, ErrorKind, PageError, ParseError
from honeyguide.judges.assessing import assessed
from honeyguide.model import Page, Response, Verdict
from honeyguide.roles import Judge, Parser

FRAME = struct.Struct("<I")
READY = b"ready"
NICENESS = 5
"""Readers give way to the crawl, which everything waits for."""


def calm_collector() -> None:
    """Look for cycles less often: pages and links are many and short-lived, and hold none."""
    gc.freeze()
    gc.set_threshold(100_000, 20, 100)


def read_page(parser: Parser, judge: Judge, response: Response) -> tuple[Page, Verdict]:
    """Parse and judge; whatever a page provokes concerns that page only."""
    try:
        page = parser.parse(response)
        return page, assessed(judge, page)
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

    def publish(self, judge: Judge) -> None:
        """Let another judge judge from now on."""
        self.judge = judge

    async def close(self) -> None:
        """Nothing to let go of."""


class Errand(NamedTuple):
    """A page on its way through a reader."""

    frame: bytes
    answer: "asyncio.Future[tuple[Page, Verdict]]"


class ReaderProcess:
    """One reader in a process of its own, answering in the order it was asked, and replaced when it dies."""

    def __init__(self, setup: bytes, *, patience: float) -> None:
        self._setup = setup
        self._patience = patience
        self.waiting: deque[Errand] = deque()
        self._process: asyncio.subprocess.Process | None = None
        self._inbox: asyncio.StreamWriter | None = None
        self._alarm: asyncio.TimerHandle | None = None
        self._gave_up = False
        self._life = asyncio.get_running_loop().create_task(self._live())

    def ask(self, errand: Errand) -> None:
        """Put a page at the end of the line."""
        self.waiting.append(errand)
        if self._inbox is not None:
            self._send(self._inbox, errand.frame)
            if len(self.waiting) == 1:
                self._watch()

    def adopt(self, setup: bytes) -> None:
        """Read by another setup whatever is asked from now on, and all that a new process is given."""
        self._setup = setup
        if self._inbox is not None:
            self._send(self._inbox, setup)

    async def close(self) -> None:
        self._life.cancel()
        if self._alarm:
            self._alarm.cancel()
        if self._process and self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()

    async def _live(self) -> None:
        """Start a process, serve until it ends, and start another for what still waits."""
        while True:
            process = self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "honeyguide.reading",
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                start_new_session=True,
            )
            assert process.stdin is not None
            assert process.stdout is not None
            self._gave_up = False
            sent = self._setup
            self._send(process.stdin, sent)
            with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
                await process.stdout.readexactly(len(READY))
                if self._setup is not sent:
                    self._send(process.stdin, self._setup)
                for errand in self.waiting:
                    self._send(process.stdin, errand.frame)
                self._inbox = process.stdin
                self._watch()
                await self._listen(process.stdout)
            ready, self._inbox = self._inbox is not None, None
            if self._alarm:
                self._alarm.cancel()
            await process.wait()
            if not ready:
                self._despair()
            elif not self._gave_up:
                self._fail_head(ErrorKind.WORKER, "the reader died over this page")

    async def _listen(self, outbox: asyncio.StreamReader) -> None:
        while True:
            (size,) = FRAME.unpack(await outbox.readexactly(FRAME.size))
            page, outcome = pickle.loads(await outbox.readexactly(size))
            errand = self.waiting.popleft()
            self._watch()
            if errand.answer.done():
                continue
            if page is None:
                errand.answer.set_exception(ParseError(*outcome))
            else:
                errand.answer.set_result((page, outcome))

    def _send(self, inbox: asyncio.StreamWriter, frame: bytes) -> None:
        inbox.write(FRAME.pack(len(frame)))
        inbox.write(frame)

    def _watch(self) -> None:
        """Give the page at the head of the line its time, and no more."""
        if self._alarm:
            self._alarm.cancel()
        loop = asyncio.get_running_loop()
        self._alarm = loop.call_later(self._patience, self._lose_patience) if self.waiting else None

    def _lose_patience(self) -> None:
        assert self._process is not None
        self._gave_up = True
        self._fail_head(ErrorKind.PARSE_TIMEOUT, f"took longer than {self._patience:g} s to read")
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()

    def _fail_head(self, kind: ErrorKind, detail: str) -> None:
        if self.waiting:
            errand = self.waiting.popleft()
            if not errand.answer.done():
                errand.answer.set_exception(ParseError(kind, detail))

    def _despair(self) -> None:
        """A reader that cannot even start will not start the next time either."""
        while self.waiting:
            errand = self.waiting.popleft()
            if not errand.answer.done():
                errand.answer.set_exception(
                    ConfigError(
                        "The process that reads pages cannot start; a judge or parser that only a script "
                        "defines needs reading.processes = 0."
                    )
                )


class ReaderProcesses:
    """Several readers, each page given to the one with the least to do."""

    def __init__(self, parser: Parser, judge: Judge, *, processes: int = 1, patience: float = 20.0) -> None:
        if processes < 0:
            raise ValueError(f"processes cannot be {processes}; 0 reads in the crawl's own process")
        self._parser = parser
        self._setup = pickle.dumps((parser, judge), pickle.HIGHEST_PROTOCOL)
        self._wanted = processes
        self._patience = patience
        self._readers: list[ReaderProcess] = []

    async def read(self, response: Response) -> tuple[Page, Verdict]:
        while len(self._readers) < self._wanted:
            self._readers.append(ReaderProcess(self._setup, patience=self._patience))
        frame = pickle.dumps(
            (response.url, response.status, response.headers, response.body), pickle.HIGHEST_PROTOCOL
        )
        answer: asyncio.Future[tuple[Page, Verdict]] = asyncio.get_running_loop().create_future()
        min(self._readers, key=lambda reader: len(reader.waiting)).ask(Errand(frame, answer))
        return await answer

    def publish(self, judge: Judge) -> None:
        """Let another judge judge the pages that are given to a reader from now on."""
        self._setup = pickle.dumps((self._parser, judge), pickle.HIGHEST_PROTOCOL)
        for reader in self._readers:
            reader.adopt(self._setup)

    async def close(self) -> None:
        await asyncio.gather(*(reader.close() for reader in self._readers))


def serve(inbox: BinaryIO, outbox: BinaryIO) -> None:
    """Answer one response after the other until the asker is gone."""

    def receive() -> Any:
        head = inbox.read(FRAME.size)
        if len(head) < FRAME.size:
            return None
        return pickle.loads(inbox.read(FRAME.unpack(head)[0]))

    parser, judge = receive()
    outbox.write(READY)
    outbox.flush()
    while (message := receive()) is not None:
        if len(message) == 2:
            parser, judge = message
            continue
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
    os.nice(NICENESS)
    calm_collector()
    serve(sys.stdin.buffer, sys.stdout.buffer)
