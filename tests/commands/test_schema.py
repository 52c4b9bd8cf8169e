"""What the program writes for scripts is what the schemas in reports/schemas say; and what they do not say is refused.

    test_schema.py SOURCE_DIRECTORY PROGRAM

Exit status 77: python3-jsonschema is missing.
"""

import copy
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    print("skipped: there is no python3-jsonschema; install it to check the schemas")
    sys.exit(77)

source, program = pathlib.Path(sys.argv[1]), sys.argv[2]
failures = 0


def say(fine, what):
    global failures
    failures += not fine
    print("ok   " if fine else "FAIL ", what)


# ---- schemas ----

schemas = {path.name: json.loads(path.read_text()) for path in (source / "reports/schemas").glob("*.json")}


def name_of(kind):
    """The one version of a kind."""
    (name,) = (name for name in schemas if re.fullmatch(rf"ulpscope-{kind}-[0-9]+\.schema\.json", name))
    return name


# The validators of a kind and the place in the object that each is for.  The one reference from file to file is
# followed here, because versions of python3-jsonschema differ in how they look up other files.
def validators_of(kind):
    schema = copy.deepcopy(schemas[name_of(kind)])
    rest = []
    if kind == "comparison":
        runs = schema["properties"]["runs"]
        assert runs.pop("items") == {"$ref": schemas[name_of("run")]["$id"]}
        rest = [(validator, lambda value: value["runs"]) for validator, _ in validators_of("run")]
    return [(jsonschema.Draft202012Validator(schema), lambda value: [value])] + rest


def refuse(word):
    raise ValueError(f"{word} is no JSON")


def fault(validators, text):
    """What is wrong with a text, or None."""
    try:
        value = json.loads(text, parse_constant=refuse)
    except ValueError as error:
        return str(error)
    for validator, parts in validators:
        for part in parts(value):
            found = jsonschema.exceptions.best_match(validator.iter_errors(part))
            if found:
                return f"{'/'.join(map(str, found.absolute_path))}: {found.message[:200]}"
    return None


# ---- runs: exact, overflowing, undefined and non-finite sums are among them ----


def run(*words):
    environment = {key: value for key, value in os.environ.items() if not key.startswith("ULPSCOPE_")}
    done = subprocess.run([program, *words], capture_output=True, text=True, env=environment)
    if done.returncode != 0:
        say(False, f"{' '.join(words)}: exit {done.returncode}: {done.stderr}")
        sys.exit(1)


def measure(folder, seed, *methods):
    data = ["uniform:n=8..16*2", "specials:n=8", "overflow_mid:n=8", "signed_zero:n=8", "uniform:n=8,order=reversed"]
    words = [word for spec in data for word in ("-d", spec)] + [word for method in methods for word in ("-m", method)]
    run("run", "-q", "--device", "host", "--trials", "3", "--speed", "64", "--seed", seed, "-o", folder, *words)


# ---- what must be refused: a path into the object, and what is put there ----

GONE = object()

run_faults = [
    (["schema"], "ulpscope-run/1"),
    (["schema"], GONE),
    (["title"], 7),
    (["study", "methods"], "plain/serial"),
    (["study", "method_details", 0, "deterministic"], "yes"),
    (["study", "seed"], 1.5),
    (["study", "seed"], -1),
    (["study", "text"], GONE),
    (["provenance", "program", "version"], 1),
    (["metrics", "ulp_error", "unit"], None),
    (["series"], {}),
    (["series", 0, "count"], "3"),
    (["series", 0, "backend"], "gpu"),
    (["series", 0, "format"], "float"),
    (["series", 0, "operation"], GONE),
    (["series", 0, "launch", "blocks"], 0),
    (["series", 0, "classes", "nan"], GONE),
    (["series", 0, "statistics", "ulp_error", "max"], float("nan")),
    (["series", 0, "statistics", "ulp_error", "max"], "NaN"),
    (["series", 0, "statistics", "ulp_error", "hex", "max"], "1.5"),
    (["series", 0, "statistics", "bound_ratio"], GONE),
    (["series", 0, "histogram", "bins"], [{"binade": 3, "low": "0x1p+3", "count": 1}]),
    (["series", 0, "relative_bound_hex"], "0x1.G8p+3"),
    (["series", 0, "bits_sha256"], "abc"),
    (["series", 0, "witness", "bits"], "0x3F800000"),
    (["series", 0, "witness", "ulp_error"], float("inf")),
    (["speeds", 0, "nanoseconds_per_element"], None),
    (["reproducibility", 0, "repeats", "sets"], -1),
    (["cases", "asked"], GONE),
]

