"""How CuPy sums."""

import cupy
import ulpscope

for format in ("binary32", "binary64", "binary16"):

    @ulpscope.method(format=format, arrays="cupy", deterministic=True)
    def sum(x):
        return cupy.sum(x)


@ulpscope.method(arrays="cupy", deterministic=True)
def sum_row(x):
    """cupy.sum(axis=-1), one row of a batch of 64."""
    return cupy.sum(cupy.tile(x, (64, 1)), axis=-1)[17]


@ulpscope.method(arrays="cupy", deterministic=True)
def cumsum(x):
    """The last of cupy.cumsum."""
    return cupy.cumsum(x)[-1]


@ulpscope.method(arrays="cupy", deterministic=True)
def dot(x):
    """cupy.dot with ones: cuBLAS."""
    return cupy.dot(x, cupy.ones_like(x))
