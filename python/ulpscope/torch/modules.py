"""Modules whose class says what they compute, where the operations in them do not."""

import math
import typing

import torch

from ulpscope.torch import operations
from ulpscope.torch.operations import Sample, Skip

MODULES = ("layer_norm", "rms_norm", "softmax", "log_softmax")
CLASSES = {"LayerNorm": "layer_norm", "RMSNorm": "rms_norm", "Softmax": "softmax", "LogSoftmax": "log_softmax"}


def kind_of(module: torch.nn.Module, given: typing.Mapping[type, str]) -> str:
    """What its class says; "norm" for a name that says either, "" for nothing, and for PyTorch's own, whose operation is looked at."""
    for one, kind in given.items():
        if isinstance(module, one):
            return kind
    if type(module).__module__.startswith("torch.nn."):
        return ""
    for name, kind in CLASSES.items():
        if isinstance(module, getattr(torch.nn, name, ())):
            return kind
    return "norm" if type(module).__name__.lower().endswith(("layernorm", "rmsnorm")) else ""


def sample_of_module(draw: operations.Draw, kind: str, module: torch.nn.Module, x: torch.Tensor, result: torch.Tensor) -> typing.Optional[Sample]:
    """As of the operation; "norm": of that of both to which its result is nearer."""
    if kind in ("softmax", "log_softmax"):
        dim = getattr(module, "dim", None)
        dim = dim if dim is not None else 0 if x.dim() in (0, 1, 3) else 1  # as PyTorch has it
        return operations.exponentials(kind)(draw, {"self": x, "dim": dim})
    weight, bias = getattr(module, "weight", None), getattr(module, "bias", None)
    shape = getattr(module, "normalized_shape", None) or (weight.shape if weight is not None else x.shape[-1:])
    eps = next((getattr(module, name) for name in ("eps", "variance_epsilon", "epsilon") if getattr(module, name, None) is not None), 1e-5)
    kinds = (kind,) if kind != "norm" else ("layer_norm", "rms_norm")
    state = draw.random.getstate()
    best, least = None, math.inf
    for one in kinds:
        draw.random.setstate(state)
        sample = operations.normalised(one)(draw, {"input": x, "weight": weight, "bias": bias, "normalized_shape": shape, "eps": eps})
        if sample is None:
            return None
        rows = sample.x.double()
        rows = rows - rows.mean(-1, keepdim=True) if one == "layer_norm" else rows
        z = rows / (rows.square().mean(-1, keepdim=True) + eps).sqrt() * sample.settings.get("weight", 1) + sample.settings.get("bias", 0)
        distance = float((sample.pick(result).double() - z).norm() / z.norm().clamp(min=1e-300)) if len(kinds) > 1 else 0.0
        if distance < least:
            best, least = sample, distance
    if best is None or least > 0.1:
        raise Skip("a module that is called a norm and computes another one")
    best.settings["roundings"] = 4  # of x less its mean, its quotient, times the weight, with the bias
    return best
