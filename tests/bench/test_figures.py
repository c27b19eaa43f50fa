"""Figures: places, ticks and labels are right, and every drawing is well-formed and says what it shows."""

import re
import xml.etree.ElementTree as ET
from importlib.resources import files
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honeyguide.bench.report.axes import Axis, ceiling, percent, spread, ticks, written
from honeyguide.bench.report.figures import Box, Frame, Series, boxes, curves, panels, ridges, steps
from honeyguide.bench.report.heat_map import heat_map
from honeyguide.bench.report.marks import Mark, interval, key, strip
from honeyguide.bench.report.markup import Markup, escaped, number, tag
from honeyguide.bench.report.svg import COLOURS, Drawing, looks, path, shortened

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "</text><script>alert(1)</script>\"'&\x00\x1b\ud800"
FRAME = Frame("pages fetched", "found", y_high=1.0)


def series(count: int, label: str = "s") -> list[Series]:
    x = [0.0, 50.0, 100.0]
    styles = looks([False] * count)
    return [
        Series(f"{label}{n}", styles[n], x, [0, 0.4, 0.5], [0, 0.3, 0.4], [0, 0.5, 0.6]) for n in range(count)
    ]


def every_drawing(label: str = "s") -> list[Drawing]:
    some = series(3, label)
    return [
        curves("curves", label, label, some, FRAME),
        curves("none", label, label, [], FRAME),
        panels("panels", label, label, some, some, FRAME),
        boxes("boxes", label, label, [Box(label, "c0", 0.1, 0.2, 0.3, 0.4, 0.5, 0.31, [0.9])], label),
        ridges("ridges", label, label, some, label, (0, 100)),
        heat_map("heat", label, label, [label, "b"], [[1, 0.25], [0.25, 1]]),
    ]


def contrast(one: str, other: str) -> float:
    """The ratio of WCAG 2."""

    def light(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)


def words(root: ET.Element) -> list[str]:
    return ["".join(text.itertext()) for text in root.iter(f"{SVG}text")]


@pytest.mark.parametrize("label", ["plain", HOSTILE])
def test_every_figure_is_well_formed_on_white_with_a_title_and_a_description(label: str) -> None:
    for drawing in every_drawing(label):
        root = ET.fromstring(drawing.file().encode())
        assert root.tag == f"{SVG}svg"
        assert root.get("role") == "img"
        told = {
            element.get("id")
            for element in (root.find(f"{SVG}title"), root.find(f"{SVG}desc"))
            if element is not None
        }
        assert set((root.get("aria-labelledby") or "").split()) == told
        assert root.find(f"{SVG}rect[@fill='#ffffff']") is not None
        assert not list(root.iter(f"{SVG}script"))
        assert ET.fromstring(drawing.inline().encode()).tag == "svg"


def test_a_curve_starts_and_ends_where_its_values_are() -> None:
    one = Series("a", "c0 d0", [0, 100], [0, 0.5])
    root = ET.fromstring(curves("n", "t", "d", [one], FRAME).file())
    line = next(piece for piece in root.iter(f"{SVG}path") if piece.get("class") == "line")
    start, end = (tuple(map(float, point.split())) for point in (line.get("d") or "")[1:].split("L"))
    grid = sorted(
        float((piece.get("d") or "").split()[1].split("H")[0])
        for piece in root.iter(f"{SVG}path")
        if piece.get("class") == "grid"
    )
    assert start[1] == max(grid)
    assert end[1] == pytest.approx((min(grid) + max(grid)) / 2, abs=0.1)


def test_every_curve_is_labelled_and_no_two_labels_meet() -> None:
    same = series(9)
    root = ET.fromstring(curves("n", "t", "d", same, FRAME).file())
    labels = {"".join(text.itertext()): float(text.get("y") or 0) for text in root.iter(f"{SVG}text")}
    heights = sorted(labels[one.label] for one in same)
    assert all(b - a >= 13 for a, b in pairwise(heights))


def test_a_heat_map_writes_every_share_but_that_of_each_with_itself() -> None:
    root = ET.fromstring(
        heat_map("n", "t", "d", ["a", "b", "c"], [[1, 0.25, 0], [0.25, 1, 0.5], [0, 0.5, 1]]).file()
    )
    assert sorted(word for word in words(root) if word.isdigit()) == ["0", "0", "25", "25", "50", "50"]


def test_steps_rise_at_the_hits_and_last_to_the_end() -> None:
    assert steps([2, 5], 10, 4) == ([0, 2, 2, 5, 5, 10], [0, 0, 0.25, 0.25, 0.5, 0.5])
    assert steps([], 10, 0) == ([0, 10], [0, 0])


