"""What the program makes: data that break sums, families of `ulpscope list generators`, and tolerances for tests.

ULPSCOPE_PROGRAM names it; else it is that of the wheel, the `ulpscope` of the PATH, or that of the build folder or the prefix in
which this package lies.
"""

import array
import ast
import html
import importlib
import importlib.util
import json
import math
import os
import re
import shutil
import subprocess
import tempfile
import typing

from ulpscope import DTYPES, library, named


class ProgramMissing(FileNotFoundError):
    """There is no program `ulpscope`."""


def program() -> str:
    """The path of the program.  Throws ProgramMissing."""
    given = os.environ.get("ULPSCOPE_PROGRAM")
    wheel, *others = library.places("bin")
    folders = os.pathsep.join((wheel, os.environ.get("PATH", os.defpath), *others))
    found = shutil.which(given) if given else shutil.which("ulpscope", path=folders)
    if not found:
        raise ProgramMissing(f"expected the program ulpscope, found no {given or 'ulpscope in the PATH'}; install it, or name it in "
                             "ULPSCOPE_PROGRAM")
    return found


def _said(words: typing.List[str], folder: str) -> str:
    """What a command of the program prints."""
    path = program()
    try:
        done = subprocess.run([path, *words], capture_output=True, text=True, errors="replace", check=False)
    except OSError as error:  # too long
        raise ValueError(f"expected arguments of {words[0]}, found one that cannot be given: {error.strerror}") from None
    if done.returncode:
        said = re.sub(rf"^ulpscope: (\w+: )?({re.escape(folder)}/\w.npy: )?", "", done.stderr.strip()) or f"ulpscope {words[0]} ended with {done.returncode}"
        raise ValueError(said) if done.returncode == 2 else RuntimeError(said)
    return done.stdout


def data(spec: str, seed: int = 1, trial: int = 0, format: typing.Optional[str] = None, matrix: bool = False) -> typing.Any:
    """The numbers of a spec, as `ulpscope gen` makes them: "gensum:n=4096,cond=1e8".

    An array of NumPy, or of Python where there is no NumPy; two for "x::y", and with `matrix`: A and B.  Throws
    ProgramMissing, TypeError and ValueError for arguments that are none, and RuntimeError where the program fails.
    """
    if not isinstance(spec, str):
        raise TypeError(f"expected a data spec, found {spec!r}")
    two = matrix or "::" in spec
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, name) for name in ("x.npy", "y.npy")[: 1 + two]]
        command = ["gen", "-q", "--seed", str(seed), "--trial", str(trial), "-o", "::".join(paths)]
        command += ["--format", format] if format is not None else []
        command += ["--matrix"] if matrix else []
        _said([*command, "--", spec], folder)
        opaque = named(format or (re.findall(r"\bformat=(\w+)", spec) or ["bfloat16"])[-1])
        read = [read_npy(path, opaque) for path in paths]
    return tuple(read) if two else read[0]


class Tolerance(typing.NamedTuple):
    """For a test: abs(actual - expected) <= atol + rtol * abs(expected)."""

    rtol: float
    atol: float
    proved: bool  # of every correct method of the class; else measured, or nothing is claimed, and both are NaN
    by: str  # what proves it, or why there is nothing
    passes: typing.List[str]  # the faults that would still pass, of `ulpscope list faults`
    report: typing.Dict[str, typing.Any]  # all of it, as `ulpscope tolerance --json` has it
    text: str = ""  # what `ulpscope tolerance` prints

    def __repr__(self) -> str:
        return self.text.rstrip()

    def _repr_html_(self) -> str:
        return as_written(self.text)


def as_written(text: str) -> str:
    """Lines of a terminal as a notebook shows them: they scroll where they are too long."""
    return f'<pre style="overflow-x:auto;white-space:pre;font-family:monospace;line-height:1.3">{html.escape(text)}</pre>'


def tolerance(operation: str, data: typing.Any = None, **options: typing.Any) -> Tolerance:
    """Which tolerance a test may have: tolerance("sum", n=1000000), tolerance("dot@bfloat16", "normal:n=99::normal", order="pairwise").

    operation, data and options are those of `ulpscope tolerance`: n, shape, scale, condition, order, trials, seed; a shape may be a
    tuple, attack=True is --attack.  data may be an array of NumPy, too, of which all numbers are one sum; of a dot or matrix
    product a tuple of two.  Where no number can be written, both parts are NaN, and `by` says why.  Throws as data() does.
    """
    if not isinstance(operation, str):
        raise TypeError(f"expected an operation, found {operation!r}")
    if isinstance(data, str) and not data:
        raise ValueError("expected data, found an empty text; leave it out for the usual ones")
    words = []
    for name, value in options.items():
        if name in ("json", "quiet"):
            raise TypeError(f"expected options of the question, found {name}; leave it out")
        flag, text = f"--{name.replace('_', '-')}", "x".join(map(str, value)) if isinstance(value, (tuple, list)) else str(value)
        words += [] if value is None or value is False else [flag] if value is True else [f"{flag}={text}"]
    with tempfile.TemporaryDirectory() as folder:
        if data is not None and not isinstance(data, str):
            numpy = importlib.import_module("numpy")
            arrays = data if isinstance(data, tuple) and len(data) == 2 and not any(map(numpy.isscalar, data)) else (data,)
            paths = [os.path.join(folder, name) for name in ("x.npy", "y.npy")[: len(arrays)]]
            for path, held in zip(paths, map(numpy.asarray, arrays)):
                if held.dtype == object:
                    raise TypeError(f"expected an array of NumPy's numbers, found one of {type(held.flat[0]).__name__ if held.size else 'nothing'}")
                numpy.save(path, held)
            data = "::".join(paths)
        path = os.path.join(folder, "answer.json")
        text = _said(["tolerance", "-q", f"--json={path}", *words, "--", operation, *([data] if data else [])], folder).replace(folder + os.sep, "")
        with open(path, encoding="utf-8") as file:
            report = json.load(file)
    written = report["write"]
    if written is None:
        return Tolerance(math.nan, math.nan, False, report["no_claim"] or report["not_written"], [], report, text)
    passes = [fault for fault, of in sorted(written["faults"].items()) if of["fate"] == "passes"]
    return Tolerance(float(written["rtol"]), float(written["atol"]), written["proved"], written["name"], passes, report, text)


def read_npy(path: str, opaque: str) -> typing.Any:
    """The array of a file of version 1.0; `opaque`: the format of bytes that .npy has no name for."""
    with open(path, "rb") as file:
        start = file.read(10)
        header = ast.literal_eval(file.read(int.from_bytes(start[8:10], "little")).decode("latin1"))
        bytes_read = file.read()
    kind, shape = header["descr"][1:], header["shape"]
    format = {"f8": "binary64", "f4": "binary32", "f2": "binary16"}.get(kind, opaque)
    if importlib.util.find_spec("numpy"):
        numpy = importlib.import_module("numpy")
        dtype = DTYPES[format] if format.startswith("binary") else getattr(importlib.import_module("ml_dtypes"), DTYPES[format])
        return numpy.frombuffer(bytearray(bytes_read), dtype).reshape(shape)
    if kind not in ("f8", "f4") or len(shape) != 1:
        raise ImportError(f"expected NumPy for {len(shape)} dimensions of {format}, found none; install it")
    return array.array({"f8": "d", "f4": "f"}[kind], bytes_read[: math.prod(shape) * int(kind[1])])
