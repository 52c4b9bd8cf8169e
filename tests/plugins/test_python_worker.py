"""python/ulpscope alone: formats, numbers, arrays, what each bad function is answered with; ulpscope's part is parent.py.

    test_python_worker.py SOURCE_DIRECTORY
"""

import array
import fractions
import importlib.util
import math
import pathlib
import random
import re
import struct
import sys
import tempfile

from parent import BITS, BROKEN, CANNOT, FAILED, PYTHON, READY, REFUSED, UNABLE, VALUES, Gone, Worker

sys.path.insert(0, str(PYTHON))
import ulpscope
from ulpscope import arrays

SOURCE = pathlib.Path(sys.argv[1]).resolve()
FUNCTIONS = SOURCE / "tests/plugins/functions"
HAS_NUMPY = importlib.util.find_spec("numpy") is not None
failures = 0


def say(fine, what, found=""):
    global failures
    failures += not fine
    print("ok   " if fine else "FAIL ", what, "" if fine else found)


def floats(*x):
    return struct.pack(f"<{len(x)}f", *x)


# ---- formats ----
for stored, code in (("binary16", "e"), ("bfloat16", "f"), ("e5m2", "e")):
    size = arrays.SIZES[stored]
    wide = struct.calcsize(code)
    every = b"".join(bits.to_bytes(size, "little") for bits in range(256**size))
    found = arrays.decode(stored, memoryview(every))
    expected = [struct.unpack("<" + code, bytes(wide - size) + every[i : i + size])[0] for i in range(0, len(every), size)]
    say(array.array("d", found).tobytes() == array.array("d", expected).tobytes(), f"every number of {stored} is what it is")
say([arrays.E4M3[byte] for byte in (0x01, 0x08, 0x38, 0x7E, 0xFE)] == [2**-9, 2**-6, 1, 448, -448]
    and sum(map(math.isnan, arrays.E4M3)) == 2, "e4m3 ends at 448 and has a NaN of each sign")

chance = random.Random(1)
doubles = [struct.unpack("<d", chance.randbytes(8))[0] for _ in range(20000)]
doubles += [math.ldexp(chance.random() - 0.5, chance.randrange(-160, 130)) for _ in range(20000)]
doubles += [math.ldexp(chance.randrange(1 << 26), chance.randrange(-180, 110)) for _ in range(20000)]  # halfway, often
for format, code, beyond in (("binary32", "<f", 3.4028235677973366e38), ("binary16", "<e", 65520.0)):
    wrong = [x for x in doubles if math.isfinite(x)
             and arrays.encode(format, x) != struct.pack(code, x if abs(x) < beyond else math.copysign(math.inf, x))]
    say(not wrong, f"a number rounded to {format} is what struct makes of it", wrong[:3])
for x, bits in ((1 + 2**-8, 0x3F80), (1 + 3 * 2**-8, 0x3F82), (1 + 2**-8 + 2**-40, 0x3F81), (2.0**128 * (1 - 2**-9), 0x7F80),
                (2**-134, 0), (-(2**-134) * 1.001, 0x8001), (-0.0, 0x8000)):
    say(arrays.encode("bfloat16", x) == struct.pack("<H", bits), f"{x.hex()} is {bits:#06x} in bfloat16", arrays.encode("bfloat16", x))

wrong = [(stored, byte) for stored in ("e4m3", "e5m2") for byte in range(256) for x in arrays.decode(stored, memoryview(bytes([byte])))
         if x == x and arrays.encode(stored, x) != bytes([byte])]
say(not wrong and [arrays.encode("e4m3", x) for x in (17, 1e3, math.nan)] == [b"\x58", b"\x7f", b"\x7f"], "numbers of 8 bits keep theirs", wrong)

rows = re.findall(r"^SUM_FORMAT\((\w+), (\w+), \w+, (\w+)", (SOURCE / "kernels/formats.def").read_text(), re.M)
wrong = [row for row in rows for of in [ulpscope.declare(sum, format=row[0])] if (of.stored, of.result) != row[1:]]
say(len(rows) > 9 and not wrong, f"{len(rows)} formats of kernels/formats.def are stored and returned as it says", wrong)

# ---- results ----
exact = fractions.Fraction(1) + fractions.Fraction(1, 2**24) + fractions.Fraction(1, 2**80)
say(struct.pack("<f", arrays.number(exact, "binary32")) == struct.pack("<f", 1 + 2**-23), "a fraction is rounded once")
say(struct.pack("<f", float(exact)) == struct.pack("<f", 1.0), "twin: by way of binary64 it is rounded twice")
say(arrays.number(exact, "binary64") == 1 + 2**-24, "a fraction is rounded to binary64")
say(arrays.number(10**400, "binary32") == math.inf and arrays.number(-(10**400), "binary32") == -math.inf, "10^400 is infinite")
say(arrays.number(2**70 + 1, "binary32") > 2**70, "an integer keeps on which side of a number it is")

