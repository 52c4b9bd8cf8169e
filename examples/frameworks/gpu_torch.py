"""How PyTorch sums on a GPU."""

import torch
import ulpscope


def every(*formats, **declared):
    """One method of each format."""

    def declare(function):
        for format in formats:
            ulpscope.method(format=format, arrays="torch:cuda", **{"deterministic": True, **declared})(function)
        return function

    return declare


@every("binary32", "binary64", "binary16", "bfloat16")
def sum(x):
    return torch.sum(x)


@every("binary32", "bfloat16")
def sum_row(x):
    """torch.sum(dim=-1), one row of a batch of 64."""
    return torch.sum(x.repeat(64, 1), dim=-1)[17]


@every("binary32", "bfloat16")
def sum_column(x):
    """torch.sum(dim=0), one column of 64."""
    return torch.sum(x.repeat(64, 1).T.contiguous(), dim=0)[17]


@every("binary32", "binary16_in_binary16", "bfloat16_in_bfloat16")
def cumsum(x):
    """The last of torch.cumsum."""
    return torch.cumsum(x, 0)[-1]


@every("binary32", deterministic=False)
def index_add(x):
    """torch.Tensor.index_add_, all to one place: atomics."""
    return torch.zeros(1, dtype=x.dtype, device=x.device).index_add_(0, torch.zeros_like(x, dtype=torch.int64), x)


@every("binary32", "binary16", "bfloat16")
def dot(x):
    """torch.dot with ones: cuBLAS."""
    return torch.dot(x, torch.ones_like(x))


@every("binary32", "bfloat16")
def matmul_ones(x):
    """A matrix of one row times one of one column, of ones: cuBLAS."""
    return x.reshape(1, -1) @ torch.ones_like(x).reshape(-1, 1)


# ---- compiled ----

sum_compiled = torch.compile(lambda x: torch.sum(x))
every("binary32", "bfloat16", claim="torch.compile of torch.sum", lengths=[64, 1000, 1024, 4096, 1 << 20])(sum_compiled)


# ---- matrix products ----


@every("binary32", "bfloat16", operation="matmul")
def product(a, b):
    """torch.matmul, without TF32."""
    torch.backends.cuda.matmul.allow_tf32 = False
    return a @ b


@every("binary32", operation="matmul", bound="none")
def product_tf32(a, b):
    """torch.matmul with torch.backends.cuda.matmul.allow_tf32."""
    torch.backends.cuda.matmul.allow_tf32 = True
    return a @ b
