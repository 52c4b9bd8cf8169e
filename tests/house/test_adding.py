"""Adding is two places: one of each kind (tests/house/added) goes into a copy of the sources, is built, listed and used, and then
the short tests pass.  A row without its file is refused by name, and so is a file without its row.

    test_adding.py SOURCE_DIRECTORY [WORK_DIRECTORY]
    test_adding.py SOURCE_DIRECTORY --few BUILD_DIRECTORY
    test_adding.py SOURCE_DIRECTORY --ptx BUILD_DIRECTORY

With a WORK_DIRECTORY the copy and its build stay there, and serve the next time.  --few adds an accumulator, an order and a family
to a build that is there: what includes their tables is compiled beside it, and linked before its archives.  --ptx compiles their
kernels where there is nvcc; no GPU is needed.  Exit status: 0 fine, 1 not, 77 no nvcc.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

source = pathlib.Path(sys.argv[1]).resolve()
added = source / "tests/house/added"
files = sorted(path.relative_to(added) for path in added.rglob("*.[ch]"))
rows = [line.split(" ", 1) for line in (added / "rows.txt").read_text().splitlines() if not line.startswith("#")]
# A baseline that was kept without the metric is refused until it is made again; docs/ci.md counts faults in an output cut by hand;
# test_sentences knows the metrics of summary.csv and run.json by name; test_adding_few and _ptx would add what is there.
BY_HAND = "^(test_gate_example|test_docs|test_sentences|test_adding_(few|ptx))$"
failures = 0


def say(fine, what):
    global failures
    failures += not fine
    print("ok   " if fine else "FAIL ", what, flush=True)


def put(path, text):
    """Keeps the time of a file that is the same: nothing is built for it."""
    if not path.exists() or path.read_text() != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def with_row(table, row):
    """The table with the row behind the last of its kind."""
    lines = (source / table).read_text().splitlines()
    last = max(at for at, line in enumerate(lines) if line.startswith(row.split("(")[0] + "("))
    while not lines[last].rstrip().endswith(")"):
        last += 1
    return "\n".join([*lines[: last + 1], row, *lines[last + 1 :]]) + "\n"


def files_of(root):
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in {".git", "build", "shared"}]
        yield from (pathlib.Path(folder, name).relative_to(root) for name in names if name != ".git")


def copy_into(work):
    for path in files_of(source):
        if not (work / path).exists() or (work / path).read_bytes() != (source / path).read_bytes():
            (work / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source / path, work / path)
    for path in set(files_of(work)) - set(files_of(source)):
        (work / path).unlink()


def run(work, *command):
    done = subprocess.run(command, cwd=work, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.returncode, done.stdout


def refusals(work):
    """The twins, before anything is added."""
    for (table, row), path in zip(rows, (path_of(row) for row in rows)):
        name = re.search(r"\((\w+)", row)[1]
        put(work / table, with_row(table, row))
        status, said = run(work, "cmake", "--preset", "host")
        said = " ".join(said.split())
        say(status != 0 and f"{table} has a row '{name}', but there is no file {path}" in said, f"a row without {path} is refused")
        put(work / table, (source / table).read_text())
        put(work / path, (added / path).read_text())
        status, said = run(work, "cmake", "--preset", "host")
        say(status != 0 and f"{path} has no row in {table}" in " ".join(said.split()), f"{path} without a row is refused")
        (work / path).unlink()


def path_of(row):
    """The file of a row: its name is the row's."""
    name = re.search(r"\((\w+)", row[1])[1]
    return next(path for path in files if path.stem == name)


def uses(work):
    """Each is listed, and a run, a check and a lesson use it."""
    program = str(work / "build/host/ulpscope")
    limits = "schema: ulpscope-limits/1\nrules:\n  - {method: '*', data: '*', metric: nearest_error, limit: 1e9ulp}\n"
    (work / "build/limits.yaml").write_text(limits)
    study = ["-m", "halves/backwards", "-d", "stairs:n=4096", "-o", "build/run"]
    for arguments, word in (
        (["list", "methods"], "halves/tree_two_pass"),
        (["list", "methods"], "plain/backwards"),
        (["list", "generators"], "stairs"),
        (["list", "metrics"], "nearest_error"),
        (["list", "outputs"], "worst"),
        (["list", "faults"], "half_of_result"),
        (["list", "faults"], "kahan_twice"),
        (["list", "lessons"], "thirds"),
        (["lesson", "thirds"], "1/3 + 1/3 + 1/3"),
        (["run", *study], "halves/backwards"),
        (["report", "build/run", "--worst", "-"], "halves/backwards"),
        (["report", "build/run", "--csv", "-"], "nearest_error"),
        (["check", "build/run", "--limits", "build/limits.yaml", "--count", "-"], "1"),
    ):
        status, said = run(work, program, *arguments)
        say(status == 0 and word in said, f"{' '.join(arguments)}: {word}" + ("" if status == 0 else f"\n{said}"))
    say("Sizes" in (work / "build/run/report.html").read_text(), "the report has the section")


