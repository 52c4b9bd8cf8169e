"""What starts programs of others: a file that is named a study, never one of data; what --no-plugins refuses; and what a
--resume does with a plug-in that is another file now.

    test_starts.py ULPSCOPE
"""

import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ULPSCOPE = os.path.abspath(sys.argv[1])

failures = 0


def fact(name, holds, shown=""):
    global failures
    failures += not holds
    print(f"{'ok   ' if holds else 'FAIL '} {name}{'' if holds else f': {shown}'}")


# The program of a study says that it was started, and what it adds is of no interest.
PROGRAM = "#!/bin/sh\necho >>started\nexec cat\n"
STUDY = """schema: ulpscope-study/1
plugins: [{pipe: ./program}]
methods: [naive]
data: [{spec: "uniform:n=8"}]
"""
PYTHON = """
open("started", "a").write("x")
def halves(x):
    x = [float(number) for number in x]
    return sum(x[::2]) + sum(x[1::2])
"""
MINE = ("--python", "mysum.py:halves")
DATA = ("-d", "uniform:n=8", "--trials", "2")


class Folder:
    """A folder whose files are PROGRAM and PYTHON, and what was started in it."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        (self.path / "program").write_text(PROGRAM)
        (self.path / "program").chmod(0o755)
        (self.path / "mysum.py").write_text(PYTHON)

    def run(self, *words, stdin=""):
        """Exit status, stderr, and whether anything was started."""
        started = self.path / "started"
        started.unlink(missing_ok=True)
        done = subprocess.run((ULPSCOPE, *words), cwd=self.path, input=stdin, text=True, capture_output=True, timeout=1000)
        return done.returncode, done.stderr, started.exists()


def try_names(folder):
    names = ["x.npy", "x.csv", "x.raw", "x.f32", "x.hex", "x.txt", "x.bin", "x", "x.yaml.txt"]
    for name in names:
        (folder.path / name).write_text(STUDY)
        code, said, started = folder.run("run", name)
        fact(f"a study named {name} is data", code == 2 and not started, said)
        code, said, started = folder.run("exact", name)
        fact("and so to exact", code == 2 and not started, said)
        code, said, started = folder.run("run", "--study", name)
        fact(f"the twin, {name} behind --study is a study", started, said)
    for name in ("x.yaml", "x.yml"):
        (folder.path / name).write_text(STUDY)
        code, said, started = folder.run("run", name)
        fact(f"{name} is a study", started, said)
    code, said, started = folder.run("run", "-", stdin=STUDY)
    fact("- is data", code == 2 and not started and "save the numbers to a file" in said, said)
    code, said, started = folder.run("run", "--study", "-", stdin=STUDY)
    fact("the twin, - behind --study is a study", started, said)


def try_words(folder):
    (folder.path / "x.yaml").write_text(STUDY)
    said = 'x.yaml:2: starts pipe "./program"; --no-plugins refuses it\n'
    code, text, started = folder.run("run", "-q", "x.yaml")
    fact("a study says what it starts, first of all", started and text.startswith(said), text)
    code, text, started = folder.run("run", "-q", *MINE, *DATA)
    fact("the twin, what the command line names needs no word", code == 0 and started and "starts" not in text, text)


def try_no_plugins(folder):
    (folder.path / "x.yaml").write_text(STUDY)
    run = ("run", "-q", *MINE, "-m", "mysum/*", *DATA, "-o", "out")
    folder.run(*run)
    commands = [("run", *MINE, *DATA), ("run", "x.yaml"), (*run, "--resume"), ("determinism", "mysum/halves", *MINE),
                ("bench", *MINE, "-m", "mysum/halves", "-n", "8", "--repeats", "1"),
                ("attack", "mysum/halves", *MINE, "--n", "3", "--budget", "10"),
                ("tree", "mysum/halves", *MINE, "-n", "4"), ("list", "methods", *MINE)]
    for words in commands:
        code, said, started = folder.run(*words, "--no-plugins")
        fact(f"{words[0]} {words[1]} starts none with --no-plugins behind it",
             code == 2 and not started and "--no-plugins; found" in said, f"exit {code}: {said}")
        code, said, started = folder.run(words[0], "--no-plugins", *words[1:])
        fact("and before it", code == 2 and not started, said)
        code, said, started = folder.run(*words)
        fact("the twin, without it one is started", started and "--no-plugins; found" not in said, said)


def try_readers(folder):
    folder.run("run", "-q", *MINE, "-m", "mysum/*", *DATA, "-o", "whole")
    (folder.path / "limits.yaml").write_text(
        'schema: ulpscope-limits/1\nrules: [{method: "*", data: "*", metric: bound_ratio, limit: 1e-9}]\n')
    for words, status in ((("check", "whole", "--limits", "limits.yaml"), 1), (("report", "whole", "-o", "page"), 0)):
        code, said, started = folder.run(*words)
        fact(f"{words[0]} starts none", code == status and not started, f"exit {code}: {said}")


def try_resume(folder):
    run = ("run", "-q", *MINE, "-m", "mysum/*", *DATA, "-o", "resumed", "--speed", "0")
    again = ("determinism", "-q", "mysum/halves", *MINE, "--across", "repeat", "-o", "again")
    script = folder.path / "mysum.py"
    for words in (run, again):
        code, said, started = folder.run(*words)
        fact(f"{words[0]} starts a plug-in", code == 0 and started, said)
        code, said, started = folder.run(*words, "--resume")
        fact("the twin, --resume starts the same file", code == 0 and started, said)
        script.write_text(PYTHON + "# another\n")
        hashes = [hashlib.sha256(text.encode()).hexdigest()[:16] for text in (PYTHON + "# another\n", PYTHON)]
        code, said, started = folder.run(*words, "--resume")
        fact("--resume goes on with no other file, and names both", code == 2 and f"SHA-256 {hashes[1]}" in said
             and f"SHA-256 {hashes[0]}" in said, said)
        script.write_text(PYTHON)


def try_killed(folder):
    """A run that is killed while its plug-in waits goes on with the same file; what looked at its store leaves nothing."""
    (folder.path / "waits.py").write_text("import os, time\ndef s(x):\n    while os.path.exists('wait'):\n        time.sleep(0.01)\n"
                                          "    return float(sum(map(float, x)))\n")
    words = ("run", "-q", "--python", "waits.py:s", "-m", "waits/*", *DATA, "-o", "killed", "--speed", "0")
    (folder.path / "wait").touch()
    process = subprocess.Popen((ULPSCOPE, *words), cwd=folder.path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    log = folder.path / "killed/run.db-wal"
    while not (log.exists() and log.stat().st_size > 0) and process.poll() is None:
        time.sleep(0.01)
    process.kill()
    process.wait()
    fact("a run is killed", log.exists())
    (folder.path / "wait").unlink()
    code, said, _ = folder.run(*words, "--resume")
    left = sorted(path.name for path in (folder.path / "killed").glob("run.db*"))
    fact("and resumed, and nothing is left beside its store", code == 0 and left == ["run.db"], f"{left}: {said}")


# What a process is given anew: the seed of hashes, and its number.  While there is a file `stop`, a call in the third process ends ulpscope.
FRESH = """
import math, os, signal, ulpscope
with open("started", "a") as file:
    file.write("x")
