"""Pages that a program writes are what it writes, and tools/pages names one that is not, with the command that makes it.

    test_pages.py SOURCE_DIRECTORY BUILD_DIRECTORY PROGRAM...      which are to be built first
"""

import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile

source, build = map(pathlib.Path, sys.argv[1:3])
failures = 0


def say(fine, what):
    global failures
    failures += not fine
    print("ok   " if fine else "FAIL ", what)


def check(root, *names):
    done = subprocess.run(
        [source / "tools/pages", "--check", "--build", build, "--root", root, "--only", *names],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
    )
    return done.returncode, done.stdout


names = ["matrix", "families", "data"]
if platform.machine() == "x86_64":  # elsewhere subnormals are flushed in another way than by hand
    names.append("faults")
status, said = check(source, *names)
say(status == 0, f"{len(names)} pages are what their programs write\n{said}")

with tempfile.TemporaryDirectory() as folder:
    for page in ("docs/generators.md", "tests/golden/data.txt"):
        pathlib.Path(folder, page).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source / page, pathlib.Path(folder, page))
    page = pathlib.Path(folder, "docs/generators.md")
    page.write_text(page.read_text().replace("normal, lognormal", "lognormal, normal"))
    status, said = check(folder, "families", "data")
    say(status == 1 and "STALE  docs/generators.md; `tools/pages --only families`" in said, "a stale page is named")
    say("ok     tests/golden/data.txt" in said, "the other is fine")
sys.exit(failures > 0)
