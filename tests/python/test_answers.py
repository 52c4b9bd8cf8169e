"""What answers have: fields of types that are those of real answers, both ways; charts; help.

    test_answers.py SOURCE_DIRECTORY    ULPSCOPE_PROGRAM and ULPSCOPE_LIBRARY name what is built

What is not installed (Altair, mypy) is said, and left out; of Altair a small one takes the place.
"""

import ast
import collections
import contextlib
import importlib.util
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import types
import typing

SOURCE = pathlib.Path(sys.argv[1]).resolve()
sys.path.insert(0, str(SOURCE / "python"))

import ulpscope  # noqa: E402
from ulpscope import answers, typed  # noqa: E402

failures = 0
folder = tempfile.TemporaryDirectory(prefix="ulpscope.")
os.chdir(folder.name)


def say(fine, what, found=""):
    global failures
    failures += not fine
    print("ok   " if fine else "FAIL ", what, "" if fine else found, flush=True)


def raised(function, *arguments, **named):
    try:
        function(*arguments, **named)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "nothing was raised"


# ---- fields, both ways ----
DECLARED = (SOURCE / "python/ulpscope/fields.py").read_text()
ITEMS = set(re.findall(r"# \['(.*?)'\]:", DECLARED))  # of names that no attribute can have
KINDS = {str: (str,), int: (int,), float: (float, int), bool: (bool,)}


def unlike(kind, raw, seen, path):
    """What a value of JSON is not as it is declared, and which fields of which class it has."""
    of = [one for one in typing.get_args(kind) if one is not type(None)]
    if typing.get_origin(kind) is typing.Union:
        return [] if raw is None else unlike(of[0], raw, seen, path)
    if isinstance(raw, list):
        return [wrong for one in raw for wrong in unlike(of[-1] if typing.get_origin(kind) is list else None, one, seen, path)]
    if isinstance(raw, dict) and typing.get_origin(kind) is dict:
        return [wrong for one in raw.values() for wrong in unlike(of[-1], one, seen, path)]
    if isinstance(raw, dict) and isinstance(kind, type):
        declared = typed.declared(kind)
        seen[kind.__name__] |= set(raw)
        wrong = [f"{path}.{name}: a field too much" for name in raw if name not in declared and name not in ITEMS]
        absent = [f"{path}.{name}: a field is missing" for name, of in declared.items() if name not in raw and type(None) not in typing.get_args(of)]
        return wrong + absent + [one for name, of in declared.items() if name in raw for one in unlike(of, raw[name], seen, f"{path}.{name}")]
    is_number = kind is float and raw in ("nan", "inf", "-inf")
    return [] if is_number or type(raw) in KINDS.get(kind, ()) else [f"{path}: {kind} is {raw!r}"]


pathlib.Path("x.txt").write_text("0.1\nnan\n3\n")
pathlib.Path("mine.py").write_text("def plain(x):\n    result = 0.0\n    for number in x:\n        result += float(number)\n    return result\n")
sys.path.insert(0, folder.name)
import mine  # noqa: E402