comparison_faults = [
    (["schema"], "ulpscope-run/2"),
    (["runs", 1, "schema"], GONE),
    (["runs"], []),
    (["comparisons", 0, "other"], 0),
    (["comparisons", 0, "counts", "worse"], GONE),
    (["comparisons", 0, "series", 0, "bits"], "equal"),
    (["comparisons", 0, "series", 0, "first", "max_ulp_error"], "none"),
    (["comparisons", 0, "series", 0, "why"], ""),
    (["comparisons", 0, "changed"], [0, 0]),
    (["comparisons", 0, "missing", 0, "series"], 0),
    (["comparisons", 0, "speeds", 0, "ratio_hex"], GONE),
]

check_faults = [
    (["schema"], "ulpscope-check/2"),
    (["today"], "1.10.2026"),
    (["passes"], "no"),
    (["counts", "series", "FAIL"], GONE),
    (["counts", "series", "missing"], -1),
    (["counts", "findings", "ok"], GONE),
    (["counts", "allowances", "expired"], "1"),
    (["limits", "rules", 0, "metric"], "error"),
    (["limits", "rules", 0, "statistic"], "median"),
    (["limits", "rules", 0, "line"], 0),
    (["limits", "rules", 0, "compared"], GONE),
    (["limits", "allowances", 0, "until"], "2027-3-1"),
    (["limits", "allowances", 0, "state"], "used"),
    (["baseline", "seed"], GONE),
    (["baseline"], GONE),
    (["series"], {}),
    (["series", 0, "name"], ""),
    (["series", 0, "backend"], "gpu"),
    (["series", 0, "verdict"], "failed"),
    (["series", 0, "missing"], None),
    (["series", 0, "rerun"], GONE),
    (["series", 0, "findings", 0, "rule"], -1),
    (["series", 0, "findings", 0, "value"], float("nan")),
    (["series", 0, "findings", 0, "value_hex"], "12.3"),
    (["series", 0, "findings", 0, "said"], ""),
    (["series", 0, "findings", 0, "cause"], 0),
    (["series", 0, "findings", 0, "allowance"], "limits.yaml:20"),
]


# Commands that write one object, and what the schema of each must refuse in the first and in the last case: together
# they hold every field.
small = "gensum:n=40,cond=1e6"

commands = {
    "tree": [
        ["plain/pairwise_1", "--data", small],
        ["kahan/serial", "--data", "overflow_mid:n=9"],
        ["plain/serial", "--data", "specials:n=9"],
        ["plain/serial", "--data", "signed_zero:n=4"],
        ["plain/serial", "--data", "uniform:n=0"],
        ["plain/serial", "-n", "0"],
        ["plain/serial", "-n", "1"],
        ["plain/tree_atomic", "-n", "9"],
        ["binary64/strided_serial", "-n", "1000000", "--summary"],
    ],
    "blame": [
        ["plain/serial", small],
        ["kahan/strided_serial", "uniform:n=1e4"],
        ["binary64/serial", "signed_zero:n=8"],
        ["plain/serial", "uniform:n=0"],
        ["plain/serial", "uniform:n=1"],
        ["plain/serial", "specials:n=9"],
        ["superacc/serial", "overflow_mid:n=9"],
        ["plain/serial", "overflow_mid:n=9"],
    ],
    "explain": [
        ["plain/serial", "plain/pairwise_1", "--data", small, "--witness", "witness.f32"],
        ["plain/serial", "kahan/serial", "--data", "uniform:n=3000", "--most-additions", "100000"],
        ["plain/serial", "binary64/serial", "--data", "overflow_mid:n=9"],
        ["plain/serial", "kahan/serial", "--data", "specials:n=9"],
        ["plain/serial", "kahan/serial", "--data", "uniform:n=20,format=binary64"],
        ["superacc/serial", "superacc/pairwise", "--data", small],
        ["plain/serial", "plain/pairwise", "--data", "uniform:n=0"],
        ["plain/serial", "plain/pairwise", "--data", "uniform:n=1"],
    ],
    "attack": [
        ["plain/serial", "--n", "8", "--budget", "300", "-o", "worst.f32"],
        ["superacc/serial", "--n", "8", "--budget", "300", "--climb", "ulp", "--format", "bfloat16"],
        ["std.textbook:plain/serial", "--n", "8", "--budget", "100"],
    ],
    "tolerance": [
        ["sum", "-n", "100", "--rtol", "1e-3"],
        ["dot@bfloat16", "normal:n=50::normal", "--order", "height=3"],
        ["sum@binary16_in_binary16", "-n", "5000", "--trials", "2"],
        ["sum", "-n", "50", "--attack"],
        ["norm2", "-n", "0"],
    ],
    "grade": [
        ["matmul:plain/naive", "--size-most", "32", "--samples", "1"],
        ["matmul:plain/naive@bfloat16", "--size-most", "16"],
        ["matmul:plain/naive@e5m2", "--size-most", "16", "--samples", "1"],
    ],
    "exact": [
        [small, "--compare", "1", "--compare", "nan", "--compare", "0.1"],
        ["uniform:n=0"],
        ["specials:n=9", "--compare", "inf"],
        ["signed_zero:n=4", "--compare", "0"],
        ["values.txt", "--nonfinite", "skip", "--verify-reference"],
        ["values.txt", "--nonfinite", "skip", "--format", "e4m3", "--convert"],
    ],
}

