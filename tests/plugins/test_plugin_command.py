"""`ulpscope plugin new` and `plugin check`: each example is written, built as its README says, sound, and runs through its
own study and limits; made wrong in one place it fails.  `grade` takes products of plug-ins.

    test_plugin_command.py ULPSCOPE
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

ULPSCOPE = os.path.abspath(sys.argv[1])

# Of each kind: what makes it wrong, and what is said then.
WRONG = {
    "c": ("c_sum.c", "i < n;", "i < n - 1;", "is broken: of "),
    "python": ("python_sum.py", "total += number", "total += 2 * number", "is broken: of "),
    "pipe": ("pipe_sum.c", "sum += x;", "sum = x;", "is broken: of "),
}

# A product that is graded, and one whose numbers have 11 bits.
PRODUCTS = '''
import math, ulpscope

def rounded(x):
    significand, exponent = math.frexp(x)
    return math.ldexp(round(math.ldexp(significand, 11)), exponent - 11)

@ulpscope.method(operation="matmul", arrays="list")
def product(a, b):
    return [[math.fsum(x * y for x, y in zip(row, column)) for column in zip(*b)] for row in a]

@ulpscope.method(operation="matmul", arrays="list")
def narrow(a, b):
    return product([list(map(rounded, row)) for row in a], b)
'''

# Sums that are timed: one of any numbers, one of some, and one that fails on a single number, by which the cost of a call is told.
TIMED = '''
import ulpscope

@ulpscope.method(arrays="list")
def loop(x):
    return sum(x)

@ulpscope.method(arrays="list", lengths=[100, 64])
def some(x):
    return sum(x)
'''

failures = 0


def fact(name, holds, shown=""):
    global failures
    failures += not holds
    print(f"{'ok   ' if holds else 'FAIL '} {name}{'' if holds else ': ' + shown}")


def run(folder, *words, shell=False):
    env = dict(os.environ, PATH=os.path.dirname(ULPSCOPE) + ":" + os.environ["PATH"])
    done = subprocess.run(words[0] if shell else words, cwd=folder, env=env, shell=shell, text=True, capture_output=True)
    return done.returncode, done.stdout + done.stderr


def commands(folder):
    """The indented lines of its README, without what stands behind three spaces."""
    lines = (folder / "README.md").read_text().splitlines()
    return [line.strip().split("   ")[0] for line in lines if line.startswith("    ")]


def try_kind(work, kind):
    folder = work / f"{kind}_sum"
    code, text = run(work, ULPSCOPE, "plugin", "new", f"{kind}_sum/", f"--{kind}")
    fact(f"{kind} is written", code == 0, text)
    texts = [path.name + path.read_text() for path in folder.rglob("*") if path.is_file()]
    fact(f"{kind} has its folder's name, and no other", sum(f"{kind}_sum" in text for text in texts) >= 4 and "mysum" not in "".join(texts))
    for command in commands(folder):
        code, text = run(folder, command, shell=True)
        fact(f"{kind}: {command}", code == 0, text)
    name, sound, wrong, said = WRONG[kind]
    source = (folder / name).read_text()
    fact(f"{kind} can be made wrong", sound in source)
    (folder / name).write_text(source.replace(sound, wrong))
    *builds, check = [command for command in commands(folder) if " run " not in command and "limits" not in command]
    for command in builds:
        run(folder, command, shell=True)
    code, text = run(folder, check, shell=True)
    fact(f"{kind}, wrong: is told", code == 1 and said in text, f"exit {code}: {text}")


def try_grades(work):
    (work / "products.py").write_text(PRODUCTS)
    for name, status, said in (("product", 0, "grade A"), ("narrow", 1, "less precise than its formats")):
        code, text = run(work, ULPSCOPE, "grade", f"matmul:products/{name}", "--python", "products.py", "--size-most", "16")
        fact(f"{name} of a plug-in is graded", code == status and said in text, f"exit {code}: {text}")


def try_bench(work):
    (work / "timed.py").write_text(TIMED)
    code, text = run(work, ULPSCOPE, "bench", "--device", "host", "--python", "timed.py", "-m", "timed/*", "-n", "64,99,100", "--repeats", "2",
                     "--json", "timed.json")
    lines = {(line["method"], line["n"]): line for line in json.loads((work / "timed.json").read_text())["lines"]}
    line = lines["timed/loop", 100]
    fact("the serial loop stands beside it", line["baseline"] == "plain/serial" and ("plain/serial", 99) in lines, str(line))
    fact("an n that it does not take is told", "leaving out timed/some at n=99, 1 x 256: it takes other n" in text, text)
    fact("which is no failure", code == 0, f"exit {code}: {text}")


# Functions that know nothing of ulpscope, of C and of C++; what their prototypes are; which method each is then, and whether a
# library says its signature; and what another prototype is refused for.
FUNCTIONS = """
#include <cstddef>
extern "C" {
float total(const float *x, std::size_t n) { float s = 0; for (std::size_t i = 0; i < n; i++) s += x[i]; return s; }
float product(const float *x, const float *y, int n) { float s = 0; for (int i = 0; i < n; i++) s += x[i] * y[i]; return s; }
void into(int n, const float *x, double *r) { double s = 0; for (int i = 0; i < n; i++) s += x[i]; *r = s; }
float drops(const float *x, std::size_t n) { float s = 0; for (std::size_t i = 1; i < n; i++) s += x[i]; return s; }
}
double total(double *x, long n) { double s = 0; for (long i = 0; i < n; i++) s += x[i]; return s; }
namespace own { double product(const double *x, const double *y, unsigned n) { double s = 0; for (unsigned i = 0; i < n; i++) s += x[i] * y[i]; return s; } }
void scaled(const float *x, const float *y, float *r, long long n) { float s = 0; for (long i = 0; i < n; i++) s += x[i] * y[i]; *r = s; }
"""
BARE = {
    "total": ("x/total", "", "float total(const float *, size_t)"),
    "float total(const float *x, size_t n);": ("x/total", "", "float total(const float *x, size_t n);"),
    "float product(float const x[], const float *restrict, int)": ("dot:x/product", "", "float product("),
    "void into(int, const float *, double *)": ("x/into@binary32_to_binary64", "", "void into("),
    "double _Z5totalPdl(double *, int64_t)": ("x/_Z5totalPdl@binary64", ",format=binary64", "double _Z5"),
    "void scaled(const float *, const float *, float *, long long)": ("dot:x/scaled", "", ""),
    "double own::product(const double *, const double *, unsigned int)": ("dot:x/product@binary64", ",format=binary64", ""),
}
REFUSED = {
    "nothing": "expected the symbol nothing, found none",
    "double own::product(const double *, const double *, int)": "expected the symbol own::product, found none",
    "float total(const float *, size_t": "found no \")\"",
    "float total(const float *, int, int)": "found 1 array and 2 lengths",
    "float total(const float *)": "found 1 array and 0 lengths",
    "float total(const float *, unsigned short)": "found the parameter \"unsigned short\"",
    "void into(float *, float *, int)": "found several pointers without const",
    "int total(const float *, int)": "found a result that is neither float, double nor void",
    "float total(const int *, int)": "found the parameter \"const int *\"",
    "float total(const double *, int)": "found a float of arrays of double",
    "float product(const float *, const double *, int)": "found arrays of two types",
    "void into(const float *, const float *, int)": "found no pointer to write the result to",
    "__global__ void into(const float *, int, float *)": "found a kernel",
    "": "found no name before",
}


def try_functions(work):
    (work / "x.cpp").write_text(FUNCTIONS)
    code, text = run(work, "c++ -O2 -shared -fPIC -o libx.so x.cpp", shell=True)
    fact("functions without plugin.h are compiled", code == 0, text)
    for function, (method, form, called) in BARE.items():
        data = f"uniform:n=1001,low=-1{form}" + f"::uniform:low=-1{form}" * method.startswith("dot")
        (work / "bare.yaml").write_text(f'schema: ulpscope-study/1\nplugins: [{{plugin: "./libx.so:{function}"}}]\nmethods: ["{method}"]\n'
                                        f'data: [{{spec: "{data}", trials: 3}}]\n')
        code, text = run(work, ULPSCOPE, "run", "bare.yaml", "--speed", "0", "--csv", "-")
        fact(f"{function}: is {method}", code == 0 and text.count(f"\n{method},") == 3, f"exit {code}: {text}")
        fact(f"{function}: that its signature cannot be checked is said once",
             text.count("cannot be asked whether") == bool(called) and f"called as {called}" in text + "called as " * (not called), text)
    for function, said in REFUSED.items():
        code, text = run(work, ULPSCOPE, "run", "--plugin", f"./libx.so:{function}")
        fact(f"the twin, {function}: is refused", code == 2 and said in text, f"exit {code}: {text}")
    (work / "lib x.so.1").write_bytes((work / "libx.so").read_bytes())
    for file, function, status in (("libx.so", "total", 0), ("libx.so", "drops", 1), ("lib x.so.1", "total", 0)):
        code, text = run(work, ULPSCOPE, "plugin", "check", f"./{file}:float {function}(const float *, size_t)")
        fact(f"{function} of {file} is asked as any plug-in", code == status and ("is broken: of " in text) == status, f"exit {code}: {text}")


def try_killed(work):
    """What a process leaves that is killed while it renames its files: a lock, a file that is whole, one that is not."""
    run(work, ULPSCOPE, "plugin", "new", "whole", "--python")
    whole = {path.name: path.read_bytes() for path in (work / "whole").iterdir()}
    for how, holds in (("", True), ("a word more in a file", False), ("a file of somebody else", False)):
        folder = work / f"killed{len(how)}" / "whole"
        folder.mkdir(parents=True)
        (folder / ".ulpscope.lock").touch()
        (folder / ".ulpscope-aBcDeF").write_text("half of")
        (folder / "study.yaml").write_bytes(whole["study.yaml"] + b"#" * how.startswith("a word"))
        if how.startswith("a file"):
            (folder / "mine").touch()
        code, text = run(folder.parent, ULPSCOPE, "plugin", "new", folder.name, "--python")
        now = {path.name: path.read_bytes() for path in folder.iterdir()}
        if holds:
            fact("what a killed one began is finished, and nothing is left", code == 0 and now == whole, f"{sorted(now)}: {text}")
        else:
            fact(f"the twin, {how}: is refused", code == 2 and f"{folder.name}.py" not in now, text)
        code, text = run(folder.parent, ULPSCOPE, "plugin", "new", folder.name, "--python", "--overwrite")
        fact(f"--overwrite, {how}", code == 2 * how.startswith("a file") and (folder / "study.yaml").read_bytes() == whole["study.yaml"], text)


def main():
    with tempfile.TemporaryDirectory(prefix="ulpscope_plugin.") as name:
        work = pathlib.Path(name)
        for kind in WRONG:
            try_kind(work, kind)
        try_grades(work)
        try_bench(work)
        try_functions(work)
        code, text = run(work, ULPSCOPE, "plugin", "new", "c_sum")
        fact("a folder that is there is left alone", code == 2 and "cannot make c_sum: File exists" in text, text)
        try_killed(work)
        (work / "my-sum 2").mkdir()
        code, text = run(work / "my-sum 2", ULPSCOPE, "plugin", "new", ".", "--python")
        code, text = run(work / "my-sum 2", ULPSCOPE, "-q", "run", "study.yaml", "-m", "my_sum_2/*")
        fact("what no name has is _", code == 0 and "my_sum_2/neumaier@binary64 " in text, text)
        code, text = run(work, "sh", "-c", f"ulimit -f 1; exec {ULPSCOPE} plugin new full")
        fact("on a full disk nothing is left", code == 3 and not (work / "full").exists(), text)
        (work / "fails.py").write_text("def fails(x):\n    raise ValueError\n")
        for more, said in (((), "with -o DIR, and then --resume, tries"), (("-o", "kept"), "with --resume tries")):
            code, text = run(work, ULPSCOPE, "determinism", "--python", "fails.py:fails", "fails/fails", "uniform:n=9", "--across", "repeat", *more)
            fact("what resumes is told as it can be done", code == 3 and f"the same command {said} the others again" in text, text)
        code, text = run(work, ULPSCOPE, "plugin", "check")
        fact("nothing to check is told", code == 2 and "expected a file" in text, text)
        code, text = run(work, ULPSCOPE, "plugin", "check", "./nothing.so")
        fact("a file that is not there is told", code == 2 and "cannot open ./nothing.so" in text, text)
        code, text = run(work, ULPSCOPE, "plugin", "old", "c")
        fact("an unknown word is told", code == 2 and "expected check or new" in text, text)
    return failures > 0


sys.exit(main())
