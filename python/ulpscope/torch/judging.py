"""A Sample beside its exact results: errors, shares of a bound, and what the bits tell of the arithmetic.

Exact results are libulpscope's; what is composed of them (weights of a layer norm, roots, attention) is composed in binary64.  This runs beside
the model, whose thread waits for each operation of PyTorch here: there are few.
"""

import ctypes
import math
import typing

import torch

from ulpscope import accuracy, arrays, library, operands
from ulpscope.torch import orders
from ulpscope.torch.operations import FORMATS, Sample, Skip

OPERATIONS = {"sum": library.ROWS, "index_add": library.ROWS, "mean": library.MEAN, "var": library.VARIANCE, "std": library.STD, "matmul": library.MATMUL,
              "convolution": library.MATMUL, "cumsum": library.SCAN, "softmax": library.SOFTMAX, "log_softmax": library.LOG_SOFTMAX,
              "logsumexp": library.LOGSUMEXP, "layer_norm": library.LAYER_NORM, "rms_norm": library.RMS_NORM, "norm": library.MATMUL}
PRODUCTS, NORMS = ("matmul", "convolution"), ("layer_norm", "rms_norm")
ADDED = (*PRODUCTS, "sum", "index_add")
COLUMNS = [2, 5, 8, 9, 12]  # of struct ulpscope_error as numbers of 8 bytes: nearest, sum_abs_above, error, ulp_error, bound
VALUE, SCALE, ERROR, ULPS, BOUND = range(5)  # of what is exact here: [..., 5]; infinite bounds where there is none
ONE_BY_ONE = 64  # results; of more the worst, and so many at equal distances
TINY = 2.0 ** -1000
NO_UNDERFLOW = 2.0 ** -90  # of sum |x y| of binary32: from here on products that are below 2^-126 are too small to matter
UNSUSPICIOUS = 2.0 ** -21  # errors beside sum |x| on average: factors of tf32 have more unless there are a million


class Row(typing.NamedTuple):
    """What the worst result of a call is of."""

    kind: str
    x: torch.Tensor
    y: typing.Optional[torch.Tensor]
    settings: typing.Dict[str, typing.Any]
    results: torch.Tensor

    def copy(self) -> "Row":
        return self._replace(x=self.x.clone(), y=None if self.y is None else self.y.clone(), results=self.results.clone())


class Judged(typing.NamedTuple):
    """Of one call.  Results that are not defined, as operands are infinite or NaN, are counted alone."""

    format: str
    results: int  # that are defined
    undefined: int
    ulp_error: float  # the largest
    share: float  # of the bound, the largest; nan where there is none
    signed: typing.List[float]  # in ulps, computed - exact, of some; 0 of what is correctly rounded
    relative: float  # to sum |x_i|, the largest
    finding: str
    worst: typing.Optional[Row]  # None where no result is defined


def errors_of(operation: int, x: torch.Tensor, y: typing.Optional[torch.Tensor], computed: torch.Tensor, added: str, **settings: typing.Any) -> torch.Tensor:
    """Of the library, in the format of `computed`: [..., 5]."""
    given = [operands.operand(one, "x").array() for one in (x, y) if one is not None]
    of = library.Problem(operation, given[0], given[1] if y is not None else library.Array(), operands.number_of(FORMATS[computed.dtype]), operands.number_of(added))
    for name, value in settings.items():
        setattr(of, name, value)
    found = (library.Error * computed.numel())()
    found[0].size, found[0].exact.size = ctypes.sizeof(library.Error), ctypes.sizeof(library.Value)
    computed = computed.contiguous()
    library.check(library.library().ulpscope_errors(of, computed.data_ptr(), found))
    return torch.frombuffer(found, dtype=torch.float64).reshape(*computed.shape, -1)[..., COLUMNS]


def with_bias(sample: Sample, results: torch.Tensor) -> typing.Tuple[Sample, torch.Tensor]:
    """Factors of products, with what is added as further products: 1 times the bias of a row, 0 times that of others.  Rows whose bias is infinite or NaN are left out."""
    bias, x, y = sample.settings.get("bias"), sample.x, typing.cast(torch.Tensor, sample.y)
    if sample.kind not in PRODUCTS or bias is None:
        return sample, results
    is_finite = bias.isfinite().all(1)
    x, bias, results = x[is_finite], bias[is_finite], results[is_finite]
    is_one = torch.equal(bias, bias[:1].expand_as(bias))
    return sample._replace(x=torch.cat([x, x.new_ones(len(x), 1) if is_one else torch.eye(len(x), dtype=x.dtype)], 1), y=torch.cat([y, bias[:1] if is_one else bias]),
                           settings={"terms": x.shape[1]}), results


