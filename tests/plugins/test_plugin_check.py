"""What `plugin check` asks, and what it and a run say of plug-ins with a fault of one shape, which their twins lack.

    test_plugin_check.py SOURCE_DIRECTORY ULPSCOPE C_COMPILER
"""

import os
import pathlib
import re
import stat
import subprocess
import sys
import tempfile

SOURCE, PROGRAM, COMPILER = pathlib.Path(sys.argv[1]).resolve(), os.path.abspath(sys.argv[2]), sys.argv[3]
FLAGS = ["-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function", "-Wno-unused-variable", "-pedantic", "-ffp-contract=off",
         "-shared", "-fPIC", f"-I{SOURCE}/include"]

# How each method of shapes.c is named: the words without which it could be another's.
WRONG = r"is broken: of \d+ integers?"
SHAPES = {
    "last_of_odd_warp": r"is broken: of (\d*31|63|95|127|159|191|223|255|287) integers",
    "whole_blocks": r"is broken: of (2048|3072|4096|5120) integers", "one_length": r"is broken: of (255|511) integers",
    "other_length": r"is broken: of 263 integers", "beyond_million": WRONG, "nothing_beyond_4097": WRONG, "sixteen_bits": WRONG,
    "float_index": r"is broken: of 16777221 integers", "tail_of_large": WRONG, "one_number": r"is broken: of 1 integer ",
    "two_numbers": r"is broken: of 2 integers", "few_partial_sums": WRONG, "odd_halving": WRONG,
    "aligned_alone": r"is broken: of \d+ integers?, 4 bytes off the usual alignment,",
    "skips_to_alignment": r"is broken: of \d+ integers?, 4 bytes off the usual alignment,",
    "reads_masked": r"on \d+ integers: read past the end of its input 1", "reads_masked_before": r"on \d+ integers: read before the beginning of its input 1",
    "stale_tail": WRONG, "by_length": WRONG, "workspace": WRONG, "no_result_once": r"on 77 integers: wrote no result",
    "flushes": r"is broken: of \d+ integers?, times the least subnormal number,", "scales": r"is broken: of \d+ integers?, times a power of two just below overflow,",
    "skips_nan": r"is broken: of \d+ integers and a NaN in place of one of them it gave -?\d+; expected a NaN",
    "clamps": r"is broken: of \d+ integers and an infinity in place of one of them it gave .*; expected an infinity",
    "absolute": WRONG, "narrow": WRONG, "varies_when_large": r"claims to be deterministic, and its bits of the same 1048579 real numbers",
    "many_threads": r"is broken: of 5000 integers", "one_array": r"is broken: of \d+ integers?, one array being both,", "dot_tail": WRONG,
    "norm_tail": WRONG, "square_tail": WRONG, "copies_first": r"is broken: of \d+ integers?, row \d+ of \d+,",
    "batch_of_2000": r"row 2001 of 2049,", "grid_of_65535": r"row 65536 of 65537,", "middle_row": r"row 18 of \d+,",
    "rows_of_16": r"element 17,1 of 17 x 33,", "columns_of_64": r"of \d+ integers, element 1,65 of 33 x 65,", "terms_of_8": r"is broken: of \d*[5] integers|is broken: of \d+ integers",
    "a_row": r"element 1,1 of 1 x 33,", "square_of_one": r"is broken: of \d+ integers?, one array being both, element 1,1 of", "transposed": WRONG,
}
# What each kind of method is asked, in all: the counts stand here so that none is left out unseen.
COMMON = "450 lengths, 40 of a length again, 21 at the beginning of a page, 195 off alignment, 4 launches, 8 of subnormals"
ASKED = {
    "shapes/one_length": f"750 times: {COMMON}, 8 near overflow, 6 with a NaN, 6 with an infinity, 2 that overflow, 10 of the same reals",
    "dot:shapes/one_array": f"748 times: {COMMON}, 8 of one array twice, 6 with a NaN, 6 with an infinity, 10 of the same reals",
    "norm2:shapes/norm_tail": f"748 times: {COMMON}, 8 near overflow, 6 with a NaN, 6 with an infinity, 10 of the same reals",
    "sumsq:shapes/square_tail": f"748 times: {COMMON}, 8 near overflow, 6 with a NaN, 6 with an infinity, 10 of the same reals",
    "shapes/middle_row": f"787 times: {COMMON}, 8 near overflow, 6 with a NaN, 6 with an infinity, 2 that overflow, 32 batches, 15 of the same reals",
    "matmul:shapes/rows_of_16": "248 times: 193 shapes, 4 at the beginning of a page, 30 off alignment, 1 of subnormals, 6 of one array twice, "
                                "9 of a shape again, 5 of the same reals",
}
TWO_SUMS = '''
import math, ulpscope

@ulpscope.method(arrays="list")
def right(x):
    return math.fsum(x)

@ulpscope.method(format="binary16", arrays="list")
def nought(x):
    return HOW
'''
# A worker that answers a question about many rows with one number, and one whose text has a NUL.
WORKER = '''#!PYTHON
import json, socket, struct, sys
answers = socket.socket(fileno=3)
about = {"name": "fake", "methods": [{"name": "sum", "rows": True}]}
answers.send(struct.pack("<2I 2Q", 1, 0, 0, 0) + json.dumps(about).encode())
while packet := socket.recv_fds(answers, 65536, 2)[0]:
    number = struct.unpack_from("<Q", packet, 8)[0]
    answers.send(struct.pack("<2I 2Q", KIND, 0, number, 0) + TEXT)
'''
ALONE = """
#include <dlfcn.h>
#include <string.h>
#include <ulpscope/plugin.h>
static int alone(void *state, const struct ulpscope_call *call)
{
    const float *x = (const float *)ulpscope_data(&call->inputs[0]);
    const int64_t n = call->inputs[0].shape[0];
    int (*is_alone)(const void *, uint64_t);
    void *found = dlsym(dlopen("libcuda.so.1", RTLD_NOW), "fake_is_alone");
    float s = 0;
    (void)state;
    memcpy(&is_alone, &found, sizeof found);
    for (int64_t i = 0; i < n; i++)
        s += x[i];
    *(float *)ulpscope_data(call->outputs) = s;
    return is_alone(x, (uint64_t)n * sizeof *x) || (uintptr_t)x % 64 != 0 ? 0 : 5;
}
ULPSCOPE_PLUGIN("on", "1", ULPSCOPE_METHOD("alone", "sum", "binary32", ULPSCOPE_ON_DEVICE | ULPSCOPE_DETERMINISTIC, alone))
"""
failures = 0


