"""The wheel: the package of Python and in it all that `cmake --install` writes, for any Python of a platform.

    python3 tools/wheel.py BUILD FOLDER     BUILD: a preset's folder, which is built; of the preset portable for every system

It is the backend of `pip install .` as well, which needs no other package of Python; ULPSCOPE_BUILD names a folder that is built,
without it build/python is built first, without CUDA.  SOURCE_DATE_EPOCH is the date of the files, and the same build gives the same bytes.
"""

import base64
import hashlib
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
VERSION = re.search(r"VERSION ([\d.]+) LANGUAGES", (ROOT / "CMakeLists.txt").read_text())[1]
NAME, INFO = f"ulpscope-{VERSION}", f"ulpscope-{VERSION}.dist-info"
GLIBC = 35  # of 2.35, that of Ubuntu 22.04: what the portable build keeps to, or more where it is built on a newer system
FOUND_BY_PATH = ("share/man/", "share/bash-completion/", "share/zsh/", "share/fish/")  # beside bin/, where a shell and man look
ENTRIES = "[console_scripts]\nulpscope = ulpscope.launcher:main\n\n[pytest11]\nulpscope = ulpscope.pytest_plugin\n"


def stop(*lines):
    print("ulpscope:", *lines, file=sys.stderr)
    sys.exit(2)


# ---- building ----


def has_cmake():
    """CMake of the version that CMakeLists.txt wants."""
    done = subprocess.run(["cmake", "--version"], stdout=subprocess.PIPE, text=True, check=False) if shutil.which("cmake") else None
    return done is not None and tuple(map(int, re.findall(r"\d+", done.stdout)[:2])) >= (3, 25)


def require(*tools):
    """Ends where a tool is missing, with what the whole build needs."""
    if not sys.platform.startswith("linux"):
        stop(f"expected Linux, found {sys.platform}; use a Linux machine, a container or, on Windows, WSL")
    missing = [tool for tool in tools if not shutil.which(tool)]
    if missing:
        lists = dict(re.findall(r'^(tools|libraries)="(.*?)"', (ROOT / "tools/prepare.sh").read_text(), re.M | re.S))
        packages = re.sub(r":\S+|\\\n", "", " ".join(lists.values()))
        stop(f"to be built it needs {' and '.join(missing)}, which {'is' if len(missing) == 1 else 'are'} missing.",
             f"On Debian and Ubuntu:\n    apt-get install {packages}\nelsewhere what corresponds to these, or install a wheel that is built already: docs/install.md")


