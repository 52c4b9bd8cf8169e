"""Sums of frameworks, each where it is installed: KIND, KIND_product, and bad_KIND, which writes to its input where one can."""

import importlib.util

import ulpscope


def has_gpu():
    import torch

    return torch.cuda.is_available()


def declare(kind, name, write):
    """Methods KIND (in several formats), KIND_product and bad_KIND."""

    def total(x):
        return x.sum()

    def product(a, b):
        return a @ b

    def bad(x):
        write(x)
        return x.sum()

    for format in ("binary32", "binary16", "bfloat16"):
        if (kind, format) != ("cupy", "bfloat16"):
            ulpscope.method(format=format, arrays=kind)(total)
    ulpscope.method("matmul", arrays=kind)(product)
    globals().update({name: total, f"{name}_product": product})
    if write:
        globals()[f"bad_{name}"] = ulpscope.method(arrays=kind)(bad)


if importlib.util.find_spec("ml_dtypes"):
    declare("numpy", "numpy", None)

if importlib.util.find_spec("torch"):
    declare("torch", "torch", lambda x: x.mul_(2))
    if has_gpu():
        declare("torch:cuda", "torch_cuda", lambda x: x.mul_(2))

        @ulpscope.method(arrays="torch:cuda")
        def bad_index(x):
            return x[x.long() + 1_000_000_000].sum()

if importlib.util.find_spec("cupy"):
    declare("cupy", "cupy", lambda x: x.fill(0))

if importlib.util.find_spec("jax"):
    declare("jax", "jax", None)