def fact(name, holds, shown=""):
    global failures
    failures += not holds
    print(f"{'ok   ' if holds else 'FAIL '} {name}{'' if holds else f': {shown}'}", flush=True)


def compiled(work, source, *arguments, name=None):
    library = work / f"{name or source}.so"
    subprocess.run([COMPILER, *FLAGS, *arguments, str(SOURCE / f"tests/plugins/{source}.c"), "-o", str(library), "-lm"], check=True)
    return str(library)


def alone(work, method):
    """leaves.c with one of its methods."""
    source, library = work / f"{method}.c", str(work / f"{method}.so")
    source.write_text((SOURCE / "tests/plugins/leaves.c").read_text().partition("ULPSCOPE_PLUGIN(")[0]
                      + f'ULPSCOPE_PLUGIN("leaves", "1", METHOD({method}))\n')
    subprocess.run([COMPILER, *FLAGS, str(source), "-o", library], check=True)
    return library


def run(*arguments, **environment):
    done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, errors="replace", timeout=1000,
                          env={**os.environ, **environment})
    return done.returncode, done.stdout, done.stderr


def try_shapes(work):
    code, out, said = run("plugin", "check", "--all", compiled(work, "shapes"))
    fact("a broken promise is status 1, a failed call 3", code == 3 and "not ok" in out, code)
    methods = re.findall(r"^(?:\w+:)?shapes/(\w+) .*; binary32; claims", out, re.M)
    fact(f"{len(SHAPES)} methods have a fault each", sorted(methods) == sorted(SHAPES), methods)
    for method, words in SHAPES.items():
        fact(f"{method} is found", re.search(rf"^ulpscope: (\w+:)?shapes/{method}:? .*?({words})", said.replace(": on", " on"), re.M),
             re.findall(rf".*shapes/{method}\b.*", said))
    code, out, said = run("plugin", "check", "--all", compiled(work, "shapes", "-DTWIN", name="twin"))
    fact("the twins keep every promise", code == 0 and "ok: every promise was kept" in out and not said, out + said)
    for method, asked in ASKED.items():
        fact(f"{method} was asked {asked}", re.search(rf"^{method} +asked {asked}$", out, re.M), out)