def test_no_two_contenders_of_a_common_number_look_alike_and_references_are_grey() -> None:
    styles = looks([False] * 24)
    assert len(set(styles)) == 24
    assert styles[0].split()[0] == styles[len(COLOURS)].split()[0]
    assert all(style.startswith("refs") for style in looks([True, True]))


def test_every_colour_stands_out_from_its_paper_in_light_and_in_dark() -> None:
    style = files("honeyguide.bench.report").joinpath("report.css").read_text(encoding="utf-8")
    light, dark, print_ = re.findall(r":root \{(.*?)\}", style, re.DOTALL)
    for sheet in (light, dark, print_):
        colours = dict(re.findall(r"--([a-z0-9]+): (#[0-9a-f]{6})", sheet))
        for name in ("c0", "c1", "c2", "c3", "c4", "c5", "ref"):
            assert contrast(colours[name], colours["paper"]) >= 3, name
        for name in ("ink", "quiet", "accent"):
            assert contrast(colours[name], colours["paper"]) >= 4.5, name
    assert re.findall(r"--c\d: (#[0-9a-f]{6})", light) == list(COLOURS)


def test_small_marks_keep_to_their_width() -> None:
    for drawn in (
        interval(Mark("c0 d0", 0.5, 0.2, 99.0), 0.0, 1.0),
        strip([Mark("c0 d0", 7.0, label=HOSTILE)], 1.0),
        key("c1 d2"),
    ):
        root = ET.fromstring(drawn)
        wide = float(root.get("width") or 0)
        assert all(0 <= float(dot.get("cx") or 0) <= wide for dot in root.iter("circle"))


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.floats(-1e3, 1e3), st.floats(1e-3, 1e6), st.integers(2, 10))
def test_ticks_are_few_inside_and_evenly_apart(low: float, span: float, most: int) -> None:
    values = ticks(low, low + span, most)
    assert len(values) <= most + 1
    assert all(low - span * 1e-6 <= value <= low + span * (1 + 1e-6) for value in values)
    gaps = [b - a for a, b in pairwise(values)]
    assert all(abs(gap - gaps[0]) < 1e-6 * span for gap in gaps)


def test_ticks_are_round() -> None:
    assert ticks(0, 1000) == [0, 200, 400, 600, 800, 1000]
    assert ticks(0, 0.37) == [0, 0.1, 0.2, 0.3]
    assert ticks(3, 3) == [3]
    assert [written(value, [0, 500, 1000]) for value in (0, 500, 1000)] == ["0", "500", "1,000"]
    assert written(0.15, [0.0, 0.05, 0.1, 0.15]) == "0.15"
    assert percent(0.2, [0, 0.2, 0.4]) == "20 %"


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.lists(st.floats(0, 1e4), max_size=20))
def test_an_axis_ends_at_or_above_its_values(values: list[float]) -> None:
    assert ceiling(values) >= max(values, default=0.0) * (1 - 1e-9)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.lists(st.floats(-50, 400), max_size=20))
def test_labels_are_spread_in_order_and_inside(wanted: list[float]) -> None:
    places = spread(wanted, 14, 10, 300)
    ordered = [
        places[index] for index in sorted(range(len(wanted)), key=lambda index: (wanted[index], index))
    ]
    gap = min(14, 290 / max(1, len(wanted) - 1))
    assert all(b - a >= gap - 1e-6 for a, b in pairwise(ordered))
    assert all(10 - 1e-6 <= place <= 300 + 1e-6 for place in places)


def test_an_axis_keeps_what_is_outside_at_its_ends() -> None:
    axis = Axis(0, 10, 100, 200)
    assert [axis.at(value) for value in (-5, 0, 5, 50)] == [100, 100, 150, 200]


def test_a_path_is_short_where_lines_are_level_or_upright() -> None:
    assert path([(0, 0), (10, 0), (10, 5), (12.25, 6)]) == "M0 0H10V5L12.2 6"


def test_labels_lose_their_middle_when_they_are_long() -> None:
    assert shortened("a" * 30) == "a" * 30
    long = shortened("best-first:by=anchor,weight=0.5,decay=0.25")
    assert len(long) == 30
    assert long.startswith("best-first:by=")
    assert long.endswith("decay=0.25")


def test_markup_escapes_whatever_is_not_markup() -> None:
    assert tag("p", "<b>", Markup("<b>x</b>"), title='"', class_="a") == (
        '<p title="&quot;" class="a">&lt;b&gt;<b>x</b></p>'
    )
    assert escaped("\x00\ud800") == "\ufffd\ufffd"
    assert number(-0.01) == "0"
    assert number(2.0) == "2"
