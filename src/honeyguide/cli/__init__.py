"""The command line. Every command imports what it needs when it runs, so that --help is quick."""

import sqlite3
import sys
from typing import NoReturn

import typer

from honeyguide.cli import (
    asking,
    bench,
    corpus,
    crawling,
    fitting,
    judges,
    labelling,
    listing,
    reporting,
    sample,
    search,
    serve,
    steering,
    topic,
)
from honeyguide.errors import UserError

app = typer.Typer(
    name="honeyguide",
    help="Find the part of the web that is about your topic, in as few downloads as possible.",
    epilog="Start with: honeyguide demo, or honeyguide crawl 'dengue fever' --seed URL.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command in (
    crawling.crawl,
    crawling.resume,
    steering.steer,
    asking.status,
    asking.why,
    asking.export,
    search.search,
    serve.serve,
    labelling.label,
    bench.bench,
    reporting.report,
    fitting.fit_guide,
    listing.strategies,
    listing.init,
    listing.doctor,
    crawling.demo,
):
    app.command()(command)
topic.app.command()(labelling.grow)
app.add_typer(topic.app, name="topic", help="What a crawl is about: look at a topic and make more of it.")
app.add_typer(judges.app, name="judges", help="Ways to judge pages: list them, and compare them on labels.")
app.add_typer(corpus.app, name="corpus", help="Recorded and made-up webs to measure strategies on.")
app.add_typer(sample.app, name="sample", help="Check a crawl by hand: draw pages, label them, report.")


@app.callback(invoke_without_command=True)
def version(show: bool = typer.Option(False, "--version", help="Show the version and exit.")) -> None:
    """Find the part of the web that is about your topic, in as few downloads as possible."""
    if show:
        from honeyguide.version import __version__

        typer.echo(f"honeyguide {__version__}")
        raise typer.Exit


def main() -> None:
    """Run a command; what a person can mend is one sentence and exit code 2."""
    try:
        app()
    except UserError as error:
        _complain(str(error))
    except sqlite3.DatabaseError as error:
        _complain(f"the crawl's database is damaged ({error}); restore it from a copy.")
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)


def _complain(sentence: str) -> NoReturn:
    """Say what is wrong; a sentence may quote the web, so nothing in it may steer the terminal."""
    from honeyguide.display import printable

    typer.echo(f"honeyguide: {printable(sentence)}", err=True)
    sys.exit(2)