def try_sound(work):
    library = compiled(work, "sound")
    code, out, said = run("plugin", "check", "--all", library)
    methods = set(re.findall(r"^sound/(\w+) ", out, re.M))
    fact("sound sums are not accused", len(methods) == 8 and not said and code == 0, out + said)
    notes = dict(re.findall(r"^sound/(\w+) +asked.*\n(?: +note: near overflow.*\n)? +note: (.*)", out, re.M))
    named = re.findall(r"^note: sound/(.*)", out, re.M)
    fact("a fault that no bound sees is named, its twin is not", len(named) == 1 and named[0].startswith(
         "kahan_sign: bit for bit kahan/serial in which the correction is added where it should be subtracted, on "), named)
    fact("what relies on the usual alignment may fail without it", "bytes off the usual alignment it fails, as it may" in notes.get("aligned", ""),
         notes)
    counted = re.search(r"^sound/aligned +asked .* (\d+) off alignment, .* (\d+) near overflow", out, re.M)
    fact("15 times it does not, three times it does, and then all the rest is asked", counted and counted.groups() == ("18", "8"), out)


def try_refusals(work):
    """What refuses lengths declares those that it takes."""
    for declared, expected in (("", 3), (", lengths=[100, 5000]", 0)):
        (work / "few.py").write_text(f"import ulpscope\n\n@ulpscope.method(arrays='list'{declared})\ndef few(x):\n"
                                     "    if len(x) > 6000:\n        raise IndexError('too many')\n    return sum(x)\n")
        code, out, said = run("plugin", "check", "--all", str(work / "few.py"))
        fact(f"a refusal of lengths that are not declared is status 3: few{declared} {expected}", code == expected and
             ("few/few: refuses n = 6144, and says nothing of the lengths that it takes: raised IndexError" in said) == (expected == 3), said)
        fact(f"all that are declared are asked{declared}", (re.search(r"few/few +asked \d+ times: 2 lengths,", out) is not None) == bool(declared), out)


def try_formats(work):
    for how, code_expected, word in (("0.0", 1, "not ok"), ("math.fsum(x)", 0, "ok: every")):
        (work / "two_sums.py").write_text(TWO_SUMS.replace("HOW", how))
        file = str(work / "two_sums.py")
        code, out, said = run("plugin", "check", file)
        fact(f"each format is checked: {how} in binary16", code == code_expected and word in out and "two_sums/nought@binary16: is broken" in said
             if code_expected else code == 0 and word in out, out + said)
        fact("each method has results", len(re.findall(r"^two_sums/\S+ +(\d+) results", out, re.M)) == 2, out)
    (work / "one_off.py").write_text("import ulpscope\n\n@ulpscope.method(format='binary64', arrays='list')\ndef one_off(x):\n"
                                     "    s = float(sum(map(int, x)))\n    return s + (2**52 < abs(s) < 2**53)\n")
    code, out, said = run("plugin", "check", str(work / "one_off.py"))
    values = re.search(r"the exact result is (\S+), in any order of additions; it gave (\S+)", said)
    for declared, word in ((", bound='none'", "no bound is claimed"), ("", "of the bound")):
        (work / "claims.py").write_text(f"import ulpscope\n\n@ulpscope.method(arrays='list'{declared})\ndef claims(x):\n    return sum(x)\n")
        _, out, _ = run("plugin", "check", str(work / "claims.py"))
        fact(f"the share of a bound{declared}", re.search(rf"claims/claims  \d+ results: error up to \S+ ulp, \S*\s?{word}", out), out)
    fact("large integers are told apart", code == 1 and values and abs(float(values[1]) - float(values[2])) == 1 and values[1] != values[2], said)
    data = ["-d", "uniform:n=100", "--trials", "2", "--speed", "0"]
    code, out, said = run("run", "--python", file, "-m", "two_sums/*", *data)
    fact("a run measures methods of each format", code == 0 and "two_sums/right " in out and "two_sums/nought@binary16" in out, out + said)
    code, out, said = run("run", "--python", file, "-m", "two_sums/*", *data, "--format", "binary16,binary32")
    fact("nothing that is there is called absent", code == 0 and "skipping" not in said and "two_sums/nought@binary16" in out, said)
    code, out, said = run("run", "--python", file, "-m", "two_sums/*", *data, "--format", "binary32")
    fact("what has no data is said", "skipping two_sums/nought@binary16: no data of the study are stored in binary16" in said, said)
    code, out, said = run("run", "--python", file, "-m", "two_sums/nought", *data)
    fact("a method is matched without its format", code == 0 and "two_sums/nought@binary16" in out and "two_sums/right" not in out, out + said)
    code, out, said = run("run", "--python", file, "-m", "two_sums/no", *data)
    fact("a refusal lists the plug-in's methods", code == 2 and "expected one of two_sums/right, two_sums/nought@binary16" in said, said)
    code, out, said = run("run", "--python", file, "-m", "plain/serial", *data)
    fact("a plug-in that no -m matches is mentioned", code == 0 and f"--python {file}: none of its methods is measured" in said, said)
    code, out, said = run("run", "--python", file, "-m", "plain/serial,two_sums/right", *data)
    fact("one that is matched is not", code == 0 and "none of its methods" not in said, said)
    for words in (["bench", "-n", "64", "--repeats", "2", "--device", "host", "-m"], ["determinism", "uniform:n=10", "--across", "repeat"]):
        for method, is_said in (("plain/serial", True), ("two_sums/right", False)):
            code, out, said = run(*words, method, "--python", file)
            fact(f"{words[0]} {method}: whether a plug-in is measured is said", code == 0 and ("none of its methods is measured" in said) == is_said, said)


