"""The fields of the index, and how an entry fills them."""

from datetime import UTC, datetime

import tantivy

from honeyguide.search.analysis import Analysers
from honeyguide.search.entry import Entry
from honeyguide.urls import domain_of, words_of

VERSION = 1
"""Grows whenever fields or the way they are filled change; an index of another version is rebuilt."""

BOOSTS = {"title": 3.0, "anchors": 2.0, "headings": 1.5, "address": 1.0, "text": 1.0}
"""The fields that words are looked for in, and how much it counts to be found there."""

FACETS = ("host", "language", "month", "label", "relevant")
"""The fields whose values are counted."""


def schema() -> tantivy.Schema:
    """The fields of the index."""
    builder = tantivy.SchemaBuilder()
    for name in BOOSTS:
        builder.add_text_field(name)
    for name in ("host", "language", "month", "label"):
        builder.add_text_field(name, fast=True, tokenizer_name="raw", index_option="basic")
    builder.add_text_field("site", tokenizer_name="raw", index_option="basic")
    builder.add_boolean_field("relevant", indexed=True, fast=True)
    builder.add_integer_field("key", indexed=True, fast=True)
    builder.add_integer_field("fetched", indexed=True, fast=True)
    builder.add_float_field("relevance", indexed=True, fast=True)
    builder.add_bytes_field("record", stored=True)
    builder.add_bytes_field("body", stored=True)
    return builder.build()


def document(entry: Entry, analysers: Analysers) -> tantivy.Document:
    """An entry as the index takes it."""
    analyser = analysers.of(entry.language)
    made = tantivy.Document()
    for name, values in (
        ("title", (entry.title,)),
        ("anchors", entry.anchors),
        ("headings", entry.headings),
        ("address", (words_of(entry.url),)),
        ("text", (entry.text,)),
    ):
        for value in filter(None, values):
            made.add_pre_tokenized_text(name, analyser.pre_tokenize(value))
    for site in sites(entry.host):
        made.add_text("site", site)
    made.add_text("host", entry.host)
    made.add_text("language", entry.language)
    made.add_text("month", datetime.fromtimestamp(entry.fetched, UTC).strftime("%Y-%m"))
    made.add_text("label", entry.label)
    made.add_boolean("relevant", entry.relevant)
    made.add_integer("key", entry.key)
    made.add_integer("fetched", entry.fetched)
    made.add_float("relevance", entry.relevance)
    record, body = entry.record()
    made.add_bytes("record", record)
    made.add_bytes("body", body)
    return made


def read_entry(found: tantivy.Document) -> Entry:
    """The entry that a stored document holds."""
    return Entry.read(bytes(found.get_first("record")), bytes(found.get_first("body")))  # type: ignore[arg-type]


def sites(host: str) -> list[str]:
    """A host and the domains it is in, so that who.int finds www.who.int."""
    found, domain = [host], domain_of(host)
    while host != domain and "." in host:
        host = host.partition(".")[2]
        found.append(host)
    return found
