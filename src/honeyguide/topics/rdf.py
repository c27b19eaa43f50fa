"""Statements of RDF files, in as much of RDF/XML and Turtle as vocabularies are written in."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, NoReturn
from urllib.parse import urljoin
from xml.parsers import expat

from honeyguide.errors import ConfigError
from honeyguide.topics.files import brief

_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_XML = "http://www.w3.org/XML/1998/namespace"


class Triple(NamedTuple):
    """Subject, predicate and object (an address, or a text in a language), and the line they stand in."""

    line: int
    subject: str
    predicate: str
    value: str
    language: str = ""


def read_rdf_xml(text: str, path: Path) -> list[Triple]:
    """The statements of an RDF/XML file; entities of its own are refused, because they can be bombs."""
    reader = _RdfXml(path)
    try:
        # The text is decoded already, so whatever encoding the file declares is no longer true.
        reader.parser.Parse(text.encode("utf-8"), True)
    except expat.ExpatError as error:
        what = expat.errors.messages.get(error.code, str(error))
        raise ConfigError(f"{path}, line {error.lineno}: the file is not XML: {what}.") from error
    return reader.triples


class _RdfXml:
    """Elements stand in turn for a thing and for a statement about the thing around it."""

    def __init__(self, path: Path) -> None:
        self.triples: list[Triple] = []
        self.parser = expat.ParserCreate("utf-8", " ")
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._said
        self.parser.EntityDeclHandler = self._declared
        self._path = path
        self._open: list[_Element] = []
        self._unnamed = 0

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        around = self._open[-1] if self._open else None
        base = attributes.get(f"{_XML} base", around.base if around else "")
        language = attributes.get(f"{_XML} lang", around.language if around else "")
        line = self.parser.CurrentLineNumber
        iri = name.replace(" ", "")
        element = _Element(iri, base, language, line)
        if around is None or around.kind == "root":
            element.kind = "root" if iri == f"{_RDF}RDF" else "thing"
        else:
            element.kind = "statement" if around.kind == "thing" else "thing"
        if element.kind == "thing":
            element.subject = self._subject(attributes, base)
            if iri != f"{_RDF}Description":
                self.triples.append(Triple(line, element.subject, f"{_RDF}type", iri))
            if around is not None and around.kind == "statement":
                around.answered = True
                self.triples.append(Triple(line, self._open[-2].subject, around.iri, element.subject))
        elif element.kind == "statement" and around is not None:
            resource = attributes.get(f"{_RDF} resource")
            if resource is not None:
                element.answered = True
                self.triples.append(Triple(line, around.subject, iri, self._absolute(base, resource)))
        self._open.append(element)

    def _subject(self, attributes: dict[str, str], base: str) -> str:
        if f"{_RDF} about" in attributes:
            return self._absolute(base, attributes[f"{_RDF} about"])
        if f"{_RDF} ID" in attributes:
            return self._absolute(base, "#" + attributes[f"{_RDF} ID"])
        self._unnamed += 1
        return f"_:{attributes.get(f'{_RDF} nodeID', self._unnamed)}"

    def _absolute(self, base: str, address: str) -> str:
        return _absolute(base, address, self._path, self.parser.CurrentLineNumber)

    def _said(self, text: str) -> None:
        if self._open and self._open[-1].kind == "statement":
            self._open[-1].text.append(text)

    def _end(self, name: str) -> None:
        element = self._open.pop()
        text = "".join(element.text).strip()
        if element.kind == "statement" and not element.answered and text:
            subject = self._open[-1].subject
            self.triples.append(Triple(element.line, subject, element.iri, text, element.language))

    def _declared(self, *_: object) -> None:
        line = self.parser.CurrentLineNumber
        raise ConfigError(
            f"{self._path}, line {line}: the file declares entities of its own, which are not read."
        )


class _Element:
    def __init__(self, iri: str, base: str, language: str, line: int) -> None:
        self.iri, self.base, self.language, self.line = iri, base, language, line
        self.kind = ""
        self.subject = ""
        self.answered = False
        self.text: list[str] = []


_TOKEN = re.compile(
    r"""(?P<space>(?:\s+|\#[^\n]*)+)
    |<(?P<iri>[^<>"{}|^`\s]*)>
    |(?P<long>\"\"\"(?:[^"\\]|\\.|"(?!""))*+\"\"\"|'''(?:[^'\\]|\\.|'(?!''))*+''')
    |(?P<short>"(?:[^"\\\n]|\\.)*+"|'(?:[^'\\\n]|\\.)*+')
    |\^\^
    |@(?P<at>[A-Za-z]+(?:-[A-Za-z0-9]+)*)
    |(?P<mark>[;,.\[\]()])
    |(?P<name>[^\s;,\[\]()<>"'@^\#]*[^\s;,\[\]()<>"'@^\#.])""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(r"\\(u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.)", re.DOTALL)
_ESCAPED = {"t": "\t", "n": "\n", "r": "\r", "b": "\b", "f": "\f"}


class _Token(NamedTuple):
    kind: str
    value: str
    line: int


def read_turtle(text: str, path: Path) -> list[Triple]:
    """The statements of a Turtle file; what blank nodes and lists hold is passed over."""
    return list(_Turtle(text, path).statements())


class _Turtle:
    def __init__(self, text: str, path: Path) -> None:
        self._path = path
        self._prefixes: dict[str, str] = {}
        self._base = ""
        self._tokens = self._cut(text)
        self._token = next(self._tokens)

    def statements(self) -> Iterator[Triple]:
        """One statement after the other, as far as they name what they speak of."""
        while self._token.kind != "end":
            word = self._token.value.lower()
            directive = self._token.kind in ("at", "name") and word in ("prefix", "base")
            if directive:
                self._declare(word, dotted=self._next().kind == "at")
            else:
                subject, _ = self._term()
                yield from self._about(subject)
                self._must_be(".")

    def _declare(self, word: str, *, dotted: bool) -> None:
        if word == "prefix":
            prefix = self._next()
            if prefix.kind != "name" or not prefix.value.endswith(":"):
                self._miss(prefix, "a prefix such as skos:")
        iri = self._next()
        if iri.kind != "iri":
            self._miss(iri, "an address in <>")
        if word == "prefix":
            self._prefixes[prefix.value[:-1]] = self._absolute(iri)
        else:
            self._base = self._absolute(iri)
        if dotted:
            self._must_be(".")

    def _about(self, subject: str) -> Iterator[Triple]:
        while not self._is_mark("."):
            line = self._token.line
            predicate = f"{_RDF}type" if self._token.value == "a" and self._token.kind == "name" else ""
            if predicate:
                self._next()
            else:
                predicate, _ = self._term()
            while True:
                value, language = self._term()
                yield Triple(line, subject, predicate, value, language)
                if not self._is_mark(","):
                    break
                line = self._next().line
            if not self._is_mark(";"):
                break
            while self._is_mark(";"):
                self._next()

    def _term(self) -> tuple[str, str]:
        """The next address, or text and its language."""
        token = self._next()
        if token.kind == "iri":
            return self._absolute(token), ""
        if token.kind == "name":
            prefix, colon, local = token.value.partition(":")
            if not colon:
                return token.value, ""
            if prefix == "_":
                return token.value, ""
            if prefix not in self._prefixes:
                self._complain(token, f"the prefix {prefix[:40]}: is not declared")
            return self._prefixes[prefix] + local.replace("\\", ""), ""
        if token.kind in ("long", "short"):
            return self._literal(token)
        if token.kind == "mark" and token.value in "[(":
            return self._passed_over(token), ""
        return self._miss(token, "an address or a text")

    def _literal(self, token: _Token) -> tuple[str, str]:
        quotes = 3 if token.kind == "long" else 1
        text = _ESCAPE.sub(_unescaped, token.value[quotes:-quotes])
        if self._token.kind == "at":
            return text, self._next().value
        if self._token.kind == "type":
            self._next()
            self._term()
        return text, ""

    def _passed_over(self, opened: _Token) -> str:
        depth = 1
        while depth:
            token = self._next()
            if token.kind == "end":
                self._complain(opened, f"{opened.value} is never closed")
            if token.kind == "mark":
                depth += (token.value in "[(") - (token.value in "])")
        return f"_:line {opened.line}"

    def _is_mark(self, mark: str) -> bool:
        return self._token.kind == "mark" and self._token.value == mark

    def _must_be(self, mark: str) -> None:
        token = self._next()
        if token.kind != "mark" or token.value != mark:
            self._miss(token, repr(mark))

    def _next(self) -> _Token:
        token = self._token
        if token.kind != "end":
            self._token = next(self._tokens)
        return token

    def _absolute(self, token: _Token) -> str:
        return _absolute(self._base, token.value, self._path, token.line)

    def _miss(self, token: _Token, wanted: str) -> NoReturn:
        seen = "the end" if token.kind == "end" else repr(token.value[:40])
        self._complain(token, f"{wanted} was expected, not {seen}")

    def _complain(self, token: _Token, what: str) -> NoReturn:
        raise ConfigError(f"{self._path}, line {token.line}: the file is not Turtle: {what}.")

    def _cut(self, text: str) -> Iterator[_Token]:
        at, line = 0, 1
        while at < len(text):
            found = _TOKEN.match(text, at)
            if found is None:
                self._miss(_Token("", text[at : at + 20], line), "a statement")
            kind = found.lastgroup or "type"
            if kind != "space":
                yield _Token(kind, found[kind] if kind != "type" else "^^", line)
            line += found[0].count("\n")
            at = found.end()
        yield _Token("end", "", line)


def _unescaped(found: re.Match[str]) -> str:
    code = found[1]
    if code[0] in "uU" and len(code) > 1:
        number = int(code[1:], 16)
        return chr(number) if number < 0x110000 else "\N{REPLACEMENT CHARACTER}"
    return _ESCAPED.get(code, code)


def _absolute(base: str, address: str, path: Path, line: int) -> str:
    if not base or "://" in address:
        return address
    try:
        return urljoin(base, address)
    except ValueError as error:
        raise ConfigError(
            f"{path}, line {line}: {brief(address)}, seen from {brief(base)}, is no address."
        ) from error
