"""Programs behind --pipe: good ones, and what each bad one is answered with; the others' rows are all there.

    test_pipes.py ULPSCOPE PIPE SOURCE_DIRECTORY
"""

import csv
import io
import os
import pathlib
import shutil
import subprocess
import sys

ULPSCOPE, PIPE, SOURCE = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
PIPES = SOURCE / "tests/plugins/pipes"
TRIGGER = 300001  # numbers, of pipe.c
TOKEN = "ULPSCOPE_TEST_PIPES"
failures = 0
os.environ[TOKEN] = f"of {os.getpid()}"


def say(fine, what, found=""):
    global failures
    failures += not fine
    print("ok   " if fine else "FAIL ", what, "" if fine else f"\n{found}", flush=True)


def run(command, *arguments, data=("uniform:n=64", f"uniform:n={TRIGGER}", "uniform:n=96"), trials=1):
    """Exit status, rows of results.csv, what was said."""
    specs = [word for spec in data for word in ("-d", spec)]
    done = subprocess.run([ULPSCOPE, "run", "--pipe", command, "--device", "host", "--trials", str(trials), "--speed", "0", "-o", "-",
                           *specs, *arguments], capture_output=True, text=True, errors="replace", timeout=1000)
    return done.returncode, list(csv.DictReader(io.StringIO(done.stdout))), done.stderr


def lengths(rows, method):
    return [int(row["n"]) for row in rows if row["method"] == method]


# ---- good ones ----
ONE = f"{PIPE} good"
status, rows, said = run(ONE, "-m", "pipe/pipe,naive", trials=3)
pairs = [[(row["data"], row["trial"], row["computed_bits"]) for row in rows if row["method"] == m] for m in ("pipe/pipe", "plain/serial")]
say(status == 0 and len(pairs[0]) == 9 and pairs[0] == pairs[1], "a loop in C has the bits of plain/serial", said)
for mode in ("value", "number"):
    status, rows, said = run(f"{PIPE} {mode}", "-m", "pipe/pipe,naive")
    say(status == 0 and len({row["computed_bits"] for row in rows if row["n"] == str(TRIGGER)}) == 1, f"{mode}: the same bits", said)
status, rows, said = run(f"{PIPE} nan", "-m", "pipe/*")
say([row["computed"] for row in rows if row["n"] == str(TRIGGER)] == ["nan"], "nan is a value", said)
status, rows, said = run(f"{PIPE} flood_stderr", "-m", "pipe/*")
say(status == 0 and len(rows) == 3 and "not shown" in said and said.count("\n") < 300, "who floods its standard error is heard in part", said)

python = f"{sys.executable} {PIPES}/pipe.py"
status, rows, said = run(python, "-m", "mypy/sum,mypy/wide@binary64,naive", "--format", "binary32,binary64", data=["uniform:n=99"], trials=3)
got = sorted({row["method"] for row in rows}), {row["ulp_error"] for row in rows if row["method"] == "mypy/wide@binary64"}
say(status == 0 and "mypy/sum" in got[0] and all(float(e) <= 0.5 for e in got[1]), "a program in Python names its methods", said + str(got))
status, rows, said = run(python, "-m", "dot:mypy/dot", data=["normal:n=50::uniform"], trials=2)
say(status == 0 and len(rows) == 2 and all(float(row["ulp_error"]) <= 0.5 for row in rows), "a dot product", said)
status, rows, said = run(python, "-m", "mypy/some", data=["uniform:n=50", "uniform:n=51"])
say(lengths(rows, "mypy/some") == [50], "a sum of some lengths alone", said)
status, rows, said = run(python, "-m", "mypy/rows", data=["uniform:n=50"], trials=2)
say(status == 0 and len(rows) == 2 and all(float(row["ulp_error"]) <= 0.5 for row in rows), "a sum that takes rows", said)
status, rows, said = run(f"{python} first_row", "-m", "mypy/rows", data=["uniform:n=50"])
say(status == 1 and "integers, row 2 of 5, the exact result is" in said, "and one that adds the first of them alone", said)
status, rows, said = run(f"{python} one_of_rows", "-m", "mypy/rows", data=["uniform:n=50"])
say(status == 3 and 'gave 1 results in "value"; expected 5' in said, "one number for five rows is counted", said)
status, rows, said = run(python, "-m", "matmul:mypy/matmul", data=["normal:n=20,rows=3,columns=5"])
say(status == 0 and len(rows) > 9 and all(float(row["ulp_error"]) <= 0.5 for row in rows), "a matrix product", said)

for tool in ("awk", "od"):
    if not shutil.which(tool):
        print("skipped: no", tool)
        sys.exit(1 if failures else 77)
status, rows, said = run(f"{PIPES}/pipe.sh", "-m", "pipe/*", data=["uniform:n=64"], trials=2)
say(status == 0 and lengths(rows, "pipe/awk") == [64, 64], "a script in sh", said)
AWK = "awk '{ s += $1 } END { printf \"%.17g\\n\", s }'"
status, rows, said = run(f"text10:{AWK}", "-m", "pipe/awk,pipe/awk@bfloat16", "--format", "binary32,bfloat16", data=["normal:n=40"], trials=2)
say(status == 0 and len(rows) == 4 and all(float(row["ulp_error"]) <= 0.5 for row in rows), "text10: a filter reads decimals", said)
sum_hex = f"{sys.executable} -c 'import sys, math; print(math.fsum(map(float.fromhex, sys.stdin)).hex())'"
status, rows, said = run(f"text:{sum_hex}", "-m", "pipe/*", data=["normal:n=40"])
say(status == 0 and float(rows[0]["ulp_error"]) <= 0.5, "text: and hexadecimal numbers, all of whose bits are there", said)
status, rows, said = run(f"text10:dot:{AWK.replace('$1', '$1 * $2')}", "-m", "dot:pipe/awk", data=["normal:n=40::normal"])
say(status == 0 and float(rows[0]["ulp_error"]) <= 0.5, "text10:dot: has two numbers in a line", said)

