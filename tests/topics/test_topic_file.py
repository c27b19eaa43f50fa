"""A topic file: every way to write each key, and what is said of what cannot be read."""

import json
import os
import tomllib
from pathlib import Path

import pytest

from honeyguide.errors import ConfigError
from honeyguide.model import Concept, Example, Level, Step, Term, Topic
from honeyguide.topics.toml import read_topic_file, template

PASTED = "Dengue is a disease that mosquitoes carry from one person to the next. " * 7


def read(folder: Path, body: str) -> Topic:
    file = folder / "topic.toml"
    file.write_text(f'[topic]\nname = "dengue fever"\n{body}', encoding="utf-8")
    return read_topic_file(file)[0]


def uri(path: Path) -> str:
    return path.absolute().as_uri()


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    folder = tmp_path / "pages"
    folder.mkdir()
    for name in ("b.html", "a.html", "c.txt"):
        (folder / name).write_text(f"<p>{name}</p>")
    (folder / ".hidden").write_text("not an example")
    (folder / "a_files").mkdir()
    return folder


def test_all_that_is_a_text_or_a_list_of_texts_is_read(tmp_path: Path) -> None:
    topic = read(
        tmp_path,
        """
        description = "A disease."
        keywords = ["Aedes aegypti"]
        languages = ["en", "pt"]
        seeds = ["https://example.org/"]
        rules = ["News counts, shops do not."]
        reject = ["add to cart", "shop AND price"]
        require = ["dengue"]
        """,
    )
    assert topic == Topic(
        "dengue fever",
        description="A disease.",
        keywords=("Aedes aegypti",),
        languages=("en", "pt"),
        seeds=("https://example.org/",),
        rules=("News counts, shops do not.",),
        reject=("add to cart", "shop AND price"),
        require=("dengue",),
    )


@pytest.mark.parametrize("key", ["examples", "off_topic", "background", "corpus"])
def test_an_example_is_an_address_a_file_or_a_text(tmp_path: Path, pages: Path, key: str) -> None:
    topic = read(
        tmp_path,
        f'{key} = ["https://Example.org/page#part", "pages/c.txt", {{text = "Pasted.", title = "T", weight = 2}}]',
    )
    assert getattr(topic, key) == (
        Example("", url="https://example.org/page"),
        Example("", url=uri(pages / "c.txt")),
        Example("Pasted.", "T", "", 2.0),
    )


def test_a_table_may_give_an_address_a_title(tmp_path: Path, pages: Path) -> None:
    topic = read(tmp_path, 'examples = [{url = "https://a.org/", title = "A"}, {url = "pages/a.html"}]')
    assert topic.examples == (
        Example("", "A", "https://a.org/"),
        Example("", url=uri(pages / "a.html")),
    )


def test_a_folder_is_all_its_files_in_the_order_of_their_names(tmp_path: Path, pages: Path) -> None:
    (pages / "urls.txt").write_text("# addresses\nhttps://z.org/\n")
    assert [example.url for example in read(tmp_path, 'examples = ["pages"]').examples] == [
        uri(pages / "a.html"),
        uri(pages / "b.html"),
        uri(pages / "c.txt"),
        "https://z.org/",
    ]


def test_a_pattern_is_every_file_of_that_name(tmp_path: Path, pages: Path) -> None:
    (pages / "a_files" / "d.html").write_text("<p>deeper</p>")
    found = [example.url for example in read(tmp_path, 'examples = ["pages/**/*.html"]').examples]
    assert found == [uri(pages / name) for name in ("a.html", "a_files/d.html", "b.html")]
    odd = pages / "what [1].html"
    odd.write_text("<p>not a pattern</p>")
    assert read(tmp_path, 'examples = ["pages/what [1].html"]').examples[0].url == uri(odd)


def test_names_of_files_may_hold_anything(tmp_path: Path, pages: Path) -> None:
    from honeyguide.topics.examples import path_of

    odd = pages / "100% #1 ¿qué?.txt"
    odd.write_text("text")
    (example,) = read(tmp_path, f"examples = [{json.dumps('pages/' + odd.name)}]").examples
    assert path_of(example.url) == odd
    assert read(tmp_path, f"examples = [{json.dumps(example.url)}]").examples == (example,)


def test_json_lines_are_examples(tmp_path: Path) -> None:
    (tmp_path / "more.jsonl").write_text(
        '{"text": "One\\ntext", "title": "One", "url": "https://a.org/"}\n\n{"url": "https://b.org/"}\n'
    )
    assert read(tmp_path, 'examples = ["more.jsonl"]').examples == (
        Example("One\ntext", "One", "https://a.org/"),
        Example("", url="https://b.org/"),
    )


