"""Runs of ulpscope under mpirun: which MPI libraries there are here, and what a run gives."""
import json
import os
import shutil
import subprocess

LIBRARIES = ("openmpi", "mpich")

# Open MPI asks root, and more ranks than cores, for a word; its ranks are not to be bound to a core each.
ENVIRONMENT = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_hwloc_base_binding_policy": "none",
    "OMPI_MCA_mpi_yield_when_idle": "1",
    "OMPI_MCA_btl": "self,vader",
    # Sanitizers: UCX, below MPICH, is not to replace mmap(); what MPI libraries leak at their end is theirs.
    "UCX_MEM_EVENTS": "n",
    "UCX_LOG_LEVEL": "fatal",  # it warns on stdout
    "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0",
}


def environment():
    own = {name: value for name, value in os.environ.items() if not name.startswith(("ULPSCOPE_", "PMI", "OMPI_"))}
    return {**own, **ENVIRONMENT}


def launcher(library):
    return shutil.which("mpirun." + library)


def libraries(program):
    """Those that the program has a module of, and a launcher is here for."""
    folder = os.path.dirname(program)
    return [name for name in LIBRARIES
            if os.path.exists(f"{folder}/ulpscope-mpi-{name}.so") and launcher(name)]


def command(library, ranks, words, more=()):
    return [launcher(library), *more, "-n", str(ranks), *words] if ranks else list(words)


def run(library, ranks, words, more=(), variables=None):
    """ranks 0: without mpirun."""
    return subprocess.run(command(library, ranks, words, more), env={**environment(), **(variables or {})},
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=1000)


# What tells of the clock and the command line; the rest of run.json is a run's, however it was computed.
ELSEWHERE = ("date", "command", "ranks", "resumed on", "resumed by")


def outcome(folder):
    """The bytes of results.csv, and run.json but for the facts above."""
    with open(f"{folder}/results.csv", "rb") as file:
        rows = file.read()
    with open(f"{folder}/run.json") as file:
        run = json.load(file)
    for name in ELSEWHERE:
        run["provenance"]["run"].pop(name, None)
    return rows, run
