#!/usr/bin/env python3
"""memory.py PROGRAM LIBRARY PLANTED [--minutes M] [--only WORDS] [--kind KIND] [--valgrind] - memory that runs out.

Small commands run with their k-th allocation failing (LIBRARY: fail_calls.c), once, or that and all later ones.  Promised: exit 3 and a
message that says memory; or, where the program can do without, the exit status, the text and the files of an undisturbed
run, byte by byte.  Files that were there are as they were, or as an undisturbed run leaves them; no others are left but
the store of a run, which can be resumed, and what is being made in its folder .ulpscope, which the next run sweeps.  The same with threads that cannot be started and pages that cannot be mapped.

With --minutes: k = 1 to 2,000, and 2,000 later ones by chance.  PLANTED (unchecked_calls.c) has one fault of each kind,
which must be found.  --valgrind: nothing fails, and valgrind has nothing to report of any command, nor of its plug-ins' workers.
"""

import contextlib
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile

import attack

SAYS_SO = {
    "memory": re.compile(r"memory|Cannot allocate", re.I),
    "threads": re.compile(r"thread|Resource temporarily unavailable", re.I),
    "maps": re.compile(r"memory|Cannot allocate|mmap", re.I),
}
SECONDS = 600
ENVIRONMENT = {"SOURCE_DATE_EPOCH": "1700000000", "NO_COLOR": "1", "COLUMNS": "100", "LC_ALL": "C.UTF-8"}

# What a command finds in its folder is made once, by these; `ready` names the folder that a row asks for.
STUDY = """schema: ulpscope-study/1
title: Memory
methods: [plain/serial, kahan_two_sum/tree_two_pass, binary64/tree_two_pass]
launch: {blocks: 2, threads: 32}
seed: 1
data:
  - {spec: "uniform:n=16..64*4", trials: 2}
  - {spec: "gensum:n=40,cond=1e3..1e9*1000", trials: 2}
"""
LIMITS = """schema: ulpscope-limits/1
rules:
  - {method: "*", data: "*", metric: bound_ratio, limit: auto, why: "the theorem"}
  - {method: "plain/*", data: "*", metric: ulp_error, statistic: max, limit: 0.5ulp}
  - {method: "binary64/*", data: "*", metric: ulp_error, statistic: p99, limit: 2ulp}
  - {method: "*", data: "*", metric: bits, same: baseline}
  - {method: "none/*", data: "*", metric: nonfinite, limit: 0}
"""
FINE = """schema: ulpscope-limits/1
rules:
  - {method: "*", data: "*", metric: bound_ratio, limit: auto}
"""
SAME = FINE + """  - {method: "*", data: "*", metric: bits, same: baseline}
"""
QUICK = ["--jobs", "1", "--speed", "0"]

