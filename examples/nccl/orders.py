"""In which order NCCL adds every element of a tensor, and whether that is what its sources say.

    NCCL_ALGO=Ring NCCL_PROTO=LL python3 orders.py 4              tensors of several sizes, in five formats
    NCCL_ALGO=Tree python3 orders.py 3 --counts 1,65536 --formats bfloat16
    python3 orders.py 4 --collective reduce_scatter               or reduce, or all_gather, which adds nothing
    python3 orders.py 3 --average                                 ncclAvg: multiplied before or divided after?
    python3 orders.py 2 --average --of 3                          the products of three GPUs, by two
    python3 orders.py 4 --symmetric                               without NCCL_ALGO: the symmetric kernels

The question is that of `ulpscope tree --probe` (docs/explain.md): GPU i has M, GPU j -M, the others 1, in each element of
their tensors; what is left counts the GPUs that were added after i and j had met.  Where each order begins and ends must be as
channels.py computes it.  Then 32 sets of random numbers must have, in every element, the bits of that order in one
arithmetic.  Exit status 1 if an order, a place or an arithmetic is not the model's.
"""

import argparse
import fractions
import itertools
import math
import os
import pathlib
import random
import struct
import sys

import nccl_sum

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from channels import Channels, Log, above, call_of, is_fused, merged
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
EACH, ONCE = "rounded at each addition", "in binary32, rounded once"
BEFORE, FUSED, PARTLY, AFTER = "multiplied before", "multiplied and added at once", "some words at once", "divided after"
LL128_WORDS = 240  # in a warp's 1,920 bytes


def rounded(x, bits, least):
    """To nearest, ties to even; x is far from the largest number."""
    last = max(math.frexp(x)[1] - bits, least)
    return math.ldexp(round(x * fractions.Fraction(2) ** -last), last)


def hopped(x, form):
    for precision, least in FORMATS[form][2]:
        x = rounded(x, precision, least)
    return x


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


def names_of(channels, asked):
    """Of the trees that may come: a ring is named by the GPU that its sum sets out from, a chain by that where it ends."""
    if asked.ranks == 2:
        return {(0, 1): "one"}
    rings = {ordered(one_by_one((start + i) % asked.ranks for i in range(asked.ranks))): f"from {start}" for start in range(asked.ranks)}
    chains = {ordered(tree): f"to {tree[1]}" for tree in channels.trees}
    return chains if asked.algorithm == "Tree" else rings if asked.algorithm in ("Ring", "symmetric") else {**chains, **rings}


# ---- asking ----


def tree_sum(tree, numbers, form, is_rounded_once):
    """In the arithmetic of the format's hops, or in binary32; what is left is rounded to the format by the caller."""
    if isinstance(tree, int):
        return numbers[tree]
    total = sum(tree_sum(side, numbers, form, is_rounded_once) for side in tree)
    return rounded(total, *BINARY32) if is_rounded_once else hopped(total, form)


def fused_sum(tree, numbers, form):
    """Of products, which round only where a sum sets out: an FMA adds a rank's own to what came."""
    if isinstance(tree, int):
        return hopped(numbers[tree], form)
    came, own = tree
    return hopped(fused_sum(came, numbers, form) + (numbers[own] if isinstance(own, int) else fused_sum(own, numbers, form)), form)


def elements_of(sums, form):
    width = nccl_sum.TYPES[form][1]
    return memoryview(sums).cast({1: "B", 2: "H", 4: "I"}[width])


def masks(ranks, asked, form, count):
    """For each pair the tensor of what was left, as encoded numbers."""
    large, one = FORMATS[form][:2]
    for pair in itertools.combinations(range(ranks.ranks), 2):
        numbers = [one] * ranks.ranks
        numbers[pair[0]], numbers[pair[1]] = large, -large
        yield pair, elements_of(ranks.collect(asked.collective, [encode(x, form) for x in numbers], form, count), form)


def find_trees(ranks, asked, form, count):
    """Runs of neighbouring elements of one tree: [tree, first element, behind the last]."""
    pairs, left = zip(*masks(ranks, asked, form, count))
    counts = {elements_of(encode(k * FORMATS[form][1], form), form)[0]: k for k in range(ranks.ranks)}
    known, runs, first = {}, [], 0
    for codes, run in itertools.groupby(zip(*left)):
        if codes not in known:
            below = {pair: ranks.ranks - counts[code] if code in counts else -1 for pair, code in zip(pairs, codes)}
            known[codes] = tree_of(below, list(range(ranks.ranks)))
        end = first + sum(1 for _ in run)
        runs.append([known[codes] and ordered(known[codes]), first, end])
        first = end
    return merged(runs)


