"""The topic file that the served web leaves beside it."""

from pathlib import Path

import pytest

from honeyguide.demo.run import write_topic
from honeyguide.errors import ConfigError


def test_what_an_earlier_server_left_is_used_and_somebodys_own_file_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "dengue.toml"
    write_topic(file, "name = 'Früher'\n")
    write_topic(file, "name = 'Früher'\n")
    with pytest.raises(ConfigError, match=r"dengue\.toml exists and is not overwritten"):
        write_topic(file, "name = 'now'\n")
    assert file.read_text(encoding="utf-8") == "name = 'Früher'\n"
