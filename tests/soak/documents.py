"""A folder of small documents of several kinds, and what people do to it in a day, at random.

Every document says a sentence with a word of its own (``kw…``) that no other document ever says, so that a
search can ask for it and a look at the disk can tell whether it is gone.
"""

import random
import shutil
from collections.abc import Callable
from pathlib import Path

import resources
from tests.faults import good

_MAKERS: dict[str, good.Maker] = {
    ".md": good.plain(form="# 关于{text}\n\n## 第一节\n\n{text}\n"),
    ".txt": good.plain("gbk"),
    ".html": good.html,
    ".docx": good.word,
    ".xlsx": good.sheet,
    ".csv": good.csv,
    ".pdf": good.pdf,
}
_SAMPLES = ("IT服务台常见问题.md", "差旅报销管理办法.pdf", "数据安全管理制度.docx", "计量校准服务介绍.html")
_MANY = 60
_FOLDERS = ("", "制度", "制度/人事", "合同 2024", "Ü-Mappe")


class Documents:
    """The folder ``root``. ``words`` are the words of all documents that there are, ``gone`` those of
    documents that were deleted or written anew.

    ``names`` are all names that the bytes of a file have had, also those of its copies: they may have been
    read under any of them.
    """

    def __init__(self, root: Path, chance: random.Random, count: int) -> None:
        self.root = root
        self.chance = chance
        self.names: dict[Path, list[str]] = {}
        self.words: dict[Path, str] = {}
        self.gone: set[str] = set()
        root.mkdir(parents=True)
        for _ in range(count):
            self.add()
        for name in _SAMPLES:
            shutil.copy(resources.path("samples") / name, root / name)

    def count(self) -> int:
        """Files in the folder."""
        return sum(path.is_file() for path in self.root.rglob("*"))

    def change(self, count: int) -> list[str]:
        """Do ``count`` things to the folder; says what, for the report of a failure."""
        ways: list[Callable[[], str]] = [
            self.edit, self.edit, self.edit, self.rename, self.rename, self.move, self.delete,
            self.rename_folder,
        ]  # fmt: skip
        return [self.chance.choice([*ways, *self._more_or_fewer()])() for _ in range(count)]

    def _more_or_fewer(self) -> list[Callable[[], str]]:
        """The folder grows to some sixty documents and then keeps about that size."""
        return [self.delete, self.delete] if len(self.words) > _MANY else [self.add, self.add, self.copy]

    def add(self) -> str:
        suffix = self.chance.choice(list(_MAKERS))
        path = self._free(self.root / self.chance.choice(_FOLDERS), suffix)
        self._write(path)
        return f"add {self._short(path)}"

    def edit(self) -> str:
        path = self._some()
        self._write(path)
        return f"edit {self._short(path)}"

    def rename(self) -> str:
        path = self._some()
        target = self._free(path.parent, path.suffix)
        self._moved(path, target)
        return f"rename {self._short(path)} to {target.name}"

    def move(self) -> str:
        path = self._some()
        folder = self.root / self.chance.choice(_FOLDERS)
        target = folder / path.name
        if target.exists():
            return f"leave {self._short(path)}"
        folder.mkdir(parents=True, exist_ok=True)
        self._moved(path, target)
        return f"move {self._short(path)} to {self._short(target)}"

    def delete(self) -> str:
        path = self._some()
        path.unlink()
        self._forget(path)
        return f"delete {self._short(path)}"

    def copy(self) -> str:
        path = self._some()
        target = self._free(path.parent, path.suffix)
        shutil.copy(path, target)
        self.words[target] = self.words[path]
        self.names[target] = self.names[path]
        self.names[target].append(target.name)
        return f"copy {self._short(path)} to {target.name}"

    def rename_folder(self) -> str:
        folders = sorted(path for path in self.root.iterdir() if path.is_dir())
        if not folders:
            return self.add()
        folder = self.chance.choice(folders)
        target = folder.with_name(f"夹{self.chance.randrange(10**6)}")
        folder.rename(target)
        for path in [path for path in self.words if path.is_relative_to(folder)]:
            self._note_move(path, target / path.relative_to(folder))
        return f"rename folder {folder.name} to {target.name}"

    # -- one file ---------------------------------------------------------------------------------

    def _some(self) -> Path:
        if len(self.words) < 3:
            self.add()
        return self.chance.choice(sorted(self.words))

    def _free(self, folder: Path, suffix: str) -> Path:
        folder.mkdir(parents=True, exist_ok=True)
        while (path := folder / f"文件 {self.chance.randrange(10**6)}{suffix}").exists():
            pass
        return path

    def _write(self, path: Path) -> None:
        self._forget(path)
        word = f"kw{self.chance.randrange(10**9):09}"
        self.words[path] = word
        self.names[path] = [path.name]
        sentences = [f"口令{word}的有效期为{self.chance.randrange(1, 90)}天，由第{word}号办法规定。"]
        if path.suffix in (".md", ".txt", ".html"):  # long enough for several chunks, sometimes
            count = self.chance.choice((0, 0, 30))
            sentences += [f"第{n}条：{word}的第{n}项要求须在{n}个工作日内完成。" for n in range(count)]
        _MAKERS[path.suffix](path, "".join(sentences))

    def _forget(self, path: Path) -> None:
        self.names.pop(path, None)
        word = self.words.pop(path, None)
        if word is not None and word not in self.words.values():
            self.gone.add(word)

    def _moved(self, path: Path, target: Path) -> None:
        path.rename(target)
        self._note_move(path, target)

    def _note_move(self, path: Path, target: Path) -> None:
        self.words[target] = self.words.pop(path)
        self.names[target] = self.names.pop(path)
        if target.name not in self.names[target]:
            self.names[target].append(target.name)

    def _short(self, path: Path) -> str:
        return path.relative_to(self.root).as_posix()
