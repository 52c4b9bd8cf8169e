"""The file that has the functions: imported, searched for what it declares, and how an exception in it is reported."""

import importlib.util
import os
import platform
import sys
import types
import typing

import ulpscope
from ulpscope import arrays


class Cannot(Exception):
    """Why there are no methods."""


def place(error: BaseException, path: str) -> str:
    """Where an exception comes from: the innermost line that is the file's own; "" when none is."""
    if isinstance(error, SyntaxError) and error.filename == path:
        return f" ({os.path.basename(path)}:{error.lineno})"
    lines, trace = [], error.__traceback__
    while trace:
        if trace.tb_frame.f_code.co_filename == path:
            lines.append(trace.tb_lineno)
        trace = trace.tb_next
    return f" ({os.path.basename(path)}:{lines[-1]})" if lines else ""


def what(error: BaseException, path: str) -> str:
    """An exception as the end of a sentence that the function, or the file, begins."""
    if isinstance(error, arrays.Misfit):
        return str(error)
    if isinstance(error, SystemExit):
        return f"called sys.exit({'' if error.code is None else repr(error.code)}){place(error, path)}"
    words = " ".join(str(error.msg if isinstance(error, SyntaxError) else error).split())
    kind = "ran out of memory: MemoryError" if isinstance(error, MemoryError) else f"raised {type(error).__name__}"
    return kind + (f": {words}" if words else "") + place(error, path)


def load(path: str) -> types.ModuleType:
    """The file as a module, compiled anew, that imports what `python3 FILE.py` would."""
    name = os.path.splitext(os.path.basename(path))[0]
    module = types.ModuleType(name)
    module.__file__, sys.path[0], sys.modules[name] = path, os.path.dirname(path), module
    try:
        with open(path, "rb") as file:
            source = file.read()
    except OSError as error:
        raise Cannot(f"expected a file of Python, found no {path}: {error.strerror}") from None
    try:
        exec(compile(source, path, "exec"), vars(module))
    except BaseException as error:
        raise Cannot(f"{os.path.basename(path)} {what(error, path)} when it was imported") from None
    return module


def declared(module: types.ModuleType, function_name: str) -> typing.List[typing.Tuple[str, ulpscope.Declaration]]:
    """Methods and their names: those of the variables that hold the functions, or else their own."""
    path, names = str(module.__file__), {id(value): name for name, value in reversed(vars(module).items())}
    if not function_name:
        found = [(str(names.get(id(one.function)) or getattr(one.function, "__name__", "")), one) for one in ulpscope.declarations
                 if id(one.function) in names or getattr(one.function, "__module__", None) == module.__name__]
        if not found:
            raise Cannot(f"expected functions behind @ulpscope.method in {path}, found none; name one, "
                         f"{os.path.basename(path)}:FUNCTION")
        return found
    function = getattr(module, function_name, None)
    if not callable(function):
        own = [name for name, value in vars(module).items() if isinstance(value, types.FunctionType)]
        raise Cannot(f"expected a function {function_name} in {path}, found "
                     f"{', '.join(own) or 'none' if function is None else repr(function)}")
    found = [(function_name, one) for one in ulpscope.declarations if one.function is function]
    kind = "numpy" if importlib.util.find_spec("numpy") else "list"
    return found or [(function_name, ulpscope.declare(function, arrays=kind))]


def version(module: types.ModuleType, frameworks: typing.Iterable[typing.Optional[str]]) -> str:
    """Those of the file, of what it imports and of Python: "1.0, numpy 1.24.2, Python 3.11.2"."""
    names = {value.__name__ for value in vars(module).values() if isinstance(value, types.ModuleType)}
    names = names.union(filter(None, frameworks)).difference(getattr(sys, "stdlib_module_names", ()), ["ulpscope"])
    own = [str(module.__version__)] if hasattr(module, "__version__") else []
    named = [f"{name} {sys.modules[name].__version__}" for name in sorted(names) if hasattr(sys.modules.get(name), "__version__")]
    return ", ".join([*own, *named, f"Python {platform.python_version()}"])
