"""The order of a product whose inner dimension K is split over GPUs, as one tree; and which splits change no bit.

    tensor_parallel.py ulpscope 16 4                                          each GPU its part by plain/serial, then a ring
    tensor_parallel.py ulpscope 16 4 --part plain/pairwise_1 --collective plain/ranks_recursive_doubling
    tensor_parallel.py ulpscope 64 2,4,8 --table                              of every pair of them: the tree of one GPU, or another?

x0, x1, ... are the products of an element of C.  Two orders with one tree have the same bits whatever the numbers are; two
trees part on some.  A part that a GPU rounds before it sends it, to the format of C, is in no tree.
"""

import argparse
import functools
import itertools
import json
import pathlib
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from nccl_sum import at_least, list_of
from trees import ordered, text_of

PARTS = ("plain/serial", "plain/pairwise_1", "plain/shuffle_two_pass")
COLLECTIVES = ("plain/ranks_ring", "plain/ranks_linear", "plain/ranks_recursive_doubling", "plain/ranks_binomial", "plain/ranks_nccl_tree")


@functools.cache
def tree_of(ulpscope, method, n, blocks):
    """Of n numbers, as `ulpscope tree` has it."""
    words = [ulpscope, "tree", method, "-n", str(n), "--blocks", str(blocks), "--threads", "256", "--quiet", "--json", "-"]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"tensor_parallel: {done.stderr.strip()}")
    trees = {}
    for node in json.loads(done.stdout)["nodes"]:
        trees[node["node"]] = (trees[node["left"]], trees[node["right"]]) if "left" in node else node["element"]
    return list(trees.values())[-1]


def with_leaves(tree, leaves):
    return leaves[tree] if isinstance(tree, int) else tuple(with_leaves(side, leaves) for side in tree)


def height(tree):
    return 0 if isinstance(tree, int) else 1 + max(map(height, tree))


def split(ulpscope, k, gpus, part, collective):
    """The parts are neighbours, as many in each GPU; the first has those that are left over."""
    sizes = [k // gpus + (gpu < k % gpus) for gpu in range(gpus)]
    firsts = [0, *itertools.accumulate(sizes)]
    parts = [with_leaves(tree_of(ulpscope, part, size, 1), range(first, first + size)) for size, first in zip(sizes, firsts)]
    return ordered(with_leaves(tree_of(ulpscope, collective, gpus, gpus), parts))


def arguments():
    parser = argparse.ArgumentParser(description="the order of a product whose inner dimension is split over GPUs")
    parser.add_argument("ulpscope", help="the program")
    parser.add_argument("k", type=at_least(1), help="products in an element of C")
    parser.add_argument("gpus", type=list_of(1), help="2,4,... (without --table one number)")
    parser.add_argument("--part", default=PARTS[0], help="the order in a GPU: naive and tile_16 of matmul have that of plain/serial")
    parser.add_argument("--collective", default=COLLECTIVES[0], help="the order of the all-reduce")
    parser.add_argument("--table", action="store_true", help="each order in a GPU with each all-reduce")
    asked = parser.parse_args()
    if max(asked.gpus) > asked.k or (len(asked.gpus) > 1 and not asked.table):
        parser.error("expected 1 to K GPUs, and --table for several")
    return asked


def main():
    asked = arguments()
    if not asked.table:
        tree = split(asked.ulpscope, asked.k, asked.gpus[0], asked.part, asked.collective)
        print(text_of(tree))
        print(f"height {height(tree)}; of one GPU {height(tree_of(asked.ulpscope, asked.part, asked.k, 1))}")
        return
    line = "{:22} {:30}".format
    print(line(f"K = {asked.k}", "all-reduce"), *(f"{gpus:>3} GPUs" for gpus in asked.gpus))
    for part, collective in itertools.product(PARTS, COLLECTIVES):
        whole = ordered(tree_of(asked.ulpscope, part, asked.k, 1))
        alike = ["same" if split(asked.ulpscope, asked.k, gpus, part, collective) == whole else "other" for gpus in asked.gpus]
        print(line(part, collective), *(f"{word:>8}" for word in alike))


if __name__ == "__main__":
    try:
        main()
    except OSError as error:
        sys.exit(f"tensor_parallel: {error}")
