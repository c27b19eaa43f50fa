import random

import pytest

from honeyguide.parse.fingerprint import fingerprint, fingerprint_and_sketch, sketch

WORDS = [
    a + b
    for a in ("ka", "lo", "mi", "ne", "tu", "sar", "vel", "wo")
    for b in ("ba", "dum", "fi", "gol", "hep", "ra")
]


def prose(seed: int, words: int) -> str:
    chooser = random.Random(seed)
    return " ".join(chooser.choice(WORDS) + chooser.choice(WORDS) for _ in range(words))


def distance(one: int, other: int) -> int:
    return ((one ^ other) & (2**64 - 1)).bit_count()


def test_white_space_and_case_make_no_difference_to_a_fingerprint() -> None:
    assert fingerprint("Honey  Bees\n\nmake honey") == fingerprint(" honey bees make\tHONEY ")


def test_a_letter_makes_a_difference_to_a_fingerprint() -> None:
    assert fingerprint("honey bees make honey") != fingerprint("honey bees made honey")


def test_no_text_has_no_fingerprint_and_no_sketch() -> None:
    assert fingerprint_and_sketch(" \n\t ") == (0, 0)


def test_a_short_text_has_a_fingerprint_but_no_sketch() -> None:
    assert fingerprint("a few words") != 0
    assert sketch("a few words") == 0


def test_both_numbers_fit_a_signed_64_bit_column() -> None:
    numbers = [number for seed in range(40) for number in fingerprint_and_sketch(prose(seed, 100))]
    assert all(-(2**63) <= number < 2**63 for number in numbers)
    assert any(number < 0 for number in numbers)


def test_both_at_once_are_the_same_as_one_by_one() -> None:
    text = prose(1, 300)
    assert fingerprint_and_sketch(text) == (fingerprint(text), sketch(text))


def test_the_numbers_are_the_same_on_every_machine_and_day() -> None:
    text = "Honey bees gather nectar from flowers and carry it to the hive. " * 10
    assert fingerprint_and_sketch(text) == (-2045832081970422499, -1153626809107387298)


@pytest.mark.parametrize("seed", range(5))
def test_a_changed_date_leaves_a_page_almost_the_same(seed: int) -> None:
    page = prose(seed, 400)
    monday = sketch(f"{page}\nLast changed on Monday, 3 May 2010\n")
    friday = sketch(f"{page}\nLast changed on Friday, 14 May 2010\n")
    assert monday != 0
    assert distance(monday, friday) <= 3


def test_different_pages_of_one_template_are_far_apart() -> None:
    frame = prose(99, 40)
    sketches = [sketch(f"{frame} {prose(seed, 300)} {frame}") for seed in range(8)]
    distances = [distance(one, other) for n, one in enumerate(sketches) for other in sketches[:n]]
    assert min(distances) > 10


def test_the_distance_of_sketches_follows_the_likeness_of_texts() -> None:
    """Li & König 2010: two texts of Jaccard similarity J differ in half of 1 - J of the bits."""
    page = prose(7, 2000).split()
    changed = [" ".join(page[: 2000 - cut]) for cut in (0, 100, 400, 1000)]
    likeness = [len(text) / len(changed[0]) for text in changed]
    distances = [distance(sketch(changed[0]), sketch(text)) for text in changed]
    expected = [32 * (1 - share) for share in likeness]
    assert all(abs(got - wanted) <= 7 for got, wanted in zip(distances, expected, strict=True))
    assert distances == sorted(distances)


def test_scripts_without_spaces_have_sketches_too() -> None:
    chooser = random.Random(4)
    page = "".join(chr(0x4E00 + chooser.randrange(3000)) for _ in range(400))
    assert sketch(page) != 0
    assert distance(sketch(page), sketch(page + "二零二六年五月")) <= 4
