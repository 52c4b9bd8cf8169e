"""Parts of ulpscope.torch by themselves: which rows are drawn and what they hold, bounds, births, digests, what a scope leaves behind.

    test_torch_parts.py SOURCE_DIRECTORY    ULPSCOPE_LIBRARY names what is built.  77: PyTorch is missing
"""

import contextlib
import copy
import fractions
import gzip
import json
import math
import os
import random
import re
import sys
import threading

from torch_here import failed, say, torch

import ulpscope.torch
from ulpscope.torch import births as of_births
from ulpscope.torch import digests, judging, operations, orders, parting

functional, scope, aten = torch.nn.functional, ulpscope.torch.scope, torch.ops.aten


def looked(of, **settings):
    with scope(**{"sample": 1.0, **settings}) as s:
        of()
    return s


def only(s):
    (entry,) = s.entries()
    return entry


class Sums(torch.nn.Module):
    def forward(self, x):
        return x.sum(1)


# ---- which rows ----
def rows():
    draw = operations.Draw(1, 1 / 50, 8)
    counts = [len(draw.rows(200)) for _ in range(4000)]
    say(set(counts) == {0, 8} and 0.9 < sum(counts) / 4000 / 4 < 1.1, "the share of rows", sum(counts) / 4000)
    some = [draw.some(1000, 10) for _ in range(300)]
    say(all(of[-1] - of[0] == 900 for of in some) and {of[0] for of in some} > set(range(0, 100, 7)), "rows lie at equal distances, from any on", some[:2])
    of = Sums()
    first = looked(lambda: (of(torch.ones(100, 3)), of(torch.ones(100, 3))), sample=1e-9)
    say(only(first).results == 4 and only(first).calls == 2, "the first call has four rows, another none", str(first))
    say(not looked(lambda: torch.nn.Sequential(torch.nn.LayerNorm(4))(torch.ones(2, 4)), sample=0).entries(), "a share of 0 looks at nothing")
    x, seen = torch.arange(24.0).reshape(4, 3, 2), set()
    for seed in range(60):
        sample = operations.along(operations.Draw(seed, 1 / 12, 1), "sum", x.permute(2, 0, 1), 0)
        if sample is not None:
            seen.add((tuple(sample.x[0].tolist()), float(sample.pick(x.permute(2, 0, 1).sum(0))[0])))
    say(seen <= {((a, a + 1), 2 * a + 1) for a in range(0, 24, 2)} and len(seen) > 8, "rows of what is strided, each some time", seen)


def operands():
    """What no program of every_kind has."""
    torch.manual_seed(2)
    x, w = torch.randn(1, 2, 9, 11), torch.randn(3, 2, 3, 2)
    for named in ({"padding": (2, 3), "dilation": (2, 3)}, {"stride": (2, 3), "padding": (1, 0)}, {"stride": (3, 1), "padding": (4, 4), "dilation": (3, 1)}):
        found = [only(looked(lambda: functional.conv2d(x, w, **named), seed=seed)) for seed in range(6)]
        say(all(one.relative < 1e-6 and one.results >= 3 for one in found), f"a convolution with {named}", [one.relative for one in found])
    q, k, v = torch.randn(2, 3, 5, 8), torch.randn(2, 3, 6, 8), torch.randn(2, 3, 6, 8)
    boolean, numbers = torch.rand(2, 3, 5, 6) > 0.3, torch.randn(2, 3, 5, 6)
    boolean[..., 0] = True
    for named, scores in (({"scale": 0.3}, q @ k.transpose(-1, -2) * 0.3), ({"attn_mask": boolean}, (q @ k.transpose(-1, -2) / math.sqrt(8)).masked_fill(~boolean, -math.inf)),
                          ({"attn_bias": numbers}, q @ k.transpose(-1, -2) / math.sqrt(8) + numbers)):
        result = (scores.double().softmax(-1) @ v.double()).float()
        for seed in range(8):
            sample = operations.attention(operations.Draw(seed, 1.0, 16), {"query": q, "key": k, "value": v, **named})
            say(judging.judge(sample, sample.pick(result)).relative < 2e-6, f"attention with {list(named)}, seed {seed}")
    half = torch.randn(64).half()
    say(any("converted" in why for _, why in looked(lambda: half.float().sum(dtype=torch.float16)).left_out), "a sum of what is rounded first is left out")
    say(only(looked(lambda: half.sum(dtype=torch.float32))).format == "binary32", "a sum in a wider format is not")
    bias = torch.full((4, 4), math.nan)
    entry = only(looked(lambda: torch.addmm(bias, half.float().reshape(4, 16), half.float().reshape(16, 4), beta=0)))
    say(entry.relative < 1e-6 and (entry.results, entry.undefined) == (4, 0), "beta=0 adds nothing", (entry, entry.results, entry.undefined))
    most = torch.finfo(torch.float32).max
    for bias, ulps in ((2.0 ** 103, 0.5), (2.0 ** 102, 0.25)):  # the first rounds to infinity, though it is less than 2^128
        entry = only(looked(lambda: functional.layer_norm(torch.tensor([[1.0, -1.0]]), (2,), torch.full((2,), most), torch.full((2,), bias), 0.0)))
        say(entry.ulp_error == ulps and entry.results == 2, f"a layer norm of 2^128 - 2^104 + {bias}", (entry, entry.ulp_error))
    sample = operations.normalised("rms_norm")(operations.Draw(0, 1.0, 4), {"input": half[None], "normalized_shape": [64], "weight": None, "eps": None})
    say(sample.settings["eps"] == torch.finfo(torch.float16).eps, "an eps that is not given is PyTorch's")
    masked = torch.full((8, 8), -math.inf).triu(1)
    for seed in range(4):
        found = only(looked(lambda: torch.addmm(masked, torch.ones(8, 3), torch.ones(3, 8)), seed=seed))
        say(found.results > 0 and found.relative < 1e-6, "a mask as a bias hides its own rows alone", found.results)


