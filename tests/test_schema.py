"""What the program writes for scripts is what the schemas in reports/schemas say; and what they do not say is refused.

    test_schema.py SOURCE_DIRECTORY PROGRAM

Exit status 77: python3-jsonschema is missing.
"""

import copy
import json
import os
import pathlib
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
    return f"ulpscope-{kind}-1.schema.json"


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
    environment["PATH"] = "/nowhere"  # gnuplot is not found and takes no time
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
    (["schema"], "ulpscope-run/2"),
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
    (["schema"], "ulpscope-run/1"),
    (["runs", 1, "schema"], GONE),
    (["runs"], []),
    (["comparisons", 0, "other"], 0),
    (["comparisons", 0, "counts", "worse"], GONE),
    (["comparisons", 0, "series", 0, "bits"], "equal"),
    (["comparisons", 0, "series", 0, "first", "max_ulp_error"], "none"),
    (["comparisons", 0, "series", 0, "unlike"], ""),
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
    (["vacuity"], []),
    (["vacuity", "counts", "not judged"], GONE),
    (["vacuity", "sums", 0, "fate"], "survived"),
    (["vacuity", "sums", 0, "killer"], GONE),
]

sample_faults = [
    (["method"], ""),
    (["n"], "8"),
    (["class"], "fine"),
    (["computed_hex"], "0x3f800000"),
    (["computed_bits"], "0x1p+0"),
    (["exact"], "1.5"),
    (["ulp_error"], float("-inf")),
    (["ulp_error_hex"], GONE),
    (["probable_bound"], True),
]


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


def check(kind, text, faults):
    validators = validators_of(kind)
    wrong = fault(validators, text)
    say(wrong is None, f"{kind}: as the schema says" + (f": {wrong}" if wrong else ""))
    value = json.loads(text)
    value["a field of tomorrow"] = 1
    say(fault(validators, json.dumps(value)) is None, f"{kind}: a field more is allowed")
    for path, new in faults:
        wrong = fault(validators, changed(value, path, new))
        what = "missing" if new is GONE else repr(new)
        say(wrong is not None, f"{kind}: {'/'.join(map(str, path))} {what} is refused")


for schema in schemas.values():
    jsonschema.Draft202012Validator.check_schema(schema)
say(len(schemas) == 4, "four schemas, each of which is one")

# test_check_outputs holds the program to this file.
check("check", (source / "tests/golden/check/check.json").read_text(), check_faults)

with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    measure("first", "1", "naive", "kahan")
    measure("other", "1", "naive", "double")
    measure("reseeded", "2", "naive")
    run("report", "first", "--json", "run.json", "--samples", "run.jsonl")
    run("report", "first", "other", "reseeded", "--json", "comparison.json", "--samples", "runs.jsonl")

    check("run", pathlib.Path("run.json").read_text(), run_faults)
    check("comparison", pathlib.Path("comparison.json").read_text(), comparison_faults)
    lines = pathlib.Path("run.jsonl").read_text().splitlines()
    check("samples", lines[0], sample_faults)
    validators = validators_of("samples")
    more = pathlib.Path("runs.jsonl").read_text().splitlines()
    wrong = next((found for found in (fault(validators, line) for line in lines + more) if found), None)
    say(wrong is None, f"samples: all {len(lines + more)} lines as the schema says" + (f": {wrong}" if wrong else ""))

    # The hex-floats are the numbers beside them, and the lines are those of results.csv.
    sums = [json.loads(line) for line in lines]
    pairs = [(one[key], one[key + "_hex"]) for one in sums for key in one if key + "_hex" in one]
    same = [a == b if isinstance(a, str) else a == float.fromhex(b) for a, b in pairs]
    say(all(same) and len(same) >= 9 * len(sums), f"samples: {len(same)} hex-floats are the numbers beside them")
    say(any(isinstance(a, str) for a, _ in pairs), "samples: some of them are no numbers")
    header = pathlib.Path("first/results.csv").read_text().splitlines()[0].split(",")
    say(set(header) == {key for key in sums[0] if not key.endswith("_hex")}, "samples: the columns of results.csv")
    say({json.loads(line)["run"] for line in more} == {"first", "other", "reseeded"}, "samples: name their runs")
    os.chdir("/")

print(f"{failures} failed")
sys.exit(failures > 0)
