"""How JAX sums on a GPU, compiled by XLA."""

import os

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")

import jax
import ulpscope


def every(*formats):
    def declare(function):
        for format in formats:
            ulpscope.method(format=format, arrays="jax", deterministic=True)(function)
        return function

    return declare


@every("binary32", "binary16", "bfloat16")
@jax.jit
def sum(x):
    """jax.jit of jax.numpy.sum."""
    return jax.numpy.sum(x)


@every("binary32")
@jax.jit
def cumsum(x):
    """The last of jax.numpy.cumsum."""
    return jax.numpy.cumsum(x)[-1]


@every("binary32")
@jax.jit
def dot(x):
    """jax.numpy.dot with ones."""
    return jax.numpy.dot(x, jax.numpy.ones_like(x))