def test_an_earlier_crawl_stands_for_its_pages(tmp_path: Path) -> None:
    (tmp_path / "crawl").mkdir()
    (tmp_path / "crawl" / "crawl.db").write_text("")
    assert read(tmp_path, 'examples = ["crawl"]').examples == (Example("", url=uri(tmp_path / "crawl")),)


def test_a_vocabulary_is_a_file_or_a_table(tmp_path: Path) -> None:
    (tmp_path / "terms.txt").write_text("50 dengue fever\n-20 malaria\n")
    expected = (Term("dengue fever", 50.0), Term("malaria", -20.0))
    assert read(tmp_path, 'vocabulary = "terms.txt"').vocabulary == expected
    assert read(tmp_path, 'vocabulary = {"dengue fever" = 50, malaria = -20.0}').vocabulary == expected
    assert read(tmp_path, '[topic.vocabulary]\n"dengue fever" = 50\nmalaria = -20').vocabulary == expected
    assert read(
        tmp_path, 'vocabulary = [{term = "dengue fever", weight = 50, label = "B"}, {term = "x"}]'
    ).vocabulary == (Term("dengue fever", 50.0, "B"), Term("x", 1.0))


def test_levels_are_tables_the_topics_own_first(tmp_path: Path, pages: Path) -> None:
    topic = read(
        tmp_path,
        """
        [[topic.level]]
        name = "Bioinformatics"
        examples = ["https://a.org/", "pages/a.html"]

        [[topic.level]]
        name = "Biology"

        [[topic.level]]
        name = "Science"
        examples = [{text = "Science."}]
        """,
    )
    assert topic.branch == (
        Level("Bioinformatics", (Example("", url="https://a.org/"), Example("", url=uri(pages / "a.html")))),
        Level("Biology"),
        Level("Science", (Example("Science."),)),
    )


def test_an_ontology_is_a_file_or_wordnet(tmp_path: Path) -> None:
    assert read(tmp_path, 'ontology = "wordnet"').ontology == ()
    (tmp_path / "o.jsonl").write_text(
        '{"key": "1", "names": ["fever", "pyrexia"], "parents": ["0"]}\n{"key": "0"}\n'
    )
    assert read(tmp_path, 'ontology = "o.jsonl"').ontology == (
        Concept("1", ("fever", "pyrexia"), ("0",)),
        Concept("0", ()),
    )
    (tmp_path / "o.obo").write_text("format-version: 1.2\n\n[Term]\nid: X:1\nname: fever\n")
    assert read(tmp_path, 'ontology = "o.obo"').ontology == (Concept("X:1", ("fever",)),)