# (words of the command, what it may leave or change beside what it does when undisturbed)
COMMANDS = [
    # what needs nothing
    (["help"], []),
    (["--version"], []),
    (["help", "run"], []),
    (["baseline", "--help"], []),
    (["run", "--no-such-option"], []),
    (["rnu"], []),
    *((["list", what], []) for what in ("methods", "accumulators", "orders", "generators", "metrics", "faults", "lessons", "formats",
                                        "devices", "config")),
    (["list", "methods", "kahan*"], []),
    (["doctor"], []),
    # run
    (["run", "-m", "plain/serial,kahan/serial", "-d", "uniform:n=10", "--trials", "2", *QUICK], []),
    (["run", "study.yaml", *QUICK, "-q", "--target", "2ulp"], []),
    (["run", "study.yaml", "-o", "new", *QUICK, "-q"], ["new", "new/run.db*"]),
    (["run", "study.yaml", "-o", "half", "--resume", *QUICK, "-q"], ["half/run.db*"]),
    (["run", "study.yaml", "-o", "a", "--overwrite", *QUICK, "-q"], ["a/run.db*"]),
    (["run", "-m", "plain/serial", "x.csv:column=2", "--nonfinite", "skip", *QUICK, "--permutations", "3", "--csv", "-", "-q"], []),
    (["run", "-m", "plain/serial", "x.npy", *QUICK, "--permutations", "3", "--json", "x.json", "--html", "x.html",
      "--verify-reference"], []),
    # report
    (["report", "a"], []),
    (["report", "a", "-o", "new"], ["new"]),
    (["report", "a", "--html", "x.html"], []),
    (["report", "a", "--json", "x.json", "--csv", "x.csv.out", "--summary", "s.csv"], []),
    (["report", "a", "--svg", "pictures", "-q"], ["pictures"]),
    (["report", "a", "b"], []),
    (["report", "a", "b", "--html", "x.html", "-q"], []),
    # check
    (["check", "a", "--limits", "fine.yaml", "-q"], []),
    (["check", "b", "--limits", "limits.yaml", "--baseline", "main", "--json", "c.json", "--junit", "c.xml", "--markdown", "c.md",
      "--github", "--jobs", "1"], []),
    (["check", "b", "--limits", "limits.yaml", "--baseline", "main", "--verbose", "--jobs", "1"], []),
    (["check", "a", "--limits", "limits.yaml", "--baseline", "main", "--jobs", "1", "--json", "c.json"], []),
    # baseline
    (["baseline", "save", "other", "a"], []),
    (["baseline", "save", "main", "b", "--update", "--accept-worse"], []),
    # data
    (["gen", "gensum:n=40,cond=1e6", "-o", "y.npy"], []),
    (["gen", "normal:n=20", "-o", "x.npy"], []),
    (["gen", "uniform:n=40", "-o", "y.raw"], []),
    (["gen", "telescope:n=40", "-o", "y.csv"], []),
    (["gen", "uniform:n=10", "-o", "-"], []),
    # one sum
    (["exact", "x.npy", "--digits", "20"], []),
    (["exact", "x.csv:column=2", "--nonfinite", "skip", "--json", "e.json"], []),
    (["exact", "uniform:n=40", "--compare", "20.5", "--verify-reference"], []),
    (["exact", "-"], []),
    (["tree", "plain/serial", "-n", "8"], []),
    (["tree", "kahan/tree_two_pass", "uniform:n=20", "--blocks", "2", "--threads", "32", "--svg", "t.svg", "--json",
      "t.json"], []),
    (["tree", "plain/tree_two_pass", "uniform:n=20", "--summary"], []),
    (["blame", "plain/serial", "x.npy", "--top", "3", "--json", "b.json", "--svg", "b.svg"], []),
    (["explain", "naive", "tree", "uniform:n=20", "--jobs", "1", "--json", "e.json", "--witness", "w.f32"], []),
    (["attack", "kahan/serial", "--n", "9", "--budget", "300", "--jobs", "1", "--json", "a.json", "-o", "a.f32", "--witness", "w.f32"], []),
    (["tolerance", "dot", "-n", "100", "--trials", "3", "--jobs", "1", "--json", "o.json"], []),
    (["grade", "matmul:plain/naive", "--size-most", "16", "--samples", "1", "--jobs", "1", "--json", "g.json"], []),
    (["determinism", "plain/serial", "uniform:n=8", "--jobs", "1", "--across", "repeat,launch,padding,permutation"], []),
    (["completion", "bash"], []),
    (["--complete", "run", "-m", "kahan/"], []),
    (["lesson"], []),
    (["lesson", "rounding", "--answers"], []),
    (["lesson", "trees", "--html", "l.html"], []),
    (["bench", "-m", "plain/serial,kahan/serial", "-n", "64", "--jobs", "1", "--json", "b.json"], []),
]
TIMED = {"bench", "doctor"}  # their texts differ from run to run

# What threads need: more than one.
THREADED = [
    (["run", "study.yaml", "-o", "new", "--jobs", "4", "--speed", "0", "-q"], ["new", "new/run.db*"]),
    (["check", "a", "--limits", "limits.yaml", "--baseline", "main", "--jobs", "4"], []),
    (["exact", "uniform:n=1000000", "--jobs", "4"], []),
    (["explain", "naive", "tree", "uniform:n=20", "--jobs", "4"], []),
    (["attack", "kahan/serial", "--n", "9", "--budget", "3000", "--jobs", "4"], []),
]

PLANTED = ["crash", "silent", "wrong_code", "wrong_words", "wrong_text", "wrong_file", "lost_file", "left_file", "threads"]


