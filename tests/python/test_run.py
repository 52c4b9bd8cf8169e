"""ulpscope.run and the commands beside it: the docs' own commands, arrays, functions, an interrupt, and what is refused.

    test_run.py SOURCE_DIRECTORY    ULPSCOPE_PROGRAM and ULPSCOPE_LIBRARY name what is built

What is not installed (NumPy, pandas, polars, pyarrow, mypy) is said, and left out.
"""

import array
import contextlib
import ctypes
import importlib
import importlib.util
import io
import json
import linecache
import math
import os
import pathlib
import platform
import re
import resource
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import types
import warnings

SOURCE = pathlib.Path(sys.argv[1]).resolve()
sys.path.insert(0, str(SOURCE / "python"))

import ulpscope  # noqa: E402

PROGRAM = os.environ["ULPSCOPE_PROGRAM"]
os.environ["ULPSCOPE_PYTHON"] = sys.executable  # also where no Python asks: a run says on which it was
SECONDS = 20  # of a processor, for the commands of docs
failures = 0
warnings.simplefilter("error", ResourceWarning)
folder = tempfile.TemporaryDirectory(prefix="ulpscope größe 数.")
os.chdir(folder.name)
os.makedirs("temporary")
tempfile.tempdir = str(pathlib.Path("temporary").resolve())  # where each run has its folder
sys.path.insert(0, folder.name)


def say(fine, what, found=""):
    global failures
    failures += not fine
    print("ok   " if fine else "FAIL ", what, "" if fine else found, flush=True)


def raises(kind, words, function, *arguments, **named):
    try:
        function(*arguments, quiet=True, **named)
    except BaseException as error:
        return say(type(error) is kind and re.search(words, str(error), re.S), f"{kind.__name__}: {words}", f"{type(error).__name__}: {error}")
    return say(False, f"{kind.__name__}: {words}", "nothing was raised")


sys.unraisablehook = lambda raised: say(False, "what is left open, or raised where nobody sees it", f"{raised.object!r}: {raised.exc_value}")


def processor():
    """Seconds that this process and what it waited for took."""
    return sum(os.times()[:4])


def measured(*arguments, **named):
    return ulpscope.run(*arguments, quiet=True, **{"speed": 0, "trials": 3, "permutations": 0, **named})


def program(*words):
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)


# ---- commands of docs ----
def commands():
    """Of `ulpscope run` in docs, each once."""
    pages = "\n".join(page.read_text() for page in [SOURCE / "README.md", *sorted((SOURCE / "docs").glob("*.md"))]) + program("help", "run").stdout
    lines = re.findall(r"(?:^ *\$? ?|(?:again|worst|best|rerun:|sum) +)(ulpscope run .*?)(?:   .*)?$", pages, re.M)
    return list(dict.fromkeys(line for line in lines if not re.search(r"[|>]|cuda|\.\.\.|STUDY|studies/matmul|hopper|mpirun", line)))


SHORT, VALUELESS = {"-m": "method", "-d": "data", "-o": "output", "-j": "jobs", "-q": "quiet"}, {"replay", "slow", "convert", "verify_reference", "overwrite", "quiet", "answers", "attack",
                                                                              "as_written", "summary", "probe"}
OTHERS = {"exact": "exact", "attack": "attack", "determinism": "determinism", "explain": "explain", "blame": "blame", "lesson": "lesson", "tree": "probe", "tolerance": "tolerance"}


def keywords(line):
    """methods, data and flags of a command line."""
    methods, data, options = [], [], {}
    words = iter(shlex.split(line)[2:])
    for word in words:
        flag, has_value, value = word.partition("=") if word.startswith("--") else (word, "", "")
        if not flag.startswith("-"):
            if flag.endswith(".yaml"):
                options["study"] = flag
            else:
                data.append(flag)
            continue
        name = SHORT.get(flag, flag[2:].replace("-", "_"))
        value = True if name in VALUELESS else value if has_value else next(words)
        if name in ("method", "data"):
            (methods if name == "method" else data).append(value)
        elif name in ("plugin", "python", "pipe", "results"):
            options.setdefault(name, []).append(value)
        elif name not in ("output", "overwrite", "quiet", "target"):
            options[name] = value
    return methods, data, options


