"""`ulpscope attack` from outside: weak sums are broken and sound ones are not, the same seed gives the same file, and what is
printed is what the sum does when it is run again.

    test_attack_command.py ULPSCOPE
"""

import json
import os
import pathlib
import pty
import re
import subprocess
import sys
import tempfile
from fractions import Fraction

ULPSCOPE = os.path.abspath(sys.argv[1])

# Each weak sum beside its sound twin; --until is 1 ulp.
SUMS = '''
import math, struct, ulpscope

@ulpscope.method(arrays="list")
def sound(x):
    return math.fsum(x)

@ulpscope.method(arrays="list")
def weak(x):
    """right, but where a number is negative"""
    return math.fsum(x) if min(x) >= 0 else struct.unpack("f", struct.pack("f", sum(map(abs, x))))[0]

@ulpscope.method(arrays="list")
def raises(x):
    """right, but where it fails"""
    if min(x) < 0:
        raise ValueError("found a negative number")
    return math.fsum(x)

seen = set()

@ulpscope.method(arrays="list")
def once(x):
    """right, but fails on numbers that it knows"""
    if tuple(x) in seen:
        raise ValueError("found them again")
    seen.add(tuple(x))
    return math.fsum(x)

turns = []

@ulpscope.method(arrays="list", deterministic=False)
def moody(x):
    """another sum each time"""
    turns.append(x)
    return math.fsum(x) * (1 + len(turns) % 7)
'''

failures = 0


def fact(name, holds, shown=""):
    global failures
    failures += not holds
    print(f"{'ok   ' if holds else 'FAIL '} {name}{'' if holds else f': {shown}'}")


def run(*words, cwd=None):
    environment = {key: value for key, value in os.environ.items() if not key.startswith("ULPSCOPE_")}
    done = subprocess.run([ULPSCOPE, *words], cwd=cwd or folder, env=environment, text=True, capture_output=True)
    return done.returncode, done.stdout, done.stderr


def attack(*words):
    """The one attack of its JSON."""
    code, out, err = run("attack", *words, "--json", "-")
    (found,) = json.loads(out)["attacks"] if out else ({},)
    return code, found, err


def numbers_of(name):
    """Without the comment, whose command line may differ."""
    return [line for line in (folder / name).read_text().splitlines() if not line.startswith("#")]


def exact(numbers):
    return sum(Fraction(float.fromhex(number)) for number in numbers)


def told(steps):
    """Calls of the steps that a file tells: the last of each doubling that is a thousandth better, and the last of all."""
    calls, before = [], None
    for step, after in zip(steps, steps[1:] + [None]):
        ends = after is None or step["calls"].bit_length() < after["calls"].bit_length()
        if ends and (after is None or before is None or step["value"] > 1.001 * before):
            calls.append(step["calls"])
            before = step["value"]
    return calls


def told_in(name):
    return [int(line.split()[2]) for line in (folder / name).read_text().splitlines() if line.startswith("# step")]