# ---- judging ----
def places():
    x = torch.rand(2000)
    right = x.double().cumsum(0).float()
    wrong = right.clone()
    wrong[501] += 1
    sample = operations.scan(operations.Draw(0, 1.0, 4), {"self": x, "dim": 0})
    judged = judging.judge(sample, sample.pick(wrong))
    say(judging.judge(sample, sample.pick(right)).ulp_error <= 0.5 and judged.share > 1 and judged.ulp_error > 1e3, "one result of 2,000", judged.ulp_error)
    a, b = torch.rand(16, 9), torch.rand(9, 1)
    result = (a.double() @ b.double()).float()
    result[5] *= 2
    sample = operations.mm(operations.Draw(0, 1.0, 16), {"self": a, "mat2": b})
    say(torch.equal(judging.judge(sample, sample.pick(result)).worst.x, a[5]), "the worst of a call is where it is")
    with contextlib.suppress(AssertionError):
        say(looked(lambda: (a @ b).mul_(0) / 0, limits={"matmul": "auto"}, births=False) is not None, "twin: what is not looked at is not judged")
    sample = operations.mm(operations.Draw(0, 1.0, 16), {"self": a, "mat2": b})
    judged = judging.judge(sample, sample.pick(result * math.nan))
    say(judged.ulp_error == math.inf and judged.share == math.inf, "NaN keeps no bound", judged)
    large = torch.full((1, 4), 32000.0).half()  # 128,000: beyond binary16
    for value, fine in ((math.inf, True), (-math.inf, False), (math.nan, False), (65504.0, False)):
        sample = operations.total(operations.Draw(0, 1.0, 1), {"self": large, "dim": [1]})
        judged = judging.judge(sample, torch.tensor([value]).half())
        say((judged.ulp_error == 0) == fine, f"{value} of a sum that is out of range", judged.ulp_error)
    edge = torch.tensor([[65504.0, 16.0]]).half()  # 65,520 rounds to infinity
    sample = operations.total(operations.Draw(0, 1.0, 1), {"self": edge, "dim": [1]})
    say(judging.judge(sample, torch.tensor([math.inf]).half()).ulp_error == 0, "what rounds to infinity is infinite")
    sample = operations.exponentials("log_softmax")(operations.Draw(0, 1.0, 1), {"self": torch.tensor([[0.0, -math.inf]]), "dim": 1})
    say(judging.judge(sample, torch.tensor([[0.0, 7.0]])).ulp_error == math.inf and judging.judge(sample, torch.tensor([[0.0, -math.inf]])).ulp_error == 0, "a masked logarithm is -inf")
    for format, least in (("binary16", -24), ("bfloat16", -133), ("binary32", -149)):
        unit = judging.ulp(torch.tensor([0.0, 2.0 ** least, 1.0, 1.5]).double(), format).tolist()
        say(unit[:2] == [2.0 ** least] * 2 and unit[2] == unit[3] == 2.0 ** (1 - {"binary16": 11, "bfloat16": 8, "binary32": 24}[format]), f"an ulp of {format}", unit)


def bounds():
    """Of a layer norm with weight 1 and bias 0 that of the library, and two roundings; of a root a half of that of its square, twice."""
    x = torch.randn(2, 50)
    one, zero = torch.ones(50), torch.zeros(50)
    plain = operations.normalised("layer_norm")(operations.Draw(0, 1.0, 2), {"input": x, "normalized_shape": [50], "eps": 1e-5})
    with_weight = operations.normalised("layer_norm")(operations.Draw(0, 1.0, 2), {"input": x, "normalized_shape": [50], "eps": 1e-5, "weight": one, "bias": zero})
    result = functional.layer_norm(x, (50,))
    a, b = (judging.exactly(sample, result, "binary32")[..., judging.BOUND] for sample in (plain, with_weight))
    u = 2.0 ** -24
    say(bool((b >= a).all()) and bool((b - a <= 4 * u * (a + result.double().abs() + 1e-30) + u * result.double().abs()).all()), "the bound of a norm with a weight", float((b / a).max()))
    squares = judging.errors_of(ulpscope.library.DOT, x[0], x[0], torch.zeros(1, dtype=torch.float64), "binary32")
    root = judging.root_of_squares(x[:1], torch.zeros(1), "binary32")[0, judging.BOUND]
    expected = float(squares[0, judging.BOUND]) / math.sqrt(float(squares[0, judging.VALUE]))
    say(expected <= float(root) <= expected + 4 * u * math.sqrt(float(squares[0, judging.VALUE])), "the bound of a root", (float(root), expected))
    say(bool(judging.exactly(operations.exponentials("softmax")(operations.Draw(0, 1.0, 2), {"self": x, "dim": 1}), x.softmax(1), "binary32")[..., judging.BOUND].isinf().all()), "a softmax has none")


