#!/usr/bin/env python3
"""An output that is an input of the same command, or another output of it, by whatever name: refused before anything is touched.

Every command that reads and writes is given each file that it reads (and the study, limits, baseline, data and store of
others where it reads several) as the value of each flag that writes, under its own name and six others: through ".", "..",
the whole path, a symbolic link, a hard link and a linked folder.  Likewise each pair of flags is given one file, there or
not yet there.  Exit 2, both named, and the folder as it was, bit for bit.  The twin: the same commands with files of their own
end with what they end with, and write.
"""

import itertools
import os
import pathlib
import shutil

import attack

STUDY = """schema: ulpscope-study/1
title: two sums
methods: [plain/serial, kahan/serial]
data: [{spec: numbers.f32}, {spec: "uniform:n=16", trials: 2}]
"""
LIMITS = """schema: ulpscope-limits/1
rules:
  - {method: "*", data: "*", metric: ulp_error, limit: 1000ulp}
  - {method: "*", data: "*", metric: bits, same: baseline}
"""
STORE = ["", "-wal", "-shm", "-journal"]  # what SQLite may have beside the file

# words of a command; the flags that write a file; what it reads, and whether that is a name that may lack the file
COMMANDS = [
    (["run", "study.yaml", "-q", "--speed", "0"], ["--csv", "--json", "--html", "--markdown", "--summary"],
     ["study.yaml", "numbers.f32"]),
    (["run", "-q", "-m", "naive", "-d", "numbers.csv:column=1", "--speed", "0"], ["--csv", "--json"], ["numbers.csv"]),
    (["run", "study.yaml", "-q", "--speed", "0", "-o", "new"], ["--csv", "--json"],
     ["study.yaml", "numbers.f32"]),
    (["report", "old"], ["--csv", "--json", "--html", "--markdown", "--summary"],
     [f"old/run.db{ending}" for ending in STORE]),
    (["report", "old", "other/run.db"], ["--json", "--markdown"], ["old/run.db", "other/run.db"]),
    (["check", "old", "--limits", "limits.yaml", "--baseline", "./main.json"], ["--json", "--junit"],
     ["old/run.db", "limits.yaml", "main.json"]),
    (["gen", "numbers.f32"], ["-o"], ["numbers.f32"]),
    (["exact", "numbers.f32"], ["--json"], ["numbers.f32"]),
    (["tree", "plain/serial", "--data", "numbers.f32"], ["--json", "--svg", "--dot", "--ascii"], ["numbers.f32"]),
    (["blame", "plain/serial", "numbers.f32"], ["--json", "--svg"], ["numbers.f32"]),
    (["shuffle", "numbers.f32", "--permutations", "8"], ["--json", "--csv", "--svg"], ["numbers.f32"]),
    (["explain", "naive", "tree", "--data", "numbers.f32"], ["--json", "--witness"], ["numbers.f32"]),
]
# flags that write, but beside no input
WRITERS = [
    (["run", "-q", "-m", "naive", "-d", "uniform:n=8", "--trials", "1", "--speed", "0"], ["--csv", "--json", "--html"]),
    (["tree", "plain/serial", "-n", "4"], ["--json", "--svg", "--dot"]),
]


def make_folder(attacker, folder):
    """What all commands read; returns its snapshot."""
    folder.mkdir()
    (folder / "study.yaml").write_text(STUDY)
    (folder / "limits.yaml").write_text(LIMITS)
    (folder / "numbers.f32").write_text("1\n2\n0x1p-24\n")
    (folder / "numbers.csv").write_text("a\n1\n2\n")
    for name in ("old", "other"):
        program(attacker, ["run", "study.yaml", "-q", "--speed", "0", "-o", name], folder)
    program(attacker, ["baseline", "save", "./main.json", "old"], folder)
    (folder / "linked").symlink_to(".")
    (folder / "gone").symlink_to("not-yet")
    (folder / "there").write_text("old")
    os.link(folder / "there", folder / "also-there")
    return attack.snapshot(folder)


def program(attacker, words, folder):
    return attack.run([attacker.program, *words], cwd=folder, env={"SOURCE_DATE_EPOCH": "1"})


def names_of(path, folder):
    """Other names of it; links are made, where there is something to link to."""
    link, hard = folder / "a-link.f32", folder / "a-hard-link.f32"
    for name in (link, hard):
        name.unlink(missing_ok=True)
    link.symlink_to(path)
    names = [path, f"./{path}", f"old/../{path}", str(folder / path), f"linked/{path}", link.name]
    if (folder / path).exists():
        os.link(folder / path, hard)
        names.append(hard.name)
    return names


