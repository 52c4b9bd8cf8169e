"""Objects of JSON whose fields are attributes, of the types that fields.py declares."""

import functools
import typing


class Fields(typing.Dict[str, typing.Any]):
    """An object of JSON, whose fields are attributes as well; those of names like `class` are items alone, ["class"].  None: it is not there."""

    if not typing.TYPE_CHECKING:  # which would take every name for one that is here
        def __getattr__(self, name: str) -> typing.Any:
            try:
                return self[name]
            except KeyError:
                raise AttributeError(f"expected one of {', '.join(self)}, found {name}") from None

    def __dir__(self) -> typing.List[str]:
        return [*super().__dir__(), *self]


@functools.lru_cache(maxsize=None)
def declared(kind: typing.Hashable) -> typing.Dict[str, typing.Any]:
    """Types of the fields of a class."""
    return typing.get_type_hints(typing.cast(type, kind))


def value(kind: typing.Any, raw: typing.Any) -> typing.Any:
    """A value of JSON as it is declared: objects as their classes, "inf" and "nan" as numbers, a field that is not there as None."""
    of = [one for one in typing.get_args(kind) if one is not type(None)]
    if raw is None or kind is None:
        return raw
    if typing.get_origin(kind) is typing.Union:
        return value(of[0], raw)
    if isinstance(raw, list):
        return [value(of[-1], one) for one in raw]
    if isinstance(raw, dict) and of:
        return Fields({name: value(of[-1], one) for name, one in raw.items()})
    if isinstance(raw, dict):
        fields = declared(kind)
        return kind({name: value(fields.get(name), raw.get(name)) for name in {**raw, **fields}})
    return float(raw) if kind is float and isinstance(raw, str) else raw