def known():
    """What an operation's entry says of its calls."""
    x, y = torch.rand(20, 30), torch.rand(30, 1)
    right = (x.double() @ y.double()).float()
    entry = ulpscope.torch.Entry(ulpscope.torch.Key(None, "matmul", 1), 0)
    for result in (right * 3, right, right):
        sample = operations.mm(operations.Draw(1, 1.0, 20), {"self": x, "mat2": y})
        entry.add(judging.judge(sample, sample.pick(result)))
    say(entry.judged.share > 1 and entry.share == entry.judged.share and not entry.is_biased, "the worst of three calls is kept, and three make no bias", entry.share)
    rank = lambda born, finding: (entry.__setattr__("born", born), entry.findings.clear(), finding and entry.findings.update([finding]), entry.rank())[-1]
    say(rank("NaN", "") < rank(None, "beyond the bound") < rank(None, "factors rounded") < rank(None, ""), "births, bounds, formats, the others")
    data = torch.randn(40)
    of = looked(lambda: data.std(0))
    command = only(of).save("cases")
    say("sample_std" in command, "a standard deviation is saved with its ddof", command)
    norm = looked(lambda: functional.layer_norm(data[None] * 3, (40,), torch.randn(40), torch.randn(40)))
    say("--operation variance" in only(norm).save("cases") and "layer norm" not in only(norm).save("cases"), "of a norm with a weight the row is saved, with its variance", only(norm).save("cases"))


# ---- births ----
def births():
    def born(of):
        with scope(sample=0) as s:
            of()
        return [str(one.key).partition(": ")[2] for one in s.entries() if one.born]

    def told(of, **named):
        with scope(**{"sample": 0, **named}) as s:
            of()
        return [(str(one.key).partition(": ")[2], one.born) for one in s.entries() if one.born]

    x, zeros = torch.ones(6, 6), torch.zeros(6)
    layer, batch = torch.nn.Linear(6, 6), torch.full((6, 6), math.nan)
    layer.weight.data[:, 3] = math.nan
    say(told(lambda: layer(x).sum()) == [("matmul", "NaN comes in here, in an operand from before")], "NaN of a weight", told(lambda: layer(x).sum()))
    say(told(lambda: (batch.clone().nan_to_num(), batch.isnan(), torch.where(batch.isnan(), 0.0, 1.0) + 1)) == [], "NaN that goes nowhere", told(lambda: (batch.clone().nan_to_num(), batch.isnan())))
    say(told(lambda: batch.clone() + 1) == [("add", "NaN comes in here, in an operand from before")], "NaN of a copy", told(lambda: batch.clone() + 1))
    say(told(lambda: (x * math.nan).sum()) == [("mul", "NaN is written here")], "NaN as a number", told(lambda: (x * math.nan).sum()))
    say(told(lambda: (zeros * math.inf, zeros + math.inf)) == [("mul", "NaN is born here, of operands without one")], "NaN of a written infinity", told(lambda: (zeros * math.inf, zeros + math.inf)))
    say(told(lambda: (zeros.new_empty(9), zeros.new_full((3,), -math.inf), torch.where(x > 0, -math.inf, x).amax())) == [], "infinities that are written are masks")
    complex_nan = told(lambda: torch.fft.fft(torch.full((4,), 3e38)).real + 1)
    say(complex_nan[0] == ("_fft_r2c", "NaN is born here, of operands without one"), "NaN of complex numbers", complex_nan)
    say(told(lambda: torch.fft.fft(torch.ones(4)).real + 1) == [], "twin: complex numbers without one")
    say(told(lambda: torch.tensor([100000, 1]).half() * 2) == [("_to_copy", "infinities are born here, of finite operands")], "integers beyond binary16", told(lambda: torch.tensor([100000, 1]).half() * 2))
    say(looked(lambda: torch.tensor([1, 2]).float() * 2).left_out == {}, "integers that are converted")
    whole = torch.ones(8)
    whole[6] = math.inf
    say(told(lambda: (whole[:4] + 1, whole[4:] + 1)) == [], "another part of what is known holds infinities", told(lambda: (whole[:4] + 1, whole[4:] + 1)))
    many = [torch.full((2,), math.nan) for _ in range(3)]
    kept, hundred = torch.full((6,), math.inf), torch.full((6,), 100.0)
    say(told(lambda: torch.exp(hundred, out=kept)) == [("exp", "infinities are born here, of finite operands")], "what is written over by out= is no operand")

    def in_the_same_place():
        """Numbers in memory that held infinities, as soon as the allocator gives the same."""
        for _ in range(1000):
            at, y = torch.full((1000,), math.inf).data_ptr(), torch.empty(1000)
            if y.data_ptr() == at:
                break
        for half in (y[:500], y[500:]):
            half.index_copy_(0, torch.arange(500), torch.full((500,), 100.0))
        y.exp()
    say(told(in_the_same_place) == [("exp", "infinities are born here, of finite operands")], "what memory held before is forgotten", told(in_the_same_place))
    at_once, of_births.AT_ONCE = of_births.AT_ONCE, 10
    with scope(sample=0) as s:
        waiting = [len(s.births.sizes) for _ in range(50) if (x + 1).numel()]
    of_births.AT_ONCE = at_once
    say(max(waiting) < 10 and len(set(waiting)) > 1, "sizes do not pile up", waiting)

    def later():
        y = zeros / zeros
        for _ in range(3000):
            ones + 1
        y + 1
    ones = torch.ones(6)
    say(told(later) == [("div", "NaN is born here, of operands without one")], "what was born long ago does not come in", told(later))
    say(len(told(lambda: [one + 1 for one in many])) == 1, "of one line one entry")
    s = looked(lambda: layer(x), births=False)
    say("Nothing is wrong in" in str(s) and "results are not defined" in str(s).replace("more are", "results are") and s.entries()[0].undefined == 6, "results that are not defined are counted", str(s))
    try:
        looked(lambda: layer(x), births=False, limits={"matmul": "auto"})
        say(False, "and keep no limit")
    except AssertionError as error:
        say("not defined" in str(error), "and keep no limit", error)
    ones = torch.ones(6)
    cases = {"-inf": (lambda: torch.tensor([1.0, 0.0]).log(), ["log"]), "inf": (lambda: ones / zeros, ["div"]), "NaN": (lambda: zeros / zeros, ["div"])}
    for what, (of, expected) in cases.items():
        say(born(of) == expected, f"{what} is born", born(of))

    def in_a_part():
        y = torch.ones(4, 4)
        y[0].copy_(torch.full((4,), math.inf))
        y[1].mul_(2)
        y.sum()
    say(born(in_a_part) == [], "a part that is written leaves the others known", born(in_a_part))

    def reused():
        y = torch.full((1000,), math.inf)
        del y
        z = torch.empty(1000)
        z.fill_(1)
        (z / 0).sum()
    say(born(reused) == ["div"], "memory that is used again is not known", born(reused))

    def several():
        y = [torch.ones(3), torch.ones(3)]
        torch._foreach_mul_(y, math.nan)
        (y[0] + 1).sum()
    say("add" not in str(born(several)) and "sum" not in str(born(several)), "what is written and not returned is known", born(several))
    norm = torch.nn.BatchNorm1d(6)

    def running():
        norm.train()(torch.full((4, 6), math.inf))
        norm.eval()(x)
    say("native_batch_norm 2" not in str(born(running)), "running statistics, too", born(running))
    say(born(lambda: functional.pad(x, (1, 1), value=-math.inf).amax()) == [] and born(lambda: x.clamp(max=-math.inf)) == [], "what somebody wrote is not born")
    say(born(lambda: torch.zeros(3).half().scatter_add_(0, torch.tensor([0, 0]), torch.full((2,), 60000.0).half())) == ["scatter_add"], "an overflow of scatter_add is")
    nan = torch.full((2, 2), math.nan)
    say(born(lambda: torch.mm(x[:2] / 0, x[:, :2] * 0, out=nan)) == ["div", "matmul"], "what `out` held does not matter", born(lambda: torch.mm(x[:2] / 0, x[:, :2] * 0, out=nan)))
    with scope(sample=1.0) as s:
        torch.mm(x * 3e38, x * 3e38)
    say([one.calls for one in s.entries() if one.born] == [1], "a call is counted once", str(s))
    many = scope(sample=0)
    most = 0
    with many:
        for _ in range(3000):
            ones + 1
            most = max(most, len(many.births.sizes))
    say(most < 10000 and not many.births.sizes, "sizes are brought by the thousand", most)