def is_refused(attacker, words, folder, outcome, said):
    crime = outcome.crime()
    if not crime and outcome.code != 2:
        crime = f"exit {outcome.code}; expected 2"
    if not crime and not all(word.encode() in outcome.err for word in said):
        crime = f"does not name {said}"
    if crime:
        attacker.fail(f"{' '.join(words)}: {crime}", outcome)
    return not crime


def try_words(attacker, words, folder, before, said, kind):
    """`before` is restored after a failure, so that each is told for itself."""
    attacker.count(kind)
    outcome = program(attacker, words, folder)
    is_refused(attacker, words, folder, outcome, said)
    now = {name: value for name, value in attack.snapshot(folder).items() if not name.startswith("a-")}
    if now != before:
        changed = sorted(name for name in {*now, *before} if now.get(name) != before.get(name))
        attacker.fail(f"{' '.join(words)}: changed {', '.join(changed)}", outcome)
        shutil.rmtree(folder)
        make_folder(attacker, folder)


def as_inputs(attacker, folder, before):
    for words, flags, reads in COMMANDS:
        for flag, read in itertools.product(flags, reads):
            for name in names_of(read, folder):
                if attacker.is_short and attacker.random.random() > 0.15:
                    continue
                ending = os.path.splitext(name)[1]
                if words[0] == "gen" and not ending:
                    continue
                said = ["an output" if flag == "-o" else flag, "that this command reads"]
                try_words(attacker, [*words, flag, name], folder, before, said, "an input as output")


def as_two(attacker, folder, before):
    pairs = [("new.x", "new.x"), ("new.x", "./new.x"), ("deep/new.x", "deep/./new.x"), ("deep/a/../new.x", "linked/deep/new.x"),
             ("new.x", "linked/new.x"), ("gone", "not-yet"), ("not-yet", "gone"), ("there", "./there"),
             ("there", "also-there"), ("x", "x/y"), ("x/y", "x")]
    for words, flags in WRITERS:
        for one, two in itertools.permutations(flags, 2):
            for name, other in pairs:
                if attacker.is_short and attacker.random.random() > 0.15:
                    continue
                try_words(attacker, [*words, one, name, two, other], folder, before, [one, two], "two outputs of one name")
    for flag, name in (("--csv", "results.csv"), ("--json", "run.json"), ("--html", "report.html"), ("--json", "run.db"),
                       ("--csv", "run.db-wal"), ("--csv", "./results.csv"), ("--json", "svg")):
        try_words(attacker, [*WRITERS[0][0], "-o", "D", flag, f"D/{name}"], folder, before, ["-o", flag], "two outputs of one name")
    try_words(attacker, [*WRITERS[0][0], "-o", "D", "--csv", "D"], folder, before, ["-o", "--csv"], "two outputs of one name")


def twins(attacker, folder):
    """The same commands, with files of their own, write; and devices may be named twice."""
    for number, (words, flags, _) in enumerate(COMMANDS):
        own = [[flag, f"own/{number}{flag}.f32"] for flag in flags]
        outcome = program(attacker, [*words, *sum(own, [])], folder)
        missing = [name for _, name in own if not (folder / name).is_file() and "witness" not in name]
        if outcome.crime() or outcome.code not in (0, 1) or missing:
            attacker.fail(f"{' '.join(words)} with files of its own: exit {outcome.code}, missing {missing}", outcome)
        attacker.count("twin: files of their own")
    for words, flags in WRITERS:
        outcome = program(attacker, [*words, *sum(([flag, "/dev/null"] for flag in flags), [])], folder)
        attacker.count("twin: a device for all")
        if outcome.code != 0:
            attacker.fail("all outputs to /dev/null", outcome)


def main():
    attacker = attack.Attack("same_file", __doc__)
    folder = attacker.folder / "here"
    before = make_folder(attacker, folder)
    assert "old/run.db" in before and "main.json" in before, before
    as_inputs(attacker, folder, before)
    for name in ("a-link.f32", "a-hard-link.f32"):
        pathlib.Path(folder / name).unlink(missing_ok=True)
    as_two(attacker, folder, before)
    twins(attacker, folder)
    attacker.close()


main()