def try_leaves(work):
    library, twin = compiled(work, "leaves"), compiled(work, "leaves", "-DTWIN", name="twin_leaves")
    data = ["--plugin", library, "-d", "uniform:n=100", "--trials", "12", "--speed", "0", "--jobs", "2"]
    code, out, said = run("run", *data, "-m", "leaves/no_result,leaves/right")
    fact("a method is not accused after another failed", code == 3 and "leaves/right" not in said and "leaves/no_result: wrote no result" in said,
         said)
    code, out, said = run("run", *data, "-m", "leaves/error,leaves/right")
    fact("nor of what another left behind", code == 0 and re.search(
        r"leaves/right: behind leaves/error, in its process: returned status 9; not in a process of its own", said), said)
    code, out, said = run("run", *data, "-m", "leaves/error,leaves/waits", "--trials", "1", "--timeout", "3")
    fact("what was waited for in vain is not asked again", code == 3 and "leaves/waits: did not answer within 3 s" in said and "behind" not in said,
         said)
    code, out, said = run("run", *data[2:], "--plugin", twin, "-m", "leaves/*")
    fact("of the twins nothing is said", code == 0 and "leaves/" not in said, said)
    code, out, said = run("run", *data, "-m", "leaves/crashes")
    after = said.partition("it is left out of all that follows")[2].splitlines()
    fact("after its last failure a method is not spoken of", said.count("called abort()") == 3 and sum("leaves/crashes" in line for line in after) == 1,
         said)
    code, out, said = run("run", *data, "-m", "leaves/signals")
    fact("signals that a plug-in sends end nothing", code == 0 and "leaves/signals" in out, f"{code} {said}")
    code, out, said = run("plugin", "check", "--all", alone(work, "varies"))
    fact("a broken claim of determinism is status 1", code == 1 and "leaves/varies: claims to be deterministic" in said, f"{code} {out}{said}")
    code, out, said = run("run", *data[2:], "--plugin", compiled(work, "leaves", "-DHANGS", name="hangs"), "--timeout", "0.1")
    fact("loading is waited for as --timeout says", code == 2 and "was not ready within 10 s" in said, said)


def try_lengths_of_a_run(work):
    data = ["--plugin", str(work / "shapes.so"), "-d", "uniform:n=263,low=0.9", "-d", "uniform:n=264", "--trials", "1", "--speed", "0"]
    code, out, said = run("run", *data, "-m", "shapes/other_length")
    fact("integers are asked at each n of a study", code == 1 and "shapes/other_length: is broken: of 263 integers" in said, said)
    code, out, said = run("run", *data, "-m", "shapes/one_length")
    fact("where nothing is wrong nothing is said", code == 0 and "broken" not in said, said)
    (work / "limits.yaml").write_text('schema: ulpscope-limits/1\nrules:\n  - {method: "*", data: "*", metric: bound_ratio, limit: auto, why: "test"}\n')
    large = ["--plugin", str(work / "shapes.so"), "-d", "uniform:n=2100001", "--trials", "1", "--speed", "0"]
    for method, expected in (("tail_of_large", 1), ("one_length", 0)):
        code, out, said = run("run", *large, "-m", f"shapes/{method}", "-o", str(work / method))
        checked, out, said = run("check", str(work / method), "--limits", str(work / "limits.yaml"))
        fact(f"a tail of 801 numbers in 2 million fails the gate: {method} {expected}", code == checked == expected and "1 ok" in out
             and ("is broken, as the run found: of 2100001 integers" in said) == (expected == 1), f"{code} {checked} {out}{said}")


