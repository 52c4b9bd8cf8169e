"""The portable folder, built without CUDA, unpacked and moved: all that holds of an installed ulpscope holds of it, it asks for glibc
alone, and README.md stands at its top.

    portable.py SOURCE_DIRECTORY BUILD_DIRECTORY
"""

import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile

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


def main():
    source, build = map(pathlib.Path, sys.argv[1:3])
    for words in (["-S", source, "-B", build, "-G", "Ninja", "-DULPSCOPE_PORTABLE=ON", "-DULPSCOPE_CUDA=OFF", "-DBUILD_TESTING=OFF"],
                  ["--build", build, "--target", "package"]):
        status, output = said("cmake", *words)
        if status:
            print(output[-4000:])
            return 77 if "is missing; on Debian" in output else 1
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
    return 1 if failures else 0


sys.exit(main())