def as_words(methods, data, options):
    """The same as a command line, by other code than the package's."""
    words = [f"-m{method}" for method in methods] + [f"-d{spec}" for spec in data]
    for name, value in options.items():
        words += [f"--{name.replace('_', '-')}" + ("" if one is True else f"={one}") for one in (value if isinstance(value, list) else [value])]
    return words


def others():
    """Of the other commands that Python has, each once: what is asked for and its words, without those of what is written and where."""
    pages = "\n".join(page.read_text() for page in [SOURCE / "README.md", *sorted((SOURCE / "docs").glob("*.md"))])
    pages += "".join(program("help", command).stdout for command in OTHERS)
    lines = re.findall(rf"^ *\$? ?(ulpscope (?:{'|'.join(OTHERS)}) .*?)(?: {{2,}}.*)?$", pages, re.M)
    unfit = r"[|>]|\.\.\.|1e[4-9]|1M|FILE|--(json|output|svg|html|ask|exercises|fingerprints|against|all)\b| -o |cub/|examples/|-budget| diff |matmul@|layer_norm@|two_pass$|attack kahan/serial$"  # what takes seconds
    return list(dict.fromkeys(line.strip() for line in lines if not re.search(unfit, line) and ("tree" not in line.split()[1:2] or "--probe" in line)))


def asked_in_python(line):
    """The answer to a command line, or the exception."""
    words, positional, options = iter(shlex.split(line)[2:]), [], {}
    for word in words:
        flag, has_value, value = word.partition("=") if word.startswith("--") else (word, "", "")
        name = {"-n": "n", "-d": "data", "-q": "quiet"}.get(flag, flag.lstrip("-").replace("-", "_"))
        if not flag.startswith("-") or re.fullmatch(r"-?[\d.]+", flag):
            positional.append(flag)
        elif name not in ("quiet", "probe"):
            value = True if name in VALUELESS else value if has_value else next(words)
            options[name] = [*options[name], value] if isinstance(options.get(name), list) else [options[name], value] if name in options else value
    function = getattr(ulpscope, OTHERS[line.split()[1]])
    if function is ulpscope.tolerance:
        return function(*positional, **options)
    return function(*positional, quiet=True, **options)


def comparable(text):
    """Lines but for those of commands to run again, which differ in their flags, and of times."""
    return [line for line in text.splitlines() if "ulpscope " not in line]


def without_times(report):
    """But for when and by which words it was asked, and how fast it was."""
    return {key: {k: v for k, v in value.items() if k != "run"} if key == "provenance" else value for key, value in report.items() if key != "speeds"}


os.symlink(SOURCE / "datasets", "datasets")
for name in ("x", "a", "b", "y"):
    program("gen", "normal:n=24", "-o", f"{name}.npy")
pathlib.Path("x.txt").write_text("0.5\n1.5\n-1\n")
pathlib.Path("few.txt").write_text("1\n2\n3\n")
pathlib.Path("worst.f32").write_text("0x1p0\n0x1p-24\n")
pathlib.Path("broken.f32").write_text("0x1p0\n0x1p-24\n")
pathlib.Path("co2.csv").write_text("year,ppm\n1,0.5\n2,nan\n3,1.5\n")
os.mkdir("mysum")
STUDY = "schema: ulpscope-study/1\ntitle: Few\nmethods: [plain/serial, kahan/serial]\ndata: [{spec: %s}]\n"
for name, of in (("study", "uniform:n=40"), ("gate", "normal:n=30"), ("mysum/study", "harmonic:n=20")):
    pathlib.Path(f"{name}.yaml").write_text(STUDY % f'"{of}"')
for name in ("halves", "my_sum", "chains"):
    with open("chains.py" if name == "chains" else "mysum.py", "a", encoding="utf-8") as file:
        file.write(f"def {name}(x):\n    return sum(map(float, x))\n")
