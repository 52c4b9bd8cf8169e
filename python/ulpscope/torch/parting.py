"""Where two runs part: the first operation whose operands had the same bits in both and whose results differ."""

import gzip
import itertools
import json
import os
import typing
import zlib

import torch

from ulpscope.torch import digests, judging
from ulpscope.torch.operations import Sample

Record = typing.Dict[str, typing.Any]
Paths = typing.Union[str, "os.PathLike[str]", typing.Sequence[typing.Union[str, "os.PathLike[str]"]]]
SAME, OTHER, UNKNOWN = "same", "other", "unknown"  # bits, as far as digests tell; UNKNOWN where shapes have nothing in common
COLLECTIVES = ("all_reduce", "reduce")


class Relation(typing.NamedTuple):
    """Of two tensors."""

    bits: str
    axes: typing.Tuple[str, ...] = ()  # "dimension 0: 8 and 1"


def tensors_relation(a: Record, b: Record) -> Relation:
    if a["dtype"] != b["dtype"]:
        return Relation(OTHER, (f"format: {a['dtype']} and {b['dtype']}",))
    if len(a["shape"]) != len(b["shape"]):
        return Relation(UNKNOWN, (f"dimensions: {len(a['shape'])} and {len(b['shape'])}",))
    changed = [d for d, (m, n) in enumerate(zip(a["shape"], b["shape"])) if m != n]
    if not changed:
        return Relation(SAME if a["digests"] == b["digests"] else OTHER)
    axes = tuple(f"dimension {d}: {a['shape'][d]} and {b['shape'][d]}" for d in changed)
    if changed not in ([0], [len(a["shape"]) - 1]):
        return Relation(UNKNOWN, axes)
    of = 0 if changed == [0] else 1
    if len(a["shape"]) == 1:  # digests of elements have the weight of a row of one
        of = 0
    longer, shorter = sorted((a["digests"][of], b["digests"][of]), key=len, reverse=True)
    step = len(longer) // len(shorter)  # one sequence of several that lie in turn
    starts = (i for i in range(len(longer)) if longer[i] == shorter[0])
    return Relation(SAME if any(longer[i:i + len(shorter)] == shorter or longer[i::step][:len(shorter)] == shorter for i in starts) else OTHER, axes)


class Parting(typing.NamedTuple):
    """An operation in both records."""

    place: str
    kind: str
    axes: typing.Tuple[str, ...]  # what differs in shape
    environment: typing.Tuple[str, ...]  # what differs around it
    explained: str  # what the bits of either tell of its arithmetic, or ""

    def __str__(self) -> str:
        parts = [f"{self.place}: operands of the same bits, other results"]
        parts += [f"  it has other shapes, {one}" for one in self.axes]
        parts += [f"  {self.explained}"] if self.explained else []
        parts += [f"  around it differs {one}" for one in self.environment]
        return "\n".join(parts)


class Comparison(typing.NamedTuple):
    first: typing.Optional[Parting]
    unexplained: str  # where operands differ first that no operation in the records made different, or ""
    replaced: str  # the first place before that in which the runs have other operations, or ""
    compared: int  # operations whose operands and results were
    not_compared: typing.Tuple[str, ...]  # those of one record alone, or of shapes without anything in common

    def __str__(self) -> str:
        lines = [str(self.first) if self.first else "no operation parts: of all that were compared and had the same operands the results have the same bits" if self.compared else
                 "the records have no operation in common that can be compared"]
        if self.unexplained:
            lines.append(f"{self.unexplained}: operands differ that no compared operation made different: " + ("before it" if self.replaced else "the inputs do, or something that is not recorded"))
        return "\n".join([*lines, *([self.replaced] if self.replaced else []), f"compared: {self.compared} operations; not compared: {len(self.not_compared)}",
                          *(f"  {one}" for one in self.not_compared[:3])])


