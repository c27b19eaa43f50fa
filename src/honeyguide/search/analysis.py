"""Text into the words that are indexed, by the language it is in.

A word is a run of letters, marks and digits; where a script puts no space between words, every character is one,
and several of them are looked up as a phrase. Words are lower-case and, where there is a stemmer for the language,
stems.
"""

import tantivy

from honeyguide.text.languages import primary

LONGEST_WORD = 80
"""Bytes of the longest word that is indexed."""

_UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
_WORD = rf"[{_UNSPACED}]|[[\p{{L}}\p{{M}}\p{{N}}]--[{_UNSPACED}]]+"

STEMMED = {
    "ar": "arabic",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "es": "spanish",
    "fi": "finnish",
    "fr": "french",
    "hu": "hungarian",
    "it": "italian",
    "nl": "dutch",
    "no": "norwegian",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sv": "swedish",
    "ta": "tamil",
    "tr": "turkish",
}
"""The languages with a stemmer, by their codes."""


class Analysers:
    """What finds the words of a text, one for every language with a stemmer and one for all others."""

    def __init__(self) -> None:
        self._made: dict[str, tantivy.TextAnalyzer] = {}

    def of(self, language: str) -> tantivy.TextAnalyzer:
        """The one for a language."""
        stemmer = STEMMED.get(primary(language), "")
        if stemmer not in self._made:
            self._made[stemmer] = _analyser(stemmer)
        return self._made[stemmer]

    def forms(self, text: str, languages: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
        """What a text may look like in the index: its words in each of the languages, each form once."""
        found = {tuple(self.of(language).analyze(text)): None for language in languages or ("",)}
        return tuple(form for form in found if form)


def _analyser(stemmer: str) -> tantivy.TextAnalyzer:
    builder = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.regex(_WORD))
    builder = builder.filter(tantivy.Filter.remove_long(LONGEST_WORD)).filter(tantivy.Filter.lowercase())
    return (builder.filter(tantivy.Filter.stemmer(stemmer)) if stemmer else builder).build()