def try_methods():
    seeds_matter = False
    for method, climb in (("plain/serial", "bound"), ("plain/tree_two_pass", "ulp"), ("kahan/serial", "bound"), ("naive@bfloat16", "bound")):
        words = (method, "--n", "32", "--budget", "3000", "--blocks", "2", "--threads", "8", "--climb", climb)
        code, found, err = attack(*words, "-o", "a.f32", "--witness", "w.f32", "--jobs", "1")
        fact(f"{method} is attacked", code == 0 and found["calls"] <= 3000, err)
        first = numbers_of("a.f32")
        fact(f"{method}: the file has its numbers", first == found["numbers"] and len(first) == 32)
        fact(f"{method}: the exact sum is theirs", exact(first) == exact([found["exact"]["sum"]]))
        fact(f"{method}: the file has its history", told_in("a.f32") == told(found["steps"]), f"{told_in('a.f32')} {told(found['steps'])}")
        error = abs(Fraction(found["judged"]["sum"]) - exact(first))
        ulp = error / Fraction(float.fromhex(found["exact"]["ulp"]))
        fact(f"{method}: the error is theirs", Fraction(found["judged"]["ulp_error"]) >= ulp >= Fraction(found["judged"]["ulp_error"]) * (1 - Fraction(1, 2**50)))
        fact(f"{method}: the steps rise to it", [s["value"] for s in found["steps"]] == sorted(s["value"] for s in found["steps"]) and abs(found["steps"][-1]["value"] / found["value"] - 1) < 1e-9)
        again = found["rerun"].split()[1:] + ["-q", "-o", "-", "--permutations", "0"]
        code, out, err = run(*again)
        fact(f"{method}: run again it has the same bits", found["judged"]["bits"] in out, out + err)
        core = numbers_of("w.f32")
        fact(f"{method}: the witness keeps most of it", found["witness"]["judged"][{"bound": "bound_ratio", "ulp": "ulp_error"}[climb]] >= 0.99 * found["value"])
        fact(f"{method}: the witness is no longer", len(core) <= len(first) and core == found["witness"]["numbers"])
        attack(*words, "-o", "a.f32", "--jobs", "3")
        fact(f"{method}: other threads, the same numbers", numbers_of("a.f32") == first)
        attack(*words, "-o", "a.f32", "--seed", "2")
        seeds_matter |= numbers_of("a.f32") != first  # not where the first that is tried is best
    fact("another seed, other numbers", seeds_matter)


def try_binary64():
    code, out, err = run("attack", "plain/serial@binary64", "--n", "4", "--budget", "100", "--climb", "ulp", "--seed", "3", "-o", "wide.f32")
    printed = [float(number) for number in out.split("  numbers    4: ")[1].splitlines()[0].split(", ")]
    fact("numbers of binary64 are printed with all digits", printed == list(map(float.fromhex, numbers_of("wide.f32"))) and printed[0] % 1e6 != 0, out + err)
    fact("an error beyond binary64 has words", "  error      more than 1e308 ulp\n" in out and "inf ulp" not in out and "nan" not in out, out)


def try_exact():
    """Eight numbers of e4m3 have a sum in binary32."""
    for format, none in (("e4m3", True), ("binary16", False)):
        code, out, err = run("attack", "plain/serial", "--format", format, "--n", "8", "--budget", "100")
        fact(f"that no error was found is said, {format}", code == 0 and ("No numbers were found on which it errs.\n" in out) == none and ("  calls " in out) != none, out + err)


def try_limits():
    for method, until, status in (
        ("plain/serial", "2ulp", 1),
        ("superacc/serial", "0.5ulp", 0),
        ("plain/serial", "bound*0.01", 1),
        ("plain/serial", "bound*1", 0),
        ("plain/serial", "auto", 0),
    ):
        code, out, err = run("attack", method, "--n", "16", "--budget", "2000", "--until", until)
        fact(f"{method} --until {until} is {('kept', 'broken')[status]}", code == status and f"{until}, {('kept', 'broken')[status]}" in out, f"exit {code}: {out}{err}")


def try_plugins():
    (folder / "sums.py").write_text(SUMS)
    plugin = ("--python", "sums.py", "--n", "8", "--budget", "400")
    code, found, err = attack("sums/sound", *plugin, "--until", "1ulp")
    fact("a sound plug-in is not broken", code == 0 and found["value"] <= 1, f"exit {code}: {err}")
    code, found, err = attack("sums/weak", *plugin, "--until", "1ulp", "-o", "weak.f32")
    fact("a weak plug-in is broken", code == 1 and found["value"] > 1 and found["calls"] < 400, f"exit {code}: {err}")
    code, out, err = run("exact", "weak.f32", "--compare", str(found["judged"]["sum"]))
    fact("a weak plug-in: the file shows it", code == 0 and min(map(float.fromhex, numbers_of("weak.f32"))) < 0, err)
    code, found, err = attack("sums/raises", *plugin, "-o", "crash.f32")
    fact("a plug-in that fails is a find", code == 1 and found["crashed"] and found["value"] == "nan", f"exit {code}: {err}")
    fact("a plug-in that fails: why is told", "found a negative number" in err, err)
    fact("a plug-in that fails: on these numbers", min(map(float.fromhex, numbers_of("crash.f32"))) < 0)
    code, out, err = run("run", "--python", "sums.py", "-m", "sums/raises", "-d", "crash.f32", "--permutations", "0", "--speed", "0")
    fact("a plug-in that fails does so again", code == 3, f"exit {code}: {out}{err}")
    code, out, err = run("attack", "sums/once", "--python", "sums.py", "--n", "8", "--budget", "1")
    fact("a plug-in that fails when it is judged is a find", code == 1 and "it fails, but not each time" in out and "found them again" in err, f"{out}{err}")
    code, out, err = run("attack", "sums/moody", *plugin)
    fact("a plug-in without fixed bits is told", code == 0 and "another sum than in the search" in out, f"exit {code}: {out}{err}")


