"""What the attacks share: the program run with a fault, and what may become of it.

An attack is a script, `NAME.py PROGRAM [--minutes M] [--seed S]`.  Without --minutes it is short, for the everyday tests.  It does one
kind of harm many times and holds each to the promise of docs/reliability.md: the exit status is one that the program
knows, a failure says why, nothing crashes, nothing that was there is lost, nothing wrong is written as if it were right.
"""

import argparse
import dataclasses
import hashlib
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

CODES = {0, 1, 2, 3, 4, 130}  # of `ulpscope help`
REPORTS = ("AddressSanitizer", "ThreadSanitizer", "LeakSanitizer", "runtime error:")
SECONDS = 1000  # nothing that an attack runs takes as long
for variable in ("CI", "GITHUB_STEP_SUMMARY"):  # with which ulpscope writes elsewhere, or refuses to
    os.environ.pop(variable, None)


@dataclasses.dataclass
class Outcome:
    command: list
    code: int  # of the exit; negative: the signal that ended it
    out: bytes
    err: bytes
    hung: bool = False

    def crime(self, signals=()):
        """Why no program may end like this, or None.  `signals`: those that the attack sends."""
        if self.hung:
            return f"did not end within {SECONDS} s"
        if self.code < 0 and -self.code not in signals:
            return f"ended by {signal.Signals(-self.code).name}"
        if self.code >= 0 and self.code not in CODES:
            return f"exit status {self.code}"
        if self.code not in (0, 1) and self.code >= 0 and not self.err.strip():
            return f"exit status {self.code} without a word"
        text = self.err.decode(errors="replace")
        return next((f"{word}: {text[-2000:]}" for word in REPORTS if word in text), None)


def run(command, cwd=None, env=None, seconds=SECONDS, stdin=b""):
    """Runs a command in a session of its own; env: what is added to the environment."""
    process = subprocess.Popen(
        [os.fspath(word) for word in command], cwd=cwd, env={**os.environ, **(env or {})}, start_new_session=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )
    try:
        out, err = process.communicate(stdin, timeout=seconds)
        return Outcome(command, process.returncode, out, err)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        out, err = process.communicate()
        return Outcome(command, process.returncode, out, err, hung=True)


def snapshot(folder, unknown=None):
    """Each file below the folder, by its name there: the SHA-256 of what it holds, with the bytes `unknown` told as "unknown"."""
    folder = pathlib.Path(folder)
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes().replace(unknown or b"unknown", b"unknown")).hexdigest()
        for path in sorted(folder.rglob("*")) if path.is_file()
    }


def minutes(usual):
    """Of an attack, when tools/attack gives all of them more or less time."""
    return usual * float(os.environ.get("ULPSCOPE_ATTACK_TIMES", "1"))


class Attack:
    """The arguments, the clock, the chance, the folder, and the count of what was tried and what went wrong."""

    def __init__(self, name, description, add_arguments=None):
        parser = argparse.ArgumentParser(prog=name, description=description)
        parser.add_argument("program", type=lambda path: str(pathlib.Path(path).resolve()))
        parser.add_argument("--minutes", type=float, help="go on so long (default: a short attack, always the same)")
        parser.add_argument("--seed", type=int, default=1)
        if add_arguments:
            add_arguments(parser)
        self.name, self.arguments = name, parser.parse_args()
        self.program, self.is_short = self.arguments.program, self.arguments.minutes is None
        self.random = random.Random(self.arguments.seed)
        self.end = time.monotonic() + 60 * minutes(self.arguments.minutes or 0)
        self.tried, self.failures = {}, []
        self._folder = tempfile.TemporaryDirectory(prefix=f"ulpscope_{name}.")
        self.folder = pathlib.Path(self._folder.name)

    def is_over(self):
        return not self.is_short and time.monotonic() > self.end

    def count(self, kind, number=1):
        self.tried[kind] = self.tried.get(kind, 0) + number

    def fail(self, what, outcome=None):
        """Something went wrong: said at once, with what repeats it."""
        self.failures.append(what)
        print(f"{self.name}: FAILED: {what}", flush=True)
        if outcome:
            print(f"  {' '.join(map(str, outcome.command))}\n  exit {outcome.code}: "
                  f"{outcome.err.decode(errors='replace')[-1000:]}", flush=True)

    def close(self):
        """One line for each kind, and the exit status."""
        for kind, number in self.tried.items():
            print(f"{self.name}: {kind}: {number:,}")
        print(f"{self.name}: {sum(self.tried.values()):,} tried, {len(self.failures)} went wrong", flush=True)
        self._folder.cleanup()
        sys.exit(1 if self.failures or not self.tried else 0)
