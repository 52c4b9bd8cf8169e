"""A Sample beside its exact results: errors, shares of a bound, and what the bits tell of the arithmetic.

Exact results are libulpscope's, rounded once to binary64; what is composed of them (weights of a layer norm, roots, attention) is
composed in binary64.  Everything here is on the host, in binary64.
"""

import ctypes
import math
import operator
import typing

import torch

from ulpscope import accuracy, arrays, library, operands
from ulpscope.torch.operations import FORMATS, Sample

OPERATIONS = {"sum": library.ROWS, "index_add": library.ROWS, "mean": library.MEAN, "var": library.VARIANCE, "std": library.STD, "matmul": library.MATMUL,
              "convolution": library.MATMUL, "cumsum": library.SCAN, "softmax": library.SOFTMAX, "log_softmax": library.LOG_SOFTMAX,
              "logsumexp": library.LOGSUMEXP, "layer_norm": library.LAYER_NORM, "rms_norm": library.RMS_NORM, "norm": library.MATMUL}
PRODUCTS = ("matmul", "convolution")
COLUMNS = operator.itemgetter(2, 5, 8, 9, 12)  # of struct ulpscope_error as numbers of 8 bytes: nearest, sum_abs_above, error, ulp_error, bound
TINY = 2.0 ** -1000
UNSUSPICIOUS = 2.0 ** -21  # errors beside sum |x| on average: factors of tf32 have more unless there are a million


class Exact(typing.NamedTuple):
    """Of as many results, each beside its exact value: NaN where that is not defined."""

    value: torch.Tensor
    scale: torch.Tensor  # sum |x_i|, or what stands in its place
    error: torch.Tensor  # |computed - value|
    ulp_error: torch.Tensor
    bound: torch.Tensor  # rounded to the format of results; infinite where there is none


class Row(typing.NamedTuple):
    """What the worst result of a call is of."""

    kind: str
    x: torch.Tensor
    y: typing.Optional[torch.Tensor]
    settings: typing.Dict[str, typing.Any]
    results: torch.Tensor


class Judged(typing.NamedTuple):
    """Of one call.  Results that are not defined, as operands are infinite or NaN, are left out."""

    format: str
    ulp_error: torch.Tensor
    share: torch.Tensor  # of the bound; NaN where there is none
    signed: torch.Tensor  # in ulps, computed - exact
    digits: float  # the fewest decimal digits that are right of sum |x_i|
    finding: str
    worst: Row


def errors_of(operation: int, x: torch.Tensor, y: typing.Optional[torch.Tensor], computed: torch.Tensor, added: str, **settings: typing.Any) -> Exact:
    """Of the library, in the format of `computed`."""
    given = [operands.operand(one, "x").array() for one in (x, y) if one is not None]
    of = library.Problem(operation, given[0], given[1] if y is not None else library.Array(), operands.number_of(FORMATS[computed.dtype]), operands.number_of(added))
    for name, value in settings.items():
        setattr(of, name, value)
    found = (library.Error * computed.numel())()
    found[0].size, found[0].exact.size = ctypes.sizeof(library.Error), ctypes.sizeof(library.Value)
    computed = computed.contiguous()
    library.check(library.library().ulpscope_errors(of, computed.data_ptr(), found))
    numbers = torch.frombuffer(found, dtype=torch.float64).reshape(*computed.shape, -1)
    return Exact(*COLUMNS(numbers.unbind(-1)))


def with_bias(sample: Sample) -> typing.Tuple[torch.Tensor, torch.Tensor]:
    """Factors of products, with what is added as further products: 1 times the bias of a row, 0 times that of others."""
    x, y = sample.x, typing.cast(torch.Tensor, sample.y)
    bias = sample.settings.get("bias")
    if bias is None:
        return x, y
    if bool((bias == bias[:1]).all()):
        return torch.cat([x, x.new_ones(len(x), 1)], 1), torch.cat([y, bias[:1].to(y.dtype)])
    return torch.cat([x, torch.eye(len(x), dtype=x.dtype)], 1), torch.cat([y, bias.to(y.dtype)])


def ulp(of: torch.Tensor, format: str) -> torch.Tensor:
    """The spacing of the format there."""
    precision, least, _ = arrays.ROUNDING[format]
    exponent = torch.frexp(of.abs())[1] - precision
    return torch.ldexp(torch.ones_like(of), torch.where(of == 0, torch.full_like(exponent, least), exponent.clamp(min=least)))