# ---- bad ones: one case is lost, and the reason is named ----
BAD = (
    ("fail", "the device is out of paper"),
    ("crash", "was killed by signal 11"),
    ("abort", "was killed by signal 6"),
    ("exit_0", "ended by itself in the middle of a call, with status 0"),
    ("exit_3", "ended by itself in the middle of a call, with status 3"),
    ("leave_a_child", "was killed by signal 9"),
    ("loop", "did not answer within 2 s"),
    ("never_read", "did not answer within 2 s"),
    ("answer_unread", "answered before it had read its input"),
    ("close_input", "closed its standard input"),
    ("close_output", "closed its standard output"),
    ("drip", 's; --timeout gives it longer; so far it wrote: "   '),
    ("print_garbage", "no JSON object"),
    ("print_before", 'more than one line on its standard output, where only the answer belongs; the first is: "debug: 300001 numbers"'),
    ("print_no_line", 'so far it wrote: "{"number": '),
    ("print_half_and_end", 'status 0; what it wrote is no whole line: "{"number": '),
    ("print_twice", "more than one line"),
    ("flood", 'wrote too much on its standard output; it begins with: "yyy'),
    ("flood_unread", 'wrote too much on its standard output; it begins with: "yyy'),
    ("flood_lines", 'first is: "y"'),
    ("answer_another", "answered question"),
    ("answer_wide", "has more digits than the format; expected one of binary32"),
    ("answer_no_bits", "is not 0x and hexadecimal digits"),
    ("answer_nothing", 'without "bits", "value" or "error"'),
    ("answer_both", "or with both"),
    ("answer_list", "no JSON object"),
    ("answer_many", 'gave 2 results in "bits"; expected 1'),
    ("answer_beyond", "1e60"),
    ("answer_words", "about 12"),
    ("take_memory", "of memory; expected at most"),
    ("take_threads", "threads and processes; expected at most"),
)
SILENT = ("loop", "never_read", "drip", "print_no_line")  # until their time is over
for mode, reason in BAD:
    seconds = "2" if mode in SILENT else "60"
    status, rows, said = run(f"{PIPE} {mode}", "-m", "pipe/*,naive", "--timeout", seconds, "--memory", "128Mi")
    if mode == "take_threads" and "with status 77" in said:
        print("skipped: this machine has no room for so many threads")
        continue
    named = [line for line in said.splitlines() if line.startswith("ulpscope: pipe/pipe: ")]
    fine = (status == 3 and lengths(rows, "pipe/pipe") == [64, 96] and len(lengths(rows, "plain/serial")) == 3
            and len(named) == 1 and reason in named[0] and f"ulpscope run -m pipe/pipe --pipe '{PIPE} {mode}'" in said)
    say(fine, f"{mode}: {named[0][21:100] if named else ''}", f"status {status}, rows {lengths(rows, 'pipe/pipe')}: {said[-2000:]}")

# ---- bad from the first ----
for command, reason in (
    (f"{PIPE} say_ready nonsense", "no JSON object"),
    (f"{PIPE} say_ready '[]'", "no JSON object"),
    (f"{PIPE} say_ready '{{\"methods\": []}}'", "it has no methods"),
    (f"{PIPE} say_ready '{{\"name\": \"my sum\"}}'", "letters, digits and _"),
    (f"{PIPE} say_ready '{{\"methods\": [{{\"format\": \"floot\"}}]}}'", "unknown format"),
    (f"{PIPE} say_ready '{{\"methods\": [{{\"lengths\": [2.5]}}]}}'", "a length is no whole number"),
    (f"{PIPE} nowhere", "with status 2"),
    ("/nowhere/mysum", "with status 127"),
    ("sleep 0", "ended by itself"),
    ("", "no program is named"),
    ("text:matmul:cat", "many results are not written as text"),
):
    status, rows, said = run(command)
    say(status == 2 and not rows and reason in said, f"refused: {command[-40:]}", said)

for command, reason in (  # filters, which fail at every length
    ("exit 3", "with status 3"),
    ("kill -9 $$", "was killed by signal 9"),
    ("sleep 100", "did not answer within 0.2 s"),
    ("true", "printed what is nothing"),
    ("echo one", 'is not a number; expected one number of binary32, inf or nan: "one"'),
    ("echo 1; echo 2", "has something after the number"),
    ("echo 1e60", "is outside binary32"),
    ("yes", "wrote too much"),
    ("echo 1; exec >&-; sleep 100", "closed its standard output and did not end"),
):
    status, rows, said = run(f"text:{command}", "-m", "pipe/*", "--timeout", "0.2" if "within" in reason else "60")
    say(status == 3 and not rows and said.count(reason) == 3 and "left out of all that follows" in said, f"three times: {command}", said)

# ---- wrong sums ----
for command in (*(f"{python} {cheat}" for cheat in ("last", "sample", "known_sizes")), "text:echo 1", "text:head -n 1"):
    status, rows, said = run(command, data=["uniform:n=64"])
    say(status in (1, 3) and "is broken: of " in said, f"broken: {command[-40:]}", said)

# ---- nothing is left ----
marked = f"{TOKEN}={os.environ[TOKEN]}".encode()
left = []
for process in pathlib.Path("/proc").glob("[0-9]*"):
    try:
        if int(process.name) != os.getpid() and marked in (process / "environ").read_bytes().split(b"\0"):
            left.append((process / "cmdline").read_bytes())
    except OSError:
        pass
say(not left, "no process is left", left)
sys.exit(1 if failures else 0)
