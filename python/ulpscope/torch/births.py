"""Where infinities and NaN are born: at operations of which no operand has any, and a result has.

Of each result the least and the largest number are computed where it lies, and brought to the host by the thousand: nothing waits for it.
"""

import typing

import torch

FINITE, INFINITE, NAN = 0, 1, 2
FILLS = ("fill", "full", "new_", "masked_fill", "index_fill", "scalar_tensor", "lift", "set")  # whose infinities somebody wrote
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
    is_nan: bool


class Births:
    def __init__(self) -> None:
        self.found: typing.List[Birth] = []
        self.settled = 0  # how many were found before
        self.forget()

    def forget(self) -> None:
        self.sizes: typing.List[torch.Tensor] = []
        self.asked: typing.List[typing.Tuple[typing.Any, typing.Set[int], bool]] = []  # an operation, its operands' sizes, whether it may give birth
        self.kept: typing.Dict[int, typing.Set[int]] = {}  # sizes of what was written to a storage

    def ask(self, x: torch.Tensor, operation: typing.Any = None, operands: typing.AbstractSet[int] = frozenset(), may: bool = False) -> int:
        self.sizes += extremes(x)
        self.asked.append((operation, set(operands), may))
        return len(self.asked) - 1

    def before(self, tensors: typing.Sequence[torch.Tensor]) -> typing.Set[int]:
        """What is known, or asked for now, of operands, before an operation may write to them."""
        known: typing.Set[int] = set()
        for x in tensors:
            storage, _ = storage_of(x)
            if storage not in self.kept:
                self.kept[storage] = {self.ask(x)}
            known |= self.kept[storage]
        return known

    def after(self, name: str, operation: typing.Any, operands: typing.Set[int], read: typing.Sequence[torch.Tensor],
              results: typing.Sequence[torch.Tensor], is_given: bool) -> None:
        """Asks for what was written: a result in the storage of an operand that is no operand itself is a view.
        is_given: whether infinities are among its numbers."""
        old = {storage_of(x)[0] for x in read}
        for x in results:
            storage, is_all = storage_of(x)
            if name.startswith("empty"):
                self.kept.pop(storage, None)
            elif storage not in old or any(x is one for one in read):
                before = set() if is_all or storage not in old else self.kept.get(storage, set())
                self.kept[storage] = before | {self.ask(x, operation, operands, not is_given and not name.startswith(FILLS))}
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
                what[i // 2] = max(what[i // 2], NAN if size != size else INFINITE if abs(size) == float("inf") else FINITE)
        for i, (operation, operands, may) in enumerate(self.asked):
            if may and what[i] > max((what[j] for j in operands), default=FINITE):
                self.found.append(Birth(operation, what[i] == NAN))
        self.forget()
