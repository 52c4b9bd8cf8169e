"""`ulpscope init`: what it writes for each kind of project runs at once, and a sum that breaks its limits fails there; all
files are written or none, and none is replaced unasked.

    test_init.py ULPSCOPE REGRESSED
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ULPSCOPE = os.path.abspath(sys.argv[1])
GITHUB = '[remote "origin"]\n\turl = git@github.com:someone/sums.git\n'
GITLAB = GITHUB.replace("github", "gitlab")
STUDY = ["baselines/README.md", "limits.yaml", "study.yaml"]

# Files that stand there, and the file for CI that init writes.
PROJECTS = {
    "nothing": ({}, "ulpscope.sh"),
    "python": ({"pyproject.toml": "", "x.py": ""}, "ulpscope.sh"),
    "github": ({".github/x": ""}, ".github/workflows/ulpscope.yml"),
    "remote": ({".git/config": GITHUB}, ".github/workflows/ulpscope.yml"),
    "gitlab": ({".git/config": GITLAB, ".gitlab-ci.yml": ""}, "ulpscope.gitlab-ci.yml"),
    "elsewhere": ({".git/config": GITLAB}, "ulpscope.sh"),
}

failures = 0
has_run = []  # commands, and the files that they work on: those that are the same do the same


def fact(name, holds, shown=""):
    global failures
    failures += not holds
    print(f"{'ok   ' if holds else 'FAIL '} {name}{'' if holds else ': ' + str(shown)}")


def run(folder, *words):
    env = dict(os.environ, ULPSCOPE_SPEED="0", ULPSCOPE_PYTHON=sys.executable, PATH=os.path.dirname(ULPSCOPE) + ":" + os.environ["PATH"])
    done = subprocess.run(words, cwd=folder, env=env, text=True, capture_output=True)
    return done.returncode, done.stdout + done.stderr


def files(folder):
    return {str(path.relative_to(folder)): path.read_text(errors="replace") for path in sorted(folder.rglob("*")) if path.is_file()}


def make(folder, stands):
    for name, text in stands.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


KAHAN = """#include <stddef.h>
float mysum(const float *x, size_t n)
{
    float s = 0, c = 0;
    for (size_t i = 0; i < n; i++) {
        const float y = x[i] - c, t = s + y;
        c = (t - s) - y;
        s = t;
    }
    return s;
}
"""


def next_commands(said):
    return [line.strip() for line in said.split("\nNext:\n")[1].split("\n\n")[0].splitlines()]


def try_project(work, name):
    stands, ci = PROJECTS[name]
    folder = work / name
    folder.mkdir()
    make(folder, stands)
    code, said = run(folder, ULPSCOPE, "init")
    written = {file: text for file, text in files(folder).items() if file not in stands}
    fact(f"{name}: has no plug-in", code == 0 and f". has no plug-in; written there:\n" in said, said)
    fact(f"{name}: its files are written", sorted(written) == sorted([*STUDY, ci]), sorted(written))
    fact(f"{name}: they are listed, and no others", all(f"\n  {file}  " in said for file in written)
         and said.split("\n\n")[0].count("\n") == len(written), said)
    fact(f"{name}: that no code of its is measured is said", "\nNo code of yours is measured" in said, said)
    fact(f"{name}: every line is filled in", not any("@build@" in text for text in written.values()))
    commands = next_commands(said)
    fact(f"{name}: three commands are next", len(commands) == 3, commands)
    project = (commands, written)
    for command in commands if project not in has_run else ():
        code, said = run(folder, "sh", "-c", command)
        fact(f"{name}: {command}", code == 0, said)
    has_run.append(project)


def gate(folder, program=ULPSCOPE):
    """What CI does, after a change."""
    text = (folder / "ulpscope.sh").read_text().replace("ulpscope ", f"{program} ")
    return run(folder, "sh", "-c", text)


def try_own(work, regressed):
    """Without a plug-in the study has ulpscope's own sums: a build in which one of these is worse turns the gate red, and so do other data."""
    run(work, ULPSCOPE, "gen", "uniform:n=1000,low=-1", "-o", "x.npy")
    run(work, ULPSCOPE, "gen", "uniform:n=1000,low=-1", "--seed", "2", "-o", "y.npy")
    folder = work / "own"
    folder.mkdir()
    shutil.copy(work / "x.npy", folder / "x.npy")
    code, said = run(folder, ULPSCOPE, "init")
    fact("own sums: whose sums are measured is said", code == 0 and "No code of yours is measured" in said, said)
    (folder / "study.yaml").write_text((folder / "study.yaml").read_text() + '  - {file: "x.npy"}\n')
    code, said = run(folder, "sh", "-ec", "\n".join(next_commands(said)))
    fact("own sums: its commands run", code == 0 and "note  no code of yours" in said, said)
    code, said = gate(folder)
    fact("own sums: the gate is green", code == 0, said)
    code, said = gate(folder, regressed)
    fact("own sums: a sum that is worse is seen", code == 1 and "  kahan_two_sum/serial on " in said, said)
    shutil.copy(work / "y.npy", folder / "x.npy")
    code, said = gate(folder)
    fact("own sums: other numbers are not compared with what was", code == 1 and "SHA-256 of the data file" in said, said)


