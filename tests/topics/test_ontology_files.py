from pathlib import Path

import pytest

from honeyguide.errors import ConfigError
from honeyguide.model import Concept
from honeyguide.topics.ontology import read_ontology

SKOS = """<?xml version="1.0" encoding="UTF-8"?>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xml:base="http://v.example/"
         xmlns:skos="http://www.w3.org/2004/02/skos/core#">
  <skos:ConceptScheme rdf:about="scheme"/>
  <skos:Concept rdf:about="disease">
    <skos:prefLabel xml:lang="en">Diseases</skos:prefLabel>
    <skos:prefLabel xml:lang="de">Krankheiten</skos:prefLabel>
    <skos:narrower rdf:resource="#malaria"/>
  </skos:Concept>
  <rdf:Description rdf:about="http://v.example/dengue">
    <rdf:type rdf:resource="http://www.w3.org/2004/02/skos/core#Concept"/>
    <skos:prefLabel xml:lang="en-GB">Dengue &amp; breakbone fever</skos:prefLabel>
    <skos:altLabel>dandy
      fever</skos:altLabel>
    <skos:broader rdf:resource="disease"/>
  </rdf:Description>
  <skos:Concept rdf:ID="malaria">
    <skos:prefLabel xml:lang="fr">Paludisme</skos:prefLabel>
    <skos:broader>
      <skos:Concept rdf:about="parasitic"><skos:prefLabel>Parasites</skos:prefLabel></skos:Concept>
    </skos:broader>
  </skos:Concept>
</rdf:RDF>
"""
SKOS_CONCEPTS = {
    "http://v.example/disease": (("Diseases",), ()),
    "http://v.example/dengue": (("Dengue & breakbone fever", "dandy fever"), ("http://v.example/disease",)),
    "http://v.example/#malaria": (
        ("Paludisme",),
        ("http://v.example/disease", "http://v.example/parasitic"),
    ),
    "http://v.example/parasitic": (("Parasites",), ()),
}
TURTLE = r"""
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
PREFIX owl: <http://www.w3.org/2002/07/owl#>
@base <http://v.example/> .
@prefix : <http://v.example/> .
# a remark ; with . marks
:disease a skos:Concept ; skos:prefLabel "Diseases"@en, "Krankheiten"@de ; skos:narrower <#malaria> .
<dengue> a skos:Concept, owl:Thing ;
    skos:prefLabel 'Dengue & breakbone fever'@en-GB ;
    skos:altLabel \"\"\"dandy
      fever\"\"\" ;
    skos:notation "x"^^<http://www.w3.org/2001/XMLSchema#string> ; skos:count 12.5, true ;
    skos:note [ a skos:Note ; skos:value ( "one" [ ] "two" ) ] ;
    skos:broader :disease ;
.
<#malaria> skos:prefLabel "Pal\u0075disme"@fr ; skos:broader :disease , :parasitic .
:parasitic skos:prefLabel "Parasites" .
[] skos:note "nobody" .
""".replace('\\"', '"')
OBO = """format-version: 1.2
! a remark
[Term]
id: D:1 ! the top
name: disease
[Term]
id: D:2
name: dengue fever
synonym: "breakbone \\"fever\\"" EXACT []
synonym: "fever of some kind" BROAD []
is_a: D:1 ! disease
is_a: D:3 {source="x"}
[Term]
id: D:3
name: tropical disease
is_a: D:1
[Term]
id: D:9
name: gone
is_obsolete: true
[Typedef]
id: part_of
name: part of
"""
TABLE = """# what is what
disease
dengue\tdisease\tdengue fever\tbreakbone fever

malaria\tdisease
malaria\tparasite
parasite\t
"""


def written(tmp_path: Path, name: str, text: str) -> Path:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("name", "text"), [("v.rdf", SKOS), ("v.ttl", TURTLE), ("v.unknown", SKOS), ("w.unknown", TURTLE)]
)
def test_skos_is_read_from_xml_and_turtle(tmp_path: Path, name: str, text: str) -> None:
    concepts = read_ontology(written(tmp_path, name, text))
    assert {concept.key: (concept.names, concept.parents) for concept in concepts} == SKOS_CONCEPTS


def test_labels_are_those_of_the_languages_asked_for(tmp_path: Path) -> None:
    concepts = read_ontology(written(tmp_path, "v.rdf", SKOS), languages=("de",))
    assert [concept.names[0] for concept in concepts if concept.key.endswith("disease")] == ["Krankheiten"]


@pytest.mark.parametrize("name", ["d.obo", "d.unknown"])
def test_obo_gives_terms_with_exact_synonyms_and_no_obsolete_ones(tmp_path: Path, name: str) -> None:
    assert read_ontology(written(tmp_path, name, OBO)) == (
        Concept("D:1", ("disease",)),
        Concept("D:2", ("dengue fever", 'breakbone "fever"'), ("D:1", "D:3")),
        Concept("D:3", ("tropical disease",), ("D:1",)),
    )


@pytest.mark.parametrize("name", ["d.tsv", "d.txt"])
def test_a_table_has_children_parents_and_more_names(tmp_path: Path, name: str) -> None:
    assert read_ontology(written(tmp_path, name, TABLE)) == (
        Concept("disease", ("disease",)),
        Concept("dengue", ("dengue", "dengue fever", "breakbone fever"), ("disease",)),
        Concept("malaria", ("malaria",), ("disease", "parasite")),
        Concept("parasite", ("parasite",)),
    )