command_faults = {
    "tree": [
        (["schema"], "ulpscope-tree/2"),
        (["method"], ""),
        (["launch", "threads"], 0),
        (["one_of_many"], "no"),
        (["mean_path"], None),
        (["deepest"], -1),
        (["computed"], float("nan")),
        (["computed_hex"], "1.5"),
        (["ulp_error"], "NaN"),
        (["last_rounding"], GONE),
        (["errors"], GONE),
        (["adds_up"], 1),
        (["data"], GONE),
        (["nodes", 0, "element"], GONE),
        (["nodes", 0, "height"], 2),
        (["nodes", 0, "node"], 0),
        (["nodes", 0, "value_hex"], GONE),
        (["nodes", -1, "right"], GONE),
        (["nodes", -1, "leaves"], 1),
        (["nodes", -1, "added"], None),
        (["nodes", -1, "error"], GONE),
        (["nodes", -1, "bits_lost"], -1),
        (["nodes", -1, "bits_lost"], GONE),
    ],
    "blame": [
        (["schema"], "ulpscope-tree/1"),
        (["class"], "fine"),
        (["exact"], 1),
        (["computed_hex"], "0x3f800000"),
        (["bound_ratio_hex"], GONE),
        (["finite"], GONE),
        (["finite"], False),
        (["equal"], False),
        (["sum_of_errors"], GONE),
        (["lost"], -1),
        (["cancelled"], 1.5),
        (["cancelled_hex"], GONE),
        (["inexact"], 1.5),
        (["top_additions", 0, "left"], 3),
        (["top_additions", 0, "left", "elements"], 0),
        (["top_additions", 0, "share"], 2),
        (["top_elements", 0, "itself"], GONE),
        (["top_elements", 0, "backward_hex"], GONE),
        (["top_elements", 0, "share"], "nan"),
    ],
    "explain": [
        (["schema"], "ulpscope-explain/2"),
        (["verdict"], ""),
        (["cause"], GONE),
        (["methods"], []),
        (["methods", 0, "bits"], "1"),
        (["methods", 1, "last_rounding"], GONE),
        (["exact", "ulp"], 1),
        (["differ"], "yes"),
        (["differ"], False),
        (["nearer"], 2),
        (["difference_ulp"], "none"),
        (["parting", "class"], "tree"),
        (["parting", "methods", 0, "parted"], -1),
        (["parting", "methods", 0, "first", 0, "why"], "rounding"),
        (["parting", "methods", 0, "first", 0, "other"], GONE),
        (["subset"], GONE),
        (["subset", "minimal"], GONE),
        (["subset", "numbers", 0, "was"], 1),
        (["witness", "n"], GONE),
        (["witness", "differ"], False),
        (["witness", "methods", 1, "sum_hex"], GONE),
        (["witness", "numbers", 0, "x_hex"], "1.5"),
        (["witness", "command"], GONE),
        (["effort", "gave_up"], GONE),
    ],
    "attack": [
        (["schema"], "ulpscope-attack/2"),
        (["command"], "attack"),
        (["attacks"], []),
        (["attacks", 0, "n"], 0),
        (["attacks", 0, "calls"], GONE),
        (["attacks", 0, "climbs"], "error"),
        (["attacks", 0, "value"], "NaN"),
        (["attacks", 0, "crashed"], True),
        (["attacks", 0, "judged"], GONE),
        (["attacks", 0, "judged", "bits"], "1"),
        (["attacks", 0, "judged", "backward_error_hex"], GONE),
        (["attacks", 0, "exact", "sum"], 1),
        (["attacks", 0, "numbers", 0], "1.5"),
        (["attacks", 0, "steps", 0, "calls"], 0),
        (["attacks", 0, "steps", 0, "by"], GONE),
        (["attacks", 0, "witness", "n"], 0),
        (["attacks", 0, "witness", "minimal"], "yes"),
        (["attacks", 0, "rerun"], "run"),
    ],
    "tolerance": [
        (["schema"], "ulpscope-tolerance"),
        (["relative"], "yes"),
        (["lines", 0, "kind"], "theory"),
        (["lines", 0, "rtol"], GONE),
        (["lines", 0, "faults", "zero", "fate"], "killed"),
        (["write", "paste", "torch"], GONE),
        (["write", "proved"], GONE),
    ],
    "grade": [
        (["schema"], "ulpscope-grade/2"),
        (["method"], ""),
        (["u"], 0),
        (["samples"], 0),
        (["passed"], "yes"),
        (["conclusion"], GONE),
        (["tests", 3], GONE),
        (["tests", 0, "test"], "rows"),
        (["tests", 0, "told"], 1),
        (["tests", 0, "failed"], ["limits"]),
        (["tests", 1, "sizes"], []),
        (["tests", 1, "sizes", 0, "n"], 8),
        (["tests", 1, "sizes", 0, "broken"], -1),
        (["tests", 1, "sizes", 0, "worst"], GONE),
        (["tests", 1, "sizes", 0, "worst", "row"], "3"),
        (["tests", 1, "sizes", 0, "worst", "error"], None),
        (["tests", 1, "sizes", 0, "worst", "computed_hex"], "1.5"),
        (["growth", "slope"], None),
        (["growth", "toward_0"], GONE),
    ],
    "exact": [
        (["schema"], "ulpscope-exact/2"),
        (["n"], -1),
        (["format"], "tf33"),
        (["exact"], "1.5"),
        (["exact_decimal"], 1.5),
        (["condition_hex"], GONE),
        (["nearest", "binary16"], GONE),
        (["nearest", "binary32"], 1),
        (["nearest_number", "bfloat16"], "NaN"),
        (["ulp", "binary64"], None),
        (["exponents", "least"], GONE),
        (["specials", "-0"], -1),
        (["verified"], GONE),
        (["compare", 0, "class"], "near"),
        (["compare", 0, "side"], "up"),
        (["compare", 0, "steps_from_nearest"], "3"),
        (["compare", 0, "bound_ratio"], GONE),
        (["compare", 0, "value_hex"], "1"),
    ],
}

