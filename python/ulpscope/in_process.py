"""Functions that are called in the process that asks, `isolate=False`.

The program starts a worker for each file of functions, as ever.  The file is one line: the worker sends its end of the socket of
src/worker/protocol.h to the process that asks, and waits.  What the program asks is answered there, on the thread that asked.
"""

import contextlib
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import types
import typing

import ulpscope
from ulpscope import arrays, environment, sending, source, worker


def socket_in(folder: str) -> typing.Tuple[int, str]:
    """A descriptor, which has to stay open, and the name of the socket by it: that of the folder may be too long for one."""
    descriptor = os.open(folder, os.O_PATH | os.O_DIRECTORY)
    return descriptor, f"/proc/self/fd/{descriptor}/socket"


def hand_over(folder: str, stem: str) -> typing.NoReturn:
    """Called by a worker, which ends when the process that asks lets go of its socket."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as to:
        try:
            to.connect(socket_in(folder)[1])
        except OSError:
            raise RuntimeError("of isolate=False: its functions are in the process that asked, which has ended or asks no longer") from None
        socket.send_fds(to, [stem.encode()], [worker.SOCKET])
        to.recv(1)
    os._exit(0)


def nowhere(*_: typing.Any) -> typing.NoReturn:
    raise arrays.Unable("has no process of its own with isolate=False")


class Kept(sending.File):
    """A file of that line, and the functions that it stands for."""

    def __init__(self, stem: str, folder: str) -> None:
        super().__init__()
        self.lines = ["import ulpscope.in_process", f"ulpscope.in_process.hand_over({folder!r}, {stem!r})"]
        self.is_varied = False  # the program asks for a fresh process, though this one has not failed: `determinism` does
        self.stem, self.declared = stem, typing.cast(typing.List[typing.Tuple[str, ulpscope.Declaration]], [])

    def add(self, function: typing.Any, path: str, declared: typing.Sequence[ulpscope.Declaration], is_declared: bool) -> str:
        name = self.named(function)
        self.declared += [(name, one) for one in declared]
        return name

    def answer(self, of: worker.Worker) -> None:
        """Says what there is, as a worker does that has imported a file."""
        try:
            methods = [worker.Method(name, one, getattr(getattr(one.function, "__code__", None), "co_filename", "")) for name, one in self.declared]
            if self.is_varied:
                for method in methods:
                    method.declaration = method.declaration._replace(function=nowhere)
            module = sys.modules.get(getattr(self.declared[0][1].function, "__module__", None) or "", types.ModuleType(self.stem))
            of.ready(self.stem, methods, source.version(module, [one.arrays.framework for one in methods]) + ", in the process that asked")
        except source.Cannot as error:
            of.say(worker.CANNOT, text=str(error))


class Here:
    """Where workers hand over their sockets, and who answers on those."""

    def __init__(self, folder: str) -> None:
        change = environment.changed()
        if change:
            raise RuntimeError(f"isolate=False: expected a process that computes as IEEE 754 does by default, found that something changed {change}")
        self.folder, self.is_called = folder, False
        self.files: typing.Dict[str, Kept] = {}
        self.workers: typing.Dict[socket.socket, typing.Tuple[worker.Worker, socket.socket, Kept]] = {}

    def keep(self, stem: str) -> Kept:
        self.files[stem] = Kept(stem, self.folder)
        return self.files[stem]

    def welcome(self, listener: socket.socket) -> None:
        waiting = listener.accept()[0]
        stem, descriptors = socket.recv_fds(waiting, 1000, 1)[:2]
        if not descriptors:  # it has ended meanwhile
            waiting.close()
            return
        of, file = worker.Worker(descriptors[0]), self.files[stem.decode()]
        self.workers[of.socket] = of, waiting, file
        with contextlib.suppress(worker.Gone):
            file.answer(of)

    def answer(self, on: socket.socket) -> None:
        of, waiting, file = self.workers[on]
        goes_on = file.is_varied = False
        try:
            self.is_called = True
            goes_on = of.answer()
            file.is_varied = not goes_on and of.answered in (worker.BITS, worker.VALUES)
        except (worker.Gone, ConnectionError, KeyboardInterrupt):  # the last behind a function, when the program has gone, too
            pass
        self.is_called = False
        if not goes_on:
            del self.workers[on]
            on.close()
            waiting.close()

    def interrupt(self, process: "subprocess.Popen[str]") -> None:
        """What an interrupt does: the program ends after the sums in hand, and at the second at once, and so does a function."""
        process.send_signal(signal.SIGINT)
        self.interrupts += 1
        if self.is_called and self.interrupts > 1:
            raise KeyboardInterrupt

    def serve(self, reading: threading.Thread) -> None:
        """Answers until the program has said its last."""
        self.interrupts = 0
        for file in self.files.values():
            file.is_varied = False
        descriptor, name = socket_in(self.folder)
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener:
            listener.bind(name)
            os.close(descriptor)
            listener.listen()
            try:
                while reading.is_alive():
                    sockets = {one.fileno(): one for one in (listener, *self.workers)}
                    poll = select.poll()  # select() takes no descriptor above 1023
                    for place in sockets:
                        poll.register(place, select.POLLIN)
                    for place, _ in poll.poll(10):
                        if sockets[place] is listener:
                            self.welcome(listener)
                        else:
                            self.answer(sockets[place])
            finally:
                os.unlink(os.path.join(self.folder, "socket"))
                for of, waiting, _ in self.workers.values():
                    of.socket.close()
                    waiting.close()
                self.workers.clear()