LIMIT = {"method": "*", "data": "*", "metric": "ulp_error", "limit": "0.5ulp"}
SAME = {"method": "*", "data": "*", "metric": "bits", "same": "baseline"}
x = [0.1] * 40 + [1e6]
quiet = {"quiet": True}
short = {"quiet": True, "speed": 0, "trials": 2}
run = ulpscope.run(["plain/serial", "kahan/serial"], "normal:n=33", permutations=3, **{**short, "speed": 1000})
run.save("kept")
subprocess.run([os.environ["ULPSCOPE_PROGRAM"], "baseline", "save", "main", "kept"], capture_output=True, check=True)
ALLOWED = {"schema": "ulpscope-limits/1", "rules": [{**LIMIT, "why": "because"}], "allow": [{"method": "plain/*", "data": "*", "until": "2099-01-01", "why": "so"}]}
calls = {
    "Exact": [ulpscope.exact(x, compare=["1", "nan"], **quiet), ulpscope.exact((x, x), **quiet), ulpscope.exact("x.txt", nonfinite="skip", **quiet),
              ulpscope.exact("x.txt", nonfinite="skip", format="e4m3", convert=True, **quiet), ulpscope.exact(x, operation="norm2", **quiet),
              ulpscope.exact("x.txt", nonfinite="skip", as_written=True, compare="3.1", **quiet)],
    "Attack": [ulpscope.attack("plain/serial", n=8, budget=300, output="worst.f32", **quiet), ulpscope.attack("std.textbook:plain/serial", n=8, budget=100, **quiet)],
    "Determinism": [ulpscope.determinism("plain/serial", x, across="permutation", **quiet)],
    "Explain": [ulpscope.explain("plain/serial", "plain/tree_two_pass", "uniform:n=20", witness="witness.f32", **quiet),
                ulpscope.explain("dot:plain/serial", "dot:plain/tree_two_pass", "normal:n=50::normal", **quiet),
                ulpscope.explain("plain/serial", "kahan/serial", "uniform:n=200,format=binary64", **quiet), ulpscope.explain("plain/serial", "kahan/serial", "uniform:n=2", **quiet)],
    "Blame": [ulpscope.blame("plain/serial", x, **quiet), ulpscope.blame("plain/serial", "overflow_mid:n=9", **quiet),
              ulpscope.blame("dot:plain/serial", "normal:n=50::normal", **quiet)],
    "Lesson": [ulpscope.lesson("rounding", **quiet), ulpscope.lesson("absorption", **quiet)],
    "Run": [run, ulpscope.run("matmul:plain/naive", "normal:n=8", **short), ulpscope.run("scan:plain/serial", [16777216.0, 1.0, -16777216.0, 5.0], **{**short, "format": "binary32", "convert": True})],
    "Check": [run.check([LIMIT]), run.check(ALLOWED), run.check([SAME], baseline="main"),
              ulpscope.run("plain/serial", "normal:n=33", across="permutation", **short).check([{**SAME, "same": "across(permutation)"}])],
}
seen = collections.defaultdict(set)
for name, given in calls.items():
    kind = getattr(ulpscope, name)
    wrong = [one for answer in given for one in unlike(kind, answer.json, seen, name)]
    say(all(type(answer) is kind for answer in given) and not wrong, f"{name}: {len(given)} answers hold what is declared", wrong[:5])
    one = given[0]
    say(set(typed.declared(kind)) <= set(dir(one)) and not [field for field in typed.declared(kind) if hasattr(answers.Answer, field)], f"{name}: dir() lists its fields")
    if name not in ("Run", "Check", "Lesson"):
        say(re.search(r"in ulp|in the unit of x", getattr(ulpscope, name.lower()).__doc__), f"{name}: help says units")
seen["Run"] |= seen.pop("Determinism")
never = sorted(f"{name}.{field}" for name in seen for field in typed.declared(getattr(answers.fields, name)) if field not in seen[name])
say(not never, f"each of the {sum(map(len, seen.values()))} fields of {len(seen)} classes is in some answer", never)
declared_classes = {node.name for node in ast.parse(DECLARED).body if isinstance(node, ast.ClassDef)}
say(not declared_classes - set(seen), "and each class", declared_classes - set(seen))
twin = json.loads(json.dumps(calls["Exact"][0].json))
for change, expected in ((lambda of: of.pop("condition"), "Exact.condition: a field is missing"), (lambda of: of.update(tomorrow=1), "Exact.tomorrow: a field too much"),
                         (lambda of: of.update(n="41"), "Exact.n: <class 'int'> is '41'"), (lambda of: of["compare"][0].pop("side"), "")):
    other = json.loads(json.dumps(twin))
    change(other)
    found = unlike(ulpscope.Exact, other, collections.defaultdict(set), "Exact")
    say(expected in found if expected else not found, f"the comparison says {expected or 'nothing of what may be absent'}", found)
made = subprocess.run([sys.executable, SOURCE / "tools/fields.py"], capture_output=True, text=True, check=False)
say(made.stdout == DECLARED and "    binary64: str" in made.stdout, "fields.py is what the schemas say: tools/pages --only fields", made.stderr)
values = calls["Exact"][0]
say(values.nearest_number.binary16 == float("inf") and values.json["nearest_number"]["binary16"] == "inf" and values.second_sha256 is None, "inf is a number, what is not there is None")

