"""tools/mutants on a project of one function: what is killed, what survives, and rows that are broken.

    test_mutants.py SOURCE_DIRECTORY

Exit status 77: there is no cmake, ninja or C compiler.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

engine = pathlib.Path(sys.argv[1]) / "tools/mutants"
for tool in ("cmake", "ninja", "cc"):
    if not shutil.which(tool):
        print(f"skipped: there is no {tool}")
        sys.exit(77)

PROJECT = {
    "CMakeLists.txt": """
cmake_minimum_required(VERSION 3.25)
project(tiny LANGUAGES C)
include(CTest)
add_subdirectory(tests)
""",
    "sum.h": """
static int sum(int a, int b) { return a + b; }
static int product(int a, int b) { return a * b; }
static int unused(int a) { return a + 0; }
""",
    "tests/CMakeLists.txt": """
add_executable(beside test_skipped.c)
foreach(name IN ITEMS test_sum test_product test_all test_skipped)
    add_executable(${name} ${name}.c)
    add_test(NAME ${name} COMMAND ${name} $<TARGET_FILE:beside>)
    set_tests_properties(${name} PROPERTIES LABELS short SKIP_RETURN_CODE 77)
endforeach()
""",
    "tests/test_sum.c": """#include "../sum.h"
#include <unistd.h>
int main(int count, char **words)
{
    (void)product, (void)unused;
    return count != 2 || access(words[1], X_OK) != 0 || sum(1, 2) != 3; /* what it is given is built as well */
}
""",
    "tests/test_product.c": """#include "../sum.h"
#include <stdio.h>
int main(void)
{
    (void)sum, (void)unused;
    if (product(2, 3) == 6)
        return 0;
    fputs("[  FAILED  ] product_of_two_and_three\\n", stderr);
    for (;;) /* the line is enough: nobody waits for the end */
        ;
}
""",
    "tests/test_skipped.c": "int main(void) { return 77; }\n",
    "tests/test_all.c": '#include "../sum.h"\nint main(void) { (void)product; return unused(sum(5, 0)) != 5; }\n',
}

TWIN = """
the factors change places
    - return a * b;
    + return b * a;
    twin: a product does not depend on their order
