#!/usr/bin/env python3
"""Commands that write into one folder start together: each has it alone, or says that another has it and touches nothing.

Promised: the second ends with 2 and the words "another ulpscope (pid N) writes here"; a later one finds a whole
folder and continues, replaces or refuses it, as alone.  Afterwards results.csv is that of run.db, both are those of a run that nobody
disturbed, byte for byte and row for row, and nothing else is in the folder.

    together.py build/host/ulpscope                    24 rounds
    together.py build/host/ulpscope --minutes 10       200 and more
"""

import collections
import pathlib
import re
import shutil
import sqlite3
import subprocess
import time

from attack import REPORTS, Attack

ROUNDS = 24  # of the short attack
STUDIES = {
    "first": ["-m", "naive,kahan/serial", "-d", "uniform:n=64", "--trials", "150", "--speed", "0"],
    "second": ["-m", "naive,kahan/serial", "-d", "normal:n=32", "--trials", "90", "--seed", "2", "--speed", "0"],
}
LOCKED = re.compile(r"another ulpscope( \(pid \d+\))? writes here")
THERE = "already holds a run"  # a later one
OTHER = "holds another study"


def database(folder):
    """What a run.db says, without what names its time and command."""
    connection = sqlite3.connect(f"file:{folder}/run.db?mode=ro", uri=True)
    try:
        tables = [connection.execute(f"SELECT * FROM {table} ORDER BY 1, 2, 3, 4, 5").fetchall() for table in ("results", "specs")]
        seed = connection.execute("SELECT value FROM run WHERE key = 'seed'").fetchall()
        whole = connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return (tables, seed) if whole else None
    finally:
        connection.close()


def files(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


class Together(Attack):
    def __init__(self):
        super().__init__("together", __doc__)
        self.ends = collections.Counter()
        self.alone = {}
        for name, study in STUDIES.items():
            folder = self.folder / name
            subprocess.run([self.program, "run", "-q", *study, "-o", folder], check=True, capture_output=True)
            self.alone[name] = {"csv": (folder / "results.csv").read_bytes(), "database": database(folder), "files": files(folder)}

    # ---- a round ----

    def run(self, study, *flags):
        return [self.program, "run", "-q", *STUDIES[study], "-o", "D", *flags]

    def report(self):
        return [self.program, "report", "D", "-o", "D"]

    def round(self, kind, folder):
        """Commands for a folder, and what has to be in it before."""
        number = self.random.randint(2, 4)
        kinds = {
            "run": lambda: self.run("first"),
            "resume": lambda: self.run("first", "--resume"),
            "overwrite": lambda: self.run(self.random.choice(("first", "second")), "--overwrite"),
            "report": self.report,
            "mixed": lambda: self.random.choice(
                (self.run("first"), self.run("first", "--resume"), self.run("second", "--overwrite"), self.report())),
        }
        (folder / "D").parent.mkdir(parents=True, exist_ok=True)
        if kind in ("overwrite", "report") or (kind == "mixed" and self.random.random() < 0.5):
            shutil.copytree(self.folder / "first", folder / "D")
        elif self.random.random() < 0.5:
            (folder / "D").mkdir()
        return [kinds[kind]() for _ in range(number)]

    def start(self, commands, folder):
        started = []
        for command in commands:
            started.append(subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True))
            time.sleep(self.random.choice((0, 0, 0.001, 0.003, 0.01)))
        return [(process.communicate(timeout=1000)[1], process.returncode) for process in started]

    # ---- what is promised ----

    def judge_end(self, command, err, code):
        """Why it may not end like this, or None."""
        if any(word in err for word in REPORTS):
            return "a sanitizer's report"
        if code == 0:
            self.ends["fine"] += 1
            return None
        if code == 2 and LOCKED.search(err):
            self.ends["refused: another writes"] += 1
            return None
        is_report, is_plain = "report" in command[1], not {"--resume", "--overwrite"} & set(command)
        later = THERE in err and is_plain or OTHER in err and "--resume" in command
        if code == 2 and (later or (is_report and "expected a run" in err)):
            self.ends["refused: came later"] += 1
            return None
        return f"exit {code}"

    def judge_folder(self, folder):
        seen = database(folder)
        name = next((name for name, alone in self.alone.items() if alone["database"] == seen), None)
        if not name:
            return "run.db is that of no undisturbed run"
        if (folder / "results.csv").read_bytes() != self.alone[name]["csv"]:
            return f"results.csv is not that of run.db, which is the {name} study's"
        if files(folder) != self.alone[name]["files"]:
            return f"other files: {set(files(folder)) ^ set(self.alone[name]['files'])}"
        return None

    def judge(self, kind, folder, commands, ends):
        wrong = [f"{' '.join(map(str, command[1:]))}: {why}: {err.strip()[-300:]}"
                 for command, (err, code) in zip(commands, ends) if (why := self.judge_end(command, err, code))]
        if all(LOCKED.search(err) for err, _ in ends):
            wrong.append("nobody had it")
        if (folder / "D/run.db").exists() and (why := self.judge_folder(folder / "D")):
            wrong.append(why)
        return wrong

    def attack(self, kind, commands_of=None):
        folder = self.folder / "round"
        commands = (commands_of or self.round)(kind, folder)
        ends = self.start(commands, folder)
        wrong = self.judge(kind, folder, commands, ends)
        shutil.rmtree(folder)
        return wrong, commands

    # ---- twins: the judge would notice ----

    def twins(self):
        """A folder whose reports are another run's, with a file too many, without some rows; an end that says something else."""
        folder = self.folder / "twin"
        shutil.copytree(self.folder / "first", folder)
        (folder / "results.csv").write_bytes(self.alone["second"]["csv"])
        noticed = [self.judge_folder(folder) is not None]
        shutil.copy(self.folder / "first/results.csv", folder)
        noticed.append(self.judge_folder(folder) is None)
        (folder / "run.db.Xyz123").write_text("left behind")
        noticed.append(self.judge_folder(folder) is not None)
        (folder / "run.db.Xyz123").unlink()
        connection = sqlite3.connect(folder / "run.db")
        connection.execute("DELETE FROM measured WHERE id >> 24 IN (SELECT case_index FROM cases WHERE trial = 7)")
        connection.commit()
        connection.close()
        noticed.append(self.judge_folder(folder) is not None)
        noticed.append(self.judge_end(self.run("first"), "ulpscope: D: database is locked", 3) is not None)
        self.count("twin: a spoilt folder is noticed", len(noticed))
        if not all(noticed):
            self.fail(f"a twin was not noticed: {noticed}")

    def all(self):
        kinds = ("run", "resume", "overwrite", "report", "mixed", "mixed")
        self.twins()
        number = 0
        while number < (ROUNDS if self.is_short else 200) or not (self.is_short or self.is_over()):
            kind = kinds[number % len(kinds)]
            wrong, commands = self.attack(kind)
            self.count(f"starts together: {kind}")
            for why in wrong:
                self.fail(f"round {number}, {kind}, {len(commands)} at once: {why}")
            number += 1
        for end, times in sorted(self.ends.items()):
            print(f"together: {end}: {times:,}")
        if not self.ends["refused: another writes"]:
            self.fail("nobody met anybody: the starts were not together")


if __name__ == "__main__":
    attack = Together()
    attack.all()
    attack.close()
