#!/usr/bin/env python3
"""SIGKILL, at random times and at every system call that writes; then the command again.

A run that was killed goes on with --resume to the reports of an unbroken one, bit for bit; one that was to --overwrite leaves
the old run or the new one, never neither, and another --overwrite ends as if nothing had happened.  Each file that other
commands replace is the old one or the new one, whole, and the next command sweeps what the killed one left.
"""

import os
import re
import signal
import subprocess
import time

import attack
import writers

CALLS = ["write", "pwrite64", "writev", "fsync", "fdatasync", "ftruncate", "fallocate", "rename", "renameat", "renameat2", "link",
         "linkat", "openat", "mkdir", "mkdirat", "unlink", "unlinkat", "rmdir", "fchmod", "flock", "fcntl", "close"]
SHORT = ["run, new", "run, --overwrite", "report -o, again", "gen", "plugin new"]
RESUMED = re.compile(r"(run\.json|x\.json|report\.html)$")  # which say when and by which command a run was resumed


class Stage:
    def __init__(self, attacker, stage, kind, words):
        self.attacker, self.stage, self.kind, self.words = attacker, stage, kind, words
        self.folder = attacker.folder / "work"
        writers.copy_stage(stage, self.folder)
        self.before, self.readable_before = writers.content(self.folder), self.readable()
        began = time.monotonic()
        whole = writers.run(attacker, words, self.folder)
        self.seconds = time.monotonic() - began
        if whole.code != 0:
            raise SystemExit(f"kills: {kind} fails undisturbed: {whole.err.decode()}")
        self.after, self.files, self.readable_after = writers.content(self.folder), self.names(), self.readable()
        self.again = words
        if words[0] in ("run", "determinism") and "-o" in words and "--overwrite" not in words:
            self.again = [word for word in words if word != "--resume"] + ["--resume"]
        if words[0] == "baseline" and words[1] == "save" and "--update" not in words:
            self.again = [*words, "--update"]

    def names(self):
        """All of them, so that nothing is left beside them."""
        return sorted(attack.snapshot(self.folder))

    def readable(self):
        """What `report` reads from the run in the folder, as CSV; None: nothing."""
        if "-o" not in self.words or not (self.folder / self.place() / "run.db").exists():
            return None
        outcome = writers.run(self.attacker, ["report", self.place(), "--csv", "-"], self.folder)
        return outcome.out if outcome.code == 0 else None

    def place(self):
        return self.words[self.words.index("-o") + 1]

    def judge(self, killed):
        """What is wrong after the kill, or after the command that follows; None: nothing."""
        if killed.code >= 0 and (killed.crime() or killed.code != 0):
            return killed.crime() or f"exit {killed.code}; expected to be killed, or 0"
        now = writers.content(self.folder)
        for name in sorted({*now, *self.before, *self.after}):
            if writers.TEMPORARY.search(name) or now.get(name) in (self.before.get(name), self.after.get(name)):
                continue
            return f"{name} is neither the old nor the new one"
        if "--overwrite" in self.words and self.readable() not in (self.readable_before, self.readable_after):
            return "the folder holds neither the old run nor the new one"
        return self.judge_again()

    def judge_again(self):
        words = self.again
        if words[0] == "baseline" and "--update" in words and not (self.folder / "baselines/new.json").exists():
            words = self.words
        outcome = writers.run(self.attacker, words, self.folder)
        now = writers.content(self.folder)
        if outcome.code != 0 and not (words[0] == "baseline" and outcome.code == 2):
            return f"then {' '.join(words)} ends with {outcome.code}: {outcome.err.decode(errors='replace')}"
        parted = [name for name in sorted({*now, *self.after}) if now.get(name) != self.after.get(name)
                  and not (words is not self.words and RESUMED.search(name))]
        if parted:
            return f"then {' '.join(words)} gives other files: {', '.join(parted)}"
        left = sorted({*self.names()} - {*self.files})
        return f"then {' '.join(words)} leaves {', '.join(left)}" if left else None

    def tell(self, wrong, killed, how):
        if wrong:
            self.attacker.fail(f"{self.kind}, killed {how}: {wrong}", killed)

    def kill_at(self, call, k):
        writers.copy_stage(self.stage, self.folder)
        killed = writers.run(self.attacker, self.words, self.folder, writers.strace(call, "signal=SIGKILL", k))
        killed.code = -signal.SIGKILL if killed.code in (-signal.SIGKILL, 137) else killed.code
        self.attacker.count(f"{self.kind}: at a system call")
        self.tell(self.judge(killed), killed, f"at {call} {k}")

    def kill_after(self, seconds):
        writers.copy_stage(self.stage, self.folder)
        process = subprocess.Popen([self.attacker.program, *self.words], cwd=self.folder, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, env={**os.environ, **writers.ENVIRONMENT})
        time.sleep(seconds)
        process.kill()
        out, err = process.communicate()
        killed = attack.Outcome(self.words, process.returncode, out, err)
        self.attacker.count(f"{self.kind}: at a random time")
        self.tell(self.judge(killed), killed, f"after {seconds:.4f} s")