"""

failures = 0
work = pathlib.Path(tempfile.mkdtemp(prefix="ulpscope_mutants."))


def say(fine, what, printed=""):
    global failures
    failures += not fine
    print("ok   " if fine else "FAIL ", what, "" if fine else f"\n{printed}")


HEAD = "tests: test_sum test_product\nfile: sum.h\n"


def run(rows, *arguments, head=HEAD):
    """The exit status and what is printed, of a table with these rows."""
    (work / "tests/mutants/tiny.txt").write_text(head + rows)
    done = subprocess.run(
        [sys.executable, engine, "--source", work, "--work", work / "build", *arguments],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.returncode, done.stdout


def line_of(word, title, what):
    """A line of the output."""
    return f"{word:<11} {'sum.h':<33} {title:<58} {what}".rstrip() + "\n"


def expect(what, rows, status, *texts, arguments=(), head=HEAD):
    code, printed = run(rows, *arguments, head=head)
    say(code == status and all(text in printed for text in texts), what, f"exit status {code}\n{printed}")


for name, text in PROJECT.items():
    (work / name).parent.mkdir(parents=True, exist_ok=True)
    (work / name).write_text(text)
(work / "tests/mutants").mkdir()

KILLED = "a difference\n    - return a + b;\n    + return a - b;\n"
SURVIVOR = "five is six\n    - return a + b;\n    + return a == 7 ? 6 : a + b;\n"
STOPS = "    - a + b\n    + a + c\n    stops: "

expect("where all is killed or proved the exit status is 0",
       KILLED +
       "no product\n    - a * b\n    + a + b\n"
       "no zero\n    - a + 0\n    + a + 1\n" +
       SURVIVOR + "    equivalent: nobody\n        adds to 7\n"
       "what\n" + STOPS + "undeclared\n" +
       "elsewhere\n    - a + b\n    + b\n    build: gpu\n"
       "never\n    - a + b\n    + b\n    tests: test_skipped\n" +
       TWIN, 0,
       line_of("killed", "a difference", "test_sum"),
       line_of("killed", "no product", "test_product: product_of_two_and_three"),
       line_of("killed", "no zero", "test_all (not named)"),
       line_of("equivalent", "five is six", "because nobody adds to 7"),
       line_of("killed", "what", 'the compiler: "undeclared"'),
       line_of("not tried", "elsewhere", "it needs a GPU"),
       line_of("not tried", "never", "its tests are skipped here"),
       line_of("twin", "the factors change places", "because a product does not depend on their order"),
       "mutants: 4 killed of 5, 1 equivalent (proved), 0 survived; 2 not tried here; by table: tiny 4 of 5\n")
expect("a survivor is a failure", SURVIVOR + TWIN, 1, line_of("SURVIVED", "five is six", ""),
       "0 killed of 1, 0 equivalent (proved), 1 survived")
expect("where only some tests reach a line, no other is asked", KILLED + "    only: test_product\n" + TWIN, 1,
       line_of("SURVIVED", "a difference", ""))
expect("a line that no test reaches is a survivor", KILLED + "    only:\n" + TWIN, 1, line_of("SURVIVED", "a difference", ""))
expect("a table may be any file", TWIN, 0, "0 killed of 0", arguments=[work / "tests/mutants/tiny.txt"])
expect("what must not compile and does is a failure", KILLED + "    stops: overflow\n" + TWIN, 1, "it compiles")
expect("a twin that a test sees is a failure", TWIN.replace("b * a", "b + a"), 1,
       "test_product: product_of_two_and_three sees it, although")
expect("each row that is broken is a failure, and the others are tried",
       KILLED + "    equivalent: nobody subtracts\n"
       "twice\n    - int a\n    + long a\n"
       "gone\n    - a / b\n    + b / a\n"
       "no C\n    - a + b\n    + a + c\n"
       "other words\n" + STOPS + "overflow\n" +
       "who\n    - a + b\n    + a\n    tests: test_none\n" +
       KILLED + TWIN, 1,
       line_of("BROKEN", "a difference", "test_sum sees it, although it is said that nobody can: nobody subtracts"),
       line_of("BROKEN", "twice", "tests/mutants/tiny.txt:7: its text stands in sum.h 3 times; expected once"),
       line_of("BROKEN", "gone", "tests/mutants/tiny.txt:10: its text stands in sum.h 0 times; expected once"),
       "tests/mutants/tiny.txt:13: does not compile: ",
       line_of("SURVIVED", "other words", "the compiler says something else"),
       line_of("BROKEN", "who", 'no test "test_none" in the build "host"'),
       line_of("killed", "a difference", "test_sum"),
       "1 killed of 7, 0 equivalent (proved), 1 survived, 5 broken rows")
expect("a table without a twin is refused", KILLED, 2, "tiny.txt: no twin")
expect("a mutant that no test is named for is refused", KILLED + TWIN, 2, "tiny.txt:2: a mutant before the lines",
       head="file: sum.h\n")
expect("a row without a text is refused", "nothing\n" + TWIN, 2, "tiny.txt:3: a mutant without a text")
expect("an equivalent one without a reason is refused", KILLED + "    equivalent:\n" + TWIN, 2, "tiny.txt:3: no reason")
expect("a line that is nothing is refused", KILLED + "    / a\n" + TWIN, 2, 'tiny.txt:6: "/ a"; expected')
expect("an unknown build is refused", KILLED + "    build: fast\n" + TWIN, 2, 'tiny.txt:3: build "fast"; expected one of')
expect("an unknown table is refused", TWIN, 2, 'no table "big"; expected one of tiny', arguments=["big"])
expect("--list builds nothing", KILLED + TWIN, 0, line_of("tiny", "a difference", ""), arguments=["--list"])
expect("--list finds a text that is gone", "gone\n    - a / b\n    + b / a\n" + TWIN, 1,
       line_of("BROKEN", "gone", "tests/mutants/tiny.txt:3: its text stands in sum.h 0 times; expected once"),
       arguments=["--list"])
expect("--only takes the mutants with the word, and the twin", KILLED + SURVIVOR + TWIN, 0, "1 killed of 1",
       arguments=["--only", "difference"])

(work / "tests/test_all.c").write_text("int main(void) { return 1; }\n")
expect("sources whose tests fail are no place for mutants", SURVIVOR + TWIN, 2, "mutants: test_all fails without any mutant")
(work / "tests/test_all.c").write_text(PROJECT["tests/test_all.c"])

run(SURVIVOR + TWIN)
shutil.rmtree(work / "build/host")
expect("--resume believes what is known of the same sources", SURVIVOR + TWIN, 1, "SURVIVED", arguments=["--resume"])
say(not (work / "build/host").exists(), "and builds nothing")
(work / "sum.h").write_text(PROJECT["sum.h"] + "\n")
expect("of other sources nothing is known", SURVIVOR + TWIN, 1, "SURVIVED", arguments=["--resume"])
say((work / "build/host").exists(), "and they are built")
say((work / "build/tree/sum.h").read_text() == (work / "sum.h").read_text(), "no fault is left in the copy")

# ---- a piece, with one rule in place of universalmutator ----

SYNTAX = {
    "CMakeLists.txt": PROJECT["CMakeLists.txt"].replace("add_sub", "add_compile_options(-Wall)\nadd_library(tiny kernels/sum.c)\nadd_sub"),
    "kernels/sum.c": "int sum(int a, int b)\n{\n    int s = a + 0;\n    s = s + 0;\n    s += b;\n    return s;\n}\n",
    "tests/CMakeLists.txt": PROJECT["tests/CMakeLists.txt"]
    .replace("test_sum test_product test_all test_skipped", "test_sum test_none").replace("beside test_skipped", "beside test_none")
    .replace("    add_test", "    target_link_libraries(${name} tiny)\n    add_test"),
    "tests/test_sum.c": "int sum(int, int);\nint main(void) { return sum(1, 2) != 3; }\n",
    "tests/test_none.c": "int main(void) { return 0; }\n",
    "tests/mutants/pieces.txt": "# of one mutant\nsums 1 1 kernels . - - - - -\n",
    "rule/universalmutator/mutator.py": """import re
