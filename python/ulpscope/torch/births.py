"""Where infinities and NaN are born: at operations of which no operand has any, and a result has.  Where NaN comes in, in an operand that was there
before, or is written: infinities that come in or are written are masks.

Of each result the least and the largest number are computed where it lies, and brought to the host by the thousand: nothing waits for it.
"""

import typing

import torch

FINITE, INFINITE, NAN = 0, 1, 2
FILLS = ("fill", "full", "new_", "masked_fill", "index_fill", "scalar_tensor", "lift", "set")  # whose infinities somebody wrote
COPIES = ("clone", "_to_copy", "copy")
UNWRITTEN = ("empty", "new_empty")  # whose results hold what was in memory
BORN = {INFINITE: "infinities are born here, of finite operands", NAN: "NaN is born here, of operands without one"}
WRITTEN, COMES = "NaN is written here", "NaN comes in here, in an operand from before"
AT_ONCE = 4096


def extremes(x: torch.Tensor) -> typing.List[torch.Tensor]:
    """The least and the largest, of no dimension: one is infinite or NaN if one of x is."""
    if x.element_size() == 1 or x.device.type == "cpu" and x.dtype not in (torch.float32, torch.float64):
        x = x.float()
    return list(torch.aminmax(x))


def storage_of(x: torch.Tensor) -> typing.Tuple[int, bool]:
    """Its address, and whether x is all of it."""
    storage = x.untyped_storage() if hasattr(x, "untyped_storage") else x.storage().untyped()
    return storage.data_ptr(), storage.nbytes() == x.numel() * x.element_size()


class Birth(typing.NamedTuple):
    operation: typing.Any  # as it was given
    what: str


class Asked(typing.NamedTuple):
    """The size of a tensor, and of a result what it is of."""

    operation: typing.Any = None
    operands: typing.AbstractSet[int] = frozenset()  # their sizes
    given: int = FINITE  # the most that its numbers have


class Known:
    """What is asked of a storage: of all of it, or of parts that were read or written."""

    def __init__(self) -> None:
        self.is_all, self.sizes = False, set()  # type: bool, typing.Set[int]
        self.read: typing.Dict[typing.Any, int] = {}  # sizes of what was read, by offset, shape and strides


class Births:
    def __init__(self) -> None:
        self.found: typing.List[Birth] = []
        self.settled = 0  # how many were found before
        self.has_nan = False  # from then on what is read for the first time may be of it
        self.forget()

    def forget(self) -> None:
        self.sizes: typing.List[torch.Tensor] = []
        self.asked: typing.List[Asked] = []
        self.kept: typing.Dict[int, Known] = {}  # by addresses of storages

    def ask(self, x: torch.Tensor, of: Asked = Asked()) -> int:
        self.sizes += extremes(x)
        self.asked.append(of)
        return len(self.asked) - 1

    def before(self, tensors: typing.Sequence[torch.Tensor]) -> typing.Set[int]:
        """What is known, or asked for now, of operands, before an operation may write to them."""
        sizes: typing.Set[int] = set()
        for x in tensors:
            known = self.kept.setdefault(storage_of(x)[0], Known())
            part = (x.storage_offset(), x.shape, x.stride())
            if not known.is_all and part not in known.read:
                known.read[part] = self.ask(x)
            sizes |= known.sizes | ({known.read[part]} if part in known.read else set())
        return sizes

    def after(self, name: str, operation: typing.Any, operands: typing.Set[int], read: typing.Sequence[torch.Tensor],
              results: typing.Sequence[torch.Tensor], given: typing.Iterable[float]) -> None:
        """Asks for what was written: a result in the storage of an operand that is no operand itself is a view.  given: its numbers."""
        old = {storage_of(x)[0] for x in read}
        results = results[:1] if name == "_ctc_loss" else results  # its second is a table of its own, which begins with -inf
        asked = Asked(operation, frozenset(operands), max([INFINITE if name.startswith(FILLS) else FINITE, *map(size_of, given)]))
        for x in results:
            storage, is_all = storage_of(x)
            if name.startswith(UNWRITTEN):
                self.kept.pop(storage, None)
            elif storage not in old or any(x is one for one in read):
                known = self.kept.setdefault(storage, Known())
                if is_all or storage not in old:
                    known.is_all, known.sizes, known.read = is_all, set(), {}
                known.sizes |= operands if name in COPIES and read and x.dtype == read[0].dtype else {self.ask(x, asked)}
        if len(self.sizes) >= AT_ONCE:
            self.settle()

    def settle(self) -> None:
        """Brings all sizes to the host, and finds what was born."""
        together: typing.Dict[typing.Tuple[torch.device, torch.dtype], typing.List[int]] = {}
        for i, size in enumerate(self.sizes):
            together.setdefault((size.device, size.dtype), []).append(i)
        what = [FINITE] * len(self.asked)
        for indices in together.values():
            for i, size in zip(indices, torch.stack([self.sizes[i] for i in indices]).tolist()):
                what[i // 2] = max(what[i // 2], size_of(size))
        come = set() if self.has_nan else {i for i, asked in enumerate(self.asked) if what[i] == NAN and asked.operation is None}
        for i, (operation, operands, given) in enumerate(self.asked):
            if operation is None or what[i] == FINITE:
                continue
            most = max((what[j] for j in operands), default=FINITE)
            text = "" if what[i] <= most else BORN[what[i]] if what[i] > given else WRITTEN if what[i] == NAN else ""
            if what[i] == NAN and come & operands:
                text, come = COMES, come - operands
            if text:
                self.found.append(Birth(operation, text))
        self.has_nan |= NAN in what
        self.forget()


def size_of(value: float) -> int:
    return NAN if value != value else INFINITE if abs(value) == float("inf") else FINITE
