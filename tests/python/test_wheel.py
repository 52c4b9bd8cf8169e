"""The wheel that tools/wheel.py and pip make of this build: what is in it, its RECORD, twice the same bytes; installed into a fresh venv,
with nothing of ulpscope on the PATH but what pip puts there: the program, the library, plug-ins, the fixture, and what is said where it does not fit.

    test_wheel.py SOURCE_DIRECTORY BUILD_DIRECTORY FILE...      which are to be built first

No network is used; pytest is that of the Python that runs this.  Exit status: 77 where pip or venv is missing.
"""

import base64
import hashlib
import importlib.util
import os
import pathlib
import re
import shutil
import site
import subprocess
import sys
import tempfile
import zipfile

SOURCE, BUILD = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
sys.path.insert(0, str(SOURCE / "tests/install"))
import installed  # noqa: E402

missing = [name for name in ("venv", "pip") if not importlib.util.find_spec(name)]
if missing:
    print("skipped: no", ", ".join(missing))
    sys.exit(77)
failures = 0
folder = tempfile.TemporaryDirectory(prefix="ulpscope_wheel.")
work = pathlib.Path(folder.name)
python, tool = work / "venv/bin/python", work / "venv/bin/ulpscope"
NEEDED = {"ulpscope/" + name for name in (
    "bin/ulpscope", "libexec/ulpscope/ulpscope-worker", "lib/libulpscope.so", "lib/libulpscope.so.0", "include/ulpscope/plugin.h", "launcher.py",
    "py.typed", "busy.ptx", "worker.py", "answers.py", "torch/looking.py", "share/ulpscope/studies/classic.yaml", "share/ulpscope/schemas/ulpscope-run-2.schema.json",
    "share/ulpscope/python/ulpscope/worker.py", "share/ulpscope/examples/plugins/c/mysum.c", "share/doc/ulpscope/README.md")}


def say(fine, what, found=""):
    global failures
    failures += not fine
    print("ok   " if fine else "FAIL ", what, "" if fine else found)


def run(*command, **environment):
    """The exit status and the output, in a folder without sources."""
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "ULPSCOPE_LIBRARY")}
    done = subprocess.run(list(map(str, command)), cwd=work, capture_output=True, text=True, check=False,
                          env={**kept, "PATH": f"{tool.parent}:/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1", **environment})
    return done.returncode, done.stdout + done.stderr


def made(place, date="1700000000"):
    (work / place).mkdir()
    status, output = run(sys.executable, SOURCE / "tools/wheel.py", BUILD, place, SOURCE_DATE_EPOCH=date)
    say(status == 0 and (work / place / output.strip()).exists(), "tools/wheel.py makes a wheel and names it", output)
    return work / place / output.strip()


def unlike_record(files):
    """The files that RECORD has otherwise, or not at all."""
    name = next(name for name in files if name.endswith(".dist-info/RECORD"))
    lines = {line.split(",")[0]: line for line in files[name].decode().splitlines()}
    return {of for of in {*files, *lines} if of != name and lines.get(of) != "{},sha256={},{}".format(
        of, base64.urlsafe_b64encode(hashlib.sha256(files.get(of, b"")).digest()).decode().rstrip("="), len(files.get(of, b"")))}


# ---- as a file ----

wheel = made("first")
say(made("second").read_bytes() == wheel.read_bytes(), "twice the same bytes")
say(made("third", "1700000002").read_bytes() != wheel.read_bytes(), "and others of another date")
files = {name: zipfile.ZipFile(wheel).read(name) for name in zipfile.ZipFile(wheel).namelist()}
say(NEEDED <= set(files), "program, worker, library, data, schemas and examples are in it", NEEDED - set(files))
say(len(files) > 200 and not unlike_record(files), f"RECORD has all {len(files)} files", unlike_record(files))
say(unlike_record({**files, "ulpscope/more": b"", "ulpscope/busy.ptx": b"?"}) == {"ulpscope/more", "ulpscope/busy.ptx"}, "and notices others")
tag = re.fullmatch(r"ulpscope-[\d.]+-(py3-none-(manylinux_2_\d+|linux)_\w+)\.whl", wheel.name)
about = next(content for name, content in files.items() if name.endswith("/WHEEL")).decode()
say(tag and about.endswith(f"Tag: {tag[1]}\n"), "its tag is that of its name", wheel.name + about)
say(any(name.endswith(".dist-info/licenses/LICENSE") for name in files), "its licence is in it", sorted(files))
status, output = run(sys.executable, "-m", "pip", "wheel", "--no-index", "--no-deps", "-w", "by_pip", SOURCE, ULPSCOPE_BUILD=str(BUILD), SOURCE_DATE_EPOCH="1700000000")
say(status == 0 and (work / "by_pip" / wheel.name).read_bytes() == wheel.read_bytes(), "pip makes the same, and needs no package for that", output)

# ---- in a venv ----

