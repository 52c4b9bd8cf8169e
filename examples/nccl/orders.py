"""In which order ncclAllReduce adds every element of a tensor, and whether that is what its sources say.

    NCCL_ALGO=Ring NCCL_PROTO=LL python3 orders.py 4              tensors of several sizes, in five formats
    NCCL_ALGO=Tree python3 orders.py 4 --counts 1,65536 --formats bfloat16
    python3 orders.py 4 --symmetric                               without NCCL_ALGO: the symmetric kernels

The question is that of `ulpscope tree --probe` (docs/probe.md): GPU i has M, GPU j -M, the others 1, in each element of
their tensors; what is left counts the GPUs that were added after i and j had met.  Then 32 sets of random numbers must
have, in every element, the bits of that order in one arithmetic.  Exit status 1 if an order or an arithmetic is not the
model's.
"""

import argparse
import itertools
import math
import os
import pathlib
import random
import struct
import sys

import nccl_sum

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from trees import one_by_one, ordered, text_of

# M and 1 of a probe, and what a sum is rounded to at each hop, one after the other: precision, exponent of the least number
BINARY32, BINARY16 = (24, -149), (11, -24)
FORMATS = {
    "binary32": (2.0**100, 1.0, [BINARY32]),
    "bfloat16": (2.0**100, 1.0, [(8, -133)]),
    "binary16": (2.0**15, 2.0**-24, [BINARY16]),
    "e4m3": (2.0**8, 2.0**-9, [BINARY16, (4, -9)]),
    "e5m2": (2.0**15, 2.0**-16, [BINARY16, (3, -16)]),
}
RANDOM_SETS = 32
SYMMETRIC = "symmetric"


def rounded(x, bits, least):
    """To nearest, ties to even; x is far from the largest number."""
    last = max(math.frexp(x)[1] - bits, least)
    return math.ldexp(round(math.ldexp(x, -last)), last)


def to_format(x, form):
    return rounded(x, *FORMATS[form][2][-1])


def size_of_fp8(code, form):
    """Of a code without its sign."""
    bits, least = FORMATS[form][2][-1]
    exponent, fraction = code >> (bits - 1) & (1 << (8 - bits)) - 1, code & (1 << (bits - 1)) - 1
    return math.ldexp(fraction + (1 << (bits - 1) if exponent else 0), max(exponent, 1) - 1 + least)


def encode(x, form):
    if form.startswith("e"):
        code = min(range(128), key=lambda code: abs(size_of_fp8(code, form) - abs(x)))
        return bytes([code | (128 if math.copysign(1, x) < 0 else 0)])
    if form == "bfloat16":
        return struct.pack("<f", x)[2:]
    return struct.pack("<e" if form == "binary16" else "<f", x)


# ---- trees ----


def tree_of(below, ranks):
    """The tree in which i and j meet above below[i, j] leaves; None if there is no such tree."""
    tree, size = ranks[0], 1
    others = sorted(ranks[1:], key=lambda rank: below[ranks[0], rank])
    for leaves, side in itertools.groupby(others, key=lambda rank: below[ranks[0], rank]):
        side = list(side)
        branch = tree_of(below, side)
        size += len(side)
        if branch is None or size != leaves:
            return None
        tree = (tree, branch)
    return tree


def models(ranks, algorithm):
    """Tree: its name in the table.  A ring adds a chunk from some GPU on, which is its name; NCCL's tree within a machine
    is a chain, last to first."""
    starts = range(ranks) if ranks > 2 else range(1)
    rings = {ordered(one_by_one((start + i) % ranks for i in range(ranks))): f"from {start}" for start in starts}
    tree = {ordered(one_by_one(range(ranks)[::-1])): "last to first"}
    return tree if algorithm == "Tree" else rings if algorithm in ("Ring", SYMMETRIC) else {**tree, **rings}


def is_in_turn(names, ranks):
    """Chunk 0 of a ring sets out from GPU 1, the next from GPU 2, ..., and each channel begins anew."""
    starts = [int(name.split()[1]) for name in names if ranks > 2]
    return all(now in (1, (before + 1) % ranks) for before, now in zip([0, *starts], starts))


# ---- asking ----


def tree_sum(tree, numbers, form, is_rounded_once):
    """In the arithmetic of the format's hops, or in binary32; what is left is rounded to the format by the caller."""
    if isinstance(tree, int):
        return numbers[tree]
    total = sum(tree_sum(side, numbers, form, is_rounded_once) for side in tree)
    for precision, least in [BINARY32] if is_rounded_once else FORMATS[form][2]:
        total = rounded(total, precision, least)
    return total


def elements_of(sums, form):
    width = nccl_sum.TYPES[form][1]
    return memoryview(sums).cast({1: "B", 2: "H", 4: "I"}[width])


