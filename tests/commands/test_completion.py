"""What bash, zsh and fish complete, with the scripts that `ulpscope completion` prints; a shell that is not here is skipped.

    test_completion.py ULPSCOPE SOURCE_DIRECTORY [SECONDS]      that an answer may take: 0.05
"""

import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile

ULPSCOPE = os.path.abspath(sys.argv[1])
SCRIPTS = pathlib.Path(sys.argv[2]).resolve() / "src/commands/completion"
SLOWEST = float((sys.argv[3:] or [0.05])[0])

# A command line up to the cursor; what is offered, and what is not.
LINES = {
    "ulpscope att": ({"attack"}, {"run", "blame"}),
    "ulpscope ": ({"run", "gen", "completion", "help"}, {"nonsense"}),
    "ulpscope help det": ({"determinism"}, {"--help"}),
    "ulpscope nonsense ": (set(), {"study.yaml", "run"}),
    "ulpscope nonsense -": (set(), {"--help"}),
    "ulpscope run --rep": ({"--repeats", "--replay"}, {"--format"}),
    "ulpscope tree --rep": (set(), {"--replay"}),
    "ulpscope run --no-such-option=": (set(), {"study.yaml"}),
    "ulpscope --color always att": ({"attack"}, {"run"}),
    "ulpscope run --color al": ({"always"}, {"auto"}),
    "ulpscope run -m kah": ({"kahan", "kahan/", "kahan_two_sum/"}, {"klein/", "study.yaml"}),
    "ulpscope run -m kahan/s": ({"kahan/serial", "kahan/shuffle_rows"}, {"kahan/pairwise", "kahan/serious"}),
    "ulpscope run -m no_such_method/": (set(), {"no_such_method/serial"}),
    "ulpscope run -m kahan/serial@bf": ({"kahan/serial@bfloat16"}, {"kahan/serial@binary32"}),
    "ulpscope run -m naive,!klein/ser": ({"naive,!klein/serial"}, {"klein/serial"}),
    "ulpscope run -m dot:sum2/s": ({"dot:sum2/serial"}, {"dot:sum2/tree_two_pass"}),
    "ulpscope run -m matmul:plain/n": ({"matmul:plain/naive"}, {"matmul:plain/serial"}),
    "ulpscope blame kah": ({"kahan/"}, {"kahan_killer:"}),
    "ulpscope blame kahan/serial kah": ({"kahan_killer:"}, {"kahan/"}),
    "ulpscope gen gens": ({"gensum:"}, {"gensum"}),
    "ulpscope gen gensum:": (set(), {"gensum:n=", "study.yaml"}),
    "ulpscope gen uniform:n=8::nor": ({"uniform:n=8::normal:"}, {"normal:"}),
    "ulpscope run --format bf": ({"bfloat16"}, {"binary16", "bf"}),
    "ulpscope run --format=bf": ({"--format=bfloat16"}, {"--format=binary16"}),
    "ulpscope run --operation dot,no": ({"dot,norm2"}, {"dot,sumsq"}),
    "ulpscope determinism plain/serial x.f32 --across rep": ({"repeat"}, {"batch"}),
    "ulpscope lesson abs": ({"absorption"}, {"rounding"}),
    "ulpscope list ord": ({"orders"}, {"methods"}),
    "ulpscope list orders tree_u": ({"tree_unrolled"}, {"plain/tree_unrolled"}),
    "ulpscope list outputs ": (set(), {"html"}),
    "ulpscope plugin ": ({"check", "new"}, {"--c"}),
    "ulpscope baseline save ma": ({"main"}, {"main.json"}),
    "ulpscope check out --baseline ma": ({"main"}, {"main.json"}),
    "ulpscope check out --limits lim": ({"limits.yaml"}, {"study.yaml"}),
    "ulpscope check out --limits=lim": ({"--limits=limits.yaml"}, {"--limits=study.yaml"}),
    "ulpscope run stu": ({"study.yaml"}, {"limits.yaml"}),
    "ulpscope run -- stu": ({"study.yaml"}, {"limits.yaml"}),
    "ulpscope plugin new folder": ({"folder/"}, {"folder"}),
    "ulpscope completion ": ({"bash", "zsh", "fish"}, {"sh"}),
}

