"""Where in a model an operation runs: the path of the modules whose forward pass it is in, blocks.3.attention of a Model as
Model.blocks.3.attention; in the backward pass the path of the operation whose gradient it computes.

The path of a backward pass needs torch._C._current_autograd_node, which PyTorch 1.13 lacks.
"""

import collections
import functools
import itertools
import os
import sys
import threading
import typing
import weakref

import torch
from torch.utils._pytree import tree_flatten

KEY = "ulpscope"  # of what a node of the graph keeps
current_node = getattr(torch._C, "_current_autograd_node", None)
sequence = getattr(torch._C, "_get_sequence_nr", None) or getattr(torch.autograd, "_get_sequence_nr", None)
OURS = (os.path.dirname(torch.__file__) + os.sep, os.path.dirname(__file__) + os.sep)
Named = typing.Dict[int, typing.Tuple[typing.Any, str]]  # by id: a weak reference, and a name
Watcher = typing.Callable[[torch.nn.Module, str, typing.Any, typing.Any], None]


class Place(typing.NamedTuple):
    path: str
    is_backward: bool

    def __str__(self) -> str:
        return (self.path or "outside of modules") + (", backward" if self.is_backward else "")


class Frame:
    """A module whose forward pass runs, and how often each kind of operation was seen in it."""

    def __init__(self, module: typing.Optional[torch.nn.Module], path: str) -> None:
        self.module, self.path = module, path
        self.seen: "collections.Counter[str]" = collections.Counter()


def line_of_code() -> str:
    """look.py:12, which called PyTorch; "" in a thread that has no code of Python."""
    frame: typing.Any = sys._getframe()
    while frame is not None and frame.f_code.co_filename.startswith(OURS):
        frame = frame.f_back
    return f"{os.path.basename(frame.f_code.co_filename)}:{frame.f_lineno}" if frame is not None else ""


class Places:
    """Follows calls of modules between start() and stop(), in the thread that starts it and in those of backward passes; `watch` is called behind each."""

    def __init__(self, watch: Watcher, left_out: "collections.Counter[typing.Tuple[str, str]]") -> None:
        self.watch, self.left_out = watch, left_out
        self.roots: Named = {}
        self.threads = threading.local()
        self.names: typing.Dict[int, Named] = {}  # of what is in a module
        self.backward: typing.Dict[str, Frame] = {}
        self.original: typing.Any = None

    def start(self) -> None:
        self.thread = threading.get_ident()
        self.original = original = torch.nn.Module.__call__

        @functools.wraps(original)
        def call(module: torch.nn.Module, *args: typing.Any, **kwargs: typing.Any) -> typing.Any:
            return self.called(original, module, args, kwargs)

        setattr(torch.nn.Module, "__call__", call)

    def stop(self) -> None:
        setattr(torch.nn.Module, "__call__", self.original)

    def stack(self) -> typing.List[Frame]:
        if not hasattr(self.threads, "stack"):
            self.threads.stack = [Frame(None, "")]
        return typing.cast(typing.List[Frame], self.threads.stack)

    def called(self, original: typing.Any, module: torch.nn.Module, args: typing.Any, kwargs: typing.Any) -> typing.Any:
        if threading.get_ident() != self.thread and not (current_node and current_node()):
            self.left_out[type(module).__name__, "in a thread of its own, whose operations are not seen"] += 1
            return original(module, *args, **kwargs)
        stack = self.stack()
        if len(stack) == 1:  # a new pass, whose operations outside of modules are those of the last one
            self.backward = {}
            stack[0].seen.clear()
        first = sequence() if sequence else 0
        stack.append(Frame(module, self.path_of(stack[-1], module)))
        x = args[0] if args else next(iter(kwargs.values()), None)
        version = version_of(x)
        try:
            result = original(module, *args, **kwargs)
            if isinstance(x, torch.Tensor) and isinstance(result, torch.Tensor) and version_of(x) == version:  # else it wrote to its input
                self.watch(module, stack[-1].path, x, result)
            if current_node and sequence:
                tag(result, first, stack[-1].path)
            return result
        finally:
            stack.pop()

    def path_of(self, frame: Frame, module: torch.nn.Module) -> str:
        if frame.module is None:
            if not name_in(self.roots, module):
                self.roots = {number: one for number, one in self.roots.items() if one[0]() is not None}
                taken, name = {one for _, one in self.roots.values()}, type(module).__name__
                self.roots[id(module)] = weakref.ref(module), next(one for one in itertools.chain([name], (f"{name}#{i}" for i in itertools.count(2))) if one not in taken)
            return name_in(self.roots, module)
        names = self.names.get(id(frame.module), {})
        if not name_in(names, module):
            names = self.names[id(frame.module)] = {id(child): (weakref.ref(child), name) for name, child in frame.module.named_modules()}
        return f"{frame.path}.{name_in(names, module) or type(module).__name__}"

    def here(self) -> typing.Tuple[Place, Frame]:
        """The place of what runs now in this thread, and where its operations are counted."""
        node = current_node() if current_node else None
        if node is None or len(self.stack()) > 1:  # forward, also where a checkpoint repeats it
            return Place(self.stack()[-1].path, False), self.stack()[-1]
        path = node.metadata.get(KEY, "")
        return Place(path, True), self.backward.setdefault(path, Frame(None, path))


def name_in(names: Named, module: torch.nn.Module) -> str:
    """"" for none: an id is that of a module for as long as that lives."""
    of, name = names.get(id(module), (None, ""))
    return name if of is not None and of() is module else ""


def version_of(x: typing.Any) -> int:
    """How often it was written to, as far as PyTorch counts."""
    return int(x._version) if isinstance(x, torch.Tensor) and not x.is_inference() else 0


def tag(result: typing.Any, first: int, path: str) -> None:
    """Writes the path to nodes that were made since `first` and have none."""
    waiting = [one.grad_fn for one in tree_flatten(result)[0] if isinstance(one, torch.Tensor) and one.grad_fn is not None]
    met = set()
    while waiting:
        node = waiting.pop()
        if node is None or node in met or not first <= node._sequence_nr() < 2 ** 63:  # beyond: gradients of parameters
            continue
        met.add(node)
        node.metadata.setdefault(KEY, path)
        waiting += [following for following, _ in node.next_functions]