def hold(work):
    copy_into(work)
    refusals(work)
    for table, row in rows:
        put(work / table, with_row(table, row))
    for path in files:
        put(work / path, (added / path).read_text())
    for command in (
        ("cmake", "--preset", "host"),
        ("cmake", "--build", "--preset", "host"),
        ("tools/pages",),
        ("tools/pages", "--check"),
    ):
        status, said = run(work, *command)
        say(status == 0, " ".join(command) + ("" if status == 0 else f"\n{said[-3000:]}"))
    uses(work)
    status, said = run(work, "ctest", "--preset", "host", "-L", "short", "-E", BY_HAND, "-j", str(os.cpu_count()))
    say(status == 0, "the short tests pass" + ("" if status == 0 else f"\n{said[-6000:]}"))


# ---- a few, beside a build ----

REPLAYS, ON_DEVICE = "kernels/replay.c", ".device = verbs->on_device ? verbs->on_device[number] : NULL"
FEW = ("halves", "backwards", "stairs")
HALVES = "kernels/accumulators/halves.h"
# Which one that was added once made fail.
TRIED = ("test_effects", "test_golden_ranks", "test_diagnosis", "test_faults", "test_element_tally", "test_ends")


def overlay(work):
    """The sources as links, but for the tables, the files that are added, and what is generated of them."""
    for path in files_of(source):
        if path.suffix in {".c", ".h", ".cu", ".def", ".ptx"} and path.parts[0] != "tests":
            (work / path).parent.mkdir(parents=True, exist_ok=True)
            (work / path).symlink_to(source / path)
    tables = set()
    for table, row in rows:
        if re.search(r"\((\w+)", row)[1] in FEW:
            (work / table).unlink()
            put(work / table, with_row(table, row))
            put(work / path_of((table, row)), (added / path_of((table, row))).read_text())
            tables.add(table)
    # In a build with CUDA: tables of kernels were made without the order, and replays alone are what is tried here.
    replays = (source / REPLAYS).read_text()
    say(replays.count(ON_DEVICE) == 1, f"{REPLAYS} looks up kernels in one place")
    (work / REPLAYS).unlink()
    put(work / REPLAYS, replays.replace(ON_DEVICE, ".device = NULL"))
    return tables


def generated(work, build):
    for path in (build / "include/generated").iterdir():
        put(work / "generated" / path.name, path.read_text())
    for name, file in (("orders.inc", "kernels/orders/backwards.h"), ("elements.inc", "datasets/generators/stairs.c")):
        text = (build / "include/generated" / name).read_text() + f'#include "{source}/{file}"\n'
        put(work / "generated" / name, text.replace(str(source), str(work)))
    return {f"include/generated/{name}" for name in ("orders.inc", "elements.inc")}


def included(build):
    """Of each object the files that its compilation read, below the sources or the build."""
    deps, output = {}, None
    for line in run(build, "ninja", "-t", "deps")[1].splitlines():
        if line.startswith("    "):
            deps[output].add(os.path.relpath(os.path.normpath(build / line.strip()), source))
        elif ":" in line:
            output = line.split(":")[0]
            deps[output] = set()
    return deps


def commands_of(work, build, changed):
    """What is compiled: all that read a table, and each new file as the one that it is like; with its object's name."""
    changed = changed | {os.path.relpath(build / path, source) for path in changed if path.startswith("include/")}
    deps = included(build)
    for entry in json.loads(run(build, "ninja", "-t", "compdb")[1]):
        output, command = entry["output"], entry["command"]
        if not output.endswith(".c.o") or not re.match(f"CMakeFiles/(?!ulpscope_)|tests/.*/({'|'.join(TRIED)}).c.o", output):
            continue
        as_new = command.replace(f"-I{build}/include", f"-I{work}").replace(f"-I{source} ", f"-I{work} ").replace(f"{source}/", f"{work}/")
        as_new = re.sub(r" -M[DTF]( \S+\.[od])?| -DULPSCOPE_CUDA\b", "", as_new.replace(f"{work}/tests", f"{source}/tests"))
        as_new = re.sub(" -O[23g] ", " -O1 ", as_new)  # compiled sooner, and the same bits
        if deps.get(output, set()) & changed:
            yield output, as_new
        if "-DACC=kahan " in command and "-DVARIANT" not in command and output.endswith(".c.o"):
            yield output.replace("kahan", "halves"), as_new.replace("kahan", "halves")
        if output == "CMakeFiles/datasets.dir/datasets/generators/ones.c.o":
            yield output.replace("ones", "stairs"), as_new.replace("ones", "stairs")


def compiled(work, build, commands):
    """Where each object is."""
    objects = {}
    for output, command in commands:
        objects[output] = str(work / "objects" / output.replace("/", "_"))
        os.makedirs(work / "objects", exist_ok=True)
        status, said = run(build, "sh", "-c", command.replace(f"-o {output}", f"-o {objects[output]}"))
        if status != 0:
            say(False, f"{output}\n{command}\n{said[-3000:]}")
    return objects


