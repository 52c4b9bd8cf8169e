"""The commands that write, what they read, and strace: what io_faults.py and kills.py share.

Runs are the same byte for byte each time: one thread, nothing timed, a fixed date.
"""

import os
import re
import shutil
import sqlite3
import subprocess

import attack

STUDY = """schema: ulpscope-study/1
title: sums
methods: [plain/serial, kahan/serial, neumaier/tree_two_pass]
data: [{spec: numbers.f32}, {spec: "uniform:n=40", trials: %d}, {spec: "gensum:n=32,cond=1e4", trials: %d}]
"""
LIMITS = """schema: ulpscope-limits/1
rules:
  - {method: "*", data: "*", metric: bound_ratio, limit: auto}
  - {method: "*", data: "*", metric: bits, same: baseline}
"""
ENVIRONMENT = {"SOURCE_DATE_EPOCH": "1", "NO_COLOR": "1"}
TRACED = {"ASAN_OPTIONS": f"{os.environ.get('ASAN_OPTIONS', '')}:detect_leaks=0"}  # LeakSanitizer does not work under strace
TEMPORARY = re.compile(r"(^|/)\.ulpscope-\w{6}$")
FIXED = ["-q", "-j", "1", "--speed", "0"]

# Those whose outputs are the same each time.  run.db is judged by what can be read from it.
COMMANDS = {
    "run, new": ["run", "study.yaml", *FIXED, "-o", "new"],
    "run, --overwrite": ["run", "study.yaml", *FIXED, "-o", "old", "--overwrite"],
    "run, --resume": ["run", "study.yaml", *FIXED, "-o", "half", "--resume"],
    "run, single files": ["run", "study.yaml", *FIXED, "--csv", "x.csv", "--json", "x.json", "--html", "x.html",
                          "--summary", "x.summary.csv", "--svg", "pictures"],
    "report -o": ["report", "old", "-o", "reports"],
    "report -o, again": ["report", "old", "-o", "old"],
    "report of two": ["report", "old", "other", "--html", "x.html", "--json", "x.json"],
    "check": ["check", "old", "-j", "1", "--limits", "limits.yaml", "--baseline", "./main.json", "--json", "x.json",
              "--junit", "x.xml", "--markdown", "x.md"],
    "baseline save": ["baseline", "save", "new", "old"],
    "baseline save --update": ["baseline", "save", "./first.json", "old", "--update", "--accept-worse"],
    "gen": ["gen", "uniform:n=3000", "-o", "x.npy"],
    "gen, text": ["gen", "gensum:n=300,cond=1e6", "-o", "x.f32"],
    "exact": ["exact", "numbers.f32", "-j", "1", "--json", "x.json"],
    "tree": ["tree", "plain/pairwise", "-n", "24", "--svg", "x.svg", "--json", "x.json"],
    "blame": ["blame", "plain/serial", "uniform:n=24", "--json", "x.json", "--svg", "x.svg"],
    "explain": ["explain", "naive", "tree", "--data", "uniform:n=500", "--json", "x.json", "--witness", "x.f32"],
    "attack": ["attack", "kahan/serial", "--n", "9", "--budget", "3000", "-j", "1", "--json", "x.json", "-o", "x.f32", "--witness", "x.npy"],
    "tolerance": ["tolerance", "sum", "-n", "100", "-j", "1", "--json", "x.json"],
    "grade": ["grade", "matmul:plain/naive", "--size-most", "16", "-j", "1", "--json", "x.json"],
    "determinism": ["determinism", "plain/serial", "uniform:n=8", "-q", "-j", "1", "--across", "repeat,launch", "-o", "new", "--json", "x.json"],
    "lesson": ["lesson", "1", "2", "--html", "x.html"],
    "plugin new": ["plugin", "new", "mine"],
}


def run(attacker, words, folder, before=(), program=None):
    return attack.run([*before, program or attacker.program, *words], cwd=folder,
                      env={**ENVIRONMENT, **(TRACED if before else {})})


def _must(attacker, words, folder):
    outcome = run(attacker, words, folder)
    if outcome.code != 0:
        raise SystemExit(f"{attacker.name}: the stage cannot be set: {words}: {outcome.err.decode(errors='replace')}")