def read(path: typing.Union[str, "os.PathLike[str]"]) -> typing.Tuple[Record, typing.Dict[typing.Tuple[typing.Any, ...], Record]]:
    """The environment, and operations by place, kind, number and how often that was met.  Throws ValueError."""
    try:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            head, *lines = [json.loads(line) for line in file]
    except (EOFError, gzip.BadGzipFile, zlib.error, ValueError) as error:
        raise ValueError(f"{os.fspath(path)}: expected a record of ulpscope.torch, found none: {error}") from None
    if not isinstance(head, dict) or head.pop("schema", None) != digests.SCHEMA:
        raise ValueError(f"{os.fspath(path)}: expected a record of ulpscope.torch, found another file")
    if not all(is_sound(line) for line in lines):
        raise ValueError(f"{os.fspath(path)}: expected a record of ulpscope.torch, found one with lines that no scope writes")
    found: typing.Dict[typing.Tuple[typing.Any, ...], Record] = {}
    met: typing.Dict[typing.Tuple[typing.Any, ...], int] = {}
    tensors = {line["tensor"]: line for line in lines if "tensor" in line}
    for line in lines:
        if "tensor" in line:
            continue
        if not tensors.keys() >= {*line["read"], *line["results"]}:
            raise ValueError(f"{os.fspath(path)}: expected a record of ulpscope.torch, found one that lacks tensors")
        line.update({name: [tensors[i] for i in line[name]] for name in ("read", "results")})
        key = (line["path"], line["backward"], line["kind"], line["number"])
        met[key] = met.get(key, 0) + 1
        found[(*key, met[key])] = line
    return head, found


def is_sound(line: typing.Any) -> bool:
    def are(values: typing.Any, kind: type) -> bool:
        return isinstance(values, list) and all(type(one) is kind for one in values)

    if not isinstance(line, dict):
        return False
    if "tensor" in line:
        shape: typing.Any = line.get("shape")
        of: typing.Any = line.get("digests")
        return type(line["tensor"]) is int and hasattr(torch, str(line.get("dtype"))) and are(shape, int) and all(0 < n < 1 << 63 for n in shape) and isinstance(of, list) and (
            len(of) == (2 if len(shape) > 1 else 1) and all(are(one, int) and len(one) == n for one, n in zip(of, (*shape[:1], *shape[1:][-1:]) or (1,))))
    return [type(line.get(name)) for name in ("path", "backward", "kind", "number", "along")] == [str, bool, str, int, int] and are(line.get("read"), int) and are(line.get("results"), int)


def name_of(key: typing.Tuple[typing.Any, ...]) -> str:
    path, is_backward, kind, number, met = key
    return f"{path or 'outside of modules'}: {kind}{f' {number}' if number > 1 else ''}{', backward' if is_backward else ''}{f', time {met}' if met > 1 else ''}"


def relation(a: typing.Sequence[Record], b: typing.Sequence[Record]) -> Relation:
    """Of all operands, or results."""
    if len(a) != len(b):
        return Relation(UNKNOWN)
    each = [tensors_relation(one, other) for one, other in zip(a, b)]
    bits = OTHER if any(one.bits == OTHER for one in each) else UNKNOWN if any(one.bits == UNKNOWN for one in each) else SAME
    return Relation(bits, tuple(dict.fromkeys(axis for one in each for axis in one.axes)))


def comes_in(a: Record, b: Record, follows: typing.Set[str]) -> bool:
    """Whether an operand of the same shape, or of another format, has other bits, as a weight, whatever the batch is; not what follows of that.
    Digests tell, as autograd hands on another tensor with the same numbers."""
    return len(a["read"]) == len(b["read"]) and any(
        one.bits == OTHER and not one.axes and json.dumps(of[0]["digests"]) not in follows for of in zip(a["read"], b["read"]) for one in [tensors_relation(*of)])


def changed(axes: typing.Sequence[str]) -> typing.Set[int]:
    """The dimensions of which they speak."""
    return {int(axis.split()[1].rstrip(":")) for axis in axes if axis.startswith("dimension ")}


def tensor_of(x: Record) -> torch.Tensor:
    dtype = getattr(torch, x["dtype"])
    integers = digests.INTEGERS[torch.empty(0, dtype=dtype).element_size()]
    return torch.tensor(x["bits"], dtype=torch.int64).to(integers).view(dtype).reshape(x["shape"])


def looked_into(line: Record) -> str:
    """What is known of its first rows; "" for nothing."""
    if "sample" not in line:
        return ""
    try:
        of = line["sample"]
        settings = {name: tensor_of(one) if isinstance(one, dict) else one for name, one in of["settings"].items()}
        sample = Sample(of["kind"], tensor_of(of["x"]), None if of["y"] is None else tensor_of(of["y"]), lambda result: result, settings)
        results = tensor_of(of["computed"])
    except (ArithmeticError, AttributeError, LookupError, TypeError, RuntimeError, ValueError) as error:
        raise ValueError(f"expected operands of a row in the record, found none: {error}") from None
    judged = judging.judge(sample, results)
    if judged.worst is None:
        return ""
    order = judging.order_of(sample, results) if sample.kind in judging.ADDED else ""
    return ", ".join(text for text in (f"{judged.ulp_error:.3g} ulp", judged.finding, order) if text)


