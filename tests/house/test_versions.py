"""One version everywhere, and what CITATION.cff, CHANGELOG.md and docs/reliability.md say is so.

    test_versions.py SOURCE_DIRECTORY
"""

import pathlib
import re
import shutil
import sys
import tempfile

VERSION = r"(\d+\.\d+\.\d+)"
PLACES = {  # where the version stands, and how
    "CMakeLists.txt": rf"^project\(ulpscope VERSION {VERSION} ",
    "CITATION.cff": rf"^version: {VERSION}$",
    "include/ulpscope/ulpscope.h": rf'^#define ULPSCOPE_VERSION "{VERSION}"$',
    "CHANGELOG.md": rf"^## \[{VERSION}\] - ",
    "python/ulpscope/__init__.py": rf'^__version__ = "{VERSION}"$',
}
LATER = {"python/ulpscope/__init__.py"}  # may say nothing
CITATION_KEYS = ("authors", "cff-version", "message", "title")  # that its schema requires
CHANGES = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
SOURCES = ("src", "reports", "datasets")
SCHEMA = re.compile(r"\bulpscope-[a-z]+/\d+")
OLD = {"ulpscope-store/1", "ulpscope-bench/1"}  # which src names to refuse the one, and to read the other of an older program


def texts(source, folder, endings):
    return [path.read_text() for path in sorted((source / folder).rglob("*")) if path.suffix in endings]


def faults(source):
    """What is not as it should be."""
    found, versions = [], {}
    for name, pattern in PLACES.items():
        match = re.search(pattern, (source / name).read_text(), re.MULTILINE)
        if match:
            versions[name] = match[1]
        elif name not in LATER:
            found.append(f"{name}: expected a line like {pattern}; found none")
    if len(set(versions.values())) > 1:
        found.append(f"expected one version, found {versions}")

    citation = (source / "CITATION.cff").read_text()
    found += [f"CITATION.cff: expected the key {key}; found none" for key in CITATION_KEYS if not re.search(rf"^{key}:", citation, re.M)]
    for key, pattern in (("url", r'"https://[^" ]+\.[^" ]+"'), ("doi", r"10\.\d{4,9}/[^\s\"]+")):  # or a comment that keeps their place
        found += [f"CITATION.cff: expected {key}: {pattern}; found {value}" for value in re.findall(rf"^{key}: *(.*)$", citation, re.M)
                  if not re.fullmatch(pattern, value) or "zenodo.0000000" in value]
        if not re.search(rf"^(# )?{key}: ", citation, re.M):
            found.append(f"CITATION.cff: expected the key {key}, or a comment in its place; found none")
    changelog = (source / "CHANGELOG.md").read_text()
    for line in re.findall(r"^##.*", changelog, re.M):
        if not re.fullmatch(r"## \[\d+\.\d+\.\d+\] - (unreleased|\d{4}-\d\d-\d\d)", line) and line.removeprefix("### ") not in CHANGES:
            found.append(f"CHANGELOG.md: expected a version with its day, or one of {sorted(CHANGES)}; found {line}")

    page = set(SCHEMA.findall((source / "docs/reliability.md").read_text()))
    written = set().union(*(SCHEMA.findall(text) for folder in SOURCES for text in texts(source, folder, {".c", ".h", ".def"}))) - OLD
    found += [f"docs/reliability.md: expected {schema}; found no such file" for schema in sorted(written - page)]
    found += [f"docs/reliability.md: {schema} is written by nobody" for schema in sorted(page - written)]

    major = re.search(r"libulpscope\.so\.(\d+)", (source / "docs/reliability.md").read_text())[1]
    for path in (source / "cmake/library.cmake",):
        soversion = re.search(r"SOVERSION (\d+)", path.read_text()) if path.exists() else None
        if soversion and soversion[1] != major:
            found.append(f"docs/reliability.md: expected libulpscope.so.{soversion[1]}, as in cmake/library.cmake; found {major}")
    return found


TWINS = {  # what is changed, and how it is told
    "CMakeLists.txt": ("ulpscope VERSION 0.", "ulpscope VERSION 9.", "expected one version"),
    "CITATION.cff": ("version: 0.", "version: 9.", "expected one version"),
    "include/ulpscope/ulpscope.h": ('VERSION "0.', 'VERSION "9.', "expected one version"),
    "CHANGELOG.md": ("## [0.", "## [9.9.9] - 2026-01-01\n\n## [0.", "expected one version"),
    "CITATION.cff ": ("authors:", "people:", "the key authors"),
    "CITATION.cff  ": ("# doi:", "doi:", "expected doi"),
    "CITATION.cff   ": ("# url:", "# link:", "the key url"),
    "CHANGELOG.md ": ("### Added", "### News", "found ### News"),
    "CHANGELOG.md  ": ("] - unreleased", "]", "expected a line like"),
    "docs/reliability.md": ("ulpscope-run/2", "ulpscope-run/3", "ulpscope-run/3 is written by nobody"),
    "src/gate/limits/limits.c": ("ulpscope-limits/1", "ulpscope-limits/2", "expected ulpscope-limits/2"),
}


def main():
    source = pathlib.Path(sys.argv[1]).resolve()
    failures = faults(source)
    print(*(f"FAIL  {fault}" for fault in failures), sep="\n", end="\n" if failures else "")
    with tempfile.TemporaryDirectory(prefix="ulpscope_versions.") as name:
        copy = pathlib.Path(name)
        for folder in (*SOURCES, "docs", "include", "cmake", "python"):
            shutil.copytree(source / folder, copy / folder, symlinks=True)
        for file in ("CMakeLists.txt", "CITATION.cff", "CHANGELOG.md"):
            shutil.copy(source / file, copy / file)
        for name, (old, new, said) in TWINS.items():
            path = copy / name.strip()
            text = path.read_text()
            path.write_text(text.replace(old, new, 1))
            if old not in text or not any(said in fault for fault in faults(copy)):
                failures.append(name)
                print(f"FAIL  {name.strip()}: {new!r} in place of {old!r} is not noticed: {faults(copy)}")
            path.write_text(text)
    print(f"{len(TWINS)} changes tried, {len(failures)} failures")
    return len(failures) > 0


sys.exit(main())
