#!/usr/bin/env python3
"""Each sum of broken_sums.txt is compiled in the place of the sound one; the program runs, checks itself, and names the fault.

    test_broken_sums.py SOURCE_DIRECTORY BUILD_DIRECTORY [--all] [--only WORD]

Without --all the rows that are `short` are tried.  Of each row those objects are compiled that the methods of the row are made of: their
accumulators, and the broken ones of these (kernels/broken.def).  They stand before the libraries of the build, whose objects of the same
names are not taken.  Twins: the sound program fails nothing, and a row whose cause is that of another is found.
Exit status: 0 all are named, 1 one is not, 2 a row is broken, or something does not build, 77 no python3 (in CMake).
"""

import argparse
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

STUDY = """schema: ulpscope-study/1
methods: [{methods}]
launch: {{blocks: 4, threads: 32}}
permutations: 0
data:
  - {{spec: "uniform:n=4099", trials: 6}}
  - {{spec: "gensum:n=4099,cond=1e6", trials: 6}}
  - {{spec: "gensum:n=4099,cond=1e16", trials: 4}}
  - {{spec: "lognormal:n=4099,sigma=4", trials: 4}}
  - {{spec: "integers:n=4099,most=2047", trials: 4}}
  - {{spec: "subnormal:n=1001", trials: 4}}
  - {{spec: "swamp:n=4099"}}
  - {{spec: "ties_mid:n=4099"}}
"""
LIMITS = """schema: ulpscope-limits/1
rules:
  - {method: "*", data: "*", metric: bound_ratio, limit: auto}
  - {method: "*", data: "*", metric: nonfinite, limit: 0}
  - {method: "*", data: "*", metric: bits, same: baseline}
"""


class Unbuilt(Exception):
    """Why nothing could be tried."""


@dataclasses.dataclass
class Row:
    line: int
    title: str
    file: str
    methods: list
    edits: list = dataclasses.field(default_factory=list)  # of [text, replacement], in lines
    causes: list = dataclasses.field(default_factory=list)
    canary: str = ""
    short: bool = False


# ---- the table ----


def add_line(row, body):
    kind, rest = body[:1], body[2:]
    key, _, value = body.partition(": ")
    if kind == "-":
        if not row.edits or row.edits[-1][1]:
            row.edits.append([[], []])
        row.edits[-1][0].append(rest)
    elif kind == "+" and row.edits:
        row.edits[-1][1].append(rest)
    elif key == "cause" and value:
        row.causes.append(value)
    elif key == "canary" and value:
        row.canary = value
    elif body == "short":
        row.short = True
    else:
        raise Unbuilt(f'{row.line}: "{body}"; expected "- ", "+ ", "cause: ", "canary: " or "short"')


def read_table(path):
    rows, file, methods = [], "", []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        key, _, value = line.partition(": ")
        if not line or line.startswith("#"):
            continue
        if line.startswith("    "):
            add_line(rows[-1], line[4:])
        elif key == "file":
            file = value
        elif key == "methods":
            methods = value.split()
        else:
            rows.append(Row(number, line, file, methods))
    for row in rows:
        if not row.edits or bool(row.causes) == bool(row.canary):
            raise Unbuilt(f"{path.name}:{row.line}: {row.title}: expected an edit, and a cause or what the canary says")
    return rows


def edited(row, text):
    for old, new in row.edits:
        old, new = "\n".join(old), "\n".join(new)
        if text.count(old) != 1:
            raise Unbuilt(f"broken_sums.txt:{row.line}: {text.count(old)} times in {row.file}, expected once: {old}")
        text = text.replace(old, new)
    return text


# ---- a program ----

# Where all accumulators share the code: klein and double_float.
FAULTY = "(strcmp(verbs->accumulator, \"klein\") == 0 || strcmp(verbs->accumulator, \"double_float\") == 0)"


