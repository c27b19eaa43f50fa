"""A search as the index understands it."""

from collections.abc import Iterable, Mapping

import tantivy

from honeyguide.search.analysis import Analysers
from honeyguide.search.fields import BOOSTS
from honeyguide.search.query import All, AnyOf, Between, Exactly, Node, Not, Words, positive_words

Must, Should, MustNot = tantivy.Occur.Must, tantivy.Occur.Should, tantivy.Occur.MustNot


class Matcher:
    """Makes queries for one index; a word is looked up as it would be written in each of the index's languages."""

    def __init__(self, schema: tantivy.Schema, analysers: Analysers, languages: tuple[str, ...]) -> None:
        self._schema = schema
        self._analysers = analysers
        self._languages = languages

    def query(self, node: Node) -> tantivy.Query:
        """What matches a search. Words score; where there are none, every match scores 1."""
        asked = self._of(node)
        if any(positive_words(node)):
            return asked
        return tantivy.Query.const_score_query(asked, 1.0)

    def terms(self, node: Node) -> list[str]:
        """The forms of the words that a page should say, each once."""
        found: dict[str, None] = {}
        for words in positive_words(node):
            for form in self._analysers.forms(words.text, self._languages):
                found.update(dict.fromkeys(form))
        return list(found)

    def weighted(
        self, weights: Mapping[str, float], within: Node, without: Iterable[int] = ()
    ) -> tantivy.Query:
        """What says some of the weighted terms and meets the conditions, except the pages with some keys."""
        terms = [
            (Should, tantivy.Query.boost_query(self._anywhere((term,)), weight))
            for term, weight in weights.items()
        ]
        others = [(MustNot, tantivy.Query.term_query(self._schema, "key", key)) for key in without]
        return tantivy.Query.boolean_query(
            [(Must, tantivy.Query.boolean_query(terms)), (Must, _silent(self._of(within))), *others]
        )

    def _of(self, node: Node) -> tantivy.Query:
        match node:
            case Words(text, field):
                forms = self._analysers.forms(text, self._languages)
                return _any([self._anywhere(form, field) for form in forms])
            case Exactly(field, value):
                return _silent(tantivy.Query.term_query(self._schema, field, value))
            case Between():
                return _silent(self._between(node))
            case All(parts):
                occurs = [
                    (MustNot, self._of(part.part)) if isinstance(part, Not) else (Must, self._of(part))
                    for part in parts
                ]
                return _all(occurs)
            case AnyOf(parts):
                return _any([self._of(part) for part in parts])
            case Not(part):
                return _all([(MustNot, self._of(part))])

    def _anywhere(self, form: tuple[str, ...], field: str = "") -> tantivy.Query:
        """Some words in a row, in one field or in any of them."""
        return _any(
            [
                tantivy.Query.boost_query(self._in_row(name, form), boost)
                for name, boost in BOOSTS.items()
                if field in (name, "")
            ]
        )

    def _in_row(self, field: str, form: tuple[str, ...]) -> tantivy.Query:
        if len(form) == 1:
            return tantivy.Query.term_query(self._schema, field, form[0])
        return tantivy.Query.phrase_query(self._schema, field, list(form))

    def _between(self, node: Between) -> tantivy.Query:
        kind = tantivy.FieldType.Float if node.field == "relevance" else tantivy.FieldType.Integer
        as_kept = float if node.field == "relevance" else int
        return tantivy.Query.range_query(
            self._schema,
            node.field,
            kind,
            None if node.low is None else as_kept(node.low),
            None if node.high is None else as_kept(node.high),
            include_upper=node.with_high or node.high is None,
        )


def _silent(query: tantivy.Query) -> tantivy.Query:
    """The same matches, which add nothing to the score."""
    return tantivy.Query.const_score_query(query, 0.0)


def _any(queries: list[tantivy.Query]) -> tantivy.Query:
    if not queries:
        return tantivy.Query.empty_query()
    return (
        queries[0] if len(queries) == 1 else tantivy.Query.boolean_query([(Should, one) for one in queries])
    )


def _all(occurs: list[tuple[tantivy.Occur, tantivy.Query]]) -> tantivy.Query:
    if not any(occur is Must for occur, _ in occurs):
        occurs = [(Must, _silent(tantivy.Query.all_query())), *occurs]
    return tantivy.Query.boolean_query(occurs)