BASH = r"""
. <("$1" completion bash)
while IFS= read -r COMP_LINE; do
    COMP_POINT=${#COMP_LINE} COMP_WORDS=() COMP_CWORD=-1
    while IFS= read -r word && [[ $word != end ]]; do
        COMP_WORDS+=("${word#.}")
        COMP_CWORD=$((COMP_CWORD + 1))
    done
    _ulpscope ulpscope "${COMP_WORDS[COMP_CWORD]}" ""
    printf '%s\n' "${COMPREPLY[@]}" @@
done
"""

failures = 0


def fact(name, holds, shown=""):
    global failures
    failures += not holds
    print(f"{'ok   ' if holds else 'FAIL '} {name}{'' if holds else ': ' + str(shown)}")


def judge(shell, line, offered):
    wanted, unwanted = LINES[line]
    fact(f"{shell}: {line}", wanted <= offered and not unwanted & offered and (wanted or not offered), sorted(offered))


def run(words, folder, text=""):
    env = dict(os.environ, PATH=os.path.dirname(ULPSCOPE) + ":" + os.environ["PATH"], LC_ALL="C.UTF-8", HOME=str(folder))
    return subprocess.run(words, cwd=folder, env=env, input=text, text=True, capture_output=True, timeout=1000)


# ---- bash, which cuts words at : and =, and replaces what is behind the last of them ----


def bash_words(line):
    return [part for word in line.split(" ")[:-1] for part in re.findall(r"[:=]+|[^:=]+", word)] + (
        re.findall(r"[:=]+|[^:=]+", line.split(" ")[-1]) or [""])


def try_bash(folder):
    text = "".join("".join([line, "\n", *(f".{word}\n" for word in bash_words(line)), "end\n"]) for line in LINES)
    done = run(["bash", "-c", BASH, "bash", ULPSCOPE], folder, text)
    fact("bash: nothing is complained about", done.stderr == "", done.stderr)
    for line, answer in zip(LINES, done.stdout.split("@@\n")):
        last = line.split(" ")[-1]
        head = last[: max(last.rfind(character) for character in ":=@") + 1]
        judge("bash", line, {head + word for word in answer.splitlines() if word})
    for word, said in (("'kahan/ser", "kahan/serial"), ('"gensum', "gensum:")):
        script = f'. <("{ULPSCOPE}" completion bash); COMP_WORDS=(ulpscope run -m "$1") COMP_CWORD=3; _ulpscope; echo "${{COMPREPLY[*]}}"'
        script = script.replace("-m", "-d") if "gensum" in word else script
        fact(f"bash: in quotes, {word}", run(["bash", "-c", script, "bash", word], folder).stdout.strip() == said)


# ---- fish completes a line that it is given ----


def try_fish(folder):
    script = ". (ulpscope completion fish | psub); while read -l line; complete -C $line; echo @@; end"
    answers = run(["fish", "--no-config", "-c", script], folder, "".join(f"{line}\n" for line in LINES)).stdout.split("@@\n")
    for line, answer in zip(LINES, answers):
        judge("fish", line, {word.split("\t")[0] for word in answer.splitlines()})


# ---- zsh: its functions for candidates and files are replaced by some that print them ----


ZSH_LINE = r"""
compset() { [[ $PREFIX == ${~2}* ]] && PREFIX=${PREFIX#${~2}} && IPREFIX=$meaning }
compadd() { while [[ $1 != -a ]]; do shift; done; print -rl -- "${(@P)2}" }
_files() { local file; for file in $PREFIX*(N-/) $PREFIX*(N^-/); do [[ -d $file ]] && file+=/; print -r -- $IPREFIX$file; done }
compdef() { : }
. <($1 completion zsh)
while IFS= read -r line; do
    words=("${(@s: :)line}") CURRENT=${#words} PREFIX=$words[-1] IPREFIX=
    _ulpscope
    print @@
done
"""


