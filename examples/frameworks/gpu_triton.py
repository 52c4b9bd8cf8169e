"""Two sums in Triton: the tutorials' blocks with a second pass, and with atomics."""

import torch
import triton
import triton.language as tl
import ulpscope

BLOCK = 1024


@triton.jit
def add_blocks(x, sums, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(sums + tl.program_id(0), tl.sum(tl.load(x + at, mask=at < n, other=0)))


@triton.jit
def add_atomically(x, sum, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(sum, tl.sum(tl.load(x + at, mask=at < n, other=0)))


@ulpscope.method(arrays="torch:cuda", deterministic=True)
def blocks(x):
    """Sums of blocks, and sums of these, until one is left."""
    while len(x) > 1:
        count = triton.cdiv(len(x), BLOCK)
        sums = torch.empty(count, device=x.device)
        add_blocks[(count,)](x, sums, len(x), BLOCK)
        x = sums
    return x


@ulpscope.method(arrays="torch:cuda", deterministic=True)
def atomics(x):
    """Sums of blocks, added by atomics."""
    sum = torch.zeros(1, device=x.device)
    add_atomically[(triton.cdiv(len(x), BLOCK),)](x, sum, len(x), BLOCK)
    return sum
