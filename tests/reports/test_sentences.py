"""Every sentence and every number of the outputs of random studies is held to the rows of results.csv (tests/reports/sentences).

    test_sentences.py ULPSCOPE BROKEN [STUDIES [FIRST]]     so many random studies, from the seed FIRST on; every fourth is compared with
                                                            another, by BROKEN, an ulpscope whose Kahan is broken, or itself

Nothing is taken from reports/: sentences/ reads rows, counts, ranks and words anew.  A sentence of no known kind is as wrong as a
false one, and so is one that should be there and is not.  The twin: a falsehood planted at a place of an output is noticed, each in
its turn.  Exit status: 0 fine, 1 not.
"""

import pathlib
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent), str(pathlib.Path(__file__).resolve().parents[1] / "support")]
from sentences import comparison, outputs, studies, twins
from sentences.run import Run
import store_seal

program, broken = sys.argv[1:3]
curated = sorted((pathlib.Path(__file__).resolve().parents[2] / "datasets/curated").glob("*.f32"))
count = int(sys.argv[3]) if len(sys.argv) > 3 else 40
# Of the first 40 these take as long as all others, which have each of their 81 kinds of sentences.
large = {14, 24, 34, 40} if len(sys.argv) <= 3 else set()
first = int(sys.argv[4]) if len(sys.argv) > 4 else 1
failures = 0


def say(fine, what):
    global failures
    failures += not fine
    if not fine or not what.startswith("study "):
        print("ok   " if fine else "FAIL ", what, flush=True)


def ulpscope(*arguments, by=program):
    done = subprocess.run([by, *map(str, arguments)], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def make(folder, target):
    """All outputs of a run that its folder keeps, made anew."""
    for name in ("run.json", "summary.csv", "results.csv"):
        (folder / name).unlink(missing_ok=True)
    ulpscope("report", folder, *(["--target", target] if target else []), "-o", folder)


def documents(folder, target):
    """{name: (text, how it is held)} of a run's outputs."""
    aimed = ["--target", target] if target else []
    _, terminal, _ = ulpscope("report", folder, *aimed)
    _, page, _ = ulpscope("report", folder, *aimed, "--html", "-")
    return {"terminal": (terminal, outputs.terminal), "page": (page, outputs.page),
            "run.json": ((folder / "run.json").read_text(), outputs.run_json), "summary.csv": ((folder / "summary.csv").read_text(), outputs.summary)}


def pictures(folder):
    return {path.name: path.read_text() for path in (folder / "svg").iterdir()}


def run_study(study, folder):
    """The study as it could be run, less the data that have no such size; None: nothing was left of it."""
    while study:
        status, _, heard = ulpscope("-q", "run", *study.arguments, "-o", folder)
        if status == 0:
            return study
        study = study.without(heard) if status == 2 else say(False, f"{study.command()}: exit {status}: {heard}")
    return None


def interrupt(folder, kept):
    """The run as it is when it was killed after so many data sets."""
    store = sqlite3.connect(folder / "run.db")
    store.execute("DELETE FROM cases WHERE case_index >= ?", (kept,))
    store.execute("DELETE FROM measured WHERE id >= ? << 24", (kept,))
    store.execute("DELETE FROM speeds")
    store_seal.seal(store)
    store.close()
    shutil.rmtree(folder / "svg")
    make(folder, None)


def hold(folder, target):
    held = outputs.Held(Run(folder), target)
    wrong = outputs.pictures(pictures(folder), held)
    for name, (text, check) in documents(folder, target).items():
        wrong += check(text, held)
    return wrong


def compared(folder, other):
    return comparison.Comparison(Run(folder), Run(other), (str(folder), str(other)))


def comparisons(folder, other):
    """As documents(), of two runs."""
    ways = {"terminal": ([], comparison.terminal), "comparison.json": (["--json", "-"], comparison.as_json)}
    return {name: (ulpscope("report", folder, other, *arguments)[1], check) for name, (arguments, check) in ways.items()}


def hold_comparison(folder, study, seed):
    """The run against another one, of which some methods and data are other ones."""
    other = folder.with_name(folder.name + "-other")
    chance = random.Random(seed)
    by = chance.choice([program, broken, broken])
    partner = study.partner(chance)
    status, _, heard = ulpscope("-q", "run", *partner.arguments, "-o", other, by=by)
    if not (other / "results.csv").exists():
        return [] if status == 2 else [f"{partner.command()}: exit {status}: {heard}"]
    wrong, held = [], compared(folder, other)
    for text, check in comparisons(folder, other).values():
        wrong += check(text, held)
    return [f"against {partner.command()}: {line}" for line in wrong]


def plant(texts, held, methods, most):
    """(how many falsehoods were planted, at most so many in each output; those that nobody noticed)"""
    planted, passed = 0, []
    for name, (text, check) in texts.items():
        for what, false in twins.falsehoods(name, text, methods, most, seed=1):
            planted += 1
            try:
                noticed = check(false, held)
            except (ValueError, KeyError, IndexError, SyntaxError):  # no longer an output of its kind
                noticed = True
            if not noticed:
                passed.append(f"{name}: {what}")
    return planted, passed


def plant_everywhere(folder, most):
    other = folder.with_name("twin-other")
    ulpscope(*TWIN.split(), "-m", "kahan_two_sum/serial", "-o", folder)
    ulpscope(*TWIN.split(), "-m", "kahan_two_sum/serial", "-m", "klein/serial", "-o", other, by=broken)
    held, both = outputs.Held(Run(folder)), compared(folder, other)
    planted, passed = plant(documents(folder, None), held, held.run.methods, most)
    more, also = plant(comparisons(folder, other), both, held.run.methods, most)
    planted, passed = planted + more, passed + also
    say(both.count("worse") > 0 and not passed, f"the twin: {planted - len(passed)} of {planted} falsehoods are noticed" + "".join(
        f"\n      {line}" for line in passed[:20]))


TWIN = "-q run -m */pairwise -m plain/serial -d uniform:n=16..64*4 -d specials:n=8 -d gensum:n=64,cond=1e2..1e8*1e3 --trials 5 --speed 64 --seed 3"

with tempfile.TemporaryDirectory() as work:
    work = pathlib.Path(work)
    ran = 0
    for seed in sorted({*range(first, first + count)} - large):
        folder = work / str(seed)
        study = run_study(studies.random_study(seed, curated), folder)
        if not study:
            continue
        ran += 1
        if study.kept is not None:
            interrupt(folder, study.kept)
        wrong = hold(folder, study.target)
        if seed % 4 == 0:
            wrong += hold_comparison(folder, study, seed)
        say(not wrong, f"study {seed}: {study.command()}" + "".join(f"\n      {line}" for line in wrong[:8]))
    say(failures == 0, f"{ran} random studies, from seed {first} on: every sentence and number is what the rows say")
    plant_everywhere(work / "twin", 20 if count <= 40 else 120)
sys.exit(1 if failures else 0)
