"""How PyTorch, CuPy, JAX and Triton sum the rows of a batch on a GPU: is row 3 of 4 the row 3 of 4,096?  What is not
installed is not declared.

    ulpscope determinism --python gpu_rows.py --across repeat,batch 'gpu_rows/*' uniform:n=4096
"""

import importlib
import importlib.util
import os

import ulpscope

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")


def installed(name):
    return importlib.import_module(name) if importlib.util.find_spec(name) else None


torch, cupy, jax, triton = map(installed, ("torch", "cupy", "jax", "triton"))


def every(arrays, *formats, **declared):
    """One method of each format."""

    def declare(function):
        for format in formats:
            ulpscope.method(format=format, arrays=arrays, rows=True, deterministic=True, **declared)(function)
        return function

    return declare


if torch:

    @every("torch:cuda", "binary32", "bfloat16")
    def torch_sum(x):
        """torch.sum(dim=-1)."""
        return torch.sum(x, dim=-1)

    @every("torch:cuda", "binary32", "bfloat16")
    def torch_matmul_ones(x):
        """A matrix times one column of ones: cuBLAS."""
        torch.backends.cuda.matmul.allow_tf32 = False
        return (x @ torch.ones(x.shape[1], 1, dtype=x.dtype, device=x.device)).reshape(-1)

    @every("torch:cuda", "binary32", operation="norm2")
    def torch_norm(x):
        """torch.linalg.vector_norm(dim=-1)."""
        return torch.linalg.vector_norm(x, dim=-1)

    @every("torch:cuda", "binary32", operation="dot")
    def torch_einsum(x, y):
        """torch.einsum("ij,ij->i")."""
        return torch.einsum("ij,ij->i", x, y)


if cupy:

    @every("cupy", "binary32")
    def cupy_sum(x):
        """cupy.sum(axis=-1)."""
        return cupy.sum(x, axis=-1)


if jax:

    @every("jax", "binary32", "bfloat16")
    @jax.jit
    def jax_sum(x):
        """jax.jit of jax.numpy.sum(axis=-1), compiled for each shape."""
        return jax.numpy.sum(x, axis=-1)


if torch and triton:
    tl = importlib.import_module("triton.language")

    @triton.jit
    def add_row(x, sums, n, BLOCK: tl.constexpr):
        row = tl.program_id(0).to(tl.int64)
        partial = tl.zeros((BLOCK,), dtype=tl.float32)
        for first in range(0, n, BLOCK):
            at = first + tl.arange(0, BLOCK)
            partial += tl.load(x + row * n + at, mask=at < n, other=0)
        tl.store(sums + row, tl.sum(partial))

    @every("torch:cuda", "binary32")
    def triton_row(x):
        """A program per row, whatever the batch."""
        sums = torch.empty(x.shape[0], device=x.device)
        add_row[(x.shape[0],)](x, sums, x.shape[1], BLOCK=1024)
        return sums
