"""A study that is measured in shards and merged is identical to an unsharded one; what does not belong together is told.

    test_shards.py PROGRAM
"""

import json
import os
import pathlib
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

program = os.path.abspath(sys.argv[1])
failures = 0
environment = {key: value for key, value in os.environ.items() if not key.startswith("ULPSCOPE_")}
environment |= {"SOURCE_DATE_EPOCH": "1700000000"}

STUDY = """schema: ulpscope-study/1
title: In parts
methods: [naive, kahan, "plain/serial@bfloat16", "kahan/serial@binary64"]
permutations: 5
across: [repeat, permutation]
data:
  - {spec: "uniform:n=8..32*2", trials: 4}
  - {spec: "uniform:n=20,format=bfloat16", trials: 3}
  - {spec: "gensum:n=16,cond=1e8,format=binary64", trials: 3}
  - {spec: "harmonic:n=50"}
"""
MATRICES = ["-m", "matmul:plain/naive", "-d", "uniform:n=4", "--trials", "5"]


def say(fine, what):
    global failures
    failures += not fine
    print("ok   " if fine else "FAIL ", what, flush=True)


def ulpscope(*words):
    """Exit status and what it says on stderr."""
    done = subprocess.run([program, "-q", *map(str, words)], capture_output=True, text=True, env=environment)
    return done.returncode, done.stderr


def run(*words, code=0):
    found, said = ulpscope("run", "--speed", "0", *words)
    if found != code:
        say(False, f"run {words}: exit {found}, not {code}: {said}")


def files(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(pathlib.Path(folder).rglob("*"))
            if path.is_file() and path.name != "run.db"}


def canonical(folder):
    """The bytes of run.db when its pages are put in order."""
    copy = pathlib.Path("canonical.db")
    copy.unlink(missing_ok=True)
    with sqlite3.connect(f"{folder}/run.db") as database:
        database.execute("VACUUM INTO 'canonical.db'")
    database.close()
    return copy.read_bytes()


def compare(one, other, what):
    """All files, and the tables."""
    same = files(one)
    say(len(same) > 4 and same == files(other), f"{what}: all files are the same")
    say(canonical(one) == canonical(other), f"{what}: run.db has the same bytes, its pages in order")


def shards(count, folder, *words):
    os.makedirs(folder)
    for number in range(1, count + 1):
        run(*words, "--shard", f"{number}/{count}", "-o", f"{folder}/{number}")
    parts = [f"{folder}/{number}" for number in range(1, count + 1)]
    random.Random(count).shuffle(parts)
    return parts


def merge(parts, out, *words, code=0):
    found, said = ulpscope("merge", *parts, "-o", out, *words)
    if code == 0:
        say(found == 0, f"merge of {len(parts)}: exit 0 {said}")
    return found, said


def refuses(what, parts, code, *expected, out="never", keep=False):
    found, said = merge(parts, out, code=code)
    say(found == code and all(word in said for word in expected), f"{what}: exit {found}: {said.strip()}")
    if not keep:
        say(not os.path.exists(f"{out}/run.db"), f"{what}: nothing is left")


def in_folder(check):
    here = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        pathlib.Path("study.yaml").write_text(STUDY)
        check()
        os.chdir(here)


# ---- the same as unbroken ----


def any_number_of_shards_in_any_order_gives_the_unbroken_run():
    # the command is a fact of the run, and all say -o out
    for jobs in (1, 2):
        words = ["study.yaml", "-j", str(jobs)]
        run(*words, "-o", "out")
        os.rename("out", f"whole{jobs}")
    say(files("whole1")["results.csv"] == files("whole2")["results.csv"], "--jobs 2: the same results.csv")
    for count, jobs in ((1, 1), (3, 2), (16, 1)):
        parts = shards(count, f"of{count}", "study.yaml", "-j", str(jobs))
        merge(parts, "out")
        compare("out", f"whole{jobs}", f"{count} shards, --jobs {jobs}")
        shutil.rmtree("out")


def products_of_matrices_are_merged_too():
    run(*MATRICES, "-o", "out")
    os.rename("out", "whole")
    merge(shards(2, "of2", *MATRICES), "out")
    compare("out", "whole", "matrices")


def shards_without_a_case_are_merged_too():
    words = ["-m", "naive", "-d", "uniform:n=8", "--trials", "2"]
    run(*words, "-o", "out")
    os.rename("out", "whole")
    merge(shards(4, "of4", *words), "out")
    compare("out", "whole", "4 shards of 2 cases")
    found, said = ulpscope("report", "of4/4")
    say(found == 2 and "shard 4/4" in said, f"report of an empty shard: {said.strip()}")


# ---- what is told ----


