"""The reference is complete because it is read off the code, and up to date because this says so."""

import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SCRIPT = runpy.run_path(str(ROOT / "scripts" / "build_reference.py"))


@pytest.mark.parametrize("page", sorted(SCRIPT["PAGES"]))
def test_the_reference_is_what_the_code_says(page: str) -> None:
    written = (ROOT / "docs" / "reference" / page).read_text(encoding="utf-8")
    assert written == SCRIPT["PAGES"][page](), "run: make reference"


def test_every_setting_has_a_meaning_and_every_meaning_a_setting() -> None:
    assert SCRIPT["setting_names"]() == set(SCRIPT["MEANINGS"])


def test_the_readme_names_every_command() -> None:
    text = (ROOT / "README.md").read_text() + (ROOT / "docs/tutorial.md").read_text()
    for command in SCRIPT["command_names"]():
        assert f"honeyguide {command}" in text, command


def test_links_between_documents_lead_somewhere() -> None:
    import re

    for document in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]:
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", document.read_text(encoding="utf-8")):
            assert (document.parent / target).exists(), f"{document.name} links to {target}"
