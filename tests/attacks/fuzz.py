"""fuzz.py [BUILD] [--minutes M] [--runs N] [--volume] [--family ID]...

Parsers fed with bytes: the libFuzzer targets of tests/attacks/fuzz/, with AddressSanitizer and UBSan; with --volume without them, which
is several times as fast.  BUILD (default build/fuzz, or build/fuzz-volume) is configured and built where that is needed.  Every family
takes its share of M minutes (default 10), or N inputs.  What a target found is kept in BUILD/corpus/ID, and new findings in
BUILD/findings, each with the command that repeats it.  The twin comes first: a target with a planted fault, which must be found.

What it promises: no bytes in any file or argument crash a parser, hang it (10 s), take 2 GiB, are refused without a word, or come back
as something else from what is written of them.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

import attack

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent.parent
MOST_BYTES = {"baseline": 2048, "study": 1024, "limits": 1024, "numbers": 128, "words": 128, "specs": 256}
LIMITS = ["-timeout=10", "-rss_limit_mb=2048", "-malloc_limit_mb=1024", "-print_final_stats=1", "-verbosity=0", "-reload=0", "-detect_leaks=0"]
ENVIRONMENT = {"ASAN_OPTIONS": "quarantine_size_mb=16:detect_leaks=1:allocator_may_return_null=1"}


def families():
    return re.findall(r"^FAMILY\((\w+),", (HERE / "fuzz" / "families.def").read_text(encoding="ascii"), re.M)


def build(folder, volume):
    """Configures and builds the targets; False: no clang."""
    if not shutil.which("clang") or not shutil.which("cmake") or not shutil.which("ninja"):
        return False
    if not (folder / "CMakeCache.txt").exists():
        subprocess.run(["cmake", "--preset", "fuzz", "-B", folder, *(["-DULPSCOPE_SANITIZE=fuzzer-no-link"] if volume else [])], cwd=SOURCE,
                       check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", folder, "--target", "fuzz_targets"], check=True, stdout=subprocess.DEVNULL)
    return True


def run_target(folder, name, family, limit):
    """One run of libFuzzer: the inputs, the seconds and the last words."""
    corpus, found = folder / "corpus" / family, folder / "findings"
    corpus.mkdir(parents=True, exist_ok=True)
    found.mkdir(exist_ok=True)
    command = [folder / "tests/attacks/fuzz" / f"fuzz_{name}", corpus, *[path for path in [folder / "seeds" / family] if path.exists()], f"-artifact_prefix={found}/{name}-",
               f"-max_len={MOST_BYTES.get(family, 1024)}", *LIMITS, *limit]
    begin = time.monotonic()
    done = subprocess.run(["nice", "-n", "10", *map(str, command)], env={**os.environ, **ENVIRONMENT}, capture_output=True, text=True,
                          errors="replace", check=False)
    inputs = re.search(r"stat::number_of_executed_units:\s*(\d+)", done.stderr)
    return done.returncode, int(inputs[1]) if inputs else 0, time.monotonic() - begin, done.stderr


def twin(folder):
    """Whether the planted fault is found."""
    code, inputs, seconds, words = run_target(folder, "planted", "planted", ["-max_total_time=120"])
    for finding in (folder / "findings").glob("planted-*"):
        finding.unlink()
    if code == 0 or "the planted fault" not in words:
        print(f"fuzz: FAILED: the planted fault was not found in {inputs:,} inputs")
        return False
    print(f"fuzz: the planted fault was found in {seconds:.0f} s")
    return True


def feed(folder, family, limit):
    """One family; whether nothing was found."""
    code, inputs, seconds, words = run_target(folder, family, family, limit)
    print(f"fuzz: {family}: {inputs:,} inputs, {seconds:.0f} s, {inputs / max(seconds, 1):,.0f}/s, exit {code}", flush=True)
    if code:
        print(f"fuzz: FAILED: {family}: {words[-4000:]}\nrepeat: {folder}/tests/attacks/fuzz/fuzz_everyday {family} {folder}/findings/{family}-*")
    return code == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("build", nargs="?", type=pathlib.Path)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--runs", type=int)
    parser.add_argument("--volume", action="store_true")
    parser.add_argument("--family", action="append")
    arguments = parser.parse_args()
    folder = (arguments.build or SOURCE / "build" / ("fuzz-volume" if arguments.volume else "fuzz")).resolve()
    chosen = arguments.family or families()
    if not build(folder, arguments.volume):
        print("skipped: no clang, cmake or ninja")
        return 77
    subprocess.run([folder / "tests/attacks/fuzz/fuzz_everyday", "--seeds", folder / "seeds"], check=True)
    seconds = int(60 * attack.minutes(arguments.minutes) / len(chosen))
    limit = [f"-runs={arguments.runs}"] if arguments.runs else [f"-max_total_time={max(seconds, 1)}"]
    results = [twin(folder)] + [feed(folder, family, limit) for family in chosen]
    print(f"fuzz: {len(results) - 1} families, {results.count(False)} went wrong")
    return 1 if False in results else 0


sys.exit(main())
