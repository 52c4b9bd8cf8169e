"""What is known of one operation of a model."""

import collections
import math
import os
import re
import typing

import torch

from ulpscope import accuracy, library
from ulpscope.torch import judging
from ulpscope.torch.places import Place

CASES = {**judging.OPERATIONS, "matmul": library.DOT, "convolution": library.DOT, "sum": library.SUM, "index_add": library.SUM}
CASES["mean_square"] = library.MEAN_SQUARE
del CASES["norm"]


class Key(typing.NamedTuple):
    place: Place
    kind: str
    number: int  # which of its kind in one call of the module, from 1 on

    def __str__(self) -> str:
        return f"{self.place.path or 'outside of modules'}: {self.kind}{f' {self.number}' if self.number > 1 else ''}{', backward' if self.place.is_backward else ''}"


class Entry:
    """What is known of one operation of the model, of all its calls.  Numbers are of the results that were drawn."""

    def __init__(self, key: Key, order: int) -> None:
        self.key, self.order = key, order
        self.calls = self.sampled = self.results = self.nonfinite = self.undefined = 0  # undefined: results of which operands hold NaN or infinities
        self.format = ""
        self.ulp_error, self.share, self.relative = 0.0, math.nan, 0.0  # the largest; relative to sum |x_i|
        self.signed: typing.List[float] = [0.0, 0.0, 0.0]  # means of computed - exact in ulps, one of each call: how many, their sum, the sum of squares
        self.born: typing.Optional[str] = None
        self.born_at = 2 ** 63  # how many were born before
        self.findings: "collections.Counter[str]" = collections.Counter()
        self.judged: typing.Optional[judging.Judged] = None  # of the worst call,
        self.top = (False, -math.inf, -math.inf)  # which this says

    def __repr__(self) -> str:
        return f"<{self.key}: {self.finding or 'nothing is wrong'}>"

    def add(self, judged: judging.Judged) -> None:
        self.undefined += judged.undefined
        if judged.worst is None:
            return
        self.sampled += 1
        self.results += judged.results
        self.format = judged.format
        finite = [one for one in judged.signed if math.isfinite(one)]
        self.nonfinite += len(judged.signed) - len(finite)
        if finite:
            mean = math.fsum(finite) / len(finite)
            self.signed = [a + b for a, b in zip(self.signed, (1, mean, mean * mean))]
        rank = (bool(judged.finding), -1.0 if math.isnan(judged.share) else judged.share, judged.ulp_error)
        if rank > self.top:
            self.judged, self.top = judged._replace(worst=judged.worst.copy()), rank
        self.ulp_error, self.relative = max(self.ulp_error, judged.ulp_error), max(self.relative, judged.relative)
        self.share = judged.share if math.isnan(self.share) else self.share if math.isnan(judged.share) else max(judged.share, self.share)
        if judged.finding:
            self.findings[judged.finding.partition(":")[0]] += 1

    @property
    def kind(self) -> str:
        return self.judged.worst.kind if self.judged and self.judged.worst else self.key.kind.partition(" of ")[0]

    @property
    def bias(self) -> float:
        """The mean of computed - exact in ulps; nan of no result."""
        return self.signed[1] / self.signed[0] if self.signed[0] else math.nan

    @property
    def digits(self) -> float:
        """How many decimal digits of sum |x_i| are right in the worst result; inf where none is wrong."""
        return max(0.0, -math.log10(self.relative)) if self.relative else math.inf

    @property
    def is_biased(self) -> bool:
        """Whether it is beyond what chance makes of it once in 16,000 times, of 20 calls or more: results of one call are not independent."""
        count, total, squares = self.signed
        spread = math.sqrt(max(squares / count - (total / count) ** 2, 0) / count) if count >= 20 else math.inf
        return abs(self.bias) > 4 * spread

    @property
    def finding(self) -> str:
        """What is wrong; "" for nothing."""
        if self.born:
            return self.born
        if not self.findings:
            return ""
        text = typing.cast(judging.Judged, self.judged).finding
        return f"{text}, in {sum(self.findings.values())} of {self.sampled} calls looked at"

    def beyond(self, limit: str) -> str:
        """What is beyond it: "auto", "2ulp" or "1e-6abs", which is relative to sum |x_i|; "" for nothing.  Throws ValueError for what is no limit."""
        kind = next((kind for kind in ("ulp", "abs", "auto") if limit.endswith(kind)), "")
        try:
            least = 1.0 if limit == "auto" else float(limit[:-len(kind)])
        except ValueError:
            least = -1.0
        if not kind or not 0 <= least < math.inf:
            raise ValueError(f'expected a limit "auto", "2ulp" or "1e-6abs", found {limit!r}')
        found, unit = {"ulp": (self.ulp_error, "ulp"), "abs": (self.relative, "of sum |x|"), "auto": (self.share, "of its bound")}[kind]
        return "" if found <= least else f"{self.key}: {found:.3g} {unit}, limit {limit}" if found == found else f"{self.key}: no bound is known; give {limit} another form"

    def rank(self) -> typing.Tuple[typing.Any, ...]:
        """Births, in their order, before findings, before all others."""
        share = self.share if self.share == self.share else 0.0
        tier = 0 if self.born else 1 if any(finding.startswith("beyond") for finding in self.findings) else 2 if self.findings else 3
        return (tier, self.born_at, -share, -self.ulp_error, self.order)

    def save(self, folder: typing.Union[str, "os.PathLike[str]"]) -> str:
        """Writes the operands of the worst result into the folder as .npy, and returns the command that opens them; what no command takes, weight, bias
        and result of a norm, as .pt for torch.load.  Throws ValueError where there is no such result, or where no command takes it."""
        if self.judged is None or self.judged.worst is None:
            raise ValueError(f"{self.key}: expected results that were looked at, found none")
        row, name, more = self.judged.worst, file_name(self.key), {}
        if row.kind == "norm" or row.kind in judging.NORMS and {"weight", "bias"} & set(row.settings):  # which no command takes: the row is opened by its variance, exact
            more = {**row.settings, "result": row.results}
            row = row._replace(kind="var" if row.kind == "layer_norm" else "mean_square", settings={})
            row = row._replace(results=judging.errors_of(CASES[row.kind], row.x, None, row.x.new_zeros(()), "binary64")[..., judging.VALUE].to(row.x.dtype))
        if row.kind not in CASES:
            raise ValueError(f"{self.key}: expected an operation that `ulpscope exact` has, found {row.kind}")
        of = accuracy.PerNumber if row.results.dim() else accuracy.Statistic if row.y is None else accuracy.Problem
        problem = of(CASES[row.kind], row.x, **({"added": None, "axis": -1} if row.results.dim() else {} if row.y is None else {"y": row.y}))
        problem.of.ddof, problem.of.eps = row.settings.get("ddof", 0), row.settings.get("eps", 0.0)
        os.makedirs(folder, exist_ok=True)
        if more:
            torch.save(more, os.path.join(os.fspath(folder), name + ".pt"))
        return accuracy.write_case(problem, problem.results(row.results), os.path.join(os.fspath(folder), name))


def file_name(key: Key) -> str:
    """Of one key alone: what is no letter of a word is %2d."""
    return re.sub(r"[^\w.]", lambda one: f"%{ord(one[0]):02x}", key.place.path or "outside") + "-" + re.sub(r"\W+", "-", str(key._replace(place=key.place._replace(path=""))).partition(": ")[2])