# ---- types ----
USER = """import ulpscope
run: ulpscope.Run = ulpscope.run(["naive"], [0.5, 1.5], trials=2)
worst: float = run.series[0].statistics.ulp_error.max
exact = ulpscope.exact([0.5, 1.5])
total: float = exact.nearest_number.binary64 + exact.condition
lost: int | None = ulpscope.blame("naive", [0.5, 1.5]).inexact
sentence: str = ulpscope.explain("naive", "tree", [0.5, 1.5]).verdict
numbers: list[str] | None = ulpscope.attack("naive", n=8).attacks[0].numbers
why: list[str] = [one.why for one in ulpscope.determinism("naive", [0.5]).variations or []]
title: str = ulpscope.lesson("rounding").lessons[0].title
picture: ulpscope.Svg = ulpscope.probe("naive", n=4).plot()
passed: bool = run.check("x.yaml").passed and run.check("x.yaml").passes
rtol: float = ulpscope.tolerance("sum", n=9).rtol
"""
WRONG = {"exact.conditoin": "has no attribute", "run.series[0].statistics.ulp_eror": "has no attribute", "run.check('x').passed_": "has no attribute",
         "exact.nearest_number.binary63": "has no attribute", "ulpscope.exact([1.0]).top_additions": "has no attribute", "len(exact.n)": "incompatible type"}
interpreter = next((one for one in (sys.executable, "/usr/bin/python3") if not subprocess.run([one, "-c", "import mypy"], capture_output=True, check=False).returncode), None)
if interpreter:
    pathlib.Path("user.py").write_text(USER + "".join(f"wrong_{i} = {text}\n" for i, text in enumerate(WRONG)))
    done = subprocess.run([interpreter, "-m", "mypy", "--strict", "--python-version", "3.11", "user.py"], capture_output=True, text=True, check=False, env={**os.environ, "MYPYPATH": str(SOURCE / "python")})
    first = USER.count("\n") + 1
    found = {int(line.split(":")[1]): line for line in done.stdout.splitlines() if "error:" in line}
    say(min(found, default=0) >= first, "mypy --strict passes a user's script", done.stdout)
    say(all(WRONG[text] in found.get(first + i, "") for i, text in enumerate(WRONG)), f"and finds each of {len(WRONG)} mistakes", done.stdout)
else:
    print("      mypy is not installed")

# ---- Python 3.9, the oldest that the package says it runs on ----
files = sorted((SOURCE / "python/ulpscope").rglob("*.py"))
say(len(files) > 15 and all(ast.parse(file.read_text(), feature_version=(3, 9)) for file in files), f"{len(files)} files are in the syntax of Python 3.9")
with contextlib.suppress(SyntaxError):
    ast.parse("match x:\n    case 1: pass\n", feature_version=(3, 9))
    say(False, "that of 3.10 is refused")
