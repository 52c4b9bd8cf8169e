"""Digests of what operations read and wrote, in a file: of a tensor one of each index of its first and of its last dimension, so that runs of
other batch sizes and of other splits have digests in common.

A digest is sum bits_j w_j modulo 2^64 with odd weights: whatever order a GPU adds it in, it is the same, and one bit that differs changes it.
"""

import gzip
import json
import os
import platform
import typing
import weakref

import torch

from ulpscope.torch import operations
from ulpscope.torch.operations import Sample

AT_ONCE = 1 << 22  # elements whose bits are integers of 64 bits at a time
INTEGERS = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}
MOST_KEPT = 1 << 17  # numbers of the first rows of an operation
SCHEMA = "ulpscope-record/1"


def weights(n: int, device: typing.Any) -> torch.Tensor:
    """Odd, of splitmix64."""
    w = torch.arange(1, n + 1, dtype=torch.int64, device=device) * -7046029254386353131
    for shift, factor in ((30, -4658895280553007687), (27, -7723592293110705685)):
        w = (w ^ (w >> shift & (1 << 64 - shift) - 1)) * factor
    return (w ^ w >> 31 & (1 << 33) - 1) | 1


def bits_of(x: torch.Tensor) -> torch.Tensor:
    return (x.resolve_neg() if hasattr(x, "resolve_neg") else x).contiguous().view(INTEGERS[x.element_size()]).to(torch.int64)


def digests(x: torch.Tensor) -> typing.List[torch.Tensor]:
    """Of its first dimension and, where it has two or more, of its last: one number for each index."""
    x = x.detach().reshape(-1) if x.dim() < 2 else x.detach()
    rows = x.reshape(x.shape[0], -1)
    each = max(1, AT_ONCE // max(1, rows.shape[1]))
    w = weights(rows.shape[1], x.device)
    found = [torch.cat([bits_of(part) @ w if x.device.type == "cpu" else (bits_of(part) * w).sum(1) for part in rows.split(each)])]
    if x.dim() > 1:
        columns = x.reshape(-1, x.shape[-1])
        each = max(1, AT_ONCE // max(1, columns.shape[1]))
        parts = zip(columns.split(each), weights(columns.shape[0], x.device).split(each))
        found.append(torch.stack([(bits_of(part) * of[:, None]).sum(0) for part, of in parts]).sum(0))
    return found


def environment() -> typing.Dict[str, typing.Any]:
    """What may be another in another run, and change bits."""
    cuda = torch.cuda.is_available()
    distributed = torch.distributed.is_available() and torch.distributed.is_initialized()
    return {"torch": torch.__version__, "machine": platform.machine(), "threads": torch.get_num_threads(), "device": torch.cuda.get_device_name() if cuda else "cpu",
            "tf32 of products": torch.backends.cuda.matmul.allow_tf32 if cuda else False, "tf32 of convolutions": torch.backends.cudnn.allow_tf32 if cuda else False,
            "bfloat16 between parts of a product": getattr(torch.backends.cuda.matmul, "allow_bf16_reduced_precision_reduction", False) if cuda else False,
            "precision of products": getattr(torch, "get_float32_matmul_precision", lambda: "highest")(),
            "deterministic algorithms": torch.are_deterministic_algorithms_enabled(), "cuDNN's benchmark": torch.backends.cudnn.benchmark,
            "processes": torch.distributed.get_world_size() if distributed else 1}


class First(operations.Draw):
    """The first rows, whatever the batch size, and so many columns of a product that there are eight results."""

    def __init__(self) -> None:
        super().__init__(0, 1.0, 8)

    def rows(self, count: int, n: int = 1) -> range:
        drawn = super().rows(count, n)
        self.columns = -(-8 // max(1, len(drawn)))
        return drawn

    def some(self, count: int, drawn: int) -> range:
        return range(min(count, drawn))


class Recorder:
    """Writes PATH when it is closed: gzipped JSON, a line of the environment, of each tensor and of each operation."""

    def __init__(self, path: typing.Union[str, "os.PathLike[str]"]) -> None:
        self.path = os.fspath(path)
        self.file = gzip.open(self.path + ".part", "wt", compresslevel=1, encoding="utf-8")
        self.file.write(json.dumps({"schema": SCHEMA, **environment()}) + "\n")
        self.known: typing.Dict[int, typing.Tuple[typing.Any, int, int]] = {}
        self.count = 0
        self.waiting: typing.List[typing.Dict[str, typing.Any]] = []
        self.kept: typing.Set[typing.Any] = set()

    def of(self, x: torch.Tensor) -> int:
        """The number of a line of its dtype, shape and digests, one for as long as nothing writes to it."""
        found = self.known.get(id(x))
        version = -1 if x.is_inference() else x._version
        if found is None or found[0]() is not x or found[1] != version or version < 0:  # of inference, who knows
            self.count += 1
            found = self.known[id(x)] = (weakref.ref(x), version, self.count)
            self.waiting.append({"tensor": self.count, "dtype": str(x.dtype)[6:], "shape": list(x.shape), "digests": digests(x)})
        return found[2]

    def before(self, key: typing.Any, read: typing.Sequence[torch.Tensor]) -> typing.List[int]:
        return [self.of(x) for x in read]

    def after(self, key: typing.Any, read: typing.List[int], results: typing.Sequence[torch.Tensor], sample: typing.Optional[Sample], along: int = -1) -> None:
        """along: the dimension of which each result is of all."""
        line: typing.Dict[str, typing.Any] = {"path": key.place.path, "backward": key.place.is_backward, "kind": key.kind, "number": key.number, "read": read, "results": [self.of(x) for x in results], "along": along}
        if sample is not None and key not in self.kept and sample.x.numel() + (0 if sample.y is None else sample.y.numel()) <= MOST_KEPT:
            self.kept.add(key)
            line["sample"] = {"x": sample.x.detach().cpu(), "y": None if sample.y is None else sample.y.detach().cpu(), "computed": sample.pick(results[0]).detach().cpu(),
                              "settings": {name: one.detach().cpu() if isinstance(one, torch.Tensor) else one for name, one in sample.settings.items()}, "kind": sample.kind}
        self.waiting.append(line)
        if len(self.waiting) >= 64:
            self.write()

    def write(self) -> None:
        for line in self.waiting:
            self.file.write(json.dumps(line, default=as_json) + "\n")
        self.waiting = []
        if len(self.known) > 4096:
            self.known = {name: one for name, one in self.known.items() if one[0]() is not None}

    def close(self, is_whole: bool) -> None:
        self.write()
        self.file.close()
        if is_whole:
            os.replace(self.path + ".part", self.path)
        else:
            os.remove(self.path + ".part")


def as_json(x: torch.Tensor) -> typing.Any:
    """Integers as they are, other numbers in hexadecimal digits of their bits."""
    return x.cpu().tolist() if x.dtype is torch.int64 else {"dtype": str(x.dtype)[6:], "shape": list(x.shape), "bits": bits_of(x).tolist()}
