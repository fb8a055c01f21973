"""A day at a folder: more than 150 edits, some 30 syncs, and after each of them the index of a fresh look.

The comparison is chunk for chunk, with vectors, lexical index and vector store. A file that was renamed keeps
the passages as they were cut and embedded under its old name, so the fresh look reads it under that one. At
the end of the day those files are read once more, and then the fresh look knows the present names only.
"""

import os
import shutil
import unicodedata
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from engine.answer import retrieval
from engine.config import Settings
from engine.events import IngestFinished
from engine.index.library import Library
from tests.desk import Desk
from tests.fakes import FakeEmbedder, InlineReader
from tests.faults import good
from tests.soak import snapshot
from tests.soak.fresh import FreshIndex

SETTINGS = Settings(chunk_size=96, chunk_overlap=0)
PARAGRAPHS = 12
QUESTIONS = (
    "人事第3条的办理期限", "规章第7条由谁批准", "年度预算", "采购合同的违约金", "访客登记", "Ünïcode 说明",
    "旧编码里的第4条", "新写的一句话", "会议纪要",
)  # fmt: skip


def paragraph(subject: str, number: int, says: str = "") -> str:
    says = says or f"本条所列事项须在{number + 2}个工作日内办理完毕"
    return f"{subject}第{number}条：{says}，由分管负责人批准后存档备查。"


class Day:
    """The folder, its library, and what has been done so far."""

    def __init__(self, desk: Desk, place: Path) -> None:
        desk.settings, desk.reader = SETTINGS, InlineReader(SETTINGS)
        self.desk = desk
        self.outside = place / "别处"
        self.outside.mkdir()
        self.fresh = FreshIndex(desk.folder, FakeEmbedder(), SETTINGS)
        self.edits = self.syncs = 0
        self.read_as: dict[Path, str] = {}
        self.texts: dict[str, list[str]] = {}

    def path(self, name: str) -> Path:
        return self.desk.folder / name

    # -- edits ------------------------------------------------------------------------------------

    def write(self, name: str, *paragraphs: str, encoding: str = "utf-8") -> None:
        """A text or Markdown file; a paragraph makes about one chunk."""
        self.texts[name] = list(paragraphs)
        self._changed(name)
        self.path(name).write_bytes("\n\n".join(paragraphs).encode(encoding))

    def long(self, name: str, subject: str, encoding: str = "utf-8") -> None:
        self.write(name, *(paragraph(subject, n) for n in range(PARAGRAPHS)), encoding=encoding)

    def edit(self, name: str, number: int, says: str) -> None:
        """One paragraph reads otherwise."""
        texts = self.texts[name]
        texts[number] = paragraph("改", number, says)
        self.write(name, *texts)

    def make(self, maker: good.Maker, name: str, text: str) -> None:
        self._changed(name)
        maker(self.path(name), text)

    def delete(self, name: str) -> None:
        self.edits += 1
        self.read_as.pop(self.path(name), None)
        self.path(name).unlink()

    def copy(self, name: str, target: str) -> None:
        self._changed(target)
        shutil.copyfile(self.path(name), self.path(target))
        self.read_as[self.path(target)] = self.read_as.get(self.path(name), self.path(name).name)

    def rename(self, name: str, target: str) -> None:
        """A file or a folder, to another name or into another folder."""
        self.edits += 1
        self.path(target).parent.mkdir(parents=True, exist_ok=True)
        files = [path for path in self.path(name).rglob("*") if path.is_file()] or [self.path(name)]
        before = [path.relative_to(self.desk.folder).as_posix() for path in files]
        self.path(name).rename(self.path(target))
        for each in before:
            now = target + each.removeprefix(name)
            if each in self.texts:
                self.texts[now] = self.texts.pop(each)
            self.read_as[self.path(now)] = self.read_as.pop(self.path(each), Path(each).name)

    def link(self, name: str, target: Path) -> None:
        self._changed(name)
        self.path(name).symlink_to(target, target.is_dir())

    def _changed(self, name: str) -> None:
        self.edits += 1
        self.read_as.pop(self.path(name), None)
        self.path(name).parent.mkdir(parents=True, exist_ok=True)

    # -- syncs ------------------------------------------------------------------------------------

    def sync(self) -> IngestFinished:
        """Bring the library up to date and compare it with a fresh one."""
        self.syncs += 1
        result = self.desk.ingest()
        self.compare(self.read_as)
        assert result.chunks == self.desk.library.chunk_count()
        return result

    def compare(self, read_as: Mapping[Path, str]) -> None:
        """``read_as`` are the files that were read under another name than they have now."""
        library = self.desk.library
        assert snapshot.damage(library) + snapshot.remains(library) == []
        assert snapshot.differences(snapshot.take(library), self.fresh.snapshot(read_as)) == []

    @property
    def embedded(self) -> int:
        """Passages embedded by the last sync."""
        return len(self.desk.embedded)

    def states(self) -> dict[str, str]:
        return {file.path: file.report.state.value for file in self.desk.library.files()}


