"""`pip install .` from a checkout, into a fresh venv: the package, its library, its plug-in, and a project that uses it.

    test_wheel.py SOURCE_DIRECTORY LIBRARY ULPSCOPE

No network is used: what builds a wheel, and pytest, are those of the Python that runs this.
Exit status: 77 where one of them is missing.
"""

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

SOURCE, LIBRARY, PROGRAM = (pathlib.Path(path).resolve() for path in sys.argv[1:])
missing = [name for name in ("venv", "ensurepip", "pip", "setuptools", "wheel", "pytest") if not importlib.util.find_spec(name)]
if missing:
    print("skipped: no", ", ".join(missing))
    sys.exit(77)
failures = 0
folder = tempfile.TemporaryDirectory(prefix="ulpscope_wheel.")
work = pathlib.Path(folder.name)


def say(fine, what, found=""):
    global failures
    failures += not fine
    print("ok   " if fine else "FAIL ", what, "" if fine else found)


def run(*command, **environment):
    """The exit status and the output, in a folder that has no sources, where the program alone is on the PATH."""
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "ULPSCOPE_LIBRARY")}
    done = subprocess.run(list(map(str, command)), cwd=work, capture_output=True, text=True,
                          env={**kept, "PATH": f"{PROGRAM.parent}:{kept['PATH']}", **environment})
    return done.returncode, done.stdout + done.stderr


# A copy, since pip writes build/ into the sources.
shutil.copytree(SOURCE / "python", work / "source/python", ignore=shutil.ignore_patterns("__pycache__"))
(work / "source/docs").mkdir()
for name in ("pyproject.toml", "setup.py", "LICENSE", "docs/python.md"):
    shutil.copy(SOURCE / name, work / "source" / name)

status, output = run(sys.executable, "-m", "pip", "wheel", "--no-build-isolation", "--no-index", "--no-deps", "-w", "wheels", "./source",
                     ULPSCOPE_LIBRARY=str(LIBRARY))
say(status == 0, "pip makes a wheel", output)
wheel = next((work / "wheels").glob("*.whl"))
say(re.fullmatch(r"ulpscope-[\d.]+-py3-none-(manylinux|linux)_\w+\.whl", wheel.name), "of a platform, and any Python", wheel.name)
names = zipfile.ZipFile(wheel).namelist()
say({"ulpscope/libulpscope.so", "ulpscope/py.typed", "ulpscope/busy.ptx", "ulpscope/worker.py"} <= set(names), "the library is in it", names)

python = work / "venv/bin/python"
status, output = run(sys.executable, "-m", "venv", "--without-pip", "venv")
status, output = run(sys.executable, "-m", "pip", "--python", python, "install", "--no-index", wheel)
say(status == 0, "pip installs it into a fresh venv", output)
status, output = run(python, "-I", "-c", "import ulpscope; from ulpscope import library; print(ulpscope.exact_sum([0.1] * 10), library.library()._name)",
                     PATH="/usr/bin:/bin")
say(status == 0 and output.startswith("1.0 ") and str(work / "venv") in output, "its own library is found", output)
(work / "venv/bin/ulpscope").unlink(missing_ok=True)

# pytest, and NumPy if it is there, of the Python that runs this
folders = next((work / "venv/lib").glob("python*/site-packages"))
(folders / "outer.pth").write_text("\n".join(site.getsitepackages() + [site.getusersitepackages()]) + "\n")
shutil.copytree(SOURCE / "tests/consumers/python", work / "project", ignore=shutil.ignore_patterns("__pycache__"))
status, output = run(python, "-m", "pytest", "-p", "no:cacheprovider", "project/test_sound.py")
say(status == 0 and "14 passed" in output, "a sound sum passes", output)
status, output = run(python, "-m", "pytest", "-p", "no:cacheprovider", "project/test_broken.py")
say(status == 1 and "2 failed" in output, "broken ones fail", output)
say("the last element is left out" in output and "the last element is added twice" in output, "with the cause named", output)

print(f"{failures} failures")
sys.exit(failures > 0)
