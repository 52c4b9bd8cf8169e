"""Python functions that misbehave or cheat, under `ulpscope run --python`: each is contained and named, its twin is measured.

    test_bad_functions.py SOURCE_DIRECTORY PROGRAM
"""

import concurrent.futures
import contextlib
import importlib.util
import os
import pathlib
import re
import subprocess
import sys
import tempfile

FUNCTIONS = pathlib.Path(sys.argv[1]).resolve() / "tests/plugins/functions"
PROGRAM = str(pathlib.Path(sys.argv[2]).resolve())
HAS_NUMPY = importlib.util.find_spec("numpy") is not None
os.environ["ULPSCOPE_PYTHON"] = sys.executable
failures = 0


def say(fine, what, found=""):
    global failures
    failures += not fine
    print("ok   " if fine else "FAIL ", what, "" if fine else found)


def run(file, method, *more, folder=None, patience=500):
    """Exit status, stdout and stderr of one method on small data, of which an answer may take so many seconds."""
    data = "uniform:n=24" if "matmul:" in method else "uniform:n=100"
    done = subprocess.run(
        [PROGRAM, "-q", "run", "--python", str(FUNCTIONS / file), "-m", method, "-d", data, "--trials", "2", "--speed", "0",
         "--timeout", str(patience), "--memory", "256Mi", "--device", "host", *more],
        capture_output=True, text=True, errors="replace", check=False, stdin=subprocess.DEVNULL, cwd=folder,
    )
    return done.returncode, done.stdout, done.stderr


def processes_with(words):
    """How many processes have this in their command line."""
    count = 0
    for process in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):  # it has ended, which a glob beyond it would not bear
            count += words.encode() in pathlib.Path("/proc", process, "cmdline").read_bytes()
    return count