def make_stage(attacker):
    """A folder with what all commands read, and older outputs of each name: a file that was there must not be lost."""
    stage = attacker.folder / "stage"
    trials = (2, 2) if attacker.is_short else (3, 3)
    stage.mkdir()
    (stage / "numbers.f32").write_text("1\n2\n0x1p-24\n-3\n")
    (stage / "limits.yaml").write_text(LIMITS)
    (stage / "study.yaml").write_text(STUDY % (1, 1))
    _must(attacker, ["run", "study.yaml", *FIXED, "--seed", "7", "-o", "other"], stage)
    _must(attacker, ["baseline", "save", "./first.json", "other"], stage)
    (stage / "study.yaml").write_text(STUDY % trials)
    _must(attacker, ["run", "study.yaml", *FIXED, "--seed", "7", "-o", "old"], stage)
    _must(attacker, ["baseline", "save", "./main.json", "old"], stage)
    for name in ("x.json", "x.html", "x.csv", "x.md", "x.svg", "x.npy", "x.f32", "x.xml"):
        (stage / name).write_text("what was here before\n")
    make_half(attacker, stage)
    return stage


def make_half(attacker, stage):
    """A run that was killed in the middle, between two of its cases; without strace, one that has only begun."""
    words = ["run", "study.yaml", *FIXED, "-o", "half"]
    if has_strace():
        counted = calls_of(attacker, words, stage, ["pwrite64"])
        shutil.rmtree(stage / "half")
        middle = counted["pwrite64"][0] + (counted["pwrite64"][1] - counted["pwrite64"][0]) // 2
        run(attacker, words, stage, strace("pwrite64", "signal=SIGKILL", middle))
    if not (stage / "half/run.db").exists():
        _must(attacker, [*words, "--overwrite"], stage)


def copy_stage(stage, folder):
    if folder.exists():
        shutil.rmtree(folder)
    shutil.copytree(stage, folder)
    return folder


# ---- what is in a folder ----


def rows_of(path):
    """What a run.db says: each table, sorted; None where nothing can be read from it."""
    try:
        database = sqlite3.connect(path)
        tables = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY 1")]
        rows = {table: sorted(map(repr, database.execute(f'SELECT * FROM "{table}"'))) for table in tables}
        database.close()
        return rows
    except sqlite3.Error:
        return None


def processor():
    """Its name, which is "unknown" in reports where it cannot be read; that is no fault."""
    with open("/proc/cpuinfo", "rb") as facts:
        return next((line.split(b": ", 1)[1].strip() for line in facts if line.startswith(b"model name")), None)


PROCESSOR = processor()


def content(folder):
    """Each file, as a hash; SQLite's, the lock, and what ulpscope keeps to itself left out."""
    kept = attack.snapshot(folder, PROCESSOR)
    return {name: value for name, value in kept.items()
            if not re.search(r"run\.db(-wal|-shm|-journal)?$|\.ulpscope\.lock$|(^|/)\.ulpscope/", name)}


def temporaries(folder):
    return [name for name in attack.snapshot(folder) if TEMPORARY.search(name)]


# ---- strace ----


def has_strace():
    """Whether it is there and may trace."""
    if not shutil.which("strace"):
        return False
    tried = subprocess.run(["strace", "-f", "--seccomp-bpf", "-o", "/dev/null", "-e", "inject=fsync:error=EIO:when=99", "true"],
                           capture_output=True)
    return tried.returncode == 0


def strace(call, what, when):
    """With --seccomp-bpf some kernels, gVisor's say, deliver no signal."""
    return ["strace", "-f", *([] if what.startswith("signal") else ["--seccomp-bpf"]), "-qq", "-o", "/dev/null", "-e", f"trace={call}", "-e", f"inject={call}:{what}:when={when}"]


def calls_of(attacker, words, folder, calls):
    """For each call: how often it comes before main(), where a fault is the loader's, and how often in all, of the thread that
    makes the most of them.  main() begins with fcntl(0, F_GETFD)."""
    log = attacker.folder / "strace.log"
    trace = ["strace", "-f", "--seccomp-bpf", "-qq", "-o", str(log), "-e", "trace=fcntl," + ",".join(calls)]
    outcome = run(attacker, words, folder, trace)
    by_thread, before, is_main = {}, {}, False
    for line in log.read_text(errors="replace").splitlines():
        found = re.match(r"(\d+) +(\w+)\(", line)
        if not found:
            continue
        thread, call = found.groups()
        is_main |= line.split(None, 1)[1].startswith("fcntl(0, F_GETFD")
        by_thread.setdefault(call, {}).setdefault(thread, 0)
        by_thread[call][thread] += 1
        if not is_main:
            before[call] = by_thread[call][thread]
    if outcome.code not in (0, 1):
        raise SystemExit(f"{attacker.name}: {words} under strace: {outcome.err.decode(errors='replace')}")
    return {call: (before.get(call, 0), max(by_thread.get(call, {"": 0}).values())) for call in calls}