# ---- digests and two runs ----
def digested():
    x = torch.randn(3000, 17)
    whole = digests.digests(x)
    at_once, digests.AT_ONCE = digests.AT_ONCE, 1000
    parts = digests.digests(x)
    digests.AT_ONCE = at_once
    say(all(torch.equal(a, b) for a, b in zip(whole, parts)), "digests in parts are those of the whole")
    a, b = torch.randn(40, 12), torch.randn(12, 30)

    def recorded(name, of, **named):
        with scope(sample=0, **named) as s:
            s.record(name)
            of()
        return name

    def relation(one, other):
        lines = [{"dtype": "float32", "shape": list(x.shape), "digests": [digest.tolist() for digest in digests.digests(x)]} for x in (one, other)]
        return parting.tensors_relation(*lines)
    y = torch.randn(12, 8)
    for what, one, other, bits in (("the first", y, y[:5], "same"), ("the last", y, y[7:], "same"), ("every third", y, y[1::3], "same"), ("the right half", y, y[:, 4:], "same"), ("another", y, y[:5] + 1, "other"),
                                   ("a half of another", y, y[:, 4:] * 2, "other"), ("of both dimensions", y, y[:5, :4], "unknown")):
        say(relation(one, other).bits == bits, f"two tensors: {what}", relation(one, other))
    found = parting.compare(recorded("m", lambda: a @ b), recorded("n", lambda: a @ b[:, 5:]))
    say(found.compared == 1 and found.first is None, "a split of the last dimension", str(found))
    dropout = torch.nn.Dropout(0.5)

    def at_random():
        torch.manual_seed(1)
        dropout(a).sum()
    found = parting.compare(recorded("p", at_random), recorded("q", at_random))
    say(found.first is None and found.compared >= 2, "memory that nobody wrote is not compared", str(found))

    def inference(c):
        def of():
            with torch.inference_mode():
                y = a * 1
                y.mul_(c)
                (y * 3).sum()
        return of
    found = parting.compare(recorded("i", inference(2)), recorded("j", inference(5)))
    say(found.first and found.first.place.endswith("mul 2"), "what is written in inference mode", str(found))
    found = parting.compare(recorded("s", lambda: a.softmax(0)), recorded("t", lambda: a[:20].softmax(0)))
    say(found.first is None and found.compared == 0, "results of all of a batch are not compared", str(found))
    found = parting.compare(recorded("u", lambda: (a * 2, (a * 2 + 1).sum())), recorded("v", lambda: (a * 3, (a * 3 + 1).sum())))
    say(found.first and found.first.place.endswith("mul") and found.unexplained == "", "what follows a parting is explained", str(found))
    one, two = recorded("r0", lambda: a.sum()), recorded("r1", lambda: (a.sum(), (a @ b).sum()))
    other = recorded("r2", lambda: (a.sum(), ((a @ b) * 1).sum()))
    with scope(sample=0) as s:
        s.record("r3")
        a.sum()
        aten.mm(a.flip(1), b.flip(0))
    found = parting.compare([one, two], [one, other])
    say(found.not_compared != () and found.first is None, "operations of another rank are compared", str(found))
    lines = {name: next(line for line in parting.read(name)[1].values() if line["kind"] == "matmul")["sample"] for name in (recorded("x", lambda: a @ b), recorded("y", lambda: a[:1] @ b))}
    say(lines["x"]["x"]["bits"][0] == lines["y"]["x"]["bits"][0] and [lines[name]["computed"]["shape"] for name in "xy"] == [[8, 1], [1, 8]], "the first rows are kept, whatever the batch size, and eight results", lines)

    layers = torch.nn.Sequential(torch.nn.Linear(12, 12), torch.nn.Softmax(1), torch.nn.Linear(12, 12))
    other = torch.nn.Sequential(layers[0], LegacySoftmax(1), layers[2])
    found = parting.compare(recorded("o0", lambda: layers(a)), recorded("o1", lambda: other(a)))
    say(found.unexplained == "Sequential.2: matmul" and found.replaced.startswith("Sequential.1 has other operations: in the first run alone softmax, in the second run alone exp sum div")
        and "before it" in str(found), "a layer that has other operations is named", str(found))
    found = parting.compare(recorded("o2", lambda: layers[:2](a)), recorded("o3", lambda: other[:2](a)))
    say(found.unexplained == "" and found.replaced.startswith("Sequential.1 has"), "and where nothing follows", str(found))
    found = parting.compare(recorded("o4", lambda: layers(a)), recorded("o5", lambda: a.sum()))
    say(found.compared == 0 and "no operation in common" in str(found) and "in the first run alone" in str(found), "records without anything in common", str(found))
    data = bytearray(open("o4", "rb").read())
    wrong = []
    for place in range(0, len(data), max(1, len(data) // 80)):
        data[place] ^= 0x10
        open("flipped", "wb").write(data)
        data[place] ^= 0x10
        try:
            parting.compare("flipped", "o4")
        except ValueError:
            continue
        except Exception as error:
            wrong.append((place, repr(error)))
    say(wrong == [], "a record with a wrong byte", wrong[:2])

    heavier = torch.nn.Sequential(torch.nn.Linear(12, 12), torch.nn.Linear(12, 12))
    before = recorded("w0", lambda: heavier(a).sum())
    heavier[1].weight.data[0, 0] += 1
    for rows in (40, 20):
        found = parting.compare(before, recorded("w1", lambda: heavier(a[:rows]).sum()))
        say(found.first is None and found.unexplained == "Sequential.1: matmul", f"another weight, of a batch of {rows}", str(found))
    heavier[1].weight.data[0, 0] -= 1
    found = parting.compare(recorded("w2", lambda: heavier(a).sum().backward()), recorded("w3", lambda: heavier(a[:20]).sum().backward()))
    say(found.first is None and found.unexplained == "", "of another batch alone nothing is unexplained", str(found))
    head, *lines = [json.loads(line) for line in gzip.open("w2", "rt")]
    generator, wrong, tried = random.Random(3), [], 0
    for _ in range(300):
        changed = copy.deepcopy(lines)
        at = changed[generator.randrange(len(changed))]
        name = generator.choice(sorted(at))
        if generator.random() < 0.3:
            del at[name]
        else:
            at[name] = generator.choice([None, -1, [10 ** 30], [[1]], "a", 1.5, {}, [10 ** 6]])
        with gzip.open("w4", "wt") as file:
            file.writelines(json.dumps(line) + "\n" for line in [head, *changed])
        try:
            parting.compare("w4", "w2")
        except ValueError:
            tried += 1
        except Exception as error:
            wrong.append((name, at, repr(error)))
    say(wrong == [] and tried > 100, "a record with a wrong value", (tried, wrong[:2]))
    long = torch.randn(8, 20000)
    found = parting.compare(recorded("l0", lambda: long @ long.T), recorded("l1", lambda: long @ long.T))
    say(sum("sample" in line for line in parting.read("l0")[1].values()) == 0 and found.first is None, "of long rows no operands are kept", os.path.getsize("l0"))

    # an all-reduce of which the other rank has other operands
    key = ("", False, "all_reduce", 1, 1)
    tensor = lambda value: {"dtype": "float32", "shape": [2], "digests": [[value, value]]}
    line = lambda before, after: {"read": [tensor(before)], "results": [tensor(after)], "along": -1}
    real, parting.read = parting.read, lambda name: ({}, {key: {"a0": line(1, 5), "a1": line(2, 5), "b0": line(1, 6), "b1": line(3, 6), "c1": line(2, 6)}[name]})
    say(parting.compare(["a0", "a1"], ["b0", "b1"]).first is None and parting.compare(["a0", "a1"], ["b0", "c1"]).first is not None, "an all-reduce parts where no rank has other operands")
    parting.read = real


def added():
    """Orders, each by plain loops in binary32, and an FMA by fractions."""
    def nearest(value):
        guess = torch.tensor(float(value)).float()
        return min((torch.nextafter(guess, torch.tensor(to)) for to in (-math.inf, math.inf, float(guess))), key=lambda one: (abs(fractions.Fraction(float(one)) - value), int(one.view(torch.int32)) & 1))
    generator, wrong = random.Random(1), 0
    for _ in range(3000):
        a, b, c = (torch.tensor(generator.choice((-1, 1)) * math.ldexp(generator.randrange(2 ** 23, 2 ** 24), generator.randrange(-24, 3))) for _ in range(3))
        c = -nearest(fractions.Fraction(float(a)) * fractions.Fraction(float(b))) if generator.random() < 0.2 else c * 2 ** generator.randrange(-30, 30)
        product, exact = a.double() * b.double(), fractions.Fraction(float(a)) * fractions.Fraction(float(b)) + fractions.Fraction(float(c))
        wrong += float(orders.fused(c.double()[None], product[None])) != float(nearest(exact))
    say(wrong == 0, "an FMA", wrong)
    half = torch.tensor([1 + 2.0 ** -24], dtype=torch.float64)  # a tie, which what is beyond 53 bits decides
    say([float(orders.fused(torch.tensor([sign * 2.0 ** -80]).double(), half)) for sign in (-1, 1)] == [1.0, 1 + 2.0 ** -23], "what is beyond binary64 decides a tie")
    torch.manual_seed(4)
    x, bias = torch.randn(16, 48), torch.randn(16)

    def turn(values, total=None):
        for value in values:
            total = value if total is None else total + value
        return total
    columns, quarters = list(x.T), [turn(x.T[i * 12:(i + 1) * 12]) for i in range(4)]
    cases = {"one after the other": turn(columns), "in 4 parts, of 12 each, added in turn": turn(quarters), "in 4 parts, of 12 each, added in turn from the last on": turn(quarters[::-1]),
             "in 4 parts, of 12 each, added in pairs": (quarters[0] + quarters[2]) + (quarters[1] + quarters[3]), "in 8 parts, each of one term in 8, added in turn": turn([turn(columns[i::8]) for i in range(8)])}
    for words, results in cases.items():
        sample = operations.Sample("sum", x, None, None, {})
        found = judging.order_of(sample, results)
        say(found == "its terms are added " + words, f"an order: {words}", found)
    ones = operations.Sample("matmul", x, torch.ones(48, 1), None, {"bias": bias[:, None]})
    for words, results in (("one after the other, beginning with the bias", turn(columns, bias)), ("in 4 parts, of 12 each, added in turn to the bias", turn(quarters, bias)), ("one after the other", turn(columns) + bias)):
        found = judging.order_of(ones, results[:, None])
        say(found.replace(" by FMA", "") == "its terms are added " + words, f"with a bias: {words}", found)
    right, some = x.double().sum(1).float(), turn(columns).clone()
    some[3] = torch.nextafter(some[3], torch.tensor(math.inf))
    say([judging.order_of(operations.Sample("sum", x, None, None, {}), one) for one in (right, some)] == ["", ""] and judging.order_of(operations.Sample("sum", x[:7], None, None, {}), turn(columns)[:7]) == "", "results that tell nothing")


# ---- what a scope leaves behind ----
def left():
    real = torch.distributed.all_reduce if torch.distributed.is_available() else None
    with scope():
        say(real is None or torch.distributed.all_reduce is not real, "twin: inside, an all-reduce is seen")
    say(real is None or torch.distributed.all_reduce is real, "outside it is PyTorch's own")
    a, b = torch.rand(30, 400), torch.rand(400, 30)

    def changed():
        for _ in range(20):
            x, y = a.clone(), b.clone()
            (x @ y).zero_()
            x @ y
            y.zero_()
    say(looked(changed).findings == [], "what is written later is not what was looked at")
    try:
        with scope(sample=1.0, limits={"matmul": "0ulp"}) as s:
            s.record("gone")
            a @ b
            raise KeyError("its own")
    except Exception as error:
        say(type(error) is KeyError, "an exception of the model is not hidden", repr(error))
    say(not any(name.startswith("gone") for name in os.listdir(".")), "and leaves no record", os.listdir("."))
    try:
        scope().record("early")
        say(False, "a record outside of a scope is refused")
    except RuntimeError as error:
        say("open" in str(error), "a record outside of a scope is refused", error)
    say(looked(lambda: a @ b, limits={"matmul": "auto", "*": "auto"}) is not None, "* of nothing else is kept")
    with scope(sample=1.0) as outer, scope(sample=1.0):
        a @ b
    say(set(outer.others) == set() and len(outer.entries()) == 1, "a scope does not see another", (outer.others, str(outer)))


def asked():
    """Arguments that are none, what a scope says while it runs, and names."""
    for named, words in (({"most": 0}, "most: expected a count"), ({"most": 2.5}, "most: "), ({"threads": -1}, "threads: "), ({"threads": True}, "threads: "), ({"seed": "a"}, "seed: "), ({"births": 2}, "births: "), ({"sample": "1"}, "sample: "),
                         ({"sample": math.nan}, "sample: "), ({"limits": ["matmul"]}, "limits: expected a dictionary"), ({"limits": {"matmul": 3}}, "expected a limit"), ({"modules": {"A": "softmax"}}, "modules: expected classes"), ({"modules": {int: "softmax"}}, "modules: expected classes")):
        try:
            scope(**named)
            say(False, f"{named} is refused")
        except ValueError as error:
            say(words in str(error), f"{named} is refused", error)
    a = torch.rand(8, 8)
    with scope(sample=1.0) as s:
        try:
            s.record(".")
            say(False, "a record in place of a folder is refused")
        except IsADirectoryError:
            pass
        a @ a
        say(len(s.entries()) == 1 and "Nothing is wrong in 8" in str(s) and s.worst().results == 8, "inside of a scope it says what was found so far", str(s))
        for _ in range(300):
            a @ a
    say([one.calls for one in s.entries()] == [300, 1] and all(re.fullmatch(r"test_torch_parts\.py:\d+: matmul", str(one.key)) for one in s.entries()), "a loop outside of modules is one operation, of a line", str(s))
    first, second = torch.nn.Linear(8, 8), torch.nn.Linear(8, 8)
    with torch.no_grad():
        s = looked(lambda: (first(a), second(a), first(a), [torch.nn.Softmax(1)(a) for _ in range(5)]))
    say(sorted((str(one.key), one.calls) for one in s.entries()) == [("Linear#2: matmul", 1), ("Linear: matmul", 2), ("Softmax: softmax", 5)], "two models of one class", str(s))
    of = torch.nn.ModuleDict({"b c": first, "b-c": second})
    s = looked(lambda: Both(of)(a))
    say(len({one.save("names") for one in s.entries()}) == 2 and len(os.listdir("names")) == 6, "names of cases do not fall together", os.listdir("names"))
    norms = looked(lambda: functional.layer_norm(a, (8,)))
    say("layer_norm" in only(norms).save("cases") or "layer norm" in only(norms).save("cases"), "a norm without a weight is saved as it is", only(norms).save("cases"))
    weighted = looked(lambda: functional.layer_norm(a, (8,), a[0], a[1]))
    only(weighted).save("weighted")
    more = torch.load(f"weighted/{next(name for name in os.listdir('weighted') if name.endswith('.pt'))}")
    say(torch.equal(more["weight"], a[0]) and torch.equal(more["bias"], a[1]) and more["result"].shape == (8,), "of one with a weight that, too", more)
    less = torch.randn(8, 16) * 1e-25, torch.randn(16, 8) * 1e-25
    say(looked(lambda: (torch.full((4, 4), 1e-44) @ torch.full((4, 4), 1e-44), less[0] @ less[1], less[0] @ less[1] * 1e20)).findings == [], "products that underflow have no factors rounded")
    say(repr(only(norms)).endswith(": layer_norm: nothing is wrong>"), "an entry says what it is", repr(only(norms)))
    say("ulpscope exact" in only(looked(lambda: a.norm())).save("cases"), "a norm is saved")
    tiny = looked(lambda: (a * 1e-25).norm())
    say("squares are out of range" in str(tiny) and looked(lambda: a.norm()).findings == [], "a norm whose squares are out of range", str(tiny))
    many = looked(lambda: torch.nn.Sequential(*[torch.nn.Linear(8, 8) for _ in range(30)])(a))
    say("and 10 more: entries()" in str(many), "a table says how many it leaves out", str(many))

    def thread(of):
        found = []

        def run():
            try:
                found.append(of())
            except RuntimeError as error:
                found.append(error)
        one = threading.Thread(target=run)
        one.start()
        one.join()
        return found[0]
    with scope(sample=1.0) as s:
        first(a)
        say("another" in str(thread(lambda: scope().__enter__())), "scopes of two threads at a time are refused")
        thread(lambda: first(a))
    say(only(s).calls == 1 and ("Linear", "in a thread of its own, whose operations are not seen") in s.left_out, "modules in other threads are left out, with a count", s.left_out)
    say(isinstance(thread(lambda: looked(lambda: first(a))), scope), "twin: another thread, later")


def children():
    """A forked process, as of a DataLoader, has no threads that judge: it is not looked at, and ends."""
    a = torch.rand(8, 8)
    with scope(sample=1.0) as s:
        a @ a
        child = os.fork()
        if not child:
            for _ in range(200):
                a @ a
            os._exit(0)
        _, status = os.waitpid(child, 0)
    say(status == 0 and only(s).calls == 1, "a forked process ends", status)
    subnormal = torch.tensor([[0.0, -1, -2, -100.5]])
    say(looked(lambda: subnormal.softmax(-1)).findings == [], "a subnormal that is correctly rounded is right")


class XLayerNorm(torch.nn.Module):
    def __init__(self, is_rms=False, shift=0.0, in_place=False):
        super().__init__()
        self.weight, self.is_rms, self.shift, self.in_place = torch.nn.Parameter(torch.rand(24) + 2), is_rms, shift, in_place

    def forward(self, hidden):
        if self.in_place:
            hidden.sub_(hidden.mean(-1, keepdim=True))
        x = hidden if self.is_rms else hidden - hidden.mean(-1, keepdim=True)
        return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-5) * (self.weight + self.shift)


class PreNorm(torch.nn.LayerNorm):
    def forward(self, x):
        return super().forward(x + x.flip(0) * 3)


class Scaled(torch.nn.LayerNorm):
    def forward(self, x):
        return super().forward(x) * 3


class OverFour(torch.nn.Softmax):
    def forward(self, x):
        return super().forward(x / 4)


class DevLayerNorm(torch.nn.Module):
    def __init__(self, ddof, outside):
        super().__init__()
        self.eps, self.ddof, self.outside = 1e-4, ddof, outside

    def forward(self, x):
        variance = x.var(-1, unbiased=self.ddof == 1, keepdim=True)
        return (x - x.mean(-1, keepdim=True)) / (variance.sqrt() + self.eps if self.outside else (variance + self.eps).sqrt())


class HalfRMSNorm(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight, self.eps = torch.nn.Parameter(torch.rand(24) + 1), 1e-6

    def forward(self, x):
        wide = x.float()
        return self.weight * (wide * torch.rsqrt(wide.square().mean(-1, keepdim=True) + self.eps)).bfloat16()


class Unhashable(torch.nn.Module):
    __hash__ = None

    def __eq__(self, other):
        return False

    def forward(self, x):
        return x.sum()


class Gains(torch.nn.Module):
    def __init__(self, factor=1.0):
        super().__init__()
        self.gain, self.offset, self.factor = torch.nn.Parameter(torch.rand(24) + 2), torch.nn.Parameter(torch.rand(24)), factor

    def forward(self, x):
        return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-8) * self.gain * self.factor + self.offset


class Eps(torch.nn.Module):
    eps = 1e-6

    def __init__(self, used):
        super().__init__()
        self.used = used

    def forward(self, x):
        return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + self.used)