places = [shutil.which("python3.9"), *map(str, sorted(pathlib.Path.home().glob(".pyenv/versions/3.9.*/bin/python3.9")))]  # the first may be a shim
old = next((one for one in places if one and not subprocess.run([one, "-c", ""], capture_output=True, check=False).returncode), None)
if old:
    USE = "import ulpscope; print(ulpscope.run('naive', [0.5, 1.5], trials=1, speed=0, quiet=True).series[0].method, ulpscope.exact([0.5], quiet=True).nearest_number.binary64, ulpscope.Run)"
    done = subprocess.run([old, "-c", USE], capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": str(SOURCE / "python")})
    say(done.returncode == 0 and done.stdout.startswith("plain/serial@binary64 0.5"), "it runs on it", done.stderr)
else:
    print("      python3.9 is not installed")

# ---- charts ----
class Small:
    """As much of Altair as is used."""

    def __init__(self, *words, **named):
        self.words, self.named = words, named

    def mark_bar(self):
        return self

    def encode(self, **named):
        self.named.update(named)
        return self


chart_of = ulpscope.run(["plain/serial", "kahan/serial"], ["gensum:n=64,cond=1e9", "uniform:n=50"], **{**short, "trials": 20, "permutations": 0})


def counts_of(chart):
    """Sums by method, data and bar, and the order of bars."""
    if isinstance(chart, Small):
        return [(one["method"], one["data"], one["error"], one["sums"]) for one in chart.words[0].named["values"]], chart.named["x"].named["sort"]
    found = json.loads(chart.to_json())
    return [(one["method"], one["data"], one["error"], one["sums"]) for one in found["data"]["values"]], found["encoding"]["x"]["sort"]


def expected_of(histogram):
    """Of histogram(), which test_run holds to the page."""
    bars = {f"2^{edge.hex().rpartition('p')[2].lstrip('+')}": count for edge, count in zip(histogram.edges, histogram.counts) if count}
    return {**bars, **{name: count for name, count in (("exact", histogram.exact), ("no digit", histogram.no_digit), ("nonfinite", histogram.nonfinite), ("undefined", histogram.undefined)) if count}}


packages = [types.SimpleNamespace(Chart=Small, Data=Small, X=Small, Scale=Small)]
packages += [None] if importlib.util.find_spec("altair") else []
for package in packages:
    if package:
        sys.modules["altair"] = package
    else:
        del sys.modules["altair"]
    for series in chart_of.series:
        values, order = counts_of(chart_of.chart(series.method, series.data))
        found = {error: count for _, _, error, count in values}
        say(found == expected_of(chart_of.histogram(series.method, series.data)) and sum(found.values()) == 20 and set(found) <= set(order),
            f"a chart of {series.method} has the numbers of histogram()", values)
    whole = counts_of(chart_of.chart())[0]
    say(sum(count for *_, count in whole) == 80 and len({row[:2] for row in whole}) == 4, "a chart of all has all", whole)
    picture = chart_of.plot(next(name for name in chart_of.pictures if "gensum" in name or name.startswith("histogram")))
    drawn = set(re.findall(r">(\d+)</text>", picture))
    say({str(max(count for method, data, _, count in whole if data == chart_of.series[0].data and method == one)) for one in ("plain/serial", "kahan/serial")} <= drawn, "and the picture's", drawn)
    say("expected a method and data of" in raised(chart_of.chart, "plain/serials"), "a method that is not there is refused")
say(expected_of(ulpscope.Histogram([0.5, 1.0], [3], 0, 1, 0, 0)) == {"2^-1": 3, "no digit": 1} != expected_of(ulpscope.Histogram([0.25, 0.5], [3], 0, 1, 0, 0)), "other numbers are noticed")
sys.modules["altair"] = None
say(raised(chart_of.chart).startswith("ImportError: expected altair, found none") and "plot()" in raised(chart_of.chart), "without Altair a sentence", raised(chart_of.chart))

# ---- they show themselves ----
of = ulpscope.tolerance("sum", n=100)
say(repr(of) == of.text.rstrip() and "assert_allclose" in of.text and of._repr_html_().startswith("<pre") and of.rtol == of.report["write"]["rtol"], "a tolerance shows itself", of)
say(repr(of) != repr(ulpscope.tolerance("sum", n=1000)) and "&lt;" in of._repr_html_() and "<=" not in of._repr_html_(), "escaped, and another one otherwise")
say("min-width" in chart_of.plot()._repr_html_() and 'overflow-x:auto' in chart_of._repr_html_() and "!important" in chart_of._repr_html_(), "pictures and tables scroll where there is no room")
say(folder.name not in ulpscope.blame("plain/serial", x, **quiet).text and "x1.npy" in ulpscope.blame("plain/serial", x, **quiet).text and tempfile.gettempdir() + "/ulpscope" not in ulpscope.blame("plain/serial", x, **quiet).text,
    "no folder that goes away is named")
for name in ("exact", "attack", "determinism", "probe", "explain", "blame", "lesson", "run"):
    text = getattr(ulpscope, name).__doc__
    say(all(word in text for word in ("Throws", "ValueError")) and (name in ("lesson", "run") or "one dimension" in text), f"help({name}) says shapes and errors", text)

os.chdir("/")
folder.cleanup()
print(failures, "failures")
sys.exit(failures > 0)
