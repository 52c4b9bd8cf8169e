"""A scope over a running model: rows of its operations, drawn by a seed, beside their exact results."""

import collections
import collections.abc
import concurrent.futures
import contextlib
import errno
import functools
import inspect
import os
import threading
import typing

import torch
from torch.utils import _python_dispatch
from torch.utils._python_dispatch import TorchDispatchMode

from ulpscope import library
from ulpscope.torch import digests, judging, operations, page, parting
from ulpscope.torch.births import UNWRITTEN, Births
from ulpscope.torch.entries import Entry, Key
from ulpscope.torch.modules import MODULES, kind_of, sample_of_module
from ulpscope.torch.operations import Sample, Skip
from ulpscope.torch.places import Place, Places, line_of_code

KINDS = {kind for kind, _ in operations.OPERATIONS.values()}
MANY = 100  # calls of one kind in one call of a module, from which on they are one operation
WAITING = 64  # samples that are on the host and not judged yet; who brings more waits
VIEWS = ("detach", "alias", "view", "_unsafe_view", "t", "transpose", "permute", "expand", "select", "slice", "unsqueeze", "squeeze", "as_strided",
         "_reshape_alias", "split", "unbind", "unfold", "diagonal", "narrow")  # which compute nothing


def expect(name: str, value: typing.Any, wanted: str, is_so: bool) -> None:
    if not is_so:
        raise ValueError(f"{name}: expected {wanted}, found {value!r}")