# ---- declarations ----
say(ulpscope.method(arrays="list")(math.fsum) is math.fsum and ulpscope.method(sum) is sum, "a declared function is itself")
for words, how in (("arrays of list, numpy", {"arrays": "lists"}), ("a format of binary64", {"format": "float31"}),
                   ("a bound", {"bound": "in any order"}), ("lengths from 1", {"lengths": [0]})):
    try:
        ulpscope.method(**how)(sum)
        say(False, f"{how} is refused")
    except ValueError as error:
        say(f"expected {words}" in str(error) and "found" in str(error), f"{how} is refused", error)

# ---- good functions ----
ODD = floats(1, 2.5, -4, 1e8, 1)
with Worker(FUNCTIONS / "good.py") as worker:
    methods = worker.ready.text["methods"]
    say(worker.ready.text["name"] == "good" and worker.ready.text["version"].startswith("1.0, Python 3.")
        and not worker.ready.text["warnings"], "a file has a name and versions", worker.ready)
    say(methods[0] == {"name": "builtin", "operation": "sum", "format": "binary32", "deterministic": True, "bound": "any_order",
                       "claim": "Python's sum, of binary64"}, "a method is as it is declared", methods[0])
    say(len({(one["operation"], one["format"]) for one in methods if one["name"] == "fsum"}) == 5, "a function may have five formats")
    say(worker.value("builtin", ODD) == 1e8 + 0.5, "a sum of binary32")
    for window in (0, 1):
        say(worker.value("builtin", ODD, again=True, window=window) == 1e8 + 0.5, f"the same through window {window}")
    say(worker.value("pairwise", struct.pack("<3d", 1, 2, 2**-50), element=8) == 3 + 2**-50, "a sum of binary64")
    say(worker.value("products", *2 * [struct.pack("<3d", 1, 2, 3)], element=8) == 14, "a dot product")
    answer = worker.ask("product", floats(1, 2, 3, 4, 5, 6), floats(1, 0, 0, 1, 2**-24, 1), shape=(2, 3, 2))
    say(answer.kind == BITS and answer.data == floats(1 + 2**-22, 5, 4 + 2**-21, 11), "a matrix product", answer)
    answer = worker.ask("rows", floats(1, 2, 2**-24, 4, 5, 6), shape=(2, 3, 0))
    say(answer.kind == BITS and answer.data == floats(3, 15), "the rows of a batch", answer)
    say(methods[worker.methods.index("rows")].get("rows") is True and "rows" not in methods[0], "and says that it takes them", methods)
    answer = worker.ask("builtin", ODD, offset=4)
    say((answer.kind, answer.text) == (UNABLE, "takes lists of Python, which lie anywhere"), "a list has no alignment", answer)
say(worker.said == ["", ""], "a worker that is no longer asked ends without a word", worker.said)

with Worker(f"{FUNCTIONS / 'good.py'}:undeclared") as worker:
    if HAS_NUMPY:
        say(worker.ask("undeclared", ODD).kind == VALUES, "a bare function takes arrays of NumPy")
    else:
        say(worker.value("undeclared", ODD) == 1e8 + 0.5, "a bare function takes a list where there is no NumPy")