def try_function(work):
    """A function of a project, as it is: named in the study by its prototype, its sum is measured, and one that gets worse is seen."""
    folder = work / "function"
    make(folder, {"src/mysum.c": KAHAN})
    code, said = run(folder, ULPSCOPE, "init")
    fact("a function: how it would be measured is said", code == 0 and '{plugin: "./libx.so:float f(const float *, size_t)"}' in said, said)
    build = "cc -O2 -shared -fPIC -o libmysum.so src/mysum.c"
    study = (folder / "study.yaml").read_text().replace("\nmethods: [", '\nplugins: [{plugin: "./libmysum.so:float mysum(const float *, size_t)"}]\n# build: ' +
                                                        build + "\nmethods: [mysum/mysum, ")
    (folder / "study.yaml").write_text(study)
    code, said = run(folder, ULPSCOPE, "init", "--overwrite")
    fact("it is a plug-in then, which CI builds", code == 0 and "has a plug-in" in said and build in (folder / "ulpscope.sh").read_text() and
         (folder / "study.yaml").read_text() == study, said)
    code, said = run(folder, "sh", "-ec", "\n".join(next_commands(said)))
    fact("its commands run", code == 0 and "no code of yours" not in said, said)
    for output in ("--markdown=-", "--github"):
        code, said = run(folder, ULPSCOPE, "check", "out", "--limits", "limits.yaml", "--baseline", "main", output)
        fact(f"the twin, {output} does not say that no code of yours was measured", code == 0 and "no code of yours" not in said, said)
    code, said = gate(folder)
    fact("the gate is green", code == 0, said)
    (folder / "src/mysum.c").write_text(KAHAN.replace("c = (t - s) - y", "c = 0"))
    code, said = gate(folder)
    fact("a sum that is worse is seen", code == 1 and "  mysum/mysum on " in said, said)
    (folder / "libmysum.so").unlink()
    code, said = run(folder, ULPSCOPE, "run", "study.yaml", "-o", "-")
    fact("a library that was not built: its study says how", code == 2 and "build it: a study's line \"# build:\" says how" in said, said)
    (folder / "mysum.c").write_text('#include "src/mysum.c"\n')
    run(folder, "sh", "-c", build)
    os.utime(folder / "src/mysum.c", (2**31, 2**31))
    code, said = run(folder, ULPSCOPE, "run", "study.yaml", "-o", "-")
    fact("one that is older than what it includes is named", code == 0 and "is older than src/mysum.c, and measured as it was; build it again" in said, said)
    for what in ("mysum.c", "mysum.c:serial"):
        code, said = run(folder, ULPSCOPE, "run", "--plugin", "./" + what)
        fact(f"--plugin {what}: what to build is said", code == 2 and "`cc -O2 -fPIC -shared -o libmine.so ./mysum.c`" in said, said)
    (folder / "sums.py").write_text("def total(x):\n    return sum(x)\n")
    for what in ("sums.py", "sums.py:total"):
        code, said = run(folder, ULPSCOPE, "run", "--plugin", what)
        fact(f"--plugin {what}: --python is named", code == 2 and "found Python, sums.py; give it as --python" in said, said)
    code, said = run(folder, ULPSCOPE, "run", "--python", "sums.py:total", "-d", "uniform:n=9", "-o", "-")
    fact("which takes it", code == 0 and "\nsums/total," in said, said)


def try_plugin(work):
    run(work, ULPSCOPE, "plugin", "new", "plugin")
    folder = work / "plugin"
    (folder / ".github").mkdir()
    (folder / ".gitlab-ci.yml").write_text("")
    old = files(folder)
    code, said = run(work, ULPSCOPE, "init", "plugin")
    new = files(folder)
    fact("a plug-in: its own study stays", code == 0 and all(new[name] == text for name, text in old.items()), said)
    fact("a plug-in: only what it lacks is written", set(new) - set(old) ==
         {"baselines/README.md", ".github/workflows/ulpscope.yml", "ulpscope.gitlab-ci.yml"}, set(new) - set(old))
    build = "cc -O2 -shared -fPIC -I. -o libplugin.so plugin.c"
    fact("a plug-in: CI builds it", f"- run: {build}\n" in new[".github/workflows/ulpscope.yml"]
         and f"- {build}\n" in new["ulpscope.gitlab-ci.yml"])
    commands = next_commands(said)
    fact("a plug-in: that its limits let it get worse is said", "No rule of limits.yaml holds a sum to what it was" in said, said)
    fact("a plug-in: what is next builds it", commands[:2] == ["cd plugin", build], commands)
    code, said = run(work, "sh", "-ec", "\n".join(commands))
    fact("a plug-in: the commands run", code == 0, said)
    (folder / "limits.yaml").write_text(old["limits.yaml"].replace(
        "allow_no_claim:", '  - {method: "*", data: "*", metric: ulp_error, limit: baseline*2}\nallow_no_claim:'))
    code, said = run(work, ULPSCOPE, "init", "plugin", "--overwrite")
    fact("the twin, with a rule that asks for a baseline", "--baseline main" in next_commands(said)[-1] and "No rule of" not in said and
         "--baseline main --github" in (folder / ".github/workflows/ulpscope.yml").read_text(), said)


