import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeyguide.strategies.places import STRENGTH, Places

HOSTS, FOLDERS = np.array([1, 1, 0], np.int32), np.array([2, 3, 3], np.int32)


def filled(pages: list[tuple[int, int, float]]) -> Places:
    places = Places(places=64)
    for page in pages:
        places.add(*page)
    return places


def test_a_folder_is_expected_to_hold_what_it_held_and_else_what_its_host_did() -> None:
    # Host 1 had a page of 1, in folder 2; the crawl's mean is 0.55. Host (1 + 3 * 0.55) / 4 = 0.6625, folder
    # (1 + 3 * 0.6625) / 4 = 0.746875.
    places = filled([(1, 2, 1.0)])
    assert places.of(HOSTS, FOLDERS, 0.55) == pytest.approx([0.746875, 0.6625, 0.55])


def test_before_the_first_page_everything_is_as_usual() -> None:
    places = filled([])
    places.settle()
    assert places.of(HOSTS, FOLDERS, 0.1) == pytest.approx([0.1] * 3)


def test_how_much_hosts_tell_is_worked_out_from_how_they_differ() -> None:
    # Two hosts of four pages: 1 1 1 0 and 0 0 0 1. Means .75 and .25, the crawl's .5; inside 2 * .75 = 1.5, variance
    # 1.5 / 6 = .25; between 8 * .0625 = .5, less .25 for chance: e = .25, e / v = 1; d = 8 - 32 / 8 = 4. With the ten
    # pages of doubt s = (4 + 10) / (1 + 10 / 3) = 42 / 13. A host with one folder tells all there is to tell of it:
    # e = 0, d = 0 and s = 10 / (10 / 3) = 3. Host 1 is expected to have (3 + s * .5) / (4 + s), and so on.
    values = [(1, 1, 1.0)] * 3 + [(1, 1, 0.0)] + [(2, 2, 0.0)] * 3 + [(2, 2, 1.0)]
    places = filled(values)
    places.settle()
    strength = 42 / 13
    host = (3 + strength * 0.5) / (4 + strength)
    expected = [(3 + STRENGTH * host) / (4 + STRENGTH), host, 0.5]
    found = places.of(np.array([1, 1, 9], np.int32), np.array([1, 9, 9], np.int32), 0.5)
    assert found == pytest.approx(expected)


def after(values: dict[int, list[float]]) -> list[float]:
    """What is expected of three folders of one host, where pages of each took turns."""
    places = filled(
        [
            (0, folder, value)
            for turn in zip(*values.values(), strict=True)
            for folder, value in zip(values, turn, strict=True)
        ]
    )
    places.settle()
    folders = np.array(list(values), np.int32)
    return [float(value) for value in places.of(np.zeros(len(folders), np.int32), folders, 0.5)]


def test_folders_that_differ_by_chance_alone_come_to_say_nothing() -> None:
    random = np.random.default_rng(5)
    chance = after({folder: random.integers(0, 2, 40).astype(float).tolist() for folder in range(20)})
    assert np.ptp(chance) < 0.1
    rich = after({folder: [float(folder < 10)] * 39 + [0.5] for folder in range(20)})
    assert np.ptp(rich) > 0.9


def test_folders_that_hosts_share_by_chance_are_left_out() -> None:
    own = [(1, 1, n % 2 / 2) for n in range(8)] + [(2, 2, n % 2 / 4) for n in range(8)]
    shared = [(1, 3, 1.0), (1, 3, 0.0)] * 20 + [(4, 3, 0.5)]
    places = filled(own + shared)
    places.settle()
    _, folders = places.state()["strengths"]
    # Folders 1 and 2, of hosts whose other pages are in folder 3: means .25 and .125 beside the hosts' 22/48 and .125.
    # Inside 8 * .0625 + 8 * .015625 = .625, variance .625 / 14; between 8 * (.25 - 22 / 48)^2, with as many hosts as
    # folders nothing less for chance; d = 16 - 64 / 48 - 64 / 8.
    variance = 0.625 / 14
    excess = 8 * (0.25 - 22 / 48) ** 2
    assert folders == pytest.approx((16 - 64 / 48 - 8 + 10) / (excess / variance + 10 / 3))


@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.integers(0, 3), st.sampled_from([0.0, 0.1, 0.5, 1.0])), max_size=60
    )
)
def test_means_lie_between_the_least_and_the_most_whatever_hosts_share(
    pages: list[tuple[int, int, float]],
) -> None:
    places = filled(pages)
    places.settle()
    assert (places.state()["strengths"] > 0).all()
    hosts, folders = np.divmod(np.arange(16, dtype=np.int32), 4)
    found = places.of(hosts, folders, 0.3)
    values = [relevance for _, _, relevance in pages]
    assert (found >= min([0.3, *values]) - 1e-9).all()
    assert (found <= max([0.3, *values]) + 1e-9).all()


def test_a_page_judged_anew_counts_as_if_it_had_been_judged_so_at_first() -> None:
    anew, once = filled([(0, 1, 0.2), (0, 2, 0.9)]), filled([(0, 1, 0.8), (0, 2, 0.9)])
    anew.change(0, 1, 0.2, 0.8)
    for places in (anew, once):
        places.settle()
    for name, value in anew.state().items():
        assert value == pytest.approx(once.state()[name]), name


def test_how_many_pages_a_host_gave_is_counted() -> None:
    places = filled([(1, 2, 0.0), (1, 3, 1.0), (4, 4, 1.0)])
    assert places.pages_of(np.array([1, 4, 5], np.int32)).tolist() == [2, 1, 0]


def test_restored_they_go_on_as_before() -> None:
    first, second = filled([(n % 3, n % 7, n % 5 / 5) for n in range(50)]), filled([(9, 9, 1.0)])
    first.settle()
    second.restore(first.state())
    for places in (first, second):
        places.add(2, 6, 0.5)
        places.settle()
    for name, value in first.state().items():
        assert np.array_equal(value, second.state()[name]), name