# ---- bad functions, each with its good twin ----
ANSWERS = [  # of NAME: REFUSED, FAILED, BROKEN or the status that the worker ends with, and what is said
    ("bad.py", "raise", REFUSED, r"raised KeyError: 'no such sum' \(bad\.py:\d+\)"),
    ("bad.py", "interrupt", REFUSED, r"raised KeyboardInterrupt \(bad\.py:\d+\)"),
    ("bad.py", "sys_exit", REFUSED, r"called sys\.exit\(0\) \(bad\.py:\d+\)"),
    ("bad.py", "exit", 0, ""),
    ("bad.py", "abort", -6, "Aborted"),
    ("bad.py", "kill", -9, ""),
    ("bad.py", "address", -11, "Segmentation fault"),
    ("bad.py", "none", FAILED, "returned None; expected one number"),
    ("bad.py", "rows", FAILED, r"returned float32 of shape \(1,\); expected float32 of shape \(2,\)"),
    ("bad.py", "text", FAILED, "returned '100000000.5'; expected one number"),
    ("bad.py", "pair", FAILED, r"returned \[100000000.5, 0.0\]; expected one number"),
    ("bad.py", "truth", FAILED, "returned False; expected one number"),
    ("bad.py", "complex", FAILED, r"returned \(100000000.5\+0j\); expected one number"),
    ("bad.py", "recursion", REFUSED, r"raised RecursionError: .* \(bad\.py:\d+\)"),
    ("bad.py", "write", FAILED, "wrote to its input"),
    ("bad.py", "length", FAILED, "wrote to its input"),
    ("bad.py", "close", 1, "Bad file descriptor"),
    ("bad.py", "rounding", FAILED, "changed the rounding mode, to upward"),
    ("bad.py", "subnormals", FAILED, r"changed how subnormal numbers are treated \(FTZ or DAZ: they become 0\)"),
    ("bad_numpy.py", "two", FAILED, r"returned an array of shape \(2,\); expected one number"),
    ("bad_numpy.py", "write", REFUSED, r"raised ValueError: assignment destination is read-only \(bad_numpy\.py:\d+\)"),
    ("bad_numpy.py", "write_behind", -11, "Segmentation fault"),
    ("bad_numpy.py", "read_behind", -11, "Segmentation fault"),
    ("bad_numpy.py", "type", FAILED, r"returned float64 of shape \(2, 1\); expected float32 of shape \(2, 1\)"),
    ("bad_numpy.py", "shape", FAILED, r"returned float32 of shape \(1, 2\); expected float32 of shape \(2, 1\)"),
    ("bad_numpy.py", "number", FAILED, r"returned float32 of shape \(\); expected float32 of shape \(2, 1\)"),
]


def is_answered(file, name, kind, words):
    """Whether a call of the function is answered with this."""
    with Worker(FUNCTIONS / file) as worker:
        of = worker.ready.text["methods"][worker.methods.index(name)]
        is_matrix = of["operation"] == "matmul"
        try:
            found = (worker.ask(name, floats(1, 2), floats(3), shape=(2, 1, 1)) if is_matrix else
                     worker.ask(name, floats(1, 2, 3, 4), shape=(2, 2, 0)) if of.get("rows") else worker.ask(name, ODD))
            code, text = found.kind, found.text
        except Gone as gone:
            code, text = gone.args[0], None
    say(code == kind and re.search(words, worker.said[1] if text is None else text), f"{file}: {name} is {words or kind}",
        (code, text, worker.said))


for file, name, kind, words in ANSWERS:
    if "numpy" in file and not HAS_NUMPY:
        print("skip ", f"{file}: {name}: no NumPy")
        continue
    is_answered(file, f"bad_{name}", kind, words)
    is_answered(file, f"good_{name}", BITS if name in ("type", "shape", "number", "rows") else VALUES, "")

with Worker(FUNCTIONS / "bad.py") as worker:
    found = [worker.ask(f"bad_{name}", ODD).kind for name in ("raise", "sys_exit", "rounding", "write")]
    say(found == [REFUSED, REFUSED, FAILED, FAILED] and worker.value("good_none", ODD) == 1e8 + 0.5, "a worker goes on after a call that failed")
    worker.ask("good_print", ODD)
say(worker.said[0] == "hello from 5\n", "what a function prints is the worker's own output", worker.said)

# ---- files that cannot be loaded, and one that changes how subnormals are treated ----
FILES = [  # what the file has, the function, what is said
    (None, "", "expected a file of Python, found no .*/it.py: No such file or directory"),
    ("", "", "expected functions behind @ulpscope.method in .*/it.py, found none; name one, it.py:FUNCTION"),
    ("def other(x): return 0", ":my_sum", "expected a function my_sum in .*/it.py, found other"),
    ("my_sum = 3", ":my_sum", "expected a function my_sum in .*/it.py, found 3"),
    ("x = 1\nimport nothing_of_this_name", "", r"it.py raised ModuleNotFoundError: No module named 'nothing_of_this_name' \(it.py:2\) when"),
    ("x = 1\n\ndef f(x:\n", "", r"it.py raised SyntaxError: .* \(it.py:3\) when it was imported"),
    ("raise SystemExit", "", r"it.py called sys.exit\(\) \(it.py:1\) when it was imported"),
    ("import ulpscope\nf = ulpscope.method(arrays='tensors')(sum)", "",
     r"it.py raised ValueError: expected arrays of list, .*, found 'tensors' \(it.py:2\)"),
    ("import ulpscope, sys\nsys.modules['torch'] = None\nf = ulpscope.method(arrays='torch')(sum)", "",
     "f: expected arrays of torch in binary32, found ModuleNotFoundError: "),
]
with tempfile.TemporaryDirectory() as folder:
    file = pathlib.Path(folder, "it.py")
    for text, function, words in FILES:
        if text is not None:
            file.write_text(text)
        with Worker(f"{file}{function}") as worker:
            found = worker.ready
        say(found.kind == CANNOT and re.search(words, found.text), f"{text!r}{function} is refused", found)
    file.write_text("import math, ulpscope\nf = ulpscope.method(arrays='list')(math.fsum)")
    with Worker(file) as worker:
        say(worker.ready.kind == READY and worker.methods == ["f"], "twin: a sound one is not", worker.ready)

    file.write_text(f"import sys\nsys.path.append({str(FUNCTIONS)!r})\nimport bad\nbad.flush_subnormals()\ndef f(x): return sum(x)")
    with Worker(f"{file}:f") as worker:
        warnings = worker.ready.text["warnings"]
        say(len(warnings) == 1 and "importing it.py changed how subnormal numbers are treated" in warnings[0]
            and "calls are made without" in warnings[0], "an import that flushes subnormals is told", worker.ready)
        say(worker.ask("f", floats(2**-149, 0)).kind == VALUES, "and undone")

