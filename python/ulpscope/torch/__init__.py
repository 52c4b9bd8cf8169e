"""A look into a running model of PyTorch."""

from ulpscope.torch.parting import compare
from ulpscope.torch.looking import Scope as scope

__all__ = ["compare", "scope"]