def what_lacks_or_does_not_belong_is_told():
    parts = sorted(shards(3, "p", "study.yaml"))
    refuses("a missing shard", [parts[0], parts[2]], 3, "shard 2 is missing", "--shard 2/3")
    refuses("a shard twice", [*parts, parts[1]], 2, "both shard 2/3")
    run("study.yaml", "-o", "whole")
    refuses("a whole run among shards", [parts[0], "whole"], 2, "a whole run", "shard 1/3")
    run("study.yaml", "--shard", "2/4", "-o", "quarter")
    refuses("shards of another N", [parts[0], "quarter"], 2, "shard 2/4")
    run("study.yaml", "--shard", "2/3", "-o", "other", "--seed", "2")
    refuses("another seed", [parts[0], "other", parts[2]], 2, '"seed: 1"', '"seed: 2"')
    refuses("a folder that holds a run", parts, 2, "--overwrite", out="whole", keep=True)
    refuses("no run at all", [parts[0], "nothing"], 2, "nothing")
    found, said = ulpscope("run", "study.yaml", "--shard", "2/3", "-o", parts[0], "--resume")
    say(found == 2 and "1/3" in said and "2/3" in said, f"--resume of another shard: {said.strip()}")
    for text in ("0/3", "4/3", "3", "1/", "/3", "1/0", "-1/3", "a/b", "1/2/3"):
        found, said = ulpscope("run", "study.yaml", "--shard", text, "-o", "x")
        say(found == 2 and "is no shard" in said, f"--shard {text}: {said.strip()}")
    found, said = ulpscope("run", "study.yaml", "--shard", "1/3")
    say(found == 2 and "-o DIR" in said, f"--shard without -o: {said.strip()}")
    changed(parts)
    busy(parts)


def changed(parts):
    """A row that another program changed, and a case that is gone."""
    for name, sql in (("a changed row", "UPDATE cases SET row_count = row_count + 1"), ("a case less", "DELETE FROM cases WHERE case_index = (SELECT max(case_index) FROM cases)"),
                      ("another schema", "UPDATE run SET value = 'ulpscope-store/1' WHERE key = 'schema'")):
        shutil.copytree(parts[1], "bad")
        with sqlite3.connect("bad/run.db") as database:
            database.execute(sql)
        database.close()
        refuses(name, [parts[0], "bad", parts[2]], 2, "bad/run.db")
        shutil.rmtree("bad")


def busy(parts):
    database = sqlite3.connect(f"{parts[1]}/run.db", isolation_level=None)
    database.execute("BEGIN EXCLUSIVE")
    refuses("a part that is being written", parts, 2, parts[1], "wait for it")
    database.close()


def interrupt(*words):
    """A run that Ctrl-C ends when some of its cases are stored."""
    code = 0
    while code == 0:  # it was over when the signal came
        shutil.rmtree("half", ignore_errors=True)
        process = subprocess.Popen([program, "-q", *words, "-o", "half"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
        while process.poll() is None and not (os.path.exists("half/run.db-wal") and os.path.getsize("half/run.db-wal") > 100000):
            time.sleep(0.0005)
        process.send_signal(signal.SIGINT)
        code = process.wait()
    return code == 130 and os.path.exists("half/run.db")


def a_part_that_was_interrupted_is_resumed():
    words = ["run", "-m", "naive", "-d", "uniform:n=64Ki", "--trials", "400", "-j", "1", "--speed", "0"]
    say(interrupt(*words, "--shard", "1/2"), "a shard is interrupted")
    ulpscope(*words, "--shard", "2/2", "-o", "other")
    ulpscope(*words, "-o", "whole")
    refuses("an interrupted part", ["half", "other"], 3, "shard 1 is incomplete", "of 400 cases lack", "--resume")
    found, said = ulpscope(*words, "--shard", "1/2", "-o", "half", "--resume")
    say(found == 0, f"it is resumed {said}")
    merge(["half", "other"], "out")
    one, other = files("out"), files("whole")
    say(one["results.csv"] == other["results.csv"], "then results.csv is the same")
    facts = json.loads(one["run.json"])["provenance"]
    say("run: command" not in facts["shards"] and "(shards 1)" in facts["shards"]["run: resumed on"], f"run.json says which was resumed: {facts.get('shards')}")


def a_part_says_that_it_is_one():
    run("study.yaml", "--shard", "2/3", "-o", "part")
    pathlib.Path("limits.yaml").write_text('schema: ulpscope-limits/1\nrules:\n  - {method: "*", data: "*", metric: bound_ratio, limit: 1}\n')
    done = subprocess.run([program, "report", "part"], capture_output=True, text=True, env=environment)
    say(done.returncode == 0 and "shard 2/3" in done.stdout.splitlines()[0], f"report: {done.stdout.splitlines()[:1]}")
    done = subprocess.run([program, "check", "part", "--limits", "limits.yaml"], capture_output=True, text=True, env=environment)
    say(done.returncode == 0 and "shard 2/3" in done.stdout, f"check: {done.stdout} {done.stderr}")
    found, said = ulpscope("baseline", "save", "b", "part")
    say(found == 2 and "shard 2/3" in said, f"baseline: {said.strip()}")


if __name__ == "__main__":
    for check in (any_number_of_shards_in_any_order_gives_the_unbroken_run, products_of_matrices_are_merged_too, shards_without_a_case_are_merged_too,
                  what_lacks_or_does_not_belong_is_told, a_part_that_was_interrupted_is_resumed, a_part_says_that_it_is_one):
        print(check.__name__)
        in_folder(check)
    sys.exit(failures > 0)