# ---- frameworks, those that are here ----
IN_FORMATS = {"binary32": floats(1, 2.5, -4, 1e8, 1), "binary16": struct.pack("<5e", 1, 2.5, -4, 2048, 1),
              "bfloat16": struct.pack("<5H", 0x3F80, 0x4020, 0xC080, 0x4500, 0x3F80)}
with Worker(FUNCTIONS / "frameworks.py") as worker:
    if worker.ready.kind == CANNOT:
        print("skip ", "no ml_dtypes, torch, cupy or jax:", worker.ready.text)
    for place, one in enumerate(worker.ready.text["methods"] if worker.methods else []):
        name, format = one["name"], one["format"]
        if name.startswith("bad"):
            continue
        if one["operation"] == "matmul":
            answer = worker.ask(place, floats(1, 2, 3, 4), floats(1, 0, 1, 1), shape=(2, 2, 2))
            say(answer.kind == BITS and answer.data == floats(3, 2, 7, 4), f"{name}: a matrix product", answer)
        else:
            data = IN_FORMATS[format]
            found = worker.value(place, data, element=len(data) // 5)
            say(found in (1e8, 2048, 2049, 1e8 + 8), f"{name}: a sum of {format}", found)
    for name in [name for name in worker.methods if name.startswith("bad") and name != "bad_index"]:
        answer = worker.ask(name, floats(1, 2, 3))
        say(answer.kind == FAILED and answer.text == "wrote to its input", f"{name} wrote to its input", answer)
    if "bad_index" in worker.methods:
        answer = worker.ask("bad_index", floats(1, 2, 3))
        say(answer.kind == BROKEN and "CUDA error" in answer.text, "an error that stays on the GPU ends the worker", answer)

# ---- the study of frameworks: each of its sums adds 100 ones, and 99 of them are not 100 ----
ONE = {"binary64": struct.pack("<d", 1), "binary32": floats(1), "binary16": struct.pack("<e", 1), "bfloat16": b"\x80\x3f"}
with Worker(SOURCE / "examples/frameworks/host.py") as worker:
    for place, one in enumerate(worker.ready.text["methods"]):
        data = ONE[one["format"].partition("_")[0]]
        found = [worker.value(place, n * data, element=len(data)) for n in (100, 99)]
        say(found == [100, 99], f"frameworks/{one['name']} of {one['format']} adds ones", found)
print("of", worker.ready.text["version"])

# ---- means and variances of frameworks: small numbers, of which every algorithm has the exact result ----
CODES = {"binary64": "d", "binary32": "f", "binary16": "e"}
EXACT = {"mean": ((1, 3), 2, (1, 5), 3), "variance": ((1, 3), 1, (1, 5), 4), "std": ((1, 3), 1, (1, 5), 2),
         "sample_variance": ((1, 2, 3), 1, (2, 4, 6), 4), "sample_std": ((1, 2, 3), 1, (2, 4, 6), 2)}
with Worker(SOURCE / "examples/frameworks/host_means.py") as worker:
    held = 0
    for place, one in enumerate(worker.ready.text["methods"]):
        code = CODES.get(one["format"].partition("_")[0])
        if one["operation"] == "mean_weighted" or not code:
            continue
        x, of_x, y, of_y = EXACT[one["operation"]]
        found = [worker.value(place, struct.pack(f"<{len(of)}{code}", *of), element=8, shape=(1, len(of), 0)) for of in (x, y)]
        held += 1
        say(found == [of_x, of_y], f"frameworks/{one['operation']}:{one['name']} of {one['format']}", found)
    say(held >= 6, "Python's own are there at least", held)
sys.exit(failures > 0)