def raised(x, by):
    s = math.fsum(x)
    return s if s.is_integer() else s * (1 + by % 2**22 * 2**-22)
@ulpscope.method(arrays="list", bound="none")
def fixed(x):
    if os.path.exists("stop") and os.path.getsize("started") == 3:
        os.unlink("stop")
        os.kill(os.getppid(), signal.SIGINT)
    return math.fsum(x)
@ulpscope.method(arrays="list", bound="none")
def hashed(x):
    return raised(x, hash("seed"))
@ulpscope.method(arrays="list", bound="none")
def counted(x):
    return raised(x, os.getpid())
"""


def try_fresh(folder):
    """Four fresh processes are started, whatever is asked of them, and each is another: no copy of one that was there."""
    (folder.path / "fresh.py").write_text(FRESH)

    def varied(*words):
        code, said, _ = folder.run("determinism", "--python", "fresh.py", *words, "--json", "fresh.json", "--overwrite", "-o", "fresh")
        return code, said, len((folder.path / "started").read_text())

    def results():
        rows = json.loads((folder.path / "fresh.json").read_text())["variations"]
        return sorted((row["axis"], row["method"], row["results"]) for row in rows)

    methods = ("fresh/fixed", "fresh/hashed", "fresh/counted")
    expected = [("process", name, 1 if name == methods[0] else 5) for name in sorted(methods) for _ in range(2)]
    code, said, started = varied(*methods, "uniform:n=8", "uniform:n=9", "--across", "process")
    fact("three functions on two data sets have five processes, each of which is another", code == 0 and started == 5
         and results() == expected, f"exit {code}: {started} {said}")
    code, said, started = varied(*methods, "uniform:n=8", "uniform:n=9", "--across", "repeat")
    fact("the twin, calls again are of one process and give the same", code == 0 and started == 1
         and {row[2] for row in results()} == {1}, f"exit {code}: {started} {said}")
    words = (*methods, "uniform:n=8", "uniform:n=9", "--across", "repeat,process", "--python", "fresh.py", "-o", "ended")
    (folder.path / "stop").touch()
    code, said, _ = folder.run("determinism", *words)
    code_of_report, _, _ = folder.run("report", "ended", "--json", "fresh.json")
    fact("Ctrl-C while fresh processes are asked keeps what was varied before", code == 130 and code_of_report == 0
         and "--resume varies the others" in said and {row[0] for row in results()} == {"repeat"} and len(results()) == 6, f"exit {code}: {said}")
    code, said, _ = folder.run("determinism", *words, "--resume", "--json", "fresh.json")
    fact("and --resume varies the others", code == 0 and [row for row in results() if row[0] == "process"] == expected, f"exit {code}: {said}")


def main():
    with tempfile.TemporaryDirectory(prefix="ulpscope_starts.") as name:
        folder = Folder(name)
        for part in (try_names, try_words, try_no_plugins, try_readers, try_resume, try_killed, try_fresh):
            part(folder)
    return failures > 0


sys.exit(main())
