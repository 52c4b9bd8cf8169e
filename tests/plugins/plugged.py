"""What tests of plug-ins share, called as test_X.py SOURCE_DIRECTORY ULPSCOPE C_COMPILER: facts that are printed, the program, and
libraries that are compiled as a user does."""

import os
import pathlib
import subprocess
import sys

SOURCE, PROGRAM, COMPILER = pathlib.Path(sys.argv[1]).resolve(), os.path.abspath(sys.argv[2]), sys.argv[3]
FLAGS = ["-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function", "-pedantic", "-ffp-contract=off", "-shared", "-fPIC",
         f"-I{SOURCE}/include"]
failures = []


def fact(name, holds, shown=""):
    failures.extend([] if holds else [name])
    print(f"{'ok   ' if holds else 'FAIL '} {name}{'' if holds else f': {shown}'}", flush=True)


def run(*arguments):
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, errors="replace", timeout=1000)
    return done.returncode, done.stdout, done.stderr


def compiled(library, file, *flags):
    subprocess.run([COMPILER, *FLAGS, *flags, str(SOURCE / "tests/plugins" / file), "-o", str(library), "-lm"], check=True)
    return library


def said_of(plugin, method, data, trials=20):
    """What the bits say of a method, and what is said beside it; alone, as what there is time to compare is shared."""
    specs = [word for spec in data for word in ("-d", spec)]
    _, text, wrong = run("run", *plugin, "-m", method, *specs, "--trials", trials, "--speed", 0)
    return " ".join(text.partition("what the bits say")[2].split()) + wrong


def has_numpy():
    """Whether the Python that runs plug-ins has it."""
    has = subprocess.run([os.environ.get("ULPSCOPE_PYTHON", "python3"), "-c", "import numpy"], capture_output=True, check=False).returncode == 0
    if not has:
        print("no NumPy: its functions are not tried", flush=True)
    return has


def finish():
    print(f"{len(failures)} failures")
    sys.exit(len(failures) > 0)
