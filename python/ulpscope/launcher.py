"""The command `ulpscope` of a wheel: the program in bin/ beside this file takes the place of this process."""

import os
import re
import sys

PACKAGE = os.path.dirname(os.path.abspath(__file__))


def unfit() -> str:
    """Why no program of this wheel starts on this system, and what to do; "" where it may."""
    try:
        with open(os.path.join(PACKAGE, "glibc"), encoding="ascii") as file:
            needed = file.read().strip()
    except OSError:  # of a wheel for the system that it was built on
        return ""
    try:
        found = os.confstr("CS_GNU_LIBC_VERSION") or ""
    except (OSError, ValueError):  # musl knows no such name
        found = ""
    if found.startswith("glibc") and list(map(int, re.findall(r"\d+", found))) >= list(map(int, needed.split("."))):
        return ""
    return (f"expected glibc {needed} or newer, found {found or 'another C library, like the musl of Alpine'}; use Debian 12, Ubuntu 22.04 or "
            "newer, also in a container, or build it here from the sources: pip install ./ulpscope-VERSION.tar.gz")


def main() -> None:
    """Ends with 3 where the program cannot be started."""
    path = os.path.join(PACKAGE, "bin", "ulpscope")
    if not os.path.exists(path):  # as `pip install --editable` has it
        path = os.path.normpath(os.path.join(PACKAGE, "..", "..", "build", "default", "ulpscope"))
    why = unfit()
    if not why:
        try:
            os.execv(path, ["ulpscope", *sys.argv[1:]])
        except OSError as error:
            why = f"{path}: {error.strerror}; install the wheel anew, or build the program: cmake --preset default && cmake --build --preset default"
    sys.stderr.write(f"ulpscope: {why}\n")
    sys.exit(3)