def try_zsh(folder):
    installed = f"cp {SCRIPTS}/ulpscope.zsh _ulpscope && zsh -f -c 'fpath=($PWD $fpath); autoload -U compinit; compinit -D -u; print $_comps[ulpscope]'"
    fact("zsh: it finds the installed script", run(["sh", "-c", installed], folder).stdout == "_ulpscope\n")
    done = run(["zsh", "-f", "-c", ZSH_LINE, "zsh", ULPSCOPE], folder, "".join(f"{line}\n" for line in LINES))
    fact("zsh: nothing is complained about", done.stderr == "", done.stderr)
    for line, answer in zip(LINES, done.stdout.split("@@\n")):
        judge("zsh", line, {word for word in answer.splitlines() if word})


# ---- all of them ----


def try_every_command(folder):
    """Every command is offered, and each of the options that its help has."""
    usage = run([ULPSCOPE, "help"], folder).stdout
    commands = set(re.findall(r"^  ([a-z]+) ", usage, re.M))
    offered = {line.split("\t")[0] for line in run([ULPSCOPE, "--complete", ""], folder).stdout.splitlines()}
    fact("all commands are offered, and no others", offered == commands | {"help", "--help", "--version"}, offered ^ commands)
    plug_ins = {"--plugin", "--python", "--pipe", "--no-plugins"}  # on the page of `plugin`, which takes two of them for itself
    for command in sorted(commands):
        shown = set(re.findall(r"^ +(?:-\w, )?(--[a-z-]+)", run([ULPSCOPE, command, "--help"], folder).stdout, re.M))
        if command == "plugin":
            fact("those of plug-ins are on its page", plug_ins < shown, shown)
            shown -= plug_ins - {"--python", "--pipe"}
        elif "--plugin" in shown:
            shown |= plug_ins | {"--timeout", "--memory"}
        offered = {line.split("\t")[0] for line in run([ULPSCOPE, "--complete", command, "--"], folder).stdout.splitlines()}
        fact(f"the options of {command} are offered, and no others", shown == offered, shown ^ offered)


def try_speed(folder):
    slowest, of = 0, None
    for line in LINES:
        best = 1e9
        for _ in range(5):  # the best of its own time: that of other processes is not the program's
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            run([ULPSCOPE, "--complete", *line.split(" ")[1:]], folder)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            best = min(best, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)
        slowest, of = max((slowest, of or ""), (best, line))
    fact(f"the slowest answer took {1000 * slowest:.1f} ms: {of}", slowest < SLOWEST)


def main():
    with tempfile.TemporaryDirectory(prefix="ulpscope_completion.") as name:
        folder = pathlib.Path(name)
        for file in ("study.yaml", "limits.yaml", "baselines/main.json", "folder/x"):
            (folder / file).parent.mkdir(exist_ok=True)
            (folder / file).write_text("")
        for shell, attempt in (("bash", try_bash), ("zsh", try_zsh), ("fish", try_fish)):
            printed = run([ULPSCOPE, "completion", shell], folder).stdout
            fact(f"{shell}: the script that is printed is the one that is installed", printed == (SCRIPTS / f"ulpscope.{shell}").read_text())
            if shutil.which(shell):
                attempt(folder)
            else:
                print(f"skip  {shell} is not here (Debian: apt-get install {shell})")
        done = run([ULPSCOPE, "completion", "tcsh"], folder)
        fact("another shell is refused", done.returncode == 2 and "expected bash, zsh or fish" in done.stderr)
        try_every_command(folder)
        try_speed(folder)
    return failures > 0


sys.exit(main())
