"""A Sample beside its exact results: errors, shares of a bound, and what the bits tell of the arithmetic.

Exact results are libulpscope's, rounded once to binary64; what is composed of them (weights of a layer norm, roots, attention) is
composed in binary64.  Everything here is on the host, in binary64.
"""

import ctypes
import math
import typing

import torch

from ulpscope import accuracy, arrays, library, operands
from ulpscope.torch.operations import FORMATS, Sample

OPERATIONS = {"sum": library.ROWS, "index_add": library.ROWS, "mean": library.MEAN, "var": library.VARIANCE, "std": library.STD, "matmul": library.MATMUL,
              "convolution": library.MATMUL, "cumsum": library.SCAN, "softmax": library.SOFTMAX, "log_softmax": library.LOG_SOFTMAX,
              "logsumexp": library.LOGSUMEXP, "layer_norm": library.LAYER_NORM, "rms_norm": library.RMS_NORM, "norm": library.MATMUL}
PRODUCTS = ("matmul", "convolution")
COLUMNS = ctypes.sizeof(library.Error) // 8
NEAREST, ABS_ABOVE, ERROR, BOUND = 2, 5, 8, 12  # columns of struct ulpscope_error as numbers of 8 bytes
TINY = 2.0 ** -1000


class Exact(typing.NamedTuple):
    """Of as many results: all NaN where one is not defined."""

    value: torch.Tensor
    scale: torch.Tensor  # sum |x_i|, or what stands in its place
    error: torch.Tensor  # |computed - value|
    bound: torch.Tensor  # of results in the format that they were added in; infinite where there is none


class Judged(typing.NamedTuple):
    """Of one call.  Results that are not defined, as operands are infinite or NaN, are left out."""

    kind: str
    format: str
    count: int
    ulp_error: torch.Tensor
    share: torch.Tensor  # of the bound
    signed: torch.Tensor  # in ulps, computed - exact
    digits: float  # the fewest decimal digits that are right of sum |x_i|
    worst: typing.Tuple[int, ...]
    finding: str
    sample: Sample  # of the row of the worst,
    results: torch.Tensor  # and what was computed of it
    computed: float
    exact: float


def errors_of(operation: int, x: torch.Tensor, y: typing.Optional[torch.Tensor], computed: torch.Tensor, added: str, **settings: typing.Any) -> Exact:
    """Of the library."""
    given = [operands.operand(one, "x") for one in (x, y) if one is not None]
    arrays_of = [one.array() for one in given]
    of = library.Problem(operation, arrays_of[0], arrays_of[1] if y is not None else library.Array(), operands.number_of("binary64"), operands.number_of(added))
    for name, value in settings.items():
        setattr(of, name, value)
    found = (library.Error * computed.numel())()
    found[0].size, found[0].exact.size = ctypes.sizeof(library.Error), ctypes.sizeof(library.Value)
    computed = computed.double().contiguous()
    library.check(library.library().ulpscope_errors(of, computed.data_ptr(), found))
    numbers = torch.frombuffer(found, dtype=torch.float64).reshape(*computed.shape, COLUMNS)
    return Exact(*(numbers[..., column].clone() for column in (NEAREST, ABS_ABOVE, ERROR, BOUND)))


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


def exactly(sample: Sample, computed: torch.Tensor, added: str) -> Exact:
    """Of every result, with the bound of what it is composed of."""
    u = 2.0 ** -arrays.ROUNDING[added][0]
    kind, settings = sample.kind, sample.settings
    if kind in PRODUCTS:
        return errors_of(library.MATMUL, *with_bias(sample), computed, added)
    if kind == "attention":
        return attention(sample, computed)
    if kind == "norm":
        return root_of_squares(sample.x, computed, added, u)
    of = errors_of(OPERATIONS[kind], sample.x, None, computed, added, **{name: settings[name] for name in ("ddof", "eps") if name in settings})
    if kind not in ("layer_norm", "rms_norm") or not {"weight", "bias"} & set(settings):
        return of if kind not in ("softmax", "log_softmax", "logsumexp") else of._replace(bound=torch.full_like(of.bound, math.inf))
    weight, bias = (settings[name].double() if name in settings else torch.full_like(of.value[0], other) for name, other in (("weight", 1), ("bias", 0)))
    value = of.value * weight + bias
    bound = of.bound * weight.abs() * (1 + 4 * u) + u * (1 + 4 * u) * ((of.value * weight).abs() + value.abs())
    return Exact(value, (of.scale * weight).abs() + bias.abs(), (computed - value).abs(), bound)


