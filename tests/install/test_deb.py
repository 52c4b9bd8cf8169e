"""The .deb of this build: lintian finds no error and no warning in it, and does in a damaged one; what a package manager needs is there.

    test_deb.py BUILD_DIRECTORY FILE...      which are to be built first
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

TOOLS = ("cpack", "dpkg-deb", "dpkg-shlibdeps")
failures = 0


def fact(name, holds, shown=""):
    global failures
    failures += not holds
    print(f"{'ok   ' if holds else 'FAIL '} {name}{'' if holds else ': ' + shown}")


def said(*words, cwd=None):
    done = subprocess.run([str(word) for word in words], cwd=cwd, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return done.stdout


def tags(package, *of):
    """Errors and warnings; but that of a .pc file in /usr/lib, where it is unless the prefix was /usr when CMake configured."""
    found = re.findall(r"^[EW]: .*", said("lintian", "--allow-root", "--tag-display-limit", "0", *of, package), re.M)
    return [tag for tag in found if "pkg-config-unavailable-for-cross-compilation [usr/lib/pkgconfig/" not in tag]


def damaged_tags(package, work):
    """Those of the package without its copyright and changelog that say so; looking for all takes four times as long."""
    said("dpkg-deb", "-R", package, work / "tree")
    for name in ("copyright", "changelog.Debian.gz"):
        (work / "tree/usr/share/doc/ulpscope" / name).unlink()
    said("dpkg-deb", "-Znone", "--root-owner-group", "-b", work / "tree", work / "damaged.deb")
    return tags(work / "damaged.deb", "--tags", "no-copyright-file,no-changelog")


def changelog(work):
    """CHANGELOG.md with two versions is a changelog of Debian's with two; without the file it has the version of the build."""
    script = pathlib.Path(__file__).resolve().parents[2] / "cmake/debian_changelog.sh"
    file, debian = work / "CHANGELOG.md", work / "changelog"
    file.write_text("# Log\n\n## [0.2.0] - 2027-01-02\n\n### Added\n\n- **One**\n  goes on.\n- " + 30 * "word " + "\n\n## [0.1.0] - 2026-11-24\n\n- Two.\n")
    for there, expected in ((file, ["0.2.0-1", "0.1.0-1"]), (work / "none", ["0.3.0-1"])):
        debian.write_text(said("sh", script, there, "0.3.0", "1", "A B <a@b.invalid>"))
        parsed = said("dpkg-parsechangelog", "--all", "-l", debian, "-S", "Changes") + said("dpkg-parsechangelog", "-l", debian, "-S", "Version")
        versions = re.findall(r"^ ?ulpscope \((.*)\)", parsed, re.M)
        fact(f"changelog of {expected}", versions == expected and parsed.endswith(expected[0] + "\n") and "warning" not in parsed, parsed)
        fact(f"changelog of {expected}: items", ("  * One goes on.\n" in parsed and "  * Two." in parsed) == (there == file), parsed)
        fact(f"changelog of {expected}: no long line", max(map(len, debian.read_text().splitlines())) <= 80, debian.read_text())


def check(build, work):
    changelog(work)
    output = said("cpack", "-G", "DEB", "-B", work, "-D", "CPACK_DEBIAN_COMPRESSION_TYPE=gzip", cwd=build)
    packages = list(work.glob("*.deb"))
    fact("cpack makes one package", len(packages) == 1, output)
    if len(packages) != 1:
        return
    package = packages[0]
    if shutil.which("lintian"):
        found = tags(package)
        fact("lintian finds nothing", not found, "\n".join(found))
        found = damaged_tags(package, work)
        fact("lintian notices what is missing", {"no-copyright-file", "no-changelog"} <= {tag.split()[2] for tag in found}, "\n".join(found))
    else:
        print("skipped: lintian is not installed")
    fields, files = said("dpkg-deb", "-f", package), said("dpkg-deb", "-c", package)
    fact("what it links is in Depends", re.search(r"^Depends: .*libc6 .*libmpfr6", fields, re.M), fields)
    fact("it is of a section", re.search(r"^Section: math$", fields, re.M), fields)
    fact("man pages are compressed", re.search(r"/man1/ulpscope.1.gz$", files, re.M) and not re.search(r"/man/.*[0-9]$", files, re.M) or "/man/" not in files, files)
    said("dpkg-deb", "-x", package, work / "there")
    tool = work / "there/usr/bin/ulpscope"
    fact("the program is stripped", ".debug_info" not in said("readelf", "-S", tool), "it has .debug_info")
    for file in (tool, *(work / "there/usr/lib").rglob("*.so.*")):
        fact(f"{file.name} has no path of libraries", "PATH" not in said("readelf", "-d", file), said("readelf", "-d", file))
    packaged, built = (file.read_text() for file in (next((work / "there/usr/lib").rglob("ulpscope.pc")), build / "ulpscope.pc"))
    fact("nor does ulpscope.pc bring one, as that of a prefix does", "rpath" not in packaged and "rpath" in built, packaged)
    fact("and runs", said(tool, "exact", "uniform:n=9").startswith("exact "), said(tool, "exact", "uniform:n=9"))


def main():
    missing = [tool for tool in TOOLS if not shutil.which(tool)]
    if missing:
        print(f"skipped: {', '.join(missing)} is not installed")
        return 77
    with tempfile.TemporaryDirectory(prefix="ulpscope_deb.") as work:
        check(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(work))
    return 1 if failures else 0


sys.exit(main())
