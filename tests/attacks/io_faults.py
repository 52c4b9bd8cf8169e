#!/usr/bin/env python3
"""The k-th system call of a kind fails, for every kind, every k, and every command that writes.

strace makes the kernel's answer ENOSPC, EIO, EMFILE, EINTR, ...  Whatever fails and wherever: the exit status is 3 and says
why, or it is 0 and every output is that of an undisturbed run, bit for bit.  After an exit that is not 0 each file is as
it was or is the new one, whole; no temporary file is left; and a run continues with --resume to the bytes of an unbroken one.
Without strace: files that may not grow, /dev/full, few file descriptors.
"""

import os
import resource
import signal
import subprocess
import sys

import attack
import writers

FULL = ["ENOSPC", "EIO"]
FAULTS = {  # errors that Linux gives for them when the machine is at fault
    "write": [*FULL, "EDQUOT", "EFBIG", "EINTR"], "pwrite64": [*FULL, "EDQUOT"], "writev": FULL, "fsync": FULL,
    "fdatasync": FULL, "ftruncate": FULL, "fallocate": ["ENOSPC"], "rename": [*FULL, "EDQUOT"], "renameat2": FULL,
    "linkat": FULL, "openat": ["EMFILE", "ENFILE", "ENOMEM", "EIO", "ENOSPC"], "mkdir": [*FULL, "ENOMEM"],
    "unlink": ["EIO", "EROFS"], "unlinkat": ["EIO"], "renameat": FULL, "mkdirat": FULL, "link": FULL, "rmdir": ["EIO"], "close": ["EIO", "EINTR"], "lseek": ["EIO"], "fchmod": ["EIO", "EPERM"],
    "read": ["EIO"], "pread64": ["EIO"], "mmap": ["ENOMEM"], "fcntl": ["EIO", "ENOLCK"], "flock": ["EIO", "ENOLCK"],
    "newfstatat": ["EIO", "ENOMEM"], "access": ["EIO"], "faccessat2": ["EIO"], "statx": ["EIO"], "getdents64": ["EIO"], "dup": ["EMFILE"], "clone3": ["EAGAIN"], "readlink": ["EIO"],
}
# The program cannot do more than say so where removing is what fails; what stays is swept by the next.
LEAVES = {"unlink", "unlinkat", "rmdir", "openat", "flock", "getdents64", "newfstatat"}
# SQLite takes this for a file that another program has: exit 2 is as good.
BAD_FILE = {("fcntl", "ENOLCK")}


class Stage:
    """A command's folder before, and after a run that nothing disturbs."""

    def __init__(self, attacker, stage, kind, words):
        self.attacker, self.stage, self.kind, self.words = attacker, stage, kind, words
        self.folder = attacker.folder / "work"
        writers.copy_stage(stage, self.folder)
        self.before = writers.content(self.folder)
        self.whole = writers.run(attacker, words, self.folder)
        if self.whole.code != 0 or writers.temporaries(self.folder):
            raise SystemExit(f"io_faults: {kind} fails undisturbed: {self.whole.err.decode()}")
        self.after = writers.content(self.folder)

    def store(self):
        """The folder of a run that this command makes, or None."""
        return self.words[self.words.index("-o") + 1] if self.words[0] in ("run", "determinism") and "-o" in self.words else None

    def disturb(self, before, what, leaves=False, codes=(0, 3), program=None, limit=None):
        """Runs it with the fault; what is wrong then, or None."""
        writers.copy_stage(self.stage, self.folder)
        if limit:
            outcome = limited(self.attacker, self.words, self.folder, limit)
        else:
            outcome = writers.run(self.attacker, self.words, self.folder, before, program)
        self.attacker.count(self.kind)
        wrong = self.judge(outcome, leaves, codes) or (self.cannot_resume(outcome) if self.store() else None)
        if wrong:
            self.attacker.fail(f"{self.kind}: {what}: {wrong}", outcome)
        return wrong

    def judge(self, outcome, leaves, codes):
        now = writers.content(self.folder)
        left = writers.temporaries(self.folder)
        if outcome.crime() or outcome.code not in codes:
            return outcome.crime() or f"exit {outcome.code}; expected one of {codes}"
        if left and not leaves:
            return f"left {', '.join(left)}"
        for name in {*now, *self.before, *self.after} - set(left):
            is_new = now.get(name) == self.after.get(name)
            is_old = now.get(name) == self.before.get(name)
            is_part = outcome.code == 3 and b"not all axes could be varied" in outcome.err  # what was varied is reported
            if not (is_new or (is_old and outcome.code != 0) or is_part):
                return f"exit {outcome.code}, and {name} is {'gone' if name not in now else 'neither the old nor the new one'}"
        if outcome.code == 0 and outcome.out != self.whole.out:
            return "exit 0, and standard output is another"
        return None

    def cannot_resume(self, outcome):
        """After any fault the run goes on, to the same reports but for when and by which command it did."""
        if outcome.code == 0:
            return None
        words = self.words  # --overwrite: the old run may stand, which --resume refuses as another one's
        if "--overwrite" not in words:
            words = [word for word in words if word != "--resume"] + ["--resume"]
        again = writers.run(self.attacker, words, self.folder)
        now = writers.content(self.folder)
        if again.code != 0:
            return f"then {' '.join(words[-2:])} ends with {again.code}: {again.err.decode(errors='replace')}"
        parted = [name for name in sorted({*now, *self.after})
                  if now.get(name) != self.after.get(name) and not name.endswith(("run.json", "x.json", "report.html"))]
        return f"then {words[-1]} gives other files: {', '.join(parted)}" if parted else None


