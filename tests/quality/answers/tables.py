"""Made-up tables: true statements about their cells, and the same with the value of another row or column."""

import random
from collections.abc import Iterator

_ROWS = ("测距仪", "经纬仪", "水准仪", "全站仪", "扫描仪", "无人机", "对中杆", "三脚架")
_PLACES = ("北京分公司", "上海分公司", "广州分公司", "成都分公司", "武汉分公司", "西安分公司")
_YEARS = ("2021年", "2022年", "2023年")
_MEASURES = (
    ("预算（万元）", "预算", "万元"),
    ("人数", "人数", "人"),
    ("保修期（月）", "保修期", "个月"),
    ("单价（元）", "单价", "元"),
)


def tables(count: int, chance: random.Random) -> Iterator[tuple[str, str, str, str]]:
    """Table, a true statement, the value of another row, the value of another column."""
    for _ in range(count):
        labels = chance.sample(chance.choice([_ROWS, _PLACES]), 5)
        by_year = chance.random() < 0.5
        if by_year:
            _, what, unit = chance.choice(_MEASURES[:2])
            heads, units, said = list(_YEARS), [unit] * 3, [f"{year}的{what}" for year in _YEARS]
            first = f"{what}（{unit}）" if unit == "万元" else what
        else:
            chosen = chance.sample(_MEASURES, 3)
            heads, said, units = ([each[at] for each in chosen] for at in range(3))
            first = "名称"
        values = chance.sample(range(13, 990), 15)
        grid = [values[at * 3 : at * 3 + 3] for at in range(5)]
        lines = [" | ".join([first, *heads])] + [
            " | ".join([label, *map(str, row)]) for label, row in zip(labels, grid, strict=True)
        ]
        row, column = chance.randrange(5), chance.randrange(3)
        other_row = chance.choice([at for at in range(5) if at != row])
        other_column = chance.choice([at for at in range(3) if at != column])

        values_said = (grid[row][column], grid[other_row][column], grid[row][other_column])
        right, of_row, of_column = (
            f"{labels[row]}{said[column]}为{value}{units[column]}。" for value in values_said
        )
        yield "\n".join(lines), right, of_row, of_column
