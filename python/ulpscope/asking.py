"""A command of the program with the arrays, functions and keyword arguments of Python: what it is given, and how it ends.

Keyword arguments are the command's own flags, which the program lists; their values are the program's to check.
"""

import contextlib
import ctypes
import difflib
import functools
import math
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import typing
import weakref

import ulpscope
from ulpscope import arrays, families, in_process, operands, sending

NPY = {"binary64": "f8", "binary32": "f4", "binary16": "f2"}  # of all others it has raw bytes
FILES = ("plugin", "python", "pipe")  # flags of which each value is a word of its own, as they may hold commas
OURS = ("json", "color", "help", "quiet", "ask")
OURS_OF_RUN = ("output", "resume", "overwrite", "csv", "summary", "svg", "html", "method", "data")
NOT_MEASURED, INTERRUPTED = 3, 130
ENDS: typing.Dict[int, typing.Type[Exception]] = {2: ValueError, 3: RuntimeError, 4: RuntimeError}


@functools.lru_cache(maxsize=None)
def flags(command: str, program: str) -> typing.Dict[str, str]:
    """Names of keyword arguments and what the program says of them."""
    done = subprocess.run([program, "--complete", *command.split(), "-"], capture_output=True, text=True, check=True)
    rows = (line.partition("\t") for line in done.stdout.splitlines())
    return {flag[2:].replace("-", "_"): meaning for flag, _, meaning in rows}


def text_of(value: typing.Any) -> str:
    """1e6 as 1000000, several with commas between them."""
    if isinstance(value, (list, tuple, range)):
        return ",".join(map(text_of, value))
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def words_of(command: str, options: typing.Mapping[str, typing.Any], ours: typing.Sequence[str] = OURS) -> typing.List[str]:
    """Keyword arguments as words: True is a flag alone, None and False none.  Throws TypeError for a name that is no flag."""
    known = {name: meaning for name, meaning in flags(command, families.program()).items() if name not in ours}
    words = []
    for name, value in options.items():
        if name not in known and not (name == "n" and command.startswith("tree")):  # which has no long name there
            near = difflib.get_close_matches(name, known, 1)
            raise TypeError(f"{command}: expected one of {', '.join(sorted(known))}, found {name}"
                            + (f"; did you mean {near[0]}, {known[near[0]]}?" if near else ""))
        flag = f"--{name.replace('_', '-')}" if name in known else f"-{name}"
        is_repeated = isinstance(value, (list, tuple)) and (name in FILES or "repeatable" in known.get(name, ""))
        for one in value if is_repeated else [value]:
            words += [] if one is None or one is False else [flag] if one is True else [f"{flag}={text_of(one)}"] if name in known else [flag, text_of(one)]
    return words


def write_npy(path: str, of: operands.Operand) -> None:
    """Elements as a file of version 1.0."""
    of, size = operands.contiguous(of), arrays.SIZES[of.format]
    order = "|" if size == 1 else "<" if sys.byteorder == "little" else ">"
    header = repr({"descr": order + NPY.get(of.format, f"V{size}"), "fortran_order": False, "shape": of.shape}).encode()
    header += b" " * (-(len(header) + 11) % 64) + b"\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header)
        file.write(ctypes.string_at(of.address, size * math.prod(of.shape)))


def is_several(data: typing.Any) -> bool:
    """Whether a list has data in place of numbers, or rows of them."""
    return isinstance(data, list) and any(hasattr(one, "__len__") and not isinstance(one, list) or isinstance(one, os.PathLike) for one in data)


@contextlib.contextmanager
def on_interrupt(handle: typing.Callable[[], object]) -> typing.Iterator[None]:
    """Does so in place of a KeyboardInterrupt, where this is the thread that has those."""
    handler = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(handler):
        yield
        return
    signal.signal(signal.SIGINT, lambda *_: handle())
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)


@contextlib.contextmanager
def held_back() -> typing.Iterator[typing.List[int]]:
    """Interrupts that came meanwhile: one between the start of a program and its being known would leave it running.  A program that
    starts has the handlers of its own."""
    came: typing.List[int] = []
    with on_interrupt(lambda: came.append(signal.SIGINT)):
        yield came