def try_sanitizer(work):
    library, tools = alone(work, "right"), work / "tools"
    tools.mkdir()
    code, out, said = run("plugin", "check", library, "--sanitize", PATH="/nowhere")
    fact("without compute-sanitizer --sanitize is refused", code == 2 and "compute-sanitizer is not in the PATH; expected" in said, said)
    for status, expected in ((99, 1), (0, 0)):
        tool = tools / "compute-sanitizer"
        tool.write_text(f'#!/bin/sh\necho "$@" > {work}/words\nshift 4\n"$@"\nexit {status}\n')
        tool.chmod(0o755)
        code, out, said = run("plugin", "check", "--all", library, "--sanitize=racecheck", PATH=f"{tools}:{os.environ['PATH']}")
        fact(f"status {status} of compute-sanitizer is {expected}", code == expected and ("found errors" in said) == (expected == 1), f"{code} {said}")
    words = (work / "words").read_text().split()
    fact("the worker runs under it", words[:5] == ["--tool", "racecheck", "--error-exitcode", "99", words[4]] and "ulpscope-worker" in words[4], words)
    subprocess.run([COMPILER, *FLAGS, str(SOURCE / "tests/plugins/fake_cuda.c"), "-o", str(work / "libcuda.so.1")], check=True)
    (work / "alone.c").write_text(ALONE)
    subprocess.run([COMPILER, *FLAGS, str(work / "alone.c"), "-o", str(work / "alone.so")], check=True)
    fake = {"PATH": f"{tools}:{os.environ['PATH']}", "LD_LIBRARY_PATH": str(work)}
    code, out, said = run("plugin", "check", "--all", str(work / "alone.so"), "--sanitize", **fake)
    fact("under it an array has memory of its own", code == 0, out + said)
    code, out, said = run("plugin", "check", "--all", str(work / "alone.so"), **fake)
    fact("without it NaNs lie beside", code == 3 and "returned status 5" in said, out + said)
    code, out, said = run("plugin", "check", library, "--sanitize=leakcheck", PATH=f"{tools}:{os.environ['PATH']}")
    fact("an unknown tool is refused", code == 2 and '"leakcheck" is unknown; expected memcheck' in said, said)


def try_answers(work):
    """The count of results is looked at, and what stands behind a NUL."""
    worker = work / "worker"
    for kind, text, words in (("4", "b''", "gave one number; expected 5"), ("8", r"b'one\0two'", "one?two")):
        worker.write_text(WORKER.replace("#!PYTHON", f"#!{sys.executable}").replace("KIND", kind).replace("TEXT", text))
        worker.chmod(worker.stat().st_mode | stat.S_IXUSR)
        code, out, said = run("run", "--plugin", str(work / "sound.so"), "-m", "fake/sum", "-d", "uniform:n=9", "--trials", "1", "--speed", "0",
                              ULPSCOPE_WORKER=str(worker))
        fact(f"a worker's answer {kind} {text}: {words}", code == 3 and words in said, said)
    for command, words in (("printf '1\\0002'", "has a NUL byte"), ("printf 1", None)):
        code, out, said = run("run", "--pipe", f"text:{command}", "-m", "pipe/printf", "-d", "ones:n=1", "--trials", "1", "--speed", "0")
        fact(f"{command} is {words or 'a number'}", words in said if words else words is None and "NUL" not in said, said)


def main():
    with tempfile.TemporaryDirectory(prefix="ulpscope_check.") as name:
        work = pathlib.Path(name)
        for group in (try_shapes, try_sound, try_refusals, try_formats, try_leaves, try_lengths_of_a_run, try_sanitizer, try_answers):
            group(work)
    return failures > 0


sys.exit(main())
