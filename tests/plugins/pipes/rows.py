"""A program for --pipe: softmax, prefix sums, sums of windows and a layer norm of binary32 by a loop, right and with a fault:
test_row_plugins.py says what each is called."""

import json
import math
import struct
import sys


def rounded(x):
    return struct.unpack("<f", struct.pack("<f", x))[0]


def total(terms):
    sums = 0.0
    for term in terms:
        sums = rounded(sums + term)
    return sums


def exponentials(x, most):
    return [rounded(math.exp(rounded(number - most))) for number in x]


def softmax(x, window, most=None):
    e = exponentials(x, max(x) if most is None else most)
    d = total(e)
    return [rounded(number / d) for number in e]


def naive(x, window):
    return softmax(x, window, 0.0)


def drops_last(x, window):
    e = exponentials(x, max(x))
    d = total(e[:-1]) or 1.0
    return [rounded(number / d) for number in e]


def logsumexp(x, window):
    return rounded(max(x) + rounded(math.log(total(exponentials(x, max(x))))))


def scan(x, window):
    sums, results = 0.0, []
    for number in x:
        sums = rounded(sums + number)
        results.append(sums)
    return results


def exclusive(x, window):
    return [0.0] + scan(x, window)[:-1]


def rolling(x, window):
    return [total(x[max(0, j - window + 1) : j + 1]) for j in range(len(x))]


def window_longer(x, window):
    return rolling(x, window + 1)


def layer_norm(x, window, eps=rounded(1e-5)):
    mean = rounded(total(x) / len(x))
    off = [rounded(number - mean) for number in x]
    v = rounded(total(rounded(d * d) for d in off) / len(x))
    r = rounded(1 / rounded(math.sqrt(rounded(v + eps))))
    return [rounded(d * r) for d in off]


def eps_left_out(x, window):
    return layer_norm(x, window, 0.0) if len(set(x)) > 1 else [0.0] * len(x)


FUNCTIONS = {"softmax": (softmax, naive, drops_last), "logsumexp": (logsumexp,), "scan": (scan, exclusive),
             "rolling": (rolling, window_longer), "layer_norm": (layer_norm, eps_left_out)}
for line in sys.stdin.buffer:
    asked = json.loads(line)
    if "request" in asked:
        answer = {"name": "lines", "methods": [{"name": one.__name__, "operation": operation, "deterministic": True}
                                               for operation, functions in FUNCTIONS.items() for one in functions]}
    else:
        numbers = struct.unpack(f"<{asked['terms']}f", sys.stdin.buffer.read(asked["bytes"]))
        result = globals()[asked["method"]](numbers, asked["window"])
        result = [number.hex() for number in result] if isinstance(result, list) else result.hex()
        answer = {"number": asked["number"], "value": result}
    print(json.dumps(answer), flush=True)