# What must be found both ways in the cases of a command: or they would be of one kind.
both_ways = {
    "tree": [["one_of_many"], ["adds_up"]],
    "blame": [["finite"]],
    "explain": [["differ"], ["effort", "gave_up"], ["subset", "minimal"], ["parting", "same_tree"]],
    "attack": [["attacks", 0, "witness"]],
    "tolerance": [["relative"], ["write", "proved"]],
    "grade": [["tests", 2, "told"]],
    "exact": [["verified"], ["exponents", "least"]],
}

arithmetic_faults = [
    (["schema"], "ulpscope-grade/1"),
    (["method"], ""),
    (["k"], 8),
    (["passed"], "yes"),
    (["asked"], GONE),
    (["groups", 0], 0),
    (["model", "fraction"], 24),
    (["model", "floor"], []),
    (["model", "terms"], GONE),
    (["fresh", 3], GONE),
    (["fresh", 0, "held"], -1),
]

lessons_faults = [
    (["format"], "ulpscope-lesson"),
    (["version"], 2),
    (["lessons"], []),
    (["lessons", 0, "title"], ""),
    (["lessons", 0, "parts", 0, "kind"], "riddle"),
    (["lessons", 0, "parts", 1, "asks", 0, "answer"], GONE),
    (["lessons", 0, "parts", 1, "asks", 0, "choices", 0], 1),
]

# Of the last case of a command, which has what the first has not.
last_case_faults = {
    "tree": [(["pairs"], GONE), (["one_of_many"], GONE)],
    "blame": [(["first_not_finite"], GONE), (["first_not_finite", "share"], "nan"), (["finite"], True)],
    "explain": [(["differ"], True), (["parting", "same_tree"], GONE)],
    "attack": [(["attacks", 0, "value_hex"], "1.5")],
    "tolerance": [(["no_claim"], 0), (["lines"], GONE)],
    "grade": [(["tests", 2, "sizes", 0, "refused"], "")],
    "exact": [(["sha256"], "abc"), (["left_out"], 0)],
}