FAILED, BROKEN = 3, 1  # a case was not measured; a result is wrong
BAD = [  # file, operation, name; exit status, what is said of bad_NAME
    ("bad", "", "raise", FAILED, r"raised KeyError: 'no such sum' \(bad\.py:\d+\)"),
    ("bad", "", "interrupt", FAILED, r"raised KeyboardInterrupt \(bad\.py:\d+\)"),
    ("bad", "", "sys_exit", FAILED, r"called sys\.exit\(0\) \(bad\.py:\d+\)"),
    ("bad", "", "exit", FAILED, "ended by itself in the middle of a call, with status 0"),
    ("bad", "", "abort", FAILED, r"was killed by signal 6 \(Aborted\)"),
    ("bad", "", "kill", FAILED, r"was killed by signal 9 \(Killed\)"),
    ("bad", "", "address", FAILED, r"was killed by signal 11 \(Segmentation fault\)"),
    ("bad", "", "none", FAILED, "returned None; expected one number"),
    ("bad", "", "text", FAILED, r"returned '[\d.]+'; expected one number"),
    ("bad", "", "pair", FAILED, r"returned \[[\d.]+, 0\.0\]; expected one number"),
    ("bad", "", "truth", FAILED, "returned False; expected one number"),
    ("bad", "", "complex", FAILED, r"returned \([\d.]+\+0j\); expected one number"),
    ("bad", "", "nan", BROKEN, r"is broken: of \d+ integers? the exact result is .* it gave nan"),
    ("bad", "", "infinity", BROKEN, r"is broken: of \d+ integers? the exact result is .* it gave inf"),
    ("bad", "", "loop", FAILED, "did not answer within 1 s"),
    ("bad", "", "recursion", FAILED, r"raised RecursionError: .* \(bad\.py:\d+\)"),
    ("bad", "", "memory", FAILED, "uses .* GB of memory; expected at most 0.268 GB"),
    ("bad", "", "threads", FAILED, "(started .* threads and processes|raised RuntimeError: can't start new thread)"),
    ("bad", "", "forks", FAILED, "(started .* threads and processes|uses .* of memory)"),
    ("bad", "", "write", FAILED, "wrote to its input"),
    ("bad", "", "length", FAILED, "wrote to its input"),
    ("bad", "", "close", FAILED, "cannot answer on descriptor 3: Bad file descriptor; was it closed"),
    ("bad", "", "garbage", FAILED, "sent 7 bytes, which are no answer"),
    ("bad", "", "forge", FAILED, r"answered question 0 in place of \d+"),
    ("bad", "", "rounding", FAILED, "changed the rounding mode, to upward"),
    ("bad", "", "subnormals", FAILED, r"changed how subnormal numbers are treated \(FTZ or DAZ: they become 0\)"),
    ("bad", "", "claim", FAILED, "claims to be deterministic, and its bits differed"),
    ("bad_numpy", "", "two", FAILED, r"returned an array of shape \(2,\); expected one number"),
    ("bad_numpy", "", "write", FAILED, r"raised ValueError: assignment destination is read-only \(bad_numpy\.py:\d+\)"),
    ("bad_numpy", "", "write_behind", FAILED, r"was killed by signal 11 \(Segmentation fault\)"),
    ("bad_numpy", "", "read_behind", FAILED, r"was killed by signal 11 \(Segmentation fault\)"),
    ("bad_numpy", "matmul:", "type", FAILED, r"returned float64 of shape \(\d+, \d+\); expected float32 of shape \(\d+, \d+\)"),
    ("bad_numpy", "matmul:", "shape", FAILED, r"returned float32 of shape \(1, \d+\); expected float32 of shape \(\d+, \d+\)"),
    ("bad_numpy", "matmul:", "number", FAILED, r"returned float32 of shape \(\); expected float32 of shape \(\d+, \d+\)"),
    ("cheats", "", "sample", BROKEN, r"is broken: of \d+ integers? the exact result is"),
    ("cheats", "", "last", BROKEN, r"is broken: of \d+ integers? the exact result is"),
    ("cheats", "", "narrow", BROKEN, r"is broken: of \d+ integers? the exact result is"),
    ("cheats", "", "bound", BROKEN, "times the bound that it claims"),
    ("cheats", "", "named", BROKEN, "times the bound that it claims"),
    ("cheats", "", "sizes", BROKEN, r"is broken: of \d+ integers? the exact result is"),
    ("cheats", "", "expected", BROKEN, r"is broken: of \d+ integers? the exact result is"),
    ("cheats", "", "address", BROKEN, "times the bound that it claims"),
    ("cheats", "", "parent", FAILED, r"raised PermissionError: .*/(maps|mem)'"),
    ("cheats", "", "descriptors", BROKEN, r"is broken: of \d+ integers? the exact result is"),
]


def judge(row):
    """What is wrong with the bad function of a row, and with its twin."""
    file, operation, name, status, words = row
    bad, good = f"{operation}{file}/bad_{name}", f"{operation}{file}/good_{name}"
    code, _, said = run(f"{file}.py", bad, patience=1 if name == "loop" else 500)
    wrong = "" if code == status and re.search(f"(?m)^(ulpscope: {re.escape(bad)}|[^|]*\\|).* ?{words}", said) else f"{code} {said}"
    code, _, said = run(f"{file}.py", good)
    return wrong, "" if code == 0 and re.fullmatch(r"\s*", said) else f"{code} {said}"


rows = [row for row in BAD if HAS_NUMPY or "numpy" not in row[0]]
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    for (file, _, name, *_), (wrong, twin) in zip(rows, pool.map(judge, rows)):
        say(not wrong, f"{file}.py: bad_{name} is contained and named", wrong)
        say(not twin, f"{file}.py: good_{name} is measured", twin)
if not HAS_NUMPY:
    print("skip ", len(BAD) - len(rows), "of NumPy, which is not installed")

for file in ["good.py", "good_numpy.py"][: 1 + HAS_NUMPY]:
    done = subprocess.run([PROGRAM, "plugin", "check", str(FUNCTIONS / file)], capture_output=True, text=True, check=False)
    say(done.returncode == 0 and "ok: every promise was kept" in done.stdout, f"{file} keeps all promises", done)
