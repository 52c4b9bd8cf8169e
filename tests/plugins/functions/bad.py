"""Functions that misbehave, bad_NAME, and for each a good_NAME that does what is allowed of the same."""

import ctypes
import math
import os
import platform
import random
import signal
import struct
import sys
import threading
import time

import ulpscope

method = ulpscope.method(arrays="list")
claimed = ulpscope.method(arrays="list", deterministic=True)

# ---- exceptions and ends ----


@method
def bad_raise(x):
    raise KeyError("no such sum")


@method
def good_raise(x):
    try:
        bad_raise(x)
    except KeyError:
        return sum(x)


@method
def bad_interrupt(x):
    raise KeyboardInterrupt


@method
def good_interrupt(x):
    try:
        bad_interrupt(x)
    except KeyboardInterrupt:
        return sum(x)


@method
def bad_sys_exit(x):
    sys.exit(0)


@method
def good_sys_exit(x):
    try:
        sys.exit(0)
    except SystemExit:
        return sum(x)


@method
def bad_exit(x):
    os._exit(0)


@method
def good_exit(x):
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return sum(x)


@method
def bad_abort(x):
    os.abort()


@method
def good_abort(x):
    child = os.fork()
    if child == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        os.abort()
    os.waitpid(child, 0)
    return sum(x)


@method
def bad_kill(x):
    os.kill(os.getpid(), signal.SIGKILL)


@method
def good_kill(x):
    os.kill(os.getpid(), 0)
    return sum(x)


@method
def bad_address(x):
    return ctypes.c_float.from_address(16).value


@method
def good_address(x):
    total = ctypes.c_double(sum(x))
    return ctypes.c_double.from_address(ctypes.addressof(total)).value


# ---- results ----


@method
def bad_none(x):
    sum(x)


@ulpscope.method(arrays="list", rows=True)
def bad_rows(x):
    return [sum(map(sum, x))]


@method
def bad_text(x):
    return str(sum(x))


@method
def bad_pair(x):
    return [sum(x), 0.0]


@method
def bad_truth(x):
    return sum(x) == 0


@method
def bad_complex(x):
    return complex(sum(x))


@method
def bad_nan(x):
    return math.nan


@method
def bad_infinity(x):
    return math.inf


@method
def good_none(x):
    return sum(x)


@ulpscope.method(arrays="list", rows=True)
def good_rows(x):
    return [sum(row) for row in x]


@method
def good_text(x):
    return float(str(sum(x)))


@method
def good_pair(x):
    return [sum(x), 0.0][0]


@method
def good_truth(x):
    return int(sum(x)) if all(float(a).is_integer() for a in x) else sum(x)


@method
def good_complex(x):
    return complex(sum(x)).real


@method
def good_nan(x):
    return math.nan if any(map(math.isnan, x)) else sum(x)


@method
def good_infinity(x):
    return min(math.inf, sum(x))


# ---- time and room ----


@method
def bad_loop(x):
    while True:
        pass


@method
def good_loop(x):
    end = time.monotonic() + 0.001
    while time.monotonic() < end:
        pass
    return sum(x)


@method
def bad_recursion(x):
    return bad_recursion(x)


@method
def good_recursion(x):
    half = len(x) // 2
    return good_recursion(x[:half]) + good_recursion(x[half:]) if half else x[0]


@method
def bad_memory(x):
    held = []
    while True:
        held.append(bytearray(os.urandom(1) * (64 << 20)))


@method
def good_memory(x):
    return sum(x) + len(bytearray(64 << 20)) * 0.0


@method
def bad_threads(x):
    for _ in range(2000):
        threading.Thread(target=time.sleep, args=[60]).start()
    return sum(x)


@method
def good_threads(x):
    threads = [threading.Thread(target=time.sleep, args=[0]) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(x)


@method
def bad_forks(x):
    for _ in range(40):
        if os.fork() == 0:
            time.sleep(60)
            os._exit(0)
    time.sleep(0.2)
    return sum(x)


@method
def good_forks(x):
    os.fork()  # both return: the worker alone answers
    return sum(x)


# ---- what belongs to others ----


@method
def bad_write(x):
    total = sum(x)
    x[0] = total
    return total


@method
def good_write(x):
    x = list(x)
    x[0] = 0.0 + x[0]
    return sum(x)


@method
def bad_length(x):
    total = 0.0
    while x:
        total += x.pop()
    return total


@method
def good_length(x):
    x, total = x[:], 0.0
    while x:
        total += x.pop()
    return total


@method
def bad_close(x):
    os.close(3)
    return sum(x)


@method
def good_close(x):
    os.close(os.dup(3))
    return sum(x)


@method
def bad_garbage(x):
    os.write(3, b"garbage")
    return sum(x)


@method
def good_garbage(x):
    reading, writing = os.pipe()
    os.write(writing, b"garbage")
    os.close(reading)
    os.close(writing)
    return sum(x)


@method
def bad_forge(x):
    os.write(3, struct.pack("<2I 2Q", 4, 0, 0, 0))  # "the result is there", to a question that was not asked
    return sum(x)


@method
def good_forge(x):
    with open(os.devnull, "wb") as nowhere:
        nowhere.write(struct.pack("<2I 2Q", 4, 0, 0, 0))
    return sum(x)


@method
def bad_rounding(x):
    modes = {"x86_64": 0x800, "aarch64": 0x400000}
    ctypes.CDLL(None).fesetround(modes[platform.machine()])  # upward
    return sum(x)


@method
def good_rounding(x):
    bad_rounding(x)
    ctypes.CDLL(None).fesetround(0)
    return sum(x)


def flush_subnormals(bits=0x8040):
    """FTZ and DAZ of x86-64's MXCSR, which glibc's fenv_t ends in."""
    environment = (ctypes.c_uint32 * 8)()
    ctypes.CDLL(None).fegetenv(environment)
    environment[7] = environment[7] & ~0x8040 | bits
    ctypes.CDLL(None).fesetenv(environment)


@method
def bad_subnormals(x):
    flush_subnormals()
    return sum(x)


@method
def good_subnormals(x):
    flush_subnormals()
    flush_subnormals(0)
    return sum(x)


@claimed
def bad_claim(x):
    return sum(x) + random.random() * 1e-3 * sum(map(abs, x))


@claimed
def good_claim(x):
    return sum(x) + random.random() * 0.0


@method
def good_print(x):
    print("hello from", len(x))
    return sum(x)