compared, refused, began = 0, 0, processor()
for line in commands():
    if processor() - began > SECONDS:
        break
    methods, data, options = keywords(line)
    if not methods and not data and not options or re.search("all|1Mi|1Ki \\*", " ".join(data)):
        continue  # the built-in study, and what takes minutes
    options.update({"speed": 0, "trials": 2, "jobs": 1, **({} if "trial" in options or "study" in options else {"permutations": 2})})
    if "trial" in options:
        del options["trials"]
    done = program("run", *as_words(methods, data, options), "-o", "told")
    try:
        found = ulpscope.run(methods or None, data or None, quiet=True, **options)
    except (ValueError, RuntimeError) as error:
        refused += 1
        print("     ", line, "is refused alike:", str(error).splitlines()[-1])
        if done.returncode not in (2, 3, 4) or str(error).splitlines()[-1].rpartition(": ")[2] not in done.stderr:
            say(False, line, f"{error}; the program ended with {done.returncode}: {done.stderr}")
    else:
        compared += 1
        if not os.path.exists("told/run.json"):  # not all was measured
            program("report", "told", "-o", "told", "--overwrite")
        told = json.loads(pathlib.Path("told/run.json").read_text()) if os.path.exists("told/run.json") else {}
        if done.returncode != found.status or without_times(told) != without_times(found.json):
            say(False, line, f"ended with {done.returncode} and {found.status}: {done.stderr}")
    shutil.rmtree("told", ignore_errors=True)
say(compared >= 40, f"{compared} commands of docs measured the same, {refused} were refused alike, {processor() - began:.0f} s", compared)
answered, began = 0, processor()
for line in others():
    if processor() - began > 3 * SECONDS:
        break
    done = program(*shlex.split(line)[1:])
    try:
        found = asked_in_python(line)
    except (ValueError, RuntimeError, TypeError) as error:
        found = None
        say(done.returncode in (2, 3, 4) and str(error).splitlines()[-1].rpartition(": ")[2] in done.stderr, f"{line} is refused alike", f"{error}; the program: {done.returncode} {done.stderr}")
        continue
    answered += 1
    if done.returncode != getattr(found, "status", 0) or comparable(done.stdout) != comparable(found.text):
        say(False, line, f"ended with {done.returncode}: {done.stderr}\n{done.stdout}\n{found.text}")
    last = comparable(done.stdout)
say(answered >= 45 and compared + answered >= 100, f"and {answered} of other commands had the same answers, {processor() - began:.0f} s", answered)
say(comparable(ulpscope.exact("x.npy", quiet=True).text) != comparable(program("exact", "a.npy:order=reversed", "--operation", "sumsq").stdout), "another answer is noticed")
one, other = measured("naive", "uniform:n=100"), measured("naive", "uniform:n=100", seed=2)
say(without_times(one.json) == without_times(measured("naive", "uniform:n=100").json), "the same seed, the same run.json")
say(without_times(one.json) != without_times(other.json), "another seed, another run.json")

# ---- what a run returns ----
row = one.table()[0]
say((row.method, row.n, row.count) == ("plain/serial", 100, 3) and isinstance(row.ulp_error_max, float), "table()", row)
say([sum_of.trial for sum_of in one.rows()] == [0, 1, 2] and one.rows()[0].class_ == "finite", "rows()", one.rows())
say(max(sum_of.ulp_error for sum_of in one.rows()) == row.ulp_error_max == one.series[0].statistics.ulp_error.max, "rows, table and JSON agree")
shown = one.histogram("plain/serial")
say(sum(shown.counts) + shown.exact == 3 and len(shown.edges) == len(shown.counts) + 1, "histogram()", shown)
for wrong in ({"method": "kahan/serial"}, {"method": "plain/serial", "data": "x"}):
    with contextlib.suppress(ValueError):
        say(False, f"histogram of {wrong} is refused", one.histogram(**wrong))
say(one.plot()._repr_svg_().startswith("<svg") and one.plot(one.pictures[-1]).startswith("<svg"), "plot()", one.pictures)
say("plain/serial" in one.plot() and "3 sums" in one.plot() and one.plot() != other.plot() != measured("kahan", "uniform:n=100").plot(), "a picture is that of its run")
raises(ValueError, "expected a picture of histogram.*, found nothing_such", lambda quiet: one.plot("nothing_such"))
say("<table" in one._repr_html_() and "plain/<wbr/>serial" in one._repr_html_() and len(one._repr_html_()) < 20000, "it shows itself", one._repr_html_())
say("plain/serial" in repr(one), "and in a terminal", repr(one))
LIMIT = {"method": "*", "data": "*", "metric": "ulp_error"}
say(one.check([{**LIMIT, "limit": "100ulp"}]).passed, "check passes")
broken = one.check([{**LIMIT, "limit": "0.5ulp"}])
say(not broken.passed and "FAIL" in broken.text and broken.json.schema.startswith("ulpscope-check"), "check fails", broken)
with contextlib.suppress(AssertionError):
    one.check([{**LIMIT, "limit": "0.5ulp"}], throw=True)
    say(False, "check throws where it is asked to")
