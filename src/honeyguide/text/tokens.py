"""Text into words, words into stems.

A page holds some thousand words but only some hundred different ones, and the next page holds mostly
the same. So a text is cut at spaces and ASCII punctuation by three calls into C, and what each piece
stands for (a stem; nothing, for a stop word; several stems, where other punctuation joins words) is
worked out once and looked up from then on.

A word has a letter, does not start with two digits ("1980s" and "20km" are numbers), and has at most 40
characters. Combining marks belong to their letter; soft hyphens and joiners are left out; the "'s" of
"dog's" goes. Scripts that put no space between words are not segmented.
"""

import unicodedata
from collections import Counter
from collections.abc import Callable
from functools import partial

import Stemmer

from honeyguide.text.stopwords import ENGLISH

LONGEST_WORD = 40


class Tokeniser:
    """Finds the words and stems of a text, and remembers a bounded number of pieces. One per thread."""

    def __init__(
        self,
        *,
        language: str = "english",
        stop_words: frozenset[str] = ENGLISH,
        remembered: int = 100_000,
    ) -> None:
        self.language = language
        self.stop_words = stop_words
        self.remembered = remembered
        self._letters = _Letters()
        stemmer = Stemmer.Stemmer(language, 0)
        self._stem, self._stem_words = stemmer.stemWord, stemmer.stemWords
        self._stems = _Memory(self.stems_of, remembered)

    def tokens(self, text: str) -> list[str]:
        """The words of a text in order, lower-case, stop words included."""
        return [word for piece in pieces(text) for word in self.words_of(piece)]

    def stems(self, text: str) -> list[str]:
        """The stems of a text in order, stop words left out."""
        return " ".join(map(self._stems.__getitem__, pieces(text))).split()

    def counts(self, text: str) -> Counter[str]:
        """How often each stem occurs, stop words left out."""
        counts = Counter(map(self._stems.__getitem__, pieces(text)))
        del counts[""]
        if not text.isascii():
            for several in [stems for stems in counts if " " in stems]:
                times = counts.pop(several)
                for stem in several.split():
                    counts[stem] += times
        return counts

    def stems_of(self, piece: bytes) -> str:
        """What one of `pieces` stands for: its stems with spaces between, worked out anew."""
        return " ".join(filter(None, map(self.stem, self.words_of(piece))))

    def stem(self, word: str) -> str:
        """The stem of a word of `tokens`; empty for a stop word."""
        stem: str = "" if word in self.stop_words else self._stem(word)
        return stem

    def stem_all(self, words: list[str]) -> list[str]:
        """The stems of many words at once."""
        stop_words = self.stop_words
        stems = zip(words, self._stem_words(words), strict=True)
        return ["" if word in stop_words else stem for word, stem in stems]

    def words_of(self, piece: bytes) -> list[str]:
        """The words that one of `pieces` holds, worked out anew."""
        text = piece.decode("utf-8", "ignore")
        parts = self._parts(text) if not text.isascii() else [text] if "'" not in text else [_bare(text)]
        return [
            word
            for word in parts
            if len(word) <= LONGEST_WORD and (word[:1].isalpha() or _holds_letter(word))
        ]

    def _parts(self, piece: str) -> list[str]:
        if piece.isalpha() and unicodedata.is_normalized("NFKC", piece):
            return [piece.lower()] if len(piece) <= LONGEST_WORD else []
        # Overlong parts go before normalising, whose cost grows with the square of a run of combining marks.
        parts = [part for part in piece.translate(self._letters).split() if len(part) <= LONGEST_WORD]
        joined = " ".join(parts)
        if not unicodedata.is_normalized("NFKC", joined):
            joined = unicodedata.normalize("NFKC", joined).translate(self._letters)
        return [_bare(part) for part in joined.lower().split()]

    def __reduce__(self) -> tuple[object, ...]:
        # A stemmer cannot be sent to another process, and what is remembered is not worth sending.
        again = partial(
            Tokeniser, language=self.language, stop_words=self.stop_words, remembered=self.remembered
        )
        return again, ()


def _bare(word: str) -> str:
    return word.strip("'").removesuffix("'s")


def without_quotes(piece: bytes) -> bytes:
    """One of `pieces` without the quotes around it and the 's at its end."""
    return piece.strip(b"'").removesuffix(b"'s")


def _holds_letter(word: str) -> bool:
    """Whether something that starts with no letter is still a word: "3d" is, "30s" is a number."""
    return not word[:2].isdigit() and any(map(str.isalpha, word))


def pieces(text: str) -> list[bytes]:
    """Cut at ASCII punctuation: an ASCII piece is one word or none, any other may hold several."""
    return cut(text).split()


def cut(text: str) -> bytes:
    """The text in UTF-8 with ASCII letters lower-case, and blanks for all other ASCII but digits and '.

    The blank is a new line for what ends a phrase, which "dengue, fever" is not, and a space for all else.
    """
    return text.encode("utf-8", "replace").translate(_LOWER_OR_BLANK)


_BREAKS = '.,;:!?()[]{}<>"|/\n\r\t'


def _lower_or_blank(code: int) -> int:
    character = chr(code)
    if code >= 0x80 or character == "'" or character.isalnum():
        return code + 0x20 if "A" <= character <= "Z" else code
    return ord("\n") if character in _BREAKS else ord(" ")


_LOWER_OR_BLANK = bytes(map(_lower_or_blank, range(256)))


class _Letters(dict[int, int | str | None]):
    """For str.translate: letters, digits and marks stay, formatting goes, all else becomes a space."""

    def __missing__(self, code: int) -> int | str | None:
        character = chr(code)
        category = unicodedata.category(character)
        kept: int | str | None = " "
        if character in "'’‘ʼ＇":
            kept = "'"
        elif category == "Cf" and character != "\N{ZERO WIDTH SPACE}":
            kept = None
        elif character.isalnum() or category.startswith("M"):
            kept = code
        self[code] = kept
        return kept


class _Memory(dict[bytes, str]):
    """What pieces stand for. When full it starts afresh, taking up from the last fill what is asked for."""

    def __init__(self, stems_of: Callable[[bytes], str], size: int) -> None:
        super().__init__()
        self._stems_of = stems_of
        self._size = size
        self._last: dict[bytes, str] = {}

    def __missing__(self, piece: bytes) -> str:
        stems = self._last.get(piece)
        if stems is None:
            stems = self._stems_of(piece)
        if len(piece) <= 2 * LONGEST_WORD:
            if len(self) >= self._size:
                self._last = dict(self)
                self.clear()
            self[piece] = stems
        return stems
