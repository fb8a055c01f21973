from hypothesis import given
from hypothesis import strategies as st

from engine.intake.boxes import pack, rects, unpack

SIZE = (595.0, 842.0)


def line(x: float, y: float, count: int, step: float = 10.0) -> list[tuple[float, float, float, float]]:
    return [(x + i * step, y, x + (i + 1) * step, y + 12) for i in range(count)]


@given(
    st.lists(
        st.tuples(st.floats(0, 500), st.floats(0, 800), st.floats(0.1, 90), st.floats(0.1, 40)), max_size=30
    )
)
def test_boxes_survive_within_a_fraction_of_a_point(items: list[tuple[float, float, float, float]]) -> None:
    given_boxes = [(x, y, x + w, y + h) for x, y, w, h in items]
    again = unpack(pack(given_boxes, SIZE), SIZE)
    assert len(again) == len(given_boxes)
    for old, new in zip(given_boxes, again, strict=True):
        assert all(abs(a - b) < 0.02 for a, b in zip(old, new, strict=True))


def test_boxes_outside_the_page_are_clipped() -> None:
    ((x0, y0, x1, y1),) = unpack(pack([(-50, -50, 900, 900)], SIZE), SIZE)
    assert (x0, y0, round(x1), round(y1)) == (0, 0, 595, 842)


def test_one_rectangle_a_line_and_none_for_the_break() -> None:
    glyphs = [*line(70, 100, 20), (0, 0, 0, 0), *line(70, 120, 5)]
    found = rects(pack(glyphs, SIZE), SIZE, [(15, 24)])
    assert [[round(value) for value in box] for box in found] == [[220, 100, 270, 112], [70, 120, 100, 132]]


def test_a_vertical_line_is_one_rectangle() -> None:
    glyphs = [(300.0, 70.0 + i * 12, 312.0, 82.0 + i * 12) for i in range(8)]
    assert len(rects(pack(glyphs, SIZE), SIZE, [(0, 8)])) == 1


def test_cells_far_apart_are_not_covered_by_one_rectangle() -> None:
    glyphs = [*line(70, 100, 3), *line(300, 100, 3)]
    assert len(rects(pack(glyphs, SIZE), SIZE, [(0, 6)])) == 2


def test_spans_beyond_the_text_are_cut() -> None:
    assert len(rects(pack(line(70, 100, 3), SIZE), SIZE, [(-5, 99), (40, 50)])) == 1