class Server:
    """A program that waits before its main(): a copy of it runs at each asking, in `folder`, with one call failing."""

    def __init__(self, library, program, words, folder):
        self.beside = pathlib.Path(folder).parent
        self.command = [program, *words]
        self.process = subprocess.Popen(
            self.command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0,
            env={**os.environ, **ENVIRONMENT, "LD_PRELOAD": library, "FAIL_CALLS": "server"},
        )
        self.answers = os.fdopen(os.dup(self.process.stdout.fileno()), "r")

    def run(self, kind, number, once=True):
        """The outcome, how many calls there were, and where the failed one was."""
        self.process.stdin.write(f"{kind} {number} {int(once)} {SECONDS}\n".encode())
        answer = self.answers.readline().split()
        if not answer:
            raise RuntimeError(f"{shlex.join(self.command)}: ended before main()")
        status = int(answer[0])
        code = os.waitstatus_to_exitcode(status)
        out, err = ((self.beside / name).read_bytes() for name in ("out", "err"))
        return attack.Outcome(self.command, code, out, err, hung=code == -signal.SIGALRM), int(answer[1]), answer[2:]

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()
        self.answers.close()


class Place:
    """A folder that is always as it was in the beginning."""

    def __init__(self, master, folder):
        self.master, self.folder = master, folder
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(master, folder)
        self.old, self.marks = attack.snapshot(folder), self._marks()

    def _marks(self):
        marks, folders = {}, [self.folder]
        while folders:
            for entry in os.scandir(folders.pop()):
                is_folder, facts = entry.is_dir(follow_symlinks=False), entry.stat(follow_symlinks=False)
                marks[entry.path] = None if is_folder else (facts.st_ino, facts.st_mtime_ns, facts.st_size)
                if is_folder:
                    folders.append(entry.path)
        return marks

    def look(self):
        """What is there now, as a snapshot, and the folders; and all is put back."""
        marks = self._marks()
        if marks == self.marks:
            return self.old, self._folders(marks)
        now, folders = attack.snapshot(self.folder), self._folders(marks)
        for entry in os.scandir(self.folder):
            if entry.is_dir(follow_symlinks=False):
                shutil.rmtree(entry.path)
            else:
                os.unlink(entry.path)
        shutil.copytree(self.master, self.folder, dirs_exist_ok=True)
        self.marks = self._marks()
        return now, folders

    def _folders(self, marks):
        return {os.path.relpath(path, self.folder) for path, mark in marks.items() if mark is None}


def is_allowed(name, patterns):
    path = pathlib.PurePath(name)
    return ".ulpscope" in path.parts or any(path.match(pattern) for pattern in patterns)


class Judge:
    """What became of one command, beside what an undisturbed run of it does."""

    def __init__(self, server, place, allowed, is_timed, ignored=None):
        self.server, self.place, self.allowed, self.is_timed, self.ignored = server, place, allowed, is_timed, ignored
        self.sound, self.calls, _ = server.run("memory", 0)
        self.files, self.folders = place.look()
        again, _, _ = server.run("memory", 0)
        files, _ = place.look()
        if not is_timed and (again != self.sound or self.different(files)):
            raise RuntimeError(f"{shlex.join(map(str, server.command))}: two undisturbed runs differ")

    def crime(self, kind, number, once):
        """What went wrong, and where the call was; (None, ...) when all is as promised."""
        outcome, _, places = self.server.run(kind, number, once)
        files, folders = self.place.look()
        return self._judge(kind, outcome, files, folders), outcome, places

    def _judge(self, kind, outcome, files, folders):
        crime = outcome.crime()
        if crime:
            return crime
        if outcome.code == 3:
            return self._judge_refusal(kind, outcome, files, folders)
        if outcome.code != self.sound.code:
            return f"exit {outcome.code} instead of {self.sound.code} or 3"
        if self.is_timed:
            return None
        if outcome.out != self.sound.out:
            return f"exit {outcome.code}, and another text: {first_difference(self.sound.out, outcome.out)}"
        if self.sound.code == 2 and outcome.err and self.sound.err.startswith(outcome.err):
            return None  # refused for the reason it would be refused for anyway; a hint may be missing
        if outcome.err != self.sound.err:
            return f"exit {outcome.code}, and other messages: {first_difference(self.sound.err, outcome.err)}"
        different = self.different(files)
        return f"exit {outcome.code}, and other files: {' '.join(different)}" if different else None

    def different(self, files):
        """The files that an undisturbed run would not leave so."""
        return [name for name in {**files, **self.files}
                if files.get(name) != self.files.get(name) and not (self.ignored and name.endswith(self.ignored))]

    def _judge_refusal(self, kind, outcome, files, folders):
        if not SAYS_SO[kind].search(outcome.err.decode(errors="replace")):
            return f"exit 3, and does not say {kind}"
        old = self.place.old
        for name in {**old, **files}:
            if is_allowed(name, self.allowed) or files.get(name) == old.get(name):
                continue
            if self.is_timed or files.get(name) == self.files.get(name):
                continue
            return f"exit 3, and {name} is {'lost' if name not in files else 'wrong' if name in self.files else 'left behind'}"
        strange = [name for name in folders - self.folders if not is_allowed(name, self.allowed)]
        return f"exit 3, and the folder {strange[0]} is left behind" if strange else None