status, output = run(sys.executable, "-m", "venv", "--without-pip", "venv")
status, output = run(sys.executable, "-m", "pip", "--python", python, "install", "--no-index", wheel)
say(status == 0, "pip installs it into a fresh venv", output)
package = next((work / "venv/lib").glob("python*/site-packages/ulpscope"))
status, output = run("sh", "-c", "command -v ulpscope && ulpscope run -m naive,kahan -d gensum:n=100,cond=1e4 --speed 0")
say(status == 0 and output.startswith(f"{tool}\n") and "plain/serial" in output and "kahan/tree_two_pass" in output, "ulpscope is on the PATH, and measures", output)
status, output = run("ulpscope", "run", "--unknown")
say(status == 2, "its exit status is the program's", output)
status, output = run(python, "-I", "-c", "import ulpscope as u; print(u.exact_sum([0.1] * 10), u.library.library()._name, len(u.data('uniform:n=9')))",
                     PATH="/usr/bin:/bin")
say(status == 0 and output.split() == ["1.0", str(package / "lib/libulpscope.so"), "9"], "its own library and program are found, not those of the PATH", output)
for holds in (installed.headers, installed.companions, installed.links, installed.pkg_config, installed.cmake_package, installed.python_package):
    (work / holds.__name__).mkdir()
    found = holds(package, work / holds.__name__)
    say(not found, f"the package is a prefix: {holds.__name__}", found)

# pytest, and NumPy if it is there, of the Python that runs this
if importlib.util.find_spec("pytest"):
    (package.parent / "outer.pth").write_text("\n".join(site.getsitepackages() + [site.getusersitepackages()]) + "\n")
    shutil.copytree(SOURCE / "tests/consumers/python", work / "project", ignore=shutil.ignore_patterns("__pycache__"))
    status, output = run(python, "-m", "pytest", "-p", "no:cacheprovider", "project/test_sound.py")
    say(status == 0 and "14 passed" in output, "a sound sum passes", output)
    status, output = run(python, "-m", "pytest", "-p", "no:cacheprovider", "project/test_broken.py")
    say(status == 1 and "2 failed" in output, "broken ones fail", output)
    say("the last element is left out" in output and "the last element is added twice" in output, "with the cause named", output)
else:
    print("skipped: the fixture, no pytest")

# ---- where it does not fit ----


def on(libc):
    """What the command says where confstr says so of the C library."""
    return run(python, "-I", "-c", f"import os, sys\ndef confstr(_):\n    {libc}\nos.confstr = confstr\nsys.argv[1:] = ['list', 'formats']\n"
                                   "from ulpscope import launcher\nlauncher.main()")


def refuses(answer, *words):
    return answer[0] == 3 and all(word in answer[1] for word in words) and answer[1].count("\n") == 1


(package / "glibc").write_text("2.35\n")  # as in a portable one
MUSL, OLD, NEW = 'raise ValueError("unrecognized configuration name")', 'return "glibc 2.31"', 'return "glibc 2.100"'
say(refuses(on(MUSL), "expected glibc 2.35 or newer, found another C library", "musl", "pip install"), "on musl: a line, and 3", on(MUSL))
say(refuses(on(OLD), "expected glibc 2.35 or newer, found glibc 2.31", "Debian 12"), "on an old glibc: a line, and 3", on(OLD))
say(on(NEW)[0] == 0 and "binary32" in on(NEW)[1], "on a newer one it starts", on(NEW))
(package / "glibc").unlink()
say(on(OLD)[0] == 0, "and on any for which it was built", on(OLD))
(package / "bin/ulpscope").unlink()
say(refuses(run("ulpscope"), "No such file", "install the wheel anew"), "without its program: a line, and 3", run("ulpscope"))
(work / "bare").mkdir()
status, output = run(sys.executable, "-m", "pip", "wheel", "--no-index", "--no-deps", "-w", "bare", SOURCE, PATH=str(work / "bare"))
say(status == 1 and "needs cc and pkg-config, which are missing" in output and "apt-get install gcc cmake" in output and "libmpfr-dev" in output
    and "Traceback" not in output, "a build without tools says which, and how to get them", output)
sys.path.insert(0, str(SOURCE / "tools"))
import wheel as maker  # noqa: E402
say(maker.glibc_of([]) == 0 and maker.glibc_of([BUILD / "ulpscope"]) > 0, "what asks for no glibc, as on musl, can be packed")
status, output = run("cmake", "-G", "Ninja", "-S", SOURCE, "-B", "unfound", "-DULPSCOPE_CUDA=OFF", "-DBUILD_TESTING=OFF", PKG_CONFIG_LIBDIR="/nowhere", PATH=os.environ["PATH"])
say(status == 1 and "apt-get install libmpfr-dev libgmp-dev libsqlite3-dev libjansson-dev libyaml-dev libxml2-dev nettle-dev\n" in output,
    "one without libraries names all of them in one line", output)

print(f"{failures} failures")
sys.exit(failures > 0)
