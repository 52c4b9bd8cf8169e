"""A look into a running model of PyTorch: which operation loses the digits, and where do two runs part?

    with ulpscope.torch.scope(sample=1 / 100) as s:
        loss = model(x)
        loss.backward()
    print(s)

    scope     sums, means, variances, norms, softmax, products, convolutions, attention and scans in a model, beside their exact results
    compare   two runs that Scope.record wrote: the first operation with the same operands and other results

Needs PyTorch from 1.13 on.  docs/torch.md
"""

try:
    import torch
    from torch.utils._python_dispatch import TorchDispatchMode
except ImportError as error:
    raise ImportError(f"expected PyTorch from 1.13 on, found {error}") from None

if not hasattr(TorchDispatchMode, "__enter__") or not hasattr(torch, "frombuffer"):
    raise ImportError(f"expected PyTorch from 1.13 on, found {torch.__version__}")

from ulpscope.torch.entries import Entry, Key
from ulpscope.torch.looking import Scope
from ulpscope.torch.parting import Comparison, Parting, compare

scope = Scope
__all__ = ["Comparison", "Entry", "Key", "Parting", "Scope", "compare", "scope"]