def first_difference(one, other):
    ones, others = one.decode(errors="replace").split("\n"), other.decode(errors="replace").split("\n")
    for a, b in zip(ones + [None], others + [None]):
        if a != b:
            return f"{b!r} instead of {a!r}"
    return "nothing"


def names_of(places):
    """The functions of the program that asked, the innermost first."""
    names = []
    for place in places[2:]:
        path, _, address = place.rpartition("+")
        if ".so" in path:
            name = pathlib.Path(path).name.split(".")[0]
            if not names or names[-1] != name:
                names.append(name)
            continue
        with contextlib.suppress(OSError):
            back = hex(int(address, 16) - 1)
            said = subprocess.run(["addr2line", "-sfe", path, back], capture_output=True, text=True, check=False).stdout.split()
            names.append(f"{said[0]}({said[1]})" if len(said) > 1 else place)
    return " < ".join(names)


class Memory(attack.Attack):
    def __init__(self):
        super().__init__("memory", __doc__.split("\n", maxsplit=1)[0], self._add_arguments)
        if os.access("/dev/shm", os.W_OK):  # nothing waits for a disk there
            self._fast = tempfile.TemporaryDirectory(prefix="ulpscope_memory.", dir="/dev/shm")
            self.folder = pathlib.Path(self._fast.name)
        self.library = str(pathlib.Path(self.arguments.library).resolve())
        self.crimes = {}

    @staticmethod
    def _add_arguments(parser):
        parser.add_argument("library")
        parser.add_argument("planted", nargs="?", help="a program with planted faults")
        parser.add_argument("--only", help="commands whose words hold this")
        parser.add_argument("--kind", choices=SAYS_SO, help="only calls of this kind")
        parser.add_argument("--most", type=int, help="so many k a command")
        parser.add_argument("--number", type=int, help="only this k")
        parser.add_argument("--valgrind", action="store_true", help="every command once, under valgrind")

    def prepare(self):
        """The folder that commands find."""
        master = self.folder / "master"
        master.mkdir()
        (master / "study.yaml").write_text(STUDY)
        (master / "limits.yaml").write_text(LIMITS)
        (master / "fine.yaml").write_text(FINE)
        (master / "same.yaml").write_text(SAME)
        (master / "x.csv").write_text("name,value\n" + "".join(f"a{i},{v}\n" for i, v in enumerate(["1.5", "2e8", "nan", "-2e8", "0.125"])))
        (self.folder / "in").write_text("1\n2\n0.1\n")
        for words in (
            ["gen", "gensum:n=20,cond=1e5", "-o", "x.npy"],
            ["run", "study.yaml", "-o", "a", *QUICK, "-q"],
            ["run", "study.yaml", "-o", "b", "--seed", "2", *QUICK, "-q"],
            ["baseline", "save", "main", "a", "-q"],
        ):
            outcome = attack.run([self.program, *words], cwd=master, env=ENVIRONMENT)
            if outcome.code != 0:
                raise RuntimeError(f"{outcome}")
        self.make_half(master)
        return master

    def make_half(self, master):
        """A run that ended half way: its memory ran out."""
        place = Place(master, self.folder / "work")
        server = Server(self.library, self.program, ["run", "study.yaml", "-o", "half", *QUICK, "-q"], place.folder)
        _, count, _ = server.run("memory", 0)
        for part in (70, 65, 60, 55, 50, 45, 40, 75, 80):
            shutil.rmtree(place.folder / "half")
            outcome, _, _ = server.run("memory", count * part // 100, once=False)
            if outcome.code == 3 and (place.folder / "half/run.db").exists():
                break
        server.close()
        shutil.copytree(place.folder / "half", master / "half")

    def numbers(self, calls, words):
        """The k to be tried.  Every command begins with its words, copied: those of `help` stand for all."""
        if self.arguments.number:
            return [self.arguments.number]
        first, chance = (24 if words == ["help"] else 4, 6) if self.is_short else (2000, 2000)
        if self.arguments.most:
            first = chance = self.arguments.most
        later = range(first + 1, calls + 1)
        return [*range(1, min(first, calls) + 1), *sorted(self.random.sample(later, min(chance, len(later))))]

    def attack_command(self, kind, program, master, words, allowed):
        place = Place(master, self.folder / "work")
        server = Server(self.library, program, words, place.folder)
        # The pages of a database depend on which thread came first.
        judge = Judge(server, place, allowed, words[0] in TIMED, ".db" if kind == "threads" else None)
        calls = judge.calls if kind == "memory" else server.run(kind, 0)[1]
        place.look()
        for number in self.numbers(calls, words):
            if self.is_over():
                break
            once = self.random.random() < 0.75
            crime, outcome, places = judge.crime(kind, number, once)
            self.count(kind)
            if crime:
                self.report(kind, number, once, words, crime, outcome, places)
        server.close()

    def check_twin(self, planted, master):
        """Each planted fault is found, and none where there is none."""
        for fault in [*PLANTED, "none"]:
            kind = "threads" if fault == "threads" else "memory"
            place = Place(master, self.folder / "work")
            server = Server(self.library, planted, [fault], place.folder)
            crime, outcome, _ = Judge(server, place, [], False).crime(kind, 1, True)
            server.close()
            self.count("planted")
            if (crime is None) != (fault == "none"):
                self.fail(f"the planted fault {fault}: {crime}", outcome)

    def report(self, kind, number, once, words, crime, outcome, places):
        """The same crime at the same place is told once."""
        where = tuple(places[2:8])
        self.crimes.setdefault((crime[:40], where), 0)
        self.crimes[crime[:40], where] += 1
        if self.crimes[crime[:40], where] == 1:
            self.fail(f"FAIL_CALLS={kind}:{number}{'' if once else '+'} ulpscope {shlex.join(words)}: {crime}\n    in {names_of(places)}",
                      outcome)

    def watch(self, master):
        """Each command under valgrind, and the twin: one that leaks."""
        for program, words in [(self.arguments.planted, ["leak"])] + [(self.program, row[0]) for row in COMMANDS + THREADED]:
            place, log = Place(master, self.folder / "work"), self.folder / "log"
            watched = ["valgrind", "-q", "--leak-check=full", "--trace-children=yes", f"--log-file={log}.%p", os.path.realpath(program), *words]
            with (self.folder / "in").open() as file:
                subprocess.run(watched, cwd=place.folder, env={**os.environ, **ENVIRONMENT}, stdin=file, capture_output=True, check=False)
            self.count("valgrind")
            said = "".join(path.read_text() for path in self.folder.glob("log.*"))
            if bool(said) != (words == ["leak"]):
                self.fail(f"{shlex.join(words)}: valgrind: {said}")
            for path in self.folder.glob("log.*"):
                path.unlink()

    def attack(self):
        master = self.prepare()
        if self.arguments.valgrind:
            return self.watch(master)
        if self.arguments.planted:
            self.check_twin(str(pathlib.Path(self.arguments.planted).resolve()), master)
        commands = [("memory", *row) for row in COMMANDS] + [("threads", *row) for row in THREADED]
        commands += [("maps", *row) for row in COMMANDS if row[0][0] in {"run", "report"}]
        for kind, words, allowed in commands:
            if self.arguments.only and self.arguments.only not in " ".join(words) or self.arguments.kind not in (None, kind):
                continue
            self.attack_command(kind, self.program, master, words, allowed)


if __name__ == "__main__":
    memory = Memory()
    memory.attack()
    memory.close()