ENDED = '''
import ctypes, math, os, signal, time, ulpscope

asked = 0

@ulpscope.method(arrays="list")
def stops(x):
    """right; while there is a file `stop`, sum 600 ends ulpscope"""
    global asked
    asked += 1
    with open("asked", "w") as file:
        file.write(str(asked))
    if asked == 600 and os.path.exists("stop"):
        os.kill(os.getppid(), signal.SIGINT)
    return math.fsum(x)

@ulpscope.method(arrays="list")
def loops(x):
    stops([])
    total = 0.0
    for number in x:
        total = ctypes.c_float(total + number).value
    return total

@ulpscope.method(arrays="list")
def slow(x):
    time.sleep(0.02)
    return math.fsum(x)
'''


def try_ended():
    (folder / "ended.py").write_text(ENDED)
    words = ("attack", "ended/stops", "--python", "ended.py", "--n", "8", "--budget", "1e5", "--climb", "bound", "-o", "ended.f32")
    (folder / "stop").touch()
    code, out, err = run(*words)
    (folder / "stop").unlink()
    kept, again = numbers_of("ended.f32"), re.findall(r"^  again +ulpscope (.* --end (\d+))$", out, re.M)
    fact("Ctrl-C keeps the best find so far", code == 130 and len(kept) == 8 and "interrupted; the best find so far is kept\n" in err, f"exit {code}: {out}{err}")
    fact("and the command that repeats it", len(again) == 1 and 0 < int(again[0][1]) < 600, out)
    code, out, err = run(*again[0][0].split())
    fact("which finds the same", code == 0 and numbers_of("ended.f32") == kept and f" {again[0][1]} calls, " in out, f"exit {code}: {out}{err}")
    fact("and its fewest numbers", " numbers, simplified, have " in out, out)
    code, out, err = run(*words[:-1], "twin.f32", "--budget", "3000")
    fact("the twin that nobody ends goes on", code == 0 and "3000 calls" in out and "--end" not in out and "interrupted" not in err, f"exit {code}: {out}{err}")
    for name, most in ("loops", 700), ("stops", 1000):  # of 190 and of 320 that show whether there is a tree; 4,200 would prove it
        run("attack", f"ended/{name}", "--python", "ended.py", "--n", "64", "--budget", "200")
        asked = int((folder / "asked").read_text())
        fact(f"the tree of {name} is a hint, which no family asks for again", 500 < asked < most, asked)
    for time, status in (("1e-9", 3), ("1e8", 0)):
        code, out, err = run("attack", "kahan/serial", "--n", "8", "--budget", "100", "--time", time)
        fact(f"--time {time} is {('not over', 'over')[status > 0]}", code == status and ("the time was over before a sum was judged" in err) == (status > 0)
             and "--end" not in out, f"exit {code}: {out}{err}")
    code, out, err = run("attack", "kahan/serial", "--n", "8", "--budget", "100", "--time", "3", "--end", "40")
    fact("--end ends after so many", code == 0 and ", 40 calls, " in out, f"exit {code}: {out}{err}")
    for quiet in (), ("-q",):
        terminal, ours = pty.openpty()
        asked = subprocess.Popen([ULPSCOPE, "attack", "ended/slow", "--python", "ended.py", "--n", "4", "--budget", "30", *quiet],
                                 cwd=folder, stdout=subprocess.DEVNULL, stderr=ours)
        os.close(ours)
        said = b""
        try:
            while more := os.read(terminal, 4096):
                said += more
        except OSError:  # nobody has the other end any more
            pass
        os.close(terminal)
        ended = asked.wait()
        fact(f"on a terminal it says how far it is{', but' if quiet else ''} {' '.join(quiet)}", ended == 0 and (b" of 30 sums, " in said) == (not quiet), said)


