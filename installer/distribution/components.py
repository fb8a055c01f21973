"""What the packages ship of others: THIRD_PARTY.md, licence texts and a bill of materials (CycloneDX)."""

import ast
import importlib.metadata
import platform
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

_LICENCE_FILE = re.compile(r"^(licen[cs]e|copying|notice|authors|third.?party)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Component:
    """``licence`` is an SPDX expression or the component's own words; ``texts`` are files that hold it."""

    name: str
    version: str
    licence: str
    homepage: str
    kind: str
    texts: tuple[Path, ...] = ()

    @property
    def purl(self) -> str:
        """https://github.com/package-url/purl-spec"""
        return f"pkg:{self.kind}/{self.name.lower()}@{self.version}"


def shipped(work: Path) -> list[Component]:
    """The components whose files PyInstaller collected, from the lists that it leaves in ``work``."""
    sources = {source for listing in ("COLLECT-00.toc", "PYZ-00.toc") for source in _sources(work / listing)}
    shipped_ones = [
        distribution
        for distribution in importlib.metadata.distributions()
        if any(str(distribution.locate_file(file)) in sources for file in distribution.files or ())
    ]
    found = [_distribution(one) for one in shipped_ones if one.metadata["Name"] != "zhiye"]
    found += [_python(), *_system_libraries(sources), *_models()]
    return sorted(found, key=lambda component: component.name.lower())


def write(components: Iterable[Component], folder: Path, root: Path) -> None:
    """THIRD_PARTY.md, ``sbom.cdx.json`` and ``licences/`` in the frozen folder, with this project's own."""
    components = list(components)
    shutil.copy(root / "LICENSE", folder / "LICENSE")
    licences = folder / "licences"
    shutil.rmtree(licences, ignore_errors=True)
    lines = [
        "# What Zhiye ships of others", "",
        "Zhiye itself is under AGPL-3.0-or-later (LICENSE). The texts of these lie in `licences/`.", "",
        "| component | version | licence | origin | texts |", "|---|---|---|---|---|",
    ]  # fmt: skip
    for component in components:
        copied = _copy_texts(component, licences)
        lines.append(
            f"| {component.name} | {component.version} | {component.licence.replace('|', '/')} "
            f"| {component.homepage} | {', '.join(copied)} |"
        )
    (folder / "THIRD_PARTY.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "sbom.cdx.json").write_text(_bill_of_materials(components), encoding="utf-8")


def _sources(listing: Path) -> set[str]:
    """Absolute source paths of a PyInstaller table of contents."""
    content = ast.literal_eval(listing.read_text(encoding="utf-8"))
    found: set[str] = set()
    waiting = [content]
    while waiting:
        entry = waiting.pop()
        if isinstance(entry, tuple) and len(entry) == 3 and all(isinstance(part, str) for part in entry):
            found.add(entry[1])
        elif isinstance(entry, (tuple, list)):
            waiting.extend(entry)
    return found


def _distribution(distribution: importlib.metadata.Distribution) -> Component:
    facts = distribution.metadata
    texts = tuple(
        Path(str(distribution.locate_file(file)))
        for file in distribution.files or ()
        if ".dist-info" in str(file) and _LICENCE_FILE.match(Path(str(file)).name)
    )
    stated = facts.get("License-Expression") or _from_classifiers(facts.get_all("Classifier") or [])
    licence = stated or (facts.get("License") or "").strip().partition("\n")[0] or "see texts"
    links = [link.partition(",")[2].strip() for link in facts.get_all("Project-URL") or []]
    home = facts.get("Home-page") or next(iter(links), "")
    return Component(str(facts["Name"]), distribution.version, licence, home, "pypi", texts)


def _from_classifiers(classifiers: Iterable[str]) -> str:
    named = [entry.rsplit(" :: ", 1)[1] for entry in classifiers if entry.startswith("License :: ")]
    return " OR ".join(name for name in named if name != "OSI Approved")


def _python() -> Component:
    texts = tuple(
        path
        for path in (
            Path(sys.base_prefix) / f"lib/python{sys.version_info[0]}.{sys.version_info[1]}" / "LICENSE.txt",
            Path(sys.base_prefix) / "LICENSE.txt",
        )
        if path.exists()
    )
    return Component(
        "CPython", platform.python_version(), "PSF-2.0", "https://www.python.org", "generic", texts
    )


def _system_libraries(sources: Iterable[str]) -> list[Component]:
    """The Debian packages of the system's libraries among ``sources``; none on other systems."""
    libraries = sorted(source for source in sources if source.startswith(("/lib/", "/usr/lib/")))
    if not libraries or shutil.which("dpkg-query") is None:
        return []
    found = []
    for package in sorted({owner for library in libraries if (owner := _debian_package(library))}):
        query = ["dpkg-query", "--show", "--showformat", "${Version}\n${Homepage}", package]
        answer = subprocess.run(query, capture_output=True, encoding="utf-8", check=True)
        version, _, homepage = answer.stdout.partition("\n")
        text = Path("/usr/share/doc") / package.partition(":")[0] / "copyright"
        texts = (text,) if text.exists() else ()
        found.append(
            Component(package.partition(":")[0], version, "see texts", homepage, "deb/debian", texts)
        )
    return found


def _debian_package(library: str) -> str | None:
    # The database knows a file under one name of the merged /lib and /usr/lib.
    for name in (library, library.removeprefix("/usr"), f"/usr{library}"):
        answer = subprocess.run(
            ["dpkg-query", "--search", name], capture_output=True, encoding="utf-8", check=False
        )
        if answer.returncode == 0:
            return answer.stdout.partition(": ")[0]
    return None


def _models() -> list[Component]:
    """The model that lies in the package itself; chat models are fetched or brought by the user."""
    from models.catalogue import catalogue

    entry = catalogue().find("bge-small-zh-v1.5")
    text = Path(__file__).parents[2] / "models" / entry.id / "LICENSE"
    home = "https://github.com/FlagOpen/FlagEmbedding"
    return [Component(entry.id, "1.5", entry.licence, home, "generic", (text,))]


def _copy_texts(component: Component, licences: Path) -> list[str]:
    copied = []
    for number, text in enumerate(component.texts):
        name = text.name if number == 0 or text.name not in copied else f"{number}-{text.name}"
        target = licences / component.name / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(text, target)
        copied.append(name)
    return copied


def _bill_of_materials(components: Iterable[Component]) -> str:
    from cyclonedx.model.bom import Bom
    from cyclonedx.model.component import Component as Entry
    from cyclonedx.model.component import ComponentType
    from cyclonedx.model.license import DisjunctiveLicense
    from cyclonedx.output.json import JsonV1Dot6
    from packageurl import PackageURL

    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))[
        "project"
    ]
    bill = Bom()
    bill.metadata.component = Entry(
        name="zhiye", version=project["version"], type=ComponentType.APPLICATION, bom_ref="zhiye"
    )
    for component in components:
        entry = Entry(
            name=component.name, version=component.version, type=ComponentType.LIBRARY,
            purl=PackageURL.from_string(component.purl), bom_ref=component.purl,
            licenses=[DisjunctiveLicense(name=component.licence)],
        )  # fmt: skip
        bill.components.add(entry)
        bill.register_dependency(bill.metadata.component, [entry])
    return JsonV1Dot6(bill).output_as_string(indent=1)