def is_count(value: typing.Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def pairs(name: str, given: typing.Any) -> typing.List[typing.Tuple[typing.Any, typing.Any]]:
    expect(name, given, "a dictionary", given is None or isinstance(given, collections.abc.Mapping))
    return list((given or {}).items())


@contextlib.contextmanager
def without_modes() -> typing.Iterator[None]:
    """What runs in it, no scope sees."""
    if hasattr(_python_dispatch, "_disable_current_modes"):
        with _python_dispatch._disable_current_modes():
            yield
    else:
        guard = torch._C._DisableTorchDispatch()  # of PyTorch 1.13: for as long as it is there
        yield
        del guard


def on_host(x: torch.Tensor) -> torch.Tensor:
    """A copy there, which is there once its event is."""
    if x.device.type == "cpu":
        return x.detach().clone()
    copy = torch.empty(x.shape, dtype=x.dtype, pin_memory=True)
    return copy.copy_(x.detach(), non_blocking=True)


def on_its_way(sample: Sample) -> Sample:
    """Its operands on the host, before the operation may write to them."""
    return sample._replace(x=on_host(sample.x), y=None if sample.y is None else on_host(sample.y),
                           settings={name: on_host(one) if isinstance(one, torch.Tensor) else one for name, one in sample.settings.items()})


class Waiting(typing.NamedTuple):
    """A sample and its results, on the host once the event is."""

    sample: Sample
    results: torch.Tensor
    event: typing.Any

    def judge(self) -> judging.Judged:
        if self.event is not None:
            self.event.synchronize()
        with torch.no_grad():
            return judging.judge(self.sample, self.results)


def waiting(sample: Sample, result: torch.Tensor) -> Waiting:
    event = None
    if result.device.type == "cuda":
        results, event = on_host(sample.pick(result)), torch.cuda.Event()
        event.record()
    else:
        results = on_host(sample.pick(result))
    return Waiting(sample._replace(pick=no_pick), results, event)


def no_pick(result: torch.Tensor) -> torch.Tensor:
    return result


class Seen(typing.NamedTuple):
    """An operation that is about to run."""

    key: Key  # by which it is counted
    place: Key  # and recorded
    entry: typing.Optional[Entry]
    sample: typing.Optional[Sample]
    read: typing.List[torch.Tensor]  # operands of floating point, and real and imaginary parts
    sizes: typing.Set[int]  # what births know of them
    records: typing.List[typing.Any]  # what recorders do
    first: typing.Optional[Sample]  # its first row, for them


class Again:
    """The mode once more, in itself."""

    def __init__(self, mode: TorchDispatchMode) -> None:
        self.mode = mode

    def __enter__(self) -> None:
        TorchDispatchMode.__enter__(self.mode)

    def __exit__(self, *error: typing.Any) -> None:
        TorchDispatchMode.__exit__(self.mode, *error)


class Scope(TorchDispatchMode):
    """Rows of the operations that run in it, beside their exact results.

    sample   the share of rows, from 0 to 1: of so many calls `most` rows each; of the first call of each operation four
    seed     draws them
    births   whether infinities and NaN are followed to where they are born
    modules  classes of modules and what they compute: "layer_norm", "rms_norm", "softmax" or "log_softmax"
    threads  that judge; 2 without
    limits   of kinds of operations, or "*": "auto", "2ulp" or "1e-6abs", which is relative to sum |x_i|; the end of the scope
             throws AssertionError where one is broken

    Throws ValueError for what is none of these, and ImportError where libulpscope is missing.
    """

    open = thread = 0  # how many are, and in which

    def __init__(self, sample: float = 1 / 1000, seed: int = 0, most: int = 64, births: bool = True, modules: typing.Optional[typing.Mapping[type, str]] = None,
                 threads: typing.Optional[int] = None, limits: typing.Optional[typing.Mapping[str, str]] = None) -> None:
        super().__init__()
        expect("sample", sample, "a share from 0 to 1", isinstance(sample, (int, float)) and 0 <= sample <= 1)
        expect("seed", seed, "an integer", isinstance(seed, int))
        expect("most", most, "a count from 1 on", is_count(most))
        expect("births", births, "True or False", isinstance(births, bool))
        expect("threads", threads, "None or a count from 1 on", threads is None or is_count(threads))
        for kind, limit in pairs("limits", limits):
            expect("limits", kind, f"{', '.join(sorted(KINDS))} or *", kind in (*KINDS, "*"))
            expect("limits", limit, 'a limit "auto", "2ulp" or "1e-6abs"', isinstance(limit, str))
            Entry(Key(Place("", False), "", 1), 0).beyond(limit)
        for of, kind in pairs("modules", modules):
            expect("modules", of, "classes of modules", isinstance(of, type) and issubclass(of, torch.nn.Module))
            expect("modules", kind, ", ".join(MODULES), kind in MODULES)
        library.library()  # or what is missing is said here
        self.draw = operations.Draw(seed, sample, most)
        self.sample, self.seed, self.modules, self.limits = sample, seed, dict(modules or {}), dict(limits or {})
        self.left_out: "collections.Counter[typing.Tuple[str, str]]" = collections.Counter()  # kinds and reasons
        self.places = Places(self._after_module, self.left_out)
        self.births = Births() if births else None
        self.found: typing.Dict[Key, Entry] = {}
        self.others: "collections.Counter[str]" = collections.Counter()  # operations of no kind that is looked at
        self.broken: typing.List[Entry] = []  # in what check() found
        self.recorders: typing.List[typing.Any] = []
        self.workers = threads or min(2, os.cpu_count() or 1)
        self.pool: typing.Optional[concurrent.futures.ThreadPoolExecutor] = None
        self.waiting: "collections.deque[typing.Tuple[Entry, typing.Any]]" = collections.deque()
        self.lock = threading.RLock()  # backward passes run in threads of their own

    # ---- begin and end ----

    def __enter__(self) -> "Scope":
        if self.pool is not None:
            raise RuntimeError("expected a scope that is not open, found one that is")
        if Scope.open and Scope.thread != threading.get_ident():
            raise RuntimeError("expected scopes of one thread at a time, found one that is open in another")
        self.process, self.pool = os.getpid(), concurrent.futures.ThreadPoolExecutor(self.workers, "ulpscope")
        self.places.start()
        self.collectives = {name: getattr(torch.distributed, name) for name in parting.COLLECTIVES if hasattr(torch.distributed, name)}
        for name, original in self.collectives.items():
            setattr(torch.distributed, name, functools.wraps(original)(functools.partial(self._collective, name, original)))
        super().__enter__()
        Scope.open, Scope.thread = Scope.open + 1, threading.get_ident()
        return self

    def __exit__(self, *error: typing.Any) -> None:
        super().__exit__(*error)
        Scope.open -= 1
        self.places.stop()
        for name, original in self.collectives.items():
            setattr(torch.distributed, name, original)
        self.settle()
        typing.cast(concurrent.futures.ThreadPoolExecutor, self.pool).shutdown()
        self.pool = None
        for recorder in self.recorders:
            recorder.close(is_whole=error[0] is None)
        self.recorders = []
        if self.limits and error[0] is None:
            self.check(self.limits)

    def check(self, limits: typing.Mapping[str, str]) -> None:
        """Throws AssertionError where an operation is beyond the limit of its kind, or "*", where infinities or NaN were born, and where of a kind nothing was looked at."""
        entries = self.entries()
        births: typing.List[typing.Tuple[typing.Optional[Entry], str]] = [(one, f"{one.key}: {one.born}") for one in entries if one.born]
        broken = births[:]
        for kind, limit in limits.items():
            of = [one for one in entries if (one.kind == kind if kind != "*" else one.kind not in limits)]
            broken += [(one, f"{one.key}: {one.undefined} results are not defined, of operands that hold NaN or infinities") for one in of if one.undefined and not births]
            broken += [(one, text) for one in of for text in [one.beyond(limit) if one.sampled else ""] if text]
            if not any(one.sampled for one in of) and (kind != "*" or not entries):
                broken.append((None, f"{kind}: nothing was looked at; a larger sample looks at more"))
        self.broken = [one for one, _ in broken if one is not None]
        if broken:
            raise AssertionError("\n".join(text for _, text in broken))

    def settle(self) -> None:
        """Waits for all that was drawn, and for what births asked; entries() does."""
        with self.lock, without_modes():
            while self.waiting:
                self._take_one()
            if self.births is not None:
                self.births.settle()
                for birth in self.births.found:
                    entry = self._entry(birth.operation)
                    entry.born_at = min(entry.born_at, self.births.settled)
                    self.births.settled += 1
                    entry.calls += birth.operation.kind not in KINDS  # whose calls are counted as they run
                    entry.born = entry.born or birth.what
                self.births.found = []

    def record(self, path: typing.Union[str, "os.PathLike[str]"]) -> None:
        """Keeps digests of what all operations from here on read and write, in a file that is there once the scope is left; see compare().
        Throws OSError, and RuntimeError outside of it."""
        if self.pool is None:
            raise RuntimeError("expected a scope that is open, found one that is not")
        if os.path.isdir(path):
            raise IsADirectoryError(errno.EISDIR, "expected the path of a file, found a folder", os.fspath(path))
        self.recorders.append(digests.Recorder(path))

    # ---- what runs ----

    def __torch_dispatch__(self, func: typing.Any, types: typing.Any, args: typing.Tuple[typing.Any, ...] = (),
                           kwargs: typing.Optional[typing.Dict[str, typing.Any]] = None) -> typing.Any:
        kwargs = kwargs or {}
        namespace, _, name = func._schema.name.partition("::")
        name = name.rstrip("_")
        if name in VIEWS or namespace != "aten" or os.getpid() != self.process:  # a child, as of a DataLoader, has no threads that judge
            return func(*args, **kwargs)
        if name not in operations.OPERATIONS and torch.is_inference_mode_enabled() and hasattr(func, "decompose"):
            with Again(self):  # what elsewhere is decomposed before it comes here
                result = func.decompose(*args, **kwargs)
            if result is not NotImplemented:
                return result
        if torch.cuda.is_initialized() and torch.cuda.is_current_stream_capturing():
            self.left_out[name, "operations of a graph of CUDA that is captured"] += 1
            return func(*args, **kwargs)
        with self.lock, torch.no_grad(), self._apart():
            seen = self._safely(name, self._before, func, name, args, kwargs)
        result = func(*args, **kwargs)
        if seen is not None:
            with self.lock, torch.no_grad(), self._apart():
                self._safely(name, self._after, func, name, seen, operations.arguments(func, args, kwargs), result)
        return result

    def _apart(self) -> typing.Any:
        """What another scope around this one does not see."""
        return without_modes() if Scope.open > 1 else contextlib.nullcontext()

    def _before(self, func: typing.Any, name: str, args: typing.Tuple[typing.Any, ...], kwargs: typing.Dict[str, typing.Any]) -> Seen:
        place, frame = self.places.here()
        kind = operations.OPERATIONS[name][0] if name in operations.OPERATIONS else name
        frame.seen[kind] += 1
        in_order = Key(place, kind, min(frame.seen[kind], MANY))
        key = in_order if place.path else Key(Place(line_of_code(), place.is_backward), kind, 1)
        entry = sample = first = None
        if name in operations.OPERATIONS:
            entry = self._entry(key)
            entry.calls += 1
            given = operations.arguments(func, args, kwargs)
            self.draw.is_first = entry.calls == 1
            sample = self._drawn(kind, operations.OPERATIONS[name][1], self.draw, given) if self.sample else None
            first = self._drawn(kind, operations.OPERATIONS[name][1], digests.First(), given) if self.recorders else None
        reads = operations.written(func)[1]
        given_tensors = tensors_of((args if reads else args[1:], {name: value for name, value in kwargs.items() if name != "out"}))
        read = [one for one in given_tensors if looked_at(one)]
        if entry is None and read:
            self.others[name] += 1
        recorders = [] if name.startswith(UNWRITTEN) else self.recorders
        asked = with_real_parts(given_tensors)
        return Seen(key, in_order, entry, sample, asked, self.births.before(asked) if self.births is not None else set(), [one.before(in_order, read) for one in recorders], first)

    def _after(self, func: typing.Any, name: str, seen: Seen, given: typing.Dict[str, typing.Any], result: typing.Any) -> None:
        results, asked = [one for one in tensors_of(result) if looked_at(one)], with_real_parts(tensors_of(result))
        if self.births is not None:
            written = [one for one in tensors_of([given.get(name) for name in operations.written(func)[0]]) if looked_at(one) and not any(one is other for other in results)]
            self.births.after(name, seen.key, seen.sizes, [*seen.read, *written], asked + written, (one for one in given.values() if isinstance(one, float)))
        along = given["dim"] % max(given["self"].dim(), 1) if seen.key.kind in ("softmax", "log_softmax", "cumsum") else -1
        for recorder, before in zip(self.recorders, seen.records):
            recorder.after(seen.place, before, results, seen.first, along)
        if seen.sample is not None and seen.entry is not None:
            self._look(seen.entry, seen.sample, tensors_of(result)[0])

    def _collective(self, name: str, original: typing.Any, tensor: torch.Tensor, *args: typing.Any, **kwargs: typing.Any) -> typing.Any:
        """A collective operation of torch.distributed, which writes to the tensor."""
        waits = not self.recorders or not inspect.signature(original).bind(tensor, *args, **kwargs).arguments.get("async_op")
        if not waits:
            self.left_out[name, "one that does not wait"] += 1
        if not self.recorders or not waits or not isinstance(tensor, torch.Tensor):
            return original(tensor, *args, **kwargs)
        place, frame = self.places.here()
        frame.seen[name] += 1
        key = Key(place, name, frame.seen[name])
        with without_modes(), torch.no_grad():
            before = [one.before(key, [tensor]) for one in self.recorders]
            result = original(tensor, *args, **kwargs)
            for recorder, operands in zip(self.recorders, before):
                recorder.after(key, operands, [tensor], None)
        return result

    def _after_module(self, module: torch.nn.Module, path: str, x: torch.Tensor, result: torch.Tensor) -> None:
        """Holds a module to what its class says that it computes, where the operations in it do not say so."""
        if type(module).__name__ == "OptimizedModule":
            self.left_out[type(module).__name__, "a compiled graph, of which only what it calls by operators of PyTorch is seen"] += 1
        kind = kind_of(module, self.modules)
        inside = self.places.stack()[-1].seen  # an operation of the kind was looked at already, of what it was given
        if type(module) not in self.modules and any(inside[one] for one in (("layer_norm", "rms_norm") if kind == "norm" else (kind,))):
            return
        if not kind or not self.sample or os.getpid() != self.process or x.shape != result.shape:
            return
        with without_modes(), self.lock, torch.no_grad():
            key = Key(Place(path, False), f"{kind} of the module", 1)
            self._entry(key).calls += 1
            self.draw.is_first = self._entry(key).calls == 1
            sample = self._drawn(key.kind, sample_of_module, self.draw, kind, module, x.detach(), result.detach())
            if sample is not None:
                self._look(self._entry(key), sample, result.detach())

    # ---- what is drawn ----

    def _entry(self, key: Key) -> Entry:
        if key not in self.found:
            self.found[key] = Entry(key, len(self.found))
        return self.found[key]

    def _safely(self, kind: str, function: typing.Callable[..., typing.Any], *arguments: typing.Any) -> typing.Any:
        """What it returns; None also for what is left out, which is counted: no model fails because it is looked at."""
        try:
            return function(*arguments)
        except Skip as skip:
            self.left_out[kind, str(skip)] += 1
        except Exception as error:
            self.left_out[kind, f"{type(error).__name__}: {str(error).partition(chr(10))[0][:120]}"] += 1
        return None

    def _drawn(self, kind: str, function: typing.Callable[..., typing.Any], *arguments: typing.Any) -> typing.Optional[Sample]:
        """A sample, and its operands on the host."""
        sample = self._safely(kind, function, *arguments)
        return None if sample is None else typing.cast(typing.Optional[Sample], self._safely(kind, on_its_way, sample))

    def _look(self, entry: Entry, sample: Sample, result: torch.Tensor) -> None:
        """Hands the sample to a thread that judges it."""
        sent = self._safely(entry.key.kind, waiting, sample, result)
        if sent is not None:
            self.waiting.append((entry, typing.cast(concurrent.futures.ThreadPoolExecutor, self.pool).submit(sent.judge)))
        while len(self.waiting) > WAITING:
            self._take_one()

    def _take_one(self) -> None:
        """The oldest, so that sums over calls are in one order."""
        entry, future = self.waiting.popleft()
        judged = self._safely(entry.key.kind, future.result)
        if judged is not None:
            entry.add(judged)

    # ---- what was found ----

    def entries(self) -> typing.List[Entry]:
        """Of operations that were looked at or gave birth to infinities or NaN, the worst first; inside of the scope, so far."""
        if self.pool is not None and os.getpid() == self.process:
            self.settle()
        return sorted((entry for entry in self.found.values() if entry.sampled or entry.undefined or entry.born), key=Entry.rank)

    @property
    def findings(self) -> typing.List[Entry]:
        """Those in which something is wrong, the worst first."""
        return [entry for entry in self.entries() if entry.finding]

    def worst(self) -> Entry:
        """The first of entries().  Throws LookupError where there is none."""
        found = self.entries()
        if not found:
            raise LookupError("expected operations that were looked at, found none; a larger sample looks at more")
        return found[0]

    def __str__(self) -> str:
        return page.text(self)

    def _repr_html_(self) -> str:
        return page.body(self, 20)

    def report(self, path: typing.Union[str, "os.PathLike[str]"]) -> str:
        """Writes a page, and returns its path.  Throws OSError."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(page.page(self))
        return os.fspath(path)


def tensors_of(value: typing.Any) -> typing.List[torch.Tensor]:
    """In a tensor, a list, a tuple or a dictionary."""
    if isinstance(value, torch.Tensor):
        return [value]
    several = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ()
    return [one for part in several for one in tensors_of(part)]


def with_real_parts(tensors: typing.Sequence[torch.Tensor]) -> typing.List[torch.Tensor]:
    """Those that are looked at, and complex ones as twice as many numbers."""
    real = [torch.view_as_real(x.resolve_conj()) if x.is_complex() and type(x) is torch.Tensor and x.layout is torch.strided else x for x in tensors]
    return [one for one in real if looked_at(one)]


def looked_at(x: torch.Tensor) -> bool:
    """Whether it is of floating point, and there."""
    return type(x) in (torch.Tensor, torch.nn.Parameter) and x.is_floating_point() and x.layout is torch.strided and x.numel() > 0 and x.device.type != "meta"
