"""One person going through pages, a key for each."""

import sqlite3
from collections.abc import Callable, Iterator, Sequence

from rich.console import Console
from rich.text import Text

from honeyguide.cli.keys import Keys
from honeyguide.display import printable
from honeyguide.errors import CrawlError
from honeyguide.model import Topic
from honeyguide.store.collection import Collection
from honeyguide.store.labels import LabelBook
from honeyguide.text.showing import TopicWords, pieces_of

ANSWERS = {"y": True, "n": False, "u": None}
PROMPT = "on topic?  y yes  n no  u unsure  o more text  s skip  b back  q quit"


class Session:
    """One person going through pages."""

    def __init__(
        self,
        console: Console,
        collection: Collection,
        book: LabelBook,
        keys: Keys,
        topic: Topic,
        annotator: str,
    ) -> None:
        self._console = console
        self._collection = collection
        self._book = book
        self._keys = keys
        self._marked = marking(topic)
        self._annotator = annotator
        self._answers: list[int | None] = []
        """The number of the label that was written for each page so far; None if it was skipped."""

    def run(self, rows: Sequence[sqlite3.Row]) -> int:
        """Show one page after the other; returns how many were labelled."""
        while len(self._answers) < len(rows) and self._ask(rows[len(self._answers)], len(rows)):
            pass
        return sum(answer is not None for answer in self._answers)

    def _ask(self, row: sqlite3.Row, n: int) -> bool:
        """Show a page until there is an answer; False to stop."""
        pieces = self._show(row, len(self._answers) + 1, n)
        while True:
            self._console.print(PROMPT, style="dim")
            key = self._keys.next()
            if key in ANSWERS:
                number = self._book.write(row["address_url"], row["id"], ANSWERS[key], self._annotator)
                self._answers.append(number)
                return True
            if key == "s":
                self._answers.append(None)
                return True
            if key == "b" and self._answers:
                number_before = self._answers.pop()
                if number_before is not None:
                    self._book.withdraw(number_before)
                return True
            if key == "o":
                self._console.print(next(pieces, "There is no more text."))
            if key == "q":
                return False

    def _show(self, row: sqlite3.Row, place: int, n: int) -> Iterator[Text]:
        url, host, title = (printable(row[key]) for key in ("address_url", "host", "title"))
        language = printable(row["language"]) or "unknown language"
        self._console.rule(style="dim")
        self._console.print(
            Text(f"{place} of {n}  ", style="dim") + self._marked(title or "(no title)", "bold")
        )
        self._console.print(Text(url, style="cyan"))
        self._console.print(Text(f"{host}  {language}  {row['words']:,} words", style="dim"))
        text = self._text_of(row)
        pieces = (self._marked(piece, "") for piece in pieces_of(text))
        self._console.print(next(pieces, Text("(no text)", style="dim")))
        return pieces

    def _text_of(self, row: sqlite3.Row) -> str:
        try:
            return self._collection.text_of(row)
        except OSError as error:
            raise CrawlError(
                f"The archive of {self._collection.folder} cannot be read: {error.strerror or error}."
            ) from error


def marking(topic: Topic) -> Callable[[str, str], Text]:
    """Makes a text of which the words are marked that the topic names."""
    words = TopicWords(topic)

    def mark(text: str, style: str) -> Text:
        marked = Text(text, style=style)
        for place in words.places(text):
            marked.stylize("bold yellow", *place)
        return marked

    return mark