BOMB = '<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>\n<r>&b;</r>'
WRONG = {
    "empty": ("v.tsv", " \n", "is empty"),
    "no concepts": ("v.obo", "format-version: 1.2\n", "holds no concepts"),
    "remarks only": ("v.tsv", "# nothing\n", "holds no concepts"),
    "no known form": ("v.doc", "Dear all,", "is in no form that is read"),
    "cycle in a table": (
        "v.tsv",
        "x\ta\na\tb\nb\tc\nc\ta\n",
        "line 2: the ontology goes round in a circle: 'a' is a kind of 'b' is a kind of 'c' is a kind of 'a'",
    ),
    "its own parent": (
        "v.tsv",
        "a\ta\n",
        "line 1: the ontology goes round in a circle: 'a' is a kind of 'a'",
    ),
    "cycle in OBO": (
        "v.obo",
        "[Term]\nid: 1\nname: one\nis_a: 2\n[Term]\nid: 2\nname: two\nis_a: 1\n",
        "line 4: the ontology goes round in a circle: 'one' is a kind of 'two' is a kind of 'one'",
    ),
    "unknown parent": (
        "v.tsv",
        "top\na\tnowhere\n",
        "line 2: 'nowhere' is a parent or a child, but no concept",
    ),
    "unknown parent in SKOS": (
        "v.rdf",
        SKOS.replace('rdf:resource="disease"', 'rdf:resource="nowhere"'),
        "line 15: 'http://v.example/nowhere' is a parent",
    ),
    "same line twice": ("v.tsv", "b\na\tb\na\tb\n", "line 3: 'a' under 'b' was there before, in line 2"),
    "same term twice": (
        "v.obo",
        "[Term]\nid: 1\n[Term]\nid: 1\n",
        "line 3: the term 1 was there before, in line 1",
    ),
    "no child": ("v.tsv", "top\n\ttop\n", "line 2: the line names no child"),
    "term without id": ("v.obo", "[Term]\nname: one\n", "line 1: a \\[Term\\] needs one id"),
    "synonym without quotes": (
        "v.obo",
        "[Term]\nid: 1\nsynonym: bare EXACT []\n",
        "line 3: a synonym stands in quotes",
    ),
    "broken XML": (
        "v.rdf",
        SKOS.replace("</skos:altLabel>", ""),
        "line 16: the file is not XML: mismatched tag",
    ),
    "entities": ("v.rdf", BOMB, "line 1: the file declares entities"),
    "broken Turtle": (
        "v.ttl",
        "@prefix a: <http://a.example/> .\na:b a:c a:d a:e .",
        "line 2: .*'.' was expected",
    ),
    "unknown prefix": ("v.ttl", "\nx:b x:c x:d .", "line 2: .*the prefix x: is not declared\\.$"),
    "open bracket": ("v.ttl", "<a> <b> [ <c> <d>", "line 1: .*\\[ is never closed\\.$"),
    "bad address in Turtle": (
        "v.ttl",
        "@base <http://v.example/> .\n<//[x> <b> <c> .",
        "line 2: '//\\[x', seen from 'http://v.example/', is no address",
    ),
    "bad address in XML": (
        "v.rdf",
        SKOS.replace('rdf:resource="disease"', 'rdf:resource="//[x"'),
        "line 15: '//\\[x', seen from 'http://v.example/', is no address",
    ),
    "cycle in JSON lines": (
        "v.jsonl",
        '{"key": "1", "names": ["one"], "parents": ["2"]}\n\n{"key": "2", "parents": ["1"]}\n',
        "line 1: the ontology goes round in a circle: 'one' is a kind of '2' is a kind of 'one'",
    ),
    "unknown parent in JSON lines": (
        "v.jsonl",
        '{"key": "1"}\n\n{"key": "2", "parents": ["3"]}\n',
        "line 3: '3' is a parent or a child, but no concept of this file",
    ),
    "same concept twice in JSON lines": (
        "v.jsonl",
        '{"key": "1"}\n{"key": "1"}\n',
        "line 2: the concept '1' was there before: .*v.jsonl, line 1",
    ),
    "open text": ("v.ttl", '<a> <b> "text .', "line 1: the file is not Turtle"),
    "ends early": ("v.ttl", "<a> <b>", "an address or a text was expected, not the end"),
}


@pytest.mark.parametrize("fault", WRONG)
def test_what_is_wrong_is_said_in_one_sentence_with_file_and_line(tmp_path: Path, fault: str) -> None:
    name, text, sentence = WRONG[fault]
    with pytest.raises(ConfigError, match=sentence) as raised:
        read_ontology(written(tmp_path, name, text))
    assert str(tmp_path / name) in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_missing_file_and_another_encoding_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="There is no file"):
        read_ontology(tmp_path / "none.tsv")
    path = tmp_path / "latin.tsv"
    path.write_bytes(b"top\ncaf\xe9\ttop\n")
    with pytest.raises(ConfigError, match="line 2"):
        read_ontology(path)