class Question:
    """A command, a folder of its own, which goes away with it, and the words that arrays and functions became."""

    def __init__(self, command: str, options: typing.Mapping[str, typing.Any], isolate: bool = True) -> None:
        if str(getattr(sys.modules.get("__main__"), "__file__", "")).endswith(os.path.join("ulpscope", "worker.py")):
            raise RuntimeError(f"expected {command}() to be called behind `if __name__ == \"__main__\":`, found it where a worker imports the file of a method")
        self.command, self.options, self.words = command, options, typing.cast(typing.List[str], [])
        self.folder = tempfile.mkdtemp(prefix="ulpscope.")
        weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)
        self.format = str(options.get("format") or "")
        self.said: typing.List[str] = []  # lines of the last error output
        self.formats: typing.Set[str] = set()  # of arrays
        self.count, self.cwd = 0, typing.cast(typing.Optional[str], None)
        self.here = None if isolate else in_process.Here(self.folder)

    def path(self, name: str) -> str:
        return os.path.join(self.folder, name)

    def data(self, x: typing.Any) -> str:
        """A spec: of an array a file, of a tuple of two both.  Throws as operands.operand does."""
        if isinstance(x, (str, os.PathLike)):
            return os.fspath(x)
        if isinstance(x, tuple) and len(x) == 2 and all(isinstance(one, (str, list)) or hasattr(one, "__len__") for one in x):
            return "::".join(map(self.data, x))
        of = operands.operand(x, "data")
        if not math.prod(of.shape):
            raise ValueError(f"data: expected numbers, found an array of shape {of.shape}")
        self.count += 1
        self.format = self.format or of.format
        self.formats.add(of.format)
        name = f"x{self.count}.npy"
        write_npy(self.path(name), of)
        return (name if self.cwd else self.path(name)) + ("" if of.format in NPY else f":format={of.format}")

    def functions(self, given: typing.Sequence[typing.Any]) -> typing.List[str]:
        """Ids of methods; those of functions, which are put where a worker finds them.  Throws TypeError where one cannot be sent."""
        several = [one for one in given if not isinstance(one, str)]
        ids, files = sending.send(several, self.folder, str(self.options.get("operation") or "sum"), self.format or "binary32",
                                  self.here.keep if self.here else None)
        self.words += [f"--python={file}" for file in files]
        if self.here and len(files) > 1 and "jobs" not in self.options and "jobs" in flags(self.command, families.program()):
            self.words.append("--jobs=1")  # or the program asks several at a time, of which one waits for others while its time runs
        found = iter(ids)
        return [one if isinstance(one, str) else next(found) for one in given]

    def format_of(self, methods: typing.Sequence[typing.Any]) -> typing.List[str]:
        """The flag with which a method's id means that in the format of the arrays; none where another format is meant."""
        is_said = "format" in self.options or any(one.function is method for method in methods for one in ulpscope.declarations)
        return [f"--format={self.format}"] if len(self.formats) == 1 and not is_said else []

    def with_flags(self, *flags: str) -> typing.List[str]:
        """The words, with more flags before the positional ones."""
        end = self.words.index("--")
        return [*self.words[:end], *flags, *self.words[end:]]

    def again(self, flag: str) -> str:
        """What the same command writes for a flag that asks for a picture or a page."""
        path = self.path(flag.strip("-"))
        self.ask(*(word for word in self.with_flags(f"{flag}={path}") if word != "--summary"), quiet=True)
        with open(path, encoding="utf-8") as file:
            return file.read()

    def ask(self, *words: str, quiet: bool = False, partly: bool = False) -> typing.Tuple[int, str]:
        """The exit status, 0, 1, 130 or, with `partly`, 3, and what was printed.  Its notes and progress are passed on by line unless `quiet`.

        A KeyboardInterrupt is the program's, which keeps what it has; a second one ends it at once.  Throws ValueError for what the program
        does not take, RuntimeError where it fails, and ProgramMissing.
        """
        environment = {"ULPSCOPE_PYTHON": sys.executable, **os.environ}
        with tempfile.TemporaryFile("w+", errors="replace", encoding="utf-8") as printed:
            try:
                with held_back() as came:
                    process = subprocess.Popen([families.program(), *words], stdin=subprocess.DEVNULL, stdout=printed, stderr=subprocess.PIPE, text=True,
                                               cwd=self.cwd, errors="replace", encoding="utf-8", env=environment, start_new_session=True)
            except (OSError, ValueError) as error:  # too long, or with a byte 0
                if isinstance(error, families.ProgramMissing):
                    raise
                raise ValueError(f"{self.command}: expected arguments, found one that cannot be given: {error}") from None
            if came:
                process.send_signal(signal.SIGINT)
            self.said = passed_on(process, quiet, self.here)
            printed.seek(0)
            text = printed.read()
        if process.returncode == -signal.SIGINT:  # before it could keep anything
            raise KeyboardInterrupt
        if process.returncode not in (0, 1, INTERRUPTED, *((NOT_MEASURED,) if partly else ())):
            raise ENDS.get(process.returncode, RuntimeError)(self.why() or f"ulpscope {self.command} ended with {process.returncode}")
        sys.stderr.writelines(line for line in self.said if not quiet and line.startswith("ulpscope"))
        return process.returncode, text

    def why(self) -> str:
        """What was said of the failure."""
        found = [re.sub(r"^ulpscope( \w+)?: ", "", line) for line in self.said if line.startswith("ulpscope")] or self.said
        return "".join(found).replace(self.folder + os.sep, "").strip()


def passed_on(process: "subprocess.Popen[str]", quiet: bool, here: typing.Optional[in_process.Here]) -> typing.List[str]:
    """The lines of its error output, read to their end.  Meanwhile functions are called that are here."""
    lines: typing.List[str] = []
    failed: typing.List[BaseException] = []

    def read() -> None:
        for line in stream:
            lines.append(line)
            if not quiet and not line.startswith("ulpscope"):  # which an exception may say
                sys.stderr.write(line)

    def read_beside() -> None:
        try:
            read()
        except BaseException as error:
            failed.append(error)

    with typing.cast(typing.TextIO, process.stderr) as stream:
        while True:
            try:
                if here:
                    reading = threading.Thread(target=read_beside, daemon=True)
                    reading.start()
                    with on_interrupt(functools.partial(here.interrupt, process)):
                        here.serve(reading)
                    if failed:
                        raise failed[0]
                else:
                    read()
                process.wait()
                return lines
            except KeyboardInterrupt:
                process.send_signal(signal.SIGINT)
            except BaseException:
                process.kill()
                process.wait()
                raise
