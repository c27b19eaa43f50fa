"""Bytes on the disk."""

import errno
import gc
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeyguide.graph.tape import Tape


@given(st.lists(st.binary(max_size=30), max_size=40), st.integers(1, 100))
def test_what_was_appended_is_there_wherever_it_lies(pieces: list[bytes], held: int) -> None:
    tape, starts, ends = Tape(held=held), list[int](), list[int]()
    for piece in pieces:
        starts.append(len(tape))
        tape.append(piece)
        ends.append(len(tape))
    assert list(tape.slices(starts, ends)) == pieces
    assert list(tape.slices(starts[::-1], ends[::-1])) == pieces[::-1]
    assert tape.whole() == b"".join(pieces)
    assert tape.nbytes < held


def open_files() -> set[str]:
    return {os.readlink(entry) for entry in Path("/proc/self/fd").iterdir() if entry.is_symlink()}


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="open files are not to be seen here")
def test_nothing_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    tape = Tape(held=1)
    tape.append(b"honey")
    assert any(str(tmp_path) in file for file in open_files())
    assert not any(tmp_path.iterdir()), "nobody else can see it"
    del tape
    gc.collect()
    assert not any(str(tmp_path) in file for file in open_files())


@pytest.mark.parametrize("written", [0, 3])
def test_where_the_disk_is_full_memory_holds_the_rest(written: int, monkeypatch: pytest.MonkeyPatch) -> None:
    tape, write, left = Tape(held=4), os.pwrite, 4 + written

    def full(file: int, data: bytes, at: int) -> int:
        nonlocal left
        if not left:
            raise OSError(errno.ENOSPC, "No space left on device")
        done = write(file, data[:left], at)
        left -= done
        return done

    monkeypatch.setattr("os.pwrite", full)
    for piece in (b"bees", b"make", b"honey"):
        tape.append(piece)
    assert list(tape.slices([0, 4, 8], [4, 8, 13])) == [b"bees", b"make", b"honey"]
    assert tape.whole() == b"beesmakehoney"
    assert tape.nbytes == 9


@pytest.mark.skipif(
    not (os.access("/var/tmp", os.W_OK) and Path("/proc/self/fd").exists()),
    reason="nothing can be written to /var/tmp here, or open files are not to be seen",
)
def test_where_nobody_says_otherwise_the_file_lies_where_memory_is_no_disk(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("TMPDIR", raising=False)
    tape = Tape(held=1)
    tape.append(b"honey")
    assert any(file.startswith("/var/tmp/honeyguide-") for file in open_files())
    assert list(tape.slices([0], [5])) == [b"honey"]


def test_without_a_folder_for_temporary_files_memory_holds_all(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(**_: object) -> None:
        raise OSError(errno.ENOENT, "No such file or directory")

    monkeypatch.setattr("honeyguide.graph.tape.mkstemp", full)
    tape = Tape(held=1)
    tape.append(b"honey")
    assert list(tape.slices([0], [5])) == [b"honey"]
    assert tape.nbytes == 5