def ulp(of: torch.Tensor, format: str) -> torch.Tensor:
    """The spacing of the format there."""
    precision, least, _ = arrays.ROUNDING[format]
    exponent = torch.frexp(of.abs())[1] - precision
    return torch.ldexp(torch.ones_like(of), torch.where(of == 0, torch.full_like(exponent, least), exponent.clamp(min=least)))


def exactly(sample: Sample, results: torch.Tensor, added: str) -> torch.Tensor:
    """Of every result, with the bound of what it is composed of."""
    kind, settings = sample.kind, sample.settings
    own: typing.Dict[str, typing.Any] = {name: settings[name] for name in ("ddof", "eps") if name in settings}
    if added == "binary64" and (kind == "attention" or kind in NORMS and {"weight", "bias", "roundings"} & set(settings)):
        raise Skip("results of binary64, in which what is exact is composed here")
    if kind == "attention":
        return attention(sample, results)
    if kind == "norm":
        return root_of_squares(sample.x, results, added)
    if kind in NORMS and {"weight", "bias", "roundings"} & set(settings):
        return normalised(sample, results, added, own)
    return errors_of(OPERATIONS[kind], sample.x, sample.y, results, added, **own)


def normalised(sample: Sample, results: torch.Tensor, added: str, own: typing.Mapping[str, typing.Any]) -> torch.Tensor:
    """Of exact means and variances, rounded to binary64; the bound is the library's, of the numbers before weight and bias."""
    x, settings = sample.x.double(), sample.settings
    of = errors_of(OPERATIONS[sample.kind], sample.x, None, x.new_zeros(x.shape, dtype=torch.float64 if added == "binary64" else torch.float32), added, **own)
    zeros = x.new_zeros(len(x))
    if sample.kind == "layer_norm":
        x = x - errors_of(library.MEAN, sample.x, None, zeros, "binary64")[:, VALUE, None]
    squares = errors_of(library.VARIANCE if sample.kind == "layer_norm" else library.MEAN_SQUARE, sample.x, None, zeros, "binary64")[:, VALUE]
    z = x / (squares + settings["eps"]).sqrt()[:, None]
    u = 2.0 ** -arrays.ROUNDING[added][0]
    weight, bias = (settings[name].double() if name in settings else torch.full_like(z[0], other) for name, other in (("weight", 1), ("bias", 0)))
    value = z * weight + bias
    bound = of[..., BOUND] * weight.abs() * (1 + 4 * u) + u * (1 + 4 * u) * ((z * weight).abs() + value.abs())
    coarse = sample.x.dtype if "roundings" in settings and torch.finfo(sample.x.dtype).eps > torch.finfo(results.dtype).eps else results.dtype  # a module may round to that in between
    return composed(value, (of[..., SCALE] * weight).abs() + bias.abs(), bound, results, settings.get("roundings", 1), FORMATS[coarse])


def composed(value: torch.Tensor, scale: torch.Tensor, bound: torch.Tensor, results: torch.Tensor, roundings: int = 1, coarse: str = "") -> torch.Tensor:
    """Of an exact value that was composed in binary64, and rounded so often to the format of the results, or a coarser one: a module rounds what it keeps, too."""
    format = FORMATS[results.dtype]
    error = (results.double() - value).abs()
    return torch.stack([value, scale, error, error / ulp(value, format), bound + roundings / 2 * ulp(value.abs() + bound.nan_to_num(0, 0, 0), coarse or format)], -1)


def root_of_squares(x: torch.Tensor, results: torch.Tensor, added: str) -> torch.Tensor:
    """|root(a + e) - root(a)| <= |e| / root(a)."""
    squares = torch.cat([errors_of(library.DOT, row, row, torch.zeros(1, dtype=torch.float64), added) for row in x])
    root, bound = squares[:, VALUE].sqrt(), squares[:, BOUND]
    return composed(root, root, torch.where(root > 0, bound / root, bound), results, 3)