for name, words in ("bad_nan", "88 results: some are NaN: THE BOUND IS BROKEN"), ("good_nan", "88 results: error up to "):
    done = subprocess.run([PROGRAM, "plugin", "check", f"{FUNCTIONS}/bad.py:{name}"], capture_output=True, text=True, check=False)
    say(words in done.stdout and (name == "good_nan") == (done.returncode == 0), f"{name}: {words}", done)

# ---- the rest of a run ----
code, out, said = run("bad.py", "plain/pairwise,bad/bad_exit,bad/good_none", "--csv", "-")
measured = {method: len(re.findall(rf"\b{method}\b", out)) for method in ("plain/pairwise", "bad/good_none", "bad/bad_exit")}
say(code == FAILED and measured["plain/pairwise"] == measured["bad/good_none"] > measured["bad/bad_exit"],
    "what else was measured is kept", (measured, said))
say("bad/bad_exit: failed 3 times; it is left out of all that follows" in said, "after three failures a method is left out", said)
code, _, said = run("bad.py", "bad/good_print")
say(code == 0 and "| hello from 100\n" in said, "what a function prints is shown as its own", said)
with tempfile.TemporaryDirectory() as folder:
    file = pathlib.Path(folder, "bad.py")
    file.write_bytes((FUNCTIONS / "bad.py").read_bytes())
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        running, most = pool.submit(run, str(file), "bad/bad_forks"), 0
        while not running.done():
            most = max(most, processes_with(f"worker.py\0{file}"))
    say(most > 1 and processes_with(f"worker.py\0{file}") == 0, "of a run's processes none is left behind", most)

# ---- files that cannot be loaded ----
FILES = [  # its name, what it has, what is named on the command line; what is said
    ("missing.py", None, "", "cannot open .*/missing.py: No such file"),
    ("empty.py", "", "", "expected functions behind @ulpscope.method in .*empty.py, found none; name one, empty.py:FUNCTION"),
    ("other.py", "def other(x): return 0", ":mine", "expected a function mine in .*other.py, found other"),
    ("syntax.py", "def f(x:\n", "", r"syntax.py raised SyntaxError: .* \(syntax.py:1\) when it was imported"),
    ("imports.py", "import nothing_of_this_name", ":f", r"raised ModuleNotFoundError: .* \(imports.py:1\) when it was imported"),
    ("ends.py", "import sys\nsys.exit(0)", ":f", r"ends.py called sys.exit\(0\) \(ends.py:2\) when it was imported"),
    ("dies.py", "import os\nos._exit(0)", ":f", "ended by itself"),
    ("format.py", "import ulpscope\n@ulpscope.method(format='binary32_in_binary16', arrays='list')\ndef f(x): return 0", "", "unknown format"),
    ("operation.py", "import ulpscope\n@ulpscope.method('median', arrays='list')\ndef f(x): return 0", "", "unknown operation"),
]
with tempfile.TemporaryDirectory() as folder:
    for name, text, function, words in FILES:
        file = pathlib.Path(folder, name)
        if text is not None:
            file.write_text(text)
        code, _, said = run(f"{file}{function}", "plain/serial")
        say(code == 2 and re.search(words, said), f"{name} is refused", (code, said))
    file = pathlib.Path(folder, "sound.py")
    file.write_text("import math, ulpscope\nmine = ulpscope.method(arrays='list')(math.fsum)\n")
    code, out, said = run(str(file), "sound/*")
    say(code == 0 and "sound/mine" in out, "twin: a sound one is not", (code, said))
    pathlib.Path(folder, "fractions.py").write_text("raise ImportError('not that of Python')")
    code, out, said = run(str(file), "sound/*", folder=folder)
    say(code == 0 and "sound/mine" in out, "what lies in the current folder is not taken for Python's own", (code, said))
    for height, is_said in (2, True), (64, False):
        file.write_text(f"import math, ulpscope\nmine = ulpscope.method(arrays='list', bound='height={height}')(math.fsum)\n")
        code, _, said = run(str(file), "sound/*")
        words = "sound/mine: its bound makes no claim: no tree of height 2 has 100 numbers; expected height=7 at least"
        say(code == 0 and said.count(words) == is_said, f"why height={height} makes no claim is said once, where it is so", (code, said))
sys.exit(failures > 0)