def root_of_squares(x: torch.Tensor, computed: torch.Tensor, added: str, u: float) -> Exact:
    """|root(a + e) - root(a)| <= |e| / root(a)."""
    squares = [errors_of(library.DOT, row, row, computed[:1], added) for row in x]
    value, bound = (torch.stack([one[i][0] for one in squares]) for i in (0, 3))
    root = value.sqrt()
    return Exact(root, root, (computed - root).abs(), torch.where(value > 0, bound / root, bound) + 2 * u * root)


def attention(sample: Sample, computed: torch.Tensor) -> Exact:
    """Scores, softmax and output, each of exact results that were rounded to binary64.  It has no bound."""
    k, v, settings = sample.settings["k"], sample.settings["v"], sample.settings
    rows = []
    for i, until in enumerate(settings["until"]):
        scores = products(sample.x[i:i + 1], k[:until].T).value * settings["scale"]
        if "mask" in settings:
            mask = settings["mask"][i:i + 1, :until]
            scores = torch.where(mask, scores, torch.full_like(scores, -math.inf)) if mask.dtype is torch.bool else scores + mask.double()
        shares = errors_of(library.SOFTMAX, scores, None, torch.zeros_like(scores), "binary64").value
        of = products(shares, v[:until].double())
        rows.append(Exact(of.value, of.scale, (computed[i:i + 1] - of.value).abs(), torch.full_like(of.value, math.inf)))
    return Exact(*(torch.cat(parts) for parts in zip(*rows)))


def products(x: torch.Tensor, y: torch.Tensor) -> Exact:
    return errors_of(library.MATMUL, x, y, torch.zeros(len(x), y.shape[1]), "binary64")