def limited(attacker, words, folder, limit):
    def set_limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(limit[0], (limit[1], limit[1]))

    process = subprocess.run([attacker.program, *words], cwd=folder, env={**os.environ, **writers.ENVIRONMENT},
                             capture_output=True, preexec_fn=set_limit, timeout=attack.SECONDS)
    return attack.Outcome([attacker.program, *words], process.returncode, process.stdout, process.stderr)


# ---- without strace ----


def by_limits(stage):
    sizes = [0, 1, 100, 4096, 20000] if stage.attacker.is_short else [*range(0, 600, 97), *range(1024, 1 << 17, 9001)]
    handles = [5, 7] if stage.attacker.is_short else range(4, 24)
    for most in sizes:
        stage.disturb((), f"files of at most {most} bytes", limit=(resource.RLIMIT_FSIZE, most))
    for most in handles:
        stage.disturb((), f"{most} file descriptors", limit=(resource.RLIMIT_NOFILE, most))


def to_full_device(attacker, stage):
    """Standard output and each file on a disk without room."""
    for kind, words in writers.COMMANDS.items():
        folder = writers.copy_stage(stage, attacker.folder / "work")
        for at, word in enumerate(words):
            if not word.startswith("x.") or words[at - 1] in ("--witness", "-o"):  # data, by their endings
                continue
            full = [*words[:at], "/dev/full", *words[at + 1:]]
            outcome = writers.run(attacker, full, folder)
            attacker.count("/dev/full")
            if outcome.crime() or outcome.code != 3:
                attacker.fail(f"{kind}: {words[at - 1]} /dev/full: exit {outcome.code}; expected 3", outcome)
        if attacker.is_short and kind != "check":
            continue
        with open("/dev/full", "w") as device:
            process = subprocess.run([attacker.program, *words], cwd=folder, env={**os.environ, **writers.ENVIRONMENT},
                                     stdout=device, stderr=subprocess.PIPE)
        attacker.count("/dev/full")
        silent = kind in ("run, new", "run, --resume")  # -q and -o: the table is printed all the same
        if process.returncode not in (3, 2) and not (silent or kind in QUIET):
            attacker.fail(f"{kind}: standard output to /dev/full: exit {process.returncode}; expected 3")


QUIET = {"gen", "gen, text", "lesson", "tree"}  # which print nothing beside a file


# ---- with strace ----


def faults_of(stage):
    """Each call that the command makes, each error, each time."""
    writers.copy_stage(stage.stage, stage.folder)
    counted = writers.calls_of(stage.attacker, stage.words, stage.folder, list(FAULTS))
    faults = [(call, error, k) for call, (first, last) in counted.items() if call in stage.attacker.arguments.calls
              for error in FAULTS[call]
              for k in range(first + 1, last + 1)]
    stage.attacker.random.shuffle(faults)
    return faults


def inject(stage, fault):
    call, error, k = fault
    codes = (0, 2, 3) if (call, error) in BAD_FILE else (0, 3)
    stage.disturb(writers.strace(call, f"error={error}", k), f"{call} {k} gives {error}", call in LEAVES, codes)


# ---- the twin ----


def twin(attacker, stage):
    """A program that hides a failure, one that leaves a file, and one that cuts its output short, are noticed."""
    program = attacker.folder / "planted"
    planted = {
        "a failure that is hidden": '"$0.real" "$@" && exit 0; ulimit -f 0; "$0.real" "$@" 2>/dev/null; exit 0',
        "a failure without a word": '"$0.real" "$@" >/dev/null 2>&1; exit 3',
        "a file that is left": '"$0.real" "$@"; echo x >.ulpscope-AAAAAA',
        "an output cut short": '"$0.real" "$@" && for f in x.*; do truncate -s -1 $f; done',
        "an old file that is lost": 'rm x.json; echo full >&2; exit 3',
    }
    (attacker.folder / "planted.real").symlink_to(attacker.program)
    for what, script in planted.items():
        if what == "a failure that is hidden":
            script = "exit 0"  # nothing is written, and all is said to be well
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
        failures = len(attacker.failures)
        said = sys.stdout
        sys.stdout = open(os.devnull, "w")
        wrong = stage.disturb((), what, program=str(program))
        sys.stdout = said
        del attacker.failures[failures:]
        if not wrong:
            attacker.fail(f"the twin, {what}, was not noticed")


def add_arguments(parser):
    def names(text):
        return set(text.split(","))

    parser.add_argument("--calls", type=names, default=set(FAULTS), help="only faults of these, like rename,fsync")
    parser.add_argument("--without", type=names, default=set(), help="none of these")


def main():
    attacker = attack.Attack("io_faults", __doc__, add_arguments)
    attacker.arguments.calls -= attacker.arguments.without
    strace = writers.has_strace()
    if not strace and not attacker.is_short:
        print("skipped: strace is not there, or may not trace")
        sys.exit(77)
    stage = writers.make_stage(attacker)
    stages = {kind: Stage(attacker, stage, kind, words) for kind, words in writers.COMMANDS.items()
              if not attacker.is_short or kind in ("run, new", "run, --overwrite", "check", "report -o, again", "tree")}
    twin(attacker, stages["tree"])
    if attacker.arguments.calls | attacker.arguments.without == set(FAULTS):
        to_full_device(attacker, stage)
        for one in stages.values():
            by_limits(one)
    faults = {kind: faults_of(one)[:6 if attacker.is_short else None] for kind, one in stages.items()} if strace else {}
    total = sum(map(len, faults.values()))
    while any(faults.values()) and not attacker.is_over():  # in turn, so that all get their share of the time
        for kind, left in faults.items():
            if left and not attacker.is_over():
                inject(stages[kind], left.pop())
    print(f"io_faults: {total - sum(map(len, faults.values())):,} of {total:,} faults that strace can make")
    attacker.close()


main()