@pytest.fixture
def day(desk: Desk, tmp_path: Path) -> Iterator[Day]:
    yield Day(desk, tmp_path)


def found(library: Library, question: str) -> list[tuple[str, str, float]]:
    hits = retrieval.search(question, [library], FakeEmbedder(), SETTINGS, 10)
    return [(hit.document, hit.chunk, round(hit.score, 5)) for hit in hits]


def test_a_day_of_edits_ends_with_the_index_of_a_fresh_look(
    day: Day, monkeypatch: pytest.MonkeyPatch
) -> None:
    morning(day)
    rename_and_move(day)
    copies(day)
    names_of_other_forms(day)
    files_become_others(day)
    out_of_reach(day, monkeypatch)
    links(day)
    evening(day)

    assert (day.edits, day.syncs) >= (150, 25)
    library = day.desk.library
    day.desk.ingest(names=frozenset(p.relative_to(day.desk.folder).as_posix() for p in day.read_as))
    day.compare({})
    fresh = day.fresh.library(library.name)
    assert [found(library, question) for question in QUESTIONS] == [
        found(fresh, question) for question in QUESTIONS
    ]
    assert sum(map(len, (found(fresh, question) for question in QUESTIONS))) > 40
    fresh.close()


def morning(day: Day) -> None:
    """Files come, and single paragraphs change."""
    for n in range(12):
        day.long(f"规章/{n:02}.md", f"规章{n}")
    for n in range(8):
        day.long(f"人事/第{n}号.txt", f"人事{n}")
    for n, maker in enumerate((good.word, good.sheet, good.html, good.csv, good.pdf, good.slides, good.rtf)):
        suffix = ("docx", "xlsx", "html", "csv", "pdf", "pptx", "rtf")[n]
        day.make(maker, f"各类/文件{n}.{suffix}", f"年度预算的第{n}项为{n * 100}元，由财务部审核。")
    day.long("旧编码.txt", "旧编码", encoding="gb18030")
    first = day.sync()
    assert first.counts == {"indexed": 28}
    assert day.embedded == first.chunks > 100

    day.sync()
    assert (day.embedded, day.desk.read) == (0, [])

    for n in range(4):
        day.edit(f"规章/{n:02}.md", 5, f"新写的一句话，原来没有，共{n}处")
        day.sync()
        assert 1 <= day.embedded <= 2, "one paragraph lies in one chunk, or over the joint of two"
        assert day.desk.read == [f"{n:02}.md"]
    for n in range(6):
        day.edit(f"人事/第{n}号.txt", 0, "第一段改了")
        day.edit(f"人事/第{n}号.txt", PARAGRAPHS - 1, "最后一段也改了")
    day.sync()
    assert 6 <= day.embedded <= 24
    for n in (6, 7):
        day.delete(f"人事/第{n}号.txt")
    day.make(good.word, "各类/文件0.docx", "年度预算的第零项改为一千元。")
    day.write("各类/新的.md", "# 新的\n\n## 甲", paragraph("新的", 1), "## 乙", paragraph("新的", 2))
    day.sync()


