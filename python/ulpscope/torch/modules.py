"""Modules whose class says what they compute, where the operations in them do not."""

import itertools
import math
import typing

import torch

from ulpscope.torch import operations
from ulpscope.torch.operations import Sample, Skip

MODULES = ("layer_norm", "rms_norm", "softmax", "log_softmax")
USUAL = (1e-5, 1e-6, 1e-8, 1e-12, 0.0)  # what is added to a variance, where the module does not say
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
    weight, bias = weight_and_bias(module)
    shape = getattr(module, "normalized_shape", None) or (weight.shape if weight is not None else x.shape[-1:])
    known = [getattr(module, name) for name in ("eps", "variance_epsilon", "epsilon") if isinstance(getattr(module, name, None), (int, float))]
    state = draw.random.getstate()
    best, least, other = None, math.inf, math.inf
    weights = (weight,) if weight is None else (weight, 1 + weight)
    for one, eps, times in itertools.product((kind,) if kind != "norm" else ("layer_norm", "rms_norm"), known[:1] or USUAL, weights):
        draw.random.setstate(state)
        sample = operations.normalised(one)(draw, {"input": x, "weight": times, "bias": bias, "normalized_shape": shape, "eps": eps})
        if sample is None:
            return None
        rows = sample.x.double()
        rows = rows - rows.mean(-1, keepdim=True) if one == "layer_norm" else rows
        square, n = rows.square().mean(-1, keepdim=True), rows.shape[-1]
        unbiased = square * n / max(n - 1, 1)
        distances = []
        for root in ((square + eps).sqrt(), (unbiased + eps).sqrt(), square.sqrt() + eps, unbiased.sqrt() + eps):  # the first is the definition
            z = rows / root * sample.settings.get("weight", 1) + sample.settings.get("bias", 0)
            distances.append(float((sample.pick(result).double() - z).norm() / z.norm().clamp(min=1e-300)))
        other = min([other, *distances[1:]])
        if best is None or distances[0] < least:
            best, least = sample, distances[0]
    if best is None or kind == "norm" and not least <= min(0.1, 4 * other):
        raise Skip("a module that is called a norm and computes another one, or with another eps; modules={...} says which it is")
    best.settings["roundings"] = 4  # of x less its mean, its quotient, times the weight, with the bias
    return best


def weight_and_bias(module: torch.nn.Module) -> typing.List[typing.Optional[torch.Tensor]]:
    """By their names; else the first parameter, and the second."""
    own = dict(module.named_parameters(recurse=False))
    others = [one for name, one in own.items() if name not in ("weight", "bias")]
    return [own[name] if name in own else others.pop(0) if others else None for name in ("weight", "bias")]
