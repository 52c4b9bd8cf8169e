"""What holds of an installed ulpscope, wherever its prefix lies: a list of complaints each.

Paths are those of GNUInstallDirs; `lib` may be lib/x86_64-linux-gnu.
"""

import os
import pathlib
import re
import shlex
import shutil
import subprocess

TESTS = pathlib.Path(__file__).resolve().parent.parent
OPTION = re.compile(r"^ +(?:-\w, )?(--[\w-]+)", re.M)
LINK = re.compile(r"\]\(([^)\s#]*)(?:#[^)\s]*)?\)")
SCHEMA = re.compile(r'^schema: (ulpscope-\w+)/|"schema": "(ulpscope-\w+)/', re.M)
GLUE = re.compile(r"#\s*include\s*<(?!ulpscope/)(\w+/[\w.]+|cmocka.h)>")  # of frameworks that may not be here


def run(*words, cwd=None, **variables):
    done = subprocess.run([str(word) for word in words], cwd=cwd, env={**os.environ, **variables}, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return done.returncode, done.stdout


def must(*words, **how):
    """The complaint that a command failed, if it did."""
    status, output = run(*words, **how)
    return [f"{' '.join(map(str, words))}: {status}\n{output}"] if status else []


def program(prefix):
    return prefix / "bin/ulpscope"


def library_folder(prefix):
    return next(iter(prefix.glob("lib/**/libulpscope.so*")), prefix / "lib/none").parent


def commands(prefix):
    _, text = run(program(prefix), "--help")
    return re.findall(r"^  ([a-z]+) +\S", text, re.M)


# ---- checks: of a prefix, and a folder to work in ----


def pages(prefix, _):
    """Each command has a page with each of its options, each schema of a file that people write or a page of docs/ shows one of section 5."""
    man, found = prefix / "share/man", []
    for command in commands(prefix):
        _, text = run(program(prefix), command, "--help")
        page = man / f"man1/ulpscope-{command}.1"
        if not page.exists():
            found.append(f"no page of the command {command}")
            continue
        set_text = page.read_text().replace("\\-", "-")
        found += [f"{page.name} lacks {option}" for option in OPTION.findall(text) if option not in set_text]
    for file in [*(prefix / "share").rglob("*.yaml"), *(prefix / "share/doc/ulpscope/docs").glob("*.md")]:
        for schema in map("".join, SCHEMA.findall(file.read_text())):
            if not any((man / f"man5/{schema}{end}.5").exists() for end in ("", ".json")):
                found.append(f"no page of {schema}, as in {file}")
    if not (man / "man1/ulpscope.1").exists():
        found.append("no page of ulpscope")
    return found + [line for page in man.rglob("ulpscope*") for line in ill_formed(page)]


def ill_formed(page):
    if "\n.SH NAME\n" not in page.read_text().replace(".SH\nNAME", ".SH NAME"):
        return [f"{page.name} has no NAME"]
    if not shutil.which("mandoc"):
        return []
    _, said = run("mandoc", "-Tlint", "-Wwarning", page)
    return [line for line in said.splitlines() if "skipping paragraph macro" not in line]


def short_help(prefix, _):
    """-h is --help, of the program, each command and the process of plug-ins."""
    found = []
    for words in [[], *([command] for command in commands(prefix))]:
        if run(program(prefix), *words, "-h") != run(program(prefix), *words, "--help") or run(program(prefix), *words, "-h")[0]:
            found.append(f"ulpscope {' '.join(words)} -h is not --help")
    return found


def headers(prefix, work):
    """Each header compiles alone, as C11 and as C++11."""
    found, source = [], work / "alone.c"
    for header in (prefix / "include").rglob("*.h*"):
        if GLUE.search(header.read_text()):
            continue
        source.write_text(f"#include <{header.relative_to(prefix / 'include')}>\n")
        for compiler, language in (("cc", "c"), ("c++", "c++")):
            if shutil.which(compiler):
                found += must(compiler, "-x", language, f"-std={language}11", "-Wall", "-Wextra", "-Wpedantic", "-Werror",
                              "-fsyntax-only", "-I", prefix / "include", source)
    return found


def consumer_says(built):
    """The consumer starts as it was built; its sound sum passes, and its broken one fails, with the last number named."""
    found = []
    for words, expected in (([], 0), (["broken"], 1)):
        status, said = run(built, *words, LD_LIBRARY_PATH="")
        if status != expected or not said.startswith("libulpscope "):
            found.append(f"{built} {words}: {status}, expected {expected}: {said}")
    return found


def pkg_config(prefix, work):
    """pkg-config's flags are enough to build."""
    libraries = library_folder(prefix)
    status, flags = run("pkg-config", "--cflags", "--libs", "ulpscope", PKG_CONFIG_PATH=str(libraries / "pkgconfig"))
    if status:
        return [flags]
    built = work / "by_pkg_config"
    return (must("cc", "-std=c11", TESTS / "consumers/cmake_package/consumer.c", "-o", built, *shlex.split(flags))
            or consumer_says(built))


def cmake_package(prefix, work, wanted="0.1"):
    """A project that says find_package(ulpscope) is configured, built and installed, and runs from either place."""
    build = work / f"by_cmake_{wanted}"
    return (must("cmake", "-G", "Ninja", "-S", TESTS / "consumers/cmake_package", "-B", build, f"-DCMAKE_PREFIX_PATH={prefix}",
                 f"-DULPSCOPE_WANTED={wanted}")
            or must("cmake", "--build", build) or consumer_says(build / "consumer")
            or must("cmake", "--install", build, "--prefix", work / "theirs") or consumer_says(work / "theirs/bin/consumer"))


def companions(prefix, work):
    """The program finds its worker, its examples and its Python package beside itself."""
    folder = work / "companions"
    folder.mkdir()
    tool = program(prefix)
    found = must(tool, "plugin", "new", "mine", cwd=folder) + must(tool, "plugin", "new", "mine_too", "--python", cwd=folder)
    return (found or must("cc", "-shared", "-fPIC", "-I.", "mine.c", "-o", "mine.so", cwd=folder / "mine")
            or must(tool, "plugin", "check", "mine/mine.so", cwd=folder)
            or must(tool, "plugin", "check", "mine_too/mine_too.py", cwd=folder))


def python_package(prefix, _):
    """The Python package in share/ finds the library of its prefix."""
    status, output = run("python3", "-B", "-c", "import ulpscope; print(ulpscope.exact_sum([1e16, 1.0, -1e16]), ulpscope.library.library()._name)",
                         PYTHONPATH=str(prefix / "share/ulpscope/python"), PATH=os.defpath)
    return [] if status == 0 and output.startswith("1") and str(prefix) in output else [output]


def links(prefix, _):
    """What a page or a symbolic link names is there."""
    found = [f"{path} leads nowhere" for path in prefix.rglob("*") if path.is_symlink() and not path.exists()]
    pages_there = [*prefix.glob("*.md"), *(prefix / "share/doc").rglob("*.md")]
    for page in pages_there:
        for link in LINK.findall(page.read_text()):
            if link and "://" not in link and not (page.parent / link).exists():
                found.append(f"{page}: {link} is not there")
    return found if len(pages_there) > 50 else ["no pages"]


def relocatable(prefix, _, first=None):
    """No file names the prefix that it was installed to."""
    name = str(first).encode()
    return [f"{path} names {first}" for path in prefix.rglob("*")
            if first and path.is_file() and not path.is_symlink() and name in path.read_bytes()]
