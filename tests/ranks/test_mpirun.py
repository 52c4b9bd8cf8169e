#!/usr/bin/env python3
"""ulpscope run under mpirun, with each MPI library that is here: the results of one process, whatever dies.

    test_mpirun.py ULPSCOPE MISLED [KILLS]     MISLED: misled.c; ranks that are killed, at times drawn from a seed (3)
"""
import contextlib
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest

import mpi

PROGRAM, MISLED = (os.path.realpath(path) for path in sys.argv[1:3])
KILLS = int(sys.argv[3]) if len(sys.argv) > 3 else 3
STUDY = ["-m", "naive", "-m", "kahan", "-d", "uniform:n=1Ki..1Mi*32", "-d", "gensum:n=256,cond=1e8", "--trials", "60",
         "-d", "harmonic:n=1000", "--permutations", "30", "--speed", "0", "-q"]
CASES = 4 * 60 + 31


def study(folder, *more):
    return [PROGRAM, "run", *STUDY, "-o", folder, *more]


class Ranks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="ulpscope_mpi.")
        os.chdir(cls.folder)
        started = time.monotonic()
        assert mpi.run(None, 0, study("whole")).returncode == 0
        cls.seconds = time.monotonic() - started
        cls.whole = mpi.outcome("whole")

    @classmethod
    def tearDownClass(cls):
        os.chdir("/")
        shutil.rmtree(cls.folder)

    def tearDown(self):
        shutil.rmtree("out", ignore_errors=True)

    @contextlib.contextmanager
    def part(self, **names):
        with self.subTest(**names):
            yield
        self.tearDown()

    def assert_same(self, folder="out"):
        rows, run = mpi.outcome(folder)
        self.assertEqual(rows, self.whole[0])
        self.assertEqual(run, self.whole[1])

    def each(self):
        return mpi.libraries(PROGRAM)

    def test_ranks_give_the_bytes_of_one_process(self):
        every = [(ranks, jobs) for ranks in (2, 4, 7) for jobs in (1, 2)]
        for at, library in enumerate(self.each()):
            for ranks, jobs in every if KILLS > 3 else every[1 - at::2]:
                with self.part(library=library, ranks=ranks, jobs=jobs):
                    done = mpi.run(library, ranks, study("out", "--jobs", str(jobs)))
                    self.assertEqual((done.returncode, done.stderr), (0, ""))
                    self.assertEqual(done.stdout.count("report: out/report.html"), 1)
                    self.assert_same()
                    self.assertIn(f"{ranks} of ", ranks_of("out"))

    def test_killed_rank_loses_nothing(self):
        chance, in_the_middle = random.Random(1), 0
        for kill in range(KILLS):
            library = self.each()[kill % len(self.each())]
            with self.part(library=library, kill=kill):
                ranks, victim = chance.choice((2, 3, 4)), chance.randrange(2)
                kill_one(mpi.command(library, ranks, study("out", "--jobs", "1")), victim,
                         0.7 * chance.random() * self.seconds)
                if kill % 2 == 0: # else the log of SQLite is left to --resume
                    in_the_middle += 0 < cases_in("out") < CASES
                again = chance.choice((0, 1, 2, 5))
                done = mpi.run(library, again, study("out", "--resume"))
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assert_same()

        print(f"{in_the_middle} of {KILLS} kills are known to have been in the middle of a run", file=sys.stderr)
        self.assertTrue(in_the_middle > 0 or KILLS < 10)

    def test_job_that_goes_on_gives_cases_of_a_dead_rank_to_others(self):
        if "openmpi" not in self.each():
            self.skipTest("no Open MPI, whose mpirun lets a job go on")
        line = mpi.command("openmpi", 3, study("out", "--jobs", "1"), ["--enable-recovery"])
        code, said = kill_one(line, 1, 0, {"ULPSCOPE_MPI_PATIENCE": "3"})
        self.assertEqual(code, 0, said)
        self.assert_same()

    def test_rank_that_dies_before_it_joins_is_not_waited_for(self):
        """MPI_Finalize would wait for it."""
        if "openmpi" not in self.each():
            self.skipTest("no Open MPI, whose mpirun lets a job go on")
        done = mpi.run("openmpi", 3, [MISLED, *study("out")[1:]], ["--enable-recovery"],
                       {**module_of("openmpi"), "ULPSCOPE_TEST_DIES": "1", "ULPSCOPE_MPI_PATIENCE": "3"})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("ulpscope: rank 1 is not heard any more, and taken for dead\n", done.stderr)
        self.assert_same()

    def test_more_ranks_than_cases_are_fine(self):
        for library in self.each():
            words = [PROGRAM, "run", "-m", "naive", "-d", "uniform:n=8", "--trials", "2", "--speed", "0", "--csv", "-"]
            done, alone = mpi.run(library, 4, words), mpi.run(None, 0, words)
            self.assertEqual((done.returncode, done.stderr), (0, alone.stderr)) # notes are told once
            self.assertEqual(done.stdout, alone.stdout)

    def refused(self, library, words, why, variables=None, program=PROGRAM):
        done = mpi.run(library, 3, [program, *words], variables=variables)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(done.stderr.count("ulpscope: "), 1, done.stderr)
        self.assertIn(why, done.stderr)

    def test_what_cannot_be_shared_is_refused_once(self):
        for library in self.each():
            self.refused(library, ["exact", "x.npy"], "the only command that shares its work")
            self.refused(library, ["run", "-m", "nothing/*"], "nothing/*")
            self.refused(library, ["run"], "expected openmpi or mpich", {"ULPSCOPE_MPI": "cray"})

    def test_build_without_mpi_refuses_once(self):
        shutil.copy(PROGRAM, "ulpscope") # without the modules beside it
        for library in self.each():
            self.refused(library, ["run"], "this ulpscope was built without", program="./ulpscope")

    def test_another_mpi_than_the_launchers_is_refused_once(self):
        if len(self.each()) < 2:
            self.skipTest("one MPI library alone")
        self.refused("mpich", ["run"], "it is not the MPI of that launcher", {"ULPSCOPE_MPI": "openmpi"})

    def test_row_without_a_field_is_noticed(self):
        """The twin: ranks that lose the condition of every row."""
        for library in self.each():
            done = mpi.run(library, 4, [MISLED, *study("out")[1:]], variables=module_of(library))
            self.assertEqual(done.returncode, 0, done.stderr)
            with self.assertRaises(AssertionError):
                self.assert_same()
            self.tearDown()