class Both(torch.nn.Module):
    def __init__(self, of):
        super().__init__()
        self.of = of

    def forward(self, x):
        return [one(x) for one in self.of.values()]


class MyNorm(XLayerNorm):
    pass


class LegacySoftmax(torch.nn.Softmax):
    def forward(self, x):
        return x.exp() / x.exp().sum(0, keepdim=True)


def modules():
    x = torch.randn(5, 24) + 1

    def of(module, *arguments, **named):
        with torch.no_grad(), scope(sample=1.0, **{"modules": named.pop("modules", None)}) as s:
            module(*arguments, **named)
        return [one.key.kind.partition(" of")[0] for one in s.entries() if "of the module" in one.key.kind], [str(one.finding) for one in s.findings], dict(s.left_out)
    for is_rms, kind in ((False, "layer_norm"), (True, "rms_norm")):
        say(of(XLayerNorm(is_rms), x)[1:] == ([], {}) and len(of(XLayerNorm(is_rms), x)[0]) == 1, f"a norm by its name that is {kind}", of(XLayerNorm(is_rms), x))
    say(of(XLayerNorm(), hidden=x) == of(XLayerNorm(), x), "an argument by its name", of(XLayerNorm(), hidden=x))
    say(of(XLayerNorm(shift=1.0), x)[1:] == ([], {}), "one whose weight is about 0", of(XLayerNorm(shift=1.0), x))
    say(of(XLayerNorm(shift=2.0), x)[1] == [] and of(XLayerNorm(shift=2.0), x)[2], "one that computes another is left out, with a reason", of(XLayerNorm(shift=2.0), x))
    say(of(Gains(), x, modules={Gains: "rms_norm"})[1:] == ([], {}), "a weight by another name", of(Gains(), x, modules={Gains: "rms_norm"}))
    say(of(Gains(7.0), x, modules={Gains: "rms_norm"})[1] != [], "twin: and computed otherwise", of(Gains(7.0), x, modules={Gains: "rms_norm"}))
    for one in (PreNorm(24), Scaled(24), OverFour(-1)):
        say(of(one, x * 20)[:2] == ([], []) and of(one, x * 20)[2] == {}, f"what {type(one).__name__} computes by an operation is looked at there", of(one, x * 20))
    for ddof, outside in ((1, False), (0, True), (1, True)):
        say(of(DevLayerNorm(ddof, outside), x)[1] == [] and of(DevLayerNorm(ddof, outside), x)[2], "another definition of a norm is left out", of(DevLayerNorm(ddof, outside), x))
    say(of(DevLayerNorm(0, False), x)[2] == {}, "twin: the definition", of(DevLayerNorm(0, False), x))
    say(of(HalfRMSNorm(), x.bfloat16())[1:] == ([], {}), "a norm that rounds to the format of its input", of(HalfRMSNorm(), x.bfloat16()))
    say(of(HalfRMSNorm(), x)[1] != [], "twin: of binary32", of(HalfRMSNorm(), x))
    say(of(Unhashable(), x)[1:] == ([], {}), "a module that has no hash")
    say(of(Eps(1e-6), x * 1e-4, modules={Eps: "rms_norm"})[1] == [] and of(Eps(1e-3), x * 1e-4, modules={Eps: "rms_norm"})[1] != [], "an eps that is another than the module says", of(Eps(1e-3), x * 1e-4))
    say(of(Eps(1e-3), x * 1e-4)[0] == [] and of(Eps(1e-3), x * 1e-4)[2] == {}, "of a module that nobody named nothing is expected")
    say(of(XLayerNorm(in_place=True), x.clone())[:2] == ([], []), "one that writes to its input is not judged", of(XLayerNorm(in_place=True), x.clone()))
    say(of(MyNorm(True), x, modules={MyNorm: "rms_norm"})[0] == ["rms_norm"] and of(MyNorm(True), x)[0] == [], "classes that are named")
    say(of(LegacySoftmax(), torch.randn(3, 4, 5))[1] == [] and of(LegacySoftmax(1), torch.randn(3, 4, 5))[1] != [], "a softmax without an axis has PyTorch's", of(LegacySoftmax(), torch.randn(3, 4, 5)))


if __name__ == "__main__":
    for part in (rows, operands, places, bounds, known, births, digested, added, left, asked, children, modules):
        part()
    sys.exit(bool(failed))
