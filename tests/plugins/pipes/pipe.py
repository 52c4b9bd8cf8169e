"""A program for --pipe: sums in binary64, by math.fsum, and dot products; pipe.py CHEAT does not.  The cheats add what is not there, and
are found by the sums of integers that every method is asked for first."""

import array
import json
import math
import sys


def fsum(x):
    return math.fsum(x)


def last(x, kept=[]):
    """Keeps its last result where as many numbers come again."""
    kept.append((len(x), sum(x)))
    return next((s for n, s in reversed(kept[:-1])), kept[-1][1])


def sample(x):
    """The sum of a half, twice."""
    return 2 * sum(x[::2])


def known_sizes(x):
    return math.fsum(x) if len(x) in (1024, 4096) else 0


def first_row(x):
    """Of a batch only the first row, which way_of_rows() gives each of them."""
    return math.fsum(x)


def one_of_rows(x):
    """Of a batch one result in place of a list."""
    return math.fsum(x)


def way_of_rows(x, rows, n):
    return [math.fsum(x[: n] if way is first_row else x[row * n : (row + 1) * n]) for row in range(rows)]


way = globals()[sys.argv[1]] if len(sys.argv) > 1 else fsum
for line in sys.stdin.buffer:
    asked = json.loads(line)
    if "request" in asked:
        methods = [{"name": "sum", "deterministic": True, "claim": "math.fsum"}, {"name": "dot", "operation": "dot"},
                   {"name": "wide", "format": "binary64", "deterministic": True},
                   {"name": "matmul", "operation": "matmul"}, {"name": "rows", "rows": True, "deterministic": True},
                   {"name": "some", "lengths": [50, 99]}]
        answer = {"name": "mypy", "version": "1.2", "methods": methods}
    else:
        x = array.array("d" if asked["format"] == "binary64" else "f", sys.stdin.buffer.read(asked["bytes"]))
        rows, n, columns = asked["rows"], asked["terms"], asked["columns"]
        if asked["method"] == "rows":
            answer = {"value": [s.hex() for s in way_of_rows(x, rows, n)]}
            answer["value"] = answer["value"][0] if way is one_of_rows else answer["value"]
        elif asked["operation"] == "sum":
            answer = {"number": asked["number"], "value": float(way(x)).hex()}
        elif asked["operation"] == "dot":
            answer = {"value": math.fsum(a * b for a, b in zip(x[:n], x[n:]))}
        else:
            b = x[rows * n :]
            answer = {"value": [math.fsum(x[i * n + k] * b[k * columns + j] for k in range(n))
                                for i in range(rows) for j in range(columns)]}
    print(json.dumps(answer), flush=True)