def rename_and_move(day: Day) -> None:
    """Nothing of it is embedded."""
    for n in range(6):
        day.rename(f"规章/{n:02}.md", f"规章/制度{n}.md")
    day.rename("旧编码.txt", "各类/旧编码 改名.txt")
    for suffix, n in (("docx", 0), ("xlsx", 1), ("html", 2)):
        day.rename(f"各类/文件{n}.{suffix}", f"人事/各类{n}.{suffix}")
    assert day.sync().counts == {"indexed": 27}
    assert (day.embedded, day.desk.read) == (0, [])

    day.rename("规章", "档案/规章 2024")
    day.rename("人事", "档案/人事")
    day.sync()
    assert (day.embedded, day.desk.read) == (0, [])

    # Two files change places, a third goes where another one was: some of them are read once more.
    day.rename("档案/人事/第0号.txt", "换.txt")
    day.rename("档案/人事/第1号.txt", "档案/人事/第0号.txt")
    day.rename("换.txt", "档案/人事/第1号.txt")
    day.rename("档案/规章 2024/06.md", "档案/规章 2024/六.md")
    day.rename("档案/规章 2024/07.md", "档案/规章 2024/06.md")
    day.desk.ingest()
    day.syncs += 1
    for name in day.desk.reader.paths:
        day.read_as.pop(name)
    day.compare(day.read_as)

    # Renamed and changed at once: only the change is new, if even that can be told.
    day.rename("档案/规章 2024/08.md", "档案/规章 2024/八.md")
    day.edit("档案/规章 2024/八.md", 3, "改名的同时改了一段")
    day.rename("档案/规章 2024/09.md", "九.md")
    day.sync()


def copies(day: Day) -> None:
    """Stored once for retrieval, whichever of them goes first."""
    for n in range(10, 12):
        day.copy(f"档案/规章 2024/{n}.md", f"副本/规章{n} (1).md")
        day.copy(f"档案/规章 2024/{n}.md", f"规章{n} 副本.md")
    day.copy("各类/文件4.pdf", "A 副本.pdf")
    before = day.desk.library.chunk_count()
    day.sync()
    assert (day.embedded, day.desk.read, day.desk.library.chunk_count()) == (0, [], before)

    day.delete("档案/规章 2024/10.md")
    day.delete("A 副本.pdf")
    day.delete("规章11 副本.md")
    day.rename("副本/规章11 (1).md", "0 最前.md")
    day.sync()
    assert (day.embedded, day.desk.read, day.desk.library.chunk_count()) == (0, [], before)

    day.write("规章10 副本.md", paragraph("不再是副本", 1))
    day.copy("各类/新的.md", "各类/新的 副本.md")
    day.delete("各类/新的.md")
    day.sync()
    assert day.embedded == 1


def names_of_other_forms(day: Day) -> None:
    """The same letters in other forms: capitals, composed and decomposed."""
    day.write("Report.txt", "The quarterly report says that the budget was kept.")
    day.write(unicodedata.normalize("NFC", "Ünïcode/说明é.txt"), "Ünïcode 说明：名称有两种写法。")
    day.sync()
    day.rename("Report.txt", "REPORT.txt")
    day.rename(unicodedata.normalize("NFC", "Ünïcode"), unicodedata.normalize("NFD", "Ünïcode"))
    name = unicodedata.normalize("NFD", "Ünïcode/") + unicodedata.normalize("NFC", "说明é.txt")
    day.rename(name, unicodedata.normalize("NFD", "Ünïcode/说明é.txt"))
    day.sync()
    assert (day.embedded, day.desk.read) == (0, [])
    for n in range(2, 5):
        day.rename(f"档案/人事/第{n}号.txt", f"档案/人事/A{n}.TXT")
        day.rename(f"档案/人事/A{n}.TXT", f"档案/人事/a{n}.txt")
    day.sync()
    assert day.embedded == 0


