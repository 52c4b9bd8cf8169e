"""command_lines.py PROGRAM [--minutes M] [--seed S]: options that exist, with values that nobody expects.

What it promises: whatever a command is given, it ends with a status that it knows, says why when it refuses, crashes never, and no
sanitizer speaks.  The options are those of `ulpscope help COMMAND`; every run has a folder of its own, 64 MiB of it and 20 s of a
processor: a sum of 10^12 numbers takes longer than that, which is no fault.
"""
import os
import re
import shutil
import signal

import attack

COMMANDS = ("run", "report", "check", "tolerance", "baseline", "gen", "exact", "tree", "blame", "explain", "attack", "grade", "determinism", "lesson",
            "bench", "completion", "list", "doctor", "help")
SHORT = 60  # command lines of the everyday version
SECONDS = 20
VALUES = ["", "0", "1", "-1", "2", "3", "8", "00", "1e3", "1e400", "-0", "0x1p-1074", "nan", "inf", "1.5", "2ulp", "1e-6", "18446744073709551616",
          "9223372036854775808", "4Ki", "1..8*2", "1..", "..", "1..1e9*1.000001", "naive", "kahan/serial", "kahan*", "*", "!*", "[", "trace/serial",
          "uniform:n=8", "gensum:n=8,cond=1e2", "uniform:n=0", "uniform:n=8,order=shuffled:1..3", "all", "x.csv", "x.csv:column=2", "x.npy",
          "no.csv", "x", "-", "--", ".", "/dev/null", "/dev/full", "run", "run/run.db", "run2", "study.yaml", "limits.yaml", "main",
          "auto", "host", "cuda:0", "cuda:99", "refuse", "skip", "always", "absorption", "save", "update", "list", "methods",
          "\xff", "\x1b[2J", "a" * 5000, "%n%s%s", "$HOME", "sub/new.csv", "2027-03-01", "json", "markdown", "github"]


def options(hurt, command):
    """The options of a command, as its help names them: ("--seed", True)."""
    text = attack.run([hurt.program, "help", command]).out.decode()
    return [(name, bool(value)) for name, value in re.findall(r"(--[a-z-]+)\b(\[?=[A-Za-z])?", text)] or [("--help", False)]


def command_line(hurt, known):
    command = hurt.random.choice(COMMANDS)
    words = [hurt.program, command]
    for _ in range(hurt.random.choice((0, 1, 1, 2, 3, 5))):
        option, takes = hurt.random.choice(known[command])
        value = hurt.random.choice(VALUES)
        words += [f"{option}={value}"] if takes or hurt.random.random() < 0.02 else [option]
    for _ in range(hurt.random.choice((0, 1, 1, 2, 3))):
        words.insert(hurt.random.randrange(2, len(words) + 1), hurt.random.choice(VALUES))
    return [os.fsencode(word) if word != "\xff" else b"\xff" for word in words]


def make_template(hurt):
    folder = hurt.folder / "template"
    folder.mkdir()
    (folder / "x.csv").write_text("a,b\n1,2\n3,4\n", encoding="ascii")
    (folder / "study.yaml").write_text("schema: ulpscope-study/1\nmethods: [naive]\ndata: [{spec: \"uniform:n=8\", trials: 2}]\n", encoding="ascii")
    (folder / "limits.yaml").write_text("schema: ulpscope-limits/1\nrules: [{method: \"*\", data: \"*\", metric: bound_ratio, limit: auto}]\n",
                                        encoding="ascii")
    attack.run([hurt.program, "gen", "uniform:n=8", "-o", "x.npy"], cwd=folder)
    attack.run([hurt.program, "run", "study.yaml", "-q", "--speed", "0", "-o", "run"], cwd=folder)
    return folder


def crime(outcome):
    """None for what the limits ended: SIGXCPU, and SIGKILL behind it; SIGXFSZ is a full disk to a program that does not ask for it."""
    return None if outcome.hung or -outcome.code in (signal.SIGXCPU, signal.SIGXFSZ, signal.SIGKILL) else outcome.crime()


def one(hurt, template, known):
    folder = hurt.folder / "here"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(template, folder)
    words = command_line(hurt, known)
    outcome = attack.run(["prlimit", f"--cpu={SECONDS}", f"--fsize={1 << 26}", *words], cwd=folder, seconds=4 * SECONDS)
    hurt.count(f"exit {outcome.code}")
    why = crime(outcome)
    if why:
        hurt.fail(why, outcome)


def main():
    hurt = attack.Attack("command_lines", __doc__.split("\n", maxsplit=1)[0])
    if not shutil.which("prlimit"):
        print("skipped: no prlimit")
        raise SystemExit(77)
    if not crime(attack.run(["sh", "-c", "kill -SEGV $$"])) or not crime(attack.run(["sh", "-c", "exit 2"])):
        hurt.fail("the twin: a crash and a refusal without a word are not noticed")
    template, known = make_template(hurt), {command: options(hurt, command) for command in COMMANDS}
    for tried in range(1 << 62):
        if hurt.is_over() or (hurt.is_short and tried == SHORT):
            break
        one(hurt, template, known)
    hurt.close()


main()