def sums_in(numbers, form, trees, arithmetic, divisor):
    """The encoded sums of 1,920 bytes by tree."""
    once, average = arithmetic
    if average == PARTLY:
        before, fused = (sums_in(numbers, form, trees, (once, how), divisor) for how in (BEFORE, FUSED))
        return {tree: b"".join((fused if is_fused(word) else before)[tree][:8] for word in range(LL128_WORDS)) for tree in trees}
    part = fractions.Fraction(to_format(1 / divisor, form))
    if average == BEFORE:
        numbers = [hopped(x * part, form) for x in numbers]
    sums = {tree: tree_sum(tree, numbers, form, once == ONCE) for tree in trees}
    if average == AFTER:
        sums = {tree: fractions.Fraction(total) / divisor for tree, total in sums.items()}
    if average == FUSED:
        sums = {tree: fused_sum(tree, [x * part for x in numbers], form) for tree in trees}
    return {tree: encode(to_format(total, form), form) * (LL128_WORDS * 8 // nccl_sum.TYPES[form][1]) for tree, total in sums.items()}


def operation_of(ranks, asked, form):
    if not asked.average:
        return nccl_sum.SUM
    return ranks.multiplied(encode(to_format(1 / asked.of, form), form), form) if asked.of != ranks.ranks else nccl_sum.AVERAGE


def arithmetics(ranks, asked, form, count, pieces):
    """Those that sets of random numbers have in every element."""
    random_numbers, trees, width = random.Random(1), {piece[0] for piece in pieces}, nccl_sum.TYPES[form][1]
    fits = list(itertools.product([EACH, ONCE], [BEFORE, FUSED, PARTLY, AFTER] if asked.average else [""]))
    operation = operation_of(ranks, asked, form)
    for _ in range(RANDOM_SETS):
        numbers = [to_format(random_numbers.gauss(0, 1), form) for _ in range(ranks.ranks)]
        sums = ranks.collect(asked.collective, [encode(x, form) for x in numbers], form, count, operation)
        for arithmetic in list(fits):
            expected = sums_in(numbers, form, trees, arithmetic, asked.of)
            bytes_of = ((expected[tree], (end - first) * width) for tree, first, end in pieces)
            if b"".join((line * above(size, len(line)))[:size] for line, size in bytes_of) != sums:
                fits.remove(arithmetic)
    return fits


def judge_gathered(ranks, form, count):
    """Numbers of 32 sets, moved as they are; a sum of what lies there has the order of whoever adds it."""
    random_numbers, is_alike = random.Random(1), True
    for _ in range(RANDOM_SETS):
        numbers = [encode(to_format(random_numbers.gauss(0, 1), form), form) for _ in range(ranks.ranks)]
        is_alike &= ranks.collect("all_gather", numbers, form, count) == b"".join(number * count for number in numbers)
    return ["none", "", "moved as they are" if is_alike else "other bits", "yes" if is_alike else "NO"]


def expected_pieces(form, count, said):
    """The model's, of the call that was made last, None where NCCL took another number of channels; and its protocol."""
    *how, channels = call_of(said.log.text())
    width = nccl_sum.TYPES[form][1]
    parts = said.channels.parts(*how, count, width)
    return list(said.channels.pieces(*how, count, width)) if len(parts) == channels else None, how[-1]


def arithmetic_of(asked, form, protocol):
    """NCCL's: its compiler makes an FMA of a product and a sum, but where a conversion or a condition is between them, and not
    of 16 bits by LL128, as two GPUs show."""
    by_ll128 = PARTLY if form == "binary32" else BEFORE
    average = "" if not asked.average else BEFORE if form.startswith("e") else by_ll128 if protocol == "LL128" else FUSED
    return ONCE if asked.symmetric and form != "binary32" else EACH, average


def judge(asked, form, count, said):
    """[orders, runs, arithmetic, whether all is the model's]; new trees are added to the names."""
    ranks = said.ranks
    if asked.collective == "all_gather":
        return judge_gathered(ranks, form, count)
    # A call that says its channels.  Probes of an average would be divided: its bits are asked, in the model's order.
    ranks.collect(asked.collective, [encode(1.0, form)] * ranks.ranks, form, count, operation_of(ranks, asked, form))
    model, protocol = ([], "") if asked.symmetric else expected_pieces(form, count, said)
    if model is None:
        return ["other channels", "", "", "NO"]
    orders = merged([[ordered(tree), first, end] for tree, first, end in model])
    found = orders if asked.average else find_trees(ranks, asked, form, count)
    if any(tree is None for tree, _, _ in found):
        return ["not to be seen", "", "", "NO"]
    for tree, _, _ in found:
        said.names.setdefault(tree, f"other {len(said.names)}")
    fits = arithmetics(ranks, asked, form, count, model if asked.average else found)
    is_model = all(not said.names[tree].startswith("other") for tree, _, _ in found) if asked.symmetric else found == orders
    is_model = is_model and arithmetic_of(asked, form, protocol) in fits
    names = ", ".join(dict.fromkeys(said.names[tree] for tree, _, _ in found)).replace(", from", ",").replace(", to", ",")
    return [names, len(found), ", ".join(filter(None, fits[0])) if fits else "other bits", "yes" if is_model else "NO"]


def arguments():
    parser = argparse.ArgumentParser(description="the order of every element of an NCCL collective")
    parser.add_argument("ranks", type=nccl_sum.at_least(2))
    parser.add_argument("--collective", choices=nccl_sum.COLLECTIVES, default="all_reduce")
    parser.add_argument("--counts", type=nccl_sum.list_of(1), default="1,64,1024,65536,1000003", help="elements of a tensor, of a reduce_scatter in each GPU")
    parser.add_argument("--formats", default="", help="binary32,bfloat16,... (default: all whose order can be seen)")
    parser.add_argument("--average", action="store_true", help="ncclAvg instead of ncclSum")
    parser.add_argument("--of", type=nccl_sum.at_least(1), help="with --average: divide by this, as so many GPUs do")
    parser.add_argument("--symmetric", action="store_true", help="buffers of a symmetric window")
    asked = parser.parse_args()
    asked.algorithm = "symmetric" if asked.symmetric else os.environ.get("NCCL_ALGO", "as it likes")
    # Added in binary32, 256 does not absorb 2^-9.
    asked.formats = asked.formats.split(",") if asked.formats else [form for form in FORMATS if not (asked.symmetric and form == "e4m3")]
    if not FORMATS.keys() >= set(asked.formats):
        parser.error(f"expected formats of {', '.join(FORMATS)}, found {', '.join(asked.formats)}")
    if asked.of and not asked.average:
        parser.error("expected --average beside --of, which says what an average divides by, found a sum")
    asked.of = asked.of or asked.ranks
    if asked.average and (asked.symmetric or asked.collective == "all_gather"):
        parser.error("expected --average with a sum of NCCL's rings and trees; symmetric kernels have no model of it, all_gather adds nothing")
    return asked


class Said:
    """What NCCL says of itself, and the names of the trees."""

    def __init__(self, asked):
        self.log = Log()
        ranks = nccl_sum.Ranks(asked.ranks, 4 * max(asked.counts) * asked.ranks, asked.symmetric)
        self.ranks, self.channels = ranks, Channels(self.log.text(), asked.ranks)
        self.names = names_of(self.channels, asked)


def main():
    asked, others = arguments(), 0
    said = Said(asked)
    how = os.environ.get("NCCL_SYM_KERNEL" if asked.symmetric else "NCCL_PROTO", "as it likes")
    line = "{:9} {:>9}  {:24} {:>6}  {:53} {}".format
    print(said.ranks.version(), f"{asked.ranks} GPUs, {len(said.channels.rings)} channels", nccl_sum.COLLECTIVES[asked.collective], asked.algorithm, how, sep=", ")
    print(line("format", "elements", "orders", "runs", "arithmetic", "the model's?"))
    for form, count in itertools.product(asked.formats, asked.counts):
        try:
            found = judge(asked, form, count, said)
        except RuntimeError as error:
            found = [str(error), "", "", "NO"]
        others += found[-1] == "NO"
        print(line(form, count, *found), flush=True)
    for tree, name in said.names.items():
        of = said.channels.of_tree(tree)
        print(f"  {name}: {text_of(tree)}" + (f", the chain of channels {of}" if of else ""))
    return 1 if others else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except RuntimeError as error:
        sys.exit(f"orders: {error}")
