"""The portable folder, built without CUDA, unpacked and moved: all that holds of an installed ulpscope holds of it, it asks for glibc
alone, and README.md stands at its top.  The same of the wheel: it asks for no more than its tag says, and has the licences of what is linked in.

    portable.py SOURCE_DIRECTORY BUILD_DIRECTORY
"""

import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile

LINKED = {"libgmp-dev", "libmpfr-dev", "libsqlite3-dev", "libjansson-dev", "libyaml-dev", "libxml2-dev", "nettle-dev", "libcsv-dev", "librandom123-dev",
          "zlib1g-dev", "liblzma-dev", "LGPL-2.1", "LGPL-3", "GPL-2", "GPL-3", "LICENSE"}  # and what Debian's files refer to
GLIBC = r"(lib(c|m|dl|pthread|rt)|ld-linux-x86-64)\.so"
failures = 0


def fact(name, holds, shown=""):
    global failures
    failures += not holds
    print(f"{'ok   ' if holds else 'FAIL '} {name}{'' if holds else ': ' + shown}")


def said(*words):
    done = subprocess.run([str(word) for word in words], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return done.returncode, done.stdout


def foreign(file):
    """The libraries that a file asks for, but glibc's."""
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", said("readelf", "-d", file)[1])
    return [name for name in needed if not re.match(GLIBC, name)]


def newest_glibc(content):
    return max((int(minor) for minor in re.findall(rb"GLIBC_2\.(\d+)", content)), default=0)


def lacking(names):
    return LINKED - {name.rpartition("/")[2] for name in names if ".dist-info/licenses/" in name}


def check_wheel(source, build, work):
    status, name = said(sys.executable, source / "tools/wheel.py", build, work)
    tag = re.fullmatch(r"ulpscope-[\d.]+-py3-none-manylinux_2_(\d+)_x86_64\.whl\n", name)
    fact("tools/wheel.py makes a wheel for every system", status == 0 and tag and int(tag[1]) >= 35, name)
    with zipfile.ZipFile(work / name.strip()) as wheel:
        wheel.extractall(work / "wheel")
        names = wheel.namelist()
    binaries = [path for path in (work / "wheel").rglob("*") if path.is_file() and path.read_bytes().startswith(b"\x7fELF")]
    fact("program, worker and library are in it", {"ulpscope", "ulpscope-worker", "libulpscope.so"} <= {path.name for path in binaries}, str(binaries))
    for file in binaries:
        fact(f"{file.name} asks for the glibc of the tag alone", not foreign(file) and newest_glibc(file.read_bytes()) <= int(tag[1]), str(foreign(file)))
    fact("a newer glibc is noticed", newest_glibc(b"GLIBC_2.9\0GLIBC_2.99\0") == 99, "it is not")
    fact("launcher.py knows the glibc", (work / "wheel/ulpscope/glibc").read_text() == f"2.{tag[1]}\n", "it does not")
    fact("the licences of what is linked in are in it", not lacking(names), str(lacking(names)))
    fact("a licence that is not is noticed", lacking([name for name in names if "libgmp" not in name]) == {"libgmp-dev"}, "it is not")


def main():
    source, build = map(pathlib.Path, sys.argv[1:3])
    for words in (["-S", source, "-B", build, "-G", "Ninja", "-DULPSCOPE_PORTABLE=ON", "-DULPSCOPE_CUDA=OFF", "-DBUILD_TESTING=OFF"],
                  ["--build", build, "--target", "package"]):
        status, output = said("cmake", *words)
        if status:
            print(output[-4000:])
            return 77 if "Libraries are missing" in output else 1
    with tempfile.TemporaryDirectory(prefix="ulpscope_portable.") as work:
        with tarfile.open(next(build.glob("ulpscope-*.tar.gz"))) as archive:
            archive.extractall(work, filter="fully_trusted") if hasattr(tarfile, "data_filter") else archive.extractall(work)
        folder = next(pathlib.Path(work).iterdir())
        for file in (folder / "bin/ulpscope", *(folder / "lib").glob("*.so")):
            fact(f"{file.name} asks for glibc alone", not foreign(file), str(foreign(file)))
        fact("a library of others is noticed", foreign(sys.executable) or foreign("/usr/bin/cmake"), "it is not")
        fact("README.md and LICENSE stand at the top", all((folder / name).exists() for name in ("README.md", "LICENSE")))
        status, output = said(sys.executable, pathlib.Path(__file__).parent / "test_install.py", "--folder", folder)
        fact("test_install.py of it", status == 0, output)
        check_wheel(source, build, pathlib.Path(work))
    return 1 if failures else 0


sys.exit(main())
