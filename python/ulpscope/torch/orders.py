"""In which order the terms of a product or a sum were added, as far as bits tell: orders that kernels use, each addition rounded to binary32,
until one has every result."""

import itertools
import typing

import torch

from ulpscope.torch.operations import Sample

MOST = 4096  # terms: a hundred orders of them take seconds
FEWEST, INFORMATIVE = 8, 4  # results, and those among them that are not correctly rounded: such hit another order by chance
PARTS, LENGTHS = (1, 2, 4, 8, 16, 32), (64, 128, 192, 256, 384, 512)
Add = typing.Callable[[torch.Tensor, torch.Tensor], torch.Tensor]


def rounded(x: torch.Tensor) -> torch.Tensor:
    return x.float().double()


def separately(total: torch.Tensor, product: torch.Tensor) -> torch.Tensor:
    """Of numbers of binary32 53 bits round the sum, and its rounding to 24, as 24 do at once."""
    return rounded(rounded(product) + total)


def fused(total: torch.Tensor, product: torch.Tensor) -> torch.Tensor:
    """Of an exact product, rounded once: the sum is rounded to odd in binary64 before."""
    s = product + total
    part = s - product
    rest = (product - (s - part)) + (total - part)
    bits = s.contiguous().view(torch.int64)
    toward = torch.where((rest > 0) == (s > 0), torch.ones_like(bits), -torch.ones_like(bits))
    return rounded((bits + torch.where((rest != 0) & (bits & 1 == 0), toward, torch.zeros_like(bits))).view(torch.float64))


def chains(terms: torch.Tensor, length: int, is_strided: bool, add: Add, first: typing.Optional[torch.Tensor]) -> torch.Tensor:
    """[parts, ...] of terms [n, ...]: of so many terms in a row, or of one in so many; `first` is what the first part begins with."""
    parts = -(-len(terms) // length)
    padded = torch.cat([terms, terms.new_zeros(parts * length - len(terms), *terms.shape[1:])])
    steps = padded.reshape(length, parts, *terms.shape[1:]) if is_strided else padded.reshape(parts, length, *terms.shape[1:]).transpose(0, 1)
    total = torch.zeros_like(steps[0])
    if first is not None:
        total[0] = first
    for step in steps:
        total = add(total, step)
    return total


def in_turn(parts: typing.Sequence[torch.Tensor]) -> torch.Tensor:
    total = parts[0]
    for part in parts[1:]:
        total = rounded(total + part)
    return total


def in_pairs(parts: typing.Sequence[torch.Tensor]) -> torch.Tensor:
    """Those that are half of all apart first."""
    rows = list(parts)
    while len(rows) > 1:
        half = -(-len(rows) // 2)
        rows = [rounded(rows[i] + rows[i + half]) if i + half < len(rows) else rows[i] for i in range(half)]
    return rows[0]


def order_of(sample: Sample, results: torch.Tensor, exact: torch.Tensor) -> str:
    """A sentence, "" where no order here has all results, or too few say anything.  exact: correctly rounded results."""
    if results.dtype is torch.float64 or sample.x.dtype is torch.float64 or results.numel() < FEWEST or int((results != exact).sum()) < INFORMATIVE:
        return ""
    count = sample.settings.get("terms", sample.x.shape[1])  # behind them is a bias
    if count > MOST:
        return ""
    x = sample.x.double()
    y = torch.ones(count, 1, dtype=torch.float64) if sample.y is None else sample.y.double()
    terms, found = x[:, :count].T[:, :, None] * y[:count][:, None], results.reshape(len(x), -1)
    bias = x[:, count:] @ y[count:] if x.shape[1] > count else None
    lengths = dict.fromkeys([-(-count // parts) for parts in PARTS if parts <= count] + [one for one in LENGTHS if one < count <= 32 * one])
    for length, is_strided, (how, add), begins in itertools.product(lengths, (False, True), ((" by FMA", fused), ("", separately)) if sample.y is not None else (("", separately),), (False, True)):
        if begins and bias is None or is_strided and length in (1, count):
            continue
        parts = list(chains(terms, length, is_strided, add, bias if begins else None))
        rest = [] if begins or bias is None else [bias]
        ways = {"": in_turn(parts + rest)} if len(parts) == 1 else {
            ", added in turn": in_turn(parts + rest), ", added in turn from the last on": in_turn(parts[::-1] + rest), ", added in pairs": in_turn([in_pairs(parts), *rest])}
        if rest and len(parts) > 1:
            ways[", added in turn to the bias"] = in_turn(rest + parts)
            ways[", added in turn to the bias from the last on"] = in_turn(rest + parts[::-1])
        for way, total in ways.items():
            if torch.equal(total.to(results.dtype), found):
                what = "one after the other" if len(parts) == 1 else f"in {len(parts)} parts, {f'each of one term in {len(parts)}' if is_strided else f'of {length} each'}"
                return f"its terms are added {what}{how}{way}{', beginning with the bias' if begins else ''}"
    return ""