def test_a_session_is_a_file_or_a_list(tmp_path: Path) -> None:
    (tmp_path / "session.txt").write_text("+\thttps://a.org/\n-\thttps://b.org/\n")
    expected = (Step(Example("", url="https://a.org/"), True), Step(Example("", url="https://b.org/"), False))
    assert read(tmp_path, 'session = "session.txt"').session == expected
    tables = '[{url = "https://a.org/", relevant = true}, {url = "https://b.org/", relevant = false}]'
    assert read(tmp_path, f"session = {tables}").session == expected


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ('"[" = 1', "topic.toml, line 3: [topic] has no key [; the keys are"),
        ("colour = 1", "topic.toml, line 3: [topic] has no key colour; the keys are: name, description"),
        ("description = 7", "line 3: [topic] description must be a text, not 7"),
        ('keywords = "dengue"', 'line 3: [topic] keywords must be a list of texts, such as ["one", "two"]'),
        ("rules = [1]", "rules must be a list of texts"),
        ('reject = ["shop AND"]', "line 3: The term 'shop AND' has nothing where a word should stand"),
        ('require = ["fine",\n"("]', "line 4: The term '('"),
        ('examples = "page.html"', "line 3: [topic] examples must be a list of web addresses, files and"),
        ("examples = [7]", "line 3: an example is a web address, a file, a folder or a table"),
        ('examples = [\n"https://a.org/",\n"nowhere.html"]', "line 5: there is no file"),
        ('examples = ["example.org/page"]', "a web address begins with https://"),
        ('examples = ["ftp://a.org/"]', "line 3: 'ftp://a.org/' is not a web address"),
        ('examples = ["https://[/"]', "line 3: 'https://[/' is not a web address"),
        ('examples = ["*.html"]', "line 3: no file is called *.html in "),
        ('examples = ["empty.txt"]', "empty.txt is empty"),
        ('examples = ["blank.txt"]', "blank.txt is empty"),
        ('examples = ["empty.jsonl"]', "empty.jsonl is empty"),
        ('examples = ["nothing"]', "nothing holds no files"),
        ('examples = [{text = " "}]', "line 3: an example needs a text or an address, and this one has neither"),
        ('examples = [{txt = "a"}]', "there is no key 'txt' here; the keys are: title, url, weight, text"),
        ("examples = [{text = 1}]", "text must be a text, not 1"),
        ('examples = [{text = "a", weight = true}]', "weight must be a number, not True"),
        ('examples = [{text = "a", weight = inf}]', "weight must be more than 0"),
        ('examples = ["broken.jsonl"]', "broken.jsonl, line 2: this is not a line of JSON"),
        ('examples = ["list.jsonl"]', "list.jsonl, line 1: a line is one JSON object"),
        ('examples = ["latin.jsonl"]', "latin.jsonl, line 2: this is not UTF-8"),
        ("vocabulary = 7", "line 3: [topic] vocabulary must be a file or a table of weights"),
        ('vocabulary = "no.txt"', "line 3: there is no file "),
        ('vocabulary = {dengue = "much"}', "line 3: the weight of 'dengue' must be a number, not 'much'"),
        ("vocabulary = {dengue = nan}", "must be a number that is finite"),
        ('vocabulary = {"a AND" = 1}', "line 3: The term 'a AND' has nothing"),
        ("vocabulary = [{weight = 1}]", 'an entry is a table such as {term = "dengue", weight = 50}'),
        ('vocabulary = [{term = "x", wieght = 1}]', "there is no key 'wieght' here"),
        ("branch = 7", "line 3: [topic] branch must be a folder, not 7"),
        ('branch = "nowhere"', "line 3: there is no folder "),
        ('level = "Science"', "line 3: write levels as [[topic.level]]"),
        ('branch = "nothing"\n[[topic.level]]\nname = "x"', "has a branch and levels; one of the two will do"),
        ('[[topic.level]]\nexamples = ["https://a.org/"]', "line 3: a level needs a name"),
        ('[[topic.level]]\nname = "x"\nexample = []', "there is no key 'example' here"),
        ("ontology = 7", 'line 3: [topic] ontology must be a file or "wordnet"'),
        ('ontology = "no.obo"', "line 3: there is no file "),
        ('ontology = "bad-concepts.jsonl"', "bad-concepts.jsonl, line 1: a concept has a key"),
        ("session = 7", "line 3: [topic] session must be a file or a list of tables"),
        ('session = "no.txt"', "line 3: there is no file "),
        ('session = "empty.txt"', "line 3: the session "),
        ("session = [7]", "line 3: a step is a table such as"),
        ('session = [{url = "https://a.org/"}]', "line 3: a step says relevant = true or relevant = false"),
        ('session = [{relevant = true}]', "an example needs a text or an address"),
        (f'examples = ["{PASTED}"]', f"line 3: '{PASTED[:60].strip()}...' is no file; write a pasted text as {{text ="),
        (f'examples = ["{PASTED}*"]', 'is no file; write a pasted text as {text = "..."}'),
        (f'examples = ["{PASTED} https://a.org/"]', 'is no file; write a pasted text as {text = "..."}'),
        (f'examples = [{{url = "{PASTED}"}}]', 'is no file; write a pasted text as {text = "..."}'),
        ('examples = ["two\\nlines"]', "line 3: 'two lines...' is no file; write a pasted text as"),
        ('examples = ["a\\u0000b"]', "line 3: there is no file "),
        (f'vocabulary = "{PASTED}"', "line 3: there is no file 'Dengue is a disease"),
        (f'branch = "{PASTED}"', "line 3: there is no folder "),
        ('examples = ["~nosuchuser/x"]', "line 3: there is no file "),
        ('examples = ["~nosuchuser/*"]', "line 3: no file is called ~nosuchuser/*"),
        ('vocabulary = "~nosuchuser/x"', "line 3: there is no file "),
        ('branch = "~nosuchuser/x"', "line 3: there is no folder "),
        (f'examples = [{{text = "a", weight = {"9" * 400}}}]', "line 3: an example's weight must be more than 0 and"),
        (f'examples = [{{text = "a", weight = 0x{"f" * 5000}}}]', "not a number of thousands of digits"),
        (f"examples = [{{text = 0x{'f' * 5000}}}]", "text must be a text, not a number of thousands of digits"),
        (f"vocabulary = {{dengue = {'9' * 400}}}", "line 3: the weight of 'dengue' must be a number that is finite"),
        (f'vocabulary = [{{term = "dengue", weight = {"9" * 400}}}]', "line 3: the weight of 'dengue' must be a"),
        ('examples = [""]', "line 3: an example is empty"),
        ('examples = [" "]', "line 3: an example is empty"),
        ('examples = ["pipe"]', "pipe is no ordinary file"),
        ('examples = [{url = "pipe"}]', "pipe is no ordinary file"),
        ('examples = [{url = "ftp://a/b"}]', "line 3: 'ftp://a/b' is not a web address"),
        ('examples = ["file://[/a"]', "'file://[/a' is not the address of a file"),
        ('ontology = "empty.jsonl"', "empty.jsonl is empty"),
        ('[[topic.level]]\nname = "x"\n\n[[topic.level]]\nname = ""', "line 6: a level needs a name"),
        ('[[topic.level]]\nname = "x"\n[[topic.level]]\nname = "y"\nexamples = ["no.html"]', "line 5: there is no"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_said_with_its_place(tmp_path: Path, body: str, sentence: str) -> None:
    (tmp_path / "nothing").mkdir()
    os.mkfifo(tmp_path / "pipe")
    for name, data in {
        "empty.txt": b"",
        "blank.txt": b" \n\n",
        "empty.jsonl": b"\n",
        "broken.jsonl": b'{"text": "fine"}\n{"text": \n',
        "list.jsonl": b"[1]\n",
        "latin.jsonl": b'{"text": "fine"}\n{"text": "\xe9"}\n',
        "bad-concepts.jsonl": b'{"names": ["x"]}\n',
    }.items():
        (tmp_path / name).write_bytes(data)
    with pytest.raises(ConfigError) as raised:
        read(tmp_path, body)
    said = str(raised.value)
    assert sentence in said
    assert said.endswith(".")
    assert "\n" not in said


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"[topic\n", "is not valid TOML"),
        (b"[scope]\n", "has no [topic] table"),
        (b'name = "x"\n', "name stands outside any table"),
        (b"[topic]\nkeywords = []\n", "[topic] needs a name, in a few words"),
        (b'[topic]\nname = " "\n', "line 2: [topic] needs a name"),
        (b'[topic]\nname = "\xe9"\n', "line 2: this is not UTF-8"),
        ("[topic]".encode("utf-16"), "is in UTF-16; save it in UTF-8"),
        (b"[topic]\nname = " + b"[" * 5000, "is not valid TOML"),
        (b"[topic]\nname = " + b"9" * 5000, "is not valid TOML"),
    ],
)
def test_a_file_that_is_no_topic_is_said_to_be_none(tmp_path: Path, data: bytes, sentence: str) -> None:
    (tmp_path / "topic.toml").write_bytes(data)
    with pytest.raises(ConfigError) as raised:
        read_topic_file(tmp_path / "topic.toml")
    assert sentence in str(raised.value)