def try_streams():
    code, out, err = run("attack", "kahan/serial", "--n", "4", "--budget", "100", "-o", "-")
    (folder / "piped.f32").write_text(out)
    fact("- is stdout, and a file alone", code == 0 and len(numbers_of("piped.f32")) == 4 and "again" not in out, f"{out}{err}")
    code, out, err = run("attack", "kahan/serial", "--n", "4", "--budget", "100", "-o", "-", "--json", "-")
    fact("- is for one output", code == 2 and "two outputs to standard output" in err, err)


def variance(numbers):
    """Exactly, by the definition."""
    x = [Fraction(float.fromhex(number)) for number in numbers]
    return sum((value - sum(x) / len(x)) ** 2 for value in x) / len(x)


def try_variances():
    for method in "variance.textbook", "variance.two_pass":
        code, found, err = attack(f"{method}:plain/serial", "--n", "64", "--budget", "20000")
        judged, exact_value = found["judged"], variance(found["numbers"])
        error = abs(Fraction(judged["sum"]) - exact_value) / Fraction(float.fromhex(found["exact"]["ulp"]))
        fact(f"{method}: half of its bound is attained", code == 0 and 0.5 <= found["value"] <= 1, f"{found['value']} {err}")
        fact(f"{method}: the error is theirs", abs(error / Fraction(judged["ulp_error"]) - 1) < Fraction(1, 2**40), f"{float(error)} {judged['ulp_error']}")
    code, out, err = run("attack", "cosine:plain/serial")
    fact("two vectors are refused", code == 2 and "it is no sum" in err, err)


def try_refusals():
    for words, said in (
        (("plain/serial", "--budget", "0"), "--budget"),
        (("plain/serial", "--time", "0"), "--time"),
        (("plain/serial", "--end", "0"), "--end"),
        (("plain/serial", "--n", "0"), "--n"),
        (("plain/serial", "--n", "1e9", "--budget", "1e9"), "choose a smaller --budget or --n"),
        (("plain/serial", "--until", "bound*2"), "no limit that a sum can be beyond"),
        *((("plain/serial", "--until", text), "no limit of what an attack climbs; expected 4ulp, or bound*0.5") for text in ("4", "4u", "50%", "1e-6abs", "exact", "baseline*2")),
        (("plain/serial", "--until", "nanulp"), "is no limit; expected 4ulp, or bound*0.5"),
        (("plain/serial", "--until", "4ulp", "--climb", "bound"), "leave --climb out"),
        (("plain/serial", "--climb", "error"), "expected bound or ulp"),
        (("plain/serial", "--format", "decimal32"), "ulpscope list formats"),
        (("plain/serial", "kahan/serial"), "found 2 methods; expected one"),
        (("plain/serial", "--n", "4,8"), "--n"),
        (("plain/serial", "-o", "x"), "a name without an ending"),
        (("matmul:plain/naive",), "it is no sum"),
        (("dot:plain/serial",), "it is no sum"),
        (("cub/device_reduce",), "GPU"),
        (("plain/seril",), "matches no method"),
        ((), "no method"),
    ):
        code, out, err = run("attack", *words)
        fact(f"refused: {' '.join(words)}", code == 2 and said in err and not out, f"exit {code}: {out}{err}")


with tempfile.TemporaryDirectory(prefix="ulpscope_attack.") as work:
    folder = pathlib.Path(work)
    try_methods()
    try_binary64()
    try_exact()
    try_limits()
    try_plugins()
    try_ended()
    try_streams()
    try_variances()
    try_refusals()
print(f"{failures} failures")
sys.exit(failures > 0)
