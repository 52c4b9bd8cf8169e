"""Softmax, log-softmax, logsumexp and prefix sums of NumPy, SciPy, PyTorch, JAX and CuPy against exact results.  What is not
installed is not measured.

    PYTHONPATH=../../python venv/bin/python rows.py ulpscope
    ULPSCOPE_PYTHON=venv/bin/python ulpscope tree --probe rows/torch_cumsum --python rows.py -n 300 --summary

The largest error on each data set, in u of what errors of the operation are relative to (docs/reference.md); the same bits
in a batch of 64 rows; and which of our scans has all bits of a prefix sum.
"""

import csv
import hashlib
import importlib
import importlib.util
import os
import subprocess
import sys
import tempfile

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import ulpscope


def installed(name):
    return importlib.import_module(name) if importlib.util.find_spec(name.split(".")[0]) else None


numpy, special, torch, jax, cupy = map(installed, ("numpy", "scipy.special", "torch", "jax", "cupy"))

ROWS = ("normal:n=4096,sd=3", "logits:n=4096", "logits:n=131072")
DATA = {"softmax": ROWS, "log_softmax": ROWS, "logsumexp": ROWS,
        "scan": ("uniform:n=4096", "uniform:n=1048576", "gensum:n=4096,cond=1e8")}
PRECISION = {"binary32": 24, "bfloat16": 8, "binary16": 11}
LEAST = {"binary32": 2.0 ** -126, "bfloat16": 2.0 ** -126, "binary16": 2.0 ** -14}  # normal numbers
measured = []  # (operation, name, format, function of rows of numpy's binary32 that gives such)


def measure(operation, name, format="binary32"):
    def declare(function):
        measured.append((operation, name, format, function))
        return function

    return declare


def one_by_one(function):
    return lambda x: numpy.stack([function(row) for row in x])


measure("softmax", "numpy: e / e.sum()")(lambda x: (e := numpy.exp(x - x.max(-1, keepdims=True))) / e.sum(-1, keepdims=True))
measure("logsumexp", "numpy.logaddexp.reduce")(lambda x: numpy.logaddexp.reduce(x, axis=-1))
measure("scan", "numpy.cumsum")(lambda x: numpy.cumsum(x, axis=-1))

if special:
    measure("softmax", "scipy.special.softmax")(lambda x: special.softmax(x, axis=-1))
    measure("log_softmax", "scipy.special.log_softmax")(lambda x: special.log_softmax(x, axis=-1))
    measure("logsumexp", "scipy.special.logsumexp")(lambda x: special.logsumexp(x, axis=-1))

if torch:
    for format, dtype in (("binary32", torch.float32), ("bfloat16", torch.bfloat16), ("binary16", torch.float16)):
        for operation, name, function in (("softmax", "torch.softmax", torch.softmax), ("log_softmax", "torch.log_softmax", torch.log_softmax),
                                          ("logsumexp", "torch.logsumexp", torch.logsumexp), ("scan", "torch.cumsum", torch.cumsum)):
            measure(operation, name, format)(
                lambda x, function=function, dtype=dtype: function(torch.from_numpy(x).to(dtype), -1).float().numpy())

    @ulpscope.method("sum", deterministic=True)
    def torch_cumsum(x):
        return torch.cumsum(torch.tensor(x), 0)[-1].item()

if jax:
    for operation, name, function in (("softmax", "jax.nn.softmax, jit", jax.nn.softmax), ("log_softmax", "jax.nn.log_softmax, jit", jax.nn.log_softmax),
                                      ("logsumexp", "jax.nn.logsumexp, jit", jax.nn.logsumexp), ("scan", "jax.numpy.cumsum, jit", jax.numpy.cumsum),
                                      ("scan", "jax.lax.associative_scan", lambda x, axis: jax.lax.associative_scan(jax.numpy.add, x, axis=axis))):
        measure(operation, name)(lambda x, made=jax.jit(function, static_argnames="axis"): numpy.asarray(made(x, axis=x.ndim - 1)))

    @ulpscope.method("sum", deterministic=True)
    def jax_cumsum(x):
        return float(jax.numpy.cumsum(x)[-1])