def compare(a: Paths, b: Paths) -> Comparison:
    """Names the first operation whose operands had the same bits in both runs and whose results differ.

    a, b    files of Scope.record; of runs of several processes lists of them, by rank: a collective operation parts only where no rank has other operands

    Runs may have other batch sizes and splits: digests of the first and of the last dimension are compared as far as both have them.
    Throws ValueError for what is no record, OSError for what cannot be read.
    """
    both = [[one] if isinstance(one, (str, os.PathLike)) else list(one) for one in (a, b)]
    if len(both[0]) != len(both[1]) or not both[0]:
        raise ValueError(f"expected as many records of one run as of the other, found {len(both[0])} and {len(both[1])}")
    ranks = [(read(one), read(other)) for one, other in zip(*both)]
    (around_a, _), (around_b, _) = ranks[0]
    around = tuple(f"{name}: {around_a.get(name)} and {around_b.get(name)}" for name in {**around_a, **around_b} if around_a.get(name) != around_b.get(name))
    not_compared = [f"{name_of(key)}: in the {'first' if key in of_a else 'second'} run alone" for (_, of_a), (_, of_b) in ranks for key in {**of_a, **of_b} if key not in of_a or key not in of_b]
    parting, unexplained, compared, until = None, "", 0, None
    follows: typing.Set[str] = set()  # digests of what the first run wrote of operands of other shapes, or of such results
    for key in dict.fromkeys(key for (_, of_a), _ in ranks for key in of_a):
        pairs = [(of_a[key], of_b[key]) for (_, of_a), (_, of_b) in ranks if key in of_a and key in of_b]
        if not pairs:
            continue
        operands = [relation(one["read"], other["read"]) for one, other in pairs]
        results = [relation(one["results"], other["results"]) for one, other in pairs]
        if parting is None and not unexplained and any(comes_in(*pair, follows) for pair in pairs):
            unexplained, until = name_of(key), key
        # Of other shapes, operands that have nothing in common may lie otherwise, and results of the same shape are of all of a batch.
        if any(one.bits == UNKNOWN or one.axes and one.bits == OTHER and one in operands for one in operands + results) or any(
                before.axes and (not after.axes or one["along"] in changed(before.axes)) for before, after, (one, _) in zip(operands, results, pairs)):
            follows |= {json.dumps(tensor["digests"]) for one, _ in pairs for tensor in one["results"]}
            not_compared.append(f"{name_of(key)}: of shapes or formats that have nothing in common")
            continue
        compared += 1
        together = key[2] in COLLECTIVES and any(one.bits == OTHER for one in operands)
        if any(one.bits == OTHER for one in operands):
            follows |= {json.dumps(tensor["digests"]) for one, _ in pairs for tensor in one["results"]}
        for (one, other), before, after in zip(pairs, operands, results):
            if before.bits == SAME and after.bits == OTHER and not together and parting is None:
                known = [f"in the {name} run it has {text}" for name, text in (("first", looked_into(one)), ("second", looked_into(other))) if text]
                parting = Parting(name_of(key), key[2], tuple(dict.fromkeys(before.axes + after.axes)), around, "; ".join(known))
    return Comparison(parting, unexplained, "" if parting else replaced(ranks, until), compared, tuple(not_compared))


def replaced(ranks: typing.Sequence[typing.Any], until: typing.Optional[typing.Tuple[typing.Any, ...]]) -> str:
    """The first place before an operation in which the runs have other operations."""
    for (_, of_a), (_, of_b) in ranks:
        alone = [[key for key in itertools.takewhile(lambda key: key != until, of) if key not in other] for of, other in ((of_a, of_b), (of_b, of_a))]
        for path in dict.fromkeys(key[0] for key in alone[0] + alone[1]):
            kinds = [list(dict.fromkeys(key[2] for key in of if key[0] == path)) for of in alone]
            return f"{path or 'outside of modules'} has other operations: " + ", ".join(f"in the {run} run alone {' '.join(of) or 'none'}" for run, of in zip(("first", "second"), kinds))
    return ""