def command_of(build, name):
    """The program of a test and its arguments, as CTest knows them."""
    command = re.search(rf'^add_test\(\S*\b{name}\b\S* (".*")\)$', (build / "tests/CTestTestfile.cmake").read_text(), re.M)[1]
    program, *arguments = re.findall(r'"([^"]*)"', command)
    return os.path.relpath(program, build), arguments


def run_test(work, build, name):
    program, arguments = command_of(build, name)
    return run(work, str(work / os.path.basename(program)), *arguments)


def link(work, build, target, objects):
    """In place of its own objects of these names, and before its archives, whose members are then not taken."""
    command = run(build, "ninja", "-t", "commands", target)[1].splitlines()[-1]
    for output, made in objects.items():
        if f" {output} " in command:
            command = command.replace(f" {output} ", f" {made} ")
        elif not output.startswith("tests/"):
            command = command.replace(" -o ", f" {made} -o ", 1)
    status, said = run(build, "sh", "-c", command.replace(f"-o {target} ", f"-o {work}/{os.path.basename(target)} "))
    say(status == 0, f"{target} is linked" + ("" if status == 0 else f"\n{said[-3000:]}"))


def few(work, build):
    changed = overlay(work) | generated(work, build)
    commands = list(commands_of(work, build, changed))
    objects = compiled(work, build, commands)
    say(20 <= len(objects) <= 60, f"{len(objects)} objects are compiled for an accumulator, an order and a family")
    for target in ("ulpscope", *dict.fromkeys(command_of(build, name)[0] for name in TRIED)):
        link(work, build, target, objects)
    for arguments, words in (
        (["list", "methods", "halves/*"], ["halves/tree_two_pass", "halves/backwards", "halves/ranks_ring"]),
        (["list", "methods", "dot:halves/serial"], ["dot:halves/serial"]),
        (["list", "generators"], ["stairs"]),
        (["run", "-m", "halves/*,plain/backwards,superacc/backwards", "-d", "stairs:n=4096", "--trials", "2"], ["halves/backwards", "plain/backwards"]),
    ):
        status, said = run(work, str(work / "ulpscope"), *arguments)
        say(status == 0 and all(word in said for word in words), " ".join(arguments) + ("" if status == 0 else f"\n{said}"))
    for name in TRIED:
        status, said = run_test(work, build, name)
        say(status == 0 and "PASSED" in said, f"{name} passes" + ("" if status == 0 else f"\n{said[-3000:]}"))

    put(work / HALVES, (added / HALVES).read_text().replace("#define TRAITS ", "#define TRAITS .kind = KIND_COMPENSATED, "))
    link(work, build, command_of(build, "test_effects")[0], objects | compiled(work, build, [one for one in commands if "halves" in one[0]]))
    status, said = run_test(work, build, "test_effects")
    say(status != 0 and "compensated/*" in said, "an accumulator that names a kind has to be what families claim of it")


def entries(work, nvcc, *arguments):
    """The kernels of what nvcc makes of a file, and what it says where it makes nothing."""
    status, said = run(work, nvcc, "-ptx", "-arch=sm_90", "-Ofc=max", "-I.", "-DULPSCOPE_CUDA", "-fmad=false", *arguments, "-o", "made.ptx")
    return re.findall(r"\.entry (\w+)", (work / "made.ptx").read_text()) if status == 0 else [], "" if status == 0 else f"\n{said[-3000:]}"


def ptx(work, build, nvcc):
    overlay(work)
    generated(work, build)
    of_accumulator = ("-DACC=halves", f'-DACCUMULATOR_FILE="{HALVES}"', "-DIS_sum", "-DOPERATION_ID=sum", "kernels/methods.cu")
    for format_ in ("binary32", "bfloat16"):
        found, said = entries(work, nvcc, f"-DFORMAT={format_}", f'-DFORMAT_FILE="kernels/formats/{format_}.h"', *of_accumulator)
        say(any("backwards" in name for name in found) and len(found) > 20, f"the order is among {len(found)} kernels of halves, {format_}{said}")
    found, said = entries(work, nvcc, "datasets/elements.cu")
    say(any("stairs" in name for name in found) and len(found) > 20, f"the family is among {len(found)} kernels of elements{said}")
    order = work / "kernels/orders/backwards.h"
    order.write_text(order.read_text().replace("load(x.x", "load(x.elements"))
    found, said = entries(work, nvcc, "-DFORMAT=binary32", '-DFORMAT_FILE="kernels/formats/binary32.h"', *of_accumulator)
    say(not found and "elements" in said, "a kernel that names what is not there is refused")


def main():
    mode, folder = (*sys.argv[2:], None, None)[:2]
    nvcc = shutil.which("nvcc", path=os.environ["PATH"] + ":/usr/local/cuda/bin")
    if mode == "--ptx" and not nvcc:
        print("skipped: no nvcc")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as made:
        if mode == "--few":
            few(pathlib.Path(made), pathlib.Path(folder).resolve())
        elif mode == "--ptx":
            ptx(pathlib.Path(made), pathlib.Path(folder).resolve(), nvcc)
        else:
            hold(pathlib.Path(mode or made).resolve())
    sys.exit(failures > 0)


main()