def judge(sample: Sample, results: torch.Tensor) -> typing.Optional[Judged]:
    """None where no result is defined.  results: in the format that they were computed in, on the host."""
    format = FORMATS[results.dtype]
    precision, least, beyond = arrays.ROUNDING[format]
    added = "binary64" if "binary64" in (format, FORMATS[sample.x.dtype]) else "binary32"
    computed = results.double()
    of = exactly(sample, computed, added)
    overflows = of.value.abs() >= 2.0 ** beyond * (1 - 2.0 ** (-precision - 1)) if format != "binary64" else of.value.isinf()
    right = (computed == of.value) | (overflows & computed.isinf() & (computed.sign() == of.value.sign()))
    error = torch.where(right, torch.zeros_like(of.error), torch.where(computed.isfinite(), of.error, torch.full_like(of.error, math.inf)))
    unit = ulp(of.value, format)
    # rounded once more to the format of the results, by at most half a unit; a module rounds what it keeps, too
    roundings = sample.settings.get("roundings", int(format != added))
    limit = of.bound + roundings / 2 * ulp(of.value.abs() + of.bound.nan_to_num(0, 0, 0), format)
    share = torch.where(of.bound.isfinite(), error / limit.clamp(min=TINY), torch.full_like(error, math.nan))
    defined = ~of.value.isnan() & (of.value.isfinite() | overflows & bool(sample.kind != "log_softmax"))  # of which -inf is that of a mask
    if not bool(defined.any()):
        return None
    ulps = torch.where(defined, error / unit, torch.full_like(error, -1))
    rank = torch.where(share.isnan() | ~defined, ulps, ulps.clamp(max=1e30) * 2 ** -60 + share.nan_to_num(0, math.inf) * 2 ** 60)
    place = int(rank.argmax())
    worst = tuple(place // math.prod(rank.shape[d + 1:]) % n for d, n in enumerate(rank.shape))
    relative = float((torch.where(defined, error, torch.zeros_like(error)) / of.scale.clamp(min=TINY)).max())
    signed = ulps.masked_select(defined) * (computed - of.value).masked_select(defined).sign()
    finding = found_in(sample, computed, of, error, share.masked_select(defined), relative, precision, added, worst)
    return Judged(sample.kind, format, int(defined.sum()), ulps.masked_select(defined), share.masked_select(defined), signed,
                  -math.log10(max(relative, 2.0 ** -precision)) if relative < 1 else 0.0, worst, finding, alone(sample, worst),
                  results[worst if sample.kind in PRODUCTS else worst[0]].clone(), float(computed[worst]), float(of.value[worst]))


def alone(sample: Sample, worst: typing.Tuple[int, ...]) -> Sample:
    """What the worst result is of."""
    row = sample.x[worst[0]]
    if sample.kind in PRODUCTS:
        x, y = with_bias(sample)
        return Sample(sample.kind, x[worst[0]].clone(), y[:, worst[1]].clone(), sample.pick, {})
    settings = {name: value for name, value in sample.settings.items() if name in ("ddof", "eps")}
    return Sample(sample.kind, row.clone(), None, sample.pick, settings)


# ---- what the bits tell ----

def rounded_factors(sample: Sample, computed: torch.Tensor, error: torch.Tensor) -> str:
    """The format that both factors were rounded to, as far as results are far nearer to the product of such."""
    for format, rounded in ROUNDINGS:
        x, y = with_bias(sample._replace(x=rounded(sample.x), y=rounded(typing.cast(torch.Tensor, sample.y))))
        if bool((errors_of(library.MATMUL, x, y, computed, "binary32").error * 4 <= error).all()) and bool((error > 0).any()):
            return format
    return ""


def to_tf32(x: torch.Tensor, half: int) -> torch.Tensor:
    """By adding so much to the bits that are dropped; finite numbers are taken."""
    return ((x.contiguous().view(torch.int32) + half) & ~0x1FFF).view(torch.float32)


ROUNDINGS: typing.Tuple[typing.Tuple[str, typing.Callable[[torch.Tensor], torch.Tensor]], ...] = (
    ("tf32", lambda x: to_tf32(x, 0x1000)), ("tf32, toward zero", lambda x: to_tf32(x, 0)), ("bfloat16", lambda x: x.bfloat16().float()),
    ("binary16", lambda x: x.half().float()))


def found_in(sample: Sample, computed: torch.Tensor, of: Exact, error: torch.Tensor, share: torch.Tensor, relative: float, precision: int, added: str,
             worst: typing.Tuple[int, ...]) -> str:
    """A sentence about what no rounding of the format explains; "" for nothing of that kind."""
    is_beyond = bool((share > 1).any())
    if sample.kind in PRODUCTS and sample.x.dtype is torch.float32 and bool(error.isfinite().all()):
        format = rounded_factors(sample, computed, error)
        if format:
            return f"factors rounded to {format}"
    if is_beyond:
        cause = cause_of(alone(sample, worst), computed[worst], added) if sample.kind in (*PRODUCTS, "sum", "index_add") else ""
        return f"beyond the bound of {'additions' if sample.kind not in ('layer_norm', 'rms_norm') else 'two passes'} in {added}" + (f": {cause}" if cause else "")
    if not bool(of.bound.isfinite().any()) and relative > 2.0 ** (-precision / 2):
        return "more than half of the digits are wrong"
    return ""


def cause_of(sample: Sample, computed: torch.Tensor, added: str) -> str:
    """What libulpscope names: "equals bfloat16 partial sums, bit for bit"."""
    problem = accuracy.Problem(library.DOT if sample.y is not None else library.SUM, sample.x, sample.y, added)
    results = computed.to(sample.x.dtype)
    return problem.judge(problem.results(results), "auto").cause.decode(errors="replace") if bool(results == computed) else ""