def files_become_others(day: Day) -> None:
    """Another encoding, no text any more, a folder of that name, another kind."""
    day.long("各类/旧编码 改名.txt", "旧编码", encoding="utf-8")
    day.write("九.md", "")
    day.delete("REPORT.txt")
    day.write("REPORT.txt/会议纪要.txt", "会议纪要：下周一上午九点开会。")
    day.write("REPORT.txt/深/更深/附件.md", "附件", paragraph("附件", 1))
    day.sync()
    assert day.states()["九.md"] == "empty"
    assert day.states()["REPORT.txt/会议纪要.txt"] == "indexed"
    assert "REPORT.txt" not in day.states()

    day.delete("REPORT.txt/会议纪要.txt")
    day.delete("REPORT.txt/深/更深/附件.md")
    shutil.rmtree(day.path("REPORT.txt"))
    day.write("REPORT.txt", "The report is a file again.")
    day.long("九.md", "第九号")
    day.make(good.pdf, "各类/文件3.csv", "这个文件现在其实是一个文档。")
    day.write("坏的.docx", "这不是一个文档")
    day.write("照片.jpg", "不读的")
    day.write(".隐藏.txt", "看不见的")
    day.sync()
    assert day.states()["照片.jpg"] == "unsupported"
    assert day.states()[".隐藏.txt"] == "excluded"
    day.make(good.word, "坏的.docx", "这次是一个真正的文档。")
    day.rename(".隐藏.txt", "不再隐藏.txt")
    del day.read_as[day.path("不再隐藏.txt")]  # nobody has read it before
    day.sync()
    assert day.states()["坏的.docx"] == "indexed"


def out_of_reach(day: Day, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rights are taken away and come back; what changed meanwhile is seen then."""
    names = {"八.md", "A0.md", "文件5.pptx"}
    day.long("A0.md", "拿走权限")
    day.sync()
    count = day.desk.library.chunk_count()
    access = os.access
    with monkeypatch.context() as patch:
        patch.setattr(os, "access", lambda path, mode: Path(path).name not in names and access(path, mode))
        day.edits += len(names)
        day.desk.ingest()
        assert day.desk.library.counts()["unreadable"] == 3
        assert day.desk.library.chunk_count() == count, "what cannot be read now is not gone"
        day.edit("A0.md", 2, "读不到的时候改了一段")
        day.rename("档案/人事/第5号.txt", "档案/人事/五.txt")
        day.desk.ingest()
        assert day.embedded == 0
        day.syncs += 2
    day.edits += len(names)
    day.sync()
    assert 1 <= day.embedded <= 2
    assert "unreadable" not in day.desk.library.counts()


def links(day: Day) -> None:
    """Links to a file, to a folder, back to the folder itself, and to nowhere."""
    (day.outside / "外面").mkdir()
    (day.outside / "外面" / "访客.txt").write_text("访客登记：访客须在前台登记。", encoding="utf-8")
    (day.outside / "合同.txt").write_text("采购合同的违约金为合同总价的百分之五。", encoding="utf-8")
    day.link("链接/合同.txt", day.outside / "合同.txt")
    day.link("链接/外面", day.outside / "外面")
    day.link("链接/回来", day.desk.folder)
    day.link("链接/没有.txt", day.outside / "没有.txt")
    day.sync()
    assert {"链接/合同.txt", "链接/外面/访客.txt"} <= day.states().keys()
    (day.outside / "合同.txt").write_text("采购合同的违约金改为百分之八。", encoding="utf-8")
    (day.outside / "没有.txt").write_text("现在有了。", encoding="utf-8")
    day.delete("链接/回来")
    day.edits += 2
    day.sync()
    assert day.embedded == 2
    day.delete("链接/外面")
    day.rename("链接/合同.txt", "链接/合同 新.txt")
    day.sync()
    assert day.embedded == 0


def evening(day: Day) -> None:
    """Tidying up: whole folders go, others come back under another name, many small edits in one go."""
    shutil.move(day.path("档案"), day.outside / "档案")
    day.edits += 1
    count = day.sync().counts["indexed"]
    shutil.move(day.outside / "档案", day.path("归档"))
    day.edits += 1
    assert day.sync().counts["indexed"] > count
    for n in range(20):
        day.write(f"便条/{n:02}.txt", f"便条{n}：第{n}天下午三点给供应商回电话。")
    day.sync()
    assert day.embedded == 20
    for n in range(0, 20, 2):
        day.write(f"便条/{n:02}.txt", f"便条{n}：改到第{n + 1}天上午十点。")
        day.rename(f"便条/{n + 1:02}.txt", f"便条/办完 {n + 1:02}.txt")
    day.sync()
    assert day.embedded == 10
    for n in range(0, 20, 4):
        day.delete(f"便条/{n:02}.txt")
    day.rename("便条", "杂项/便条")
    day.sync()
    assert day.embedded == 0
