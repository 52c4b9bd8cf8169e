"""docs/analysing.md: the view `results` of run.db and results.csv have the same numbers in columns that are documented, and what
the page shows of pandas, DuckDB and Parquet gives these numbers, where they are installed.

    test_analysing.py SOURCE_DIRECTORY PROGRAM
"""

import contextlib
import csv
import importlib.util
import json
import math
import os
import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile

source, program = pathlib.Path(sys.argv[1]).resolve(), os.path.abspath(sys.argv[2])
page = (source / "docs/analysing.md").read_text()
failures = 0

KEY = "case_index, launch_index, backend_index, method_index, repeat, i, j"
BITS = ("computed_bits", "nearest_bits")
TEXTS = ("method", "data", "format", "operation", "backend", "device", "exact", "class", "digest", "stored", "added")
CSV_ALONE = {"stored", "added"}
VIEW_ALONE = {"case_index", "launch_index", "backend_index", "method_index", "entry", "spec", "map"}  # and means
STUDIES = {  # numbers of either sign, NaN, infinities, zeros, 16 to 64 bits, texts with commas; rows that stand for others
    "sums": """schema: ulpscope-study/1
methods: [naive, "kahan/serial@bfloat16", "plain/tree_two_pass@binary64"]
data:
  - {spec: "uniform:n=8..32*2", trials: 3}
  - {spec: "gensum:n=16,cond=1e8", trials: 3}
  - {spec: "full_range:n=300", trials: 3}
  - {spec: "normal:n=100,format=binary64", trials: 3}
""",
    "products": "schema: ulpscope-study/1\nmethods: ['matmul:plain/naive']\ndata: [{spec: 'uniform:n=8', trials: 3}]\n",
}


def say(fine, what):
    global failures
    failures += not fine
    print("ok   " if fine else "FAIL ", what, flush=True)


def run(folder, *arguments):
    subprocess.run([program, "-q", "run", *arguments, "--speed", "0", "-o", folder], check=True, capture_output=True)


