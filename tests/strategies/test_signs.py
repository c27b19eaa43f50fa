"""Signs of links: what is written alike has the same signs, whatever it names."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as some
from numpy.typing import NDArray

from honeyguide.model import Link
from honeyguide.strategies.signs import COUNT, GROUPS, OF_ADDRESS, OF_LINK, signs_of_addresses, signs_of_links
from honeyguide.strategies.surroundings import place_in_context


def of_link(anchor: str, context: str = "", path: str = "") -> dict[str, list[int]]:
    link = Link("https://site.example/", anchor=anchor, context=context, path=path)
    stems = np.arange(1, 9, dtype=np.int32)[None]
    row = signs_of_links([link], stems, [place_in_context(link)])[0]
    return {name: row[group].tolist() for name, group in GROUPS.items() if group != OF_ADDRESS}


def of_address(url: str) -> NDArray[np.uint16]:
    return signs_of_addresses([url])[0]


def shared(first: str, second: str) -> int:
    one, other = of_address(first), of_address(second)
    return len(set(one[one > 0].tolist()) & set(other[other > 0].tolist()))


def test_names_of_people_are_written_alike() -> None:
    assert of_link("Isaac Newton")["form"] == of_link("Marie Curie")["form"]
    assert of_link("Isaac Newton")["form"] != of_link("laws of motion")["form"]
    assert of_link("NASA")["form"] != of_link("Nasa")["form"]
    assert of_link("1066")["form"] != of_link("15")["form"]


def test_short_words_between_names_stand_for_themselves() -> None:
    assert of_link("Battle of Hastings")["form"] == of_link("Siege of Vienna")["form"]
    assert of_link("Battle of Hastings")["form"] != of_link("Battle at Hastings")["form"]


def test_where_in_the_markup_a_link_stands_counts_but_not_which_item_it_is() -> None:
    third, ninth = (of_link("Bell", path=f"html/body/main/ul[2]/li[{item}]/a") for item in (3, 9))
    assert third == ninth
    assert of_link("Bell", path="html/body/main/p[1]/a")["form"] != third["form"]


def test_the_words_right_beside_a_link_count_by_their_side_and_distance() -> None:
    one = of_link("Newton", "as shown by Sir Newton (1643) in London")["beside"]
    other = of_link("Kelvin", "the claims of Sir Kelvin (1824) are here")["beside"]
    assert one[0] == other[0]
    assert one[1] != other[1]
    assert one[2] == other[2]
    assert one[3] != other[3]
    swapped = of_link("Newton", "then ( Newton Sir was there")["beside"]
    assert not set(one) & set(swapped)


def test_a_link_whose_context_lacks_it_has_nothing_beside_it() -> None:
    assert of_link("Newton", "")["beside"] == [0, 0, 0, 0]


def test_home_pages_have_addresses_that_are_built_alike() -> None:
    home = "https://cs.one.example/~newton/"
    assert shared(home, "https://www.two.example/~curie/") > shared(home, "https://www.two.example/news/")
    assert shared(home, "https://www.two.example/~curie/") > shared(
        home, "https://www.two.example/~curie/cv.ps"
    )


def test_the_last_words_of_a_long_address_are_kept() -> None:
    deep = "https://site.example/" + "/".join(f"word{chr(97 + n)}" for n in range(20))
    assert (of_address(deep) > 0).all()
    assert shared(deep, "https://other.example/wordt?page=2") > shared(
        deep, "https://other.example/worda?page=2"
    )


@given(some.text(), some.text(), some.text(), some.text())
def test_whatever_a_page_says_its_links_have_signs(anchor: str, context: str, path: str, url: str) -> None:
    link = Link(url, anchor=anchor, context=f"{context}{anchor}", path=path)
    signs = signs_of_links([link, link], np.zeros((2, 8), np.int32), [place_in_context(link)] * 2)
    assert signs.shape == (2, OF_LINK.stop)
    assert np.array_equal(signs[0], signs[1])
    assert signs_of_addresses([url]).shape == (1, COUNT - OF_LINK.stop)
