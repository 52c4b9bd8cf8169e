"""Arrays on a GPU: sums, rows and products of PyTorch, CuPy and jax held to their limits; prints what passed and how long it took.

    on_gpu.py [N]    N: size of matrices, 1024 without; ULPSCOPE_LIBRARY names the library

Exit status: 77 where no framework has a GPU; 1 where something is not as it should be.
"""

import importlib
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python"))

import ulpscope

N = int(sys.argv[1]) if len(sys.argv) > 1 else 1024
FORMATS = ("float64", "float32", "float16", "bfloat16")
failures, tried = 0, 0


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


def check(name, matrix, product, row_sums, total, without_last):
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
        fails(f"{name} {dtype}: assert_sum without the last {N} elements fails", ulpscope.assert_sum, total(without_last(x)), x)
        passes(f"{name} {dtype}: assert_rows", ulpscope.assert_rows, row_sums(a), a)
        passes(f"{name} {dtype}: assert_rows of columns, a stride", ulpscope.assert_rows, row_sums(a.T), a.T)
        passes(f"{name} {dtype}: assert_matmul of {N}^3", ulpscope.assert_matmul, product(a, b), a, b)
        fails(f"{name} {dtype}: assert_matmul of factors exchanged fails", ulpscope.assert_matmul, product(b, a), a, b)


def on_torch(torch):
    if not torch.cuda.is_available():
        return "PyTorch sees no GPU"
    torch.backends.cuda.matmul.allow_tf32 = False
    for name in ("allow_fp16_reduced_precision_reduction", "allow_bf16_reduced_precision_reduction"):
        setattr(torch.backends.cuda.matmul, name, False)

    def matrix(seed, dtype):
        generator = torch.Generator("cuda").manual_seed(seed)
        return (torch.rand(N, N, generator=generator, device="cuda") + 0.5).to(getattr(torch, dtype))

    check("torch", matrix, lambda a, b: a @ b, lambda a: a.sum(dim=1), lambda x: x.sum(), lambda x: x[:-N])
    x = torch.rand(N, device="cuda", requires_grad=True)
    passes("torch: assert_sum of a tensor with a gradient", ulpscope.assert_sum, x.sum(), x)
    return ""


def on_cupy(cupy):
    if not cupy.cuda.runtime.getDeviceCount():
        return "CuPy sees no GPU"

    def matrix(seed, dtype):
        if dtype == "bfloat16":
            return None
        return (cupy.random.RandomState(seed).rand(N, N) + 0.5).astype(dtype)

    check("cupy", matrix, lambda a, b: a @ b, lambda a: a.sum(axis=1), lambda x: x.sum(), lambda x: x[:-N])
    return ""


def on_jax(jax):
    if jax.default_backend() != "gpu":
        return "jax sees no GPU"
    jax.config.update("jax_enable_x64", True)

    def matrix(seed, dtype):
        return jax.random.uniform(jax.random.PRNGKey(seed), (N, N), "float32", 0.5, 1.5).astype(dtype)

    def product(a, b):
        return jax.numpy.matmul(a, b, precision=jax.lax.Precision.HIGHEST)

    check("jax", matrix, product, lambda a: a.sum(axis=1), lambda x: x.sum(), lambda x: x[:-N])
    return ""


for name, function in (("torch", on_torch), ("cupy", on_cupy), ("jax", on_jax)):
    try:
        why = function(importlib.import_module(name))
    except ImportError as error:
        why = f"{name}: {error}"
    if why:
        print("-    ", why)
print(f"{tried} formats, {failures} failures")
sys.exit(77 if not tried else failures > 0)
