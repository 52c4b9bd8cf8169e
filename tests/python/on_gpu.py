"""Arrays on a GPU: sums, rows and products of PyTorch, CuPy and jax held to their limits; prints what passed and how long it took.

    on_gpu.py [N] [--host]    N: size of matrices, 1024 without; ULPSCOPE_LIBRARY names the library
                              --host: arrays of PyTorch and jax on the host, to try this script

Exit status: 77 where no framework has a GPU; 1 where something is not as it should be.
"""

import contextlib
import importlib
import os
import pathlib
import sys
import tempfile
import time
import warnings

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python"))

import ulpscope

ON_HOST = "--host" in sys.argv
N = int(next(filter(str.isdigit, sys.argv), 1024))
LEAST, MOST = 2 / N, 6 / N  # of elements, so that no sum of N * N overflows binary16
FORMATS = ("float64", "float32", "float16", "bfloat16")
failures, tried = 0, 0
cases = tempfile.TemporaryDirectory(prefix="ulpscope_on_gpu.")
os.environ["ULPSCOPE_CASES"] = cases.name
warnings.simplefilter("ignore", ulpscope.VacuousTestWarning)


def say(fine, what, seconds, found=""):
    global failures
    failures += not fine
    print(f"{'OK  ' if fine else 'FAIL'}  {what:<60} {1e3 * seconds:9.2f} ms  {found if not fine else ''}", flush=True)


def passes(what, function, *arguments, **named):
    began = time.perf_counter()
    try:
        function(*arguments, **named)
        error = ""
    except Exception as raised:
        error = f"{type(raised).__name__}: {raised}"
    say(not error, what, time.perf_counter() - began, error)


def fails(what, function, *arguments, **named):
    began = time.perf_counter()
    try:
        function(*arguments, **named)
        found = "it passed"
    except AssertionError:
        found = ""
    except Exception as raised:
        found = f"{type(raised).__name__}: {raised}"
    say(not found, what, time.perf_counter() - began, found)


def check(name, matrix, product, row_sums, total):
    """matrix(seed, dtype): of N x N on the GPU, and None for a dtype that there is not."""
    global tried
    for dtype in FORMATS:
        a, b = matrix(1, dtype), matrix(2, dtype)
        if a is None:
            print(f"-     {name} has no {dtype}")
            continue
        tried += 1
        x = a.reshape(-1)
        passes(f"{name} {dtype}: assert_sum of {N * N}", ulpscope.assert_sum, total(x), x)
        fails(f"{name} {dtype}: assert_sum of half of it fails", ulpscope.assert_sum, total(x[: N * N // 2]), x)
        passes(f"{name} {dtype}: assert_rows", ulpscope.assert_rows, row_sums(a), a)
        passes(f"{name} {dtype}: assert_rows of columns, a stride", ulpscope.assert_rows, row_sums(a.T), a.T)
        passes(f"{name} {dtype}: assert_matmul of {N}^3", ulpscope.assert_matmul, product(a, b), a, b)
        fails(f"{name} {dtype}: assert_matmul of factors exchanged fails", ulpscope.assert_matmul, product(b, a), a, b)


def on_torch(torch):
    device = "cpu" if ON_HOST else "cuda"
    if not ON_HOST and not torch.cuda.is_available():
        return "PyTorch sees no GPU"
    torch.backends.cuda.matmul.allow_tf32 = False
    for name in ("allow_fp16_reduced_precision_reduction", "allow_bf16_reduced_precision_reduction"):
        with contextlib.suppress(AttributeError, AssertionError):  # of versions that have it
            setattr(torch.backends.cuda.matmul, name, False)

    def matrix(seed, dtype):
        generator = torch.Generator(device).manual_seed(seed)
        return (torch.rand(N, N, generator=generator, device=device) * (MOST - LEAST) + LEAST).to(getattr(torch, dtype))

    check("torch", matrix, lambda a, b: a @ b, lambda a: a.sum(dim=1), lambda x: x.sum())
    x = torch.rand(N, device=device, requires_grad=True)
    passes("torch: assert_sum of a tensor with a gradient", ulpscope.assert_sum, x.sum(), x)
    return ""


def on_cupy(cupy):
    if ON_HOST or not cupy.cuda.runtime.getDeviceCount():
        return "CuPy sees no GPU"

    def matrix(seed, dtype):
        if dtype == "bfloat16":
            return None
        return (cupy.random.RandomState(seed).rand(N, N) * (MOST - LEAST) + LEAST).astype(dtype)

    def total(x, **of):
        return x.sum(dtype="float32" if x.dtype == "float16" else x.dtype, **of).astype(x.dtype)

    check("cupy", matrix, lambda a, b: a @ b, lambda a: total(a, axis=1), total)
    a = matrix(1, "float16")
    fails("cupy float16: rows that CuPy adds in binary16 fail", ulpscope.assert_rows, a.sum(axis=1), a)
    return ""


def on_jax(jax):
    if not ON_HOST and jax.default_backend() != "gpu":
        return "jax sees no GPU"
    jax.config.update("jax_enable_x64", True)

    def matrix(seed, dtype):
        return jax.random.uniform(jax.random.PRNGKey(seed), (N, N), "float32", LEAST, MOST).astype(dtype)

    def product(a, b):
        return jax.numpy.matmul(a, b, precision=jax.lax.Precision.HIGHEST)

    check("jax", matrix, product, lambda a: a.sum(axis=1), lambda x: x.sum())
    return ""


for name, function in (("torch", on_torch), ("cupy", on_cupy), ("jax", on_jax)):
    try:
        why = function(importlib.import_module(name))
    except ImportError as error:
        why = f"{name}: {error}"
    except Exception as error:
        why = ""
        say(False, name, 0, f"{type(error).__name__}: {error}")
    if why:
        print("-    ", why)
print(f"{tried} formats, {failures} failures")
sys.exit(77 if not tried else failures > 0)
