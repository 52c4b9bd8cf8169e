"""test_clang.py BUILD [--all]

clang warns of nothing that gcc compiles here: the commands of a build tree are given to clang, which writes nothing.  Without --all
the 40 files that were changed last, which are those that can have broken it.  A planted warning, which only clang has, must be found.
And compile_commands.json has the command of each object that ninja makes, which an editor or another tool reads.
"""
import concurrent.futures
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

BUILD = sys.argv[1]
NEWEST = 40
NOT_CLANGS = ("-DULPSCOPE_HAS_FLOAT16",)  # what CMake asked gcc
PLANTED = 'extern const char *const words[4];\nconst char *const words[4] = {"a", "b" "c", "d", "e"};\n'


def unlisted(entries, listed):
    """The objects that compile_commands.json lacks, and how many there are."""
    known = set(re.findall(r" -o (\S+)", " ".join(entry["command"] for entry in listed)))
    objects = {entry["output"] for entry in entries if " -c " in entry["command"] or " -dc " in entry["command"]}
    return objects - known, len(objects)


def commands(entries):
    """Of each C file the arguments behind the compiler's name, the first of several; the wrapper before the compiler is dropped."""
    found = {}
    for entry in entries:
        if entry["file"].endswith(".c") and " -c " in entry["command"] and " -Werror" in entry["command"]:
            words = shlex.split(entry["command"].split(" -MD ")[0])  # the file's dependencies and object follow
            start = next(i for i, word in enumerate(words) if word.startswith("-"))
            found.setdefault(entry["file"], [word for word in words[start:] if word not in NOT_CLANGS] + [entry["file"]])
    return found


def warnings(arguments):
    """What clang says of it.  Options that clang lacks are gcc's own."""
    done = subprocess.run(["clang", "-fsyntax-only", "-Wno-unknown-warning-option", "-Qunused-arguments", *arguments], cwd=BUILD,
                          capture_output=True, text=True)
    return done.stderr if done.returncode else ""


def planted(arguments):
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "planted.c")
        with open(file, "w", encoding="ascii") as out:
            out.write(PLANTED)
        return warnings(arguments[:-1] + [file])


def main():
    if not shutil.which("clang") or not shutil.which("ninja"):
        print("skipped: no clang or no ninja")
        return 77
    entries = json.loads(subprocess.run(["ninja", "-C", BUILD, "-t", "compdb"], capture_output=True, text=True, check=True).stdout)
    with open(os.path.join(BUILD, "compile_commands.json"), encoding="utf8") as file:
        listed = json.load(file)
    missing, count = unlisted(entries, listed)
    if missing or count < 1000 or len(unlisted(entries, listed[1:])[0]) != 1:  # without the first entry one must be missing
        print(f"compile_commands.json lacks {len(missing)} of {count} objects: {sorted(missing)[:3]}")
        return 1
    by_file = commands(entries)
    files = sorted(by_file, key=lambda file: os.path.getmtime(os.path.join(BUILD, file)), reverse=True)
    if not files:
        print("skipped: the build tree is not of ninja, or without -Werror")
        return 77
    if "suspicious concatenation" not in planted(by_file[files[0]]):
        print("the planted warning was not found")
        return 1
    chosen = files if "--all" in sys.argv else files[:NEWEST]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        said = list(filter(None, pool.map(lambda file: warnings(by_file[file]), chosen)))
    print("\n".join(said))
    print(f"clang: {len(chosen)} files, {len(said)} with warnings")
    return 1 if said else 0


sys.exit(main())
