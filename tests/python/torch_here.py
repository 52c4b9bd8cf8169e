"""What tests of ulpscope.torch share: the sources' package, PyTorch or a skip, a folder to write in, and checks that are counted."""

import os
import pathlib
import sys
import tempfile

SOURCE = pathlib.Path(sys.argv[1]).resolve()
DEBIAN = "/usr/bin/python3"
sys.path.insert(0, str(SOURCE / "python"))

try:
    import torch
except ImportError as error:
    if sys.executable != DEBIAN and os.path.exists(DEBIAN):  # whose packages another python3 of the PATH does not see
        os.execv(DEBIAN, [DEBIAN, *sys.argv])
    print(f"skipped: {error}; Debian's python3-torch has it")
    sys.exit(77)

torch.set_num_threads(1)
failed = []
folder = tempfile.TemporaryDirectory(prefix="ulpscope torch.")
os.chdir(folder.name)


def say(fine, what, found=""):
    if not fine:
        failed.append(what)
    print("ok   " if fine else "FAIL ", what, "" if fine else found, flush=True)


def raises(kind, words, function, *arguments, **named):
    try:
        function(*arguments, **named)
    except Exception as error:
        return say(type(error) is kind and words in str(error), f"{kind.__name__}: {words}", f"{type(error).__name__}: {error}")
    return say(False, f"{kind.__name__}: {words}", "nothing was raised")