kept = pathlib.Path(one.save("kept"))
say((kept / "run.db").exists() and json.loads((kept / "run.json").read_text()) == one.json, "save()")
say(json.loads((kept / "run.json").read_text()) != other.json, "what is saved is that run, not another")
say(program("report", "kept", "--json", "-").returncode == 0 and json.loads(program("report", "kept", "--json", "-").stdout)["series"] == one.json["series"], "which the program opens")
shutil.rmtree("kept/svg")
(kept / "run.db").write_bytes(b"")
say(program("report", "kept").returncode != 0, "and not where run.db is gone")
raises(FileExistsError, "kept", lambda quiet: one.save("kept"))
for package, make in (("pandas", "to_pandas"), ("polars", "to_polars"), ("pyarrow", "to_arrow")):
    if importlib.util.find_spec(package):
        frame = getattr(one, make)(rows=True)
        say(len(frame) == 3 and "ulp_error" in str(frame.schema if package == "pyarrow" else frame.columns), make, frame)
    else:
        try:
            getattr(one, make)()
            say(False, f"{make} without {package}", "no exception")
        except ImportError as error:
            say(f"expected {package}" in str(error), f"{make} without {package}", error)
place = one._question.folder
say(os.path.isdir(place), "its folder is there")
del one
say(not os.path.exists(place), "and goes away with it", place)

# ---- arrays ----
x = array.array("d", [0.1] * 40 + [1e6])
runs = [measured("naive", x), measured("naive", list(x))]
if importlib.util.find_spec("numpy"):
    numpy = importlib.import_module("numpy")

    class Interface:
        __array_interface__ = numpy.array(x).__array_interface__

    runs += [measured("naive", numpy.array(x)), measured("naive", numpy.repeat(numpy.array(x), 2)[::2]), measured("naive", Interface())]
    say(measured("naive", numpy.array(x, "float32")).table()[0].method == "plain/serial", "binary32 of NumPy")
else:
    print("      numpy is not installed")
say(len({run.table()[0].bits_sha256 for run in runs}) == 1 and runs[0].table()[0].method == "plain/serial@binary64", f"{len(runs)} kinds of arrays, one result")
say(measured("naive", list(x)[:-1]).table()[0].bits_sha256 != runs[0].table()[0].bits_sha256, "another array, another result")
say(measured("dot:naive", (x, x)).table()[0].n == 41, "a tuple of two is a dot product")
say({os.path.basename(row.data) for row in measured("naive", [x, tuple(x), "uniform:n=5"], format="binary64").table()} == {"x1.npy", "x2.npy", "uniform:n=5,format=binary64"}, "several data")
raises(TypeError, "data: expected numbers of .*, found int", ulpscope.run, "naive", 3)
raises(ValueError, "expected numbers, found an array of shape", ulpscope.run, "naive", [])
hostile = "<img src=x onerror=alert(1)>&.npy"
shutil.copy("x.npy", hostile)
page = measured("naive", hostile)
say("<img" not in page._repr_html_() and "&lt;img" in page._repr_html_() and "<img" in page.text, "a hostile name is escaped", page._repr_html_())
told = ulpscope.exact(hostile, compare="1", quiet=True)
say("<img" not in told._repr_html_(), "and of other commands", told._repr_html_())