class Build:
    """What the build compiled, by accumulator, and how it linked a program of which one object is another."""

    def __init__(self, source, build):
        self.source, self.build = source, build
        ninja = subprocess.run(
            ["ninja", "-C", build, "-t", "commands", "tests/ulpscope_regressed"], capture_output=True, text=True, check=True
        )
        commands = ninja.stdout.splitlines()
        names = [re.search(r"-o \S*?(?:methods_(?=\w+_binary32\.)|broken_)(\w+?)(?:_binary32)?\.dir/kernels/verbs\.c\.o |-o \S*?\.dir/kernels/(replay)\.c\.o ", command) for command in commands]
        self.compiled = {name[1] or name[2]: command for name, command in zip(names, commands) if name}
        self.link = commands[-1]
        self.broken = {}
        table = (source / "kernels/broken.def").read_text()
        for variant, accumulator in re.findall(r"^BROKEN\((\w+), (\w+),", table, re.M):
            self.broken.setdefault(accumulator, []).append(variant)

    def objects_of(self, row):
        """What is compiled of its file: orders once, verbs of each accumulator."""
        if row.file.startswith("kernels/orders/") or row.file in ("kernels/replay.c", "kernels/grid_stride.h", "kernels/shared_tree.h"):
            return ["replay"]
        accumulators = sorted({method.partition("/")[0] for method in row.methods})
        return [name for one in accumulators for name in [one, *self.broken.get(one, [])]]

    def copy(self, row, folder):
        for room in ("kernels", "src/base"):
            shutil.copytree(self.source / room, folder / room)
        shutil.copytree(self.build / "include", folder / "include")
        (folder / row.file).write_text(edited(row, (folder / row.file).read_text()))
        orders = folder / "include/generated/orders.inc"
        orders.write_text(orders.read_text().replace(str(self.source), str(folder)))

    def compile(self, name, folder):
        command = self.compiled[name].replace(f"{self.build}/include", f"{folder}/include")
        command = re.sub(rf"{re.escape(str(self.source))}(?=[/ ]|$)", str(folder), command)
        command = re.sub(r"-O3|-Werror\S*|-MD -MT \S+ -MF \S+", "", command)  # the bits are the same, and are made sooner
        command = re.sub(r"-o \S+", f"-o {folder}/{name}.o", command) + f" -Og -w '-DFAULTY={FAULTY}'"
        environment = {**os.environ, "CCACHE_BASEDIR": str(folder), "CCACHE_NOHASHDIR": "1"}
        done = subprocess.run(
            shlex.split(command), cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        if done.returncode != 0:
            raise Unbuilt(f"{name}: {done.stdout[-3000:]}")
        return f"{folder}/{name}.o"

    def program(self, row, folder):
        self.copy(row, folder)
        objects = [self.compile(name, folder) for name in self.objects_of(row)]
        link = re.sub(r"\S*methods_regressed\.dir\S*\.o", " ".join(objects), self.link)
        link = re.sub(r"-o \S+", f"-o {folder}/ulpscope", link)
        subprocess.run(link, shell=True, cwd=self.build, check=True)
        return folder / "ulpscope"


# ---- what it says ----


def run_study(program, folder, out):
    return subprocess.run(
        [program, "-q", "run", "study.yaml", "-o", out, "--overwrite", "--speed", "0"], cwd=folder, capture_output=True, text=True
    )


def failing_causes(program, folder, out):
    """The causes of the series that fail."""
    done = subprocess.run(
        [program, "check", out, "--limits", "limits.yaml", "--baseline", "./main.json", "--json", "check.json"],
        cwd=folder,
        capture_output=True,
        text=True,
    )
    if done.returncode not in (0, 1):
        raise Unbuilt(f"check: exit {done.returncode}: {done.stderr}")
    series = json.loads((folder / "check.json").read_text())["series"]
    return [
        (f"{one['method']} on {one['data']}", finding["cause"] or "")
        for one in series
        for finding in one["findings"]
        if finding["verdict"] == "FAIL"
    ]


def prepare(sound, row, folder):
    (folder / "study.yaml").write_text(STUDY.format(methods=", ".join(row.methods)))
    (folder / "limits.yaml").write_text(LIMITS)
    if run_study(sound, folder, "sound").returncode != 0:
        raise Unbuilt("the sound program does not run")
    subprocess.run([sound, "baseline", "save", "./main.json", "sound"], cwd=folder, capture_output=True, check=True)


def complaints_of(program, row, folder):
    """What is wrong with what the program says of itself; nothing: it names the fault."""
    done = run_study(program, folder, "broken")
    if row.canary:
        fine = done.returncode > 1 and row.canary in done.stderr
        return [] if fine else [f'expected the canary to say "{row.canary}"; exit {done.returncode}: {done.stderr}']
    if done.returncode > 1:
        return [f"it does not run: exit {done.returncode}: {done.stderr}"]
    causes = failing_causes(program, folder, "broken")
    wrong = [f"{series}: {cause}" for series, cause in causes if not any(words in cause for words in row.causes)]
    return wrong if causes else ["no series fails"]


def try_row(build, row):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name).resolve()
        prepare(build.build / "ulpscope", row, folder)
        program = build.program(row, folder)
        complaints = complaints_of(program, row, folder)
        swapped = dataclasses.replace(row, causes=["another cause"], canary="")
        if not complaints_of(program, swapped, folder):
            complaints.append("the twin: any cause will do")
        if failing_causes(build.build / "ulpscope", folder, "sound"):
            complaints.append("the twin: the sound program fails")
        return complaints


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--only", default="")
    words = parser.parse_args()
    build = Build(words.source.resolve(), words.build.resolve())
    rows = read_table(pathlib.Path(__file__).with_name("broken_sums.txt"))
    for row in rows:
        edited(row, (build.source / row.file).read_text())
    chosen = [row for row in rows if (words.all or row.short or words.only) and words.only in f"{row.file} {row.title}"]
    wrong = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for row, complaints in zip(chosen, pool.map(lambda row: try_row(build, row), chosen)):
            wrong += bool(complaints)
            print(f"{'WRONG' if complaints else 'stopped' if row.canary else 'named'}  {row.file}: {row.title}", flush=True)
            for complaint in sorted(set(complaints)):
                print(f"       {complaint}")
    by_cause = sum(bool(row.causes) for row in chosen)
    print(f"{len(chosen)} broken sums, {by_cause} to be named and {len(chosen) - by_cause} stopped by the canary: {wrong} wrong")
    return int(wrong > 0 or not chosen)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Unbuilt as why:
        print(why)
        sys.exit(2)