def mutants_regexp(lines, rules, ignorePatterns):
    return [(k, line.replace(old, new, 1), (old, ""), None) for k, line in enumerate(lines, 1)
            for old, new in (("+", "-"), ("return", "")) if old in line]
""",
}
tiny = work / "syntax"


def piece(what, status, *texts, arguments=("sums",), **changed):
    """Of the project with other files."""
    for name, text in {**SYNTAX, **{name.replace("__", "/").replace("_c", ".c").replace("_txt", ".txt"): text for name, text in changed.items()}}.items():
        (tiny / name).parent.mkdir(parents=True, exist_ok=True)
        (tiny / name).write_text(text)
    done = subprocess.run([sys.executable, engine, "--source", tiny, "--work", work / "drawn", *arguments],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env={**os.environ, "PYTHONPATH": str(tiny / "rule")})
    say(done.returncode == status and all(text in done.stdout for text in texts) and "return" not in done.stdout, what, done.stdout)


UNSEEN = {"tests__test_sum_c": "int main(void) { return 0; }\n"}
PROOF = {"tests__mutants__equivalent_txt": "kernels/sum.c: s += b; =>   s -=b ; => b is 0\n"}
piece("a line is drawn, of those whose fault changes an object, and there is a twin", 0, "line 5: s -= b; ", "test_sum\n", "because a blank is no fault",
      "\nsums 1 1 kernels . 1 0 0 ", "sums: 1 killed of 1")
piece("a mutant that lives is a failure", 1, "SURVIVED    kernels/sum.c", "\nsums 1 1 kernels . 0 0 1 ", **UNSEEN)
piece("or it is proved, whatever its blanks are", 0, "because b is 0", "\nsums 1 1 kernels . 0 1 0 ", **UNSEEN, **PROOF)
piece("a proof that a test refutes is a failure", 1, "sees it, although it is said that nobody can: b is 0", **PROOF)
piece("--list has each piece, and builds nothing", 0, "sums 1 1 kernels . - - - - -", arguments=["--list"])
piece("a file in no piece is a failure", 1, "BROKEN      reference/lost.c ", arguments=["--list"], reference__lost_c="")
(tiny / "reference/lost.c").unlink()
piece("so is one in two", 1, "BROKEN      kernels/sum.c ", arguments=["--list"],
      tests__mutants__pieces_txt="sums 1 1 kernels . - - - - -\nagain 1 1 kernels/sum.c . - - - - -\n")

shutil.rmtree(work)
print(f"{failures} failures")
sys.exit(failures > 0)
