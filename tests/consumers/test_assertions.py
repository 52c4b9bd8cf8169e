"""Assertions in somebody else's tests, cpp/, against an installed ulpscope: sound sums pass, broken ones fail with the cause
named and a case that the program opens; in C11, C++11, cmocka, GoogleTest and Catch2, by CMake and by pkg-config.

    test_assertions.py BUILD_DIRECTORY INSTALLED...      which CTest builds first
"""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

SOURCES = pathlib.Path(__file__).resolve().parent / "cpp"
CAUSE = "the last 3 elements are left out: those beyond the last whole vector of 4"
LEFT_OUT = "7.48547268"  # the sum without them

# What a test of plain.c says when it is broken.
SAYS = {
    "sum": CAUSE,
    "wide": "found 1.5, expected 1.25",
    "dot": "found 39.84375, expected 12.34375: a relative error of 2.23.*Likely: all elements are positive",
    "rows": "1 of 2 results fail; the worst is 14 in row 1, expected 15",
    "matmul": "in row 0, column 0, expected 20.75.*Likely: B is read transposed",
    "bits": "found 4, expected 4.5",
    "once": "",
    "vacuous": "",
    "limit": 'cannot be judged.*expected a limit such as .*found "2 ulps or so"',
    "variance": "expected 1.55555558.*the bound of two passes of plain addition.*Likely: divided by n - 1, not n",
    "norms": "1 of 4 results fail; the worst is 0.5 in row 0, element 1, expected 1: ",
    "scans": "1 of 4 results fail; the worst is 6.5 in element 3, expected 3.5: ",
    "half": "found 4, expected 4.5",
    "own": "found 2, expected 2.5",
}
MAY_LACK = {"half": "a compiler with _Float16", "own": "C++"}

failures = 0


def fact(name, holds, output=""):
    global failures
    failures += not holds
    print("ok   " if holds else "FAIL ", name)
    if not holds:
        print(output)


def run(*words, cwd=None, **variables):
    done = subprocess.run([str(word) for word in words], cwd=cwd, env={**os.environ, **variables}, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return done.returncode, done.stdout


def must(*words, **how):
    status, output = run(*words, **how)
    if status:
        sys.exit(f"FAIL  {' '.join(map(str, words))}: {status}\n{output}")
    return output


def test_plain(program, work):
    """Each test passes, and broken it aborts and says why."""
    for test, says in SAYS.items():
        status, output = run(program, test, cwd=work)
        if status == 77 and test in MAY_LACK:
            print(f"skipped: {program.name} {test}: needs {MAY_LACK[test]}")
            continue
        fact(f"{program.name}: {test}: sound passes", status == 0, output)
        if test == "vacuous":
            fact(f"{program.name}: {test}: noted once", output.count("note: ") == 1 and "zeros would pass, too" in output, output)
        else:
            fact(f"{program.name}: {test}: nothing is noted", output == "", output)
        status, output = run(program, test, "broken", cwd=work)
        fact(f"{program.name}: {test}: broken fails", status == -6 and re.search(says, output, re.S), output)


def test_case(program, prefix, work):
    """The case of a failure lies where it is said, and the command that opens it says the same."""
    path = f"PATH={prefix / 'bin'}{os.pathsep}{os.environ['PATH']}"
    for name, variables in (("ulpscope-cases", {}), ("chosen", {"ULPSCOPE_CASES": "chosen"})):
        folder = work / name
        shutil.rmtree(folder, ignore_errors=True)
        _, output = run(program, "sum", "broken", cwd=work, **variables)
        case = re.search(r"case: (\S+); open it with: (.*)", output)
        fact(f"{name}: the case is written", case and list(work.glob(f"{case[1]}*")) and case[1].startswith(name), output)
        if case:
            status, output = run("env", path, "sh", "-c", case[2], cwd=work)
            fact(f"{name}: the command opens it", status == 0 and LEFT_OUT[:6] in output, output)
    status, output = run(program, "sum", "broken", cwd=work, ULPSCOPE_CASES="/proc/none")
    fact("a folder that cannot be made: the failure is told all the same", status == -6 and CAUSE in output and "case not written: " in output, output)


def test_framework(program, sound, broken, behind, count, work):
    """behind: whether a test says that it goes on behind EXPECT; count: failures."""
    status, output = run(program, *sound, cwd=work)
    fact(f"{program.name}: sound passes", status == 0 and CAUSE not in output, output)
    status, output = run(program, *broken, cwd=work)
    in_a_line = re.sub(r"\s+", " ", output)  # Catch2 wraps lines
    fact(f"{program.name}: broken fails, {count} times",
         status > 0 and in_a_line.count("Likely: ") == in_a_line.count(CAUSE) == count, output)
    fact(f"{program.name}: EXPECT goes on, ASSERT does not", ("behind EXPECT" in output) == behind and "behind ASSERT" not in output, output)


FRAMEWORKS = {
    "with_cmocka": (["sound"], ["broken"], False, 1, "libcmocka-dev"),
    "with_gtest": (["--gtest_filter=sum.sound"], ["--gtest_filter=sum.broken"], True, 2, "libgtest-dev"),
    "with_catch2": (["sound"], ["broken"], True, 2, "catch2"),
}


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    if not shutil.which("c++"):
        print("skipped: no C++ compiler")
        return 77
    with tempfile.TemporaryDirectory(prefix="ulpscope_assertions.") as name:
        work = pathlib.Path(name)
        prefix, made = work / "prefix", work / "made"
        must("cmake", "--install", build, "--prefix", prefix)
        must("cmake", "-G", "Ninja", "-S", SOURCES, "-B", made, f"-DCMAKE_PREFIX_PATH={prefix}")
        must("cmake", "--build", made)
        for program in (made / "plain_c", made / "plain_cpp"):
            test_plain(program, work)
        test_case(made / "plain_cpp", prefix, work)
        skipped = []
        for framework, (*how, package) in FRAMEWORKS.items():
            if (made / framework).exists():
                test_framework(made / framework, *how, work)
            else:
                skipped.append(package)
        libraries = next(prefix.glob("lib/**/libulpscope.so")).parent
        flags = must("pkg-config", "--cflags", "--libs", "ulpscope", PKG_CONFIG_PATH=str(libraries / "pkgconfig"))
        must("c++", "-std=c++11", SOURCES / "plain.cpp", "-o", work / "by_pkg_config", *shlex.split(flags), "-pthread", f"-Wl,-rpath,{libraries}")
        status, output = run(work / "by_pkg_config", "sum", cwd=work)
        fact("by pkg-config: sound passes", status == 0, output)
        status, output = run(work / "by_pkg_config", "sum", "broken", cwd=work)
        fact("by pkg-config: broken fails", status == -6 and CAUSE in output, output)
        if skipped:
            print(f"skipped: frameworks that are not installed (apt-get install {' '.join(skipped)})")
    return 1 if failures else 77 if skipped else 0


sys.exit(main())