def exactly(sample: Sample, results: torch.Tensor, added: str) -> Exact:
    """Of every result, with the bound of what it is composed of."""
    kind, settings = sample.kind, sample.settings
    if kind in PRODUCTS:
        return errors_of(library.MATMUL, *with_bias(sample), results, added)
    if kind == "attention":
        return attention(sample, results)
    if kind == "norm":
        return root_of_squares(sample.x, results, added)
    own = {name: settings[name] for name in ("ddof", "eps") if name in settings}
    if kind not in ("layer_norm", "rms_norm") or not {"weight", "bias", "roundings"} & set(settings):
        of = errors_of(OPERATIONS[kind], sample.x, None, results, added, **own)
        return of if kind not in ("softmax", "log_softmax", "logsumexp") else of._replace(bound=torch.full_like(of.bound, math.inf))
    return normalised(sample, results, added, own)


def normalised(sample: Sample, results: torch.Tensor, added: str, own: typing.Dict[str, typing.Any]) -> Exact:
    """Of exact means and variances, rounded to binary64; the bound is the library's, of the numbers before weight and bias."""
    x, settings = sample.x.double(), sample.settings
    of = errors_of(OPERATIONS[sample.kind], sample.x, None, torch.zeros_like(sample.x) if added == "binary64" else sample.x.new_zeros(x.shape, dtype=torch.float32),
                   added, **own)
    zeros = x.new_zeros(len(x))
    if sample.kind == "layer_norm":
        x = x - errors_of(library.MEAN, sample.x, None, zeros, "binary64").value[:, None]
    squares = errors_of(library.VARIANCE if sample.kind == "layer_norm" else library.MEAN_SQUARE, sample.x, None, zeros, "binary64").value
    z = x / (squares + settings["eps"]).sqrt()[:, None]
    u = 2.0 ** -arrays.ROUNDING[added][0]
    weight, bias = (settings[name].double() if name in settings else torch.full_like(z[0], other) for name, other in (("weight", 1), ("bias", 0)))
    value = z * weight + bias
    bound = of.bound * weight.abs() * (1 + 4 * u) + u * (1 + 4 * u) * ((z * weight).abs() + value.abs())
    return composed(value, (of.scale * weight).abs() + bias.abs(), bound, results, settings.get("roundings", 1))


def composed(value: torch.Tensor, scale: torch.Tensor, bound: torch.Tensor, results: torch.Tensor, roundings: int = 1) -> Exact:
    """Of an exact value that was composed in binary64, and rounded so often to the format of the results: a module rounds what it keeps, too."""
    format = FORMATS[results.dtype]
    error = (results.double() - value).abs()
    unit = ulp(value, format)
    return Exact(value, scale, error, error / unit, bound + roundings / 2 * ulp(value.abs() + bound.nan_to_num(0, 0, 0), format))


def root_of_squares(x: torch.Tensor, results: torch.Tensor, added: str) -> Exact:
    """|root(a + e) - root(a)| <= |e| / root(a)."""
    squares = [errors_of(library.DOT, row, row, torch.zeros(1, dtype=torch.float64), added) for row in x]
    value, bound = (torch.stack([getattr(one, name)[0] for one in squares]) for name in ("value", "bound"))
    root = value.sqrt()
    return composed(root, root, torch.where(value > 0, bound / root, bound), results, 3)


def attention(sample: Sample, results: torch.Tensor) -> Exact:
    """Exact scores, rounded to binary64, their softmax in binary64, and exact sums of products with that.  It has no bound."""
    k, v, settings = sample.settings["k"], sample.settings["v"], sample.settings
    rows = []
    for i, until in enumerate(settings["until"]):
        scores = products(sample.x[i:i + 1], k[:until].T).value * settings["scale"]
        if "mask" in settings:
            mask = settings["mask"][i:i + 1, :until]
            scores = torch.where(mask, scores, torch.full_like(scores, -math.inf)) if mask.dtype is torch.bool else scores + mask.double()
        rows.append(products(scores.softmax(-1), v[:until]))
    value, scale = (torch.cat([getattr(one, name) for one in rows]) for name in ("value", "scale"))
    return composed(value, scale, torch.full_like(value, math.inf), results)


def products(x: torch.Tensor, y: torch.Tensor) -> Exact:
    return errors_of(library.MATMUL, x, y, torch.zeros(len(x), y.shape[1], dtype=torch.float64), "binary64")