def changed(value, path, new):
    value = copy.deepcopy(value)
    at = value
    for step in path[:-1]:
        at = at[step]
    assert path[-1] in at if isinstance(at, dict) else path[-1] < len(at), path  # a fault of what is there
    if new is GONE:
        del at[path[-1]]
    else:
        at[path[-1]] = new
    return json.dumps(value)


def refuses(kind, validators, value, faults):
    for path, new in faults:
        wrong = fault(validators, changed(value, path, new))
        what = "missing" if new is GONE else repr(new)
        say(wrong is not None, f"{kind}: {'/'.join(map(str, path))} {what} is refused")


def check(kind, text, faults):
    validators = validators_of(kind)
    wrong = fault(validators, text)
    say(wrong is None, f"{kind}: as the schema says" + (f": {wrong}" if wrong else ""))
    value = json.loads(text)
    value["a field of tomorrow"] = 1
    say(fault(validators, json.dumps(value)) is None, f"{kind}: a field more is allowed")
    refuses(kind, validators, value, faults)


def objects_of(command):
    for words in commands[command]:
        run(command, *words, "--json", "object.json")
        yield words, pathlib.Path("object.json").read_text()


def found_at(value, path):
    """Whether it is there and, of what is true or false, which."""
    try:
        for step in path:
            value = value[step]
    except (KeyError, TypeError):
        return None
    return value if isinstance(value, bool) else True


# Every case is what the schema says, and a value is what its hex-float says.
def check_command(command):
    validators = validators_of(command)
    cases = list(objects_of(command))
    for words, text in cases:
        wrong = fault(validators, text)
        said = " ".join(words)
        say(wrong is None, f"{command} {said}: as the schema says" + (f": {wrong}" if wrong else ""))
        say(hex_floats_are_alike(json.loads(text)), f"{command} {said}: hex-floats are the numbers beside them")
    for path in both_ways[command]:
        ways = {found_at(json.loads(text), path) for _, text in cases}
        say({True, False} <= ways or ways == {True, None}, f"{command}: {'/'.join(map(str, path))} is found both ways")
    check(command, cases[0][1], command_faults[command])
    refuses(command, validators, json.loads(cases[-1][1]), last_case_faults[command])


def hex_floats_are_alike(value):
    if isinstance(value, list):
        return all(map(hex_floats_are_alike, value))
    if not isinstance(value, dict):
        return True
    pairs = [(value[key], value[key + "_hex"]) for key in value if key + "_hex" in value]
    alike = [a == b if isinstance(a, str) or a is None else a == float.fromhex(b) for a, b in pairs]
    return all(alike) and all(map(hex_floats_are_alike, value.values()))


for schema in schemas.values():
    jsonschema.Draft202012Validator.check_schema(schema)
say(len(schemas) == 12, "twelve schemas, each of which is one")

# test_check_outputs holds the program to this file.
check("check", (source / "tests/golden/check/check.json").read_text(), check_faults)

with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    measure("first", "1", "naive", "kahan")
    measure("other", "1", "naive", "double")
    measure("reseeded", "2", "naive")
    run("report", "first", "--json", "run.json")
    run("report", "first", "other", "reseeded", "--json", "comparison.json")

    check("run", pathlib.Path("run.json").read_text(), run_faults)
    check("comparison", pathlib.Path("comparison.json").read_text(), comparison_faults)
    run("run", "-q", "--speed", "0", "--device", "host", "-m", "plain/serial@e4m3_in_e4m3", "-d", "uniform:n=8", "--json", "fp8.json")
    check("run", pathlib.Path("fp8.json").read_text(), [(["series", 0, "format"], "fp8"), (["series", 0, "witness", "bits"], "0x4")])

    run("grade", "--arithmetic", "matmul:ampere_mma/chain", "--size-most", "64", "--device", "host", "--json", "arithmetic.json")
    check("arithmetic", pathlib.Path("arithmetic.json").read_text(), arithmetic_faults)

    run("lesson", "--all", "--json", "lessons.json")
    check("lessons", pathlib.Path("lessons.json").read_text(), lessons_faults)

    # One NaN, which is left out, and a hash.
    pathlib.Path("values.txt").write_text("1\nnan\n0.1\n")
    for command in commands:
        check_command(command)
    os.chdir("/")

print(f"{failures} failed")
sys.exit(failures > 0)
