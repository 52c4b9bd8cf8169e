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


@every("binary32", "bfloat16", "binary16", operation="matmul")
def product(a, b):
    """torch.matmul, without TF32."""
    torch.backends.cuda.matmul.allow_tf32 = False
    return a @ b


@every("binary32", "tf32_to_binary32", operation="matmul", bound="none")
def product_tf32(a, b):
    """torch.matmul with torch.backends.cuda.matmul.allow_tf32."""
    torch.backends.cuda.matmul.allow_tf32 = True
    return a @ b


def scaled(a, b, fast):
    """torch._scaled_mm takes multiples of 16, padded with zeros here, and its second factor by columns."""

    def padded(x):
        rows, columns = x.shape
        return torch.nn.functional.pad(x, (0, -columns % 16, 0, -rows % 16)).contiguous()

    one = torch.ones((), device=a.device)
    left, right = padded(a.view(torch.uint8)).view(a.dtype), padded(b.view(torch.uint8).T).view(b.dtype).T
    product = torch._scaled_mm(left, right, scale_a=one, scale_b=one, out_dtype=torch.float32, use_fast_accum=fast)
    return product[:a.shape[0], :b.shape[1]].contiguous()


if torch.cuda.is_available() and torch.cuda.get_device_capability() >= (8, 9):

    @every("e4m3", operation="matmul", bound="none")
    def product_fp8(a, b):
        """torch._scaled_mm, scales of 1, a result in binary32."""
        return scaled(a, b, False)

    @every("e4m3", operation="matmul", bound="none")
    def product_fp8_fast(a, b):
        """The same with use_fast_accum."""
        return scaled(a, b, True)