# ---- functions ----
MINE = """
import ulpscope
calls = 0
seen = []
def plain(x):
    result = 0.0
    for number in x:
        result += float(number)
    seen.append(result)
    return result
@ulpscope.method(operation="dot", format="binary64", arrays="list")
def product(x, y):
    return sum(a * b for a, b in zip(x, y))
def broken(x):
    raise ArithmeticError("<on purpose>")
"""
pathlib.Path("mine.py").write_text(MINE)
mine = importlib.import_module("mine")
say(measured(mine.plain, "uniform:n=50").table()[0].method == "mine/plain", "a function of a file")
say(measured([mine.plain, "naive"], x).table()[0].bits_sha256 == runs[0].table()[0].bits_sha256, "in the format of the array, with the bits of plain/serial")
say(measured(mine.product, (x, x)).table()[0].method == "dot:mine/product@binary64", "a declared function")
say(measured(math.fsum, x).table()[0].method == "here/fsum@binary64", "a function of a module without a file")
failed = measured([mine.broken, "naive"], "uniform:n=50")
say(failed.status == 3 and "mine.py:15" in failed.notes and [row.method for row in failed.table()] == ["plain/serial"], "a function that raises costs itself alone", failed.text)
raises(RuntimeError, "raised ArithmeticError: <on purpose> .mine.py:15.", ulpscope.run, mine.broken, "uniform:n=50", trials=1)
raises(TypeError, "expected the id of a method or a function, found 3", ulpscope.run, 3, "uniform:n=5")

NOTEBOOK = """
import math as m
scale = 1.0
def helper(x):
    return m.fsum(x)
def cell(x):
    return helper(x) * scale
def around():
    inner = 2.0
    return lambda x: inner
closure = around()
"""
linecache.cache["<cell>"] = (len(NOTEBOOK), None, NOTEBOOK.splitlines(True), "<cell>")
cells = types.ModuleType("cells")
exec(compile(NOTEBOOK, "<cell>", "exec"), vars(cells))
sys.modules["cloudpickle"] = None  # as if it were not installed
say(measured(cells.cell, x).table()[0].method == "here/cell@binary64", "a function of a notebook, by its source")
raises(TypeError, "expected a function behind def", ulpscope.run, cells.closure, x)
cells.scale = [1.0]
raises(TypeError, "it names scale, of type list; install cloudpickle", ulpscope.run, cells.cell, x)
del sys.modules["cloudpickle"]
if importlib.util.find_spec("cloudpickle"):
    say(measured(cells.closure, x).table()[0].method == "here/function@binary64", "a closure, by cloudpickle")