def built():
    """The folder of the build, which is built unless it is given."""
    given = os.environ.get("ULPSCOPE_BUILD")
    if given:
        return pathlib.Path(given)
    require("cc", "pkg-config", "cmake")
    build = ROOT / "build/python"
    generator = ["-G", "Ninja"] if shutil.which("ninja") else []
    configured = subprocess.run(["cmake", "-S", ROOT, "-B", build, *generator, "-DULPSCOPE_CUDA=OFF", "-DBUILD_TESTING=OFF"], text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if configured.returncode:
        missing = re.search(r"Libraries are missing.*\n\n* +apt-get.*", configured.stdout)
        stop(missing[0] if missing else f"CMake failed:\n{configured.stdout}")
    if subprocess.run(["cmake", "--build", build, "--parallel"], check=False).returncode:
        stop("the build failed: the lines above say why")
    return build


# ---- packing ----


def is_portable(build):
    return "ULPSCOPE_PORTABLE:BOOL=ON" in (build / "CMakeCache.txt").read_text()


def glibc_of(files):
    """The glibc 2.N that the programs and libraries among the files ask for; 0: none, on musl."""
    binaries = [content for content in (path.read_bytes() for path in files) if content.startswith(b"\x7fELF")]
    return max((int(minor) for content in binaries for minor in re.findall(rb"GLIBC_2\.(\d+)", content)), default=0)


def contents(build, prefix):
    """The files of the wheel: a path in it, and one here or the bytes."""
    done = subprocess.run(["cmake", "--install", build, "--prefix", prefix, "--strip"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        stop(f"{build} cannot be installed; build it first, all of it:\n{done.stderr.strip()}")
    files = {f"ulpscope/{path.relative_to(ROOT / 'python/ulpscope')}": path
             for path in (ROOT / "python/ulpscope").rglob("*") if path.suffix in (".py", ".ptx", ".typed")}
    for path in prefix.rglob("*"):
        place = str(path.relative_to(prefix))
        if re.fullmatch(r"(share/doc/ulpscope/)?[^/]+", place) and path.suffix not in (".md", ".cff", ".yml") and path.is_file():
            files[f"{INFO}/licenses/{path.name}"] = path  # ours, and those of what is linked in
        elif path.is_file():  # or a link to one: a wheel has no links
            files[f"{NAME}.data/data/{place}" if place.startswith(FOUND_BY_PATH) else f"ulpscope/{place}"] = path
    needed = max(GLIBC, glibc_of(path for path in files.values() if path.is_relative_to(prefix)))
    if is_portable(build):
        files["ulpscope/glibc"] = f"2.{needed}\n".encode()  # which launcher.py reads
        return files, f"py3-none-manylinux_2_{needed}_{platform.machine()}"
    return files, f"py3-none-linux_{platform.machine()}"


def information(tag, licences):
    """What a wheel says of itself."""
    metadata = {"Metadata-Version": "2.4", "Name": "ulpscope", "Version": VERSION, "Requires-Python": ">=3.9", "License-Expression": "MIT",
                "Summary": "Measures how accurate a floating-point sum, dot product or matrix product really is",
                "Description-Content-Type": "text/markdown"}
    lines = [f"{key}: {value}\n" for key, value in metadata.items()]
    lines += [f"Classifier: {of}\n" for of in ("Framework :: Pytest", "Operating System :: POSIX :: Linux", "Typing :: Typed")]
    lines += [f"License-File: {name}\n" for name in licences]
    return {f"{INFO}/METADATA": "".join(lines).encode() + b"\n" + (ROOT / "README.md").read_bytes(),
            f"{INFO}/WHEEL": f"Wheel-Version: 1.0\nGenerator: ulpscope {VERSION}\nRoot-Is-Purelib: false\nTag: {tag}\n".encode(),
            f"{INFO}/entry_points.txt": ENTRIES.encode()}


def write(folder, files, tag):
    """The name of the wheel, with RECORD last."""
    licences = sorted(name.rpartition("/")[2] for name in files if "/licenses/" in name)
    files = {**files, **information(tag, licences)}
    date = time.gmtime(max(int(os.environ.get("SOURCE_DATE_EPOCH", 0)), 315532800))[:6]  # 1980, where zip begins
    record = ""
    wheel = f"{NAME}-{tag}.whl"
    with zipfile.ZipFile(pathlib.Path(folder) / wheel, "w") as archive:
        def add(name, content, mode):
            entry = zipfile.ZipInfo(name, date)
            entry.external_attr = (0o100000 | mode) << 16
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED, 9)

        for name, of in sorted(files.items()):
            content = of if isinstance(of, bytes) else of.read_bytes()
            add(name, content, 0o755 if not isinstance(of, bytes) and of.stat().st_mode & 0o100 else 0o644)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
            record += f"{name},sha256={digest},{len(content)}\n"
        add(f"{INFO}/RECORD", (record + f"{INFO}/RECORD,,\n").encode(), 0o644)
    return wheel


def make(build, folder):
    with tempfile.TemporaryDirectory(prefix="ulpscope_wheel.") as prefix:
        return write(folder, *contents(build, pathlib.Path(prefix)))


# ---- what pip calls ----


def get_requires_for_build_wheel(_settings=None):
    if os.environ.get("ULPSCOPE_BUILD"):
        return []
    require("cc", "pkg-config")
    return [] if has_cmake() else ["cmake>=3.25"]


get_requires_for_build_editable = get_requires_for_build_wheel


def build_wheel(folder, _settings=None, _metadata=None):
    return make(built(), folder)


def build_editable(folder, _settings=None, _metadata=None):
    """The package where it lies; it finds what build/default has."""
    return write(folder, {"ulpscope.pth": f"{ROOT / 'python'}\n".encode()}, "py3-none-any")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        stop("expected a build folder, and one for the wheel; " + __doc__)
    print(make(pathlib.Path(sys.argv[1]), sys.argv[2]))
