"""What a terminal is shown."""

import io

from rich.console import Console

from honeyguide.display import page_line, printable
from honeyguide.model import Candidate, Link, Page, Verdict, Visit


def test_text_from_the_web_cannot_steer_a_terminal() -> None:
    assert printable("a\x1b[2Jb\x07c\x9bd\n") == "a [2Jb c d "
    hostile = Page("http://a.test/", title="\x1b]0;owned\x07 title [bold]x[/bold]")
    visit = Visit(Candidate(Link("http://a.test/"), 1.0), page=hostile, verdict=Verdict(0.5, True))
    out = io.StringIO()
    Console(file=out, width=100).print(page_line(visit))
    assert "\x1b" not in out.getvalue()
    assert "[bold]x[/bold]" in out.getvalue()