def csv_rows(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def view_rows(path):
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
        database.row_factory = sqlite3.Row
        return [dict(row) for row in database.execute(f"SELECT * FROM results ORDER BY {KEY}")]


def same(column, text, value):
    """Whether `value`, of SQLite, DuckDB or pandas, is what results.csv says."""
    if column in TEXTS:
        return text == (value or "")
    if column in BITS:
        return int(text, 16) == (int(value, 16) if isinstance(value, str) else value % 2**64)
    number = float(text)
    return value is None or math.isnan(value) if math.isnan(number) else value == number


def differences(written, stored, columns):
    """Names of columns in which two lists of rows differ; "rows" when one is longer."""
    found = {column for a, b in zip(written, stored) for column in columns if not same(column, a[column], b[column])}
    return found | ({"rows"} if len(written) != len(stored) else set())


def documented(text):
    """What the first cells of the tables of a page name."""
    return {name for line in text.splitlines() if line.startswith("| `") for name in re.findall(r"`(\w+)`", line.split(" | ")[0])}


def check_run(folder):
    written, stored = csv_rows(folder / "results.csv"), view_rows(folder / "run.db")
    metrics = json.loads((folder / "run.json").read_text())["metrics"]
    shared = set(written[0]) & set(stored[0])
    means = {f"mean_{metric}" for metric in metrics}
    say(set(written[0]) - shared <= CSV_ALONE and set(stored[0]) - shared <= VIEW_ALONE | means, f"{folder.name}: the same columns, but for {len(CSV_ALONE)}")
    found = differences(written, stored, shared)
    say(not found, f"{folder.name}: {len(shared)} columns of {len(written)} rows are the same in results.csv and run.db {found or ''}")
    known = documented(page) | documented((source / "docs/metrics.md").read_text()) | set(metrics) | means
    missing = (set(written[0]) | set(stored[0])) - known
    say(not missing, f"{folder.name}: every column is documented {missing or ''}")
    return written, stored, shared


def check_mean(folder):
    """The page's mean of rows that stand for several results is that of run.json."""
    mean = re.search(r"`(sum\(weight \* .*?)`", page)[1]
    with contextlib.closing(sqlite3.connect(f"file:{folder}/run.db?mode=ro", uri=True)) as database:
        (found,), (of_rows,) = (database.execute(f"SELECT {what} FROM results").fetchone() for what in (mean, "avg(ulp_error)"))
    expected = json.loads((folder / "run.json").read_text())["series"][0]["statistics"]["ulp_error"]["mean"]
    say(math.isclose(found, expected, rel_tol=1e-12) and not math.isclose(of_rows, expected, rel_tol=1e-3), "the mean of weighted rows is that of run.json")


def check_twins(written, stored, shared):
    for column in sorted(shared):
        old = stored[-1][column]
        changed = [*stored[:-1], {**stored[-1], column: f"{old}x" if column in TEXTS else 1 if old is None else old + 1}]
        if differences(written, changed, shared) != {column}:
            say(False, f"another value of {column} is noticed")
    say(differences(written, stored[:-1], shared) == {"rows"}, "another value is noticed in every column, and a row that is not there")
    say("computed" in documented("| `computed`, `n` | what |") and not documented("`computed` | what"), "a column that no table names is noticed")


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```", page, re.MULTILINE | re.DOTALL)


def late_quotes(written, path):
    """A results.csv whose first 20,480 lines, from which DuckDB guesses, have whole numbers, a NaN and no quotes."""
    plain = next(row for row in written if "," not in row["data"])
    plain = {**plain, "computed": "16", "exact": "nan", "condition": "1", "ulp_error": "0"}
    rows = [plain] * 21000 + written
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, written[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return rows


def check_duckdb(written):
    import duckdb

    rows = late_quotes(written, "out/results.csv")
    query, to_parquet = blocks("sql")
    expected = {}
    for row in rows:
        expected.setdefault((row["data"], row["method"]), []).append(float(row["ulp_error"]))
    found = duckdb.sql(query.rstrip("; \n")).fetchall()
    say({(data, method): sums for data, method, sums, _ in found} == {key: len(errors) for key, errors in expected.items()}
        and all(worst == max(expected[data, method], key=lambda e: (math.isnan(e), e)) or math.isnan(worst) for data, method, _, worst in found),
        f"DuckDB {duckdb.__version__}: the query of the page")
    duckdb.execute(to_parquet.rstrip("; \n"))
    columns = [row[0] for row in duckdb.sql("DESCRIBE FROM 'results.parquet'").fetchall()]
    stored = [dict(zip(columns, row)) for row in duckdb.sql("FROM 'results.parquet'").fetchall()]
    found = differences(rows, stored, set(rows[0]))
    say(not found and columns == list(rows[0]), f"DuckDB: {len(columns)} columns of {len(rows)} rows are the same in the Parquet file {found or ''}")


def check_pandas(written):
    import pandas

    for block in blocks("python"):
        if "pandas" not in block:
            continue
        exec(block, {"print": lambda table: say(table["count"].sum() > 0, f"pandas {pandas.__version__}: the table of the page")})
    table = pandas.read_parquet("errors.parquet")
    found = differences(written, table.astype(object).to_dict("records"), table.columns)
    say(not found and len(table.columns) == 5, f"pandas: the Parquet file has the numbers of results.csv {found or ''}")


def main():
    with tempfile.TemporaryDirectory(prefix="ulpscope_analysing.") as work:
        os.chdir(work)
        for name, study in STUDIES.items():
            pathlib.Path(f"{name}.yaml").write_text(study)
            run(name, f"{name}.yaml")
        check_run(pathlib.Path("products"))
        check_mean(pathlib.Path("products"))
        written, stored, shared = check_run(pathlib.Path("sums"))
        check_twins(written, stored, shared)
        pathlib.Path("sums").rename("out")
        for needs, check in ((("pandas", "pyarrow"), check_pandas), (("duckdb",), check_duckdb)):
            missing = [name for name in needs if not importlib.util.find_spec(name)]
            print(f"left out: no {missing[0]} in this Python") if missing else check(written)
        os.chdir("/")
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()
