"""Functions of Python as files that a worker can import, FILE.py of `ulpscope run --python`.

A function of a file is imported from it; one that has another name to be imported by, by that; one of a notebook, an interactive
session or another function is sent by cloudpickle or, where that is not installed, by its source.
"""

import ast
import base64
import builtins
import dis
import importlib.util
import inspect
import keyword
import linecache
import os
import re
import sys
import textwrap
import types
import typing

import ulpscope

CONSTANTS = (int, float, str, bytes, bool, complex, type(None))


def imported_as(value: typing.Any) -> str:
    """The expression that imports it by its name, "" where none does."""
    if isinstance(value, types.ModuleType):
        return f"importlib.import_module({value.__name__!r})" if value.__name__ in sys.modules and value.__name__ != "__main__" else ""
    module, path = getattr(value, "__module__", None), getattr(value, "__qualname__", getattr(value, "__name__", ""))
    found = sys.modules.get(module) if isinstance(module, str) and module != "__main__" else None
    for part in path.split("."):
        found = getattr(found, part, None)
    return f"importlib.import_module({module!r}).{path}" if found is value and found is not None else ""


def file_of(function: typing.Any) -> str:
    """The file that defines it under its name, "" where none does, or where that is part of a package and may import from it."""
    module = sys.modules.get(getattr(function, "__module__", None) or "")
    path = str(getattr(module, "__file__", None) or "")
    is_own = getattr(module, getattr(function, "__name__", ""), None) is function and not getattr(module, "__package__", None)
    code = getattr(function, "__code__", None)
    is_nested = code is not None and linecache.getline(path, code.co_firstlineno)[:1].isspace()  # behind `if __name__ == "__main__":`
    return os.path.abspath(path) if is_own and not is_nested and path.endswith(".py") and os.path.isfile(path) else ""


def pickled(function: typing.Any) -> str:
    """The expression that makes it again, as cloudpickle sends it, with all that it names."""
    cloudpickle = importlib.import_module("cloudpickle")
    try:
        data = base64.b64encode(cloudpickle.dumps(function))
    except Exception as error:
        raise TypeError(f"{function!r} cannot be sent to a worker: {type(error).__name__}: {error}; write it into a file") from None
    return f"importlib.import_module('pickle').loads(base64.b64decode({data!r}))"


def globals_of(code: types.CodeType) -> typing.Set[str]:
    """Names that a function, or one in it, looks up outside of them: not those of its arguments and variables."""
    found = {one.argval for one in dis.get_instructions(code) if one.opname == "LOAD_GLOBAL"}
    return found.union(*(globals_of(one) for one in code.co_consts if isinstance(one, types.CodeType)))


def source_of(function: typing.Any, sent: typing.Dict[str, str]) -> None:
    """Adds its definition to `sent`, behind those of the globals that it names.  Throws TypeError for what a text does not bring."""
    def refuse(why: str) -> typing.NoReturn:
        raise TypeError(f"{getattr(function, '__name__', function)!s} cannot be sent to a worker: {why}; install cloudpickle, or write it into a file")

    name = str(getattr(function, "__name__", ""))
    if not isinstance(function, types.FunctionType) or not name.isidentifier() or hasattr(function, "__wrapped__"):
        refuse(f"expected a function behind def, found {function!r}")
    if function.__code__.co_freevars:
        refuse(f"it has {', '.join(function.__code__.co_freevars)} from the function around it")
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, SyntaxError) as error:
        refuse(f"its source is not there ({error})")
    definition = typing.cast(ast.FunctionDef, tree.body[0])
    definition.decorator_list = []  # which declared it, as is done anew
    signature = [definition.args, *([definition.returns] if definition.returns else [])]  # which is read outside
    sent[name] = ""
    names = globals_of(function.__code__) | {node.id for part in signature for node in ast.walk(part) if isinstance(node, ast.Name)}
    for used in sorted(names - set(sent)):
        if used not in function.__globals__:
            if not hasattr(builtins, used):
                refuse(f"it names {used}, which is not defined")
            continue
        value = function.__globals__[used]
        expression = imported_as(value)
        if expression or type(value) in CONSTANTS:
            sent[used] = f"{used} = {expression or (f'float({str(value)!r})' if isinstance(value, float) else repr(value))}"
        elif isinstance(value, types.FunctionType) and value.__name__ == used:
            source_of(value, sent)
        else:
            refuse(f"it names {used}, of type {type(value).__name__}")
    del sent[name]  # so that it stands behind them
    sent[name] = ast.unparse(tree)


class File:
    """A file that is written for a worker: its lines, and the names of its functions."""

    def __init__(self) -> None:
        self.lines = ["import base64, importlib, sys", "import ulpscope, ulpscope.source", f"sys.path += [path for path in {sys.path!r} if path not in sys.path]"]
        self.names: typing.List[str] = []
        self.sent: typing.Dict[str, str] = {}

    def named(self, function: typing.Any) -> str:
        """The name that it has here."""
        name = re.sub(r"\W", "", str(getattr(function, "__name__", type(function).__name__)))
        name = name if name.isidentifier() and not keyword.iskeyword(name) else "function"
        while name in self.names:
            name += "_"
        self.names.append(name)
        return name

    def add(self, function: typing.Any, path: str, declared: typing.Sequence[ulpscope.Declaration], is_declared: bool) -> str:
        """Its name, once it is among the lines."""
        name = self.named(function)
        imported = f"ulpscope.source.load({path!r}).{name}" if path else imported_as(function)
        if imported or importlib.util.find_spec("cloudpickle"):
            self.lines.append(f"{name} = {imported or pickled(function)}")
        else:
            before = set(self.sent)
            source_of(function, self.sent)
            self.lines += [text for key, text in self.sent.items() if key not in before]
        if not (imported and is_declared):
            for one in declared:
                arguments = ", ".join(f"{key}={value!r}" for key, value in one._asdict().items() if key != "function")
                self.lines.append(f"ulpscope.method({arguments})({name})")
        return name


def send(functions: typing.Sequence[typing.Any], folder: str, operation: str, format: str,
         keep: typing.Optional[typing.Callable[[str], File]] = None) -> typing.Tuple[typing.List[str], typing.List[str]]:
    """Ids of their methods, and files for --python.  `operation` and `format` are those of functions that are not declared.  `keep`: of
    those that stay in this process, by the name of their file."""
    ids, arguments = [], []
    written: typing.Dict[str, File] = {}
    for function in functions:
        if not callable(function):
            raise TypeError(f"methods: expected the id of a method or a function, found {function!r}")
        declared = [one for one in ulpscope.declarations if one.function is function]
        kind = "numpy" if importlib.util.find_spec("numpy") else "list"
        path = file_of(function)
        stem = os.path.splitext(os.path.basename(path))[0] if path else "here"
        all_of = declared or [ulpscope.declare(function, operation, format, kind)]
        if path and not keep and (declared or (operation, format) == ("sum", "binary32")):
            name = function.__name__
            arguments.append(f"{path}:{name}")
        else:
            if stem not in written:
                written[stem] = keep(stem) if keep else File()
            name = written[stem].add(function, path, all_of, bool(declared))
        ids += [",".join(sorted({("" if one.operation == "sum" else one.operation + ":") + re.sub(r"\W", "_", stem, flags=re.ASCII) + "/" + name
                                 + ("" if one.format == "binary32" else "@" + one.format) for one in all_of}))]
    for stem, file in written.items():
        arguments.append(os.path.join(folder, stem + ".py"))
        with open(arguments[-1], "w", encoding="utf-8") as out:
            out.write("\n".join(file.lines) + "\n")
    return ids, arguments