def judge(sample: Sample, results: torch.Tensor) -> typing.Optional[Judged]:
    """None where no result is defined.  results: in the format that they were computed in, on the host."""
    format = FORMATS[results.dtype]
    precision, _, beyond = arrays.ROUNDING[format]
    added = "binary64" if "binary64" in (format, FORMATS[sample.x.dtype]) else "binary32"
    of = exactly(sample, results, added)
    computed = results.double()
    defined = of.value.isfinite()
    if not bool(defined.all()) or not bool(computed.isfinite().all()):
        # An infinity is right where the exact value is beyond the format; of a masked logarithm it says nothing.
        of, defined = with_infinities(of, computed, 2.0 ** beyond * (1 - 2.0 ** (-precision - 1)), sample.kind == "log_softmax")
        if not bool(defined.any()):
            return None
    share = torch.where(of.bound.isfinite(), of.error / of.bound.clamp(min=TINY), torch.full_like(of.error, math.nan))
    rank = torch.where(defined, share.nan_to_num(0, math.inf) * 2 ** 60 + of.ulp_error.clamp(max=1e30) * 2 ** -60, torch.full_like(share, -1))
    place = divmod(int(rank.argmax()), rank.shape[-1] if rank.dim() > 1 else 1)
    relative = float((of.error / of.scale.clamp(min=TINY))[defined].max())
    ulps, share = of.ulp_error[defined], share[defined]
    row = row_of(sample, results, place)
    return Judged(format, ulps, share, ulps * (computed - of.value)[defined].sign(), -math.log10(max(relative, 2.0 ** -precision)) if relative < 1 else 0.0,
                  found_in(sample, results, of, share, relative, precision, added, row), row)


def with_infinities(of: Exact, computed: torch.Tensor, beyond: float, is_masked: bool) -> typing.Tuple[Exact, torch.Tensor]:
    overflows = of.value.abs() >= beyond
    defined = ~of.value.isnan() & (of.value.isfinite() | (overflows & (not is_masked)))
    is_right = (computed == of.value) | (overflows & computed.isinf() & (computed.sign() == of.value.sign()))
    is_wrong = ~is_right & ~computed.isfinite()
    return of._replace(**{name: torch.where(is_right, torch.zeros_like(of.error), torch.where(is_wrong, torch.full_like(of.error, math.inf), getattr(of, name)))
                          for name in ("error", "ulp_error")}), defined


def row_of(sample: Sample, results: torch.Tensor, place: typing.Tuple[int, int]) -> Row:
    if sample.kind in PRODUCTS:
        x, y = with_bias(sample)
        return Row(sample.kind, x[place[0]].clone(), y[:, place[1]].clone(), {}, results[place].clone())
    return Row(sample.kind, sample.x[place[0]].clone(), None, {name: one for name, one in sample.settings.items() if name in ("ddof", "eps")}, results[place[0]].clone())


# ---- what the bits tell ----

def rounded_factors(sample: Sample, results: torch.Tensor, of: Exact) -> str:
    """The format that both factors were rounded to, as far as results are far nearer to the product of such."""
    scale = of.scale.clamp(min=TINY)
    found = float((of.error / scale).sum())
    if found <= UNSUSPICIOUS * of.error.numel():
        return ""
    for format, rounded in ROUNDINGS:
        x, y = with_bias(sample._replace(x=rounded(sample.x), y=rounded(typing.cast(torch.Tensor, sample.y))))
        if float((errors_of(library.MATMUL, x, y, results, "binary32").error / scale).sum()) * 4 <= found:
            return format
    return ""


def to_tf32(x: torch.Tensor, half: int) -> torch.Tensor:
    """By adding so much to the bits that are dropped; finite numbers are taken."""
    return ((x.contiguous().view(torch.int32) + half) & ~0x1FFF).view(torch.float32)


ROUNDINGS: typing.Tuple[typing.Tuple[str, typing.Callable[[torch.Tensor], torch.Tensor]], ...] = (
    ("tf32", lambda x: to_tf32(x, 0x1000)), ("tf32, toward zero", lambda x: to_tf32(x, 0)), ("bfloat16", lambda x: x.bfloat16().float()),
    ("binary16", lambda x: x.half().float()))


def found_in(sample: Sample, results: torch.Tensor, of: Exact, share: torch.Tensor, relative: float, precision: int, added: str, row: Row) -> str:
    """A sentence about what no rounding of the format explains; "" for nothing of that kind."""
    if sample.kind in PRODUCTS and sample.x.dtype is torch.float32 and bool(of.error.isfinite().all()):
        format = rounded_factors(sample, results, of)
        if format:
            return f"factors rounded to {format}"
    if bool((share > 1).any()):
        cause = cause_of(row, added) if sample.kind in (*PRODUCTS, "sum", "index_add") else ""
        return f"beyond the bound of {'two passes' if sample.kind in ('layer_norm', 'rms_norm') else 'additions'} in {added}" + (f": {cause}" if cause else "")
    if bool(share.isnan().all()) and relative > 2.0 ** (-precision / 2):
        return "more than half of the digits are wrong"
    return ""


def cause_of(row: Row, added: str) -> str:
    """What libulpscope names: "equals bfloat16 partial sums, bit for bit"."""
    problem = accuracy.Problem(library.DOT if row.y is not None else library.SUM, row.x, row.y, added)
    return problem.judge(problem.results(row.results), "auto").cause.decode(errors="replace")
