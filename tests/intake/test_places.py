from engine.documents import Page, PageSpan, Table
from engine.intake.chunking.places import Places


def sheet(number: int, first: int, *, name: str = "名单") -> Page:
    rows = [f"员工{row}" for row in range(first, first + 3)]
    text = "\n".join(["姓名", *rows])
    return Page(
        number,
        text,
        location={"sheet": name, "rows": [first, first + 2]},
        tables=(Table(0, 3, len(text)),),
        rows=(1, first, first + 1, first + 2),
    )


def places(*pages: Page, kind: str = "sheet") -> Places:
    made = Places(kind)
    for page in pages:
        made.note(page)
    return made


def test_rows_are_those_that_the_spans_touch() -> None:
    page = sheet(1, 2)
    third = page.text.index("员工3")
    assert places(page).of([PageSpan(1, third, third + 4)]) == {"sheet": "名单", "rows": [3, 3]}
    assert places(page).of([PageSpan(1, third, len(page.text))]) == {"sheet": "名单", "rows": [3, 4]}


def test_the_header_counts_only_by_itself() -> None:
    page = sheet(1, 2)
    assert places(page).of([PageSpan(1, 0, 7)]) == {"sheet": "名单", "rows": [2, 2]}
    assert places(page).of([PageSpan(1, 0, 2)]) == {"sheet": "名单", "rows": [1, 1]}


def test_rows_go_on_over_pages_of_the_same_sheet_only() -> None:
    one, two, other = sheet(1, 2), sheet(2, 5), sheet(3, 9, name="别表")
    spans = [PageSpan(page.number, 0, len(page.text)) for page in (one, two, other)]
    assert places(one, two, other).of(spans) == {"sheet": "名单", "rows": [2, 7]}


def test_lines_slides_and_pages() -> None:
    text = Page(1, "甲\n乙\n丙")
    assert places(text, kind="text").of([PageSpan(1, 2, 5)]) == {"line": 2}
    assert places(Page(1, "甲", location={"slide": 4}), kind="slides").of([PageSpan(1, 0, 1)]) == {"slide": 4}
    assert places(Page(1, "甲"), kind="pdf").of([PageSpan(1, 0, 1)]) is None
    assert places(text, kind="text").of([]) is None