def try_refusals(work):
    folder = work / "twice"
    code, said = run(work, ULPSCOPE, "init", "twice")
    fact("a folder that is not there is made", code == 0 and set(STUDY) <= set(files(folder)), said)
    (folder / "ulpscope.sh").unlink()
    code, said = run(folder, ULPSCOPE, "init")
    fact("what a killed one began is finished", code == 0 and set(STUDY) | {"ulpscope.sh"} == set(files(folder)), said)
    for name in ("study.yaml", "limits.yaml"):
        (folder / name).write_text((folder / name).read_text() + "# mine\n")
    old = files(folder)
    code, said = run(folder, ULPSCOPE, "init")
    fact("the twin, what is another's is not replaced", code == 2 and "found study.yaml, limits.yaml" in said and files(folder) == old, said)
    (folder / "ulpscope.sh").unlink()
    old = files(folder)
    code, said = run(folder, ULPSCOPE, "init")
    fact("then nothing is written", code == 2 and files(folder) == old, said)
    (folder / "study.yaml").write_text("of somebody else\n")
    code, said = run(folder, ULPSCOPE, "init", "--overwrite")
    fact("with --overwrite it is replaced", code == 0 and "ulpscope-study/1" in (folder / "study.yaml").read_text(), said)
    (folder / "study.yaml").unlink()
    (folder / "study.yaml").mkdir()
    old = files(folder)
    code, said = run(folder, ULPSCOPE, "init", "--overwrite")
    fact("a folder in the way is named", code == 2 and "study.yaml: is a folder" in said and files(folder) == old, said)
    code, said = run(work, ULPSCOPE, "init", "twice/limits.yaml")
    fact("a file is no folder", code == 2 and "twice/limits.yaml: cannot be made" in said, said)
    code, said = run(work, ULPSCOPE, "init", "/proc/none")
    fact("a folder that cannot be made, root or not: what to do is said", code == 2 and "name a folder where you may write" in said and said.count("\n") == 1, said)
    code, said = run(work, ULPSCOPE, "init", "a", "b")
    fact("two folders are refused", code == 2 and "a word too many" in said, said)
    fact("and not made", not (work / "a").exists())


def try_failures(work):
    """A file that cannot be written, and one that cannot be renamed: the folder is as it was."""
    code, said = run(work, "sh", "-c", f"ulimit -f 1; exec {ULPSCOPE} init full")
    fact("a full disk: nothing is left", code == 3 and not (work / "full").exists(), said)
    if not shutil.which("strace") or run(work, "strace", "-o", "/dev/null", "true")[0] != 0:
        print("skip  the fourth file cannot be renamed: no strace here")
        return
    for name, old in (("fresh", {"setup.py": ""}), ("old", {"study.yaml": "mine\n", "limits.yaml": "mine\n", "baselines/x": ""})):
        folder = work / name
        make(folder, old)
        for k in (1, 2, 3, 4):
            code, said = run(folder, "env", "ASAN_OPTIONS=detect_leaks=0", "strace", "-qq", "-o", "/dev/null", "-e", f"inject=rename:error=EIO:when={k}", ULPSCOPE, "init",
                             "--overwrite")
            fact(f"{name}: rename {k} fails, and all is as it was", code == 3 and files(folder) == old, f"{code} {said} {list(files(folder))}")
        fact(f"{name}: no folder is left", sorted(os.listdir(folder)) == sorted({one.split("/")[0] for one in old}), os.listdir(folder))
        code, said = run(folder, ULPSCOPE, "init", "--overwrite")
        fact(f"{name}: the twin, without a failure all is written", code == 0 and set(STUDY) <= set(files(folder)), said)


def main():
    with tempfile.TemporaryDirectory(prefix="ulpscope_init.") as name:
        work = pathlib.Path(name)
        for project in PROJECTS:
            try_project(work, project)
        try_own(work, os.path.abspath(sys.argv[2]))
        try_function(work)
        try_plugin(work)
        try_refusals(work)
        try_failures(work)
    return failures > 0


sys.exit(main())