def module_of(library):
    """For a program that stands elsewhere."""
    return {"ULPSCOPE_MPI_MODULE": f"{os.path.dirname(PROGRAM)}/ulpscope-mpi-{library}.so"}


def ranks_of(folder):
    with open(f"{folder}/run.json") as file:
        return json.load(file)["provenance"]["run"]["ranks"]


def cases_in(folder):
    """As anyone would look, who brings back what was in the log."""
    with contextlib.closing(sqlite3.connect(f"{folder}/run.db")) as database:
        try:
            return database.execute("SELECT count(*) FROM cases").fetchone()[0]
        except sqlite3.OperationalError: # it has no tables yet
            return 0


def processes_of(parent):
    """Ranks below a launcher: their process numbers, by rank."""
    found = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/environ", "rb") as file:
                variables = dict(one.split(b"=", 1) for one in file.read().split(b"\0") if b"=" in one)
            is_ours = os.path.realpath(f"/proc/{name}/exe") == PROGRAM
        except OSError:
            continue
        rank = variables.get(b"OMPI_COMM_WORLD_RANK", variables.get(b"PMI_RANK"))
        if is_ours and rank is not None and variables.get(b"ULPSCOPE_TEST_RUN") == str(parent).encode():
            found[int(rank)] = int(name)
    return found


def kill_one(line, victim, after, variables=None):
    """Starts it; kills a rank so many seconds after the store is there.  The exit code, and what was said."""
    own = {**mpi.environment(), **(variables or {}), "ULPSCOPE_TEST_RUN": str(os.getpid())}
    with subprocess.Popen(line, env=own, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True) as job:
        while job.poll() is None and not os.path.exists("out/run.db"):
            time.sleep(0.005)
        time.sleep(after)
        process = processes_of(os.getpid()).get(victim)
        if process and job.poll() is None:
            os.kill(process, signal.SIGKILL)
        try:
            said = job.communicate(timeout=1000)[0]
        finally:
            job.kill() # ranks that wait for ever end with their launcher
        return job.returncode, said


if __name__ == "__main__":
    if not mpi.libraries(PROGRAM):
        print("skipped: no MPI library in this build, or no mpirun.openmpi or mpirun.mpich for it")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
