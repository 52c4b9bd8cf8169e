"""The build, installed: by --prefix, by DESTDIR, and moved elsewhere; every check of installed.py holds, and has a twin, a
damage that it notices.

    test_install.py SOURCE_DIRECTORY BUILD_DIRECTORY FILE...      installs it; the files are to be built first
    test_install.py --folder PREFIX                               of a portable folder
"""

import os
import pathlib
import shutil
import sys
import tempfile

import installed
from installed import must

failures = 0


def fact(name, complaints, expected=False):
    global failures
    wrong = bool(complaints) != expected
    failures += wrong
    print("FAIL " if wrong else "ok   ", name, *(complaints[:5] if wrong else []), sep="\n     " if wrong and complaints else " ")


def without(file):
    return lambda prefix: next(prefix.glob(file)).unlink()


def with_text(file, before, after):
    def change(prefix):
        path = next(prefix.glob(file))
        assert before in path.read_text(), f"{path} has no {before}"
        text = path.read_text()
        path.unlink()  # its bytes are those of the whole prefix
        path.write_text(text.replace(before, after))
    return change


IN_ONE_LANGUAGE = ("int class;\n#endif", "class in_cpp;\n#endif")

# A check, and the damages that it must notice.
TWINS = {
    installed.pages: [without("share/man/man1/ulpscope-exact.1"), without("share/man/man5/ulpscope-limits.5"), without("share/man/man5/ulpscope-exact.json.5"), with_text("share/man/man1/ulpscope-run.1", "\\-\\-trials", "")],
    installed.short_help: [],
    installed.headers: [with_text("include/ulpscope/plugin.h", "#endif", words) for words in IN_ONE_LANGUAGE],
    installed.companions: [without("libexec/ulpscope/ulpscope-worker"), without("share/ulpscope/python/ulpscope/worker.py")],
    installed.links: [without("share/doc/ulpscope/docs/commands.md"), lambda prefix: (prefix / "share/nothing").symlink_to("nowhere")],
    installed.pkg_config: [without("lib/**/ulpscope.pc"), with_text("lib/**/ulpscope.pc", "-lulpscope", ""),
                           with_text("lib/**/ulpscope.pc", "-Xlinker -rpath=", "-L")],
    installed.cmake_package: [without("lib/**/ulpscope-config.cmake"), without("lib/**/libulpscope.so.*"),
                              with_text("lib/**/ulpscope-config.cmake", "LINK_PATH ON", "LINK_PATH OFF")],
    installed.python_package: [without("lib/**/libulpscope.so.?"), without("share/ulpscope/python/ulpscope/library.py")],
}


def copy_of(prefix, copy, copy_function=shutil.copy2):
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(prefix, copy, symlinks=True, copy_function=copy_function)
    return copy


def check(prefix, work):
    """Every check and its twins, each in a folder of its own."""
    for number, (holds, damages) in enumerate(TWINS.items()):
        folder = work / str(number)
        folder.mkdir()
        fact(holds.__name__, holds(prefix, folder))
        for i, damage in enumerate(damages):
            copy, folder = copy_of(prefix, work / "damaged", os.link), work / f"{number}.{i}"
            folder.mkdir()
            damage(copy)
            fact(f"{holds.__name__}, damaged: noticed", holds(copy, folder), expected=True)
    (work / "newer").mkdir()
    fact("cmake_package: another minor version is refused", installed.cmake_package(prefix, work / "newer", "0.2"), expected=True)


def files_of(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def install(build, work):
    """The prefix, moved from where it was installed; the same of DESTDIR, and nothing outside."""
    first, moved, staged = work / "first", work / "moved elsewhere", work / "staged"
    fact("cmake --install", must("cmake", "--install", build, "--prefix", first))
    manifest = (build / "install_manifest.txt").read_text().splitlines()
    fact("nothing is written outside the prefix", [name for name in manifest if not name.startswith(f"{first}/")])
    fact("all that is written is in the manifest", sorted(set(map(str, (p for p in first.rglob("*") if not p.is_dir()))) - set(manifest)))
    fact("DESTDIR", must("cmake", "--install", build, "--prefix", "/opt/ulpscope", DESTDIR=str(staged)))
    fact("DESTDIR has the same files",
         [] if files_of(staged / "opt/ulpscope") == files_of(first) and files_of(staged)[:2] == ["opt", "opt/ulpscope"] else ["others"])
    first.rename(moved)
    fact("relocatable", installed.relocatable(moved, None, first))
    (moved / "share/says").write_text(str(first))
    fact("relocatable, damaged: noticed", installed.relocatable(moved, None, first), expected=True)
    (moved / "share/says").unlink()
    return moved


def sections(source, build, work):
    """A page of docs/ without the section that a man page is made of stops the build, and says which."""
    (work / "docs").mkdir()
    for page in source.glob("docs/*.md"):
        (work / "docs" / page.name).write_text(page.read_text().replace("## Files", "## Other files"))
    found = must("sh", source / "cmake/man_pages.sh", build / "ulpscope", work, "0.0", work / "man")
    fact("a page without its section is noticed", found if "docs/exact.md#Files: expected a section" in "".join(found) else [], expected=True)


def main():
    with tempfile.TemporaryDirectory(prefix="ulpscope_install.") as name:
        work = pathlib.Path(name)
        if sys.argv[1] == "--folder":
            prefix = copy_of(pathlib.Path(sys.argv[2]), work / "moved")
        else:
            source, build = map(pathlib.Path, sys.argv[1:3])
            prefix = install(build, work)
            if (prefix / "share/man").exists():
                sections(source, build, work)
        if not (prefix / "share/man").exists():
            print("skipped: man pages (apt-get install help2man lowdown, then configure anew)")
            del TWINS[installed.pages]
        check(prefix, work)
    return 1 if failures else 0


sys.exit(main())