def attention(sample: Sample, results: torch.Tensor) -> torch.Tensor:
    """Exact scores, rounded to binary64, their softmax in binary64, and exact sums of products with that.  It has no bound."""
    k, v, settings = sample.settings["k"], sample.settings["v"], sample.settings
    rows = []
    for i, until in enumerate(settings["until"]):
        scores = products(sample.x[i:i + 1], k[:until].T)[..., VALUE] * settings["scale"]
        if "mask" in settings:
            mask = settings["mask"][i:i + 1, :until]
            scores = torch.where(mask, scores, torch.full_like(scores, -math.inf)) if mask.dtype is torch.bool else scores + mask.double()
        rows.append(products(scores.softmax(-1), v[:until]))
    of = torch.cat(rows)
    return composed(of[..., VALUE], of[..., SCALE], torch.full_like(of[..., VALUE], math.inf), results)


def products(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return errors_of(library.MATMUL, x, y, torch.zeros(len(x), y.shape[1], dtype=torch.float64), "binary64")


# ---- one call ----

def looked_at(of: torch.Tensor) -> typing.Tuple[typing.List[int], int]:
    """Which results are looked at one by one, and how many of them may be taken for all."""
    count = len(of)
    if count <= ONE_BY_ONE:
        return list(range(count)), count
    some = list(range(0, count, -(-count // ONE_BY_ONE)))
    worst = (of[:, ERROR] / of[:, BOUND].clamp(min=TINY), of[:, ULPS], of[:, ERROR] / of[:, SCALE].clamp(min=TINY))
    return some + torch.stack([torch.where(of[:, VALUE].isnan(), -torch.ones_like(one), one.nan_to_num(math.inf, math.inf)) for one in worst]).argmax(1).tolist(), len(some)


def judge(sample: Sample, results: torch.Tensor) -> Judged:
    """results: in the format that they were computed in, on the host."""
    format = FORMATS[results.dtype]
    undefined = int(sample.settings["bias"].isnan().sum()) if sample.kind in PRODUCTS and "bias" in sample.settings else 0
    sample, results = with_bias(sample, results)
    none = Judged(format, 0, undefined, 0.0, math.nan, [], 0.0, "", None)
    if not results.numel():
        return none
    precision, _, beyond = arrays.ROUNDING[format]
    largest = math.inf if format == "binary64" else 2.0 ** beyond * (1 - 2.0 ** (-precision - 1))  # from here on it rounds to infinity
    added = "binary64" if "binary64" in (format, FORMATS[sample.x.dtype]) else "binary32"
    of = exactly(sample, results, added).reshape(-1, 5)
    undefined += int(of[:, VALUE].isnan().sum())
    places, count = looked_at(of)
    signed, top, worst, ulp_error, share, relative = [], (-1.0, -1.0), -1, 0.0, math.nan, 0.0
    for i, (place, computed, (value, scale, error, ulps, bound)) in enumerate(zip(places, results.reshape(-1)[places].double().tolist(), of[places].tolist())):
        overflows = abs(value) >= largest
        if math.isnan(value):
            continue
        if not math.isfinite(computed) or math.isinf(value):
            error = ulps = 0.0 if overflows and math.isinf(computed) and (computed > 0) == (value > 0) else math.inf
        if i < count:
            signed.append(math.nan if ulps == math.inf else 0.0 if computed == value else math.copysign(ulps, computed - value))
        own = math.nan if math.isinf(bound) else 0.0 if error == 0 else error / max(bound, TINY)
        share = own if math.isnan(share) else max(share, own)
        ulp_error, relative = max(ulp_error, ulps), max(relative, error if error in (0.0, math.inf) else error / max(scale, TINY))
        rank = (-0.5 if math.isnan(own) else own, ulps)
        if rank > top:
            top, worst = rank, place
    if worst < 0:
        return none._replace(undefined=undefined)
    row = row_of(sample, results, worst)
    finding = found_in(sample, results, of, share, ulp_error, relative, precision, added, row)
    return Judged(format, int((~of[:, VALUE].isnan()).sum()), undefined, ulp_error, share, signed, relative, finding, row)


def row_of(sample: Sample, results: torch.Tensor, place: int) -> Row:
    if sample.kind in PRODUCTS:
        i, j = divmod(place, results.shape[1])
        return Row(sample.kind, sample.x[i], typing.cast(torch.Tensor, sample.y)[:, j], {}, results[i, j])
    i = place // (results.numel() // len(results))
    return Row(sample.kind, sample.x[i], None, {name: one for name, one in sample.settings.items() if name in ("ddof", "eps", "weight", "bias")}, results[i])


# ---- what the bits tell ----

def rounded_factors(sample: Sample, results: torch.Tensor, of: torch.Tensor) -> str:
    """The format that both factors were rounded to, as far as results are far nearer to the product of such."""
    scale = of[:, SCALE].clamp(min=TINY)
    is_large = scale > NO_UNDERFLOW
    found = float((of[:, ERROR] / scale)[is_large].sum())
    if not UNSUSPICIOUS * int(is_large.sum()) < found < math.inf:
        return ""
    y, terms = typing.cast(torch.Tensor, sample.y), sample.settings.get("terms", sample.x.shape[1])
    for format, rounded in ROUNDINGS:
        parts = rounded(sample.x), torch.cat([rounded(y[:terms]), y[terms:]])
        if float((errors_of(library.MATMUL, *parts, results, "binary32").reshape(-1, 5)[:, ERROR] / scale)[is_large].sum()) * 4 <= found:
            return format
    return ""


def rounded_parts(sample: Sample, results: torch.Tensor) -> str:
    """Into how many parts a product was cut, each rounded to the format of results: as far as nine of ten results are the sum of such, of exact ones."""
    y, terms = typing.cast(torch.Tensor, sample.y), sample.settings.get("terms", sample.x.shape[1])
    bias = sample.x[:, terms:].double() @ y[terms:].double()  # each of one number, and zeros
    for count in (1, 2, 3, 4, 8):
        total = torch.zeros_like(bias)
        for i in range(min(count, terms)):
            first, end = terms * i // count, terms * (i + 1) // count
            total += errors_of(library.MATMUL, sample.x[:, first:end], y[first:end], results, "binary32")[..., VALUE]
            total = total.to(results.dtype).double()
        if float(((total + bias).to(results.dtype) == results).double().mean()) >= 0.9:
            return f"{'the product is' if count == 1 else f'{count} parts of the product are'} rounded to {FORMATS[results.dtype]} before {'the bias is' if count == 1 else 'they are'} added"
    return ""


def to_tf32(x: torch.Tensor, half: int) -> torch.Tensor:
    """By adding so much to the bits that are dropped; finite numbers are taken."""
    return ((x.contiguous().view(torch.int32) + half) & ~0x1FFF).view(torch.float32)


ROUNDINGS: typing.Tuple[typing.Tuple[str, typing.Callable[[torch.Tensor], torch.Tensor]], ...] = (
    ("tf32", lambda x: to_tf32(x, 0x1000)), ("tf32, toward zero", lambda x: to_tf32(x, 0)), ("bfloat16", lambda x: x.bfloat16().float()),
    ("binary16", lambda x: x.half().float()))


def found_in(sample: Sample, results: torch.Tensor, of: torch.Tensor, share: float, ulp_error: float, relative: float, precision: int, added: str, row: Row) -> str:
    """A sentence about what no rounding of the format explains; "" for nothing of that kind."""
    if sample.kind in PRODUCTS and sample.x.dtype is torch.float32 and relative > UNSUSPICIOUS:
        format = rounded_factors(sample, results, of)
        if format:
            return f"factors rounded to {format}"
    if share > 1:
        parts = rounded_parts(sample, results) if sample.kind in PRODUCTS else ""
        if parts:
            return parts
        cause = cause_of(row, added) if sample.kind in ADDED else ""
        return f"beyond the bound of {'two passes' if sample.kind in NORMS else 'additions'} in {added}" + (f": {cause}" if cause else "")
    if (math.isnan(share) or sample.kind == "norm") and relative > 2.0 ** (-precision / 2) and ulp_error > 2.0 ** (precision / 2):  # a subnormal has few digits
        return "more than half of the digits are wrong" + (": its squares are out of range" if sample.kind == "norm" else "")
    return ""


def order_of(sample: Sample, results: torch.Tensor) -> str:
    """Of its additions, as far as bits tell."""
    sample, results = with_bias(sample, results)
    if not results.numel():
        return ""
    return orders.order_of(sample, results, exactly(sample, results, "binary32")[..., VALUE].to(results.dtype))


def cause_of(row: Row, added: str) -> str:
    """What libulpscope names: "equals bfloat16 partial sums, bit for bit"."""
    problem = accuracy.Problem(library.DOT if row.y is not None else library.SUM, row.x, row.y, added)
    return str(problem.judge(problem.results(row.results), "auto").cause.decode(errors="replace"))
