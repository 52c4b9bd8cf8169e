#!/usr/bin/env python3
"""How much faster two ranks are than one, of one thread each, with each MPI library that is here.

    bench_mpi.py ULPSCOPE [SECONDS]     how long one rank should take, about (60)
"""
import os
import resource
import shutil
import sys
import tempfile
import time

import mpi

PROGRAM = os.path.realpath(sys.argv[1])
SECONDS = float(sys.argv[2]) if len(sys.argv) > 2 else 60


def timed(library, ranks, trials):
    words = [PROGRAM, "run", "-m", "kahan/*", "-m", "plain/*", "-d", "uniform:n=1Mi", "--trials", str(trials),
             "--speed", "0", "--jobs", "1", "-q", "-o", "out"]
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = mpi.run(library, ranks, words)
    wall, after = time.monotonic() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.returncode == 0, done.stderr
    shutil.rmtree("out")
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    libraries = mpi.libraries(PROGRAM)
    if not libraries:
        print("skipped: no MPI library in this build, or no launcher of one")
        return 77
    os.chdir(tempfile.mkdtemp(prefix="ulpscope_mpi."))
    trials = 20
    trials = max(20, int(trials * SECONDS / timed(None, 0, trials)[0]))
    alone, cpu_alone = timed(None, 0, trials)
    print(f"{trials} trials; one process, one thread: {alone:.1f} s, {cpu_alone:.1f} s of cores")
    for library in libraries:
        wall, cpu = timed(library, 2, trials)
        print(f"{library}: two ranks {wall:.1f} s, {cpu:.1f} s of cores: {alone / wall:.2f} times as fast")
    return 0


if __name__ == "__main__":
    sys.exit(main())