def masks(ranks, form, count):
    """For each pair the tensor of what was left, as encoded numbers."""
    large, one = FORMATS[form][:2]
    for pair in itertools.combinations(range(ranks.ranks), 2):
        numbers = [one] * ranks.ranks
        numbers[pair[0]], numbers[pair[1]] = large, -large
        yield pair, elements_of(ranks.all_reduce([encode(x, form) for x in numbers], form, count), form)


def find_trees(ranks, form, count):
    """Runs of neighbouring elements of one tree: [tree, first element, behind the last]."""
    pairs, left = zip(*masks(ranks, form, count))
    counts = {elements_of(encode(k * FORMATS[form][1], form), form)[0]: k for k in range(ranks.ranks)}
    known, runs, first = {}, [], 0
    for codes, run in itertools.groupby(zip(*left)):
        if codes not in known:
            below = {pair: ranks.ranks - counts[code] if code in counts else -1 for pair, code in zip(pairs, codes)}
            known[codes] = tree_of(below, list(range(ranks.ranks)))
        end = first + sum(1 for _ in run)
        runs.append([known[codes] and ordered(known[codes]), first, end])
        first = end
    return runs


def arithmetics(ranks, form, count, runs):
    """Of [rounded at each addition, added in binary32 and rounded once], those that sets of random numbers have in
    every element."""
    random_numbers, fits = random.Random(1), {False, True}
    for _ in range(RANDOM_SETS):
        numbers = [to_format(random_numbers.gauss(0, 1), form) for _ in range(ranks.ranks)]
        sums = ranks.all_reduce([encode(x, form) for x in numbers], form, count)
        width = nccl_sum.TYPES[form][1]
        for once in sorted(fits):
            expected = {tree: encode(to_format(tree_sum(tree, numbers, form, once), form), form) for tree in {run[0] for run in runs}}
            if any(sums[first * width:end * width] != expected[tree] * (end - first) for tree, first, end in runs):
                fits.discard(once)
    return fits


def judge(ranks, form, count, asked, names):
    """[orders, runs, arithmetic, whether both are the model's]; new trees are added to names."""
    runs = find_trees(ranks, form, count)
    if any(tree is None for tree, _, _ in runs):
        return ["not to be seen", len(runs), "", "NO"]
    model = models(ranks.ranks, asked.algorithm)
    for tree, _, _ in runs:
        names.setdefault(tree, model.get(tree, f"other {len(names)}"))
    in_turn = [names[tree] for tree, _, _ in runs]
    fits = arithmetics(ranks, form, count, runs)
    is_model = all(tree in model for tree, _, _ in runs)
    is_model = is_model and (asked.algorithm != "Ring" or is_in_turn(in_turn, ranks.ranks))
    arithmetic = "rounded at each addition" if False in fits else "in binary32, rounded once" if fits else "other bits"
    is_model = is_model and (asked.symmetric or form == "binary32") in fits
    return [", ".join(dict.fromkeys(in_turn)).replace(", from", ","), len(runs), arithmetic, "yes" if is_model else "NO"]


def arguments():
    parser = argparse.ArgumentParser(description="the order of every element of ncclAllReduce")
    parser.add_argument("ranks", type=int)
    parser.add_argument("--counts", default="1,64,1024,65536,1000003", help="elements of a tensor")
    parser.add_argument("--formats", default="", help="binary32,bfloat16,... (default: all whose order can be seen)")
    parser.add_argument("--symmetric", action="store_true", help="buffers of a symmetric window")
    asked = parser.parse_args()
    asked.algorithm = SYMMETRIC if asked.symmetric else os.environ.get("NCCL_ALGO", "as it likes")
    # Added in binary32, 256 does not absorb 2^-9.
    asked.formats = asked.formats.split(",") if asked.formats else [form for form in FORMATS if not (asked.symmetric and form == "e4m3")]
    asked.counts = [int(count) for count in asked.counts.split(",")]
    return asked


def main():
    asked, names, others = arguments(), {}, 0
    ranks = nccl_sum.Ranks(asked.ranks, 4 * max(asked.counts), asked.symmetric)
    how = os.environ.get("NCCL_SYM_KERNEL" if asked.symmetric else "NCCL_PROTO", "as it likes")
    line = "{:9} {:>9}  {:24} {:>6}  {:26} {}".format
    print(ranks.version(), f"{asked.ranks} GPUs", asked.algorithm, how, sep=", ")
    print(line("format", "elements", "orders", "runs", "arithmetic", "the model's?"))
    for form, count in itertools.product(asked.formats, asked.counts):
        try:
            found = judge(ranks, form, count, asked, names)
        except RuntimeError as error:
            found = [str(error), "", "", "NO"]
        others += found[-1] == "NO"
        print(line(form, count, *found), flush=True)
    for tree, name in names.items():
        print(f"  {name}: {text_of(tree)}")
    return 1 if others else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except RuntimeError as error:
        sys.exit(f"orders: {error}")
