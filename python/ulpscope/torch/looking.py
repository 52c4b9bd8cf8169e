"""A scope over a running model: rows of its operations, drawn by a seed, beside their exact results."""

import collections
import concurrent.futures
import contextlib
import functools
import math
import os
import re
import threading
import typing

import torch
from torch.utils import _python_dispatch
from torch.utils._python_dispatch import TorchDispatchMode

from ulpscope import accuracy, library
from ulpscope.torch import digests, judging, operations, page, parting
from ulpscope.torch.births import Births
from ulpscope.torch.operations import Sample, Skip
from ulpscope.torch.places import Place, Places

WAITING = 64  # samples that are on the host and not judged yet; who brings more waits
VIEWS = ("detach", "alias", "view", "_unsafe_view", "t", "transpose", "permute", "expand", "select", "slice", "unsqueeze", "squeeze", "as_strided",
         "_reshape_alias", "split", "unbind", "unfold", "diagonal", "narrow")  # which compute nothing
KINDS = {kind for kind, _ in operations.OPERATIONS.values()}
CASES = {**judging.OPERATIONS, "matmul": library.DOT, "convolution": library.DOT, "sum": library.SUM, "index_add": library.SUM}
del CASES["norm"]


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


class Key(typing.NamedTuple):
    place: Place
    kind: str
    number: int  # which of its kind in one call of the module, from 1 on

    def __str__(self) -> str:
        return f"{self.place.path or 'outside of modules'}: {self.kind}{f' {self.number}' if self.number > 1 else ''}{', backward' if self.place.is_backward else ''}"