pathlib.Path("script.py").write_text("import ulpscope\ndef f(x):\n    return 0.0\nprint(ulpscope.run(f, 'uniform:n=5', trials=1, speed=0))\n")
script = subprocess.run([sys.executable, "script.py"], capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": str(SOURCE / "python")})
say(script.returncode == 1 and "behind `if __name__" in script.stderr, "a script that would start itself is refused", script.stderr)
pathlib.Path("script.py").write_text(pathlib.Path("script.py").read_text().replace("print", "if __name__ == '__main__':\n    print"))
script = subprocess.run([sys.executable, "script.py"], capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": str(SOURCE / "python")})
say(script.returncode == 0 and "script/f" in script.stdout, "and measured behind its condition", script.stderr)
pathlib.Path("script.py").write_text("import ulpscope\nif __name__ == '__main__':\n    def f(x):\n        return 0.0\n    print(ulpscope.run(f, 'uniform:n=5', trials=1, speed=0))\n")
script = subprocess.run([sys.executable, "script.py"], capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": str(SOURCE / "python")})
say("here/f" in script.stdout, "a function behind the condition is sent", script.stderr)

# ---- in process ----
here = os.getpid()


def in_process(function, data=x, **options):
    return ulpscope.run(function, data, quiet=True, isolate=False, **{"trials": 1, "speed": 0, "permutations": 0, **options})


def where(v):
    calls.append((os.getpid(), threading.current_thread() is threading.main_thread()))
    return math.fsum(v)


calls, lock = [], threading.Lock()  # which nothing sends
kept = in_process([lambda v: where(v) + 0 * lock.locked(), "naive"], permutations=20)
say(set(calls) == {(here, True)} and len(calls) >= 21 and [(row.count, row.method) for row in kept.table()] == [(21, "plain/serial@binary64"), (21, "here/function@binary64")],
    "isolate=False: a closure over a lock, on this thread", (calls[:3], kept.table()))
say("in the process that asked" in kept.provenance.library["here"], "as the run says", kept.provenance)
say(measured(mine.plain, x).status == 0 and not mine.seen and in_process(mine.plain).status == 0 and mine.seen, "which is noticed where it is not")
same = [kept.rows()[-1].computed for kept in (measured(mine.plain, x), in_process(mine.plain))]
mine.seen.clear()
say(in_process(mine.plain, "uniform:n=5").table()[0].method == "mine/plain" and mine.seen, "in binary32, too, in which a worker imports it from its file")
say(same[0] == same[1] != "", "the same result in a process of its own", same)
say(in_process(mine.product, (x, x)).table()[0].method == "dot:mine/product@binary64", "a declared function in process")
say([row.method for row in in_process([mine.plain, cells.closure, math.fsum]).table()] == ["mine/plain@binary64", "here/function@binary64", "here/fsum@binary64"], "of two files")
failed = in_process([mine.broken, "naive"], "uniform:n=50")
say(failed.status == 3 and "raised ArithmeticError: <on purpose> (mine.py:15)" in failed.notes and failed.table()[0].method == "plain/serial", "one that raises costs itself alone", failed.notes)
say("called sys.exit(3)" in in_process([lambda v: sys.exit(3), "naive"]).notes, "and one that leaves")

LIBM = ctypes.CDLL("libm.so.6")
UPWARD, NEAREST = 0x800, 0  # of x86


def rounds_upward(v):
    LIBM.fesetround(UPWARD)
    return math.fsum(v)


if platform.machine() == "x86_64":
    failed = in_process([rounds_upward, "naive"])
    say(failed.status == 3 and "changed the rounding mode, to upward" in failed.notes and LIBM.fegetround() == NEAREST, "one that changes the rounding mode is found, and the mode put back", failed.notes)
    LIBM.fesetround(UPWARD)
    try:
        raises(RuntimeError, "isolate=False: expected a process that computes as IEEE 754 .* rounding mode, to upward", ulpscope.run, mine.plain, x, isolate=False)
        say(LIBM.fegetround() == UPWARD, "a process that rounds upward is refused, and left so")
    finally:
        LIBM.fesetround(NEAREST)
answer = ulpscope.probe(lambda v: mine.plain(v), n=4, quiet=True, isolate=False)
say(answer.text.startswith("here/function, n = 4"), "probe in process", answer)
say(ulpscope.probe(mine.plain, n=8, quiet=True, isolate=False).plot().startswith("<svg"), "which draws, and asks again for that")


def forks(v):
    if os.fork() == 0:
        return 0.0
    os.wait()
    return math.fsum(v)


forked = in_process([forks, "naive"])
if os.getpid() != here:
    os._exit(1)  # a fault: it answers where it should have ended
say(forked.status == 0 and len(forked.table()) == 2, "one that forks: the other process ends where it returns", forked.notes)


def knocks(v):
    """Comes where workers hand over their sockets, and brings none."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as one:
        descriptor, name = ulpscope.in_process.socket_in(str(next(long.glob("ulpscope.*"))))
        one.connect(name)
        os.close(descriptor)
    return math.fsum(v)


long = pathlib.Path("temporary", "l" * 200).resolve()  # longer than the name of a socket may be
long.mkdir()
usual, tempfile.tempdir = tempfile.tempdir, str(long)
say(in_process(knocks).status == 0, "in a folder of a long name, where somebody else knocks, too")
tempfile.tempdir = usual


@ulpscope.method(arrays="jax")
def unheard(v):
    return 0.0


sys.modules["jax"] = None  # as if it were not installed
raises(ValueError, "unheard: expected arrays of jax in binary32, found ModuleNotFoundError", lambda quiet: in_process(unheard))
del sys.modules["jax"]
varied = [ulpscope.determinism(mine.plain, x, across="process,repeat", quiet=True, isolate=isolate).text for isolate in (True, False)]
say("process  same" in varied[0] and "process was not varied: a variant has no process of its own with isolate=False" in varied[1] and "same in 20 calls" in varied[1],
    "a fresh process is not claimed where there is none", varied)


def behind(v):
    order.append("behind")
    if order[-2] == "before":
        raise ArithmeticError("behind another")
    return math.fsum(v)


order = [""]
again = in_process([lambda v: order.append("before") or math.fsum(v), lambda v: behind(v)], permutations=5)
say(again.status == 0 and "raised ArithmeticError: behind another" in again.notes and [row.count for row in again.table()] == [6, 6],
    "nor taken for what is asked again behind a failure", (again.notes, again.table()))
pathlib.Path("größe.py").write_text("def g(x):\n    return sum(map(float, x))\n")
wide = importlib.import_module("größe").g
say([in_process(wide).table()[0].method, measured(wide, x).table()[0].method, measured(wide, "uniform:n=5").table()[0].method] == ["gr__e/g@binary64"] * 2 + ["gr__e/g"],
    "a file whose name is not ASCII, in process and not")
say(["--jobs=1" in in_process(methods)._question.words for methods in ([mine.plain, math.fsum], [mine.plain, mine.plain])] == [True, False],
    "functions of several files are asked for one at a time, or one's time would run while another is called")
limits = resource.getrlimit(resource.RLIMIT_NOFILE)
if limits[1] == resource.RLIM_INFINITY or limits[1] >= 1200:
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(limits[0], 1200), limits[1]))
    many = [os.open(os.devnull, os.O_RDONLY) for _ in range(1100)]
    say(in_process(mine.plain).status == 0, "where more descriptors are open than select() takes")
    for descriptor in many:
        os.close(descriptor)
    resource.setrlimit(resource.RLIMIT_NOFILE, limits)
open_before, threads_before = sorted(os.listdir("/proc/self/fd")), threading.active_count()
in_process([mine.plain, cells.closure, mine.broken, "naive"])
say(sorted(os.listdir("/proc/self/fd")) == open_before and threading.active_count() == threads_before, "no descriptor and no thread is left")


class Gone(io.StringIO):
    def write(self, text):
        raise BrokenPipeError("nobody reads")


with contextlib.redirect_stderr(Gone()):
    raises(BrokenPipeError, "nobody reads", lambda quiet: ulpscope.run(mine.plain, x, trials=1, speed=0, isolate=False))


def ended(module, frameworks):
    """The version, when the program has been ended."""
    os.kill(here, signal.SIGINT)
    os.kill(here, signal.SIGINT)
    time.sleep(1)
    ends.append(len(frameworks))
    return "1"


ends, version, ulpscope.in_process.source.version = [], ulpscope.in_process.source.version, ended
raises(KeyboardInterrupt, "", lambda quiet: in_process(mine.plain))
ulpscope.in_process.source.version = version
say(ends == [1], "where the program ends before it was answered, and interrupts do not raise but in functions", ends)


def patient(v):
    patients.append(v)
    if len(patients) == 40:
        os.kill(here, signal.SIGINT)
    time.sleep(0.02)
    return math.fsum(v)


patients = []
cut = in_process(patient, permutations=1000)
say(cut.interrupted and 0 < cut.cases.measured < 1001 and "raised" not in cut.notes and signal.getsignal(signal.SIGINT) is signal.default_int_handler,
    "an interrupt lets the function end, and keeps what was measured", (cut.status, cut.notes))


def endless(v):
    os.kill(here, signal.SIGINT)
    os.kill(here, signal.SIGINT)
    time.sleep(1000)


raises(KeyboardInterrupt, "", lambda quiet: in_process(endless))
late = in_process([lambda v: time.sleep(3) or 0.0, "naive"], timeout="1")
say(late.status == 3 and "did not answer within 1 s" in late.notes and late.table()[0].method == "plain/serial@binary64", "one that takes too long is given up", late.notes)
saved = pathlib.Path(kept.save("saved")) / "here.py"
done = subprocess.run([PROGRAM, "run", "--python", saved, "-m", "here/*", "-d", "uniform:n=5"], capture_output=True, text=True, check=False)
say(done.returncode == 2 and "its functions are in the process that asked" in done.stderr, "its file says what it lacks", done.stderr)

# ---- names, an interrupt, notes ----
raises(TypeError, "found trails; did you mean trials, Trials of each", ulpscope.run, "naive", "uniform:n=5", trails=3)
raises(TypeError, "run: expected one of .*, found output$", ulpscope.run, "naive", "uniform:n=5", output="x")
raises(ValueError, 'trials: "x" is not a number', ulpscope.run, "naive", "uniform:n=5", trials="x")
raises(ValueError, "nope", ulpscope.run, "nope", "uniform:n=5")
raises(ValueError, "cannot be given", ulpscope.run, "naive\0", "uniform:n=5")
for name in ulpscope.ANSWERS:
    say(name in dir(ulpscope) and getattr(ulpscope, name).__doc__, f"{name} is listed and documented")
notes = io.StringIO()
with contextlib.redirect_stderr(notes):
    ulpscope.run("naive", "uniform:n=5", trials=1, speed=0)
say("device: " in notes.getvalue(), "notes are passed on", notes.getvalue())
silent = io.StringIO()
with contextlib.redirect_stderr(silent):
    quietly = ulpscope.run("naive", "uniform:n=5", trials=1, speed=0, quiet=True)
say(not silent.getvalue() and "device: " in quietly.notes, "but for quiet=True, which keeps them in .notes", silent.getvalue())
with contextlib.redirect_stderr(silent), contextlib.suppress(ValueError):
    ulpscope.run("nope", "uniform:n=5")
say(not silent.getvalue(), "what an exception says is not said twice", silent.getvalue())


class Interrupted(subprocess.Popen):
    """An interrupt comes when the program runs, and is not known yet."""

    def __init__(self, *words, **named):
        super().__init__(*words, **named)
        started.append(self)
        signal.raise_signal(signal.SIGINT)


def left_running():
    """Whether a run that is interrupted at its start leaves the program behind."""
    started.clear()
    with contextlib.suppress(KeyboardInterrupt):
        say(measured("naive", "uniform:n=16Ki", trials=10**6, jobs=1).interrupted, "an interrupt at the start is one")
    (process,) = started
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(1)
    was = process.poll() is None
    process.kill()
    process.wait()
    process.stderr.close()
    return was


started, held_back, asking = [], ulpscope.asking.held_back, ulpscope.asking
popen, asking.subprocess.Popen = subprocess.Popen, Interrupted
say(not left_running() and signal.getsignal(signal.SIGINT) is signal.default_int_handler, "an interrupt while the program is started ends it")
asking.held_back = lambda: contextlib.nullcontext([])
say(left_running(), "which is noticed where it does not")
asking.held_back, asking.subprocess.Popen = held_back, popen
timer = threading.Timer(3, os.kill, (os.getpid(), signal.SIGINT))
timer.start()
kept = measured("naive", "uniform:n=16Ki", trials=10**6, jobs=1)
say(kept.interrupted and kept.status == 130 and 0 < kept.cases.measured < 10**6, "an interrupt keeps what was measured", (kept.status, kept.text))
say(sum(row.count for row in kept.table()) == kept.cases.measured and not other.interrupted, "as a run that says so")

# ---- other commands ----
answers = {
    "exact": ulpscope.exact(x, quiet=True), "attack": ulpscope.attack(mine.plain, n=8, budget=300, quiet=True),
    "determinism": ulpscope.determinism(mine.plain, x, across="repeat", quiet=True), "probe": ulpscope.probe(mine.plain, n=8, quiet=True),
    "explain": ulpscope.explain("naive", "tree", "uniform:n=20", quiet=True), "blame": ulpscope.blame("naive", x, quiet=True, format="binary64"),
    "lesson": ulpscope.lesson("rounding", quiet=True)}
for name, answer in answers.items():
    say(answer.status == 0 and repr(answer) == answer.text.rstrip() != "" and answer._repr_html_().startswith(("<pre", "<iframe")), f"{name} answers", answer)
say(float.fromhex(answers["exact"].nearest.binary64["value"] if isinstance(answers["exact"].nearest.binary64, dict) else answers["exact"].nearest.binary64) == math.fsum(x),
    "exact has the sum", answers["exact"].nearest)
say(answers["blame"].plot().startswith("<svg") and answers["probe"].plot().startswith("<svg"), "blame and probe draw")
raises(ValueError, "draws nothing", lambda quiet: answers["exact"].plot())
raises(AttributeError, "expected one of .*, found nothing_such", lambda quiet: answers["exact"].nothing_such)

os.chdir("/")
folder.cleanup()
print(failures, "failures")
sys.exit(failures > 0)
