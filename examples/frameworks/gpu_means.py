"""Means and variances of PyTorch, CuPy and JAX on a GPU.  What is not installed is not declared.

    ulpscope run --python gpu_means.py -m "variance:gpu_means/*" -d spread:n=300,kappa=1e5 --trials 20 --speed 0
"""

import importlib
import importlib.util
import os

import ulpscope

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
os.environ.setdefault("JAX_ENABLE_X64", "1")


def installed(name):
    return importlib.import_module(name) if importlib.util.find_spec(name) else None


torch, cupy, jax = map(installed, ("torch", "cupy", "jax"))


def every(operation, arrays, *formats, **declared):
    """One method of each format."""

    def declare(function):
        for format in formats:
            ulpscope.method(operation, format=format, arrays=arrays, deterministic=True, **declared)(function)
        return function

    return declare


if torch:

    @every("mean", "torch:cuda", "binary32", "binary64", "bfloat16", "binary16")
    def torch_mean(x):
        return torch.mean(x)

    @every("variance", "torch:cuda", "binary32", "binary64", "bfloat16", "binary16")
    def torch_var(x):
        """torch.var(correction=0) of all elements."""
        return torch.var(x, correction=0)

    @every("variance", "torch:cuda", "binary32", "bfloat16")
    def torch_var_row(x):
        """torch.var(dim=-1, correction=0), one row of 64."""
        return torch.var(x.repeat(64, 1), dim=-1, correction=0)[17]

    @every("variance", "torch:cuda", "binary32")
    def torch_batch_norm(x):
        """The variance of torch.nn.BatchNorm1d in training, of one channel."""
        norm = torch.nn.BatchNorm1d(1, momentum=1.0, device=x.device)
        norm(x.reshape(-1, 1))
        return norm.running_var * ((len(x) - 1) / len(x))

    @every("sample_std", "torch:cuda", "binary32", "bfloat16")
    def torch_std(x):
        return torch.std(x)

    torch_var_compiled = torch.compile(lambda x: torch.var(x, correction=0))
    every("variance", "torch:cuda", "binary32", "bfloat16", claim="torch.compile of torch.var(correction=0)",
          lengths=[100, 300, 512, 4096])(torch_var_compiled)


if cupy:

    @every("mean", "cupy", "binary32", "binary64", "binary16")
    def cupy_mean(x):
        return cupy.mean(x)

    @every("variance", "cupy", "binary32", "binary64", "binary16")
    def cupy_var(x):
        return cupy.var(x)

    @every("variance", "cupy", "binary32")
    def cupy_var_row(x):
        """cupy.var(axis=-1), one row of 64."""
        return cupy.var(cupy.tile(x, (64, 1)), axis=-1)[17]

    @every("sample_std", "cupy", "binary32")
    def cupy_std(x):
        return cupy.std(x, ddof=1)


if jax:

    @every("mean", "jax", "binary32", "binary64", "bfloat16", "binary16")
    @jax.jit
    def jax_mean(x):
        """jax.jit of jax.numpy.mean."""
        return jax.numpy.mean(x)

    @every("variance", "jax", "binary32", "binary64", "bfloat16", "binary16")
    @jax.jit
    def jax_var(x):
        """jax.jit of jax.numpy.var."""
        return jax.numpy.var(x)

    @every("variance", "jax", "binary32", "bfloat16")
    @jax.jit
    def jax_var_row(x):
        """jax.jit of jax.numpy.var(axis=-1), one row of 64."""
        return jax.numpy.var(jax.numpy.tile(x, (64, 1)), axis=-1)[17]

    @every("sample_std", "jax", "binary32")
    @jax.jit
    def jax_std(x):
        """jax.jit of jax.numpy.std(ddof=1)."""
        return jax.numpy.std(x, ddof=1)
