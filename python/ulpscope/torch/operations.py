"""Operations of PyTorch as rows with exact results: which are drawn, what their operands are, and where in a result they stand.

    OPERATIONS[name]    its kind, and the function that draws: None where none is drawn; throws Skip with the reason where it cannot be held to anything

A Sample's tensors lie where the model's do, and are of the drawn rows alone.
"""

import functools
import math
import random
import typing

import torch

from ulpscope import DTYPES, library

Shape = typing.Sequence[int]
Pick = typing.Callable[[torch.Tensor], torch.Tensor]
FORMATS = {getattr(torch, dtype): format for format, dtype in DTYPES.items() if format != "tf32" and hasattr(torch, dtype)}
FIRST = 4  # rows of the first call of each operation, whatever is drawn
OVERWRITES = {f"{name}_" for name in ("copy", "fill", "zero", "normal", "uniform", "bernoulli", "random", "exponential", "log_normal", "cauchy", "geometric", "set")}
AT_MOST = 4096  # numbers of one call of which each has a result
SLOW = AT_MOST // 16  # of a row whose operands are gathered piece by piece: 16 of one call
COLUMNS = 1  # of a row of a product


class Skip(Exception):
    """Why an operation is left out: the end of "left out: "."""


class Sample(typing.NamedTuple):
    kind: str
    x: torch.Tensor  # [rows, n]
    y: typing.Optional[torch.Tensor]  # of a product [n, columns]
    pick: Pick  # the results: [rows], [rows, columns] of a product, [rows, n] of what has one for each number
    settings: typing.Dict[str, typing.Any]  # ddof, eps, weight, bias: tensors and numbers


