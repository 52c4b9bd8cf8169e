"""The program in WebAssembly, in node: the golden bits of every replay, and what commands print and write, equal to the
native program's, byte for byte (compare.js).  Builds build/web first.  Each check is run once more on something that is
wrong by one bit or digit, which it must find.

    test_engine.py SOURCE_DIRECTORY PROGRAM [--trials N] [--all]     10 N exact sums are compared; --all: and what takes minutes,
                                                                     all families of binary32 sums and two commands

Exit status: 77 where emscripten, node or the libraries of tools/web_libraries are missing.
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

parser = argparse.ArgumentParser()
parser.add_argument("source", type=pathlib.Path)
parser.add_argument("program", type=pathlib.Path)
parser.add_argument("--trials", type=int, default=1000)
parser.add_argument("--all", action="store_true")
options = parser.parse_args()

cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
libraries = pathlib.Path(os.environ.get("ULPSCOPE_WEB_LIBRARIES") or cache / "ulpscope-web")
missing = [tool for tool in ("emcc", "node", "cmake", "ninja") if not shutil.which(tool)]
if not (libraries / "lib/.argp").exists():  # the last that it builds
    missing.append(f"libraries in {libraries} (tools/web_libraries)")
if missing:
    print("skipped: no", ", ".join(missing))
    sys.exit(77)

SOURCE, BUILT = options.source.resolve(), options.source.resolve() / "build/web"
FAMILIES = ("uniform:n=32", "exp_uniform:n=32", "subnormal:n=32", "specials:n=32", "gensum:n=32,cond=1e10")
LONG = ("lesson --all --html course.html", "grade --arithmetic matmul:plain/naive")
failures = 0


def say(fine, what):
    global failures
    failures += not fine
    print("ok    " if fine else "FAILED", what, flush=True)


def run(*words, **more):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, **more)


def lines_of(text):
    return [line for line in text.splitlines() if not line.startswith("#")]


def bits_differ(expected, found):
    """How many lines of a file of kernels the replays lack, or have with other bits.  Some methods have no kernel."""
    return len(set(expected) - set(found))


def compared(program, commands):
    return run("node", SOURCE / "tests/web/compare.js", program, BUILT / "web/engine", commands)


def build():
    if not (BUILT / "build.ninja").exists():
        done = run("cmake", "--preset", "web", cwd=SOURCE)
        if done.returncode != 0:
            return done
    return run("ninja", "-C", BUILT)


done = build()
say(done.returncode == 0, "the preset web is built")
if done.returncode != 0:
    print(done.stdout[-3000:], done.stderr[-3000:])
    sys.exit(1)

golden = [line for line in lines_of((SOURCE / "tests/golden/h200.txt").read_text()) if options.all or line.split()[1] in ("all", "specials")]
done = run("node", BUILT / "golden_bits.js", *([] if options.all else ["--family", "specials"]))
found = lines_of(done.stdout)
differ = bits_differ(golden, found)
say(done.returncode == 0 and differ == 0 and len(golden) > 8000, f"golden bits: {len(golden)} lines, {differ} differ")
one_bit = golden[:777] + [golden[777][:-1] + format(int(golden[777][-1], 16) ^ 1, "x")] + golden[778:]
say(bits_differ(one_bit, found) == differ + 1, "one flipped bit is found")

with tempfile.TemporaryDirectory() as folder:
    sums, wrong = pathlib.Path(folder) / "sums.txt", pathlib.Path(folder) / "wrong"
    sums.write_text("".join(f"run -q -m plain/serial{added} -d {family}{held} --trials {options.trials} --speed 0 --csv sums.csv\n"
                            for family in FAMILIES for added, held in (("", ""), ("@binary64", ",format=binary64"))))
    wrong.write_text(f'#!/bin/sh\n"{options.program.resolve()}" "$@" | sed "s/0/1/"\n')
    wrong.chmod(0o755)
    everyday = pathlib.Path(folder) / "commands.txt"
    listed = lines_of((SOURCE / "tests/web/commands.txt").read_text()) + [*LONG] * options.all
    everyday.write_text("\n".join(listed))
    asked = len(listed)
    say(asked > 90, f"{everyday.name}: {asked} commands")
    for commands, expected in ((everyday, f"{asked} commands compared, 0 differ; "),
                               (sums, f"10 commands compared, 0 differ; {10 * options.trials} rows of CSV")):
        done = compared(options.program, commands)
        say(done.returncode == 0 and expected in done.stdout, f"{commands.name}: {done.stdout.strip()[-2000:]}{done.stderr[-2000:]}")
    few = pathlib.Path(folder) / "few.txt"
    few.write_text("exact uniform:n=10\n")
    say("1 commands compared, 1 differ" in compared(wrong, few).stdout, "one wrong digit is found")

sys.exit(1 if failures else 0)