def test_a_missing_file_and_one_that_is_a_folder_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="honeyguide init writes one"):
        read_topic_file(tmp_path / "no.toml")
    with pytest.raises(ConfigError, match="cannot be read: Is a directory"):
        read_topic_file(tmp_path)


def test_a_byte_order_mark_is_no_part_of_the_topic(tmp_path: Path) -> None:
    (tmp_path / "topic.toml").write_bytes(b'\xef\xbb\xbf[topic]\nname = "x"\n')
    assert read_topic_file(tmp_path / "topic.toml")[0] == Topic("x")


@pytest.mark.parametrize("name", ["del \x7f", 'quotes " and \\', "two\nlines", "{braces}", "dengue £"])
def test_a_template_can_be_read_whatever_the_topic_and_the_file_are_called(name: str) -> None:
    tables = tomllib.loads(template(name, Path("odd\nname = \x01\udcff.toml")))
    assert tables["topic"]["name"] == name


@pytest.mark.parametrize("name", ["", " ", "half \ud800"])
def test_a_template_is_not_made_for_what_cannot_be_a_name(name: str) -> None:
    with pytest.raises(ConfigError, match=r"needs a name|holds half a character"):
        template(name, Path("topic.toml"))


def test_every_remark_of_the_template_can_be_made_to_count(tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "a.html").write_text("<p>a</p>")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "b.html").write_text("<p>b</p>")
    (tmp_path / "branch" / "Science").mkdir(parents=True)
    (tmp_path / "branch" / "Science" / "c.txt").write_text("science")
    (tmp_path / "terms.obo").write_text("format-version: 1.2\n\n[Term]\nid: X:1\nname: fever\n")
    (tmp_path / "session.txt").write_text("+ https://a.org/\n")
    text = template("dengue fever", tmp_path / "topic.toml")
    file = tmp_path / "topic.toml"
    file.write_text(text)
    plain = read_topic_file(file)[0]
    assert plain == Topic("dengue fever", languages=("en",))
    file.write_text(
        "\n".join(line.removeprefix("# ") if " = " in line else line for line in text.splitlines())
    )
    topic = read_topic_file(file)[0]
    for part in ("examples", "off_topic", "vocabulary", "rules", "reject", "require", "branch", "ontology"):
        assert getattr(topic, part), part
    assert topic.session
    assert topic.background