if cupy:
    measure("softmax", "cupyx.scipy.special.softmax")(lambda x: cupy.asnumpy(importlib.import_module("cupyx.scipy.special").softmax(cupy.asarray(x), axis=-1)))
    measure("log_softmax", "cupyx.scipy.special.log_softmax")(lambda x: cupy.asnumpy(importlib.import_module("cupyx.scipy.special").log_softmax(cupy.asarray(x), axis=-1)))
    measure("logsumexp", "cupyx.scipy.special.logsumexp")(lambda x: cupy.asnumpy(importlib.import_module("cupyx.scipy.special").logsumexp(cupy.asarray(x), axis=-1)))
    measure("scan", "cupy.cumsum")(lambda x: cupy.asnumpy(cupy.cumsum(cupy.asarray(x), axis=-1)))


def exact(program, operation, format):
    subprocess.run([program, "exact", "-q", f"x.npy:axis=0{'' if format == 'binary32' else ',convert=' + format}", "--operation",
                    operation, "--as", "binary64", "--output", "y.npy"], check=True)
    return numpy.load("y.npy")


def scale(operation, format, s, x):
    magnitude = abs(s)
    if operation == "logsumexp":
        magnitude = 2 * max(x.max(), 0) - x.max() + s - x.max() if x.max() < 0 else s  # |M| + L
    return numpy.maximum(magnitude, LEAST[format]) if operation == "softmax" else numpy.cumsum(abs(x.astype("f8"))) if operation == "scan" else numpy.maximum(magnitude, 1)


def scans_with_bits(program, rows):
    """Of all our scans: method -> digest of its bits."""
    subprocess.run([program, "run", "-q", "x.npy", "-m", "scan:*", "--device", "host", "--permutations", "0", "--speed", "0", "--csv", "x.csv"],
                   check=True, stdout=subprocess.DEVNULL)
    with open("x.csv", encoding="utf-8") as file:
        ours = {row["method"]: row["digest"] for row in csv.DictReader(file)}
    digest = hashlib.sha256(rows.astype("<f4").tobytes()).hexdigest()
    return {method for method in ours if ours[method] == digest}


def named(bits):
    """Methods with all bits; exact sums are one name."""
    return "" if bits is None else "correctly rounded" if "scan:superacc/serial" in bits else " ".join(sorted(bits)[:3]) or "none of ours"


def row_of(program, operation, name, format, function):
    errors, same, bits = [], True, None
    for data in DATA[operation]:
        subprocess.run([program, "gen", "-q", data, "-o", "x.npy"], check=True)
        x = numpy.load("x.npy")
        if format == "binary16" and (abs(x).sum() if operation == "scan" else abs(x).max()) > 60000:  # beyond its range
            errors.append("-")
            continue
        s, found = exact(program, operation, format), function(x[None])[0]
        with numpy.errstate(invalid="ignore", divide="ignore"):
            off = numpy.where(s == 0, 0, abs(found.astype("f8") - s) / scale(operation, format, s, x) * 2.0 ** PRECISION[format])
        errors.append(f"{numpy.max(off):.3g}")
        same = same and function(numpy.repeat(x[None], 64, 0))[17].tobytes() == found.tobytes()
        if operation == "scan" and format == "binary32" and len(x) == 4096:
            ours = scans_with_bits(program, found)
            bits = ours if bits is None else bits & ours
    return f"| {operation} | {name}{'' if format == 'binary32' else ', ' + format} | {' '.join(errors)} | {'yes' if same else 'no'} | {named(bits)} |"


if __name__ == "__main__":
    program = sys.argv[1] if os.sep not in sys.argv[1] else os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        print("| operation | function | largest error, in u, on three data sets | same bits in a batch | bits of |\n|---|---|--:|---|---|")
        for of in measured:
            print(row_of(program, *of), flush=True)
        os.chdir("/")