class Draw:
    """Which rows: `most` of so many calls that the share of all is drawn, or less where each has many results.  Those of one call lie at equal
    distances from a row that is drawn: they are a view and no copy."""

    def __init__(self, seed: int, share: float, most: int) -> None:
        self.random, self.share, self.most = random.Random(seed), share, most
        self.columns = COLUMNS
        self.is_first = False  # of an operation, whose first call always has some

    def rows(self, count: int, n: int = 1) -> range:
        """n: how many results each has."""
        most = min(self.most, count)
        is_drawn = self.random.random() * most < count * self.share
        return self.some(count, min(most if is_drawn else FIRST if self.is_first else 0, max(1, AT_MOST // max(n, 1))))

    def some(self, count: int, drawn: int) -> range:
        drawn = min(drawn, count)
        if not drawn:
            return range(0)
        step = count // drawn
        start = self.random.randrange(count - (drawn - 1) * step)
        return range(start, start + (drawn - 1) * step + 1, step)


def at(places: range) -> slice:
    return slice(places.start, places.stop, places.step)


def unravel(place: int, shape: Shape) -> typing.List[int]:
    return [place // math.prod(shape[d + 1:]) % n for d, n in enumerate(shape)]


def axes_of(dim: typing.Any, dimensions: int) -> typing.List[int]:
    given = [dim] if isinstance(dim, int) else list(dim) if dim else list(range(dimensions))
    return sorted({d % max(dimensions, 1) for d in given}) if dimensions else []


def held(*tensors: typing.Optional[torch.Tensor]) -> None:
    """Throws Skip unless all are dense, of a format and have numbers."""
    for x in tensors:
        if x is None:
            continue
        if type(x) not in (torch.Tensor, torch.nn.Parameter):
            raise Skip(f"a subclass of tensors, {type(x).__name__}")
        if x.layout is not torch.strided or x.device.type == "meta":
            raise Skip(f"tensors of {x.layout if x.layout is not torch.strided else 'no numbers, meta'}")
        if x.dtype not in FORMATS:
            raise Skip("complex numbers" if x.is_complex() else "quantised numbers" if x.is_quantized else "integers" if not x.is_floating_point() else str(x.dtype))
        if not x.numel():
            raise Skip("empty tensors")


# ---- a result for each row, or for each number ----

def along(draw: Draw, kind: str, x: torch.Tensor, dim: typing.Any, dtype: typing.Any = None, keepdim: bool = False, each: bool = False,
          **settings: typing.Any) -> typing.Optional[Sample]:
    """Rows along axes.  each: a result for each number; keepdim: as NumPy has it."""
    held(x)
    if dtype is not None and (dtype not in FORMATS or torch.finfo(dtype).bits < torch.finfo(x.dtype).bits):
        raise Skip(f"numbers that are converted to {dtype} first")
    axes = axes_of(dim, x.dim())
    kept = [d for d in range(x.dim()) if d not in axes]
    shape = [x.shape[d] for d in kept]
    n = x.numel() // max(math.prod(shape), 1)
    drawn = draw.rows(math.prod(shape), n if each else 1)
    if not drawn:
        return None
    if axes == list(range(len(kept), x.dim())) and x.is_contiguous():

        def pick(result: torch.Tensor) -> torch.Tensor:
            return result.reshape(-1, n)[at(drawn)] if each else result.reshape(-1)[at(drawn)]

        return Sample(kind, x.reshape(-1, n)[at(drawn)], None, pick, settings)
    dimensions = x.dim()
    places = [dict(zip(kept, unravel(row, shape))) for row in drawn]

    def row(of: torch.Tensor, place: typing.Dict[int, int], rest: typing.Union[int, slice]) -> torch.Tensor:
        return of[tuple(place.get(d, rest) for d in range(dimensions))]

    def picked(result: torch.Tensor) -> torch.Tensor:
        if each:
            return torch.stack([row(result, place, slice(None)).reshape(-1) for place in places])
        return torch.stack([row(result, place, 0) if keepdim else result[tuple(place.values())] for place in places])

    return Sample(kind, torch.stack([row(x, place, slice(None)).reshape(-1) for place in places]), None, picked, settings)


def total(draw: Draw, a: typing.Dict[str, typing.Any]) -> typing.Optional[Sample]:
    return along(draw, "sum", a["self"], a.get("dim"), a.get("dtype"), a.get("keepdim", False))


def mean(draw: Draw, a: typing.Dict[str, typing.Any]) -> typing.Optional[Sample]:
    return along(draw, "mean", a["self"], a.get("dim"), a.get("dtype"), a.get("keepdim", False))


def variance(kind: str) -> typing.Callable[..., typing.Optional[Sample]]:
    def of(draw: Draw, a: typing.Dict[str, typing.Any]) -> typing.Optional[Sample]:
        ddof = 1 if a.get("correction") is None else a["correction"]  # which all other forms become
        if ddof != int(ddof) or ddof < 0:
            raise Skip(f"correction={ddof}")
        return along(draw, kind, a["self"], a.get("dim"), None, a.get("keepdim", False), ddof=int(ddof))
    return of


def norm(draw: Draw, a: typing.Dict[str, typing.Any]) -> typing.Optional[Sample]:
    order = a.get("ord", a.get("p", 2))
    if order is not None and order != 2:
        raise Skip(f"norms of order {order}")
    return along(draw, "norm", a["self"], a.get("dim"), a.get("dtype"), a.get("keepdim", False))


def exponentials(kind: str) -> typing.Callable[..., typing.Optional[Sample]]:
    def of(draw: Draw, a: typing.Dict[str, typing.Any]) -> typing.Optional[Sample]:
        return along(draw, kind, a["self"], a["dim"], a.get("dtype"), a.get("keepdim", False), each=kind != "logsumexp")
    return of


def scan(draw: Draw, a: typing.Dict[str, typing.Any]) -> typing.Optional[Sample]:
    return along(draw, "cumsum", a["self"], a["dim"], a.get("dtype"), each=True)


def normalised(kind: str) -> typing.Callable[..., typing.Optional[Sample]]:
    def of(draw: Draw, a: typing.Dict[str, typing.Any]) -> typing.Optional[Sample]:
        x, weight, bias = a["input"], a.get("weight"), a.get("bias")
        held(x, weight, bias)
        eps = a["eps"] if a.get("eps") is not None else torch.finfo(x.dtype).eps
        axes = range(x.dim() - len(a["normalized_shape"]), x.dim())
        return along(draw, kind, x, list(axes), each=True, eps=eps, **{name: one.reshape(-1) for name, one in (("weight", weight), ("bias", bias)) if one is not None})
    return of


# ---- products ----

def product(draw: Draw, kind: str, a: torch.Tensor, b: torch.Tensor, bias: typing.Optional[torch.Tensor] = None, first: Shape = (),
            rows: typing.Optional[range] = None) -> typing.Optional[Sample]:
    """a[rows, n] b[n, columns] + bias, which is of the shape of results or broadcast to it; `first`: where they stand in a result of more dimensions."""
    held(a, b, bias)
    drawn = draw.rows(a.shape[0]) if rows is None else rows
    if not drawn:
        return None
    places = at(drawn), at(draw.some(b.shape[1], draw.columns))
    settings = {} if bias is None else {"bias": bias.expand(a.shape[0], b.shape[1])[places]}
    return Sample(kind, a[places[0]], b[:, places[1]], lambda result: result[(*first, *places)], settings)


def scaled(a: typing.Dict[str, typing.Any]) -> typing.Optional[torch.Tensor]:
    """What is added to a product, None for beta = 0."""
    alpha, beta = a.get("alpha", 1), a.get("beta", 1)
    if alpha != 1 or beta not in (0, 1):
        raise Skip(f"alpha={alpha}, beta={beta}")
    return typing.cast(torch.Tensor, a["self"]) if beta else None


def mm(draw: Draw, a: typing.Dict[str, typing.Any]) -> typing.Optional[Sample]:
    return product(draw, "matmul", a["self"], a["mat2"])


def addmm(draw: Draw, a: typing.Dict[str, typing.Any]) -> typing.Optional[Sample]:
    return product(draw, "matmul", a["mat1"], a["mat2"], scaled(a))


def of_batch(draw: Draw, a: torch.Tensor, b: torch.Tensor, bias: typing.Optional[torch.Tensor]) -> typing.Optional[Sample]:
    """Rows of one matrix of the batch, which is drawn."""
    held(a, b, bias)
    count = len(draw.rows(a.shape[0] * a.shape[1]))
    if not count:
        return None
    i = draw.some(a.shape[0], 1)[0]
    bias = None if bias is None else bias.expand(a.shape[0], a.shape[1], b.shape[2])[i]
    return product(draw, "matmul", a[i], b[i], bias, (i,), draw.some(a.shape[1], count))


def bmm(draw: Draw, a: typing.Dict[str, typing.Any]) -> typing.Optional[Sample]:
    return of_batch(draw, a["self"], a["mat2"], None)


def baddbmm(draw: Draw, a: typing.Dict[str, typing.Any]) -> typing.Optional[Sample]:
    return of_batch(draw, a["batch1"], a["batch2"], scaled(a))


def as_matrix(sample: typing.Optional[Sample], shape: Shape) -> typing.Optional[Sample]:
    if sample is None:
        return None
    pick = sample.pick
    return sample._replace(pick=lambda result: pick(result.reshape(shape)))


def mv(draw: Draw, a: typing.Dict[str, typing.Any]) -> typing.Optional[Sample]:
    held(a["self"], a["vec"])
    return as_matrix(product(draw, "matmul", a["self"], a["vec"][:, None]), (-1, 1))


def addmv(draw: Draw, a: typing.Dict[str, typing.Any]) -> typing.Optional[Sample]:
    held(a["mat"], a["vec"], a["self"])
    bias = scaled(a)
    return as_matrix(product(draw, "matmul", a["mat"], a["vec"][:, None], None if bias is None else bias.reshape(-1, 1)), (-1, 1))


def dot(draw: Draw, a: typing.Dict[str, typing.Any]) -> typing.Optional[Sample]:
    held(a["self"], a["tensor"])
    return as_matrix(product(draw, "matmul", a["self"][None], a["tensor"][:, None]), (1, 1))


def convolution(draw: Draw, a: typing.Dict[str, typing.Any]) -> typing.Optional[Sample]:
    """Patches of an image against the weights of some channels; what is padded is 0."""
    x, w, bias = a["input"], a["weight"], a.get("bias")
    held(x, w, bias)
    if a["transposed"]:
        raise Skip("a transposed convolution")
    spatial = w.dim() - 2
    stride, padding, dilation = ([values[d % len(values)] for d in range(spatial)] for values in (a["stride"], a["padding"], a["dilation"]))
    out = [(x.shape[d + 2] + 2 * padding[d] - dilation[d] * (w.shape[d + 2] - 1) - 1) // stride[d] + 1 for d in range(spatial)]
    drawn = draw.rows(x.shape[0] * math.prod(out), SLOW)
    if not drawn:
        return None
    group, image = draw.some(a["groups"], 1)[0], draw.some(x.shape[0], 1)[0]
    each, inputs = w.shape[0] // a["groups"], w.shape[1]
    channels = [group * each + one for one in draw.some(each, COLUMNS)]
    places = [unravel(place, out) for place in draw.some(math.prod(out), len(drawn))]

    def patch(place: typing.List[int]) -> torch.Tensor:
        of, to = x[image, group * inputs:(group + 1) * inputs], x.new_zeros(w.shape[1:])
        source, target = [slice(None)], [slice(None)]
        for d in range(spatial):
            start, n = place[d] * stride[d] - padding[d], x.shape[d + 2]
            low = max(0, -(start // dilation[d]))
            high = min(w.shape[d + 2], (n - 1 - start) // dilation[d] + 1)
            source.append(slice(start + low * dilation[d], start + (high - 1) * dilation[d] + 1, dilation[d]) if high > low else slice(0, 0))
            target.append(slice(low, max(low, high)))
        to[tuple(target)] = of[tuple(source)]
        return to.reshape(-1)

    settings = {} if bias is None else {"bias": torch.stack([bias[j] for j in channels]).expand(len(places), -1)}
    return Sample("convolution", torch.stack([patch(place) for place in places]), torch.stack([w[j].reshape(-1) for j in channels], 1),
                  lambda result: torch.stack([torch.stack([result[(image, j, *place)] for j in channels]) for place in places]), settings)


def index_add(draw: Draw, a: typing.Dict[str, typing.Any]) -> typing.Optional[Sample]:
    """Sums of what goes to an element: one of each drawn row."""
    x, index, source, dim = a["self"], a["index"], a["source"], a["dim"]
    held(x, source)
    if a.get("alpha", 1) != 1 or not index.numel() or not x.dim():
        raise Skip(f"alpha={a.get('alpha', 1)}" if index.numel() and x.dim() else "empty tensors")
    drawn = [int(index.reshape(-1)[i]) for i in draw.rows(index.numel(), SLOW)]
    if not drawn:
        return None
    dim %= x.dim()
    rest = [n for d, n in enumerate(x.shape) if d != dim]
    others = [unravel(draw.some(math.prod(rest), 1)[0], rest) for _ in drawn]
    places = [(*other[:dim], i, *other[dim:]) for i, other in zip(drawn, others)]
    terms = [torch.cat([x[place].reshape(1), source[(*place[:dim], slice(None), *place[dim + 1:])][index.reshape(-1) == place[dim]]]) for place in places]
    padded = x.new_zeros(len(drawn), max(map(len, terms)))
    for row, given in zip(padded, terms):
        row[:len(given)] = given
    return Sample("index_add", padded, None, lambda result: torch.stack([result[place] for place in places]), {})


def attention(draw: Draw, a: typing.Dict[str, typing.Any]) -> typing.Optional[Sample]:
    """Some columns of rows of one head of one sequence: x has the queries, settings the keys, values and mask."""
    q, k, v, mask = a["query"], a["key"], a["value"], a.get("attn_bias", a.get("attn_mask"))
    held(q, k, v)
    if a.get("dropout_p"):
        raise Skip("attention with dropout")
    if q.dim() != 4 or k.shape[1] == 0 or q.shape[1] % k.shape[1]:
        raise Skip("attention of other shapes")
    batch, heads, n, size = q.shape
    count = len(draw.rows(batch * n, AT_MOST))
    if not count:
        return None
    i, head, rows = draw.some(batch, 1)[0], draw.some(heads, 1)[0], draw.some(n, count)
    shared = head // (heads // k.shape[1])
    columns = at(draw.some(v.shape[3], 16))
    settings = {"k": k[i, shared], "v": v[i, shared, :, columns], "scale": a["scale"] if a.get("scale") is not None else 1 / math.sqrt(size),
                "until": [row + 1 if a.get("is_causal") else k.shape[2] for row in rows]}
    if mask is not None:
        settings["mask"] = mask.expand(batch, heads, n, k.shape[2])[i, head, at(rows)]
    return Sample("attention", q[i, head, at(rows)], None, lambda result: result[i, head, at(rows), columns], settings)


# ---- by the names of operations ----

OPERATIONS: typing.Dict[str, typing.Tuple[str, typing.Callable[[Draw, typing.Dict[str, typing.Any]], typing.Optional[Sample]]]] = {
    "sum": ("sum", total), "mean": ("mean", mean), "var": ("var", variance("var")), "std": ("std", variance("std")),
    "var_mean": ("var", variance("var")), "std_mean": ("std", variance("std")),  # of whose two results the first
    "norm": ("norm", norm), "linalg_vector_norm": ("norm", norm),
    "_softmax": ("softmax", exponentials("softmax")), "_log_softmax": ("log_softmax", exponentials("log_softmax")),
    "logsumexp": ("logsumexp", exponentials("logsumexp")), "cumsum": ("cumsum", scan),
    "native_layer_norm": ("layer_norm", normalised("layer_norm")), "_fused_rms_norm": ("rms_norm", normalised("rms_norm")),
    "mm": ("matmul", mm), "addmm": ("matmul", addmm), "bmm": ("matmul", bmm), "baddbmm": ("matmul", baddbmm),
    "mv": ("matmul", mv), "addmv": ("matmul", addmv), "dot": ("matmul", dot),
    "convolution": ("convolution", convolution), "index_add": ("index_add", index_add),
    **{f"_scaled_dot_product_{name}": ("attention", attention) for name in ("flash_attention", "flash_attention_for_cpu", "efficient_attention", "cudnn_attention")},
}


@functools.lru_cache(maxsize=None)
def parameters(func: typing.Any) -> typing.Tuple[typing.Tuple[str, ...], typing.Dict[str, typing.Any]]:
    """Names, and defaults."""
    schema = func._schema.arguments
    return tuple(one.name for one in schema), {one.name: one.default_value for one in schema if one.has_default_value()}


@functools.lru_cache(maxsize=None)
def written(func: typing.Any) -> typing.Tuple[typing.Set[str], bool]:
    """Names of what it writes to, running means of a batch norm among them, and whether it reads what its first operand held."""
    texts = str(func._schema).partition("(")[2].rpartition("->")[0].split(", ")
    names = {text.rpartition("=")[0].split()[-1] if "=" in text else text.split()[-1].rstrip(")") for text in texts if "!" in text or " running_" in text}
    return names, func._schema.name.partition("::")[2] not in OVERWRITES


def arguments(func: typing.Any, args: typing.Sequence[typing.Any], kwargs: typing.Mapping[str, typing.Any]) -> typing.Dict[str, typing.Any]:
    """By the names of the operation's schema, with its defaults."""
    names, defaults = parameters(func)
    return {**defaults, **dict(zip(names, args)), **kwargs}