def calls_that_write(stage):
    writers.copy_stage(stage.stage, stage.folder)
    counted = writers.calls_of(stage.attacker, stage.words, stage.folder, CALLS)
    kills = [(call, k) for call, (first, last) in counted.items() for k in range(first + 1, last + 1)]
    stage.attacker.random.shuffle(kills)
    return kills


def twin(attacker, stage):
    """Programs that lose the old run, write in place, or leave what they began, are noticed."""
    planted = {
        "the old run is removed first": 'rm -r old; kill -9 $$',
        "a report is written in place": ': >old/results.csv; kill -9 $$',
        "what was killed is never swept": '"$0.real" "$@" && cp old/results.csv old/left',
    }
    program = attacker.folder / "planted"
    (attacker.folder / "planted.real").symlink_to(attacker.program)
    for what, script in planted.items():
        program.write_text(f'#!/bin/sh\n[ "$1" = run ] || exec "$0.real" "$@"\n{script}\n')
        program.chmod(0o755)
        own, attacker.program = attacker.program, str(program)
        writers.copy_stage(stage.stage, stage.folder)
        killed = writers.run(attacker, stage.words, stage.folder)
        wrong = stage.judge(killed)
        attacker.program = own
        attacker.count("twin")
        if not wrong:
            attacker.fail(f"the twin, {what}, was not noticed", killed)


def main():
    attacker = attack.Attack("kills", __doc__)
    stage = writers.make_stage(attacker)
    strace = writers.has_strace()
    stages = [Stage(attacker, stage, kind, words) for kind, words in writers.COMMANDS.items()
              if not attacker.is_short or kind in SHORT]
    twin(attacker, next(one for one in stages if "--overwrite" in one.words))
    at_calls = [(one, *kill) for one in stages for kill in (calls_that_write(one)[:3 if attacker.is_short else None] if strace else [])]
    attacker.random.shuffle(at_calls)
    runs = [one for one in stages if one.words[0] == "run" and "-o" in one.words]
    at_times = [(one, attacker.random.uniform(0, 1.1 * one.seconds)) for one in runs for _ in range(3 if attacker.is_short else 200)]
    attacker.random.shuffle(at_times)
    planned = len(at_calls) + len(at_times)
    while (at_calls or at_times) and not attacker.is_over():
        if at_times:
            one, seconds = at_times.pop()
            one.kill_after(seconds)
        if at_calls:
            one, call, k = at_calls.pop()
            one.kill_at(call, k)
    print(f"kills: {planned - len(at_calls) - len(at_times):,} of {planned:,} that were planned"
          + ("" if strace else "; no strace: at random times alone"))
    attacker.close()


main()