class Entry:
    """What is known of one operation of the model, of all its calls.  Numbers are of the results that were drawn."""

    def __init__(self, key: Key, order: int) -> None:
        self.key, self.order = key, order
        self.calls = self.sampled = self.results = self.nonfinite = 0
        self.format = ""
        self.ulp_error, self.share, self.relative = 0.0, math.nan, 0.0  # the largest; relative to sum |x_i|
        self.signed: typing.List[float] = [0.0, 0.0, 0.0]  # means of computed - exact in ulps, one of each call: how many, their sum, the sum of squares
        self.born: typing.Optional[str] = None
        self.findings: "collections.Counter[str]" = collections.Counter()
        self.judged: typing.Optional[judging.Judged] = None  # of the worst call,
        self.top = (False, -math.inf, -math.inf)  # which this says

    def add(self, judged: judging.Judged) -> None:
        self.sampled += 1
        self.results += judged.count
        self.format = judged.format
        finite = [one for one in judged.signed if math.isfinite(one)]
        self.nonfinite += len(judged.signed) - len(finite)
        if finite:
            mean = math.fsum(finite) / len(finite)
            self.signed = [a + b for a, b in zip(self.signed, (1, mean, mean * mean))]
        rank = (bool(judged.finding), -1.0 if math.isnan(judged.share) else judged.share, judged.ulp_error)
        if rank > self.top:
            self.judged, self.top = judged._replace(worst=judged.worst.copy()), rank
        self.ulp_error, self.relative = max(self.ulp_error, judged.ulp_error), max(self.relative, judged.relative)
        self.share = judged.share if math.isnan(self.share) else self.share if math.isnan(judged.share) else max(judged.share, self.share)
        if judged.finding:
            self.findings[judged.finding.partition(":")[0]] += 1

    @property
    def bias(self) -> float:
        """The mean of computed - exact in ulps; nan of no result."""
        return self.signed[1] / self.signed[0] if self.signed[0] else math.nan

    @property
    def digits(self) -> float:
        """How many decimal digits of sum |x_i| are right in the worst result; inf where none is wrong."""
        return max(0.0, -math.log10(self.relative)) if self.relative else math.inf

    @property
    def is_biased(self) -> bool:
        """Whether it is beyond what chance makes of it once in 16,000 times, of 20 calls or more: results of one call are not independent."""
        count, total, squares = self.signed
        spread = math.sqrt(max(squares / count - (total / count) ** 2, 0) / count) if count >= 20 else math.inf
        return abs(self.bias) > 4 * spread

    @property
    def finding(self) -> str:
        """What is wrong; "" for nothing."""
        if self.born:
            return self.born
        if not self.findings:
            return ""
        text = typing.cast(judging.Judged, self.judged).finding
        return f"{text}, in {sum(self.findings.values())} of {self.sampled} calls looked at"

    def beyond(self, limit: str) -> str:
        """What is beyond it: "auto", "2ulp" or "1e-6abs", which is relative to sum |x_i|; "" for nothing.  Throws ValueError for what is no limit."""
        kind = next((kind for kind in ("ulp", "abs", "auto") if limit.endswith(kind)), "")
        try:
            least = 1.0 if limit == "auto" else float(limit[:-len(kind)])
        except ValueError:
            least = -1.0
        if not kind or not 0 <= least < math.inf:
            raise ValueError(f'expected a limit "auto", "2ulp" or "1e-6abs", found {limit!r}')
        found, unit = {"ulp": (self.ulp_error, "ulp"), "abs": (self.relative, "of sum |x|"), "auto": (self.share, "of its bound")}[kind]
        return "" if found <= least else f"{self.key}: {found:.3g} {unit}, limit {limit}" if found == found else f"{self.key}: no bound is known; give {limit} another form"

    def rank(self) -> typing.Tuple[typing.Any, ...]:
        """Births, in their order, before findings, before all others."""
        share = self.share if self.share == self.share else 0.0
        tier = 0 if self.born else 1 if any(finding.startswith("beyond") for finding in self.findings) else 2 if self.findings else 3
        return (tier, self.order if tier == 0 else 0, -share, -self.ulp_error, self.order)

    def save(self, folder: typing.Union[str, "os.PathLike[str]"]) -> str:
        """Writes the operands of the worst result into the folder as .npy, and returns the command that opens them.  Throws ValueError where there
        is no such result, or where no command takes it."""
        if self.judged is None:
            raise ValueError(f"{self.key}: expected results that were looked at, found none")
        row = self.judged.worst
        if row.kind not in CASES:
            raise ValueError(f"{self.key}: expected an operation that `ulpscope exact` has, found {row.kind}")
        of = accuracy.PerNumber if row.results.dim() else accuracy.Statistic if row.y is None else accuracy.Problem
        problem = of(CASES[row.kind], row.x, **({"added": None, "axis": -1} if row.results.dim() else {} if row.y is None else {"y": row.y}))
        problem.of.ddof, problem.of.eps = row.settings.get("ddof", 0), row.settings.get("eps", 0.0)
        os.makedirs(folder, exist_ok=True)
        return accuracy.write_case(problem, problem.results(row.results), os.path.join(os.fspath(folder), re.sub(r"[^\w.]+", "-", str(self.key))))


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

    def judge(self) -> typing.Optional[judging.Judged]:
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

    key: Key
    entry: typing.Optional[Entry]
    sample: typing.Optional[Sample]
    read: typing.List[torch.Tensor]  # operands of floating point
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
    """See ulpscope.torch.scope."""

    def __init__(self, sample: float = 1 / 1000, seed: int = 0, most: int = 64, births: bool = True, modules: typing.Optional[typing.Mapping[type, str]] = None,
                 threads: typing.Optional[int] = None, limits: typing.Optional[typing.Mapping[str, str]] = None) -> None:
        super().__init__()
        for limit in (limits or {}).values():
            Entry(Key(Place("", False), "", 1), 0).beyond(limit)
        for kind in (limits or {}):
            if kind not in (*KINDS, "*"):
                raise ValueError(f"limits: expected {', '.join(sorted(KINDS))} or *, found {kind!r}")
        if not 0 <= sample <= 1:
            raise ValueError(f"sample: expected a share from 0 to 1, found {sample!r}")
        for kind in (modules or {}).values():
            if kind not in MODULES:
                raise ValueError(f"modules: expected {', '.join(MODULES)}, found {kind!r}")
        library.library()  # or what is missing is said here
        self.draw = operations.Draw(seed, sample, most)
        self.sample, self.seed, self.modules, self.limits = sample, seed, dict(modules or {}), dict(limits or {})
        self.places = Places(self.after_module)
        self.births = Births() if births else None
        self.found: typing.Dict[Key, Entry] = {}
        self.left_out: "collections.Counter[typing.Tuple[str, str]]" = collections.Counter()  # kinds and reasons
        self.others: "collections.Counter[str]" = collections.Counter()  # operations of no kind that is looked at
        self.recorders: typing.List[typing.Any] = []
        self.workers = threads or min(2, os.cpu_count() or 1)
        self.pool: typing.Optional[concurrent.futures.ThreadPoolExecutor] = None
        self.waiting: "collections.deque[typing.Tuple[Entry, typing.Any]]" = collections.deque()
        self.lock = threading.RLock()  # backward passes run in threads of their own

    # ---- begin and end ----

    def __enter__(self) -> "Scope":
        if self.pool is not None:
            raise RuntimeError("expected a scope that is not open, found one that is")
        self.pool = concurrent.futures.ThreadPoolExecutor(self.workers, "ulpscope")
        self.places.start()
        self.collectives = {name: getattr(torch.distributed, name) for name in parting.COLLECTIVES if hasattr(torch.distributed, name)}
        for name, original in self.collectives.items():
            setattr(torch.distributed, name, functools.wraps(original)(functools.partial(self.collective, name, original)))
        super().__enter__()
        return self

    def __exit__(self, *error: typing.Any) -> None:
        super().__exit__(*error)
        self.places.stop()
        for name, original in self.collectives.items():
            setattr(torch.distributed, name, original)
        self.settle()
        typing.cast(concurrent.futures.ThreadPoolExecutor, self.pool).shutdown()
        self.pool = None
        for recorder in self.recorders:
            recorder.close()
        self.recorders = []
        if self.limits and error[0] is None:
            self.check(self.limits)

    def check(self, limits: typing.Mapping[str, str]) -> None:
        """Throws AssertionError where an operation is beyond the limit of its kind, or "*", where infinities or NaN were born, and where of a kind nothing was looked at."""
        entries = self.entries()
        broken = [f"{one.key}: {one.born}" for one in entries if one.born]
        for kind, limit in limits.items():
            of = [one for one in entries if one.sampled and (one.judged.worst.kind == kind if kind != "*" else one.judged.worst.kind not in limits)]  # type: ignore[union-attr]
            broken += [f"{kind}: nothing was looked at; a larger sample looks at more"] if not of else [text for text in (one.beyond(limit) for one in of) if text]
        if broken:
            raise AssertionError("\n".join(broken))

    def settle(self) -> None:
        """Waits for all that was drawn, and for what births asked."""
        with self.lock:
            while self.waiting:
                self.take_one()
            if self.births is not None:
                self.births.settle()
                for birth in self.births.found:
                    entry = self.entry(birth.operation)
                    entry.calls += birth.operation.kind not in KINDS  # whose calls are counted as they run
                    entry.born = entry.born or ("NaN is born here, of operands without one" if birth.is_nan else "infinities are born here, of finite operands")
                self.births.found = []

    def record(self, path: typing.Union[str, "os.PathLike[str]"]) -> None:
        """Keeps digests of what all operations from here on read and write, in a file that is there once the scope is left; see compare().
        Throws OSError."""
        self.recorders.append(digests.Recorder(path))

    # ---- what runs ----

    def __torch_dispatch__(self, func: typing.Any, types: typing.Any, args: typing.Tuple[typing.Any, ...] = (),
                           kwargs: typing.Optional[typing.Dict[str, typing.Any]] = None) -> typing.Any:
        kwargs = kwargs or {}
        namespace, _, name = func._schema.name.partition("::")
        name = name.rstrip("_")
        if name in VIEWS or namespace != "aten":
            return func(*args, **kwargs)
        if name not in operations.OPERATIONS and torch.is_inference_mode_enabled() and hasattr(func, "decompose"):
            with Again(self):  # what elsewhere is decomposed before it comes here
                result = func.decompose(*args, **kwargs)
            if result is not NotImplemented:
                return result
        with self.lock, torch.no_grad():
            seen = self.before(func, name, args, kwargs)
        result = func(*args, **kwargs)
        with self.lock, torch.no_grad():
            self.after(name, seen, result)
        return result

    def before(self, func: typing.Any, name: str, args: typing.Tuple[typing.Any, ...], kwargs: typing.Dict[str, typing.Any]) -> Seen:
        place, frame = self.places.here()
        kind = operations.OPERATIONS[name][0] if name in operations.OPERATIONS else name
        frame.seen[kind] += 1
        key = Key(place, kind, frame.seen[kind])
        entry = sample = first = None
        if name in operations.OPERATIONS:
            entry = self.entry(key)
            entry.calls += 1
            given = operations.arguments(func, args, kwargs)
            sample = self.drawn(kind, operations.OPERATIONS[name][1], self.draw, given) if self.sample else None
            first = self.drawn(kind, operations.OPERATIONS[name][1], digests.First(), given) if self.recorders else None
        read = [one for one in tensors_of((args, {name: value for name, value in kwargs.items() if name != "out"})) if looked_at(one)]
        if entry is None and read:
            self.others[name] += 1
        return Seen(key, entry, sample, read, self.births.before(read) if self.births is not None else set(), [one.before(key, read) for one in self.recorders], first)

    def after(self, name: str, seen: Seen, result: typing.Any) -> None:
        results = [one for one in tensors_of(result) if looked_at(one)]
        if self.births is not None:
            self.births.after(name, seen.key, seen.sizes, seen.read, results)
        for recorder, before in zip(self.recorders, seen.records):
            recorder.after(seen.key, before, results, seen.first)
        if seen.sample is not None and seen.entry is not None:
            self.look(seen.entry, seen.sample, tensors_of(result)[0])

    def collective(self, name: str, original: typing.Any, tensor: torch.Tensor, *args: typing.Any, **kwargs: typing.Any) -> typing.Any:
        """A collective operation of torch.distributed, which writes to the tensor."""
        if not self.recorders or kwargs.get("async_op") or not isinstance(tensor, torch.Tensor):
            self.left_out[name, "one that does not wait"] += bool(kwargs.get("async_op"))
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

    def after_module(self, module: torch.nn.Module, path: str, args: typing.Tuple[typing.Any, ...], result: typing.Any) -> None:
        """Holds a module to what its class says that it computes, where the operations in it do not say so."""
        if type(module).__name__ == "OptimizedModule":
            self.left_out[type(module).__name__, "a compiled graph, of which only what it calls by operators of PyTorch is seen"] += 1
        kind = kind_of(module, self.modules)
        if not kind or not args or not all(isinstance(one, torch.Tensor) for one in (args[0], result)) or args[0].shape != result.shape:
            return
        with without_modes(), self.lock, torch.no_grad():
            key = Key(Place(path, False), f"{kind} of the module", 1)
            self.entry(key).calls += 1
            sample = self.drawn(key.kind, sample_of_module, self.draw, kind, module, args[0].detach(), result.detach())
            if sample is not None:
                self.look(self.entry(key), sample, result.detach())

    # ---- what is drawn ----

    def entry(self, key: Key) -> Entry:
        if key not in self.found:
            self.found[key] = Entry(key, len(self.found))
        return self.found[key]

    def safely(self, kind: str, function: typing.Callable[..., typing.Any], *arguments: typing.Any) -> typing.Any:
        """What it returns; None also for what is left out, which is counted: no model fails because it is looked at."""
        try:
            return function(*arguments)
        except Skip as skip:
            self.left_out[kind, str(skip)] += 1
        except Exception as error:
            self.left_out[kind, f"{type(error).__name__}: {error}"] += 1
        return None

    def drawn(self, kind: str, function: typing.Callable[..., typing.Any], *arguments: typing.Any) -> typing.Optional[Sample]:
        """A sample, and its operands on the host."""
        sample = self.safely(kind, function, *arguments)
        return None if sample is None else typing.cast(typing.Optional[Sample], self.safely(kind, on_its_way, sample))

    def look(self, entry: Entry, sample: Sample, result: torch.Tensor) -> None:
        """Hands the sample to a thread that judges it."""
        sent = self.safely(entry.key.kind, waiting, sample, result)
        if sent is not None:
            self.waiting.append((entry, typing.cast(concurrent.futures.ThreadPoolExecutor, self.pool).submit(sent.judge)))
        while len(self.waiting) > WAITING:
            self.take_one()

    def take_one(self) -> None:
        """The oldest, so that sums over calls are in one order."""
        entry, future = self.waiting.popleft()
        judged = self.safely(entry.key.kind, future.result)
        if judged is not None:
            entry.add(judged)

    # ---- what was found ----

    def entries(self) -> typing.List[Entry]:
        """Of operations that were looked at or gave birth to infinities or NaN, the worst first."""
        return sorted((entry for entry in self.found.values() if entry.sampled or entry.born), key=Entry.rank)

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


def looked_at(x: torch.Tensor) -> bool:
    """Whether it is of floating point, and there."""
    return type(x) in (torch.Tensor, torch.nn.Parameter) and x.is_floating_point() and x.layout is torch.strided and x.numel() > 0 and x.device.type != "meta"


# ---- modules ----

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
        return operations.exponentials(kind)(draw, {"self": x, "dim": module.dim if getattr(module, "dim", None) is not None else -1})
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
    if best is None or least > 0.5:
        raise Skip("a module that is called a norm and computes another one")
    best.settings["roundings"] = 4  # of x less its mean, its quotient, times the weight, with the bias
    return best
