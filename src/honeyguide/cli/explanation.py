"""An explained topic on the screen, and as plain values."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from honeyguide.display import printable

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from honeyguide.explaining import Explanation, Opinion, Word
    from honeyguide.model import Example, Reason, Topic

TITLES = 5
"""Examples of a kind that are named."""

TERMS = 20
"""Terms of a vocabulary that are shown."""

LONGEST = 60
"""Characters of a title that are shown."""


def show_explanation(explanation: "Explanation", *, terms: int) -> None:
    """All that is known of a topic; `terms` of each judge."""
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False, soft_wrap=False)
    if not console.is_terminal:
        console.width = 110
    _summary(console, explanation)
    if explanation.words:
        _section(console, "words of the name and the keywords", _words(explanation.words, explanation.topic))
    if explanation.topic.vocabulary or explanation.grown_vocabulary:
        _section(console, "vocabulary", _vocabulary(explanation))
    if explanation.opinions:
        _section(console, "what judges look for", _opinions(explanation.opinions, terms))
    if explanation.ambiguities:
        lines = _grid((Text("-"), Text(printable(sentence))) for sentence in explanation.ambiguities)
        _section(console, "to think about", lines)
    if explanation.gaps:
        gaps = _table("what", "without it", "how to add it")
        for gap in explanation.gaps:
            gaps.add_row(Text(gap.what), Text(gap.meaning), Text(gap.remedy))
        _section(console, "what is missing", gaps)


def plain(explanation: "Explanation") -> dict[str, Any]:
    """The same as plain values; of examples what they are called, not their texts."""
    topic = explanation.topic
    return {
        "name": topic.name,
        "description": topic.description,
        "languages": list(topic.languages),
        "seeds": list(topic.seeds),
        "keywords": list(topic.keywords),
        "grown_keywords": list(explanation.grown_keywords),
        "words": [word._asdict() for word in explanation.words],
        "vocabulary": [
            {**term._asdict(), "grown": grown}
            for grown, terms in ((False, topic.vocabulary), (True, explanation.grown_vocabulary))
            for term in terms
        ],
        **{
            part: [_named(example) for example in getattr(topic, part)]
            for part in ("examples", "off_topic", "background", "corpus")
        },
        "levels": [
            {"name": level.name, "examples": [_named(example) for example in level.examples]}
            for level in topic.branch
        ],
        "session": [{**_named(step.example), "relevant": step.relevant} for step in topic.session],
        "concepts": len(topic.ontology),
        "rules": list(topic.rules),
        "reject": list(topic.reject),
        "require": list(topic.require),
        "telling": {part: _pairs(words) for part, words in explanation.telling.items()},
        "judges": [
            {"judge": opinion.judge, "terms": _pairs(opinion.terms), "missing": opinion.missing}
            for opinion in explanation.opinions
        ],
        "ambiguities": list(explanation.ambiguities),
        "missing": [gap._asdict() for gap in explanation.gaps],
    }


def _summary(console: "Console", explanation: "Explanation") -> None:
    from rich.text import Text

    console.print(Text(printable(explanation.topic.name), style="bold"))
    console.print(
        _grid((Text(label, style="dim"), Text(printable(value))) for label, value in _lines(explanation))
    )


def _lines(explanation: "Explanation") -> Iterator[tuple[str, str]]:
    """What the topic says, part by part; parts that it leaves out are not mentioned."""
    topic, telling = explanation.topic, explanation.telling
    if topic.description:
        yield "description", topic.description
    yield "languages", ", ".join(topic.languages) or "en (presumed)"
    if topic.seeds:
        yield "seeds", _first(topic.seeds)
    if topic.keywords:
        yield "keywords", ", ".join(topic.keywords)
    if explanation.grown_keywords:
        yield "grown keywords", ", ".join(explanation.grown_keywords)
    for part, label in (("examples", "examples"), ("off_topic", "off topic")):
        if examples := getattr(topic, part):
            yield label, _first([_title(example) for example in examples])
            if words := telling.get(part):
                yield "", f"they say: {', '.join(word.what for word in words)}"
    for part in ("background", "corpus"):
        if texts := getattr(topic, part):
            yield part, f"{len(texts):,} texts"
    for number, level in enumerate(topic.branch, 1):
        examples = (
            _first([_title(example) for example in level.examples]) if level.examples else "no examples"
        )
        yield f"level {number}", f"{level.name}: {examples}"
        if words := telling.get(f"level {number}"):
            yield "", f"they say: {', '.join(word.what for word in words)}"
    if topic.session:
        marked = sum(step.relevant for step in topic.session)
        yield "session", f"{len(topic.session):,} pages in order, {marked:,} marked as on topic"
    yield "ontology", f"{len(topic.ontology):,} concepts" if topic.ontology else "WordNet"
    for rule in topic.rules:
        yield "rule", rule
    if topic.reject:
        yield "reject", f"pages that say {', '.join(topic.reject)}"
    if topic.require:
        yield "require", f"one of {', '.join(topic.require)}"


def _words(words: "Sequence[Word]", topic: "Topic") -> "Table":
    table = _table("word", "texts that say it", "senses", *(["examples"] if topic.examples else []))
    for word in words:
        share = f"{word.share:.2%}" if word.share else "unknown"
        said = [f"{word.examples} of {len(topic.examples)}"] if topic.examples else []
        table.add_row(printable(word.word), share, f"{word.senses}", *said)
    return table


def _vocabulary(explanation: "Explanation") -> "Table":
    from rich.text import Text

    table = _table("term", "weight", "from")
    given, grown = explanation.topic.vocabulary, explanation.grown_vocabulary
    for terms, origin in ((given, "the topic"), (grown, "grown")):
        for term in sorted(terms, key=lambda term: -abs(term.weight))[:TERMS]:
            table.add_row(Text(printable(term.text)), f"{term.weight:.4g}", origin)
        if len(terms) > TERMS:
            table.add_row(Text(f"and {len(terms) - TERMS:,} more", style="dim"), "", origin)
    return table


def _opinions(opinions: "Sequence[Opinion]", terms: int) -> "Table":
    from rich.text import Text

    def row(opinion: "Opinion") -> tuple[Text, Text]:
        name = Text(opinion.judge, style="bold")
        if opinion.missing:
            return name, Text(printable(opinion.missing), style="yellow")
        shown = ", ".join(f"{printable(what)} {amount:.3g}" for what, amount in opinion.terms[:terms])
        more = f", and {len(opinion.terms) - terms:,} more" if len(opinion.terms) > terms else ""
        return name, Text.assemble(shown or "nothing that can be named", (more, "dim"))

    return _grid(map(row, opinions))


def _section(console: "Console", title: str, content: Any) -> None:
    from rich.text import Text

    console.print()
    console.print(Text(title, style="bold"))
    console.print(content)


def _table(*columns: str) -> "Table":
    from rich.table import Table

    table = Table(box=None, padding=(0, 2))
    for column in columns:
        table.add_column(column, header_style="dim")
    return table


def _grid(rows: Iterable[tuple[Any, Any]]) -> "Table":
    from rich.table import Table

    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True)
    grid.add_column()
    for row in rows:
        grid.add_row(*row)
    return grid


def _first(names: Sequence[str]) -> str:
    """How many there are, and the first of them."""
    more = f" and {len(names) - TITLES:,} more" if len(names) > TITLES else ""
    return f"{len(names):,} ({', '.join(names[:TITLES])}{more})"


def _title(example: "Example") -> str:
    """What an example is called: its title, where it lies, or how it begins."""
    name = (example.title.strip() or example.url or example.text.strip())[:LONGEST]
    return name if example.text.strip() else f"{name}, not read yet"


def _named(example: "Example") -> dict[str, Any]:
    return {
        "title": example.title,
        "url": example.url,
        "weight": example.weight,
        "characters": len(example.text),
    }


def _pairs(reasons: "Iterable[Reason]") -> list[dict[str, Any]]:
    return [{"what": what, "amount": round(amount, 6)} for what, amount in reasons]
