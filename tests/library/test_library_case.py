"""ulpscope_write_case: for each format and operation, what is written opens, and says what was computed.

    test_library_case.py libulpscope.so ulpscope
"""

import ctypes
import os
import subprocess
import sys
import tempfile

from calls import *

library, program = load(sys.argv[1]), os.path.abspath(sys.argv[2])
failures = 0


def report(holds, fact):
    global failures
    failures += not holds
    print("ok   " if holds else "FAIL ", fact)


def numbers(fmt, values, keep):
    data = b"".join(fmt.encode(v).to_bytes(fmt.size, "little") for v in values)
    keep.append(ctypes.create_string_buffer(data))
    return ctypes.addressof(keep[-1])


def array(fmt, values, shape, keep):
    of = Array(numbers(fmt, values, keep), fmt.code, len(shape))
    stride = fmt.size
    for d in reversed(range(len(shape))):
        of.shape[d], of.strides[d] = shape[d], stride
        stride *= shape[d]
    return of


def run(command):
    path = os.path.dirname(program) + os.pathsep + os.environ["PATH"]
    return subprocess.run(["sh", "-c", command], capture_output=True, text=True, env={**os.environ, "PATH": path})


def case(operation, fmt, other, values, computed, path, size=4000):
    keep = []
    problem = Problem(ctypes.sizeof(Problem), operation)
    result = fmt if fmt.code <= 4 else BINARY32
    problem.result = result.code
    shape = [len(values)] if operation < ROWS else [2, len(values) // 2]
    problem.x = array(fmt, values, shape, keep)
    if operation in (DOT, MATMUL):
        problem.y = array(other, values, shape[::-1], keep)
    count = library.ulpscope_result_count(ctypes.byref(problem))
    command = ctypes.create_string_buffer(size)
    at = numbers(result, [computed] * count, keep)
    status = library.ulpscope_write_case(ctypes.byref(problem), ctypes.c_void_p(at), path.encode(), command, size)
    return status, command.value.decode()


with tempfile.TemporaryDirectory() as folder:
    for operation in (SUM, DOT, ROWS, MATMUL, SCAN):
        for fmt in FORMATS[1:]:
            path = os.path.join(folder, f"{operation}_{fmt.name}")
            status, command = case(operation, fmt, fmt, [1.0, 1.5, -0.5, 2.0], 7.5, path)
            done = run(command)
            report(status == OK and done.returncode == 0 and "\ncompare     0x1.ep+2" in done.stdout and "on " in done.stdout,
                   f"{command} {done.stderr}")
    names = ["a,b [x:1] 'quoted' \"twice\"", "ü"]
    for name in names:
        status, command = case(SUM, BINARY32, None, [1.0, math.inf], math.inf, os.path.join(folder, name))
        done = run(command)
        report(status == OK and done.returncode == 0 and "compare" in done.stdout, command + done.stderr)
    status, command = case(DOT, FORMATS[3], FORMATS[4], [1.0, 2.0], 5.0, os.path.join(folder, "mixed"))
    report(run(command).returncode == 0, "two formats: " + command)
    before = sorted(os.listdir(folder))
    report(not any("part" in name for name in before), "nothing unfinished is left")
    report(case(SUM, BINARY32, None, [1.0], 1.0, os.path.join(folder, "none", "x"))[0] == BAD_ARGUMENT and b"cannot" in library.ulpscope_why(),
           "a folder that is not there is refused")
    report(case(SUM, BINARY32, None, [1.0], 1.0, os.path.join(folder, "small"), 20)[0] == BAD_ARGUMENT, "a command has no room")
    report(case(SUM, BINARY32, None, [], 1.0, os.path.join(folder, "empty"))[0] == BAD_ARGUMENT
           and library.ulpscope_why() == b"there are no elements to keep", "no elements")
    report(case(SUM, BINARY32, None, [1.0], 1.0, "x" * 5000)[0] == BAD_ARGUMENT, "a path is too long")
    os.mkdir(os.path.join(folder, "taken.y.npy"))
    report(case(DOT, BINARY32, BINARY32, [1.0], 1.0, os.path.join(folder, "taken"))[0] == BAD_ARGUMENT, "a name is a folder's")
    os.rmdir(os.path.join(folder, "taken.y.npy"))
    report(sorted(os.listdir(folder)) == before, "what was refused left no file")
sys.exit(failures > 0)
