"""examples/mpi under the MPI libraries that are here: what they add is what the orders of ranks add, bit for bit.

    test_mpi.py ULPSCOPE SOURCE_DIRECTORY

Exit 77 where there is neither Open MPI nor MPICH, or they start no process.
"""

import csv
import io
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ULPSCOPE, SOURCE = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
TRIALS, FORMATS = 6, 2  # the program adds binary32 and binary64
failures = 0
os.environ.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")

# What each library is asked for, the order that its source has, and one that it has not.
MODELS = {
    "Open MPI": (
        [5, 6],
        {
            "allreduce recursive_doubling": ("ranks_recursive_doubling", "ranks_binomial"),
            "allreduce rabenseifner": ("ranks_rabenseifner", "ranks_binomial"),
            "allreduce ring": ("ranks_ring", "ranks_nccl_tree"),
            "reduce binomial": ("ranks_binomial", "ranks_recursive_doubling"),
            "reduce linear": ("ranks_linear", "ranks_ring"),
            "reduce rabenseifner": ("ranks_rabenseifner", "ranks_binomial"),
        },
    ),
    "MPICH": (
        [5],  # its ranks do not yield: a sum of more ranks than cores waits for time slices
        {
            "allreduce reduce_scatter_allgather": ("ranks_rabenseifner", "ranks_binomial"),
            "reduce binomial": ("ranks_binomial", "ranks_recursive_doubling"),
        },
    ),
}


def say(fine, what, found=""):
    global failures
    failures += not fine
    print("ok   " if fine else "FAIL ", what, "" if fine else f"\n{found}", flush=True)


def libraries():
    """Compiler and starter of each library that is installed."""
    pairs = [(f"mpicc{of}", f"mpirun{of}") for of in (".openmpi", ".mpich", "")]
    found = [pair for pair in pairs if all(map(shutil.which, pair))]
    return [pair for pair in found if pair[0] != "mpicc" or len(found) == 1]


def name_of(starter):
    version = subprocess.run([starter, "--version"], capture_output=True, text=True).stdout
    return "Open MPI" if "Open" in version else "MPICH"


def method_of(asked):
    return "mpi/" + asked.replace(" ", "_").replace("-", "_")


def judge(library, start, program, ranks, n):
    """Each algorithm's sums of n numbers beside those of the models."""
    asked = MODELS[library][1]
    pipes = [word for one in asked for word in ("--pipe", f"{start} -n {ranks} {program} {one}")]
    done = subprocess.run([ULPSCOPE, "run", *pipes, "-m", "mpi/*,plain/ranks_*,plain/ranks_*@binary64", "-d", f"normal:n={n}", "--trials", str(TRIALS), "--blocks", str(ranks), "--device", "host", "--speed", "0", "-j", "1", "-o", "-"],
                          capture_output=True, text=True, timeout=1000)
    sums = {}
    for row in csv.DictReader(io.StringIO(done.stdout)):
        method, _, form = row["method"].partition("@")
        sums.setdefault(method, []).append((form, row["trial"], row["computed_bits"]))
    for one, (same, other) in asked.items():
        got, model, twin = sums.get(method_of(one)), sums.get(f"plain/{same}"), sums.get(f"plain/{other}")
        say(done.returncode == 0 and got and len(got) == FORMATS * TRIALS and got == model,
            f"{library}, {one}, {ranks} ranks, n = {n}: the bits of {same}", f"{got}\n{model}\n{done.stderr[-2000:]}")
        if ranks == 5:
            say(got != twin, f"{library}, {one}, {ranks} ranks, n = {n}: not those of {other}", got)


def names(start, program):
    for one, expected in (("allreduce recursive_doubling", "plain/ranks_recursive_doubling, plain/ranks_rabenseifner"),
                          ("allreduce ring", r"plain/serial, plain/ranks_ring; \d more orders have it, too")):
        done = subprocess.run([ULPSCOPE, "tree", method_of(one), "-n", "5", "--probe", "--summary", "--pipe", f"{start} -n 5 {program} {one}"],
                              capture_output=True, text=True, timeout=1000)
        say(done.returncode == 0 and re.search(f"^same tree as  {expected}$", done.stdout, re.M), f"tree --probe names {one}", done.stdout + done.stderr)


def probes_all():
    """examples/mpi/probe_all.py, of few: trees that are none of ours, and the twin, another tree for them."""
    sys.path.append(str(SOURCE / "examples/mpi"))
    import probe_all

    for only in ("openmpi reduce in-order_binary", "mpich allreduce tsp_tree"):
        done = subprocess.run([sys.executable, SOURCE / "examples/mpi/probe_all.py", ULPSCOPE, "--ranks", "4", "--only", only + " "],
                              capture_output=True, text=True, timeout=1000)
        found = re.fullmatch(f"{only} 4: as the source; (\\w+); (.*)\n", done.stdout)
        say(done.returncode == 77 or done.returncode == 0 and found, f"probe_all: {only}", done.stdout + done.stderr)
        if found:
            said = f"order         {found[2]}\n"
            say(probe_all.judge(getattr(probe_all, found[1]), 4, said)[0] == "as the source", "whose tree is its own", said)
            say(probe_all.judge(probe_all.chains, 4, said)[0] == "DIFFERS", "and not that of chains", said)
    say(probe_all.judge("ring", 4, "ulpscope: it has no order")[0] == "DIFFERS", "who has no order differs")


def refuses(start, program):
    done = subprocess.run([ULPSCOPE, "run", "--pipe", f"{start} -n 2 {program} allreduce nonsense", "-m", "mpi/*", "-d", "normal:n=5", "--speed", "0"],
                          capture_output=True, text=True, timeout=1000)
    say(done.returncode not in (0, 1) and "nonsense" in done.stderr, "an algorithm that is not there is refused", done.stderr)


def main(folder):
    tried = 0
    for compiler, starter in libraries():
        library, program = name_of(starter), pathlib.Path(folder) / f"mpi_sum_{compiler}"
        start = starter + (" --oversubscribe" if library == "Open MPI" else "")
        built = subprocess.run([compiler, "-O2", "-ffp-contract=off", "-D_GNU_SOURCE", "-std=c11", "-Wall", "-Wextra", "-Werror",
                                "-o", program, SOURCE / "examples/mpi/mpi_sum.c"], capture_output=True, text=True)
        say(built.returncode == 0, f"{compiler} compiles examples/mpi", built.stderr)
        can = subprocess.run(f"{start} -n 3 {program} </dev/null", shell=True, capture_output=True, text=True, timeout=1000)
        if built.returncode != 0 or can.returncode != 0:
            print(f"skipped: {starter} starts no three processes here: {can.stderr[-500:]}")
            continue
        tried += 1
        for ranks in MODELS[library][0]:
            judge(library, start, program, ranks, ranks)
        if library == "Open MPI":
            judge(library, start, program, 5, 17)
            names(start, program)
        refuses(start, program)
    if tried:
        probes_all()
    return 1 if failures else 0 if tried else 77


if __name__ == "__main__":
    if not libraries():
        print("skipped: neither mpicc and mpirun, nor those of Open MPI or MPICH")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        sys.exit(main(folder))
