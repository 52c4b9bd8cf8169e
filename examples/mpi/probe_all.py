"""The order of every algorithm of MPI_Reduce and MPI_Allreduce that Open MPI 4.1 and MPICH 4.0 let one choose, as
`ulpscope tree --probe` finds it, beside what their sources say (docs/distributed.md names file and function).

    python3 probe_all.py ulpscope                                   P = 2 to 16, all that are installed: 15 minutes
    python3 probe_all.py ulpscope --ranks 5,6 --only 'mpich reduce'

A line each: library, collective, algorithm (- by default), P, "as the source" or "DIFFERS", the source's order (ranks_... of
ulpscope, or a function of this file), and the order that was found.  Exit status 1 if one is another, 77 without MPI.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))
from trees import one_by_one, ordered, text_of

# ---- what the sources say, where it is no order of ours: a tree of `ranks` ranks ----


def reduced_to(root, children):
    """Each rank adds to its own what its children send, in turn."""
    return one_by_one([root, *(reduced_to(child, children) for child in children(root))])


def level_tree(ranks):
    """Open MPI, coll_base_topo.c, ompi_coll_base_topo_build_tree of fan-out 2: children at once and twice the width of the
    rank's level, where rank 0 is level 0, ranks 1 and 2 are level 1, ..."""
    def children(rank):
        width = 1 << (rank + 1).bit_length() - 1
        return [child for child in (rank + width, rank + 2 * width) if child < ranks]
    return reduced_to(0, children)


def chains(ranks, fanout=4):
    """Open MPI, ompi_coll_base_topo_build_chain: four chains of neighbours, the first of them longer by one."""
    heads, length, longer = [1], *divmod(ranks - 1, min(fanout, ranks - 1))
    for i in range(min(fanout, ranks - 1)):
        heads.append(heads[-1] + length + (i < longer))
    return one_by_one([0, *(one_by_one(range(head, end)[::-1]) for head, end in zip(heads, heads[1:]))])


def in_order(ranks, first=0):
    """Open MPI, ompi_coll_base_topo_build_in_order_bintree: the last rank adds the nearer half, then the farther one."""
    last, half = first + ranks - 1, ranks // 2
    if ranks <= 2:
        return last if ranks == 1 else (last, first)
    return ((last, in_order(ranks - 1 - half, first + half)), in_order(half, first))


def binary(ranks):
    """MPICH, treeutil.c, MPII_Treeutil_tree_kary_init of k = 2: the children of rank r are 2r + 1 and 2r + 2."""
    return reduced_to(0, lambda rank: [child for child in (2 * rank + 1, 2 * rank + 2) if child < ranks])


def ring_from_1(ranks):
    """MPICH, iallreduce_tsp_ring.c: chunk 0 sets out from rank 1."""
    return one_by_one((1 + i) % ranks for i in range(ranks))


ALGORITHMS = {
    ("openmpi", "reduce"): {"": level_tree, "linear": "linear", "chain": chains, "pipeline": "linear", "binary": level_tree, "binomial": "binomial",
                            "in-order_binary": in_order, "rabenseifner": "rabenseifner"},
    ("openmpi", "allreduce"): {"": "recursive_doubling", "basic_linear": "linear", "nonoverlapping": level_tree, "recursive_doubling": "recursive_doubling",
                               "ring": "ring", "segmented_ring": "ring", "rabenseifner": "rabenseifner"},
    ("mpich", "reduce"): {"": "binomial", "binomial": "binomial", "smp": "binomial", "reduce_scatter_gather": "rabenseifner", "sched_smp": "binomial",
                          "sched_binomial": "binomial", "sched_reduce_scatter_gather": "rabenseifner", "tsp_tree": binary, "tsp_ring": "linear"},
    ("mpich", "allreduce"): {"": "recursive_doubling", "smp": "binomial", "recursive_doubling": "recursive_doubling", "reduce_scatter_allgather": "rabenseifner",
                             "sched_naive": "binomial", "sched_smp": "binomial", "sched_recursive_doubling": "recursive_doubling",
                             "sched_reduce_scatter_allgather": "rabenseifner", "tsp_recexch_single_buffer": "recursive_doubling",
                             "tsp_recexch_multiple_buffer": "recursive_doubling", "tsp_tree": binary, "tsp_ring": ring_from_1,
                             "tsp_recexch_reduce_scatter_recexch_allgatherv": "recursive_doubling"},
}

# ---- asking ----


def judge(expected, ranks, said):
    """[verdict, what the source says, the order found], of what `tree --probe` says."""
    order = re.search(r"^order +(.*)$", said, re.M)
    if not order:
        return ["DIFFERS", "", "no order: " + " ".join(said.split())[-200:]]
    if isinstance(expected, str):
        same, name = re.search(rf"^same tree as .*plain/ranks_{expected}\b", said, re.M), f"ranks_{expected}"
    else:
        same, name = order[1] == text_of(ordered(expected(ranks))), expected.__name__
    return ["as the source" if same else "DIFFERS", name, order[1]]


def probe(ulpscope, start, collective, algorithm, ranks):
    method = "_".join(["mpi/" + collective] + [algorithm.replace("-", "_")] * bool(algorithm))
    done = subprocess.run([ulpscope, "tree", "--probe", method, "-n", str(ranks), "--device", "host", "--pipe", f"{start} {collective} {algorithm}"],
                          capture_output=True, text=True, timeout=600)
    return done.stdout if done.returncode == 0 else done.stderr


def build(library, folder):
    """The beginning of a command, or None where that library is not installed."""
    compiler, starter = (shutil.which(f"{tool}.{library}") for tool in ("mpicc", "mpirun"))
    if not compiler or not starter:
        return None
    program, yields = folder / library, folder / f"{library}.so"
    subprocess.run([compiler, "-O2", "-ffp-contract=off", "-D_GNU_SOURCE", "-o", program, HERE / "mpi_sum.c"], check=True)
    if library == "openmpi":
        return f"{starter} --oversubscribe -n {{}} {program}"
    subprocess.run([compiler, "-O2", "-shared", "-fPIC", "-o", yields, HERE / "yield.c"], check=True)
    return f"{starter} -n {{}} env LD_PRELOAD={yields} {program}"


def arguments():
    parser = argparse.ArgumentParser(description="the order of every algorithm of MPI_Reduce and MPI_Allreduce")
    parser.add_argument("ulpscope")
    parser.add_argument("--ranks", default=",".join(map(str, range(2, 17))))
    parser.add_argument("--only", default="", help="lines that begin so: 'openmpi reduce'")
    asked = parser.parse_args()
    asked.ranks = [int(ranks) for ranks in asked.ranks.split(",")]
    return asked


def main(folder):
    asked, tried, others = arguments(), 0, 0
    os.environ.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    starts = {library: build(library, folder) for library in ("openmpi", "mpich")}
    for (library, collective), algorithms in ALGORITHMS.items():
        for algorithm, expected in algorithms.items():
            line = f"{library} {collective} {algorithm or '-'}"
            if not starts[library] or not (line + " ").startswith(asked.only):
                continue
            for ranks in asked.ranks:
                found = judge(expected, ranks, probe(asked.ulpscope, starts[library].format(ranks), collective, algorithm, ranks))
                print(f"{line} {ranks}: {'; '.join(found)}", flush=True)
                tried += 1
                others += found[0] != "as the source"
    return 1 if others else 0 if tried else 77


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        sys.exit(main(pathlib.Path(temporary)))
